// Weights from external memory as hardware: results, and cycles whatever the memory does.
#include "engine/artefact/bench_output.h"
#include "engine/artefact/simulation.h"
#include "engine/artefact/testbench_writer.h"
#include "engine/design/cycle_model.h"
#include "tests/artefact/export_fixture.h"
#include "tests/lower_design/external_weights.h"
#include "tests/lower_design/random_design.h"
#include "tests/lower_design/random_windows.h"
#include "tests/support/cases.h"

namespace marquetry {

using hdl::Simulator;
using hdl::VerifyParams;
using test::TestDesign;

namespace {

class ExternalVerified : public test::ExportTest {
protected:
    /// Cycles less stalls are exact in every run; the report is that of the nominal memory.
    void expectVerified(const TestDesign& design, const VerifyParams& params) {
        expectVerified(exportTo(design.program.name, design), design, params);
    }

    void expectVerified(const std::string& folder, const TestDesign& design,
                        const VerifyParams& params) {
        SCOPED_TRACE(design.program.name);
        const hdl::VerifyReport report = verified(folder, design, params);
        EXPECT_EQ(report.mismatchCount, 0);
        const design::CyclePrediction predicted = design::predictCycles(design.schedule);
        ASSERT_EQ(report.stalls.size(), static_cast<std::size_t>(params.vectors));
        for (std::size_t v = 0; v < report.cycles.size(); ++v)
            EXPECT_EQ(report.cycles[v] - report.stalls[v], predicted.total - predicted.waiting);
        EXPECT_TRUE(report.pass);
    }

    /// The designs of the first seeds, those that have weights.
    void expectAllVerified(TestDesign (*random)(std::uint64_t), int seeds) {
        int external = 0;
        for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(seeds); ++seed) {
            TestDesign design = random(seed);
            SplitMix64 rng(seed);
            const int calls = test::makeExternal(design.schedule, rng);
            external += calls;
            if (calls > 0)
                expectVerified(design, {Simulator::Icarus, 2, seed, seed % 3 != 0});
        }
        EXPECT_GE(external, test::cases(5, 12));
    }

    /// What the bench says with these arguments of a design with external weights.
    hdl::BenchOutput simulated(Simulator simulator, const std::vector<std::string>& arguments) {
        TestDesign design = test::randomDesign(3);
        SplitMix64 rng(3);
        EXPECT_GT(test::makeExternal(design.schedule, rng), 0);
        return simulatedWith(design, simulator, arguments);
    }
};

} // namespace

// Words that several bands read, in one range of the image or in many.
TEST_F(ExternalVerified, BandsInIcarus) {
    int external = 0;
    const auto seeds = static_cast<std::uint64_t>(test::cases(7, 40));
    for (std::uint64_t seed = 0; seed < seeds; ++seed)
        if (auto design = test::randomBands(seed)) {
            SplitMix64 rng(seed);
            if (test::makeExternal(design->schedule, rng) == 0)
                continue;
            ++external;
            ASSERT_TRUE(hdl::check(design->schedule)) << seed;
            expectVerified(*design, {Simulator::Icarus, 2, seed, seed % 3 != 0});
        }
    EXPECT_GE(external, test::cases(2, 12));
}

TEST_F(ExternalVerified, RandomDesignsInIcarus) {
    expectAllVerified(test::randomDesign, test::cases(6, 14));
}

TEST_F(ExternalVerified, WindowsAndLaneUnitsInIcarus) {
    expectAllVerified(test::randomWindows, test::cases(5, 12));
}

TEST_F(ExternalVerified, BesideJoinedCallsInIcarus) {
    int both = 0;
    for (std::uint64_t seed = 0; seed < 60 && both < 6; ++seed) {
        TestDesign design = test::randomDesign(seed);
        SplitMix64 rng(seed);
        if (test::joinSteps(design.schedule, seed % 2 == 0) == 0 ||
            test::makeExternal(design.schedule, rng) == 0)
            continue;
        ++both;
        expectVerified(design, {Simulator::Icarus, 2, seed, true});
    }
    EXPECT_GE(both, 5);
}

TEST_F(ExternalVerified, BehindTheShellInBothSimulators) {
    int external = 0;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        TestDesign design = test::randomDesign(seed);
        SplitMix64 rng(seed);
        external += test::makeExternal(design.schedule, rng);
        auto request = test::requestFor(design);
        request.form.interface = hdl::ExportInterface::Axi;
        request.form.streamBits = seed % 2 == 0 ? 0 : 32;
        const std::string folder = path(hdl::cat("shell", seed));
        const auto made = hdl::exportArtefact(hdl::designArtefact(request), folder);
        ASSERT_TRUE(made) << format(made.error());
        if (design.schedule.memory)
            expectVerified(
                folder, design,
                {seed == 3 ? Simulator::Verilator : Simulator::Icarus, 2, seed, seed % 3 != 0});
    }
    EXPECT_GE(external, 4);
}

// Beats that the first run reads are answered with an error, one of the weights that stay and one
// of the others: the run ends, and says so. The bench expects the flag.
TEST_F(ExternalVerified, ErrorsOfTheMemoryAreShown) {
    for (const char* beat : {"+memory_error=1", "+memory_error=20"}) {
        const hdl::BenchOutput output =
            simulated(Simulator::Icarus, {"+gaps=1", "+memory=1", beat});
        EXPECT_TRUE(output.ended);
        EXPECT_TRUE(output.pass) << beat;
    }
    const hdl::BenchOutput never =
        simulated(Simulator::Icarus, {"+memory=1", "+memory_error=1000000000"});
    EXPECT_FALSE(never.pass) << "the flag is expected and does not come";
    ASSERT_EQ(never.mismatches.size(), 1u);
    EXPECT_EQ(never.mismatches[0].what, "error flag");
}

TEST_F(ExternalVerified, AMemoryThatStallsForAMillionClocksOnlyTakesLonger) {
    const hdl::BenchOutput output =
        simulated(Simulator::Verilator, {"+gaps=0", "+memory=0", "+memory_stall=1000000"});
    EXPECT_TRUE(output.ended);
    EXPECT_TRUE(output.pass);
}

TEST_F(ExternalVerified, RandomDesignInVerilator) {
    TestDesign design = test::randomDesign(3);
    SplitMix64 rng(3);
    ASSERT_GT(test::makeExternal(design.schedule, rng), 0);
    expectVerified(design, {Simulator::Verilator, 3, 1, true});
}

} // namespace marquetry
