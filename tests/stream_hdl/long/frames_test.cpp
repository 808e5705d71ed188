// Whole frames in Verilator: two of 1920 × 1080 one after the other, without gaps (cycles as
// predicted) and with, every defined bit.
#include "engine/hdl/stream_export.h"
#include "tests/stream_hdl/kernel_bench.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace marquetry::testing {
namespace {

namespace fs = std::filesystem;
using spacetime::Throughput;

struct Point {
    std::string example;
    Throughput throughput;
};

class StreamFrames : public ::testing::TestWithParam<Point> {};

TEST_P(StreamFrames, AreWhatTheInterpreterSays) {
    const Point& point = GetParam();
    std::string root = (fs::temp_directory_path() / "marquetry-frames-XXXXXX").string();
    ASSERT_NE(mkdtemp(root.data()), nullptr);
    const std::string item = point.example + "_1080p";
    const ir::StreamProgram program = exampleStream(point.example, item);
    const std::string folder = root + "/export";
    const auto exported = hdl::exportStream(
        {program, designAt(program, point.throughput).circuit, "// a test\n"}, folder);
    ASSERT_TRUE(exported) << format(exported.error());
    auto opened = hdl::openStream(folder);
    ASSERT_TRUE(opened) << format(opened.error());
    const auto report =
        hdl::verifyStream(*std::move(opened), program, {hdl::Simulator::Verilator, 2, 9, true});
    ASSERT_TRUE(report) << format(report.error());
    EXPECT_TRUE(report->pass);
    EXPECT_EQ(report->mismatchCount, 0);
    EXPECT_EQ(report->cycles, std::vector<std::int64_t>(2, report->predictedCycles));
    fs::remove_all(root);
}

std::vector<Point> allPoints() {
    std::vector<Point> points;
    for (const char* image : {"conv", "convb2b", "sharpen"}) {
        for (const Throughput t :
             std::vector<Throughput>{{16, 1}, {8, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 3}})
            points.push_back({image, t});
    }
    // CAMERA's whole frames are more than the interpreter takes.
    for (const char* image : {"sobel", "tone", "box2", "gauss5"})
        points.push_back({image, {1, 1}});
    return points;
}

INSTANTIATE_TEST_SUITE_P(Points, StreamFrames, ::testing::ValuesIn(allPoints()),
                         [](const auto& point) {
                             return hdl::cat(point.param.example, "_", point.param.throughput.atoms,
                                             "_", point.param.throughput.clocks);
                         });

} // namespace
} // namespace marquetry::testing
