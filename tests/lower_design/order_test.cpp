// Queues of steps: what may run at once, when steps begin, and what is refused.
#include "engine/design/cycle_model.h"
#include "engine/design/frame_groups.h"
#include "engine/design/move_hardware.h"
#include "engine/design/row_step.h"
#include "engine/design/schedule_json.h"
#include "engine/design/step_name.h"
#include "engine/design/step_queues.h"
#include "engine/lower_design/lower_design.h"
#include "tests/lower_design/batches.h"
#include "tests/lower_design/external_weights.h"
#include "tests/lower_design/ordered_schedules.h"
#include "tests/lower_design/random_outside.h"
#include "tests/lower_design/test_designs.h"
#include "tests/support/cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace marquetry {

using design::Queue;
using design::Schedule;
using test::expectNoOrder;
using test::orderedSchedules;

namespace {

using Place = std::pair<std::size_t, std::int64_t>; ///< a slot and a word of it

std::set<Place> placesOf(const Schedule& schedule, design::TensorId id) {
    const design::StoredTensor& tensor = schedule.tensor(id);
    std::set<Place> places;
    for (std::int64_t word = 0; word < schedule.storedWords(id); ++word)
        places.emplace(tensor.slot.index(), schedule.addressOf(tensor, word));
    return places;
}

bool share(const std::set<Place>& a, const std::set<Place>& b) {
    return std::ranges::any_of(a, [&](const Place& place) { return b.contains(place); });
}

/// What a step uses, word by word.
struct Uses {
    std::set<Place> read, written;
    std::set<std::size_t> readPorts, writePorts;
    std::optional<design::UnitId> unit;

    Uses(const Schedule& schedule, std::size_t index) {
        const design::Step& step = schedule.steps[index];
        const auto* move = std::get_if<design::MoveStep>(&step);
        if (const auto* call = std::get_if<design::ComputeStep>(&step))
            unit = call->unit;
        else if (const auto* rows = std::get_if<design::RowStep>(&step))
            unit = rows->unit;
        else if (move != nullptr && !move->target)
            unit = move->unit; // it writes the unit's weights
        for (const design::TensorId source : design::sourcesOf(step)) {
            read.merge(placesOf(schedule, source));
            readPorts.insert(schedule.tensor(source).slot.index());
        }
        if (const auto target = design::targetOf(step)) {
            written = placesOf(schedule, *target);
            writePorts.insert(schedule.tensor(*target).slot.index());
        }
    }

    bool meets(const Uses& other) const {
        const auto ports = [](const std::set<std::size_t>& a, const std::set<std::size_t>& b) {
            return std::ranges::any_of(a, [&](std::size_t port) { return b.contains(port); });
        };
        return (unit && unit == other.unit) || ports(readPorts, other.readPorts) ||
               ports(writePorts, other.writePorts) || share(written, other.read) ||
               share(read, other.written);
    }
};

/// A machine that is moved clock by clock: what it runs ends when its clocks are over.
struct Machine {
    const Schedule& schedule;
    std::vector<std::int64_t> begins = {};
    std::int64_t total = 0;

    void run() {
        std::size_t next = 0;
        std::map<Queue, std::int64_t> left; // clocks
        const auto runs = [&] {
            return std::ranges::any_of(left, [](const auto& queue) { return queue.second > 0; });
        };
        for (; next < schedule.steps.size() || runs(); ++total) {
            const std::int64_t given =
                next < schedule.steps.size() && left[Queue::Calls] == 0 ? begin(next, left) : 0;
            for (auto& [queue, clocks] : left)
                clocks = std::max<std::int64_t>(clocks - 1, 0);
            if (given == 0)
                continue;
            const Queue queue = schedule.order[next - 1].queue;
            // In this clock a call is set up; a step of another queue is handed over.
            left[queue] = queue == Queue::Calls ? given - 1 : given;
        }
        if (schedule.order.back().queue != Queue::Calls)
            ++total; // in which the leader sees that the last one has ended
    }

