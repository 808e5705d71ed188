// Extraction as a whole: designs against exhaustive enumeration, honest infeasible answers.
#include "engine/extract/extract.h"
#include "tests/extract/brute_force.h"
#include "tests/extract/params_within.h"
#include "tests/support/programs.h"
#include "tests/support/spaces.h"

#include "engine/design/cycle_model.h"
#include "engine/design/verify.h"
#include "engine/device/device_file.h"
#include "engine/egraph/saturate.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace marquetry {

using design::CostModel;
using design::Pin;
using design::PinKind;
using extract::ExtractParams;
using extract::ExtractStatus;

namespace {

extract::ExtractResult run(const rules::Lowered& lowered, const ExtractParams& params) {
    auto result = extract::extract(lowered, params);
    EXPECT_TRUE(result.has_value()) << format(result.error());
    return *std::move(result);
}

const char* const kTwoLayers = "design d { input x : i8[16] = zeros;"
                               " weight a : i8[16, 16] = zeros; weight b : i8[16, 16] = zeros;"
                               " output y = mv(b, requant(mv(a, x), shift: 4)); }";

/// Of a design whose factors have 8 bits: rows are built in pairs where they are priced so, and
/// nowhere else; how many units are.
int expectBuiltAsPriced(design::Design design, const device::Device& device) {
    int paired = 0;
    for (design::ScheduleUnit& unit : design.schedule->units) {
        const design::DesignUnit& priced = design.unit(unit.id);
        EXPECT_EQ(unit.pairsRows, !unit.pass && unit.parallel >= 2);
        paired += unit.pairsRows ? 1 : 0;
        if (unit.pass)
            continue;
        const std::int64_t blocks = (unit.parallel + 1) / 2 * priced.lanes;
        EXPECT_EQ(priced.resources.dsp, static_cast<double>(blocks));
        unit.pairsRows = !unit.pairsRows;
        const Status built = design::verifyDesign(design, device);
        EXPECT_TRUE(!built && built.error().front().code == "design-resources") << unit.name;
        unit.pairsRows = !unit.pairsRows;
    }
    return paired;
}

} // namespace

TEST(Extract, DesignsTakeTheLeastCyclesThereAre) {
    int compared = 0;
    for (std::uint64_t seed = 200; seed < 260; ++seed) {
        const rules::Lowered lowered =
            test::spaceOf(test::meetingProgramText(seed), CostModel::Cycles, {});
        SplitMix64 rng(seed);
        const ExtractParams params =
            test::paramsWithin(static_cast<double>(rng.range(4, 100)), CostModel::Cycles);
        test::BruteForce brute(lowered, {params.model, params.device, params.limits.dsp, true, {}});
        if (!brute.exhausted())
            continue;
        const extract::ExtractResult result = run(lowered, params);
        const auto best = brute.leastTime();
        ASSERT_EQ(result.design != nullptr, best.has_value()) << seed;
        if (!best)
            continue;
        ++compared;
        const design::Design& design = *result.design;
        EXPECT_EQ(result.status, ExtractStatus::Optimal) << seed;
        EXPECT_EQ(static_cast<double>(design.cycles - design.transferCycles), *best) << seed;
        EXPECT_LE(result.lowerBound, static_cast<double>(design.cycles));
        EXPECT_TRUE(design::verifyDesign(design, params.device).has_value());
        ASSERT_TRUE(design.schedule.has_value()) << design.notExportable;
        EXPECT_EQ(design::predictCycles(*design.schedule).total, design.cycles);
        EXPECT_LE(design.resources.dsp, params.limits.dsp);
    }
    EXPECT_GT(compared, 20);
}

