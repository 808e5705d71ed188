// Frames in flight, in groups, as hardware: results of every frame, and cycles.
#include "tests/artefact/queues_fixture.h"
#include "tests/lower_design/batches.h"
#include "tests/lower_design/external_weights.h"
#include "tests/support/cases.h"

#include "engine/design/cycle_model.h"
#include "engine/design/frame_groups.h"
#include "engine/design/move_hardware.h"
#include "engine/design/schedule_loop.h"
#include "engine/support/checked_math.h"

#include "engine/design/weight_traffic.h"
#include <algorithm>
#include <iostream>
#include <set>

namespace marquetry {

using hdl::Simulator;
using test::GroupCalls;
using test::TestDesign;

namespace {

class GroupsVerified : public test::QueuesTest {};

} // namespace

TEST_F(GroupsVerified, InIcarus) {
    const auto seeds = static_cast<std::uint64_t>(test::cases(4, 120));
    int designs = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed)
        if (const auto design = test::randomGroups(seed, GroupCalls::Alone)) {
            SCOPED_TRACE(seed);
            ++designs;
            expectSound(*design, {Simulator::Icarus, 2, seed, seed % 3 != 0});
        }
    EXPECT_GE(designs, test::cases(2, 60));
    EXPECT_GE(secondCalls_, test::cases(1, 8));
    EXPECT_GE(transfers_, test::cases(2, 40));
}

TEST_F(GroupsVerified, WithJoinedCalls) {
    const int wanted = test::cases(3, 24);
    constexpr std::int64_t kFewCycles = 3'000;
    int joins = 0, loops = 0;
    for (std::uint64_t seed = 0; seed < 200 && joins < wanted; ++seed)
        if (const auto design = test::randomGroups(seed, GroupCalls::Joined)) {
            const bool inRounds = design::scheduleLoop(design->schedule).has_value();
            const bool small = design::predictCycles(design->schedule).total < kFewCycles;
            if (joins + 1 == wanted && loops == 0 && !(inRounds && small))
                continue; // one of them is to have rounds
            SCOPED_TRACE(seed);
            ++joins;
            EXPECT_TRUE(std::ranges::any_of(design->schedule.steps, [](const design::Step& step) {
                const auto* call = std::get_if<design::ComputeStep>(&step);
                return call != nullptr && call->joinedAfter.has_value();
            }));
            expectSound(*design, {Simulator::Icarus, 2, seed, seed % 3 != 0});
            loops += inRounds ? 1 : 0;
        }
    EXPECT_GE(loops, 1);
    EXPECT_EQ(joins, wanted);
    EXPECT_GE(transfers_, 1);
}

namespace {

/// Calls of units of products that run while one of another such unit does.
std::int64_t productsAtOnce(const design::Schedule& schedule) {
    const design::CyclePrediction run = design::predictCycles(schedule);
    const auto multiplies = [&](std::size_t s) {
        const auto* call = std::get_if<design::ComputeStep>(&schedule.steps[s]);
        return call != nullptr && !schedule.unit(call->unit).pass &&
               !schedule.unit(call->unit).lanewise();
    };
    std::int64_t pairs = 0;
    for (std::size_t a = 0; a < schedule.steps.size(); ++a)
        for (std::size_t b = a + 1; b < schedule.steps.size(); ++b)
            pairs += multiplies(a) && multiplies(b) && run.begins[b] < run.ends[a] &&
                     run.begins[a] < run.ends[b];
    return pairs;
}

} // namespace

namespace {

/// A call of the stream unit runs while one of another unit does.
bool streamsBeside(const design::Schedule& schedule) {
    const design::CyclePrediction run = design::predictCycles(schedule);
    const auto streams = [&](std::size_t s) {
        const auto* call = std::get_if<design::ComputeStep>(&schedule.steps[s]);
        return call != nullptr && schedule.unit(call->unit).stream.has_value();
    };
    for (std::size_t a = 0; a < schedule.steps.size(); ++a)
        for (std::size_t b = 0; b < schedule.steps.size(); ++b) {
            const auto* other = std::get_if<design::ComputeStep>(&schedule.steps[b]);
            if (streams(a) && other != nullptr && !streams(b) && run.begins[b] < run.ends[a] &&
                run.begins[a] < run.ends[b])
                return true;
        }
    return false;
}

} // namespace

