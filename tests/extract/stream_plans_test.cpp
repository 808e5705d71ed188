// The choice among many plans of streamed calls, against every plan put to extraction by itself.
#include "engine/device/device_file.h"
#include "engine/egraph/saturate.h"
#include "engine/extract/extract.h"
#include "engine/extract/stream_plans.h"
#include "engine/support/rng.h"
#include "tests/extract/params_within.h"
#include "tests/support/programs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace marquetry {

namespace {

using extract::ExtractParams;
using extract::ExtractStatus;
using extract::StreamChoices;
using extract::StreamOption;
using extract::StreamPlan;

/// Four convolutions of eight rows: five ways each, 625 plans.
constexpr const char* kFour =
    "design four { input x : i8[6, 6, 2] = random(seed: 1); weight w0 : i8[8, 1, 1, 2] = "
    "random(seed: 2); weight w1 : i8[8, 1, 1, 8] = random(seed: 3); weight w2 : i8[8, 1, 1, 8] = "
    "random(seed: 4); weight w3 : i8[8, 1, 1, 8] = random(seed: 5); "
    "let a = relu(requant(conv(x, w0), shift: 6)); let b = relu(requant(conv(a, w1), shift: 7)); "
    "let c = relu(requant(conv(b, w2), shift: 7)); "
    "output d = relu(requant(conv(c, w3), shift: 7)); }";

/// The same with a product that no stream unit computes.
constexpr const char* kFourAndProduct =
    "design five { input x : i8[6, 6, 2] = random(seed: 1); weight w0 : i8[8, 1, 1, 2] = "
    "random(seed: 2); weight w1 : i8[8, 1, 1, 8] = random(seed: 3); weight w2 : i8[8, 1, 1, 8] = "
    "random(seed: 4); weight w3 : i8[5, 1, 1, 8] = random(seed: 5); weight f : i8[3, 180] = "
    "random(seed: 6); let a = relu(requant(conv(x, w0), shift: 6)); "
    "let b = relu(requant(conv(a, w1), shift: 7)); let c = relu(requant(conv(b, w2), shift: 7)); "
    "let d = relu(requant(conv(c, w3), shift: 7)); output y = mv(f, flatten(d)); }";

rules::Lowered planSpace(const std::string& text, bool overlap = false) {
    rules::LoweringParams params;
    params.lanes = 8;
    params.streams = true;
    params.overlap = overlap;
    auto lowered = rules::lower(test::programOf(text), params);
    EXPECT_TRUE(lowered.has_value());
    egraph::saturate(*lowered->egraph, lowered->rewrites, {});
    return *std::move(lowered);
}

ExtractParams planWithin(double dsp) {
    ExtractParams params = test::paramsWithin(dsp, design::CostModel::Cycles, "xcu250");
    params.circuits = std::make_shared<extract::StreamCircuits>();
    params.explain = false;
    return params;
}

extract::ExtractResult runPlans(const rules::Lowered& lowered, const ExtractParams& params) {
    auto result = extract::extract(lowered, params);
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().front().message);
    return result ? *std::move(result) : extract::ExtractResult{};
}

design::Pin planPin(design::PinKind kind, const std::string& target) {
    return {0, kind, target, std::string(), true};
}

/// Every plan of the options, the units within the limits or not.
std::vector<StreamPlan> everyPlan(std::size_t calls, const std::vector<StreamOption>& options) {
    std::vector<StreamPlan> plans = {StreamPlan(calls, nullptr)};
    for (const StreamOption& option : options)
        for (std::size_t k = plans.size(); k-- > 0;)
            if (plans[k][option.call] == nullptr) {
                StreamPlan plan = plans[k];
                plan[option.call] = &option;
                plans.push_back(std::move(plan));
            }
    return plans;
}

/// The least cycles of a design of any plan.
std::optional<std::int64_t> leastCycles(const rules::Lowered& lowered, ExtractParams params) {
    const auto options =
        extract::streamOptions(lowered, params.device, *params.circuits, std::stop_token());
    std::optional<std::int64_t> least;
    for (const StreamPlan& plan : everyPlan(lowered.calls.size(), options)) {
        params.streamed = plan;
        const auto result = runPlans(lowered, params);
        if (result.design && (!least || result.design->cycles < *least))
            least = result.design->cycles;
    }
    return least;
}