    /// Clocks of the step that begins now; 0: it waits.
    std::int64_t begin(std::size_t& next, const std::map<Queue, std::int64_t>& left) {
        const design::StepOrder& order = schedule.order[next];
        for (const auto& [queue, clocks] : left)
            if (clocks > 0 && (order.says(queue) || order.queue == queue))
                return 0;
        begins.push_back(total);
        return design::cyclesAlone(schedule, schedule.steps[next++]);
    }
};

/// The first ordered schedule and step of which `wanted` is true.
std::pair<Schedule, std::size_t>
orderedWith(const std::function<bool(const Schedule&, std::size_t)>& wanted) {
    for (const Schedule& schedule : orderedSchedules())
        for (std::size_t s = 0; s < schedule.steps.size(); ++s)
            if (wanted(schedule, s))
                return {schedule, s};
    ADD_FAILURE() << "no such schedule";
    return {};
}

} // namespace

TEST(Queues, StepsMeetWhereTheirWordsOrPortsDo) {
    int meet = 0, apart = 0;
    for (const Schedule& schedule : orderedSchedules()) {
        const std::size_t steps = std::min<std::size_t>(schedule.steps.size(), 24);
        std::vector<Uses> uses;
        for (std::size_t s = 0; s < steps; ++s)
            uses.emplace_back(schedule, s);
        for (std::size_t a = 0; a < steps; ++a)
            for (std::size_t b = a + 1; b < steps; ++b) {
                const bool meets = uses[a].meets(uses[b]);
                EXPECT_EQ(design::whyNotAtOnce(schedule, a, b).has_value(), meets);
                ++(meets ? meet : apart);
            }
    }
    EXPECT_GT(meet, 500);
    EXPECT_GT(apart, 500);
}

TEST(Queues, BuiltSchedulesAreSound) {
    EXPECT_GE(orderedSchedules().size(), 30U);
    for (const Schedule& schedule : orderedSchedules()) {
        const Status sound = hdl::check(schedule);
        EXPECT_TRUE(sound) << sound.error().front().message;
    }
}

// Every await is there since two steps would meet.
TEST(Queues, RefuseWhatMeetsWithoutAnAwait) {
    int tried = 0;
    for (const Schedule& schedule : orderedSchedules())
        for (std::size_t s = 0; s + 1 < schedule.steps.size(); ++s)
            for (std::size_t k = indexOf(Queue::Transfers); k < schedule.queues(); ++k) {
                const auto queue = static_cast<Queue>(k);
                Schedule wrong = schedule;
                design::StepOrder& order = wrong.order[s];
                if (!order.says(queue) || order.queue == queue)
                    continue;
                order.forget(queue);
                ++tried;
                expectNoOrder(wrong, "does not await");
                if (tried > 400)
                    return;
            }
    EXPECT_GT(tried, 60);
}

TEST(Queues, BeginAsAMachineThatIsMovedClockByClock) {
    int compared = 0;
    for (const Schedule& schedule : orderedSchedules()) {
        if (!schedule.externals.empty())
            continue;
        Machine machine{schedule};
        machine.run();
        const design::CyclePrediction predicted = design::predictCycles(schedule);
        EXPECT_EQ(predicted.begins, machine.begins);
        EXPECT_EQ(predicted.total, machine.total);
        EXPECT_EQ(predicted.waiting, 0);
        ++compared;
    }
    EXPECT_GE(compared, 10);
}

// Steps less what hides them is all there is.
TEST(Queues, StepsAddUpToTheRun) {
    for (const Schedule& schedule : orderedSchedules()) {
        const design::CyclePrediction predicted = design::predictCycles(schedule);
        std::int64_t sum = 0;
        for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
            sum += predicted.steps[s];
            const bool last = s + 1 == schedule.steps.size();
            const std::int64_t given = schedule.order[s].queue == Queue::Calls ? 0
                                       : last ? design::kHandOver + design::kLastHandOver
                                              : design::kHandOver;
            EXPECT_LE(predicted.steps[s], predicted.waits[s] + given +
                                              design::cyclesAlone(schedule, schedule.steps[s]));
        }
        EXPECT_EQ(sum, predicted.total);
    }
}

