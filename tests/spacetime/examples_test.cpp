// The example streams: every small version means what the interpreter says at every throughput,
// and whole frames keep to what the hardware is expected to need.
#include "tests/oracles/window_pixels.h"
#include "tests/spacetime/schedule_helpers.h"
#include "tests/support/effort.h"
#include "tests/support/places.h"

#include <cmath>

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
        {"unsharp", "unsharp_4x4", {{4, 1}, {2, 1}, {1, 1}, {1, 3}}},
        {"morphology", "morphology_4x4", {{4, 1}, {2, 1}, {1, 1}, {1, 3}}},
        {"luma", "luma_4x4", {{16, 1}, {4, 1}, {1, 1}, {1, 2}}},
        {"median", "median_5x6", {{6, 1}, {2, 1}, {1, 1}, {1, 2}}},
        {"blur", "blur_5x6", {{6, 1}, {2, 1}, {1, 1}, {1, 2}}},
        {"boxsums", "boxsums_5x6", {{6, 1}, {2, 1}, {1, 1}, {1, 2}}},
        {"iir", "iir_4x6", {{6, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 2}}},
        {"gamma", "gamma_4x4", {{16, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 2}}},
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

/// A pixel of a picture of 4 × 4 bytes, `up` rows above and `left` columns before pixel `at`.
std::int64_t pixel(const std::vector<std::int64_t>& picture, std::size_t at, std::size_t up,
                   std::size_t left) {
    return picture[at - 4 * up - left];
}

std::vector<std::int64_t> squareAt(const std::vector<std::int64_t>& picture, std::size_t at) {
    std::vector<std::int64_t> square;
    for (std::size_t up = 0; up < 3; ++up) {
        for (std::size_t left = 0; left < 3; ++left)
            square.push_back(pixel(picture, at, up, left));
    }
    return square;
}

TEST(StreamExamples, PicturesOfBytesAreWhatLoopsMakeOfThem) {
    SplitMix64 random(3);
    const ir::StreamProgram unsharp = example("unsharp", "unsharp_4x4");
    const ir::StreamProgram morphology = example("morphology", "morphology_4x4");
    for (int run = 0; run < 50; ++run) {
        std::vector<std::int64_t> picture;
        for (int k = 0; k < 16; ++k)
            picture.push_back(random.range(0, 2) == 0 ? 255 * random.range(0, 1)
                                                      : random.range(0, 255));
        const auto sharp = ir::evaluate(unsharp.graph, {picture}, 1)[0];
        const auto edges = ir::evaluate(morphology.graph, {picture}, 1)[0];
        for (std::size_t at = 10; at < 16; ++at) {
            const auto square = squareAt(picture, at);
            const auto [least, most] = std::ranges::minmax(square);
            EXPECT_EQ(edges[at], most - least);
            const std::int64_t weights[] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
            std::int64_t sum = 0;
            for (std::size_t k = 0; k < 9; ++k)
                sum += weights[k] * square[k];
            const std::int64_t twice =
                2 * square[4] + square[4] - sum / 16; // of what is rounded down
            EXPECT_EQ(sharp[at], std::clamp<std::int64_t>((twice + 1024) / 2 - 512, 0, 255));
        }
    }
}

TEST(StreamExamples, TablesAreTheCurvesThatTheyStandFor) {
    const auto curve = [](std::int64_t value, double most) {
        const double bright = std::pow(static_cast<double>(value) / most, 1 / 2.2);
        return static_cast<std::int64_t>(std::floor(255 * bright + 0.5));
    };
    const ir::StreamProgram gamma = example("gamma", "gamma_4x4");
    for (std::int64_t first = 0; first < 256; first += 16) {
        std::vector<std::int64_t> picture;
        for (std::int64_t k = 0; k < 16; ++k)
            picture.push_back(first + k);
        const auto found = ir::evaluate(gamma.graph, {picture}, 1)[0];
        for (std::size_t k = 0; k < 16; ++k)
            EXPECT_EQ(found[k], curve(picture[k], 255));
    }
    const ir::StreamProgram raw = example("gamma", "raw12_1080p");
    std::vector<std::int64_t> picture;
    for (std::int64_t k = 0; k < 1080 * 1920; ++k)
        picture.push_back(k % 65536);
    const auto found = ir::evaluate(raw.graph, {picture}, 1)[0];
    for (std::size_t k = 0; k < 65536; ++k)
        ASSERT_EQ(found[k], curve(std::min<std::int64_t>(picture[k], 4095), 4095)) << k;
}

