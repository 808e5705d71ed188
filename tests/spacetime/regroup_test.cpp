// Changes of layout: delay and store against a simulation element by element.
#include "engine/spacetime/regroup.h"
#include "engine/support/rng.h"
#include "tests/spacetime/byte_type.h"
#include "tests/spacetime/two_layers.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace marquetry::spacetime {
namespace {

/// Delay and most stored elements of waves that follow each other, by looking at every clock.
RegroupingCost simulated(const SeqType& from, const SeqType& to) {
    const exhaustive::Place come = exhaustive::placeOf(from);
    const exhaustive::Place leave = exhaustive::placeOf(to);
    if (come == leave && lanes(from) == lanes(to))
        return {};
    RegroupingCost cost;
    for (std::size_t k = 0; k < come.size(); ++k)
        cost.delay = std::max(cost.delay, come[k].first + 1 - leave[k].first);
    const std::int64_t time = clocks(from);
    const std::int64_t waves = 3 + cost.delay / time;
    for (std::int64_t clock = 0; clock < waves * time; ++clock) {
        std::int64_t stored = 0;
        for (std::int64_t wave = 0; wave < waves; ++wave) {
            for (std::size_t k = 0; k < come.size(); ++k) {
                const std::int64_t in = wave * time + come[k].first;
                const std::int64_t out = wave * time + leave[k].first + cost.delay;
                stored += in <= clock && clock < out ? 1 : 0;
            }
        }
        cost.stored = std::max(cost.stored, stored);
    }
    return cost;
}

TEST(Regroup, CostIsThatOfASimulation) {
    int pairs = 0;
    for (const auto& [elements, time] : kSmallSizes) {
        const std::vector<SeqType> types = typesOf(elements, time);
        for (const SeqType& from : types) {
            for (const SeqType& to : types) {
                const RegroupingCost expected = simulated(from, to);
                const Regrouping change = withoutCommonLayers(from, to);
                const RegroupingCost cost = regroupingCost(change);
                ASSERT_EQ(regroupingDelay(from, to), expected.delay)
                    << toString(from) << " to " << toString(to);
                ASSERT_EQ(cost.stored, expected.stored) << toString(from) << " to " << toString(to);
                const RegroupingCost bound = regroupingBound(change);
                ASSERT_LE(bound.delay, expected.delay);
                ASSERT_LE(bound.stored, expected.stored);
                ++pairs;
            }
        }
    }
    EXPECT_GT(pairs, 2000);
}

/// By looking at every element.
std::int64_t delayByElements(const SeqType& from, const SeqType& to) {
    const exhaustive::Place come = exhaustive::placeOf(from);
    const exhaustive::Place leave = exhaustive::placeOf(to);
    std::int64_t delay = 0;
    for (std::size_t k = 0; k < come.size() && come != leave; ++k)
        delay = std::max(delay, come[k].first + 1 - leave[k].first);
    return delay;
}

TEST(Regroup, DelayIsThatOfTheLatestElementWhateverTheLayersDivide) {
    SplitMix64 random(7);
    int unequal = 0;
    for (const auto& [elements, time] : {std::pair<std::int64_t, std::int64_t>{60, 60},
                                         {60, 20},
                                         {90, 30},
                                         {72, 144},
                                         {210, 42}}) {
        const std::vector<SeqType> types = typesOf(elements, time);
        for (int pair = 0; pair < 1500; ++pair) {
            const auto any = [&] {
                const auto last = static_cast<std::int64_t>(types.size()) - 1;
                return types[static_cast<std::size_t>(random.range(0, last))];
            };
            const SeqType from = any();
            const SeqType to = any();
            const std::int64_t expected = delayByElements(from, to);
            ASSERT_EQ(regroupingDelay(from, to), expected)
                << toString(from) << " to " << toString(to);
            unequal += expected > 0 ? 1 : 0;
        }
    }
    EXPECT_GT(unequal, 3000);
}

TEST(Regroup, DelayOfManyElementsIsThatOfThePartThatRepeats) {
    const auto pairs = [](std::int64_t n) { return tseq(n / 2, 0, sseq(2, tseq(1, 9, kByte))); };
    const auto fives = [](std::int64_t n) { return tseq(n / 5, 0, sseq(5, tseq(1, 24, kByte))); };
    EXPECT_EQ(regroupingDelay(pairs(1'000'000'000), fives(1'000'000'000)),
              regroupingDelay(pairs(10), fives(10)));
    // Each element of one half meets one of the other: no part of the delay is that of fewer.
    const auto halves = [](std::int64_t n) { return sseq(2, tseq(n / 2, 0, kByte)); };
    const auto both = [](std::int64_t n) { return tseq(n / 2, 0, sseq(2, kByte)); };
    EXPECT_EQ(regroupingDelay(halves(1 << 30), both(1 << 30)), (1 << 28) + 1);
    EXPECT_EQ(regroupingDelay(halves(200'006), both(200'006)),
              delayByElements(halves(200'006), both(200'006)));
    EXPECT_EQ(regroupingDelay(halves(2'000'000'014), both(2'000'000'014)), std::nullopt);
}

TEST(Regroup, CommonLayersDoNotCount) {
    const SeqType from = tseq(2073600, 0, tseq(1, 2, sseq(3, kByte)));
    const SeqType to = tseq(2073600, 0, tseq(3, 0, kByte));
    const Regrouping change = withoutCommonLayers(from, to);
    EXPECT_EQ(toString(change.from), "SSeq 3 (TSeq 1 2 u8)");
    EXPECT_EQ(toString(change.to), "TSeq 3 0 u8");
    EXPECT_EQ(regroupingDelay(from, to), 1);
    EXPECT_EQ(regroupingCost(change).stored, 3);
    // Idle time at the end of the frame leaves the groups before it as they are.
    const SeqType groups = tseq(518400, 1036800, sseq(4, tseq(1, 3, kByte)));
    const SeqType single = tseq(2073600, 4147200, kByte);
    EXPECT_EQ(clocks(groups), clocks(single));
    const RegroupingCost cost = regroupingCost(withoutCommonLayers(groups, single));
    EXPECT_EQ(cost.stored, simulated(sseq(4, tseq(1, 3, kByte)), tseq(4, 0, kByte)).stored);
    EXPECT_EQ(regroupingDelay(groups, single), cost.delay);
}

TEST(Regroup, CountsBeforeAClock) {
    for (const SeqType& type : typesOf(12, 6)) {
        const exhaustive::Place place = exhaustive::placeOf(type);
        for (std::int64_t clock = 0; clock <= 6; ++clock)
            ASSERT_EQ(
                countBefore(type, clock),
                std::ranges::count_if(place, [&](const auto& slot) { return slot.first < clock; }))
                << toString(type) << " " << clock;
        EXPECT_EQ(countBefore(type, -2), countBefore(type, 4) - 12) << toString(type);
    }
}

} // namespace
} // namespace marquetry::spacetime
