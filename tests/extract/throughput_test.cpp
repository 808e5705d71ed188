// Runs of several frames: their cycles, what the search chooses, and what it says of that.
#include "engine/design/batch.h"
#include "engine/design/cycle_model.h"
#include "engine/egraph/saturate.h"
#include "engine/extract/throughput.h"
#include "engine/lower_design/lower_design.h"
#include "tests/extract/params_within.h"
#include "tests/support/programs.h"

#include <gtest/gtest.h>

namespace marquetry {

namespace {

rules::Lowered wholeSpace(const std::string& text, bool overlap = false) {
    rules::LoweringParams params;
    params.lanes = 8;
    params.externalMemory = true;
    params.overlap = overlap;
    auto lowered = rules::lower(test::programOf(text), params);
    EXPECT_TRUE(lowered.has_value());
    egraph::saturate(*lowered->egraph, lowered->rewrites, {});
    return *std::move(lowered);
}

extract::ExtractParams within(double dsp, double bram, std::optional<std::int64_t> frames) {
    extract::ExtractParams params = test::paramsWithin(dsp, design::CostModel::Cycles, "xc7z020");
    params.limits.bram = bram;
    params.frames = frames;
    params.explain = false;
    return params;
}

extract::ExtractResult found(const rules::Lowered& lowered, const extract::ExtractParams& params) {
    auto result = extract::extract(lowered, params);
    EXPECT_TRUE(result.has_value());
    return *std::move(result);
}

/// Its second layer's weights take more block RAM than `kFew`, its first ones compute long enough
/// to read them.
constexpr const char* kManyWeights = R"(design d {
  input  x  : i8[8, 8, 8] = random(seed: 1);
  weight w0 : i8[8, 3, 3, 8] = random(seed: 2);
  weight w1 : i8[512, 512] = random(seed: 3);
  let    a  = relu(requant(conv(x, w0, pad: 1), shift: 8));
  output y  = mv(w1, flatten(a));
})";
constexpr double kFew = 10;

} // namespace

// A run's clocks that no frame repeats are those of its set-ups and drains, and waits.
TEST(Throughput, FramesTakeTheirClocksAndShareTheRest) {
    int designs = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const rules::Lowered lowered = wholeSpace(test::randomProgramText(seed, {3, 6, 9}));
        if (!design::whyOneFrame(*lowered.program, lowered.plan).empty())
            continue;
        const auto one = found(lowered, within(32, 140, 1));
        const auto four = found(lowered, within(32, 140, 4));
        ASSERT_EQ(one.design == nullptr, four.design == nullptr);
        if (!one.design)
            continue;
        ++designs;
        EXPECT_EQ(four.design->frames, 4);
        EXPECT_EQ(four.design->macs, one.design->macs);
        EXPECT_LE(four.design->cycles, 4 * one.design->cycles) << seed;
        EXPECT_GT(four.design->cycles, one.design->cycles);
        if (!four.design->schedule)
            continue;
        EXPECT_EQ(four.design->schedule->frames, 4);
        EXPECT_EQ(design::predictCycles(*four.design->schedule).total, four.design->cycles);
        EXPECT_LE(four.lowerBound, static_cast<double>(four.design->cycles));
    }
    EXPECT_GE(designs, 25);
}

TEST(Throughput, OptimalRunsOfFramesAreNoSlowerThanAnyOtherThatIsFound) {
    const rules::Lowered lowered = wholeSpace(test::meetingProgramText(3));
    const auto best = found(lowered, within(24, 140, 3));
    ASSERT_TRUE(best.design);
    EXPECT_EQ(best.status, extract::ExtractStatus::Optimal);
    for (const design::DesignPoint& point : best.points)
        if (point.feasible) {
            EXPECT_EQ(point.frames, 3);
            EXPECT_LE(best.design->cycles, point.cycles);
        }
}

// Weights that have no room are read once a run.
TEST(Throughput, ChoosesFramesThatShareExternalWeights) {
    const rules::Lowered lowered = wholeSpace(kManyWeights);
    const auto latency = found(lowered, within(16, kFew, std::nullopt));
    ASSERT_TRUE(latency.design);
    EXPECT_EQ(latency.design->frames, 1);
    extract::ExtractParams params = within(16, kFew, std::nullopt);
    params.objective = extract::Objective::Throughput;
    params.explain = true;
    const auto best = found(lowered, params);
    ASSERT_TRUE(best.design);
    EXPECT_GT(best.design->frames, 1);
    EXPECT_LE(best.design->resources.bram, kFew);
    EXPECT_LT(best.design->cyclesPerFrame(), 0.9 * latency.design->cyclesPerFrame());
    EXPECT_FALSE(best.design->units.front().why.terms.empty());
    EXPECT_NE(best.status, extract::ExtractStatus::Optimal);
    // No number of frames that is tried is better.
    for (std::int64_t frames = 1; frames <= 64; frames *= 2) {
        const auto other = found(lowered, within(16, kFew, frames));
        if (!other.design)
            continue;
        EXPECT_LE(best.design->cyclesPerFrame() * (1 - 2 * extract::kLeastGain),
                  other.design->cyclesPerFrame())
            << frames;
    }
    std::set<std::int64_t> tried;
    for (const design::DesignPoint& point : best.points)
        tried.insert(point.frames);
    EXPECT_TRUE(tried.contains(1) && tried.contains(best.design->frames));
}

