// Small items exported for each target, and what a user would do with the folders.
#include "tests/vendor/exports/exported_folders.h"

namespace marquetry::test {
namespace {

using ::testing::HasSubstr;

/// Names that mean something to Tcl, shells, Make or C.
constexpr const char* kOddName = "a 'b' \"c\" $(d) $HOME [exit 7] {e;f\\ g} \xc3\xbc";

TEST_F(ExportedFolders, OfDesignsAreWhole) {
    expectWhole(made("--item d --target vivado --interface axi --board pynq-z2", "board"));
    expectWhole(made("--item d --target vivado --device xcu250", "plain"));
    expectWhole(made("--item d --target quartus --interface axi --stream-bits 128", "quartus"));
    expectWhole(made("--item d --target open --device ice40up5k", "open"));
}

TEST_F(ExportedFolders, OfDesignsWithWeightsInMemoryAreWhole) {
    const std::string lenet = sourceFolder() + "/examples/lenet5/lenet5.mq";
    const auto board = made("--target vivado --interface axi --device xc7z020 --board pynq-z2 "
                            "--limit dsp=32,bram=4",
                            "board", lenet);
    expectWhole(board);
    EXPECT_THAT(readText(board / "vivado/system.tcl").value_or(""), HasSubstr("S_AXI_HP1"));
    const auto quartus = made("--target quartus --interface axi --device arria10 "
                              "--limit dsp=32,bram=12",
                              "quartus", lenet);
    expectWhole(quartus);
    EXPECT_THAT(readText(quartus / "quartus/system.tcl").value_or(""),
                HasSubstr("accelerator.weights"));
    expectWhole(made("--target vivado --device zu3eg --limit dsp=32,bram=4", "plain", lenet));
}

TEST_F(ExportedFolders, OfStreamsAreWhole) {
    expectWhole(
        made("--item s --target vivado --interface axi --board zcu104 --stream-bits 8", "board"));
    expectWhole(made("--item s --target verilog --interface axi", "verilog"));
}

TEST_F(ExportedFolders, OfMemoriesAreWhole) {
    for (const char* choice : {"vivado --device xc7z020", "quartus --device arria10",
                               "open --device lfe5u-85f", "verilog --device ice40up5k"})
        expectWhole(
            made(std::string("--item m --target ") + choice, std::string(choice).substr(0, 4)));
}

/// Faults of the checks themselves would pass everything.
TEST_F(ExportedFolders, AreNotWholeWhenSomethingIsMissingOrWrong) {
    const auto board = made("--item d --target vivado --interface axi --board pynq-z2", "board");
    std::filesystem::remove(board / "vivado/system.tcl");
    EXPECT_THAT(faultsOfExport(board), ::testing::Contains(HasSubstr("system.tcl")));
    const auto open = made("--item d --target open --device ice40up5k", "open");
    const std::string top = open / "rtl/d_top.v";
    ASSERT_TRUE(writeText(top, *readText(top) + "module spare (input wire a);\n"));
    EXPECT_THAT(faultsOfExport(open), ::testing::SizeIs(::testing::Ge(3)));
    const auto software = made("--item d --interface axi", "software");
    ASSERT_TRUE(writeText(software / "sw/d.c", "int x = ;\n"));
    EXPECT_THAT(faultsOfExport(software), ::testing::ElementsAre(HasSubstr("sw/d.c")));
}

TEST_F(ExportedFolders, MayHaveAnyName) {
    for (const char* options : {"--item d --target vivado --interface axi --board pynq-z2",
                                "--item d --target quartus --interface axi",
                                "--item m --target open --device ice40up5k"}) {
        const auto folder = made(options, std::string(kOddName) + options[15]);
        expectWhole(folder);
    }
    const auto verilog = made("--item d --target verilog --interface axi", kOddName);
    expectVerified(verilog, "iverilog");
    const auto commands = readmeCommands(verilog);
    ASSERT_EQ(commands.size(), 2U);
    const auto run = ran({"sh", "-c", commands[1]}, verilog);
    EXPECT_THAT(run.output, HasSubstr("\"pass\":true"));
    const auto open = made("--item d --target open --device ice40up5k --interface stream",
                           std::string(kOddName) + " open");
    const auto netlist = ran({"make", "synth"}, open);
    EXPECT_EQ(netlist.exitCode, 0) << netlist.output;
}

TEST_F(ExportedFolders, RunTheCommandsOfTheirPages) {
    const auto folder = made("--item s --target verilog --interface axi", "verilog");
    const auto commands = readmeCommands(folder);
    ASSERT_EQ(commands.size(), 2U);
    for (const std::string& command : commands) {
        const auto run = ran({"sh", "-c", command}, folder);
        EXPECT_EQ(run.exitCode, 0) << command << "\n" << run.output;
        EXPECT_THAT(run.output, HasSubstr("\"pass\":true")) << command;
    }
}

TEST_F(ExportedFolders, AreSynthesisedWithoutARemark) {
    EXPECT_EQ(
        remarksOfSynthesis(
            made("--item d --target open --device ice40up5k --interface axi", "open"), "ice40"),
        "");
}

} // namespace
} // namespace marquetry::test
