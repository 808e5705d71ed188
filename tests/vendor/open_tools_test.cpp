// The open tools' projects: a small design through nextpnr by the Makefile as it is, the flow for
// ECP5 up to what Debian has of it, FuseSoC's file by the rules of its format.
#include "engine/lower_design/clock_paths.h"
#include "engine/support/json.h"
#include "engine/vendor/filelist.h"
#include "engine/vendor/open_tools.h"
#include "tests/vendor/built_projects.h"
#include "tests/vendor/core_file.h"
#include "tests/vendor/sample_folders.h"
#include "tests/vendor/sample_projects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace marquetry::vendor {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

void writeProject(const std::filesystem::path& folder, const files::FolderFiles& hardware,
                  const files::FolderFiles& target) {
    test::writeAll(folder, hardware);
    test::writeAll(folder, target);
}

TEST(OpenTools, PlaceAndRouteASmallDesignWhateverTheFolderIsCalled) {
    const auto built = test::builtProject(test::smallDesign("tiny", 1), "ice40up5k", 12);
    const test::TemporaryFolder top;
    const std::filesystem::path folder = top.path() / "a 'b' \"c\" $(d) [e];f\\ {g} ü";
    writeProject(folder, built.files, openFiles(built.project));
    const auto made = test::ran({"make"}, folder);
    ASSERT_EQ(made.exitCode, 0) << made.output;
    EXPECT_GT(std::filesystem::file_size(folder / "build/tiny_pins.bin"), 0U);
    const auto report = nlohmann::json::parse(*test::readText(folder / "build/report.json"));
    ASSERT_EQ(report["fmax"].size(), 1U);
    const auto& clock = *report["fmax"].begin();
    EXPECT_NEAR(clock["constraint"].get<double>(), 12, 0.01);
    EXPECT_GE(clock["achieved"].get<double>(), 12.0);
    const cost::ClockEstimate estimate = cost::estimateClock(
        "ice40", hdl::clockPaths(hdl::makePlan(test::smallDesign("tiny", 1).schedule), {}));
    RecordProperty("estimate", std::to_string(estimate.mhz));
    EXPECT_GT(clock["achieved"].get<double>(), 0.7 * estimate.mhz);
    EXPECT_LT(clock["achieved"].get<double>(), 1.4 * estimate.mhz);
    RecordProperty("fmax", std::to_string(clock["achieved"].get<double>()));
    RecordProperty("cells", report["utilization"]["ICESTORM_LC"]["used"].dump());
    EXPECT_EQ(report["utilization"]["ICESTORM_DSP"]["used"], 8) << "a multiplier of 8 bits a lane";
    EXPECT_THAT(made.output, HasSubstr("Max frequency for clock"));
    EXPECT_THAT(test::ran({"make", "report"}, folder).output, HasSubstr("ICESTORM_LC:"));
    // What is up to date is not made again.
    EXPECT_THAT(test::ran({"make", "-q", "build/tiny_pins.bin"}, folder).exitCode, 0);
    EXPECT_EQ(test::ran({"make", "clean"}, folder).exitCode, 0);
    EXPECT_FALSE(std::filesystem::exists(folder / "build"));
}

/// The bench's last line before what synth_ice40 -dsp makes of the hardware, as the Makefile runs
/// it.
std::string saidByNetlist(const std::filesystem::path& folder, const Project& project) {
    const std::string netlist = "build/" + project.top + ".json";
    const auto made = test::ran({"make", "TOP=" + project.top, "USER_SOURCES=", netlist}, folder);
    EXPECT_EQ(made.exitCode, 0) << made.output;
    const std::string bench = project.benches.back().top;
    const auto ran = test::ran(
        {"sh", "-c",
         "yosys -q -p 'read_json " + netlist + "; write_verilog -noattr build/netlist.v' && " +
             "iverilog -g2012 -DNO_ICE40_DEFAULT_ASSIGNMENTS -P" + bench + ".VECTORS=2 -s " +
             bench + " -o build/x build/netlist.v tb/tb_icarus.v " +
             "\"$(dirname \"$(command -v yosys)\")/../share/yosys/ice40/cells_sim.v\" && " +
             "cd rtl && vvp -n ../build/x +dir=../vectors"},
        folder);
    EXPECT_EQ(ran.exitCode, 0) << ran.output;
    return ran.output;
}

