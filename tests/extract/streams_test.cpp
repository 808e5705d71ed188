// Stream units in extraction: taken where they save cycles, within every limit, and what the design
// then computes.
#include "engine/design/cycle_model.h"
#include "engine/device/device_file.h"
#include "engine/egraph/saturate.h"
#include "engine/extract/extract.h"
#include "engine/extract/why_text.h"
#include "engine/ir/interpreter.h"
#include "engine/lower_design/lower_design.h"
#include "tests/extract/params_within.h"
#include "tests/oracles/simulate.h"
#include "tests/support/programs.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace marquetry {

namespace {

using extract::ExtractParams;
using extract::ExtractStatus;

constexpr const char* kTwoStreamed =
    "design two { input x : i8[10, 10, 1] = random(seed: 1); weight a : i8[4, 3, 3, 1] = "
    "random(seed: 2); weight b : i8[20, 3, 3, 4] = random(seed: 3); "
    "let c = relu(requant(conv(x, a), shift: 8)); let p = maxpool(c, size: 2, stride: 2); "
    "output y = requant(conv(p, b), shift: 9); }";

rules::Lowered streamedSpace(const std::string& text, bool streams, bool overlap = false) {
    rules::LoweringParams params;
    params.lanes = 8;
    params.overlap = overlap;
    params.streams = streams;
    auto lowered = rules::lower(test::programOf(text), params);
    EXPECT_TRUE(lowered.has_value());
    egraph::saturate(*lowered->egraph, lowered->rewrites, {});
    return *std::move(lowered);
}

ExtractParams withinDsp(double dsp, const std::string& device = "xc7k160t") {
    return test::paramsWithin(dsp, design::CostModel::Cycles, device);
}

extract::ExtractResult runStreamed(const rules::Lowered& lowered, const ExtractParams& params) {
    auto result = extract::extract(lowered, params);
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().front().message);
    return result ? *std::move(result) : extract::ExtractResult{};
}

const design::DesignUnit* streamOf(const design::Design& design) {
    const auto unit = std::ranges::find_if(design.units, &design::DesignUnit::streams);
    return unit == design.units.end() ? nullptr : &*unit;
}

/// A call of a circuit runs while one of another unit does.
bool streamsBeside(const design::Schedule& schedule, const design::CyclePrediction& run) {
    const auto unitOf = [&](std::size_t s) {
        const auto* call = std::get_if<design::ComputeStep>(&schedule.steps[s]);
        return call == nullptr ? nullptr : &schedule.unit(call->unit);
    };
    for (std::size_t a = 0; a < schedule.steps.size(); ++a)
        for (std::size_t b = 0; b < schedule.steps.size(); ++b)
            if (unitOf(a) && unitOf(a)->stream && unitOf(b) && !unitOf(b)->stream &&
                run.begins[a] < run.ends[b] && run.begins[b] < run.ends[a])
                return true;
    return false;
}

design::Pin streamPin(design::PinKind kind, const std::string& target) {
    return {0, kind, target, std::string(), true};
}

} // namespace

TEST(Streams, TakeTheCallThatGainsAndKeepTheProgram) {
    const rules::Lowered plain = streamedSpace(kTwoStreamed, false);
    const rules::Lowered lowered = streamedSpace(kTwoStreamed, true);
    const auto run0 = ir::interpret(*lowered.program, {});
    ASSERT_TRUE(run0.has_value());
    for (const double dsp : {8.0, 12.0, 16.0}) {
        const auto before = runStreamed(plain, withinDsp(dsp));
        const auto after = runStreamed(lowered, withinDsp(dsp));
        ASSERT_TRUE(before.design && after.design);
        EXPECT_EQ(after.status, ExtractStatus::Optimal) << dsp;
        const design::DesignUnit* stream = streamOf(*after.design);
        ASSERT_NE(stream, nullptr) << dsp;
        EXPECT_EQ(stream->name, "Stream[p, 1]");
        EXPECT_EQ(stream->resources.dsp, 0);
        EXPECT_FALSE(stream->shared);
        // 100 pixels instead of 64 windows of at least three words: the other call is what it was,
        // at least.
        EXPECT_LT(after.design->cycles, before.design->cycles);
        EXPECT_LE(after.design->resources.dsp, dsp);
        EXPECT_EQ(after.lowerBound, static_cast<double>(after.design->cycles));
        ASSERT_TRUE(after.design->schedule.has_value());
        EXPECT_EQ(design::predictCycles(*after.design->schedule).total, after.design->cycles);
        const auto outputs =
            design::simulate(*after.design->schedule, *lowered.program, run0->values);
        EXPECT_EQ(outputs[0], run0->values[lowered.program->outputs[0].value.index()]);
    }
}

