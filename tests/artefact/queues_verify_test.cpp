// Steps that run beside others as hardware: results and cycles in the simulator.
#include "engine/artefact/checkpoints.h"
#include "engine/design/cycle_model.h"
#include "engine/design/join.h"
#include "engine/design/step_queues.h"
#include "engine/lower_design/lower_design.h"
#include "tests/artefact/queues_fixture.h"
#include "tests/lower_design/random_outside.h"
#include "tests/support/cases.h"

namespace marquetry {

using design::Queue;
using hdl::Simulator;
using test::TestDesign;

namespace {

class QueuesVerified : public test::QueuesTest {};

} // namespace

TEST_F(QueuesVerified, BandsInIcarus) {
    const auto seeds = static_cast<std::uint64_t>(test::cases(12, 80));
    for (std::uint64_t seed = 0; seed < seeds; ++seed)
        if (const auto design = test::randomBands(seed, 1 + seed % 3)) {
            SCOPED_TRACE(seed);
            expectSound(*design, {Simulator::Icarus, 2, seed, seed % 3 != 0});
        }
    EXPECT_GE(secondCalls_, test::cases(2, 12));
    EXPECT_GE(transfers_, test::cases(1, 8));
}

namespace {

/// Joins calls of the first queue; how many.
int joinCalls(design::Schedule& schedule) {
    int joined = 0;
    for (std::size_t s = 1; s + 1 < schedule.steps.size(); ++s) {
        auto* reader = std::get_if<design::ComputeStep>(&schedule.steps[s]);
        const bool calls = schedule.order[s - 1].queue == Queue::Calls &&
                           schedule.order[s].queue == Queue::Calls &&
                           std::holds_alternative<design::ComputeStep>(schedule.steps[s - 1]);
        if (reader == nullptr || !calls || !design::mayOverlap(schedule, s))
            continue;
        reader->joinedAfter = design::joinDelay(schedule, schedule.steps[s - 1], *reader);
        ++joined;
    }
    design::awaitQueues(schedule);
    return joined;
}

} // namespace

// What is joined begins by itself, whatever the step before it waits for.
TEST_F(QueuesVerified, WithJoinedCalls) {
    const int wanted = test::cases(3, 10);
    int joins = 0;
    for (std::uint64_t seed = 0; seed < 200 && joins < wanted; ++seed) {
        auto design = test::randomBands(seed, 2);
        if (!design || design->schedule.order.empty() || joinCalls(design->schedule) == 0)
            continue;
        SCOPED_TRACE(seed);
        ++joins;
        expectSound(*design, {Simulator::Icarus, 2, seed, seed % 3 != 0});
    }
    EXPECT_EQ(joins, wanted);
}

TEST_F(QueuesVerified, ValuesOutsideInIcarus) {
    const auto seeds = static_cast<std::uint64_t>(test::cases(8, 80));
    for (std::uint64_t seed = 0; seed < seeds; ++seed)
        if (const auto design = test::randomOutside(seed, 1 + seed % 3)) {
            SCOPED_TRACE(seed);
            expectSound(*design, {Simulator::Icarus, 2, seed, seed % 3 != 0});
        }
    EXPECT_GE(transfers_, test::cases(3, 30));
}

// Calls of the first queue wait for weights while others run. What is under way when a step loads
// is not predicted (outside_verify_test.cpp).
TEST_F(QueuesVerified, WithExternalWeights) {
    const auto seeds = static_cast<std::uint64_t>(test::cases(6, 60));
    int both = 0;
    for (std::uint64_t seed = 100; seed < 100 + seeds; ++seed) {
        auto design = test::randomOutside(seed, 1 + seed % 3);
        if (!design || !test::makeWeightsExternal(*design, seed))
            continue;
        SCOPED_TRACE(seed);
        ++both;
        const Status sound = hdl::check(design->schedule);
        ASSERT_TRUE(sound) << sound.error().front().message;
        const hdl::VerifyParams params{seed % 8 == 1 ? Simulator::Verilator : Simulator::Icarus, 2,
                                       seed, true};
        const hdl::VerifyReport report =
            verified(exportTo(design->program.name, *design), *design, params);
        EXPECT_EQ(report.mismatchCount, 0);
        const std::int64_t most = design::cyclesWithoutWaits(design->schedule);
        for (std::size_t v = 0; v < report.cycles.size(); ++v)
            EXPECT_LE(report.cycles[v] - report.stalls[v], most);
    }
    EXPECT_GE(both, test::cases(2, 30));
}

TEST_F(QueuesVerified, BehindRegistersInBothSimulators) {
    int ordered = 0;
    for (std::uint64_t seed = 0; seed < 12 && ordered < 2; ++seed) {
        const auto design = test::randomBands(seed, 2);
        if (!design || !overlaps(design->schedule, Queue::Second))
            continue;
        SCOPED_TRACE(seed);
        ++ordered;
        auto request = test::requestFor(*design);
        request.form.interface = hdl::ExportInterface::Axi;
        request.form.streamBits = ordered == 1 ? 0 : 32;
        const std::string folder = path(hdl::cat("queues_shell", seed));
        const auto made = hdl::exportArtefact(hdl::designArtefact(request), folder);
        ASSERT_TRUE(made) << format(made.error());
        const hdl::VerifyReport report =
            verified(folder, *design,
                     {ordered == 1 ? Simulator::Verilator : Simulator::Icarus, 2, seed, true});
        EXPECT_EQ(report.mismatchCount, 0);
        EXPECT_TRUE(report.pass);
    }
    EXPECT_EQ(ordered, 2);
}

// All tensors are looked at, and a run that passes has none that is wrong.
TEST_F(QueuesVerified, WithCheckpoints) {
    int ordered = 0;
    for (std::uint64_t seed = 0; seed < 20 && ordered < test::cases(3, 10); ++seed)
        for (const auto& design : {test::randomBands(seed, 2), test::randomOutside(seed, 2)}) {
            if (!design || design->schedule.order.empty())
                continue;
            SCOPED_TRACE(design->program.name);
            ++ordered;
            hdl::VerifyParams params{seed % 8 == 7 ? Simulator::Verilator : Simulator::Icarus, 1,
                                     seed, seed % 2 == 0};
            params.checkpoints = true;
            const hdl::VerifyReport report =
                verified(exportTo(design->program.name, *design), *design, params);
            EXPECT_TRUE(report.pass);
            ASSERT_TRUE(report.checkpoints);
            EXPECT_EQ(report.checkpoints->compared,
                      std::ssize(hdl::checkpointsOf(design->schedule)));
            EXPECT_FALSE(report.checkpoints->wrong) << report.checkpoints->wrong->layer;
        }
    EXPECT_GE(ordered, test::cases(3, 10));
}

} // namespace marquetry
