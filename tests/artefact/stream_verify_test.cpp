// Exports of streams: files, simulation in both simulators, and proof that verification can fail.
#include "engine/artefact/manifest.h"
#include "engine/artefact/stream_artefact.h"
#include "engine/artefact/verify.h"
#include "engine/device/device_file.h"
#include "engine/support/process.h"
#include "tests/frontend/stream_helpers.h"
#include "tests/lower_stream/kernel_bench.h"
#include "tests/support/shared_cache.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace marquetry::test {
namespace {

namespace fs = std::filesystem;
using hdl::Simulator;
using spacetime::Throughput;

Result<hdl::ExportFolder> openedStream(const std::string& folder) {
    return hdl::readExport(folder);
}

class StreamVerify : public ::testing::Test {
protected:
    /// Traces of failing runs go to a folder of the test.
    StreamVerify() { test::useCacheFolder(folder_ / "cache"); }

    std::string exported(const std::string& name, const std::string& item, Throughput t) {
        return exported(exampleStream(name, item), t);
    }

    std::string exported(ir::StreamProgram program, Throughput t) {
        program_ = std::move(program);
        const std::string folder = folder_ / hdl::cat(program_.name, "_", t.atoms, "_", t.clocks);
        hdl::StreamExportRequest request{program_, designAt(program_, t).circuit, "// a test\n"};
        const auto report = hdl::exportArtefact(hdl::streamArtefact(request), folder);
        EXPECT_TRUE(report) << (report ? "" : format(report.error()));
        return folder;
    }

    hdl::VerifyReport verified(const std::string& folder, const hdl::VerifyParams& params) {
        const auto opened = openedStream(folder);
        EXPECT_TRUE(opened) << (opened ? "" : format(opened.error()));
        const auto report = hdl::verifyArtefact(*opened, program_, params);
        EXPECT_TRUE(report) << (report ? "" : format(report.error()));
        return report ? *report : hdl::VerifyReport();
    }

    void expectVerified(const std::string& name, const std::string& item, Throughput t,
                        const hdl::VerifyParams& params) {
        expectVerified(exampleStream(name, item), t, params);
    }

    void expectVerified(const ir::StreamProgram& program, Throughput t,
                        const hdl::VerifyParams& params) {
        SCOPED_TRACE(hdl::cat(program.name, " at ", t.atoms, "/", t.clocks));
        const hdl::VerifyReport report = verified(exported(program, t), params);
        EXPECT_TRUE(report.pass);
        EXPECT_EQ(report.mismatchCount, 0);
        EXPECT_EQ(report.cycles, std::vector<std::int64_t>(static_cast<std::size_t>(params.vectors),
                                                           report.predictedCycles));
    }