TEST(Extract, PairedRowsAreBuiltAsTheyArePriced) {
    int pairs = 0;
    int compared = 0;
    for (std::uint64_t seed = 200; seed < 240; ++seed) {
        const rules::Lowered lowered =
            test::spaceOf(test::meetingProgramText(seed), CostModel::Cycles, {});
        SplitMix64 rng(seed);
        const ExtractParams params = test::paramsWithin(static_cast<double>(rng.range(4, 60)),
                                                        CostModel::Cycles, "xc7k160t");
        test::BruteForce brute(lowered, {params.model, params.device, params.limits.dsp, true, {}});
        if (!brute.exhausted())
            continue;
        const extract::ExtractResult result = run(lowered, params);
        const auto best = brute.leastTime();
        ASSERT_EQ(result.design != nullptr, best.has_value()) << seed;
        if (!best)
            continue;
        ++compared;
        const design::Design& design = *result.design;
        EXPECT_EQ(result.status, ExtractStatus::Optimal) << seed;
        EXPECT_EQ(static_cast<double>(design.cycles - design.transferCycles), *best) << seed;
        EXPECT_LE(design.resources.dsp, params.limits.dsp);
        EXPECT_TRUE(design::verifyDesign(design, params.device).has_value());
        ASSERT_TRUE(design.schedule.has_value()) << design.notExportable;
        pairs += expectBuiltAsPriced(design, params.device);
    }
    EXPECT_GT(compared, 12);
    EXPECT_GT(pairs, 12);
}

TEST(Extract, NamesTheLimitThatIsShort) {
    const rules::Lowered lowered = test::spaceOf(kTwoLayers, CostModel::Cycles, {});
    const auto codeWith = [&](auto change) {
        ExtractParams params = test::paramsWithin(1000, CostModel::Cycles);
        change(params);
        const extract::ExtractResult result = run(lowered, params);
        EXPECT_EQ(result.status, ExtractStatus::Infeasible);
        return result.infeasible.empty() ? "" : result.infeasible.front().code;
    };
    EXPECT_EQ(codeWith([](ExtractParams& p) { p.limits.dsp = 3; }), "limit-dsp");
    EXPECT_EQ(codeWith([](ExtractParams& p) { p.limits.bram = 1; }), "limit-bram");
    EXPECT_EQ(codeWith([](ExtractParams& p) { p.limits.lut = 10; }), "limit-lut");
    EXPECT_EQ(codeWith([](ExtractParams& p) { p.limits.ff = 10; }), "limit-ff");
    EXPECT_EQ(codeWith([](ExtractParams& p) { p.cyclesLimit = 5; }), "limit-cycles");
}

TEST(Extract, RefusesPinsThatNameNothing) {
    const rules::Lowered lowered = test::spaceOf(kTwoLayers, CostModel::Cycles, {});
    for (PinKind kind :
         {PinKind::Share, PinKind::NeverShare, PinKind::ForceTerm, PinKind::ForbidTerm}) {
        ExtractParams params = test::paramsWithin(100, CostModel::Cycles);
        params.pins = {{1, kind, "Mv 3×5", "", true}};
        const auto result = extract::extract(lowered, params);
        ASSERT_FALSE(result.has_value());
        EXPECT_EQ(result.error().front().code, "pin-unknown");
        params.pins.front().enabled = false;
        EXPECT_TRUE(extract::extract(lowered, params).has_value());
    }
}

TEST(Extract, AShareHoldsWhenItIsAskedForTwice) {
    const rules::Lowered lowered = test::spaceOf(kTwoLayers, CostModel::Cycles, {});
    ExtractParams params = test::paramsWithin(1000, CostModel::Cycles);
    params.pins = {{1, PinKind::Share, "Mv 16×16", "", true},
                   {2, PinKind::Share, "Mv 16×16", "", true}};
    const extract::ExtractResult result = run(lowered, params);
    ASSERT_NE(result.design, nullptr);
    EXPECT_EQ(result.design->units.size(), 1U);
}

