// Joined calls: which pairs, what a design gains, and that it stays the program's.
#include "engine/design/join.h"
#include "engine/device/device_file.h"
#include "engine/egraph/saturate.h"
#include "engine/extract/extract.h"
#include "engine/extract/joins.h"
#include "engine/ir/interpreter.h"
#include "tests/extract/params_within.h"
#include "tests/oracles/simulate.h"
#include "tests/support/programs.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace marquetry {

namespace {

rules::Lowered overlapSpace(std::shared_ptr<const ir::Program> program, bool overlap) {
    rules::LoweringParams params;
    params.lanes = 8;
    params.overlap = overlap;
    auto lowered = rules::lower(std::move(program), params);
    EXPECT_TRUE(lowered.has_value());
    egraph::saturate(*lowered->egraph, lowered->rewrites, {});
    return *std::move(lowered);
}

extract::ExtractResult runOverlapped(const rules::Lowered& lowered, double dsp) {
    extract::ExtractParams params = test::paramsWithin(dsp);
    params.explain = false;
    auto result = extract::extract(lowered, params);
    EXPECT_TRUE(result.has_value());
    return *std::move(result);
}

std::int64_t totalOf(const std::vector<bool>& joined, const std::vector<std::int64_t>& savings) {
    std::int64_t total = 0;
    for (std::size_t k = 0; k < joined.size(); ++k)
        total += joined[k] ? savings[k] : 0;
    return total;
}

/// Of all sets of pairs that do not touch.
std::int64_t bruteBest(const std::vector<std::int64_t>& savings) {
    std::int64_t best = 0;
    for (std::uint32_t set = 0; set < (1U << savings.size()); ++set) {
        if ((set & (set >> 1U)) != 0)
            continue;
        std::int64_t total = 0;
        for (std::size_t k = 0; k < savings.size(); ++k)
            total += (set >> k & 1U) != 0 ? savings[k] : 0;
        best = std::max(best, total);
    }
    return best;
}

} // namespace

TEST(Overlap, PairsDoNotTouchAndSaveMost) {
    SplitMix64 rng(5);
    for (int round = 0; round < 500; ++round) {
        std::vector<std::int64_t> savings(static_cast<std::size_t>(rng.range(1, 12)));
        for (std::int64_t& saving : savings)
            saving = std::max<std::int64_t>(0, rng.range(-5, 20));
        const std::vector<bool> joined = extract::bestJoins(savings);
        for (std::size_t k = 1; k < joined.size(); ++k)
            EXPECT_FALSE(joined[k] && joined[k - 1]);
        EXPECT_EQ(totalOf(joined, savings), bruteBest(savings));
    }
}

// A design with overlaps takes no longer than the best without, not less than the bound, and its
// schedule computes the program.
TEST(Overlap, DesignsGainAndStayTheProgram) {
    int compared = 0, faster = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const auto program = test::programOf(test::randomProgramText(seed, {4, 7, 11}));
        if (const ir::LayerPlan plan = ir::planLayers(*program);
            !plan.unsupported.empty() || plan.firstUnbuildable() != nullptr)
            continue;
        const extract::ExtractResult apart = runOverlapped(overlapSpace(program, false), 200);
        const rules::Lowered joinable = overlapSpace(program, true);
        const extract::ExtractResult together = runOverlapped(joinable, 200);
        ASSERT_EQ(apart.design != nullptr, together.design != nullptr) << "seed " << seed;
        if (!apart.design)
            continue;
        ++compared;
        ASSERT_LE(together.design->cycles, apart.design->cycles) << "seed " << seed;
        ASSERT_LE(together.lowerBound, static_cast<double>(together.design->cycles));
        faster += together.design->cycles < apart.design->cycles;
        ASSERT_TRUE(together.design->schedule.has_value()) << "seed " << seed;
        const design::Schedule& schedule = *together.design->schedule;
        for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
            const auto* step = std::get_if<design::ComputeStep>(&schedule.steps[i]);
            EXPECT_TRUE(step == nullptr || !step->joinedAfter || design::mayOverlap(schedule, i))
                << "seed " << seed;
        }
        const auto values = ir::interpret(*program, {});
        ASSERT_TRUE(values);
        std::vector<ir::Tensor> expected;
        for (const ir::Output& output : program->outputs)
            expected.push_back(values->values[output.value.index()]);
        ASSERT_EQ(design::simulate(schedule, *program, values->values), expected)
            << "seed " << seed;
    }
    EXPECT_GT(compared, 150);
    EXPECT_GT(faster, 40);
}

TEST(Overlap, TheFirstCallMayStartWhileTheLastInputComes) {
    const auto overlapOfFirst = [](const std::string& statements) {
        const auto program =
            test::programOf("design d { input x : i8[8, 8, 8]; input z : i8[8, 8, 8];\n"
                            "weight w : i8[8, 3, 3, 8] = random(seed: 1);\n" +
                            statements + "}");
        const extract::ExtractResult result = runOverlapped(overlapSpace(program, true), 200);
        return result.design ? result.design->calls.front().overlap : -1;
    };
    EXPECT_GT(overlapOfFirst("output y = requant(conv(z, w, pad: 1), shift: 8);"), 30);
    EXPECT_GT(overlapOfFirst("output y = requant(add(conv(z, w, pad: 1), x), shift: 8);"), 30);
    EXPECT_EQ(overlapOfFirst("output y = requant(conv(x, w, pad: 1), shift: 8);"), 0)
        << "z comes last";
    EXPECT_EQ(overlapOfFirst("output y = requant(add(conv(z, w, pad: 1), z), shift: 8);"), 0)
        << "what is added may not have come";
}

// Two calls at once divide the multipliers between them.
TEST(Overlap, TheBoundKnowsThatUnitsSideBySideShareTheBlocks) {
    const auto program = test::programOf(
        "design d { input x : i8[12, 12, 8] = zeros; weight v : i8[8, 3, 3, 8] = zeros;"
        " weight w : i8[8, 3, 3, 8] = zeros; output y = conv(requant(conv(x, v, pad: 1),"
        " shift: 6), w, pad: 1); }");
    constexpr double kBlocks = 8;
    const extract::ExtractResult together = runOverlapped(overlapSpace(program, true), kBlocks);
    ASSERT_TRUE(together.design);
    const auto products =
        kBlocks * static_cast<double>(test::paramsWithin(kBlocks).device.int8ProductsPerDsp);
    EXPECT_GE(together.lowerBound, static_cast<double>(program->macs()) / products);
    EXPECT_LE(together.lowerBound, static_cast<double>(together.design->cycles));
}

TEST(Overlap, TheBoundHoldsForEveryChoiceOfUnits) {
    const auto program = test::programOf(test::vggText(3));
    const extract::ExtractResult apart = runOverlapped(overlapSpace(program, false), 512);
    const extract::ExtractResult together = runOverlapped(overlapSpace(program, true), 512);
    ASSERT_TRUE(apart.design && together.design);
    EXPECT_LT(together.lowerBound, apart.lowerBound);
    EXPECT_GT(together.lowerBound, 0);
}

} // namespace marquetry