    TemporaryFolder folder_;
    ir::StreamProgram program_;
};

TEST_F(StreamVerify, FramesWithGapsAndFaultsInIcarus) {
    const hdl::VerifyParams params{Simulator::Icarus, 3, 3, true};
    expectVerified("map", "map", {4, 1}, params);
    expectVerified("conv", "conv_4x4", {1, 1}, params);
    expectVerified("conv", "conv_4x4", {1, 3}, params);
    expectVerified("conv", "conv_4x4", {4, 1}, params);
    expectVerified("box2", "box2_4x4", {1, 4}, params);
    expectVerified("dot", "dot", {1, 64}, params);
    expectVerified("camera", "camera_8x8", {1, 1}, params);
}

TEST_F(StreamVerify, PortsMayHaveTheNamesOfWires) {
    int number = 0;
    for (const std::string body : {
             "input valid : Seq 4 u8; input valid_2 : Seq 4 u8; output y = map2(add, valid, "
             "valid_2);",
             "input x : Seq 4 u8; output valid = map(fn v -> add(v, 1), x);",
             "input out : Seq 4 u8; output result = map(fn v -> add(v, 1), out);",
             "input word : Seq 4 u8; input cut : Seq 4 u8; output y = map2(sub, word, cut);",
             "input in_a : Seq 4 u8; input a_next : Seq 4 u8; output y = map2(sub, in_a, a_next);",
             "input enable : Seq 4 u8; input aclk : Seq 4 u8; output error = map2(sub, enable, "
             "aclk);",
         })
        expectVerified(frontend::streamOf(hdl::cat("stream s", number++, " { ", body, " }")),
                       {1, 2}, {Simulator::Icarus, 3, 3, true});
}

TEST_F(StreamVerify, FramesOfStreamsWithoutInputsStartWithTheReset) {
    const hdl::VerifyParams params{Simulator::Icarus, 3, 3, true};
    for (const std::int64_t clocks : {1, 3}) {
        expectVerified(
            frontend::streamOf("stream c { output y = const([1, 2, 3, 4] : Seq 4 u8); }"),
            {1, clocks}, params);
        expectVerified(frontend::streamOf("stream d { output y = map(fn v -> mul(v, v), "
                                          "counter(8, 3 : u16)); }"),
                       {1, clocks}, params);
    }
}

/// Its steps have more bits than its words, and are too many for a table.
TEST_F(StreamVerify, ACounterMayWrap) {
    const hdl::VerifyParams params{Simulator::Icarus, 2, 3, false};
    expectVerified(frontend::streamOf("stream c { output y = counter(5000, 1 : u8); }"), {1, 1},
                   params);
    expectVerified(frontend::streamOf("stream c { output y = counter(5000, 6 : i8); }"), {1, 2},
                   params);
}

TEST_F(StreamVerify, AFrameMayTakeMoreClocksThanAreSimulated) {
    const std::string folder =
        exported(frontend::streamOf("stream a { input x : Seq 4 u8; output y = map(fn v -> add(v, "
                                    "1), x); }"),
                 {1, 250'000'000'000});
    EXPECT_EQ(std::ranges::count(*test::readText(folder + "/vectors/in_x.hex"), '\n'), 4);
    EXPECT_TRUE(verified(folder, {Simulator::Icarus, 1, 1, false}).pass)
        << "its results come first";
    const auto report =
        hdl::verifyArtefact(*openedStream(folder), program_, {Simulator::Icarus, 2, 1, false});
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error()[0].code, "too-many-clocks");
}

TEST_F(StreamVerify, TimingEndsWithTheTimeAndSaysWhatItReached) {
    program_ = exampleStream("camera", "camera_8x8");
    hdl::StreamExportRequest request{program_, designAt(program_, {1, 1}).circuit, "// a test\n"};
    const auto whole = hdl::exportArtefact(hdl::streamArtefact(request), folder_ / "whole");
    ASSERT_TRUE(whole);
    EXPECT_FALSE(whole->longPath);
    request.deadline = datapath::Deadline::min();
    const auto ended = hdl::exportArtefact(hdl::streamArtefact(request), folder_ / "ended");
    ASSERT_TRUE(ended);
    ASSERT_TRUE(ended->longPath);
    EXPECT_GT(*ended->longPath, datapath::kPathLimit);
    EXPECT_TRUE(verified(folder_ / "ended", {Simulator::Icarus, 2, 1, true}).pass);
}

/// camera_8x8 misses 200 MHz on the 7 series as it is timed without a clock.
class StreamClock : public StreamVerify {
protected:
    hdl::ExportReport exportedAt(const std::string& device, double mhz) {
        program_ = exampleStream("camera", "camera_8x8");
        hdl::StreamExportRequest request{program_, designAt(program_, {1, 1}).circuit,
                                         "// a test\n"};
        request.device = *device::findDevice(device);
        request.device.clockMhz = mhz;
        const auto report = hdl::exportArtefact(hdl::streamArtefact(request), folder_ / "made");
        EXPECT_TRUE(report);
        return report ? *report : hdl::ExportReport();
    }
};

TEST_F(StreamClock, GetsTheRegistersThatItTakes) {
    const hdl::ExportReport slow = exportedAt("xc7k160t", 100);
    EXPECT_FALSE(slow.clock.missed());
    EXPECT_FALSE(slow.clock.estimate.meets(200));
    const hdl::ExportReport fast = exportedAt("xc7k160t", 200);
    EXPECT_TRUE(fast.clock.estimate.meets(200)) << fast.clock.estimate.mhz;
    EXPECT_TRUE(fast.warnings.empty());
    EXPECT_GT(fast.predictedCycles, slow.predictedCycles);
    const hdl::VerifyReport report = verified(folder_ / "made", {Simulator::Icarus, 2, 1, true});
    EXPECT_TRUE(report.pass);
    EXPECT_EQ(report.cycles, std::vector<std::int64_t>(2, fast.predictedCycles));
}

TEST_F(StreamClock, ComesNearWhatCannotBeMet) {
    const hdl::ExportReport fast = exportedAt("xc7k160t", 900);
    EXPECT_TRUE(fast.clock.missed());
    EXPECT_GT(fast.clock.estimate.mhz, 190);
    ASSERT_EQ(fast.warnings.size(), 1U);
    EXPECT_EQ(fast.warnings.front().code, "clock-not-met");
    EXPECT_NE(format(fast.warnings).find("a loop or a memory"), std::string::npos);
    EXPECT_TRUE(verified(folder_ / "made", {Simulator::Icarus, 1, 1, false}).pass);
}

TEST_F(StreamClock, IsMetOnUltraScaleAsItIs) {
    const hdl::ExportReport slow = exportedAt("zu3eg", 100);
    const hdl::ExportReport fast = exportedAt("zu3eg", 300);
    EXPECT_TRUE(fast.clock.estimate.meets(300)) << fast.clock.estimate.mhz;
    EXPECT_EQ(fast.predictedCycles, slow.predictedCycles);
}

TEST_F(StreamVerify, FramesWithGapsAndFaultsInVerilator) {
    expectVerified("sharpen", "sharpen_4x4", {1, 9}, {Simulator::Verilator, 2, 4, true});
}

TEST_F(StreamVerify, ABrokenKernelIsAMismatch) {
    const std::string folder = exported("conv", "conv_4x4", {1, 1});
    const std::string file = folder + "/rtl/conv_4x4_kernel.v";
    std::string text = *test::readText(file);
    const auto at = text.find(" + ");
    ASSERT_NE(at, std::string::npos);
    text.replace(at, 3, " - ");
    ASSERT_TRUE(test::writeText(file, text));
    ASSERT_FALSE(openedStream(folder)) << "the manifest names the file";
    hdl::ExportFiles files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const std::string path = fs::relative(entry.path(), folder).string();
        if (entry.is_regular_file() && path != hdl::kManifestName)
            files[path] = *test::readText(entry.path().string());
    }
    ASSERT_TRUE(test::writeText(folder + "/" + hdl::kManifestName,
                                hdl::writeManifest({"conv_4x4", "verilog"}, files)));
    const hdl::VerifyReport report = verified(folder, {Simulator::Icarus, 2, 1, false});
    EXPECT_FALSE(report.pass);
    ASSERT_FALSE(report.mismatches.empty());
    EXPECT_EQ(report.mismatches[0].output, "y");
    EXPECT_NE(report.mismatches[0].expected, report.mismatches[0].got);
    EXPECT_TRUE(fs::exists(report.trace));
}

TEST_F(StreamVerify, SameRequestSameBytesWithoutWarnings) {
    const std::string folder = exported("conv", "conv_4x4", {1, 3});
    const std::string first = *test::readText(folder + "/manifest.json");
    exported("conv", "conv_4x4", {1, 3});
    EXPECT_EQ(*test::readText(folder + "/manifest.json"), first);
    const auto lint = runProcess({{"verilator", "--lint-only", "-Wall", "--top-module",
                                   "conv_4x4_top", "conv_4x4_kernel.v", "conv_4x4_top.v"},
                                  folder + "/rtl"});
    ASSERT_TRUE(lint);
    EXPECT_EQ(lint->output, "");
}

} // namespace
} // namespace marquetry::test