TEST(OpenTools, NetlistOfIce40ComputesAsTheSourcesDo) {
    const auto built = test::builtProject(test::smallDesign("tiny", 1), "ice40up5k", 12);
    const test::TemporaryFolder folder;
    writeProject(folder.path(), built.files, openFiles(built.project));
    EXPECT_THAT(saidByNetlist(folder.path(), built.project), HasSubstr("\"pass\":true"));
    EXPECT_THAT(*test::readText(folder / "build/yosys.log"), HasSubstr("SB_MAC16"));
}

TEST(OpenTools, FailWhereTheClockIsNotMetUnlessAllowed) {
    Project project = test::memoryProject("ice40up5k");
    project.clockMhz = 900;
    files::FolderFiles hardware = test::sampleFiles(project);
    hardware["rtl/banked_top.v"] =
        "module banked_top (input wire aclk, input wire aresetn, input wire write_enable,\n"
        "    input wire [9:0] write_address, input wire [15:0] write_data,\n"
        "    output wire [31:0] read_data);\n"
        "    reg [31:0] sum;\n"
        "    assign read_data = sum;\n"
        "    always @(posedge aclk)\n"
        "        if (!aresetn) sum <= 0;\n"
        "        else if (write_enable) sum <= sum + {write_address, write_data};\n"
        "endmodule\n";
    const test::TemporaryFolder folder;
    writeProject(folder.path(), hardware, openFiles(project));
    const auto slow = test::ran({"make"}, folder.string());
    EXPECT_NE(slow.exitCode, 0);
    EXPECT_THAT(slow.output, HasSubstr("(FAIL at 900."));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "build/banked_pins.bin"));
    const auto allowed = test::ran({"make", "ALLOW_SLOW=1"}, folder.string());
    EXPECT_EQ(allowed.exitCode, 0) << allowed.output;
    EXPECT_THAT(allowed.output, HasSubstr("(FAIL at 900."));
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "build/banked_pins.bin"));
    // Sources without the directive get no multipliers of the chip.
    EXPECT_THAT(*test::readText(folder / "build/yosys.log"), Not(HasSubstr("ice40_dsp")));
}

/// nextpnr-ecp5 and ecppack are not in Debian 12: stand-ins that check what they are given.
constexpr const char* kNextpnrEcp5 = R"(#!/bin/sh
while [ $# -gt 0 ]; do
    case "$1" in
    --85k | --lpf-allow-unconstrained | -q) ;;
    --json | --lpf) [ -s "$2" ] || { echo "no file '$2'"; exit 1; }; shift ;;
    --package) [ "$2" = CABGA381 ] || { echo "package '$2'"; exit 1; }; shift ;;
    --speed) [ "$2" = 6 ] || { echo "speed '$2'"; exit 1; }; shift ;;
    --freq) [ "$2" = 50 ] || { echo "clock '$2'"; exit 1; }; shift ;;
    --seed) shift ;;
    --textcfg) echo config > "$2"; shift ;;
    --report) echo '{}' > "$2"; shift ;;
    -l) printf 'Device utilisation:\n  TRELLIS_FF: 12/ 83640 0%%\nMax frequency for clock\n' > "$2"; shift ;;
    *) echo "no option '$1'"; exit 1 ;;
    esac
    shift
done
)";
constexpr const char* kEcppack = R"(#!/bin/sh
[ "$1 $2 $4" = "--compress --input --bit" ] && [ -s "$3" ] && echo bits > "$5"
)";

