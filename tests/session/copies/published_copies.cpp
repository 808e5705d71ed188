// A published network that ends with slices, and an attention block, as hardware. The networks are
// no part of the project: MARQUETRY_MODELS names their folder.
#include "engine/frontend/onnx/program_file.h"
#include "tests/session/copies/verified_copies.h"

#include <cstdlib>

namespace marquetry {

TEST(PublishedCopies, FrontnetIsExportedAndVerified) {
    const char* const folder = std::getenv("MARQUETRY_MODELS");
    ASSERT_TRUE(folder) << "MARQUETRY_MODELS does not name the folder of published networks";
    auto read =
        frontend::onnx::readProgramFile(std::string(folder) + "/dory_nas_frontnet/Frontnet.onnx");
    ASSERT_TRUE(read.has_value()) << format(read.error());
    auto program = frontend::selectItem(std::move(read->parsed), "");
    ASSERT_TRUE(program.has_value()) << format(program.error());
    session::Settings settings;
    settings.device = "xc7z020";
    test::expectVerified(std::make_shared<const ir::Program>(*std::move(program)), settings,
                         hdl::Simulator::Verilator);
}

} // namespace marquetry
