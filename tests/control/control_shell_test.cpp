// The control shell before the tools, the widths that it refuses, and what it says of itself.
#include "engine/rtl/printed.h"
#include "engine/support/process.h"
#include "tests/control/shell_cases.h"
#include "tests/rtl/rtl_bench.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace marquetry::hdl {
namespace {

using ::testing::HasSubstr;

ControlShell shellOf(const test::SmallCore& small, int streamBits) {
    auto made = controlShell(small.core, {"small", {1, 2}, streamBits});
    EXPECT_TRUE(made) << (made ? "" : format(made.error()));
    return *std::move(made);
}

/// Of all warnings there are, those about files that hold several modules left out.
std::string wholeLintOf(const rtl::ModulePtr& top) {
    const test::TemporaryFolder folder;
    std::ofstream(folder / "all.v") << test::textOf(top);
    const auto ran = runProcess({{"verilator", "--lint-only", "-Wall", "-Wno-DECLFILENAME",
                                  "--top-module", rtl::Names(top).of(*top), "all.v"},
                                 folder.string()});
    return ran ? ran->output : format(ran.error());
}

TEST(ControlShell, VerilatorTakesItWithoutAWord) {
    for (const test::ShellCase& one : test::allShellCases())
        EXPECT_EQ(wholeLintOf(shellOf(one.small, one.streamBits).module), "") << one.name;
    EXPECT_EQ(wholeLintOf(shellOf(test::keepingCore(), 0).module), "");
}

TEST(ControlShell, StreamsMayHaveTheNamesOfItsWires) {
    const test::SmallCore flow = test::flowingCore(
        {{"running", 8, 64}, {"core", 8, 64}, {"registers", 8, 64}, {"aclk", 8, 64}},
        {"frames", 16, 128});
    const test::SmallCore sums =
        test::startedCore({{"x", 8, 64}, {"x_core", 8, 64}, {"case", 8, 64}},
                          {{"x_stalls", 8, 64}, {"irq", 8, 64}, {"core_done", 8, 64}});
    for (const int bits : {0, 32}) {
        EXPECT_EQ(wholeLintOf(shellOf(flow, bits).module), "");
        EXPECT_EQ(wholeLintOf(shellOf(sums, bits).module), "");
    }
}

TEST(ControlShell, SynthesisTakesItWithoutAWord) {
    const rtl::ModulePtr top = shellOf(test::shellCase("starts_8").small, 8).module;
    EXPECT_EQ(test::synthesisOf(top, "xilinx -family xc7", rtl::Vendor::Xilinx), "");
    EXPECT_EQ(test::synthesisOf(top, "ecp5", rtl::Vendor::Lattice), "");
}

TEST(ControlShell, RefusesWidthsThatDoNotFit) {
    const test::SmallCore small =
        test::flowingCore({{"pixels", 24, 240}, {"flags", 8, 80}}, {"y", 64, 640});
    for (const int bits : {-8, 1, 4, 12, 24, 63, 1024, 1 << 30}) {
        const auto made = controlShell(small.core, {"small", {}, bits});
        ASSERT_FALSE(made) << bits;
        EXPECT_EQ(made.error()[0].code, "stream-width");
        EXPECT_THAT(made.error()[0].message, HasSubstr(cat("streams of ", bits, " bits")));
    }
    for (const int bits : {16, 32, 64, 128, 256, 512}) {
        const auto made = controlShell(small.core, {"small", {}, bits});
        ASSERT_FALSE(made) << bits;
        EXPECT_THAT(made.error()[0].message, HasSubstr("the stream pixels has beats of 24 bits"));
        EXPECT_FALSE(made.error()[0].hint.empty());
    }
    for (const int bits : {0, 8})
        EXPECT_TRUE(controlShell(small.core, {"small", {}, bits})) << bits;
}

TEST(ControlShell, KnowsItsBeats) {
    const test::SmallCore small = test::flowingCore({{"x", 24, 240}}, {"y", 64, 600});
    const CoreStream& x = small.core.sources[0];
    const CoreStream& y = small.core.sinks[0];
    EXPECT_EQ(shellBits(x, 0), 24);
    EXPECT_EQ(shellBeats(x, 0), 10);
    EXPECT_EQ(shellBeats(x, 8), 30);
    EXPECT_EQ(shellBits(y, 512), 512);
    EXPECT_EQ(shellBeats(y, 512), 2);
    EXPECT_EQ(shellBeats(y, 8), 75);
}

TEST(ControlShell, PortsAreWhatTheNamesSay) {
    const ControlShell shell = shellOf(test::shellCase("starts_64").small, 64);
    const ShellNames names = namesOf(rtl::Names(shell.module), shell.ports);
    EXPECT_EQ(names.top, "small_axi");
    EXPECT_EQ(names.bench, "small_axi_tb");
    EXPECT_EQ(names.clock, "aclk");
    EXPECT_EQ(names.reset, "aresetn");
    EXPECT_EQ(names.interrupt, "irq");
    EXPECT_EQ(names.control.awaddr, "s_axi_control_awaddr");
    ASSERT_EQ(names.sources.size(), 2U);
    EXPECT_EQ(names.sources[1].tdata, "s_axis_z_tdata");
    ASSERT_EQ(names.sinks.size(), 2U);
    EXPECT_EQ(names.sinks[0].tready, "m_axis_y_tready");
    EXPECT_EQ(shell.ports.sinks[1].tdata.width(), 64);
    EXPECT_EQ(shell.registers.at("stalls_t").offset, shell.registers.at("stalls_x").offset + 12);
}

} // namespace
} // namespace marquetry::hdl