// Several units of products at once, each on a group of its own, in as many queues.
TEST_F(GroupsVerified, WithAQueueForEachUnit) {
    const int wanted = test::cases(5, 80);
    int designs = 0;
    std::int64_t atOnce = 0;
    std::size_t most = 0;
    int loops = 0;
    for (std::uint64_t seed = 0; seed < 300 && designs < wanted; ++seed)
        if (const auto design = test::randomGroups(seed, GroupCalls::InQueues)) {
            SCOPED_TRACE(seed);
            ++designs;
            atOnce += productsAtOnce(design->schedule);
            most = std::max(most, design->schedule.queues());
            loops += design::scheduleLoop(design->schedule) ? 1 : 0;
            expectSound(*design, {Simulator::Icarus, 2, seed, seed % 3 != 0});
        }
    EXPECT_EQ(designs, wanted);
    EXPECT_GE(atOnce, wanted);
    EXPECT_GE(loops, 1);
    EXPECT_GE(most, indexOf(design::Queue::Second) + 2);
}

// A circuit works on one frame while other units work on others, in each of the forms of a group.
TEST_F(GroupsVerified, WithStreamUnits) {
    const int wanted = test::cases(6, 80);
    int designs = 0, beside = 0, loops = 0;
    for (std::uint64_t seed = 0; seed < 400 && designs < wanted; ++seed) {
        const auto calls = seed % 4 == 3 ? GroupCalls::Alone : GroupCalls::InQueues;
        const auto design = test::randomStreamGroups(seed, calls);
        if (!design || design->schedule.units.size() < 2)
            continue;
        SCOPED_TRACE(seed);
        ++designs;
        beside += streamsBeside(design->schedule) ? 1 : 0;
        loops += design::scheduleLoop(design->schedule) ? 1 : 0;
        expectSound(*design, {Simulator::Icarus, 2, seed, seed % 3 != 0});
    }
    EXPECT_EQ(designs, wanted);
    EXPECT_GE(beside, wanted / 2);
    EXPECT_GE(loops, 1);
}

// Each group reads the weights again; calls of several queues wait for theirs in one order.
TEST_F(GroupsVerified, WithExternalWeights) {
    const int wanted = test::cases(6, 80);
    constexpr double kFewClocks = 8; // of the first beats
    int designs = 0, beside = 0, several = 0;
    for (std::uint64_t seed = 0; seed < 400 && designs < wanted; ++seed) {
        auto design =
            test::randomGroups(seed, seed % 4 == 3 ? GroupCalls::Alone : GroupCalls::InQueues);
        SplitMix64 rng(seed);
        if (!design || test::makeExternal(design->schedule, rng) == 0)
            continue;
        SCOPED_TRACE(seed);
        ++designs;
        const design::Schedule& schedule = design->schedule;
        std::set<design::Queue> queues;
        for (std::size_t s = 0; s < schedule.steps.size(); ++s)
            if (const auto* call = std::get_if<design::ComputeStep>(&schedule.steps[s]);
                call != nullptr && call->external && isBeside(schedule.order[s].queue))
                queues.insert(schedule.order[s].queue);
        beside += queues.empty() ? 0 : 1;
        several += queues.size() > 1 ? 1 : 0;
        const Status sound = hdl::check(schedule);
        ASSERT_TRUE(sound) << sound.error().front().message;
        const hdl::VerifyParams params{seed % 8 == 1 ? Simulator::Verilator : Simulator::Icarus, 2,
                                       seed, true};
        const hdl::VerifyReport report =
            verified(exportTo(design->program.name, *design), *design, params);
        EXPECT_EQ(report.mismatchCount, 0);
        EXPECT_TRUE(report.pass);
        EXPECT_NEAR(static_cast<double>(report.stalls.front()),
                    static_cast<double>(report.predictedStalls.value_or(-1)), kFewClocks);
        const std::int64_t most = design::cyclesWithoutWaits(schedule);
        for (std::size_t v = 0; v < report.cycles.size(); ++v)
            EXPECT_LE(report.cycles[v] - report.stalls[v], most);
    }
    EXPECT_EQ(designs, wanted);
    EXPECT_GE(beside, wanted / 2);
    EXPECT_GE(several, wanted / 6);
}

// What moves runs in the queue of transfers, beside the queues of units or without them.
TEST_F(GroupsVerified, WithMoves) {
    const int wanted = test::cases(4, 60);
    int designs = 0;
    for (std::uint64_t seed = 0; seed < 600 && designs < wanted; ++seed)
        if (const auto design = test::randomMovedGroups(
                seed, designs % 2 == 0 ? GroupCalls::InQueues : GroupCalls::Alone)) {
            SCOPED_TRACE(seed);
            ++designs;
            expectSound(*design, {Simulator::Icarus, 2, seed, seed % 3 != 0});
        }
    EXPECT_EQ(designs, wanted);
}

