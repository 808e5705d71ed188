// Which target builds which device and board, and what is said where one does not.
#include "engine/vendor/targets.h"

#include "engine/vendor/boards.h"
#include "tests/vendor/sample_projects.h"

#include <gmock/gmock.h>

#include <limits>

namespace marquetry::test {
namespace {

using ::testing::HasSubstr;
using vendor::checkChoice;
using vendor::checkProject;
using vendor::Choice;

device::Device deviceOf(const std::string& id) {
    return *device::findDevice(id);
}

/// The only error's code; empty: none.
std::string codeOf(const Status& status) {
    if (status)
        return "";
    EXPECT_EQ(status.error().size(), 1U);
    EXPECT_FALSE(status.error().front().message.empty());
    EXPECT_FALSE(status.error().front().hint.empty());
    return status.error().front().code;
}

TEST(Targets, EveryShippedDeviceHasATargetBesideVerilog) {
    for (const device::Device& device : device::shippedDevices()) {
        int builders = 0;
        for (const vendor::ExportTarget& target : vendor::targets())
            builders += checkChoice({target.id, device, 100, ""}).has_value() ? 1 : 0;
        EXPECT_EQ(builders, 2) << device.id;
        EXPECT_EQ(codeOf(checkChoice({"verilog", device, 100, ""})), "") << device.id;
    }
}

TEST(Targets, OthersAreNamedForDevicesThatOneDoesNotBuild) {
    const Status status = checkChoice({"vivado", deviceOf("lfe5u-85f"), 100, ""});
    EXPECT_EQ(codeOf(status), "target-device");
    EXPECT_EQ(status.error().front().message,
              "target 'vivado' does not build Lattice ECP5 85F ('lfe5u-85f')");
    EXPECT_EQ(status.error().front().hint, "targets that do: 'verilog' and 'open'");
    EXPECT_EQ(codeOf(checkChoice({"quartus", deviceOf("xc7z020"), 100, ""})), "target-device");
    EXPECT_EQ(codeOf(checkChoice({"open", deviceOf("arria10"), 100, ""})), "target-device");
}

TEST(Targets, UnknownOnesAreAnsweredWithTheList) {
    const Status status = checkChoice({"ise", deviceOf("xc7z020"), 100, ""});
    EXPECT_EQ(codeOf(status), "unknown-target");
    EXPECT_EQ(status.error().front().hint, "targets: 'verilog', 'vivado', 'quartus' and 'open'");
    EXPECT_EQ(codeOf(checkChoice({"vi\nvado", deviceOf("xc7z020"), 100, ""})), "unknown-target");
}

TEST(Targets, ClocksLieInARange) {
    for (const double clock : {0.0, -1.0, 2000.0, 1000.1, std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()})
        EXPECT_EQ(codeOf(checkChoice({"vivado", deviceOf("xc7z020"), clock, ""})), "clock-range")
            << clock;
    for (const double clock : {0.001, 1000.0})
        EXPECT_EQ(codeOf(checkChoice({"vivado", deviceOf("xc7z020"), clock, ""})), "") << clock;
}

TEST(Targets, BoardsHaveTheirDevice) {
    for (const vendor::Board& board : vendor::boards()) {
        EXPECT_EQ(codeOf(checkChoice({"vivado", deviceOf(board.device), 100, board.id})), "");
        const Status other = checkChoice({"vivado", deviceOf("zu3eg"), 100, board.id});
        EXPECT_EQ(codeOf(other), "board-device");
        EXPECT_THAT(other.error().front().message, HasSubstr(board.device));
        EXPECT_EQ(codeOf(checkChoice({"verilog", deviceOf(board.device), 100, board.id})),
                  "board-device");
    }
    EXPECT_EQ(codeOf(checkChoice({"vivado", deviceOf("zu3eg"), 100, "none"})), "");
    const Status unknown = checkChoice({"vivado", deviceOf("zu3eg"), 100, "pynq"});
    EXPECT_EQ(codeOf(unknown), "unknown-board");
    EXPECT_EQ(unknown.error().front().hint, "boards: 'pynq-z2' and 'zcu104', or 'none'");
}

TEST(Targets, SystemsNeedRegistersStreamsAndWidths) {
    const vendor::Project good = controlledProject("xc7z020", "pynq-z2");
    EXPECT_EQ(codeOf(checkProject("vivado", good)), "");

    vendor::Project project = good;
    project.control.reset();
    EXPECT_EQ(codeOf(checkProject("vivado", project)), "board-control");
    project.board = "none";
    EXPECT_EQ(codeOf(checkProject("vivado", project)), "");

    project = good;
    project.streams.clear();
    EXPECT_EQ(codeOf(checkProject("vivado", project)), "board-streams");
    project.streams.assign(16, sampleStream("x", "x", true));
    EXPECT_EQ(codeOf(checkProject("vivado", project)), "board-streams");
    project.streams.assign(15, sampleStream("x", "x", true));
    EXPECT_EQ(codeOf(checkProject("vivado", project)), "");

    project = good;
    project.streams[0].tdataBits = 24;
    EXPECT_EQ(codeOf(checkProject("vivado", project)), "stream-width");

    project = good;
    project.clockMhz = 300;
    EXPECT_EQ(codeOf(checkProject("vivado", project)), "board-clock");

    // Without inputs the DMA reads nothing and writes all the same.
    project = good;
    project.streams = {sampleStream("y", "y", false)};
    EXPECT_EQ(codeOf(checkProject("vivado", project)), "");
}

TEST(Targets, LinesOfUltraScaleAreEight) {
    vendor::Project project = controlledProject("zu7ev", "zcu104");
    project.streams.assign(7, sampleStream("x", "x", true));
    EXPECT_EQ(codeOf(checkProject("vivado", project)), "");
    project.streams.assign(8, sampleStream("x", "x", true));
    EXPECT_EQ(codeOf(checkProject("vivado", project)), "board-streams");
}

TEST(Systems, StreamsArePairedInTheirOrder) {
    const vendor::System system = vendor::systemOf(controlledProject());
    ASSERT_EQ(system.dmas.size(), 2U);
    EXPECT_EQ(system.dmas[0].input, 0);
    EXPECT_EQ(system.dmas[0].output, 2);
    EXPECT_EQ(system.dmas[1].input, 1);
    EXPECT_EQ(system.dmas[1].output, -1);
    EXPECT_EQ(system.controlAddress, 0x40000000U);
    EXPECT_EQ(system.dmas[0].address, 0x40010000U);
    EXPECT_EQ(system.dmas[1].address, 0x40020000U);
    EXPECT_EQ(system.interrupts,
              (std::vector<std::string>{"accelerator/interrupt", "dma_0/mm2s_introut",
                                        "dma_0/s2mm_introut", "dma_1/mm2s_introut"}));
}

} // namespace
} // namespace marquetry::test
