// Generated hardware against the interpreter, in both simulators; and proof that it can fail.
#include "engine/artefact/vectors.h"
#include "engine/design/cycle_model.h"
#include "tests/artefact/export_fixture.h"
#include "tests/lower_design/random_design.h"
#include "tests/lower_design/test_designs.h"
#include "tests/oracles/simulate.h"
#include "tests/support/cases.h"
#include "tests/support/text_files.h"

#include <set>

namespace marquetry {

using hdl::Simulator;
using hdl::VerifyParams;
using hdl::VerifyReport;
using test::TestDesign;

namespace {

class Verify : public test::ExportTest {
protected:
    void expectVerified(const TestDesign& design, const VerifyParams& params) {
        SCOPED_TRACE(design.program.name + (params.gaps ? " with gaps" : " without gaps"));
        const std::string folder = exportTo(design.program.name, design);
        const VerifyReport report = verified(folder, design, params);
        EXPECT_TRUE(report.pass);
        EXPECT_EQ(report.mismatchCount, 0);
        const std::int64_t predicted = design::predictCycles(design.schedule).total;
        EXPECT_EQ(report.predictedCycles, predicted);
        EXPECT_EQ(report.cycles,
                  std::vector<std::int64_t>(static_cast<std::size_t>(params.vectors), predicted));
    }
};

} // namespace

TEST_F(Verify, InterpreterSimulatorAndNaiveEvaluationAgree) {
    for (const TestDesign& design : test::allDesigns()) {
        SCOPED_TRACE(design.program.name);
        const auto run = ir::interpret(design.program, {});
        ASSERT_TRUE(run) << format(run.error());
        for (std::size_t i = 0; i < design.program.outputs.size(); ++i)
            EXPECT_EQ(run->values[design.program.outputs[i].value.index()], design.outputs()[i]);
        EXPECT_EQ(design::simulate(design.schedule, design.program, run->values), design.outputs());
    }
}

TEST_F(Verify, ConvolutionPoolRequant) {
    expectVerified(test::convPoolRequant(), {Simulator::Verilator, 3, 1, true});
}
TEST_F(Verify, ConvolutionThenVectorOnOneUnit) {
    expectVerified(test::convThenVector(), {Simulator::Verilator, 3, 2, false});
}
TEST_F(Verify, TwoShapesOnOneUnit) {
    expectVerified(test::twoShapesOneUnit(), {Simulator::Verilator, 3, 3, true});
}
TEST_F(Verify, ResidualBlock) {
    expectVerified(test::residualBlock(), {Simulator::Verilator, 3, 4, true});
}
TEST_F(Verify, WideOutput) {
    expectVerified(test::wideOutput(), {Simulator::Verilator, 3, 5, false});
}
TEST_F(Verify, TwoInputsTwoOutputs) {
    expectVerified(test::twoInputsTwoOutputs(), {Simulator::Verilator, 3, 6, true});
}
TEST_F(Verify, SixteenBits) {
    expectVerified(test::sixteenBits(), {Simulator::Verilator, 3, 7, true});
}

TEST_F(Verify, AllPartsInIcarus) {
    for (const TestDesign& design : test::allDesigns())
        expectVerified(design, {Simulator::Icarus, 2, 5, true});
}

TEST_F(Verify, RandomDesignsInIcarus) {
    const auto seeds = static_cast<std::uint64_t>(test::cases(9, 25));
    for (std::uint64_t seed = 0; seed < seeds; ++seed)
        expectVerified(test::randomDesign(seed), {Simulator::Icarus, 2, seed, seed % 3 != 0});
}

// As many clocks as alone: predictCycles does not look at it.
TEST_F(Verify, PairedRowsInIcarus) {
    std::vector<TestDesign> designs = test::allDesigns();
    const auto seeds = static_cast<std::uint64_t>(test::cases(10, 25));
    for (std::uint64_t seed = 0; seed < seeds; ++seed)
        designs.push_back(test::randomDesign(seed));
    std::set<std::pair<ir::Scalar, ir::Scalar>> factors;
    for (TestDesign& design : designs) {
        if (test::pairRows(design.schedule) == 0)
            continue;
        expectVerified(design, {Simulator::Icarus, 2, 9, true});
        for (const design::ScheduleUnit& unit : design.schedule.units)
            if (unit.pairsRows)
                factors.emplace(unit.operand, unit.weight);
    }
    EXPECT_EQ(factors.size(), 4U) << "i8 and u8 with i8 and u8";
}

TEST_F(Verify, PairedRowsInVerilator) {
    TestDesign design = test::convPoolRequant(); // five rows, two at once
    ASSERT_EQ(test::pairRows(design.schedule), 1);
    expectVerified(design, {Simulator::Verilator, 3, 1, true});
}

// Values and cycles: a reader that starts a clock too early would read a word that is not there.
TEST_F(Verify, JoinedStepsInIcarus) {
    const auto seeds = static_cast<std::uint64_t>(test::cases(16, 40));
    int joined = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        TestDesign design = test::randomDesign(seed);
        const int here = test::joinSteps(design.schedule);
        joined += here;
        if (here > 0)
            expectVerified(design, {Simulator::Icarus, 2, seed, seed % 3 != 0});
    }
    EXPECT_GE(joined, test::cases(5, 15));
}