/// What may be said of a search that does not try every plan.
void expectTrue(const extract::ExtractResult& result, const std::optional<std::int64_t>& least) {
    if (!least) {
        EXPECT_EQ(result.design, nullptr);
        return;
    }
    const auto cycles = static_cast<double>(*least);
    if (!result.design) {
        ASSERT_FALSE(result.infeasible.empty());
        EXPECT_EQ(result.infeasible.front().code, "limit-plans");
        EXPECT_LE(result.openBound, cycles);
        return;
    }
    EXPECT_LE(result.lowerBound, cycles);
    EXPECT_GE(result.design->cycles, *least);
    if (result.status == ExtractStatus::Optimal || result.gap == 0) {
        EXPECT_EQ(result.design->cycles, *least);
    }
}

std::vector<StreamChoices> choicesOf(std::size_t calls, const std::vector<StreamOption>& options) {
    std::vector<StreamChoices> choices(calls);
    for (const StreamOption& option : options)
        choices[option.call].options.push_back(&option);
    return choices;
}

double cyclesOf(const StreamPlan& plan, const std::vector<StreamChoices>& choices) {
    double sum = 0;
    for (std::size_t c = 0; c < plan.size(); ++c)
        sum += plan[c] ? static_cast<double>(plan[c]->cycles) : choices[c].own;
    return sum;
}

std::vector<StreamOption> randomOptions(SplitMix64& rng, std::size_t calls) {
    std::vector<StreamOption> options;
    for (std::size_t c = 0; c < calls; ++c)
        for (int k = 0; k < 3; ++k) {
            StreamOption option;
            option.call = c;
            option.cycles = (k + 1) * rng.range(20, 60);
            option.resources.lut = static_cast<double>(rng.range(100, 400)) / (k + 1);
            option.resources.ff = static_cast<double>(rng.range(100, 400)) / (k + 1);
            options.push_back(option);
        }
    return options;
}

} // namespace

TEST(StreamPlans, TheFastestOfMoreThanCanBeTried) {
    const rules::Lowered lowered = planSpace(kFour);
    for (const double dsp : {0.0, 8.0, 64.0, 12288.0}) {
        const ExtractParams params = planWithin(dsp);
        const auto result = runPlans(lowered, params);
        ASSERT_TRUE(result.design) << dsp;
        EXPECT_EQ(result.status, ExtractStatus::Optimal) << dsp;
        EXPECT_EQ(result.gap, 0) << dsp;
        EXPECT_EQ(result.design->cycles, leastCycles(lowered, params)) << dsp;
    }
}

TEST(StreamPlans, ForcedUnitsLeaveFewPlans) {
    const rules::Lowered lowered = planSpace(kFour);
    ExtractParams params = planWithin(12288);
    params.pins = {planPin(design::PinKind::ForceTerm, "Stream[d, 1]")};
    const auto one = runPlans(lowered, params);
    ASSERT_TRUE(one.design);
    EXPECT_EQ(one.status, ExtractStatus::Optimal);
    for (const char* name : {"Stream[a, 1]", "Stream[b, 1]", "Stream[c, 1]"})
        params.pins.push_back(planPin(design::PinKind::ForceTerm, name));
    const auto all = runPlans(lowered, params);
    ASSERT_TRUE(all.design);
    EXPECT_EQ(all.design->units.size(), 4U);
    EXPECT_EQ(all.design->cycles, one.design->cycles);
    EXPECT_EQ(all.design->resources.dsp, 0);
    params.pins.push_back(planPin(design::PinKind::ForceTerm, "Stream[d, 1/2]"));
    const auto none = runPlans(lowered, params);
    ASSERT_FALSE(none.infeasible.empty());
    EXPECT_EQ(none.infeasible.front().code, "pin-conflict");
}

