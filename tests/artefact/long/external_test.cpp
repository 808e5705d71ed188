// Stalls on every channel for 10⁷ clocks: no deadlock and no wrong word.
#include "engine/design/cycle_model.h"
#include "tests/artefact/export_fixture.h"
#include "tests/lower_design/batches.h"
#include "tests/lower_design/external_weights.h"
#include "tests/lower_design/random_design.h"
#include "tests/lower_design/random_outside.h"
#include "tests/lower_design/random_windows.h"

#include <functional>

namespace marquetry {

using test::TestDesign;

class ExternalLong : public test::ExportTest {
protected:
    /// `made`: of a seed; some have none.
    void stall(const std::function<std::optional<TestDesign>(std::uint64_t)>& made,
               hdl::ExportInterface interface = hdl::ExportInterface::Stream) {
        constexpr std::int64_t kClocks = 10'000'000;
        constexpr int kDesigns = 8;
        std::int64_t clocks = 0;
        for (std::uint64_t seed = 0; clocks < kClocks; ++seed) {
            const auto design = made(seed);
            if (!design)
                continue;
            const std::int64_t run = design::predictCycles(design->schedule).total;
            const auto vectors =
                static_cast<int>(std::min<std::int64_t>(kClocks / kDesigns / run, 4000));
            auto request = test::requestFor(*design);
            request.form.interface = interface;
            const std::string folder = path(hdl::cat(design->program.name, seed));
            ASSERT_TRUE(hdl::exportArtefact(hdl::designArtefact(request), folder));
            const hdl::VerifyReport report =
                verified(folder, *design, {hdl::Simulator::Verilator, vectors, seed, true});
            EXPECT_EQ(report.mismatchCount, 0) << seed;
            EXPECT_EQ(static_cast<int>(report.cycles.size()), vectors) << seed << ": all runs end";
            expectAccounted(*design, report, seed);
            clocks += vectors * run;
        }
    }

    /// Stalls account for what the memory makes a run wait: with queues, others go on meanwhile.
    static void expectAccounted(const TestDesign& design, const hdl::VerifyReport& report,
                                std::uint64_t seed) {
        const design::Schedule& schedule = design.schedule;
        // Rows that move on a memory that is fast for once may gain more than steps of some ten
        // clocks allow.
        if (schedule.externals.empty()) {
            EXPECT_TRUE(report.pass) << seed;
        }
        if (report.stalls.empty())
            return;
        const design::CyclePrediction predicted = design::predictCycles(schedule);
        const std::int64_t working = predicted.total - predicted.waiting;
        const bool ordered = !schedule.order.empty();
        const std::int64_t least = ordered ? design::cyclesOfCalls(schedule) : working;
        const std::int64_t most = ordered ? design::cyclesWithoutWaits(schedule) : working;
        for (std::size_t v = 0; v < report.cycles.size(); ++v) {
            const std::int64_t cycles = report.cycles[v] - report.stalls[v];
            EXPECT_TRUE(cycles >= least && cycles <= most)
                << seed << ": " << cycles << " of " << least << " to " << most;
        }
    }
};

TEST_F(ExternalLong, StallsOnEveryChannelForTenMillionClocks) {
    stall([](std::uint64_t seed) -> std::optional<TestDesign> {
        TestDesign design = test::randomDesign(seed);
        SplitMix64 rng(seed);
        return test::makeExternal(design.schedule, rng) == 0 ? std::nullopt
                                                             : std::optional(std::move(design));
    });
}

// Activations are written and read; every other design has queues, and some have external weights.
TEST_F(ExternalLong, StallsOfActivationsForTenMillionClocks) {
    stall([](std::uint64_t seed) {
        auto design = test::randomOutside(seed, seed % 2 * 2);
        if (design && seed % 3 == 0)
            test::makeWeightsExternal(*design, seed);
        return design;
    });
}

TEST_F(ExternalLong, StallsBehindRegistersForTenMillionClocks) {
    stall([](std::uint64_t seed) { return test::randomOutside(seed, seed % 2 * 2); },
          hdl::ExportInterface::Axi);
}

TEST_F(ExternalLong, StallsOfBandsForTenMillionClocks) {
    stall([](std::uint64_t seed) { return test::randomBands(seed, seed % 2 * 2); });
}

TEST_F(ExternalLong, StallsOfFramesInFlightForTenMillionClocks) {
    stall([](std::uint64_t seed) {
        const auto calls = seed % 3 == 0   ? test::GroupCalls::Joined
                           : seed % 3 == 1 ? test::GroupCalls::InQueues
                                           : test::GroupCalls::Alone;
        return seed % 2 == 0 ? test::randomGroups(seed, calls) : test::randomRowGroups(seed, calls);
    });
}

} // namespace marquetry