// A reader that does not stand still while the stream keeps its load waiting would overtake it.
TEST_F(Verify, StepsJoinedToLoadsInIcarus) {
    const auto seeds = static_cast<std::uint64_t>(test::cases(12, 30));
    int joined = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        TestDesign design = test::randomDesign(seed);
        const int without = test::joinSteps(design.schedule);
        design = test::randomDesign(seed);
        const int here = test::joinSteps(design.schedule, true);
        joined += here > without ? 1 : 0;
        if (here > 0)
            expectVerified(design, {Simulator::Icarus, 2, seed, seed % 4 != 0});
    }
    EXPECT_GE(joined, test::cases(3, 10));
}

TEST_F(Verify, AUnitThatLeadsAndFollows) {
    TestDesign design = test::leadsAndFollows();
    ASSERT_EQ(test::joinSteps(design.schedule), 2);
    expectVerified(design, {Simulator::Verilator, 2, 8, true});
}

TEST_F(Verify, ABrokenWeightIsAMismatch) {
    const TestDesign design = test::convThenVector();
    const std::string folder = exportTo("broken", design);
    const std::string file = "rtl/conv_then_mv_unit_shared_weights.mem";
    const std::string first = test::readText(folder + "/" + file)->substr(0, 16);
    std::string other = first;
    other[15] = other[15] == '0' ? '1' : '0';
    patch(folder, file, first, other);
    const VerifyReport report = verified(folder, design, {Simulator::Icarus, 2, 1, false});
    EXPECT_FALSE(report.pass);
    ASSERT_FALSE(report.mismatches.empty());
    const hdl::VerifyMismatch& m = report.mismatches.front();
    EXPECT_EQ(m.output, "y");
    EXPECT_EQ(m.layer, std::get<design::ComputeStep>(design.schedule.steps[2]).layer);
    EXPECT_EQ(m.what, "element");
    EXPECT_NE(m.expected, m.got);
    EXPECT_GT(m.cycle, 0);
    EXPECT_EQ(m.expected, design.outputs()[0].data[static_cast<std::size_t>(m.index)]);
    EXPECT_TRUE(std::filesystem::exists(report.trace));
}

TEST_F(Verify, ABrokenStepTableIsAMismatchInVerilator) {
    const TestDesign design = test::convPoolRequant();
    const std::string folder = exportTo("broken", design);
    // The rounded shift of the requantisation takes bit 6: shift by one place less.
    patch(folder, "rtl/conv_pool_unit_conv_3x3_epilogue.v", "x[31:7]", "x[30:6]");
    const VerifyReport report = verified(folder, design, {Simulator::Verilator, 1, 1, true});
    EXPECT_FALSE(report.pass);
    EXPECT_GT(report.mismatchCount, 0);
    ASSERT_FALSE(report.mismatches.empty());
    EXPECT_NE(report.mismatches.front().expected, report.mismatches.front().got);
    EXPECT_TRUE(std::filesystem::exists(report.trace));
}