TEST(OpenTools, SynthesiseForEcp5AndNameItsTools) {
    const auto built = test::builtProject(test::smallDesign("tiny", 1), "lfe5u-85f", 50);
    const test::TemporaryFolder folder;
    writeProject(folder.path(), built.files, openFiles(built.project));
    test::writeAll(folder, {{"tools/nextpnr", kNextpnrEcp5}, {"tools/ecppack", kEcppack}});
    const auto made = test::ran({"make", "NEXTPNR=sh tools/nextpnr", "ECPPACK=sh tools/ecppack"},
                                folder.string());
    EXPECT_EQ(made.exitCode, 0) << made.output;
    EXPECT_EQ(*test::readText(folder / "build/tiny_pins.bit"), "bits\n");
    const std::string log = *test::readText(folder / "build/yosys.log");
    EXPECT_THAT(log, HasSubstr("synth_ecp5"));
    EXPECT_THAT(log, Not(HasSubstr("\nWarning"))); // ABC remarks on its own input
}

TEST(OpenTools, KnowDevicesByTheirParts) {
    const auto of = [](const std::string& family, const std::string& part) {
        device::Device device;
        device.family = family;
        device.part = part;
        const NextpnrDevice options = nextpnrDevice(device);
        return options.size + " " + options.package + " " + options.speed;
    };
    EXPECT_EQ(of("ice40", "iCE40UP5K-SG48"), "--up5k sg48 ");
    EXPECT_EQ(of("ice40", "iCE40HX8K-CT256"), "--hx8k ct256 ");
    EXPECT_EQ(of("ecp5", "LFE5U-85F-6BG381C"), "--85k CABGA381 6");
    EXPECT_EQ(of("ecp5", "LFE5UM5G-45F-8BG554I"), "--um5g-45k CABGA554 8");
    EXPECT_EQ(of("ecp5", "LFE5U-25F-7MG285C"), "--25k CSFBGA285 7");
    EXPECT_EQ(of("ice40", "no such part"), "  ");
    EXPECT_EQ(of("ecp5", "$(rm -rf x)"), "  ");
}

TEST(OpenTools, AskForTheDeviceThatTheyDoNotKnow) {
    Project project = test::memoryProject("ice40up5k");
    project.device.part = "something else";
    const test::TemporaryFolder folder;
    writeProject(folder.path(), test::sampleFiles(project), openFiles(project));
    const auto asked = test::ran({"make", "-n"}, folder.string());
    EXPECT_NE(asked.exitCode, 0);
    EXPECT_THAT(asked.output, HasSubstr("set SIZE and PACKAGE for nextpnr-ice40"));
    EXPECT_EQ(test::ran({"make", "-n", "SIZE=--up5k", "PACKAGE=sg48"}, folder.string()).exitCode,
              0);
}

TEST(OpenTools, PinsHaveEveryKindOfTopInsideAndNoWarning) {
    for (const Project& project : test::sampleProjects()) {
        const test::TemporaryFolder folder;
        Project ice40 = project;
        ice40.device = *device::findDevice("ice40up5k");
        const auto files = openFiles(ice40);
        writeProject(folder.path(), test::sampleFiles(ice40), files);
        std::vector<std::string> command = {"verilator",     "--lint-only", "-Wall",
                                            "-Wno-UNDRIVEN", "-Wno-UNUSED", "-Wno-DECLFILENAME",
                                            "--top-module"};
        for (const auto& [path, text] : files)
            if (path.ends_with("_pins.v"))
                command.push_back(std::filesystem::path(path).stem());
        command.insert(command.end(), ice40.sources.begin(), ice40.sources.end());
        command.push_back("open/" + command[7] + ".v");
        const auto lint = test::ran(command, folder.string());
        EXPECT_EQ(lint.exitCode, 0) << lint.output;
        EXPECT_EQ(lint.output, "") << project.name;
    }
}

TEST(FusesocCore, HasWhatTheFormatAsksForAndItsFilesExist) {
    for (const char* device : {"ice40up5k", "lfe5u-85f"}) {
        for (const Project& sample : test::sampleProjects()) {
            Project project = sample;
            project.device = *device::findDevice(device);
            files::FolderFiles all = openFiles(project);
            const files::FolderFiles hardware = test::sampleFiles(project);
            all.insert(hardware.begin(), hardware.end());
            for (const auto& [path, text] : all)
                if (path.ends_with(".core")) {
                    EXPECT_EQ(test::faultsOfCore(text, all), "") << text;
                }
        }
    }
}

