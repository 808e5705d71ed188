// The estimate of a small design's clock beside Yosys' analysis of what it synthesises, and what an
// export says of it.
#include "engine/artefact/design_artefact.h"
#include "engine/device/device_file.h"
#include "engine/support/json.h"
#include "tests/artefact/clock_bench.h"
#include "tests/lower_design/schedule_builder.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>

namespace marquetry::test {
namespace {

using ::testing::HasSubstr;

hdl::ExportRequest requestOf(const TestDesign& design, double clockMhz) {
    hdl::ExportRequest request;
    request.schedule = design.schedule;
    request.program = design.program;
    request.programFiles = {{"small.mq", "// built by a test\n"}};
    request.device = *device::findDevice("xc7z020");
    request.device.clockMhz = clockMhz;
    return request;
}

hdl::ExportRequest smallRequest(double clockMhz) {
    ScheduleBuilder builder("small");
    const auto unit = builder.unit("dense", 1);
    const auto x = builder.input("x", {ir::Scalar::I8, {1, 1, 8}});
    EpilogueSpec epilogue;
    epilogue.requantBefore = requant(9);
    builder.output("y", builder.mv(unit, x, 4, epilogue));
    return requestOf(builder.finish(), clockMhz);
}

/// The longest path as estimated and as synthesised.
void expectNear(const hdl::ExportRequest& request) {
    const auto artefact = hdl::designArtefact(request);
    ASSERT_TRUE(artefact);
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder / "rtl");
    for (const auto& [path, text] : hdl::filesOf(*artefact)) {
        if (path.starts_with("rtl/")) {
            ASSERT_TRUE(writeText(folder / path, text));
        }
    }
    const auto analysed = analysedPath(folder / "rtl", artefact->netlist.top);
    ASSERT_TRUE(analysed);
    std::cout << "analysed " << *analysed << ", estimated " << artefact->clock.estimate.cellsPs
              << ": " << artefact->clock.estimate.path << "\n";
    EXPECT_NEAR(artefact->clock.estimate.cellsPs / *analysed, 1, 0.2);
}

TEST(ExportClock, IsNearWhatSynthesisMakes) {
    expectNear(smallRequest(100));
}

/// Rows of a window at once: words are turned on their way to the multipliers.
TEST(ExportClock, IsNearWhereSeveralWordsAreRead) {
    ScheduleBuilder builder("window");
    const auto unit = builder.unit("conv", 1);
    builder.widen(unit, 3);
    const auto x = builder.input("x", {ir::Scalar::I8, {4, 4, 8}});
    EpilogueSpec epilogue;
    epilogue.requantBefore = requant(9);
    builder.output("y", builder.conv(unit, x, {2, 3, 1, 1}, epilogue));
    expectNear(requestOf(builder.finish(), 100));
}

TEST(ExportClock, WarnsWhereItIsNotMet) {
    const TemporaryFolder folder;
    const auto slow =
        hdl::exportArtefact(hdl::designArtefact(smallRequest(100)), {folder / "slow", {}, false});
    ASSERT_TRUE(slow);
    EXPECT_FALSE(slow->clock.missed());
    EXPECT_TRUE(slow->warnings.empty());
    const auto fast =
        hdl::exportArtefact(hdl::designArtefact(smallRequest(900)), {folder / "fast", {}, false});
    ASSERT_TRUE(fast) << "a clock that is not met is no error";
    EXPECT_TRUE(fast->clock.missed());
    ASSERT_EQ(fast->warnings.size(), 1U);
    EXPECT_EQ(fast->warnings.front().code, "clock-not-met");
    EXPECT_THAT(hdl::clockLine(fast->clock), HasSubstr("requested 900 MHz, estimated "));
    const auto report = nlohmann::json::parse(*readText(folder / "fast/report.json"));
    EXPECT_EQ(report["clock_mhz"], 900);
    EXPECT_LT(report["clock_estimate_mhz"], 900);
    EXPECT_GT(report["path_ps"], report["path_cells_ps"]);
    EXPECT_THAT(*readText(folder / "fast/report.md"), HasSubstr("longest path, ps"));
}

} // namespace
} // namespace marquetry::test