// Each group of frames reads them again, while units compute side by side.
TEST(Throughput, GroupsOfFramesReadExternalWeights) {
    const rules::Lowered apart = wholeSpace(kManyWeights),
                         together = wholeSpace(kManyWeights, true);
    extract::ExtractParams params = within(24, kFew, 64);
    params.objective = extract::Objective::Throughput;
    const auto one = found(apart, params), groups = found(together, params);
    ASSERT_TRUE(one.design && groups.design);
    const design::Schedule& schedule = *groups.design->schedule;
    EXPECT_GT(schedule.groups, 1);
    EXPECT_TRUE(schedule.memory.has_value());
    EXPECT_LT(groups.design->cycles, one.design->cycles);
    EXPECT_LE(groups.design->resources.bram, kFew);
    EXPECT_TRUE(hdl::check(schedule).has_value());
    EXPECT_EQ(design::predictCycles(schedule).total, groups.design->cycles);
    EXPECT_LE(groups.lowerBound, static_cast<double>(groups.design->cycles));
}

TEST(Throughput, PointsAreFoundAgainWithTheirFrames) {
    const rules::Lowered lowered = wholeSpace(kManyWeights);
    extract::ExtractParams params = within(16, kFew, std::nullopt);
    params.objective = extract::Objective::Throughput;
    const auto best = found(lowered, params);
    for (const design::DesignPoint& point : best.points) {
        if (!point.onFront)
            continue;
        params.objective = extract::Objective::Latency;
        const auto again = extract::extractPoint(lowered, params, point);
        ASSERT_TRUE(again.has_value());
        EXPECT_EQ((*again)->frames, point.frames);
        EXPECT_EQ((*again)->cycles, point.cycles);
        EXPECT_EQ((*again)->resources, point.resources);
    }
}

// Stencils read a stored tensor word by word, too, and a constant may be stored for each reader.
TEST(Throughput, RunsOfFramesCanBeBuiltWhereTheyAreOffered) {
    int designs = 0;
    for (const char* text : {R"(design d {
  input  x : i8[6, 40] = random(seed: 1);
  weight k : i8[3] = random(seed: 2);
  output y = conv1d_w(x, k, pad: 1);
})",
                             R"(design d {
  input  x : i8[4, 16] = random(seed: 1);
  weight w : i8[4, 16] = random(seed: 2);
  let    a = concat(x, w, axis: 0);
  output y = concat(a, w, axis: 0);
})",
                             R"(design d {
  input  x : i8[2, 4, 16] = random(seed: 1);
  weight w : i8[2, 8, 16] = random(seed: 2);
  output y = bmm(x, w);
})"}) {
        const rules::Lowered lowered = wholeSpace(text);
        const auto two = extract::extract(lowered, within(32, 140, 2));
        const std::string why = design::whyOneFrame(*lowered.program, lowered.plan);
        EXPECT_EQ(two.has_value(), why.empty()) << text;
        if (!two || !(*two).design || !(*two).design->schedule)
            continue;
        ++designs;
        const Status built = hdl::check(*(*two).design->schedule);
        EXPECT_TRUE(built.has_value()) << text << format(built.error());
    }
    EXPECT_GE(designs, 2);
}

// Tensors of a frame that take the place of weights, or one row for all.
namespace {

/// Calls of two queues, whose activations take far more memory than their weights.
constexpr const char* kManyActivations = R"(design d {
  input  x  : i8[16, 16, 32] = random(seed: 1);
  weight d0 : i8[32, 3, 3] = random(seed: 2);
  weight p0 : i8[32, 1, 1, 32] = random(seed: 3);
  weight d1 : i8[32, 3, 3] = random(seed: 4);
  weight p1 : i8[32, 1, 1, 32] = random(seed: 5);
  let    a  = relu(requant(dwconv(x, d0, pad: 1), shift: 6));
  let    b  = relu(requant(conv(a, p0), shift: 8));
  let    c  = relu(requant(dwconv(b, d1, pad: 1), shift: 6));
  output y  = relu(requant(conv(c, p1), shift: 8));
})";

} // namespace

