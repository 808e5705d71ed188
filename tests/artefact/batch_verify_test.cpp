// Runs of several frames as hardware: results of every frame, and cycles.
#include "engine/design/cycle_model.h"
#include "tests/artefact/export_fixture.h"
#include "tests/lower_design/batches.h"
#include "tests/lower_design/external_weights.h"
#include "tests/lower_design/random_design.h"
#include "tests/lower_design/random_elements.h"
#include "tests/lower_design/random_layouts.h"
#include "tests/lower_design/random_windows.h"
#include "tests/support/cases.h"

namespace marquetry {

using hdl::Simulator;
using hdl::VerifyParams;
using test::TestDesign;

namespace {

class BatchVerified : public test::ExportTest {
protected:
    void expectVerified(const TestDesign& design, const VerifyParams& params) {
        expectVerified(exportTo(design.program.name, design), design, params);
    }

    /// Cycles less stalls are exact in every run.
    void expectVerified(const std::string& folder, const TestDesign& design,
                        const VerifyParams& params) {
        SCOPED_TRACE(design.program.name);
        const hdl::VerifyReport report = verified(folder, design, params);
        EXPECT_TRUE(report.pass);
        EXPECT_EQ(report.mismatchCount, 0);
        const design::CyclePrediction predicted = design::predictCycles(design.schedule);
        ASSERT_EQ(report.cycles.size(), static_cast<std::size_t>(params.vectors));
        for (std::size_t v = 0; v < report.cycles.size(); ++v) {
            const std::int64_t stalls = report.stalls.empty() ? 0 : report.stalls[v];
            EXPECT_EQ(report.cycles[v] - stalls, predicted.total - predicted.waiting);
        }
    }

    /// The designs of the first seeds that may have batches; how many.
    int expectAllVerified(TestDesign (*random)(std::uint64_t), int seeds) {
        int batches = 0;
        for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(seeds); ++seed) {
            TestDesign design = random(seed);
            const auto frames = static_cast<std::int64_t>(2 + seed % 3);
            if (!test::makeBatch(design.schedule, frames))
                continue;
            ++batches;
            expectVerified(design, {Simulator::Icarus, 2, seed, seed % 3 != 0});
        }
        return batches;
    }
};

} // namespace

TEST_F(BatchVerified, RandomDesignsInIcarus) {
    EXPECT_GE(expectAllVerified(test::randomDesign, test::cases(6, 14)), test::cases(4, 10));
}

TEST_F(BatchVerified, WindowsInIcarus) {
    EXPECT_GE(expectAllVerified(test::randomWindows, test::cases(5, 12)), test::cases(4, 10));
}

TEST_F(BatchVerified, LayoutsInIcarus) {
    EXPECT_GE(expectAllVerified(test::randomLayouts, 10), 6);
}

TEST_F(BatchVerified, ElementsInIcarus) {
    EXPECT_GE(expectAllVerified(test::randomElements, 24), 6);
}

TEST_F(BatchVerified, JoinedCallsInIcarus) {
    const int designs = test::cases(4, 12);
    int joined = 0;
    for (std::uint64_t seed = 0; seed < 60 && joined < designs; ++seed) {
        TestDesign design = seed % 2 == 0 ? test::randomDesign(seed) : test::randomWindows(seed);
        if (!test::makeBatch(design.schedule, 3) ||
            test::joinSteps(design.schedule, seed % 4 < 2) == 0)
            continue;
        ++joined;
        expectVerified(design, {Simulator::Icarus, 2, seed, seed % 3 != 0});
    }
    EXPECT_GE(joined, designs);
}

TEST_F(BatchVerified, ExternalWeightsInIcarus) {
    const int designs = test::cases(4, 12);
    int external = 0;
    for (std::uint64_t seed = 0; seed < 24 && external < designs; ++seed) {
        TestDesign design = seed % 2 == 0 ? test::randomDesign(seed) : test::randomWindows(seed);
        SplitMix64 rng(seed);
        if (!test::makeBatch(design.schedule, 2) || test::makeExternal(design.schedule, rng) == 0)
            continue;
        ++external;
        expectVerified(design, {Simulator::Icarus, 2, seed, seed % 3 != 0});
    }
    EXPECT_GE(external, designs);
}

TEST_F(BatchVerified, BehindTheShellInBothSimulators) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        TestDesign design = test::randomDesign(seed);
        SplitMix64 rng(seed);
        ASSERT_TRUE(test::makeBatch(design.schedule, 3));
        if (seed % 2 == 0)
            test::makeExternal(design.schedule, rng);
        auto request = test::requestFor(design);
        request.form.interface = hdl::ExportInterface::Axi;
        request.form.streamBits = seed % 2 == 0 ? 0 : 32;
        const std::string folder = path(hdl::cat("shell", seed));
        const auto made = hdl::exportArtefact(hdl::designArtefact(request), folder);
        ASSERT_TRUE(made) << format(made.error());
        expectVerified(
            folder, design,
            {seed == 3 ? Simulator::Verilator : Simulator::Icarus, 2, seed, seed % 3 != 0});
    }
}

} // namespace marquetry
