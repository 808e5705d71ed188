// The drivers of exports against the control shell in Verilator, through AXI4-Lite and DMAs.
#include "engine/rtl/printed.h"
#include "engine/vendor/software.h"
#include "tests/control/shell_bench.h"
#include "tests/support/places.h"
#include "tests/vendor/sample_folders.h"
#include "tests/vendor/sample_projects.h"
#include "tests/vendor/simulated_software.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::vendor {
namespace {

using hdl::cat;
using ::testing::HasSubstr;

constexpr hdl::ControlIdentity kIdentity = {0x00010002, 0xfedcba9876543210};
constexpr int kStreamBits = 64;
constexpr const char* kDriver = "drive_main.c";

/// Frames that do and do not fill their last beats, and lines of other widths than the streams'.
test::SmallCore toyCore() {
    return test::startedCore({{"x", 32, 104}, {"z", 64, 64}}, {{"y", 32, 72}, {"t", 16, 16}});
}

Project toyProjectOf(const test::SmallCore& small, const hdl::ControlShell& shell,
                     const hdl::ShellNames& names) {
    Project project = test::sampleBase("toy", "xc7z020");
    project.top = names.top;
    project.clock = names.clock;
    project.reset = names.reset;
    const auto add = [&](const std::vector<test::SmallStream>& streams,
                         const std::vector<rtl::AxisNames>& ports, bool isInput) {
        for (std::size_t k = 0; k < streams.size(); ++k)
            project.streams.push_back(
                {streams[k].name, ports[k], kStreamBits, isInput, streams[k].frameBits,
                 (isInput ? "in_" : "out_") + streams[k].name + ".hex", streams[k].bits});
    };
    add(small.sources, names.sources, true);
    add(small.sinks, names.sinks, false);
    project.control = ProjectControl{names.control, names.interrupt, shell.registers};
    return project;
}

/// Bytes as lines of hex, the last one filled with zeros.
std::string hexLinesOf(std::string bytes, int bits) {
    const auto width = static_cast<std::size_t>(bits / 8);
    bytes.resize((bytes.size() + width - 1) / width * width);
    std::string text;
    for (std::size_t from = 0; from < bytes.size(); from += width) {
        for (std::size_t k = width; k-- > 0;)
            text += hexadecimal(static_cast<unsigned char>(bytes[from + k]), 2).substr(2);
        text += "\n";
    }
    return text;
}

files::FolderFiles goldenOf(const test::SmallCore& small, int count) {
    const test::ShellFrames frames = test::framesOf(small, count, 7);
    files::FolderFiles files;
    const auto add = [&](const std::string& begin, const std::vector<test::SmallStream>& streams,
                         const std::vector<std::vector<std::string>>& all) {
        for (std::size_t k = 0; k < streams.size(); ++k)
            for (const std::string& frame : all[k])
                files["vectors/" + begin + streams[k].name + ".hex"] +=
                    hexLinesOf(frame, streams[k].bits);
    };
    add("in_", small.sources, frames.sources);
    add("out_", small.sinks, frames.sinks);
    return files;
}

/// The simulation with the driver inside.
class ShellSoftware : public ::testing::Test {
protected:
    void SetUp() override {
        const test::SmallCore small = toyCore();
        const auto shell = hdl::controlShell(small.core, {"toy", kIdentity, kStreamBits});
        ASSERT_TRUE(shell) << format(shell.error());
        const rtl::Names names(shell->module);
        const Project project = toyProjectOf(small, *shell, namesOf(names, shell->ports));
        files::FolderFiles files = softwareFiles(project);
        files.merge(goldenOf(small, 5));
        std::string list;
        for (const hdl::Module& module : hdl::printed(names, rtl::Vendor::Xilinx).modules) {
            files["rtl/" + module.name + ".v"] = module.verilog;
            list += "rtl/" + module.name + ".v ";
        }
        test::writeAll(folder_, files);
        const std::string own = test::sourceFolder() + "/tests/vendor/software/shell";
        test::buildSimulation(folder_.path(), project, list, kDriver);
    }
    ProcessResult run(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), folder_ / "build/sim");
        return test::ran(arguments, folder_.string());
    }

    void expectGolden() const;
    void expectSameInPython() const;

    test::TemporaryFolder folder_;
};

/// Vectors pass, and one that was changed fails.
void ShellSoftware::expectGolden() const {
    for (const char* vector : {"0", "1", "2", "3", "4"})
        EXPECT_THAT(run({"check", "vectors", vector}).output,
                    HasSubstr(cat("PASS: frame ", vector, ", 0 wrong lines")));
    EXPECT_THAT(run({"check", "vectors", "5"}).output, HasSubstr("has no frame 5"));
    const std::string path = folder_ / "vectors/out_y.hex";
    const std::string golden = *test::readText(path);
    std::string changed = golden;
    changed[1] = changed[1] == '0' ? '1' : '0';
    ASSERT_TRUE(test::writeText(path, changed));
    EXPECT_THAT(run({"check", "vectors", "0"}).output, HasSubstr("FAIL: frame 0, 1 wrong lines"));
    ASSERT_TRUE(test::writeText(path, golden));
}

void ShellSoftware::expectSameInPython() const {
    const std::string own = test::sourceFolder() + "/tests/vendor/software/shell";
    ProcessParams params{{"python3", own + "/drive_main.py", "vectors"}, folder_.string()};
    params.environment = {{"PYTHONPATH", folder_ / "sw"},
                          {"PYTHONDONTWRITEBYTECODE", "1"},
                          {"SIMULATION", folder_ / "build/sim"},
                          {"SOURCES", "2"}};
    const auto result = runProcess(params);
    ASSERT_TRUE(result);
    std::string expected;
    for (int k = 0; k < 5; ++k)
        expected += cat("wrong lines of vector ", k, ": 0\n");
    EXPECT_EQ(result->output, expected + "frames 5, cycles some\nerror 2\n");
}

// One test: the simulation is built once.
TEST_F(ShellSoftware, DriversDriveTheHardware) {
    EXPECT_EQ(run({"drive"}).output, "0 wrong\n");
    expectGolden();
    expectSameInPython();
}

} // namespace
} // namespace marquetry::vendor
