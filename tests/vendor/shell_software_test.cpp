// The drivers of exports against the control shell in Verilator, through AXI4-Lite and DMAs.
#include "engine/rtl/printed.h"
#include "engine/vendor/software.h"
#include "tests/control/shell_bench.h"
#include "tests/support/places.h"
#include "tests/vendor/sample_folders.h"
#include "tests/vendor/sample_projects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::vendor {
namespace {

using hdl::cat;
using ::testing::HasSubstr;

constexpr hdl::ControlIdentity kIdentity = {0x00010002, 0xfedcba9876543210};
constexpr int kStreamBits = 64;

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

/// Names of wires, as ports.h of software/shell/sim.cpp has them.
std::string wireMacros(const Project& project) {
    const rtl::AxiLiteNames& axi = project.control->port;
    std::string text;
    for (const auto& [macro, wire] : std::vector<std::pair<std::string, std::string>>{
             {"ACLK", project.clock},
             {"ARESETN", project.reset},
             {"AWADDR", axi.awaddr},
             {"AWVALID", axi.awvalid},
             {"AWREADY", axi.awready},
             {"WDATA", axi.wdata},
             {"WSTRB", axi.wstrb},
             {"WVALID", axi.wvalid},
             {"WREADY", axi.wready},
             {"BVALID", axi.bvalid},
             {"BREADY", axi.bready},
             {"ARADDR", axi.araddr},
             {"ARVALID", axi.arvalid},
             {"ARREADY", axi.arready},
             {"RDATA", axi.rdata},
             {"RVALID", axi.rvalid},
             {"RREADY", axi.rready},
             {"INTERRUPT", project.control->interrupt}})
        text += cat("#define ", macro, " ", wire, "\n");
    return text;
}

/// ports.h: what a stream k does, function by function.
std::string portsText(const Project& project) {
    std::string source, ready, sink, valid, last, data, bytes;
    int sources = 0, k = 0;
    for (const ProjectStream& s : project.streams) {
        const std::string when = cat("if (k == ", k++, ") ");
        const int width = s.tdataBits / 8;
        bytes += cat(width, ", ");
        sources += s.isInput ? 1 : 0;
        if (s.isInput) {
            source += cat(when, "{ d.", s.port.tvalid, " = valid; d.", s.port.tlast,
                          " = last; if (valid) std::memcpy(&d.", s.port.tdata, ", from, ", width,
                          "); }\n");
            ready += cat(when, "return d.", s.port.tready, ";\n");
        } else {
            sink += cat(when, "d.", s.port.tready, " = ready;\n");
            valid += cat(when, "return d.", s.port.tvalid, ";\n");
            last += cat(when, "return d.", s.port.tlast, ";\n");
            data += cat(when, "std::memcpy(to, &d.", s.port.tdata, ", ", width, ");\n");
        }
    }
    const auto function = [](const std::string& head, const std::string& body) {
        return "inline " + head + " {\n" + body + "}\n";
    };
    return cat("#pragma once\n#include \"V", project.top, ".h\"\n#include <cstring>\nusing Dut = V",
               project.top, ";\n", wireMacros(project), "constexpr int kSources = ", sources,
               ", kStreams = ", k, ";\nconstexpr std::size_t kBeatBytes[] = {", bytes, "};\n") +
           function(
               "void driveSource(Dut& d, int k, bool valid, bool last, const std::uint8_t* from)",
               source) +
           function("bool sourceReady(const Dut& d, int k)", ready + "return false;\n") +
           function("void driveSink(Dut& d, int k, bool ready)", sink) +
           function("bool sinkValid(const Dut& d, int k)", valid + "return false;\n") +
           function("bool sinkLast(const Dut& d, int k)", last + "return false;\n") +
           function("void sinkData(const Dut& d, int k, std::uint8_t* to)", data);
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
        files["ports.h"] = portsText(project);
        std::string list;
        for (const hdl::Module& module : hdl::printed(names, rtl::Vendor::Xilinx).modules) {
            files["rtl/" + module.name + ".v"] = module.verilog;
            list += "rtl/" + module.name + ".v ";
        }
        test::writeAll(folder_, files);
        const std::string own = test::sourceFolder() + "/tests/vendor/software/shell";
        for (const std::string& command : std::vector<std::string>{
                 "cd sw && gcc -std=c11 -Wall -Wextra -Werror -pedantic -O1 -I. -I" + own +
                     " -c toy.c toy_dma.c " + own + "/shell_board.c " + own + "/drive_main.c",
                 ("cd sw && gcc -std=c11 -Wall -Wextra -Werror -pedantic -O1 "
                  "-Dmain=check_main -c toy_check.c && ar rc libtoy.a *.o"),
                 "verilator --cc --exe --build -O3 -CFLAGS '-O1 -I.. -I" + own + "' --top-module " +
                     project.top + " --Mdir build -o sim " + list + own +
                     "/sim.cpp ../sw/libtoy.a"}) {
            const auto built = test::ran({"sh", "-c", command}, folder_.string());
            ASSERT_EQ(built.exitCode, 0) << command << "\n" << built.output;
        }
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
                          {"SIMULATION", folder_ / "build/sim"}};
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
