#include "engine/milp/solve.h"

#include "tests/milp/hard_cover.h"
#include "tests/support/effort.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <csignal>

namespace marquetry::milp {
namespace {

SolveResult solved(const Model& model, const SolveParams& params = {}, std::stop_token stop = {}) {
    const auto result = solve(model, params, stop);
    EXPECT_TRUE(result.has_value()) << (result ? "" : format(result.error()));
    return result.value_or(SolveResult{});
}

TEST(Milp, KnapsackHasItsOptimum) {
    Model model;
    const auto a = model.addBinary(-10), b = model.addBinary(-13), c = model.addBinary(-7);
    model.addAtMost({{a, 3}, {b, 4}, {c, 2}}, 6);
    const SolveResult result = solved(model);
    EXPECT_EQ(result.outcome, SolveStatus::Optimal);
    EXPECT_EQ(result.objective, -20);
    EXPECT_EQ(result.bound, -20);
    EXPECT_THAT(result.values, testing::ElementsAre(0, 1, 1));
}

TEST(Milp, IntegersAndContinuousVariablesMix) {
    Model model; // least 2x + y with x ≥ 1.5 integer, x + y ≥ 4.25
    const auto x = model.addInteger(1.5, 100, 2);
    const auto y = model.addContinuous(0, kInfinity, 1);
    model.addAtLeast({{x, 1}, {y, 1}}, 4.25);
    const SolveResult result = solved(model);
    ASSERT_EQ(result.outcome, SolveStatus::Optimal);
    EXPECT_EQ(result.values[0], 2);
    EXPECT_NEAR(result.values[1], 2.25, 1e-9);
}

TEST(Milp, LinearProgrammesNeedNoIntegers) {
    Model model;
    const auto x = model.addContinuous(0, 10, -1), y = model.addContinuous(-5, 5, 2);
    model.addEqual({{x, 1}, {y, -2}}, 4);
    const SolveResult result = solved(model); // -x + 2y = -4 on the row
    EXPECT_EQ(result.outcome, SolveStatus::Optimal);
    EXPECT_NEAR(result.objective, -4, 1e-9);
}

TEST(Milp, RepeatedTermsAddUp) {
    Model model;
    const auto x = model.addInteger(0, 10, -1);
    model.addAtMost({{x, 1}, {x, 1}}, 9);
    EXPECT_EQ(solved(model).objective, -4);
}

TEST(Milp, InfeasibleAndUnboundedAreSaid) {
    Model infeasible;
    const auto x = infeasible.addBinary(1), y = infeasible.addBinary(1);
    infeasible.addAtLeast({{x, 1}, {y, 1}}, 3);
    const SolveResult none = solved(infeasible);
    EXPECT_EQ(none.outcome, SolveStatus::Infeasible);
    EXPECT_EQ(none.bound, kInfinity);
    EXPECT_TRUE(none.values.empty());
    Model hidden; // 2x = 1 + 2y has a relaxation but no integers
    const auto p = hidden.addInteger(0, 50), q = hidden.addInteger(0, 50, 1);
    hidden.addEqual({{p, 2}, {q, -2}}, 1);
    EXPECT_EQ(solved(hidden).outcome, SolveStatus::Infeasible);
    Model linear;
    const auto z = linear.addContinuous(0, 1);
    linear.addAtLeast({{z, 1}}, 2);
    EXPECT_EQ(solved(linear).outcome, SolveStatus::Infeasible);
    Model unbounded;
    unbounded.addContinuous(-kInfinity, kInfinity, 1);
    EXPECT_EQ(solved(unbounded).outcome, SolveStatus::Unbounded);
    Model unboundedInteger;
    unboundedInteger.addInteger(-kInfinity, kInfinity, 1);
    EXPECT_EQ(solved(unboundedInteger).outcome, SolveStatus::Unbounded);
}

TEST(Milp, EmptyModelsAreOptimal) {
    EXPECT_EQ(solved(Model{}).outcome, SolveStatus::Optimal);
    Model fixed;
    fixed.addInteger(3, 3, 2);
    EXPECT_EQ(solved(fixed).objective, 6);
}

/// All assignments of small integer programmes, with equalities, ranges and negative costs.
TEST(Milp, AgreesWithEnumeration) {
    SplitMix64 rng(11);
    int infeasible = 0;
    for (int round = 0; round < 150; ++round) {
        Model model;
        const int n = static_cast<int>(rng.range(2, 6));
        std::vector<VariableId> x;
        for (int i = 0; i < n; ++i)
            x.push_back(model.addInteger(static_cast<double>(rng.range(-2, 0)),
                                         static_cast<double>(rng.range(0, 2)),
                                         static_cast<double>(rng.range(-5, 5))));
        for (std::int64_t r = rng.range(1, 4); r > 0; --r) {
            std::vector<LinearTerm> terms;
            for (const VariableId id : x)
                terms.push_back({id, static_cast<double>(rng.range(-3, 3))});
            const auto low = static_cast<double>(rng.range(-4, 3));
            model.addRow(low, terms, low + static_cast<double>(rng.range(0, 3)));
        }
        double best = kInfinity;
        std::vector<double> values(x.size(), 0);
        const auto count = static_cast<int>(std::pow(5, n));
        for (int code = 0; code < count; ++code) {
            for (int i = 0, rest = code; i < n; ++i, rest /= 5)
                values[static_cast<std::size_t>(i)] = rest % 5 - 2;
            if (verify(model, values))
                best = std::min(best, objectiveOf(model, values));
        }
        const SolveResult result = solved(model);
        infeasible += best == kInfinity;
        EXPECT_EQ(result.outcome,
                  best == kInfinity ? SolveStatus::Infeasible : SolveStatus::Optimal);
        EXPECT_EQ(result.objective, best) << "round " << round;
        if (best < kInfinity) {
            EXPECT_TRUE(verify(model, result.values));
        }
    }
    EXPECT_GT(infeasible, 10);
    EXPECT_LT(infeasible, 140);
}

TEST(Milp, AStartIsNeverLost) {
    const Model model = hardCover(250, 400, 5);
    SolveParams params;
    params.start.assign(250, 1.0);
    params.seconds = 0;
    const SolveResult kept = solved(model, params);
    EXPECT_LE(kept.objective, 250);
    EXPECT_TRUE(verify(model, kept.values));
    EXPECT_LE(kept.bound, kept.objective);
}

TEST(Milp, OnlyAssignmentsBelowTheCutoffCount) {
    const Model model = hardCover(40, 60, 4);
    const double best = solved(model).objective;
    for (const double cutoff : {best - 3, best - 0.5, best, best + 0.5, best + 20}) {
        SolveParams params;
        params.cutoff = cutoff;
        const SolveResult result = solved(model, params);
        EXPECT_EQ(result.outcome, cutoff > best ? SolveStatus::Optimal : SolveStatus::Infeasible);
        EXPECT_EQ(result.objective, cutoff > best ? best : kInfinity) << cutoff;
    }
}

TEST(Milp, LimitsAreHonoured) {
    const Model model = hardCover(150, 240, 9);
    SolveResult result;
    SolveParams nodes;
    nodes.maxNodes = 0;
    const auto root = test::effortOf([&] { result = solved(model, nodes); });
    EXPECT_EQ(result.outcome, SolveStatus::Feasible);
    EXPECT_GT(result.bound, 0);
    EXPECT_LT(result.bound, result.objective);
    EXPECT_TRUE(verify(model, result.values));
    SolveParams time;
    time.seconds = 0;
    EXPECT_LT(test::effortOf([&] { result = solved(model, time); }), 0.5 * root);
    EXPECT_EQ(result.stats.nodes, 0);
}

TEST(Milp, TooLittleTimeProvesNothing) {
    const Model model = hardCover(150, 240, 9);
    SolveResult result;
    SolveParams params;
    // The limit falls into every stage of the solve until one comes to an assignment; the end of
    // the search is far off.
    for (params.seconds = 1e-3; result.outcome == SolveStatus::Limit; params.seconds *= 1.2)
        result = solved(model, params);
    EXPECT_EQ(result.outcome, SolveStatus::Feasible);
    EXPECT_LT(result.bound, result.objective);
    EXPECT_TRUE(verify(model, result.values));
}

TEST(Milp, TheTokenEndsARunningSolve) {
    const Model model = hardCover(100, 160, 3);
    SolveParams nodes;
    nodes.maxNodes = 0;
    const test::Effort root = test::effortOf([&] { solved(model, nodes); });
    for (const double share : {0.1, 0.5, 1.0}) {
        const auto after = test::leastEffortAfterStop(2, share * root, [&](std::stop_token stop) {
            const auto outcome = solved(model, {}, stop).outcome;
            EXPECT_TRUE(outcome == SolveStatus::Feasible || outcome == SolveStatus::Limit);
        });
        ASSERT_TRUE(after.has_value());
        EXPECT_LT(*after, 0.3 * root) << share << " of " << root;
    }
    std::stop_source before;
    before.request_stop();
    EXPECT_EQ(solved(model, {}, before.get_token()).outcome, SolveStatus::Limit);
}

TEST(Milp, IsSilentAndLeavesTheInterruptHandlerAlone) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    SolveParams params;
    params.seconds = 0.5;
    params.start.assign(100, 1.0);
    solved(hardCover(100, 200, 1), params);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    struct sigaction action = {};
    sigaction(SIGINT, nullptr, &action);
    EXPECT_EQ(action.sa_handler, SIG_DFL);
}

TEST(Milp, SameModelSameAnswer) {
    const Model model = hardCover(60, 90, 2);
    const SolveResult first = solved(model);
    const SolveResult second = solved(model);
    EXPECT_EQ(first.outcome, SolveStatus::Optimal);
    EXPECT_EQ(first.values, second.values);
    EXPECT_EQ(first.stats.nodes, second.stats.nodes);
}

TEST(MilpErrors, BadModelsAreNamed) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto code = [](const Model& model, std::vector<double> start = {}) {
        SolveParams params;
        params.start = std::move(start);
        const auto result = solve(model, params, {});
        return result ? std::string("fine") : result.error()[0].code;
    };
    Model bounds;
    bounds.addContinuous(2, 1);
    EXPECT_EQ(code(bounds), "milp-bad-model");
    Model cost;
    cost.addContinuous(0, 1, nan);
    EXPECT_EQ(code(cost), "milp-bad-model");
    Model row;
    row.addRow(nan, {}, 1);
    EXPECT_EQ(code(row), "milp-bad-model");
    Model stranger;
    stranger.addAtMost({{VariableId{3}, 1}}, 1);
    EXPECT_EQ(code(stranger), "milp-bad-model");
    Model coefficient;
    const auto x = coefficient.addBinary();
    coefficient.addAtMost({{x, kInfinity}}, 1);
    EXPECT_EQ(code(coefficient), "milp-bad-model");
    Model start;
    const auto y = start.addBinary();
    start.addAtMost({{y, 1}}, 0);
    EXPECT_EQ(code(start, {1}), "milp-bad-start");
    EXPECT_EQ(code(start, {0.5}), "milp-bad-start");
    EXPECT_EQ(code(start, {0, 0}), "milp-bad-start");
}

} // namespace
} // namespace marquetry::milp
