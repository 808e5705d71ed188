// Random small programs from end to end: explored, scheduled, simulated, and some built in Verilog.
// What the hardware cannot do is refused with a reason; nothing is ever wrong.
#include "engine/design/cycle_model.h"
#include "engine/ir/interpreter.h"
#include "engine/session/explore.h"
#include "engine/session/export_design.h"
#include "engine/session/verify_export.h"
#include "tests/oracles/simulate.h"
#include "tests/support/cases.h"
#include "tests/support/programs.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace marquetry {

namespace {

namespace fs = std::filesystem;

constexpr int kVerified = 15;

std::string drawn(std::uint64_t seed) {
    SplitMix64 rng(seed);
    return test::randomProgramText(seed, {static_cast<int>(rng.range(1, 4)), 6, 20});
}

/// Budgets from a handful of blocks to plenty; sharing and fusion are switched off now and then.
session::Settings settingsFor(std::uint64_t seed) {
    SplitMix64 rng(seed + 1'000'000);
    session::Settings settings;
    const double budgets[] = {4, 16, 64, 1518};
    settings.limits["dsp"] = budgets[rng.range(0, 3)];
    settings.device = rng.range(0, 1) == 0 ? "arria10" : "xc7k160t";
    settings.maxIterations = 6;
    if (rng.range(0, 4) == 0)
        settings.without = {"sharing"};
    if (rng.range(0, 2) == 0)
        settings.without.push_back("fusion");
    return settings;
}

void expectSame(const ir::Program& program, const design::Schedule& schedule,
                const std::string& text) {
    const auto expected = ir::interpret(program, {});
    ASSERT_TRUE(expected.has_value()) << text;
    const auto got = design::simulate(schedule, program, expected->values);
    ASSERT_EQ(got.size(), program.outputs.size()) << text;
    for (std::size_t k = 0; k < got.size(); ++k)
        EXPECT_EQ(got[k], expected->values[program.outputs[k].value.index()])
            << text << "output " << program.outputs[k].name;
}

std::string reasonsOf(const Diagnostics& diagnostics) {
    std::string reasons;
    for (const Diagnostic& diagnostic : diagnostics) {
        EXPECT_FALSE(diagnostic.code.empty());
        EXPECT_FALSE(diagnostic.message.empty());
        reasons += diagnostic.code + " ";
    }
    return reasons;
}

bool hasIcarus() {
    return std::system("iverilog -V >/dev/null 2>&1") == 0;
}

} // namespace

TEST(RandomPrograms, DesignsComputeWhatTheProgramSays) {
    int designs = 0;
    int shared = 0;
    const auto programs = static_cast<std::uint64_t>(test::cases(60, 400));
    for (std::uint64_t seed = 0; seed < programs && !HasFailure(); ++seed) {
        const std::string text = drawn(seed);
        const auto program = test::programOf(text);
        const auto explored = session::explore(program, settingsFor(seed), {});
        if (!explored) {
            for (const Diagnostic& error : explored.error()) {
                EXPECT_EQ(error.code, "unsupported-op") << text;
                EXPECT_TRUE(error.range.known()) << text;
            }
            continue;
        }
        if (!explored->extraction.design) {
            EXPECT_NE(reasonsOf(explored->extraction.infeasible), "") << text;
            continue;
        }
        const design::Design& design = *explored->extraction.design;
        if (!design.schedule) {
            EXPECT_NE(design.notExportable, "") << text;
            continue;
        }
        ++designs;
        for (const design::DesignUnit& unit : design.units)
            shared += unit.shared && unit.multipliers > 0;
        EXPECT_EQ(design.cycles, design::predictCycles(*design.schedule).total) << text;
        expectSame(*program, *design.schedule, text);
    }
    EXPECT_GT(designs, test::cases(20, 150));
    EXPECT_GT(shared, test::cases(2, 20));
}

TEST(RandomPrograms, ExportsVerifyOrAreRefusedWithAReason) {
    ASSERT_TRUE(hasIcarus()) << "test.sh installs iverilog";
    const test::TemporaryFolder root;
    int verified = 0;
    for (std::uint64_t seed = 5000; verified < kVerified && !HasFailure(); ++seed) {
        ASSERT_LT(seed, 5200U) << "too few of the programs can be exported";
        const std::string text = drawn(seed);
        const auto program = test::programOf(text);
        const auto explored = session::explore(program, settingsFor(seed), {});
        if (!explored || !explored->extraction.design)
            continue;
        const design::Design& design = *explored->extraction.design;
        const std::string folder = root / std::to_string(seed);
        const auto request = session::makeExportRequest(design, *program, text, {});
        if (!request) {
            EXPECT_EQ(request.error().front().code, "not-exportable");
            continue;
        }
        if (const auto report = hdl::exportArtefact(hdl::designArtefact(*request), folder);
            !report) {
            EXPECT_EQ(report.error().front().code, "hdl-unsupported") << reasonsOf(report.error());
            EXPECT_FALSE(fs::exists(folder));
            continue;
        }
        hdl::VerifyParams params;
        params.simulator = hdl::Simulator::Icarus;
        params.vectors = 2;
        params.seed = seed;
        const auto report = session::verifyExport(folder, params);
        ASSERT_TRUE(report.has_value()) << text << format(report.error());
        EXPECT_TRUE(report->pass) << text;
        EXPECT_EQ(report->mismatchCount, 0) << text;
        EXPECT_EQ(report->cycles, std::vector<std::int64_t>(2, design.cycles)) << text;
        ++verified;
    }
}

// A product with weights runs on a convolution's unit, one pixel per row of its left matrix.
TEST(Products, OfMatricesAreExportedAndVerified) {
    ASSERT_TRUE(hasIcarus()) << "test.sh installs iverilog";
    const std::string text =
        "design products { input x : i8[4, 5, 11] = random(seed: 1);"
        " weight a : i8[10, 11] = random(seed: 2); weight b : i8[10, 10] = random(seed: 3);"
        " weight c : i8[10, 3, 3, 11] = random(seed: 4, lo: -8, hi: 8);"
        " output k = requant(conv(x, c, pad: 1), shift: 7);"
        " let p = relu(requant(mm(reshape(x, dims: [20, 11]), a), shift: 9));"
        " output q = relu(requant(add(requant(mm(p, b), shift: 9), p), shift: 1)); }";
    const auto program = test::programOf(text);
    session::Settings settings;
    settings.limits["dsp"] = 32;
    const auto explored = session::explore(program, settings, {});
    ASSERT_TRUE(explored.has_value()) << format(explored.error());
    ASSERT_NE(explored->extraction.design, nullptr);
    const design::Design& design = *explored->extraction.design;
    const auto request = session::makeExportRequest(design, *program, text, {});
    ASSERT_TRUE(request.has_value()) << format(request.error());
    const test::TemporaryFolder place;
    const std::string folder = place / "export";
    const auto exported = hdl::exportArtefact(hdl::designArtefact(*request), folder);
    ASSERT_TRUE(exported.has_value()) << format(exported.error());
    hdl::VerifyParams params;
    params.simulator = hdl::Simulator::Icarus;
    params.vectors = 2;
    const auto report = session::verifyExport(folder, params);
    ASSERT_TRUE(report.has_value()) << format(report.error());
    EXPECT_TRUE(report->pass);
    EXPECT_EQ(report->cycles, std::vector<std::int64_t>(2, design.cycles));
}

} // namespace marquetry
