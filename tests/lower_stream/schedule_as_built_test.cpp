// What a schedule says of its circuits: the block RAMs and DSP blocks that Yosys makes of their
// kernels, and an order by what is built.
#include "engine/frontend/parser.h"
#include "engine/lower_stream/estimate_kernel.h"
#include "engine/spacetime/area.h"
#include "tests/lower_stream/as_built_checks.h"
#include "tests/lower_stream/random_lines.h"
#include "tests/lower_stream/random_pictures.h"
#include "tests/lower_stream/random_words.h"
#include "tests/spacetime/random_streams.h"
#include "tests/spacetime/schedule_helpers.h"
#include "tests/support/cases.h"

namespace marquetry::test {
namespace {

using spacetime::kintex;

TEST(ScheduleAsBuilt, SaysTheBlocksOfExamples) {
    AsBuiltChecks checks;
    checks.add(exampleStream("conv", "conv_1080p"), {8, 1});
    checks.add(exampleStream("convb2b", "convb2b_1080p"), {4, 1});
    checks.add(exampleStream("sobel", "sobel_1080p"), {1, 3});
    checks.add(exampleStream("unsharp", "unsharp_1080p"), {2, 1});
    checks.add(exampleStream("box2", "box2_1080p"), {1, 1});
    checks.add(exampleStream("dot", "dot"), {1, 16});
    checks.add(exampleStream("matvec", "matvec"), {1, 4});
    checks.add(pixelStream("conv"), {2, 1});
    checks.add(pixelStream("median"), {1, 1});
    checks.add(pixelStream("flow"), {2, 1});
    checks.expectBlocks();
}

TEST(ScheduleAsBuilt, SaysTheBlocksOfRandomPipelines) {
    AsBuiltChecks checks;
    const auto seeds = static_cast<std::uint64_t>(test::cases(4, 12));
    for (std::uint64_t seed = 0; seed < seeds; ++seed)
        checks.add(frontend::streamOf(RandomLines(100 + seed).text()),
                   {static_cast<std::int64_t>(1 + seed % 2), 1});
    checks.expectBlocks();
}

/// Programs with several circuits within the bound of the search, and rates for them.
std::vector<std::pair<ir::StreamProgram, std::int64_t>> randomPrograms() {
    std::vector<std::pair<ir::StreamProgram, std::int64_t>> all;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const spacetime::RandomStream random(seed, 4 + static_cast<int>(seed % 4));
        all.emplace_back(frontend::streamOf(random.text()), 4 + 2 * (seed % 5));
        const RandomPictures pictures(seed);
        all.emplace_back(frontend::streamOf(pictures.text()), 2 * pictures.pixels());
        all.emplace_back(frontend::streamOf(RandomWords(seed).text()), 12);
    }
    return all;
}

TEST(ScheduleAsBuilt, TakesTheLeastOfWhatIsBuilt) {
    int others = 0;
    int changed = 0;
    for (const auto& [program, clocks] : randomPrograms()) {
        const auto counted = spacetime::schedule(program, clocks, kintex(), {.behind = 4});
        const auto built = hdl::scheduleAsBuilt(program, clocks, kintex());
        ASSERT_EQ(counted.has_value(), built.has_value());
        if (!counted)
            continue;
        std::vector<spacetime::StreamDesign> all = counted->front;
        all.insert(all.end(), counted->behind.begin(), counted->behind.end());
        double least = 1;
        for (const spacetime::StreamDesign& design : all) {
            expectMeaning(program, design, 5);
            const auto kernel = hdl::estimateKernel(design.circuit, kintex());
            ASSERT_TRUE(kernel);
            device::Resources area = kernel->area;
            area.lut = std::round(area.lut);
            area.ff = std::round(area.ff);
            least = std::min(least, spacetime::sumOfFractions(area, kintex()));
        }
        const spacetime::StreamDesign& first = built->schedule.front[0];
        EXPECT_NEAR(spacetime::sumOfFractions(first.area, kintex()), least, 1e-12);
        others += all.size() > 1 ? 1 : 0;
        changed += first.counted == counted->front[0].counted ? 0 : 1;
    }
    std::cout << others << " with several circuits, " << changed << " with another one\n";
    EXPECT_GT(others, 20);
    EXPECT_GT(changed, 0);
}

TEST(ScheduleAsBuilt, TheFrontHoldsNoCircuitThatAnotherReplaces) {
    for (const auto& [program, clocks] : randomPrograms()) {
        const auto built = hdl::scheduleAsBuilt(program, clocks, kintex());
        if (!built)
            continue;
        const auto& front = built->schedule.front;
        ASSERT_EQ(built->hardware.size(), front.size());
        EXPECT_TRUE(built->schedule.behind.empty());
        for (std::size_t k = 1; k < front.size(); ++k) {
            EXPECT_LE(spacetime::sumOfFractions(front[k - 1].area, kintex()),
                      spacetime::sumOfFractions(front[k].area, kintex()));
            for (std::size_t n = 0; n < k; ++n)
                EXPECT_FALSE(front[n].area.fits(front[k].area) &&
                             front[n].delay <= front[k].delay &&
                             (*built->hardware[n])->latency * (*built->hardware[n])->unit <=
                                 (*built->hardware[k])->latency * (*built->hardware[k])->unit);
        }
    }
}

TEST(ScheduleAsBuilt, ACircuitThatIsTooLargeKeepsWhatIsCounted) {
    const auto program = frontend::streamOf("stream t { input x : Seq 8192 u8; input z : Seq 8192 "
                                            "u8; output y = map2(add, x, z); }\n");
    const auto built = hdl::scheduleAsBuilt(program, 2, kintex());
    ASSERT_TRUE(built) << format(built.error());
    ASSERT_FALSE(built->hardware[0]->has_value());
    EXPECT_EQ(built->hardware[0]->error()[0].code, "too-large");
    EXPECT_EQ(built->schedule.front[0].area, built->schedule.front[0].counted);
    EXPECT_EQ(built->schedule.front[0].area.lut, 8 * 4096);
}

TEST(ScheduleAsBuilt, EndsWhenItIsStopped) {
    std::stop_source stop;
    stop.request_stop();
    const auto built =
        hdl::scheduleAsBuilt(exampleStream("conv", "conv_4x4"), 16, kintex(), {}, stop.get_token());
    ASSERT_FALSE(built);
    EXPECT_EQ(built.error()[0].code, "cancelled");
}

} // namespace
} // namespace marquetry::test
