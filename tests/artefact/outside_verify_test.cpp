// Activations in external memory as hardware: results and cycles in the simulator.
#include "engine/design/cycle_model.h"
#include "engine/design/external_tensors.h"
#include "engine/lower_design/lower_design.h"
#include "tests/artefact/export_fixture.h"
#include "tests/lower_design/random_outside.h"
#include "tests/support/cases.h"

namespace marquetry {

using hdl::Simulator;
using test::TestDesign;

namespace {

class OutsideVerified : public test::ExportTest {};

} // namespace

TEST_F(OutsideVerified, InIcarus) {
    const auto seeds = static_cast<std::uint64_t>(test::cases(4, 80));
    int stored = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed)
        if (const auto design = test::randomOutside(seed)) {
            SCOPED_TRACE(seed);
            ++stored;
            const Status sound = hdl::check(design->schedule);
            ASSERT_TRUE(sound) << sound.error().front().message;
            expectExact(*design, {Simulator::Icarus, 2, seed, seed % 3 != 0});
        }
    EXPECT_GE(stored, test::cases(2, 40));
}

// Weights come the same way. Those that are under way when a step loads are not predicted, which is
// more than verify allows where steps take some ten clocks: the clocks less the waits are exact.
TEST_F(OutsideVerified, WithExternalWeights) {
    const auto seeds = static_cast<std::uint64_t>(test::cases(4, 60));
    int both = 0;
    for (std::uint64_t seed = 100; seed < 100 + seeds; ++seed) {
        auto design = test::randomOutside(seed);
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
        const design::CyclePrediction predicted = design::predictCycles(design->schedule);
        for (std::size_t v = 0; v < report.cycles.size(); ++v)
            EXPECT_EQ(report.cycles[v] - report.stalls[v], predicted.total - predicted.waiting);
    }
    EXPECT_GE(both, test::cases(2, 30));
}

// On the nominal memory as many as predicted, for each cause; whatever the memory does, no others.
TEST_F(OutsideVerified, WaitsAreCountedByCause) {
    int designs = 0;
    hdl::MoveStalls all;
    for (std::uint64_t seed = 0; designs < test::cases(3, 30); ++seed) {
        const auto design = test::randomOutside(seed);
        if (!design)
            continue;
        SCOPED_TRACE(seed);
        ++designs;
        const bool icarus = seed % 2 == 0;
        const hdl::VerifyReport report =
            verified(exportTo(design->program.name, *design), *design,
                     {icarus ? Simulator::Icarus : Simulator::Verilator, 2, seed, true});
        EXPECT_TRUE(report.pass);
        ASSERT_TRUE(report.predictedMoveStalls);
        ASSERT_EQ(report.moveStalls.size(), report.stalls.size());
        for (std::size_t v = 0; v < report.stalls.size(); ++v) {
            EXPECT_EQ(report.moveStalls[v], *report.predictedMoveStalls);
            EXPECT_EQ(report.moveStalls[v].loads + report.moveStalls[v].stores, report.stalls[v]);
        }
        all.loads += report.predictedMoveStalls->loads;
        all.stores += report.predictedMoveStalls->stores;
    }
    EXPECT_GT(all.loads, 0);
}

// It waits as long as the memory does, and says that it is a store that waits.
TEST_F(OutsideVerified, AMemoryThatTakesNothingForAMillionClocksOnlyTakesLonger) {
    std::optional<TestDesign> design;
    for (std::uint64_t seed = 0; !design; ++seed)
        design = test::randomOutside(seed);
    const design::CyclePrediction predicted = design::predictCycles(design->schedule);
    for (const auto& [simulator, stall] :
         {std::pair(Simulator::Icarus, std::int64_t{2'000}), {Simulator::Verilator, 1'000'000}}) {
        const hdl::BenchOutput output = simulatedWith(
            *design, simulator,
            {"+gaps=0", "+memory=0", "+vectors=1", hdl::cat("+memory_write_stall=", stall)});
        EXPECT_TRUE(output.ended);
        EXPECT_TRUE(output.pass);
        ASSERT_EQ(output.cycles.size(), 1u);
        EXPECT_EQ(output.cycles[0] - output.stalls[0], predicted.total - predicted.waiting);
        const auto moves = output.moveStalls();
        ASSERT_TRUE(moves && moves->size() == 1u);
        EXPECT_EQ(moves->front().loads + moves->front().stores, output.stalls[0]);
        EXPECT_GT(moves->front().stores, stall - predicted.total);
        EXPECT_LT(output.stalls[0], stall + predicted.total);
    }
}

// Guards and registers stand between such a design and the bus.
TEST_F(OutsideVerified, BehindTheShellInBothSimulators) {
    int stored = 0;
    for (std::uint64_t seed = 200; seed < 206 && stored < 2; ++seed) {
        const auto design = test::randomOutside(seed);
        if (!design)
            continue;
        SCOPED_TRACE(seed);
        ++stored;
        auto request = test::requestFor(*design);
        request.form.interface = hdl::ExportInterface::Axi;
        request.form.streamBits = stored == 1 ? 0 : 32;
        const std::string folder = path(hdl::cat("outside_shell", seed));
        const auto made = hdl::exportArtefact(hdl::designArtefact(request), folder);
        ASSERT_TRUE(made) << format(made.error());
        const hdl::VerifyReport report =
            verified(folder, *design,
                     {stored == 1 ? Simulator::Verilator : Simulator::Icarus, 2, seed, true});
        EXPECT_EQ(report.mismatchCount, 0);
        const design::CyclePrediction predicted = design::predictCycles(design->schedule);
        for (std::size_t v = 0; v < report.cycles.size(); ++v)
            EXPECT_EQ(report.cycles[v] - report.stalls[v], predicted.total - predicted.waiting);
        ASSERT_EQ(report.moveStalls.size(), report.stalls.size());
        for (std::size_t v = 0; v < report.stalls.size(); ++v)
            EXPECT_EQ(report.moveStalls[v].loads + report.moveStalls[v].stores, report.stalls[v]);
    }
    EXPECT_EQ(stored, 2);
}

} // namespace marquetry