// Of many frames in flight no more are stored than of a few.
TEST(Throughput, FramesInFlightTakeTheMemoryOfAFew) {
    const rules::Lowered lowered = wholeSpace(kManyActivations, true);
    // 8 kB a frame in two tensors at least: 32 of them as one group take 110 blocks and more.
    const auto many = found(lowered, within(64, 50, 32));
    ASSERT_TRUE(many.design && many.design->schedule);
    EXPECT_GT(many.design->schedule->groups, 1);
    const Status sound = hdl::check(*many.design->schedule);
    EXPECT_TRUE(sound) << sound.error().front().message;
    EXPECT_EQ(design::predictCycles(*many.design->schedule).total, many.design->cycles);
    EXPECT_LE(many.lowerBound, static_cast<double>(many.design->cycles));
    EXPECT_LE(many.design->resources.bram, 50);
    EXPECT_EQ(found(wholeSpace(kManyActivations, false), within(64, 50, 32)).design, nullptr);
}

// All groups are alike, so that the sum of a call is one term however many there are.
TEST(Throughput, CyclesOfGroupsAreOneTermTimesTheGroups) {
    const auto many = found(wholeSpace(kManyActivations, true), within(64, 50, 32));
    ASSERT_TRUE(many.design && many.design->schedule);
    const std::string times =
        std::to_string(many.design->schedule->groups) + " groups × (set-up 1 +";
    std::size_t calls = 0;
    for (const design::CostTerm& term : many.design->terms) {
        if (!term.name.starts_with("call "))
            continue;
        ++calls;
        EXPECT_TRUE(term.formula.starts_with(times)) << term.formula;
        EXPECT_EQ(term.formula.rfind("set-up"), term.formula.find("set-up")) << term.formula;
    }
    EXPECT_EQ(calls, many.design->calls.size());
}

// Copies of slots and tables of steps are area.
TEST(Throughput, FramesAreInOneGroupWhereAreaCounts) {
    extract::ExtractParams params = within(64, 1000, 8);
    params.objective = design::Objective::Area;
    const auto least = found(wholeSpace(kManyActivations, true), params);
    ASSERT_TRUE(least.design && least.design->schedule);
    EXPECT_EQ(least.design->schedule->groups, 1);
}

TEST(Throughput, ProgramsThatTakeOneFrameSaySo) {
    for (const char* text : {R"(design d {
  input  a : i8[8, 16] = random(seed: 1);
  input  b : i8[8, 16] = random(seed: 2);
  output y = mm(a, b);
})",
                             R"(design d {
  input  a : i8[6, 8] = random(seed: 1);
  input  b : i8[8] = random(seed: 2);
  output y = add(a, b);
})"}) {
        const rules::Lowered lowered = wholeSpace(text);
        EXPECT_FALSE(design::whyOneFrame(*lowered.program, lowered.plan).empty()) << text;
        const auto refused = extract::extract(lowered, within(16, 140, 2));
        ASSERT_FALSE(refused.has_value());
        EXPECT_EQ(refused.error().front().code, "batch-one");
        extract::ExtractParams params = within(16, 140, std::nullopt);
        params.objective = extract::Objective::Throughput;
        const auto best = found(lowered, params);
        ASSERT_TRUE(best.design);
        EXPECT_EQ(best.design->frames, 1);
    }
}

namespace {

/// A softmax, and a product of two tensors: steps take one frame.
constexpr const char* kOneByOne = R"(design d {
  input  a : i8[6, 8] = random(seed: 1);
  input  b : i8[2, 4, 8] = random(seed: 2);
  weight v : i8[8, 8] = random(seed: 3);
  weight w : i8[8, 8] = random(seed: 4);
  let    q = requant(mm(requant(mm(a, v), shift: 7), w), shift: 7);
  let    s = reshape(softmax(q), dims: [2, 3, 8]);
  output y = reshape(requant(bmm(s, b), shift: 8), dims: [6, 4]);
})";

} // namespace