TEST(Extract, ConflictingPinsAreMinimal) {
    const rules::Lowered lowered = test::spaceOf(kTwoLayers, CostModel::Cycles, {});
    int conflicts = 0;
    const std::string layer = lowered.plan.layers.back().name;
    const std::vector<Pin> pool = {
        {1, PinKind::Share, "Mv 16×16", "", true},
        {2, PinKind::NeverShare, "Mv 16×16", "", true},
        {3, PinKind::NeverShare, "Dot 16×16", "", true},
        {4, PinKind::ForbidTerm, "Mv", "", true},
        {5, PinKind::ForceTerm, "Mv", layer, true},
        {6, PinKind::ForceTerm, "TiledMvRows[8, 16]", layer, true},
        {7, PinKind::ForbidTerm, "TiledMvRows[8, 16]", "", true},
        {8, PinKind::Share, "Mv 8×16", "", true},
    };
    for (unsigned mask = 1; mask < (1U << pool.size()); ++mask) {
        ExtractParams params = test::paramsWithin(1000, CostModel::Cycles);
        for (std::size_t k = 0; k < pool.size(); ++k)
            if ((mask >> k & 1U) != 0)
                params.pins.push_back(pool[k]);
        const extract::ExtractResult result = run(lowered, params);
        if (result.design)
            continue;
        ++conflicts;
        ASSERT_EQ(result.infeasible.front().code, "pin-conflict") << mask;
        std::vector<Pin> blamed;
        for (const Pin& pin : params.pins)
            if (std::ranges::find(result.infeasible.front().notes, "pin: " + toString(pin)) !=
                result.infeasible.front().notes.end())
                blamed.push_back(pin);
        ASSERT_EQ(blamed.size(), result.infeasible.front().notes.size());
        params.pins = blamed;
        EXPECT_EQ(run(lowered, params).design, nullptr) << mask;
        for (std::size_t k = 0; k < blamed.size(); ++k) {
            params.pins = blamed;
            params.pins.erase(params.pins.begin() + static_cast<std::ptrdiff_t>(k));
            EXPECT_NE(run(lowered, params).design, nullptr) << mask << " " << toString(blamed[k]);
        }
    }
    EXPECT_GT(conflicts, 50);
}

TEST(Extract, ShowsTheTermsThatPinsAskFor) {
    const rules::Lowered lowered = test::spaceOf(kTwoLayers, CostModel::Cycles, {});
    const std::string layer = lowered.plan.layers.back().name;
    ExtractParams params = test::paramsWithin(1000, CostModel::Cycles);
    params.pins = {{2, PinKind::ForceTerm, "TiledMvRows[8, 16]", layer, true}};
    const extract::ExtractResult result = run(lowered, params);
    ASSERT_NE(result.design, nullptr);
    const design::DesignCall& call = result.design->calls.back();
    const std::string unit = result.design->units[call.unit.index()].term;
    const bool shown = unit.find("TiledMvRows[8, 16]") != std::string::npos ||
                       std::ranges::any_of(call.loops, [](const design::Loop& loop) {
                           return loop.term == "TiledMvRows[8, 16]";
                       });
    EXPECT_TRUE(shown) << unit;
}

TEST(Extract, APointIsRefusedWhenThereIsNoTimeToFindIt) {
    const rules::Lowered lowered = test::spaceOf(kTwoLayers, CostModel::Cycles, {});
    const ExtractParams params = test::paramsWithin(64, CostModel::Cycles);
    const auto points = run(lowered, params).points;
    ASSERT_FALSE(points.empty());
    std::stop_source source;
    source.request_stop();
    const auto stopped = extract::extractPoint(lowered, params, points[0], source.get_token());
    ASSERT_FALSE(stopped.has_value());
    EXPECT_EQ(stopped.error()[0].code, "extraction-stopped");
    EXPECT_TRUE(extract::extractPoint(lowered, params, points[0]).has_value());
}

TEST(Extract, IsDeterministic) {
    for (CostModel model : {CostModel::Cycles, CostModel::Published, CostModel::PublishedOpen}) {
        std::vector<extract::ExtractResult> results;
        for (int k = 0; k < 2; ++k)
            results.push_back(run(test::spaceOf(test::meetingProgramText(3), model, {}),
                                  test::paramsWithin(300, model)));
        ASSERT_NE(results[0].design, nullptr);
        const design::Design& a = *results[0].design;
        const design::Design& b = *results[1].design;
        EXPECT_EQ(a.cycles, b.cycles);
        ASSERT_EQ(a.units.size(), b.units.size());
        for (std::size_t u = 0; u < a.units.size(); ++u) {
            EXPECT_EQ(a.units[u].term, b.units[u].term);
            EXPECT_EQ(a.units[u].name, b.units[u].name);
        }
        EXPECT_EQ(results[0].points.size(), results[1].points.size());
        EXPECT_EQ(results[0].alternatives, results[1].alternatives);
    }
}

} // namespace marquetry