TEST(StreamPlans, AnswersAreTrueUnderTightLimits) {
    for (const char* text : {kFour, kFourAndProduct})
        for (const bool overlap : {false, true}) {
            const rules::Lowered lowered = planSpace(text, overlap);
            SplitMix64 rng(7);
            for (int k = 0; k < 6; ++k) {
                ExtractParams params = planWithin(static_cast<double>(8 * rng.range(0, 3)));
                params.limits.lut = static_cast<double>(rng.range(500, 10'000));
                if (k % 2 == 1)
                    params.cyclesLimit = static_cast<double>(rng.range(300, 1200));
                SCOPED_TRACE(std::to_string(params.limits.dsp) + " DSP, " +
                             std::to_string(params.limits.lut) + " LUT");
                expectTrue(runPlans(lowered, params), leastCycles(lowered, params));
            }
        }
}

TEST(StreamPlans, WhatIsLeftOutIsNoFaster) {
    SplitMix64 rng(11);
    for (int round = 0; round < 20; ++round) {
        const std::vector<StreamOption> options = randomOptions(rng, 5);
        auto choices = choicesOf(5, options);
        for (StreamChoices& call : choices)
            call.own = rng.range(0, 4) == 0 ? std::numeric_limits<double>::infinity()
                                            : static_cast<double>(rng.range(20, 200));
        device::Resources limits{0, static_cast<double>(rng.range(200, 2000)), 1500, 0};
        const auto listed = extract::fastestStreamPlans(choices, limits);
        EXPECT_LE(listed.plans.size(), extract::kMaxStreamPlans);
        std::size_t possible = 0;
        for (const StreamPlan& plan : everyPlan(5, options)) {
            const double cycles = cyclesOf(plan, choices);
            if (std::isinf(cycles) || !extract::streamResources(plan).fits(limits))
                continue;
            ++possible;
            if (std::ranges::find(listed.plans, plan) == listed.plans.end()) {
                EXPECT_GE(cycles, listed.open);
            }
        }
        if (listed.complete()) {
            EXPECT_EQ(listed.plans.size(), possible);
        }
    }
}

TEST(StreamPlans, TheLargestHoldEveryOther) {
    SplitMix64 rng(13);
    for (int round = 0; round < 20; ++round) {
        const std::vector<StreamOption> options = randomOptions(rng, 5);
        device::Resources limits{0, static_cast<double>(rng.range(50, 800)), 600, 0};
        const auto listed = extract::largestStreamPlans(choicesOf(5, options), limits);
        ASSERT_TRUE(listed.complete());
        for (const StreamPlan& plan : everyPlan(5, options)) {
            if (!extract::streamResources(plan).fits(limits))
                continue;
            EXPECT_TRUE(std::ranges::any_of(listed.plans, [&](const StreamPlan& larger) {
                for (std::size_t c = 0; c < plan.size(); ++c)
                    if (plan[c] && !larger[c])
                        return false;
                return true;
            }));
        }
    }
}

/// The least DSP of all plans, by the plans one by one.
TEST(StreamPlans, TheSmallestHasStreamUnits) {
    const rules::Lowered lowered = planSpace(kFourAndProduct);
    ExtractParams params = planWithin(7);
    params.explain = true;
    const auto none = runPlans(lowered, params);
    ASSERT_FALSE(none.design);
    ASSERT_FALSE(none.infeasible.empty());
    EXPECT_EQ(none.infeasible.front().message, "no design fits dsp=7: the smallest needs 8 DSP");
    EXPECT_EQ(leastCycles(lowered, planWithin(7)), std::nullopt);
    EXPECT_NE(leastCycles(lowered, planWithin(8)), std::nullopt);
    // The array would be wider without: with the first layer streamed it is eight columns.
    const rules::Lowered small = planSpace(
        "design n { input x : u8[8, 1, 4] = random(seed: 60); weight w0 : u8[6, 1, 1, 4] = "
        "random(seed: 44, lo: 1, hi: 255); let c0 = relu(requant(conv(x, w0), shift: 5)); "
        "weight f : i8[3, 48] = random(seed: 4); output y = mv(f, flatten(c0)); }");
    const auto short7 = runPlans(small, params);
    ASSERT_FALSE(short7.infeasible.empty());
    EXPECT_EQ(short7.infeasible.front().message, "no design fits dsp=7: the smallest needs 8 DSP");
    EXPECT_TRUE(runPlans(small, planWithin(8)).design);
}

} // namespace marquetry