TEST(FusesocCore, FaultsAreFound) {
    const Project project = test::controlledProject("ice40up5k");
    files::FolderFiles all = openFiles(project);
    const files::FolderFiles hardware = test::sampleFiles(project);
    all.insert(hardware.begin(), hardware.end());
    const std::string core = all.at("small_net.core");
    const auto broken = [&](const std::string& from, const std::string& to) {
        std::string text = core;
        const auto at = text.find(from);
        EXPECT_NE(at, text.npos) << from;
        return test::faultsOfCore(text.replace(at, from.size(), to), all);
    };
    EXPECT_THAT(broken("CAPI=2:", "CAPI=1:"), HasSubstr("CAPI=2"));
    EXPECT_THAT(broken("name: marquetry:generated:small_net:0.1.0", "name: small_net"),
                HasSubstr("name"));
    EXPECT_THAT(broken("rtl/small_net_unit.v", "rtl/nowhere.v"), HasSubstr("rtl/nowhere.v"));
    EXPECT_THAT(broken("filesets: [rtl, memories]", "filesets: [rtl, memory]"),
                HasSubstr("memory"));
    EXPECT_THAT(broken("    toplevel: small_net_top\n", ""), HasSubstr("toplevel"));
    EXPECT_THAT(broken("file_type: verilogSource-2005", "file_type: verilog"),
                HasSubstr("file_type"));
    EXPECT_THAT(broken("parameters: [KEEP_PRODUCT_REGISTERS]", "parameters: [KEEP]"),
                HasSubstr("KEEP"));
    EXPECT_THAT(broken("    paramtype: vlogdefine\n", ""), HasSubstr("no type"));
    EXPECT_THAT(broken("default_tool: icestorm", "default_tool: storm"), HasSubstr("storm"));
    EXPECT_THAT(broken("  lint:\n", "\tlint:\n"), HasSubstr("line"));
}

TEST(Filelist, CommandsOfThePageSimulateASmallDesign) {
    const auto built = test::builtProject(test::smallDesign("tiny", 1), "xc7k160t", 100);
    const test::TemporaryFolder top;
    const auto files = verilogFiles(built.project);
    // GNU Make, and so Verilator, builds in no folder with spaces; it says so.
    const auto inFolders = {
        std::pair(verilatorCommand(built.project), top.path() / "plain"),
        std::pair(icarusCommand(built.project), top.path() / "it's $HOME [1];\\x ü")};
    for (const auto& [command, folder] : inFolders) {
        writeProject(folder, built.files, files);
        EXPECT_THAT(files.at("README.md"), HasSubstr("    " + command + "\n"));
        const auto ran = test::ran({"sh", "-c", command}, folder);
        EXPECT_EQ(ran.exitCode, 0) << command << "\n" << ran.output;
        EXPECT_THAT(ran.output, HasSubstr("\"pass\":true")) << command;
        EXPECT_THAT(ran.output, HasSubstr("\"vectors\":2")) << command;
    }
}

TEST(Filelist, SourcesWithoutABenchAreChecked) {
    for (const Project& project : test::sampleProjects()) {
        const test::TemporaryFolder folder;
        const auto files = verilogFiles(project);
        writeProject(folder.path(), test::sampleFiles(project), files);
        const auto icarus = test::ran({"sh", "-c", icarusCommand(project)}, folder.string());
        EXPECT_EQ(icarus.exitCode, 0) << icarus.output;
        EXPECT_THAT(verilatorCommand(project), HasSubstr("--lint-only"));
        EXPECT_LE(std::ranges::count(files.at("README.md"), '\n'), 16) << files.at("README.md");
    }
}

} // namespace
} // namespace marquetry::vendor
