#include "engine/artefact/stream_testbench.h"

#include "engine/artefact/axis_testbench.h"

#include <algorithm>
#include <limits>

namespace marquetry::hdl {

namespace {

constexpr std::int64_t kMostInteger = std::numeric_limits<std::int32_t>::max(); // of Verilog

BenchStream streamOf(const StreamPort& port, const rtl::AxisNames& names) {
    return {port.name, names, port.tdataBits(), port.beats};
}

std::vector<BenchLeaf> leavesOf(const StreamPort& port) {
    std::vector<BenchLeaf> leaves;
    for (std::int64_t lane = 0; lane < port.lanes; ++lane)
        for (const ir::Scalar scalar : port.leaves)
            leaves.push_back({8 * ir::info(scalar).bytes, ir::info(scalar).isSigned});
    return leaves;
}

} // namespace

AxisBench streamBench(const StreamInterface& interface, const StreamNames& names) {
    AxisBench bench;
    bench.title = "Testbench of the stream " + interface.name + ".";
    bench.names = names;
    for (std::size_t k = 0; k < interface.inputs.size(); ++k)
        bench.sources.push_back(streamOf(interface.inputs[k], names.inputs[k]));
    bench.sinks = {{streamOf(interface.output, names.output), leavesOf(interface.output), true}};
    bench.clocks = interface.clocks;
    bench.patience = std::min(1000 + 4 * interface.clocks, kMostInteger);
    return bench;
}

} // namespace marquetry::hdl
