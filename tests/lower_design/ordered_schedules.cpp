#include "tests/lower_design/ordered_schedules.h"

#include "engine/lower_design/lower_design.h"
#include "tests/lower_design/batches.h"
#include "tests/lower_design/random_outside.h"
#include "tests/lower_design/test_designs.h"

#include <gtest/gtest.h>

namespace marquetry::test {

using design::Schedule;

namespace {

std::vector<Schedule> drawSchedules(std::uint64_t seeds) {
    std::vector<Schedule> all;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        for (auto& design : {randomBands(seed, 1 + seed % 3), randomOutside(seed, 1 + seed % 3),
                             randomMoved(seed, true, 1 + seed % 3)})
            if (design && !design->schedule.order.empty())
                all.push_back(design->schedule);
        for (const auto calls : {GroupCalls::Alone, GroupCalls::InQueues})
            for (const auto& groups : {randomGroups(seed, calls), randomMovedGroups(seed, calls),
                                       randomRowGroups(seed, calls)})
                if (groups)
                    all.push_back(groups->schedule);
    }
    return all;
}

} // namespace

const std::vector<Schedule>& orderedSchedules() {
    static const std::vector<Schedule> all = drawSchedules(40);
    return all;
}

void expectNoOrder(const Schedule& schedule, const std::string& why) {
    const Status sound = hdl::check(schedule);
    ASSERT_FALSE(sound) << why;
    EXPECT_NE(sound.error().front().message.find(why), std::string::npos)
        << sound.error().front().message;
}

} // namespace marquetry::test
