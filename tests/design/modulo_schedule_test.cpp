// Modulo schedules against their definition, clock by clock.
#include "engine/design/modulo_schedule.h"
#include "engine/support/rng.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace marquetry {

using design::PeriodicStep;

namespace {

/// A chain with side branches, each step read by one or two later ones.
std::vector<PeriodicStep> drawnSteps(std::uint64_t seed) {
    SplitMix64 rng(seed);
    std::vector<PeriodicStep> steps(static_cast<std::size_t>(rng.range(2, 12)));
    for (std::size_t s = 0; s < steps.size(); ++s) {
        PeriodicStep& step = steps[s];
        step.queue = static_cast<std::size_t>(rng.range(0, 2));
        step.clocks = rng.range(1, 20);
        step.places = rng.range(1, 2);
        std::set<std::size_t> after;
        if (s > 0)
            after.insert(s - 1);
        if (s > 1 && rng.range(0, 2) == 0)
            after.insert(static_cast<std::size_t>(rng.range(0, static_cast<std::int64_t>(s) - 2)));
        step.after.assign(after.begin(), after.end());
        for (const std::size_t before : after)
            steps[before].readers.push_back(s);
    }
    return steps;
}

std::int64_t mostOfAQueue(const std::vector<PeriodicStep>& steps) {
    std::map<std::size_t, std::int64_t> clocks;
    for (const PeriodicStep& step : steps)
        clocks[step.queue] += step.clocks;
    return std::ranges::max_element(clocks, {}, [](const auto& queue) { return queue.second; })
        ->second;
}

void expectSound(const std::vector<PeriodicStep>& steps, const std::vector<std::int64_t>& begins,
                 std::int64_t interval) {
    ASSERT_EQ(begins.size(), steps.size());
    std::set<std::pair<std::size_t, std::int64_t>> taken; // queue, clock of a round
    for (std::size_t s = 0; s < steps.size(); ++s) {
        for (std::int64_t clock = 0; clock < steps[s].clocks; ++clock)
            EXPECT_TRUE(taken.emplace(steps[s].queue, (begins[s] + clock) % interval).second)
                << "two steps of queue " << steps[s].queue << " at once";
        for (const std::size_t before : steps[s].after)
            EXPECT_GE(begins[s], begins[before] + steps[before].clocks);
        for (const std::size_t reader : steps[s].readers)
            EXPECT_LE(begins[reader], begins[s] + steps[s].places * interval);
    }
}

} // namespace

TEST(ModuloSchedule, KeepsWhatItSays) {
    int made = 0, tight = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const std::vector<PeriodicStep> steps = drawnSteps(seed);
        const std::int64_t least = mostOfAQueue(steps);
        for (const std::int64_t interval : {least, least * 5 / 4, 2 * least})
            for (const std::int64_t patience : {std::int64_t{0}, interval / 3, interval})
                if (const auto begins = design::moduloSchedule(steps, interval, patience)) {
                    expectSound(steps, *begins, interval);
                    ++made;
                    tight += interval == least ? 1 : 0;
                }
    }
    EXPECT_GE(made, 1000);
    EXPECT_GE(tight, 200);
}

// One round after another is always possible.
TEST(ModuloSchedule, FindsOneWhereRoundsDoNotOverlap) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const std::vector<PeriodicStep> steps = drawnSteps(seed);
        std::int64_t all = 0;
        for (const PeriodicStep& step : steps)
            all += step.clocks;
        EXPECT_TRUE(design::moduloSchedule(steps, all, 0)) << seed;
    }
}

TEST(ModuloSchedule, HasNoneWhereAQueueHasMoreToDo) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const std::vector<PeriodicStep> steps = drawnSteps(seed);
        const std::int64_t least = mostOfAQueue(steps);
        EXPECT_TRUE(least == 1 || !design::moduloSchedule(steps, least - 1, 0)) << seed;
    }
}

} // namespace marquetry