TEST(Throughput, FramesThatComeOneByOneAreInFlight) {
    const rules::Lowered lowered = wholeSpace(kOneByOne, true);
    ASSERT_FALSE(design::whyOneFrame(*lowered.program, lowered.plan).empty());
    const auto one = found(lowered, within(64, 140, 1));
    ASSERT_TRUE(one.design);
    for (const auto objective : {extract::Objective::Latency, extract::Objective::Area}) {
        extract::ExtractParams params = within(64, 140, 6);
        params.objective = objective;
        const auto six = found(lowered, params);
        ASSERT_TRUE(six.design && six.design->schedule);
        EXPECT_EQ(six.design->schedule->groups, 6);
        EXPECT_EQ(six.design->schedule->frames, 6);
        EXPECT_TRUE(hdl::check(*six.design->schedule).has_value());
        EXPECT_EQ(design::predictCycles(*six.design->schedule).total, six.design->cycles);
        EXPECT_LE(six.lowerBound, static_cast<double>(six.design->cycles));
        EXPECT_LT(six.design->cycles, 6 * one.design->cycles);
        EXPECT_GT(six.lowerBound, 6 * cost::rowCycles({cost::RowFunction::Softmax, 5, 8, 8}))
            << "one unit computes the softmax of all frames";
    }
    extract::ExtractParams params = within(64, 140, std::nullopt);
    params.objective = extract::Objective::Throughput;
    const auto best = found(lowered, params);
    ASSERT_TRUE(best.design && best.design->schedule);
    EXPECT_GT(best.design->frames, 8);
    EXPECT_EQ(best.design->schedule->groups, best.design->frames);
    EXPECT_LT(best.design->cyclesPerFrame(), 0.6 * static_cast<double>(one.design->cycles));
}

TEST(Throughput, NoRoomInFlightIsSaid) {
    extract::ExtractParams params = within(64, 0, 4);
    params.limits.lut = 2'000;
    params.explain = true;
    const auto none = found(wholeSpace(kOneByOne, true), params);
    ASSERT_FALSE(none.design);
    ASSERT_FALSE(none.infeasible.empty());
    EXPECT_EQ(none.infeasible.front().code, "limit-bram");
    EXPECT_EQ(none.infeasible.front().message.find("needs 0"), std::string::npos)
        << none.infeasible.front().message;
}

// Groups share the weights of a call, and each batch of a product has its own.
TEST(Throughput, WeightsOfBatchesAreCountedInFlight) {
    const rules::Lowered lowered = wholeSpace(R"(design d {
  input  x : i8[4, 4, 16] = random(seed: 1);
  weight u : i8[16, 1, 1, 16] = random(seed: 2);
  weight v : i8[32, 1, 1, 16] = random(seed: 3);
  weight w : i8[4, 24, 16] = random(seed: 4);
  let    a = requant(conv(requant(conv(x, u), shift: 8), v), shift: 8);
  output y = requant(bmm(reshape(a, dims: [4, 8, 16]), w), shift: 8);
})",
                                              true);
    for (const std::int64_t frames : {1, 4}) {
        const auto result = found(lowered, within(64, 140, frames));
        ASSERT_TRUE(result.design && result.design->schedule);
        EXPECT_EQ(result.design->schedule->groups, frames);
        std::int64_t built = 0, priced = 0;
        for (const design::ScheduleUnit& unit : result.design->schedule->units)
            built += unit.weightWords;
        for (const design::DesignBuffer& buffer : result.design->buffers)
            priced += buffer.weights ? buffer.words : 0;
        EXPECT_EQ(priced, built) << frames;
    }
}

TEST(Throughput, RunsOfTooManyFramesOneByOneAreRefused) {
    std::string text = "design d {\n  input a0 : i8[6, 8] = random(seed: 1);\n"
                       "  input  b : i8[8, 8] = random(seed: 2);\n"
                       "  weight w : i8[8, 8] = random(seed: 3);\n";
    constexpr int kLayers = 20;
    for (int k = 0; k < kLayers; ++k)
        text += "  let a" + std::to_string(k + 1) + " = requant(mm(a" + std::to_string(k) +
                (k % 3 < 2 ? ", w" : ", b") + "), shift: 4);\n";
    text += "  output y = a" + std::to_string(kLayers) + ";\n}";
    const rules::Lowered lowered = wholeSpace(text, true);
    const auto refused = extract::extract(lowered, within(220, 140, design::kMostFrames));
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().front().code, "batch-long");
}

TEST(Throughput, NumbersOfFramesThatAreNotToBeHadAreRefused) {
    const rules::Lowered lowered = wholeSpace(kManyWeights);
    for (const std::int64_t frames : {std::int64_t{-1}, std::int64_t{0}, design::kMostFrames + 1})
        EXPECT_FALSE(extract::extract(lowered, within(16, 140, frames)).has_value());
    extract::ExtractParams published = within(16, 140, 2);
    published.model = design::CostModel::Published;
    EXPECT_FALSE(extract::extract(lowered, published).has_value());
}

} // namespace marquetry