TEST(Queues, KeepTheirOrderInFiles) {
    for (const Schedule& schedule : orderedSchedules()) {
        const auto json = design::toJson(schedule);
        const auto back = design::scheduleFromJson(nlohmann::ordered_json::parse(json.dump()));
        ASSERT_TRUE(back);
        EXPECT_EQ(back->order, schedule.order);
        EXPECT_EQ(design::toJson(*back).dump(), json.dump());
    }
    auto json = design::toJson(orderedSchedules().front());
    json["steps"][1]["awaits"] = {"calls"};
    EXPECT_FALSE(design::scheduleFromJson(json));
    json["steps"][1].erase("awaits");
    EXPECT_FALSE(design::scheduleFromJson(json));
}

namespace {

/// An earlier step runs on the unit of a call.
bool sharesUnit(const Schedule& schedule, std::size_t step) {
    for (std::size_t s = 0; s < step; ++s)
        if (const auto unit = design::unitOfStep(schedule.steps[s]);
            unit && unit == design::unitOfStep(schedule.steps[step]))
            return true;
    return false;
}

/// Of groups, in which a unit runs joined calls and others.
Schedule joinedSchedule() {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const auto groups = test::randomGroups(seed, test::GroupCalls::Joined);
        if (!groups)
            continue;
        const Schedule& schedule = groups->schedule;
        std::set<design::UnitId> joined, alone;
        for (std::size_t s = 0; s + 1 < schedule.steps.size(); ++s)
            if (std::holds_alternative<design::ComputeStep>(schedule.steps[s]) &&
                !design::isJoined(schedule, s + 1))
                (design::isJoined(schedule, s) ? joined : alone)
                    .insert(*design::unitOfStep(schedule.steps[s]));
        if (std::ranges::any_of(joined, [&](design::UnitId unit) { return alone.contains(unit); }))
            return schedule;
    }
    ADD_FAILURE() << "no such schedule";
    return {};
}

} // namespace

TEST(Queues, RefuseStepsWhereTheyCannotRun) {
    auto [schedule, step] = orderedWith([](const Schedule& s, std::size_t k) {
        return k > 0 && k + 1 < s.steps.size() && s.queues() > indexOf(Queue::Second) + 1 &&
               std::holds_alternative<design::ComputeStep>(s.steps[k]) &&
               std::holds_alternative<design::LoadStep>(s.steps[0]) && sharesUnit(s, k);
    });
    Schedule wrong = schedule;
    wrong.order[0].queue = Queue::Second;
    expectNoOrder(wrong, "cannot run beside other calls");
    wrong = schedule;
    wrong.order[step].queue =
        schedule.order[step].queue == Queue::Second ? design::queueBeside(1) : Queue::Second;
    expectNoOrder(wrong, "runs in two queues beside calls");
    wrong = joinedSchedule();
    const auto joined = std::ranges::find_if(wrong.steps, [](const design::Step& s) {
        const auto* call = std::get_if<design::ComputeStep>(&s);
        return call != nullptr && call->joinedAfter.has_value();
    });
    for (std::size_t s = 0; s < wrong.steps.size(); ++s)
        if (design::unitOfStep(wrong.steps[s]) == design::unitOfStep(*joined) &&
            !design::isJoined(wrong, s) && !design::isJoined(wrong, s + 1))
            wrong.order[s].queue = design::queueBeside(1);
    design::awaitQueues(wrong);
    expectNoOrder(wrong, "runs in two queues beside calls");
    wrong = schedule;
    wrong.order[step].queue = Queue::Transfers;
    expectNoOrder(wrong, "is no load, no store and no move between slots");
    wrong = schedule;
    wrong.order.back().forget(Queue::Transfers);
    expectNoOrder(wrong, "while others may be running");
    wrong = schedule;
    wrong.order.pop_back();
    expectNoOrder(wrong, "have a queue");
}