// Functions of rows, and moves to the weights that a unit holds, run in the queue of their unit.
TEST_F(GroupsVerified, WithRowsAndHeldWeights) {
    const int wanted = test::cases(4, 80);
    int designs = 0, rows = 0, holds = 0, beside = 0;
    for (std::uint64_t seed = 0; seed < 600 && designs < wanted; ++seed)
        if (const auto design = test::randomRowGroups(
                seed, designs % 4 == 3 ? GroupCalls::Alone : GroupCalls::InQueues)) {
            SCOPED_TRACE(seed);
            ++designs;
            const design::Schedule& schedule = design->schedule;
            for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
                const auto* move = std::get_if<design::MoveStep>(&schedule.steps[s]);
                const bool ofRows = std::holds_alternative<design::RowStep>(schedule.steps[s]);
                const bool toWeights = move != nullptr && !move->target;
                rows += ofRows ? 1 : 0;
                holds += toWeights ? 1 : 0;
                beside += (ofRows || toWeights) && isBeside(schedule.order[s].queue) ? 1 : 0;
            }
            expectSound(*design, {Simulator::Icarus, 2, seed, seed % 3 != 0});
        }
    EXPECT_EQ(designs, wanted);
    EXPECT_GE(rows, wanted);
    EXPECT_GE(holds, 1);
    EXPECT_GE(beside, wanted);
}

// A mover of groups looks up where it begins by places of a round, which tables have once.
TEST_F(GroupsVerified, WithRoundsOfMoves) {
    TestDesign design = test::designOf(R"(design moved {
  input  x : i8[2, 2, 11] = random(seed: 1);
  weight w : i8[5, 1, 1, 22] = random(seed: 2);
  let    a = upsample(x, factor: 2);
  let    b = requant(maxpool(a, size: 2), shift: 1);
  let    c = concat(b, x, axis: 2);
  output y = requant(conv(c, w), shift: 8);
})",
                                       8, 4);
    ASSERT_TRUE(design::whyOneGroup(design.schedule).empty());
    design.schedule = design::inGroups(design.schedule, {14, 2, true, true});
    ASSERT_TRUE(design::scheduleLoop(design.schedule));
    const auto movers = design::movesOfMovers(design.schedule);
    ASSERT_EQ(movers.size(), 3U) << "one for each operand";
    for (const auto& moves : movers)
        EXPECT_TRUE(design::moverOf(design.schedule, moves).beginsApart());
    expectSound(design, {Simulator::Icarus, 2, 1, true});
}

TEST_F(GroupsVerified, InVerilator) {
    int designs = 0;
    for (std::uint64_t seed = 40; seed < 60 && designs < 2; ++seed)
        if (const auto design =
                test::randomGroups(seed, designs == 0 ? GroupCalls::InQueues : GroupCalls::Alone)) {
            SCOPED_TRACE(seed);
            ++designs;
            expectSound(*design, {Simulator::Verilator, 2, seed, true});
        }
    EXPECT_EQ(designs, 2);
}

// Streams of 32 bits break a beat of 64 in two, and the last one of a group may be of the next.
TEST_F(GroupsVerified, BehindRegistersInBothSimulators) {
    int designs = 0;
    for (std::uint64_t seed = 0; seed < 20 && designs < 2; ++seed) {
        const auto design =
            test::randomGroups(seed, designs == 0 ? GroupCalls::InQueues : GroupCalls::Alone);
        if (!design)
            continue;
        SCOPED_TRACE(seed);
        ++designs;
        auto request = test::requestFor(*design);
        request.form.interface = hdl::ExportInterface::Axi;
        request.form.streamBits = designs == 1 ? 0 : 32;
        const std::string folder = path(hdl::cat("groups_shell", seed));
        const auto made = hdl::exportArtefact(hdl::designArtefact(request), folder);
        ASSERT_TRUE(made) << format(made.error());
        const hdl::VerifyReport report =
            verified(folder, *design,
                     {designs == 1 ? Simulator::Verilator : Simulator::Icarus, 2, seed, true});
        EXPECT_EQ(report.mismatchCount, 0);
        EXPECT_TRUE(report.pass);
    }
    EXPECT_EQ(designs, 2);
}

