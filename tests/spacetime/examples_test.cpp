// The example streams: every small version means what the interpreter says at every throughput,
// and whole frames keep to what the hardware is expected to need.
#include "tests/spacetime/schedule_helpers.h"
#include "tests/support/effort.h"
#include "tests/support/places.h"

namespace marquetry::spacetime {
namespace {

ir::StreamProgram example(const std::string& name, const std::string& item) {
    const std::string path =
        test::sourceFolder() + "/examples/streams/" + name + "/" + name + ".mq";
    auto parsed = frontend::parseFile(path);
    EXPECT_TRUE(parsed) << (parsed ? "" : format(parsed.error()));
    auto stream = frontend::selectStream(*std::move(parsed), item);
    EXPECT_TRUE(stream) << (stream ? "" : format(stream.error()));
    return stream ? *std::move(stream) : ir::StreamProgram();
}

StreamSchedule scheduled(const ir::StreamProgram& program, Throughput t) {
    const auto clocks = clocksFor(program, t);
    EXPECT_TRUE(clocks) << format(clocks.error());
    auto found = schedule(program, clocks ? *clocks : 1, kintex(), {});
    EXPECT_TRUE(found) << format(found.error());
    return found ? *std::move(found) : StreamSchedule();
}

TEST(StreamExamples, ASearchEndsWhenAsked) {
    const ir::StreamProgram program = example("camera", "camera_8x8");
    const auto clocks = clocksFor(program, {1, 144});
    ASSERT_TRUE(clocks);
    const auto run = [&](std::stop_token stop) {
        const auto found = schedule(program, *clocks, kintex(), {}, stop);
        EXPECT_TRUE(found || found.error()[0].code == "cancelled");
    };
    const test::Effort whole = test::effortOf([&] { run({}); });
    int stopped = 0;
    for (const double share : {0.1, 0.2, 0.3, 0.4}) {
        const auto after = test::leastEffortAfterStop(2, share * whole, run);
        if (!after)
            continue; // this thread had to wait until all was done
        ++stopped;
        std::cout << *after << " of " << whole << "\n";
        EXPECT_LT(*after, 0.3 * whole) << share << " of " << whole;
    }
    EXPECT_GT(stopped, 0);
}

struct Points {
    std::string example;
    std::string item;
    std::vector<Throughput> throughputs;
};

TEST(StreamExamples, SmallOnesMeanWhatTheyDo) {
    const std::vector<Throughput> image = {{16, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 3}};
    const std::vector<Points> all = {
        {"map", "map", {{200, 1}, {40, 1}, {4, 1}, {1, 1}, {1, 2}}},
        {"conv", "conv_4x4", image},
        {"convb2b", "convb2b_4x4", image},
        {"sharpen", "sharpen_4x4", image},
        {"camera", "camera_8x8", {{16, 1}, {4, 1}, {2, 1}, {1, 1}}},
        {"sobel", "sobel_4x4", {{16, 1}, {4, 1}, {2, 1}, {1, 1}}},
        {"gauss5", "gauss5_8x8", {{4, 1}, {2, 1}, {1, 1}}},
        {"tone", "tone_4x4", {{16, 1}, {4, 1}, {1, 1}, {1, 2}}},
        {"box2", "box2_4x4", {{4, 1}, {1, 1}, {1, 2}, {1, 4}}},
        {"dot", "dot", {{1, 1}, {1, 4}, {1, 16}, {1, 256}}},
        {"matvec", "matvec", {{1, 1}, {1, 4}, {1, 16}, {1, 64}}},
    };
    for (const Points& points : all) {
        const ir::StreamProgram program = example(points.example, points.item);
        for (const Throughput t : points.throughputs) {
            const StreamSchedule found = scheduled(program, t);
            for (const StreamDesign& design : found.front)
                expectMeaning(program, design, 7);
            ASSERT_FALSE(HasFailure()) << points.item << " at " << t.atoms << "/" << t.clocks;
        }
    }
}

TEST(StreamExamples, FramesNeedOnlyTheirLines) {
    struct Frame {
        std::string example;
        Throughput throughput;
        double blocks;
    };
    for (const Frame& frame : {Frame{"conv", {1, 1}, 4},
                               {"conv", {1, 3}, 4},
                               {"conv", {4, 1}, 4},
                               {"sharpen", {1, 1}, 4},
                               {"convb2b", {2, 1}, 6},
                               {"sobel", {1, 1}, 2},
                               {"tone", {1, 1}, 0}}) {
        const StreamSchedule found = scheduled(example(frame.example, ""), frame.throughput);
        const StreamDesign& design = found.front[0];
        EXPECT_EQ(design.area.bram, frame.blocks) << frame.example;
        EXPECT_EQ(design.area.dsp, 0) << frame.example;
        EXPECT_TRUE(check(design.circuit)) << frame.example;
    }
}

TEST(StreamExamples, SlowerIsNotLarger) {
    const ir::StreamProgram program = example("conv", "conv_1080p");
    const device::Resources full = scheduled(program, {1, 1}).front[0].area;
    EXPECT_TRUE(scheduled(program, {1, 3}).front[0].area.fits(full));
    const ir::StreamProgram sharpen = example("sharpen", "sharpen_1080p");
    const device::Resources sharp = scheduled(sharpen, {1, 1}).front[0].area;
    EXPECT_TRUE(scheduled(sharpen, {1, 3}).front[0].area.fits(sharp));
}

} // namespace
} // namespace marquetry::spacetime
