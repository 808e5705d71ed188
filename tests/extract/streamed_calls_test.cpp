// The choice among many ways to stream calls, against every choice put to extraction by itself.
#include "engine/device/device_file.h"
#include "engine/egraph/saturate.h"
#include "engine/extract/extract.h"
#include "engine/support/rng.h"
#include "tests/support/programs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace marquetry {

namespace {

using extract::ExtractParams;
using extract::ExtractStatus;
using extract::StreamOption;

/// Four convolutions of eight rows: five ways each, 625 choices.
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

rules::Lowered waysSpace(const std::string& text, bool overlap = false) {
    rules::LoweringParams params;
    params.lanes = 8;
    params.streams = true;
    params.overlap = overlap;
    auto lowered = rules::lower(test::programOf(text), params);
    EXPECT_TRUE(lowered.has_value());
    egraph::saturate(*lowered->egraph, lowered->rewrites, {});
    return *std::move(lowered);
}

ExtractParams waysWithin(double dsp) {
    ExtractParams params;
    params.device = *device::findDevice("xcu250");
    params.limits = params.device.limits;
    params.limits.dsp = dsp;
    params.circuits = std::make_shared<extract::StreamCircuits>();
    params.explain = false;
    return params;
}

extract::ExtractResult runWays(const rules::Lowered& lowered, const ExtractParams& params) {
    auto result = extract::extract(lowered, params);
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().front().message);
    return result ? *std::move(result) : extract::ExtractResult{};
}

design::Pin waysPin(design::PinKind kind, const std::string& target) {
    return {0, kind, target, std::string(), true};
}

/// By call: its option, or none. All there are, the units within the limits or not.
using Choice = std::vector<std::optional<StreamOption>>;

std::vector<Choice> everyChoice(std::size_t calls, const std::vector<StreamOption>& options) {
    std::vector<Choice> choices = {Choice(calls)};
    for (const StreamOption& option : options)
        for (std::size_t k = choices.size(); k-- > 0;)
            if (!choices[k][option.call]) {
                Choice choice = choices[k];
                choice[option.call] = option;
                choices.push_back(std::move(choice));
            }
    return choices;
}

/// Pins that leave this choice and no other.
std::vector<design::Pin> pinsOf(const Choice& choice, const std::vector<StreamOption>& options) {
    std::vector<design::Pin> pins;
    for (const StreamOption& option : options)
        if (const auto& taken = choice[option.call]; !taken)
            pins.push_back(waysPin(design::PinKind::ForbidTerm, option.term));
        else if (taken->term == option.term)
            pins.push_back(waysPin(design::PinKind::ForceTerm, option.term));
    return pins;
}

/// Over all choices, each put to extraction by itself.
struct LeastOfAll {
    std::optional<std::int64_t> cycles; ///< of a design
    double bound = std::numeric_limits<double>::infinity();
};

LeastOfAll leastOfAll(const rules::Lowered& lowered, ExtractParams params) {
    const auto options =
        extract::streamOptions(lowered, params.device, *params.circuits, std::stop_token());
    LeastOfAll least;
    for (const Choice& choice : everyChoice(lowered.calls.size(), options)) {
        params.pins = pinsOf(choice, options);
        const auto result = runWays(lowered, params);
        least.bound = std::min(least.bound, result.design ? result.lowerBound : result.openBound);
        if (result.design && (!least.cycles || result.design->cycles < *least.cycles))
            least.cycles = result.design->cycles;
    }
    return least;
}

/// What may be said of a search that does not look at every choice.
void expectTrue(const extract::ExtractResult& result, const LeastOfAll& least) {
    const double bound = result.design ? result.lowerBound : result.openBound;
    EXPECT_GE(bound,
              std::min(least.bound,
                       result.design ? static_cast<double>(result.design->cycles) : least.bound));
    if (!least.cycles) {
        EXPECT_EQ(result.design, nullptr);
        return;
    }
    const auto cycles = static_cast<double>(*least.cycles);
    if (!result.design) {
        ASSERT_FALSE(result.infeasible.empty());
        EXPECT_EQ(result.infeasible.front().code, "limit-plans");
        EXPECT_LE(result.openBound, cycles);
        return;
    }
    EXPECT_LE(result.lowerBound, cycles);
    EXPECT_GE(result.design->cycles, *least.cycles);
    if (result.status == ExtractStatus::Optimal || result.gap == 0) {
        EXPECT_EQ(result.design->cycles, *least.cycles);
    }
}

} // namespace

TEST(StreamedCalls, TheFastestOfMoreThanCanBeTried) {
    const rules::Lowered lowered = waysSpace(kFour);
    for (const double dsp : {0.0, 8.0, 64.0, 12288.0}) {
        const ExtractParams params = waysWithin(dsp);
        const auto result = runWays(lowered, params);
        ASSERT_TRUE(result.design) << dsp;
        EXPECT_EQ(result.status, ExtractStatus::Optimal) << dsp;
        EXPECT_EQ(result.gap, 0) << dsp;
        EXPECT_EQ(result.design->cycles, leastOfAll(lowered, params).cycles) << dsp;
    }
}

