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
    }
    EXPECT_EQ(stored, 2);
}

} // namespace marquetry