TEST(StreamExamples, PicturesWithBordersAreWhatLoopsMakeOfThem) {
    SplitMix64 random(9);
    const ir::StreamProgram median = example("median", "median_5x6");
    const ir::StreamProgram blur = example("blur", "blur_5x6");
    for (int run = 0; run < 50; ++run) {
        std::vector<std::int64_t> picture;
        for (int k = 0; k < 30; ++k)
            picture.push_back(random.range(0, 255));
        const auto middles = ir::evaluate(median.graph, {picture}, 1)[0];
        const auto blurred = ir::evaluate(blur.graph, {picture}, 1)[0];
        const auto clamped = test::windowPixels(picture, {5, 6}, 3, 3, "clamp");
        const auto mirrored = test::windowPixels(picture, {5, 6}, 3, 3, "mirror");
        for (std::size_t at = 0; at < 30; ++at) {
            std::vector<std::int64_t> square;
            std::int64_t sum = 0;
            for (std::size_t k = 0; k < 9; ++k) {
                square.push_back(*clamped[9 * at + k]);
                const std::int64_t weights[] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
                sum += weights[k] * *mirrored[9 * at + k];
            }
            std::ranges::sort(square);
            EXPECT_EQ(middles[at], square[4]);
            EXPECT_EQ(blurred[at], sum / 16);
        }
    }
}

/// The sum of the 3 × 3 pixels that end at a pixel of 5 × 6.
std::int64_t boxAt(const std::vector<std::int64_t>& picture, int row, int column) {
    std::int64_t sum = 0;
    for (int y = std::max(0, row - 2); y <= row; ++y) {
        for (int x = std::max(0, column - 2); x <= column; ++x)
            sum += picture[static_cast<std::size_t>(6 * y + x)];
    }
    return sum;
}

TEST(StreamExamples, RunningSumsAndRecursiveFiltersAreWhatLoopsMakeOfThem) {
    SplitMix64 random(12);
    const ir::StreamProgram box = example("boxsums", "boxsums_5x6");
    const ir::StreamProgram iir = example("iir", "iir_4x6");
    for (int run = 0; run < 50; ++run) {
        std::vector<std::int64_t> picture;
        for (int k = 0; k < 30; ++k)
            picture.push_back(random.range(0, 2) == 0 ? 255 : random.range(0, 255));
        const auto means = ir::evaluate(box.graph, {picture}, 1)[0];
        for (int at = 0; at < 30; ++at)
            EXPECT_EQ(means[static_cast<std::size_t>(at)], boxAt(picture, at / 6, at % 6) / 9);
        picture.resize(24);
        const auto smooth = ir::evaluate(iir.graph, {picture}, 1)[0];
        std::int64_t state = 0;
        for (std::size_t at = 0; at < 24; ++at) {
            state = at % 6 == 0 ? 256 * picture[at] : state - state / 8 + 32 * picture[at];
            EXPECT_EQ(smooth[at], state / 256);
        }
    }
}

TEST(StreamExamples, LumaIsTheWeightedSum) {
    const ir::StreamProgram luma = example("luma", "luma_4x4");
    std::vector<std::int64_t> pixels;
    for (std::int64_t k = 0; k < 48; ++k)
        pixels.push_back(k < 3 ? 255 : k * 37 % 256);
    const auto found = ir::evaluate(luma.graph, {pixels}, 1)[0];
    ASSERT_EQ(found.size(), 16U);
    for (std::size_t k = 0; k < 16; ++k)
        EXPECT_EQ(found[k],
                  (77 * pixels[3 * k] + 150 * pixels[3 * k + 1] + 29 * pixels[3 * k + 2] + 128) /
                      256);
    EXPECT_EQ(found[0], 255);
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
                               {"unsharp", {1, 1}, 1},
                               {"morphology", {1, 1}, 1},
                               {"luma", {1, 1}, 0},
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