TEST_F(Verify, AWrongCycleCountDoesNotPass) {
    const TestDesign design = test::convPoolRequant();
    const std::string folder = exportTo("slow", design);
    patch(folder, "rtl/conv_pool_sequencer.v", "drain_cycles = 4'd13", "drain_cycles = 4'd14");
    const VerifyReport report = verified(folder, design, {Simulator::Icarus, 1, 1, true});
    EXPECT_EQ(report.mismatchCount, 0);
    EXPECT_FALSE(report.pass);
    EXPECT_EQ(report.cycles.front(), report.predictedCycles + 1);
}

TEST_F(Verify, ATamperedFileIsNamed) {
    const TestDesign design = test::convPoolRequant();
    const std::string folder = exportTo("tampered", design);
    ASSERT_TRUE(test::openedDesign(folder));
    ASSERT_TRUE(test::writeText(folder + "/rtl/conv_pool_top.v", "module x; endmodule\n"));
    const auto opened = test::openedDesign(folder);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().front().code, "export-damaged");
    EXPECT_NE(opened.error().front().message.find("conv_pool_top.v"), std::string::npos);
    EXPECT_NE(opened.error().front().message.find("hash mismatch"), std::string::npos);
    std::filesystem::remove(folder + "/rtl/conv_pool_top.v");
    EXPECT_EQ(test::openedDesign(folder).error().front().code, "export-damaged");
    EXPECT_EQ(test::openedDesign(path("nothing")).error().front().code, "export-missing");
}

TEST_F(Verify, StopsAtOnce) {
    const TestDesign design = test::convPoolRequant();
    const std::string folder = exportTo("stopped", design);
    std::stop_source source;
    source.request_stop();
    const auto report =
        hdl::verifyArtefact(*test::openedDesign(folder), design.program, {}, source.get_token());
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().front().code, "cancelled");
}

TEST_F(Verify, PredictsBeforeItSimulates) {
    const TestDesign design = test::convPoolRequant();
    std::vector<std::string> lines;
    const auto report =
        hdl::verifyArtefact(*test::openedDesign(exportTo("told", design)), design.program,
                            {Simulator::Icarus, 1, 1, true}, {},
                            [&](const std::string& line) { lines.push_back(line); });
    ASSERT_TRUE(report);
    ASSERT_GE(lines.size(), 2u);
    EXPECT_EQ(lines.front(), "predicted " + std::to_string(report->predictedCycles) + " cycles");
    EXPECT_EQ(lines.back(), "simulating");
}

TEST_F(Verify, CompilesTheRuntimeOnce) {
    ::setenv("XDG_CACHE_HOME", path("own").c_str(), 1);
    const TestDesign design = test::convPoolRequant();
    const std::string folder = exportTo("kept", design);
    const auto keptObject = [&] {
        for (const auto& entry :
             std::filesystem::directory_iterator(path("own/marquetry/verilator")))
            if (entry.path().filename().string().starts_with("verilated-"))
                return entry.path().string();
        return std::string();
    };
    EXPECT_TRUE(verified(folder, design, {Simulator::Verilator, 1, 1, true}).pass);
    const std::string kept = keptObject();
    const auto bytes = test::readText(kept);
    const auto written = std::filesystem::last_write_time(kept);
    EXPECT_TRUE(verified(folder, design, {Simulator::Verilator, 1, 1, true}).pass);
    EXPECT_EQ(std::filesystem::last_write_time(kept), written);
    ASSERT_TRUE(test::writeText(kept, bytes->substr(0, bytes->size() / 2)));
    EXPECT_TRUE(verified(folder, design, {Simulator::Verilator, 1, 1, true}).pass);
    EXPECT_EQ(test::readText(kept)->size(), bytes->size());
}

TEST_F(Verify, UnknownSimulator) {
    EXPECT_EQ(hdl::simulatorNamed("spice").error().front().code, "unknown-simulator");
    EXPECT_EQ(*hdl::simulatorNamed("iverilog"), Simulator::Icarus);
}

} // namespace marquetry