// Bands keep calls that wait for weights with the leader.
TEST(Queues, KeepCallsOfUnitsWithARingFromTheSecondQueue) {
    auto [schedule, step] = orderedWith(
        [](const Schedule& s, std::size_t k) { return s.order[k].queue == Queue::Second; });
    const auto& call = std::get<design::ComputeStep>(schedule.steps[step]);
    EXPECT_TRUE(design::isSecondary(schedule, call));
    schedule.units[call.unit.index()].ringWords = 64;
    EXPECT_FALSE(design::isSecondary(schedule, call));
}

// One sequencer takes the words of a ring, in their order.
TEST(Queues, RefuseRingsOfTwoQueues) {
    int refused = 0;
    for (std::uint64_t seed = 0; seed < 60 && refused < 3; ++seed) {
        auto design = test::randomGroups(seed, test::GroupCalls::InQueues);
        SplitMix64 rng(seed);
        if (!design || test::makeExternal(design->schedule, rng) == 0)
            continue;
        Schedule& schedule = design->schedule;
        ASSERT_TRUE(hdl::check(schedule));
        std::map<design::UnitId, std::size_t> first;
        for (std::size_t s = 0; s + 1 < schedule.steps.size(); ++s) {
            const auto* call = std::get_if<design::ComputeStep>(&schedule.steps[s]);
            if (call == nullptr || !call->external || !isBeside(schedule.order[s].queue) ||
                first.emplace(call->unit, s).second)
                continue;
            schedule.order[s].queue = Queue::Calls;
            design::awaitQueues(schedule);
            expectNoOrder(schedule, "has external weights, and runs in two queues");
            ++refused;
            break;
        }
    }
    EXPECT_EQ(refused, 3);
}

TEST(Queues, RefuseMoversThatChangeTheirQueue) {
    auto [schedule, step] = orderedWith([](const Schedule& s, std::size_t k) {
        const auto* load = std::get_if<design::LoadStep>(&s.steps[k]);
        return load != nullptr && load->external && s.order[k].queue == Queue::Transfers;
    });
    Schedule wrong = schedule;
    wrong.order[step].queue = Queue::Calls;
    expectNoOrder(wrong, "moves external rows while nothing else runs");
    auto [banded, second] = orderedWith([](const Schedule& s, std::size_t k) {
        const auto* load = std::get_if<design::LoadStep>(&s.steps[k]);
        const auto* first = std::get_if<design::LoadStep>(&s.steps[0]);
        return k > 0 && load != nullptr && !load->external && first != nullptr &&
               first->port == load->port && s.order[k].queue == Queue::Transfers;
    });
    wrong = banded;
    wrong.order[second].queue = Queue::Calls;
    expectNoOrder(wrong, "runs in another queue than the rows before");
}

TEST(Queues, RefuseMovesWhereTheyCannotRun) {
    const auto isMove = [](const Schedule& s, std::size_t k) {
        return std::holds_alternative<design::MoveStep>(s.steps[k]);
    };
    auto [schedule, step] = orderedWith([&](const Schedule& s, std::size_t k) {
        return isMove(s, k) &&
               std::ranges::any_of(design::movesOfMovers(s), [&](const auto& moves) {
                   return moves.size() > 1 && moves.back() == k;
               });
    });
    Schedule wrong = schedule;
    wrong.order[step].queue = Queue::Calls;
    expectNoOrder(wrong, "runs in another queue than those before");
    wrong = schedule;
    for (std::size_t s = 0; s < wrong.steps.size(); ++s)
        if (isMove(wrong, s))
            wrong.order[s].queue = Queue::Second;
    expectNoOrder(wrong, "cannot run beside other calls");
}

// ---- groups of frames

} // namespace marquetry