TEST(StreamedCalls, ForcedUnitsLeaveFewChoices) {
    const rules::Lowered lowered = waysSpace(kFour);
    ExtractParams params = waysWithin(12288);
    params.pins = {waysPin(design::PinKind::ForceTerm, "Stream[d, 1]")};
    const auto one = runWays(lowered, params);
    ASSERT_TRUE(one.design);
    EXPECT_EQ(one.status, ExtractStatus::Optimal);
    for (const char* name : {"Stream[a, 1]", "Stream[b, 1]", "Stream[c, 1]"})
        params.pins.push_back(waysPin(design::PinKind::ForceTerm, name));
    const auto all = runWays(lowered, params);
    ASSERT_TRUE(all.design);
    EXPECT_EQ(all.design->units.size(), 4U);
    EXPECT_EQ(all.design->cycles, one.design->cycles);
    EXPECT_EQ(all.design->resources.dsp, 0);
    params.pins.push_back(waysPin(design::PinKind::ForceTerm, "Stream[d, 1/2]"));
    const auto none = runWays(lowered, params);
    ASSERT_FALSE(none.infeasible.empty());
    EXPECT_EQ(none.infeasible.front().code, "pin-conflict");
}

TEST(StreamedCalls, AnswersAreTrueUnderTightLimits) {
    for (const char* text : {kFour, kFourAndProduct})
        for (const bool overlap : {false, true}) {
            const rules::Lowered lowered = waysSpace(text, overlap);
            SplitMix64 rng(7);
            for (int k = 0; k < 6; ++k) {
                ExtractParams params = waysWithin(static_cast<double>(8 * rng.range(0, 3)));
                params.limits.lut = static_cast<double>(rng.range(500, 10'000));
                if (k % 2 == 1)
                    params.cyclesLimit = static_cast<double>(rng.range(300, 1200));
                SCOPED_TRACE(std::to_string(params.limits.dsp) + " DSP, " +
                             std::to_string(params.limits.lut) + " LUT");
                expectTrue(runWays(lowered, params), leastOfAll(lowered, params));
            }
        }
}

/// Calls beside a streamed one are not joined, nor those that no multiplier has room for, nor those
/// whose units do not fit side by side.
/// Of eight channels throughout: a unit of the two that kFour begins with takes two blocks, and
/// would let the first call be joined to the input within all of these limits.
TEST(StreamedCalls, TheBoundFollowsTheJoinsThatAreLeft) {
    std::string eight = kFour;
    for (const char* two : {"6, 6, 2]", "8, 1, 1, 2]"})
        eight[eight.find(two) + std::string(two).size() - 2] = '8';
    const rules::Lowered lowered = waysSpace(eight, true);
    for (const double dsp : {0.0, 7.0, 8.0}) {
        const auto result = runWays(lowered, waysWithin(dsp));
        ASSERT_TRUE(result.design) << dsp;
        EXPECT_EQ(result.status, ExtractStatus::Optimal) << dsp;
        EXPECT_EQ(result.gap, 0) << dsp;
    }
}

/// The least DSP of all choices, by the choices one by one.
TEST(StreamedCalls, TheSmallestHasStreamUnits) {
    const rules::Lowered lowered = waysSpace(kFourAndProduct);
    ExtractParams params = waysWithin(7);
    params.explain = true;
    const auto none = runWays(lowered, params);
    ASSERT_FALSE(none.design);
    ASSERT_FALSE(none.infeasible.empty());
    EXPECT_EQ(none.infeasible.front().message, "no design fits dsp=7: the smallest needs 8 DSP");
    EXPECT_EQ(leastOfAll(lowered, waysWithin(7)).cycles, std::nullopt);
    EXPECT_NE(leastOfAll(lowered, waysWithin(8)).cycles, std::nullopt);
    // The array would be wider without: with the first layer streamed it is eight columns.
    const rules::Lowered small = waysSpace(
        "design n { input x : u8[8, 1, 4] = random(seed: 60); weight w0 : u8[6, 1, 1, 4] = "
        "random(seed: 44, lo: 1, hi: 255); let c0 = relu(requant(conv(x, w0), shift: 5)); "
        "weight f : i8[3, 48] = random(seed: 4); output y = mv(f, flatten(c0)); }");
    const auto short7 = runWays(small, params);
    ASSERT_FALSE(short7.infeasible.empty());
    EXPECT_EQ(short7.infeasible.front().message, "no design fits dsp=7: the smallest needs 8 DSP");
    EXPECT_TRUE(runWays(small, waysWithin(8)).design);
}

} // namespace marquetry