// Of frames in flight a circuit works on one while the other unit works on another.
TEST(Streams, WorkBesideOtherUnitsInFlight) {
    const rules::Lowered plain = streamedSpace(kTwoStreamed, false, true);
    const rules::Lowered lowered = streamedSpace(kTwoStreamed, true, true);
    for (const double dsp : {8.0, 12.0, 16.0}) {
        ExtractParams params = withinDsp(dsp);
        params.frames = 16;
        params.objective = extract::Objective::Throughput;
        const auto before = runStreamed(plain, params);
        const auto after = runStreamed(lowered, params);
        ASSERT_TRUE(before.design && after.design);
        const design::DesignUnit* stream = streamOf(*after.design);
        ASSERT_NE(stream, nullptr) << dsp;
        EXPECT_LT(after.design->cycles, before.design->cycles);
        EXPECT_LE(after.lowerBound, static_cast<double>(after.design->cycles));
        ASSERT_TRUE(after.design->schedule.has_value());
        const design::Schedule& schedule = *after.design->schedule;
        EXPECT_TRUE(hdl::check(schedule).has_value());
        const design::CyclePrediction run = design::predictCycles(schedule);
        EXPECT_EQ(run.total, after.design->cycles);
        EXPECT_TRUE(streamsBeside(schedule, run)) << dsp;
        EXPECT_EQ(schedule.frames, 16);
        EXPECT_NE(stream->why.counterfactual.find("without it the best design"), std::string::npos)
            << stream->why.counterfactual;
    }
}

TEST(Streams, ArePinnedInFlight) {
    const rules::Lowered lowered = streamedSpace(kTwoStreamed, true, true);
    ExtractParams params = withinDsp(12);
    params.frames = 16;
    params.objective = extract::Objective::Throughput;
    const auto best = runStreamed(lowered, params);
    ASSERT_TRUE(best.design);
    for (const char* term : {"Stream[p, 1]", "Stream[p, 1/2]", "Stream[p, 1/4]"}) {
        params.pins = {streamPin(design::PinKind::ForceTerm, term)};
        const auto forced = runStreamed(lowered, params);
        ASSERT_TRUE(forced.design) << term;
        const design::DesignUnit* stream = streamOf(*forced.design);
        ASSERT_NE(stream, nullptr) << term;
        EXPECT_EQ(stream->name, term);
        EXPECT_GE(forced.design->cycles, best.design->cycles) << term;
    }
    params.pins = {streamPin(design::PinKind::ForbidTerm, "Stream[p, 1]"),
                   streamPin(design::PinKind::ForbidTerm, "Stream[p, 1/2]"),
                   streamPin(design::PinKind::ForbidTerm, "Stream[p, 1/4]")};
    const auto without = runStreamed(lowered, params);
    ASSERT_TRUE(without.design);
    EXPECT_EQ(streamOf(*without.design), nullptr);
    EXPECT_GT(without.design->cycles, best.design->cycles);
}

