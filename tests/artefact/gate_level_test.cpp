// A stream and a small design as gates; larger ones are among the long tests.
#include "engine/artefact/stream_artefact.h"
#include "engine/artefact/stream_testbench.h"
#include "tests/artefact/gate_level.h"
#include "tests/lower_design/random_design.h"
#include "tests/lower_stream/kernel_bench.h"

namespace marquetry::test {

TEST_F(GateLevel, OfASmallDesignIsRight) {
    expectDesignRight(randomDesign(1));
}

TEST_F(GateLevel, OfAStreamIsRight) {
    const ir::StreamProgram program = exampleStream("conv", "conv_4x4");
    hdl::StreamExportRequest request{program, designAt(program, {1, 1}).circuit, "// a test\n"};
    request.vectors = 2;
    const std::string name = program.name;
    expectRight(made("stream", hdl::streamArtefact(request)),
                {hdl::kStreamBench, name + "_tb", name + "_top"});
}

} // namespace marquetry::test