// All tensors of all groups are looked at, and a run that passes has none that is wrong.
TEST_F(GroupsVerified, WithCheckpoints) {
    const int wanted = test::cases(3, 10);
    int designs = 0;
    for (std::uint64_t seed = 0; seed < 40 && designs < wanted; ++seed) {
        const auto design = test::randomGroups(seed, seed % 4 == 3   ? GroupCalls::Joined
                                                     : seed % 4 == 1 ? GroupCalls::InQueues
                                                                     : GroupCalls::Alone);
        if (!design)
            continue;
        SCOPED_TRACE(seed);
        ++designs;
        hdl::VerifyParams params{designs == 1 ? Simulator::Verilator : Simulator::Icarus, 1, seed,
                                 seed % 2 == 0};
        params.checkpoints = true;
        const hdl::VerifyReport report =
            verified(exportTo(design->program.name, *design), *design, params);
        EXPECT_TRUE(report.pass);
        ASSERT_TRUE(report.checkpoints);
        EXPECT_GE(report.checkpoints->compared, 2 * design->schedule.groups);
        EXPECT_FALSE(report.checkpoints->wrong) << report.checkpoints->wrong->layer;
    }
    EXPECT_EQ(designs, wanted);
}

// A place in the tables takes fewer bits than the number of a step, by which checkpoints go.
TEST_F(GroupsVerified, WithCheckpointsWhereTablesHaveARoundOnce) {
    constexpr std::int64_t kFewCycles = 4'000;
    int designs = 0;
    for (std::uint64_t seed = 0; seed < 400 && designs < 2; ++seed) {
        const auto design = test::randomGroups(seed, GroupCalls::InQueues);
        if (!design || design::predictCycles(design->schedule).total > kFewCycles)
            continue;
        const auto loop = design::scheduleLoop(design->schedule);
        const std::int64_t steps = std::ssize(design->schedule.steps);
        if (!loop || bitsFor(steps - static_cast<std::int64_t>(loop->repeated())) == bitsFor(steps))
            continue;
        SCOPED_TRACE(seed);
        ++designs;
        hdl::VerifyParams params{designs == 1 ? Simulator::Icarus : Simulator::Verilator, 1, seed,
                                 false};
        params.checkpoints = true;
        const hdl::VerifyReport report =
            verified(exportTo(design->program.name, *design), *design, params);
        EXPECT_TRUE(report.pass);
        ASSERT_TRUE(report.checkpoints);
        EXPECT_GE(report.checkpoints->compared, 2 * design->schedule.groups);
        EXPECT_FALSE(report.checkpoints->wrong) << report.checkpoints->wrong->layer;
    }
    EXPECT_EQ(designs, 2);
}

namespace {

/// Of a step of the second group results are divided by two; its layer. Nothing is scaled: null.
const std::string* spoilSecondGroup(design::Schedule& schedule) {
    for (design::Step& step : schedule.steps) {
        auto* call = std::get_if<design::ComputeStep>(&step);
        if (call == nullptr || !call->epilogue.requantBefore.enabled)
            continue;
        const design::StoredTensor& made = schedule.tensor(call->output);
        if (*made.firstRow != schedule.framesAtOnce() * made.height)
            continue;
        ++call->epilogue.requantBefore.shift;
        return &call->layer;
    }
    return nullptr;
}

} // namespace

// A fault that only the second group has is named with one of its frames.
TEST_F(GroupsVerified, NameTheFrameOfAWrongElement) {
    int named = 0;
    for (std::uint64_t seed = 0; seed < 40 && named < 2; ++seed) {
        auto design =
            test::randomGroups(seed, named == 0 ? GroupCalls::InQueues : GroupCalls::Alone);
        const std::string* layer = design ? spoilSecondGroup(design->schedule) : nullptr;
        if (layer == nullptr)
            continue;
        SCOPED_TRACE(seed);
        const hdl::VerifyReport report = verified(exportTo(design->program.name, *design), *design,
                                                  {Simulator::Icarus, 1, seed, false});
        if (report.pass)
            continue; // what is wrong is as large before as behind the division
        ++named;
        ASSERT_TRUE(report.checkpoints && report.checkpoints->wrong);
        EXPECT_EQ(report.checkpoints->wrong->layer, *layer);
        EXPECT_GE(report.checkpoints->wrong->frame, design->schedule.framesAtOnce());
        EXPECT_LT(report.checkpoints->wrong->frame, 2 * design->schedule.framesAtOnce());
    }
    EXPECT_EQ(named, 2);
}

} // namespace marquetry