/// The choices one by one, each forced by pins.
TEST(Streams, NoChoiceIsBetter) {
    const rules::Lowered lowered = streamedSpace(kTwoStreamed, true);
    for (const double dsp : {8.0, 24.0}) {
        const auto best = runStreamed(lowered, withinDsp(dsp));
        ASSERT_TRUE(best.design);
        int choices = 0;
        std::int64_t least = best.design->cycles + 1;
        for (const char* term : {"Stream[p, 1]", "Stream[p, 1/2]", "Stream[p, 1/4]"}) {
            ExtractParams params = withinDsp(dsp);
            params.pins = {streamPin(design::PinKind::ForceTerm, term)};
            const auto forced = runStreamed(lowered, params);
            ASSERT_TRUE(forced.design) << term;
            EXPECT_EQ(streamOf(*forced.design)->name, term);
            least = std::min(least, forced.design->cycles);
            ++choices;
        }
        ExtractParams params = withinDsp(dsp);
        for (const char* term : {"Stream[p, 1]", "Stream[p, 1/2]", "Stream[p, 1/4]"})
            params.pins.push_back(streamPin(design::PinKind::ForbidTerm, term));
        const auto none = runStreamed(lowered, params);
        ASSERT_TRUE(none.design);
        EXPECT_EQ(streamOf(*none.design), nullptr);
        least = std::min(least, none.design->cycles);
        EXPECT_EQ(best.design->cycles, least);
        EXPECT_EQ(choices, 3);
    }
}

TEST(Streams, LimitsOfLogicDecide) {
    const rules::Lowered lowered = streamedSpace(kTwoStreamed, true);
    ExtractParams params = withinDsp(8);
    params.limits.bram = 1e6; // no buffer goes to LUT RAM, which it would leave for block RAM
    const auto free = runStreamed(lowered, params);
    ASSERT_TRUE(free.design && streamOf(*free.design));
    const double most = free.design->resources.lut;
    // Too few for the fastest, enough for a slower one that writes fewer rows at a time.
    params.limits.lut = most - 1;
    const auto slower = runStreamed(lowered, params);
    ASSERT_TRUE(slower.design && streamOf(*slower.design));
    EXPECT_LE(slower.design->resources.lut, params.limits.lut);
    EXPECT_GT(slower.design->cycles, free.design->cycles);
    // Too few for the unit alone: the call goes back to the array of multipliers.
    params.limits.lut = streamOf(*free.design)->resources.lut / 2;
    params.limits.ff = 1e6;
    const auto without = runStreamed(lowered, params);
    EXPECT_TRUE(!without.design || streamOf(*without.design) == nullptr);
    // Only devices with known areas have stream units.
    const auto other = runStreamed(lowered, withinDsp(16, "arria10"));
    ASSERT_TRUE(other.design);
    EXPECT_EQ(streamOf(*other.design), nullptr);
}

TEST(Streams, AreExplained) {
    const rules::Lowered lowered = streamedSpace(kTwoStreamed, true);
    const auto result = runStreamed(lowered, withinDsp(16));
    ASSERT_TRUE(result.design);
    const auto why = extract::whyText(lowered, *result.design, "Stream[p, 1]");
    ASSERT_TRUE(why.has_value());
    EXPECT_NE(why->find("R-STREAM"), std::string::npos) << *why;
    EXPECT_NE(why->find("36 products with constants as sums"), std::string::npos) << *why;
    EXPECT_NE(why->find("not shared: its weights are part of its logic"), std::string::npos)
        << *why;
    EXPECT_NE(why->find("without it the best design takes"), std::string::npos) << *why;
    const auto slower = extract::whyText(lowered, *result.design, "Stream[p, 1/4]");
    ASSERT_TRUE(slower.has_value());
    EXPECT_NE(slower->find("the best design with it takes"), std::string::npos) << *slower;
}

TEST(Streams, AreNotForTheOracleNorForOtherCosts) {
    const rules::Lowered lowered = streamedSpace(kTwoStreamed, true);
    ExtractParams params = withinDsp(16);
    params.method = extract::SearchMethod::Milp;
    const auto refused = extract::extract(lowered, params);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().front().code, "option-value");
    // A unit that serves one call cannot be shared.
    params = withinDsp(16);
    params.pins = {streamPin(design::PinKind::Share, "Stream[p, 1]")};
    const auto shared = extract::extract(lowered, params);
    EXPECT_TRUE(!shared.has_value() || !shared->design);
}

} // namespace marquetry
