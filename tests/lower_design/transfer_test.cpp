// What may not be moved to and from external memory is refused.
#include "engine/lower_design/lower_design.h"
#include "tests/lower_design/random_outside.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace marquetry {

using design::LoadStep;
using design::Schedule;
using design::Step;
using design::StoreStep;

namespace {

bool loadsRows(const Step& step) {
    const auto* load = std::get_if<LoadStep>(&step);
    return load != nullptr && load->external;
}

bool storesRows(const Step& step) {
    const auto* store = std::get_if<StoreStep>(&step);
    return store != nullptr && store->external;
}

/// The first design whose schedule has what `wanted` asks for.
Schedule scheduleWith(const std::function<bool(const Schedule&)>& wanted) {
    for (std::uint64_t seed = 0; seed < 100; ++seed)
        if (const auto design = test::randomOutside(seed); design && wanted(design->schedule))
            return design->schedule;
    ADD_FAILURE() << "no such design";
    return {};
}

Schedule loadingSchedule() {
    return scheduleWith([](const Schedule& schedule) {
        return std::ranges::count_if(schedule.steps, loadsRows) > 2 &&
               schedule.externals.size() > 1;
    });
}

Step& firstOf(Schedule& schedule, bool (*kind)(const Step&)) {
    return *std::ranges::find_if(schedule.steps, kind);
}

void expectNotMoved(const Schedule& schedule, const std::string& message) {
    const Status status = hdl::check(schedule);
    ASSERT_FALSE(status);
    EXPECT_NE(status.error().front().message.find(message), std::string::npos)
        << status.error().front().message;
}

TEST(Transfers, OfRandomDesignsAreSound) {
    EXPECT_TRUE(hdl::check(loadingSchedule()));
}

TEST(Transfers, OfRowsThatNobodyStoredAreRefused) {
    Schedule schedule = loadingSchedule();
    std::erase_if(schedule.steps, storesRows);
    expectNotMoved(schedule, "which no step before it has stored");
}

TEST(Transfers, OfValuesWithoutAPlaceAreRefused) {
    Schedule schedule = loadingSchedule();
    Schedule none = schedule;
    none.externals.pop_back();
    expectNotMoved(none, "have no place in external memory");
    Schedule apart = schedule;
    apart.externals.back().base += 8;
    expectNotMoved(apart, "has no place");
    Schedule together = schedule;
    together.externals.back().base = together.externals.front().base;
    expectNotMoved(together, "lie in one place");
    Schedule large = schedule;
    large.externals.back().rows = std::int64_t{1} << 60;
    expectNotMoved(large, "has no place");
    schedule.externals.back().rows -= 1;
    expectNotMoved(schedule, "have no place in external memory");
}

TEST(Transfers, WithoutAPortAreRefused) {
    Schedule schedule = loadingSchedule();
    Schedule narrow = schedule;
    narrow.memory->beatBytes = 4;
    narrow.memory->bytesPerCycle = 4;
    expectNotMoved(narrow, "activations have no place in external memory");
    schedule.memory.reset();
    expectNotMoved(schedule, "no memory");
}

TEST(Transfers, OutOfOrderAreRefused) {
    Schedule schedule = scheduleWith([](const Schedule& s) {
        const auto loads = std::ranges::find_if(s.steps, [&](const Step& step) {
            return loadsRows(step) &&
                   s.tensor(std::get<LoadStep>(step).tensor).firstRow.value_or(0) > 0;
        });
        return loads != s.steps.end();
    });
    std::erase_if(schedule.steps, [&](const Step& step) {
        return loadsRows(step) &&
               schedule.tensor(std::get<LoadStep>(step).tensor).firstRow.value_or(0) == 0;
    });
    expectNotMoved(schedule, "are out of order");
}

TEST(Transfers, OfOtherElementsAreRefused) {
    Schedule schedule = loadingSchedule();
    std::get<StoreStep>(firstOf(schedule, storesRows)).type.scalar = ir::Scalar::I16;
    expectNotMoved(schedule, "is declared");
}

} // namespace

} // namespace marquetry
