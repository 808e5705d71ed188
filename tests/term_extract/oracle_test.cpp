#include "tests/term_extract/random_problem.h"

#include "engine/term_extract/bound.h"
#include "engine/term_extract/branch_and_bound.h"
#include "engine/term_extract/extract.h"
#include "engine/term_extract/greedy.h"
#include "engine/term_extract/local_search.h"
#include "engine/term_extract/reduce.h"
#include "engine/term_extract/tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace marquetry::term_extract {
namespace {

std::vector<RandomShape> shapes() {
    return {
        {.classes = 7, .nodes = 3, .children = 2},
        {.classes = 9, .nodes = 3, .children = 3, .roots = 3},
        {.classes = 9, .nodes = 4, .children = 3, .highest = 2},
        {.classes = 8, .nodes = 3, .children = 3, .lowest = -6, .highest = 6},
        {.classes = 10, .nodes = 3, .children = 2, .lowest = -3, .highest = 1, .roots = 1},
        {.classes = 12, .nodes = 3, .children = 3, .cycles = false},
        {.classes = 12, .nodes = 3, .children = 4, .lowest = -5, .highest = 5, .cycles = false},
        {.classes = 9, .nodes = 3, .children = 3, .lowest = -2, .highest = 7, .unit = 0.1},
    };
}

/// Calls f(problem, least DAG cost) for `rounds` problems of every shape that have a term.
template <class F>
int forRandomProblems(int rounds, std::uint64_t seed, F&& f) {
    int count = 0;
    SplitMix64 rng(seed);
    for (const RandomShape& shape : shapes())
        for (int round = 0; round < rounds; ++round) {
            const SelectionProblem problem = randomProblem(shape, rng);
            const auto least = BruteForce(problem).leastDagCost();
            const Status sound = check(problem);
            EXPECT_EQ(sound.has_value(), least.has_value());
            if (!least) {
                EXPECT_EQ(sound.error()[0].code, "extract-no-term");
                continue;
            }
            ++count;
            f(problem, *least);
            if (testing::Test::HasFailure())
                return count;
        }
    return count;
}

TermExtractResult extracted(const SelectionProblem& problem, const TermExtractParams& params) {
    const auto result = extract(problem, params, {});
    EXPECT_TRUE(result.has_value());
    EXPECT_TRUE(verify(problem, *result));
    return *result;
}

TEST(ExactExtraction, EqualsBruteForce) {
    TermExtractParams params;
    params.localSteps = 2'000;
    const int count = forRandomProblems(400, 1, [&](const SelectionProblem& problem, double least) {
        const TermExtractResult result = extracted(problem, params);
        EXPECT_NEAR(result.dagCost, least, 1e-9);
        EXPECT_NEAR(result.lowerBound, least, 1e-9);
        EXPECT_TRUE(result.optimal);
    });
    EXPECT_GT(count, 2'000);
}

TEST(ExactExtraction, BranchAndBoundAloneEqualsBruteForce) {
    const int count = forRandomProblems(100, 2, [&](const SelectionProblem& problem, double least) {
        const BranchResult result = branchAndBound(problem, {}, {});
        ASSERT_TRUE(result.complete);
        ASSERT_TRUE(verify(problem, result.best));
        EXPECT_NEAR(dagCost(problem, result.best), least, 1e-9);
        const double tolerance = 1e-9 * std::max(1.0, std::abs(least));
        EXPECT_TRUE(branchAndBound(problem, {least - tolerance}, {}).best.empty());
        EXPECT_FALSE(branchAndBound(problem, {least + 0.05}, {}).best.empty());
    });
    EXPECT_GT(count, 500);
}

TEST(ExactExtraction, TheMilpAloneEqualsBruteForce) {
    TermExtractParams params;
    params.useBranchAndBound = false;
    params.localSteps = 0;
    int programmes = 0;
    forRandomProblems(60, 3, [&](const SelectionProblem& problem, double least) {
        const TermExtractResult result = extracted(problem, params);
        EXPECT_NEAR(result.dagCost, least, 1e-9);
        EXPECT_TRUE(result.optimal) << result.lowerBound << " " << result.dagCost;
        programmes += result.stats.parts > 0;
    });
    EXPECT_GT(programmes, 50);
}

TEST(Reduction, KeepsTheLeastCost) {
    int left = 0;
    forRandomProblems(100, 4, [&](const SelectionProblem& problem, double least) {
        for (const double slack : {1e300, 1.0, 0.05}) {
            const Reduction reduction = reduce(problem, {least + slack}, {});
            ASSERT_FALSE(reduction.hopeless);
            const auto rest = BruteForce(reduction.problem).leastDagCost();
            ASSERT_TRUE(rest.has_value());
            EXPECT_NEAR(*rest + reduction.fixedCost, least, 1e-9);
            ASSERT_TRUE(check(reduction.problem).has_value());
            const Selection reduced = extractTree(reduction.problem);
            const Selection expanded = reduction.expand(problem, reduced);
            ASSERT_TRUE(verify(problem, expanded));
            EXPECT_LE(dagCost(problem, expanded),
                      dagCost(reduction.problem, reduced) + reduction.fixedCost + 1e-9);
            left += reduction.problem.classCount() > 0;
        }
    });
    EXPECT_GT(left, 100);
}

TEST(SplitBound, IsBelowEveryTerm) {
    double sum = 0;
    double least = 0;
    forRandomProblems(200, 5, [&](const SelectionProblem& problem, double optimum) {
        const double bound = splitBound(problem, strongComponents(problem)).total;
        EXPECT_LE(bound, optimum + 1e-9);
        sum += problem.cost.empty() ? 0 : std::max(bound, 0.0);
        least += std::max(optimum, 0.0);
    });
    EXPECT_GT(sum, 0.5 * least); // and says something
}

TEST(Heuristics, GiveTermsBetweenTheOptimumAndTheTree) {
    int best = 0;
    const int count = forRandomProblems(100, 6, [&](const SelectionProblem& problem, double least) {
        const Selection tree = extractTree(problem);
        const Selection greedy = extractGreedy(problem);
        const Selection local = searchLocally(problem, tree, {.steps = 20'000}, {});
        ASSERT_TRUE(verify(problem, tree) && verify(problem, greedy) && verify(problem, local));
        EXPECT_LE(dagCost(problem, greedy), dagCost(problem, tree) + 1e-9);
        EXPECT_LE(dagCost(problem, local), dagCost(problem, tree) + 1e-9);
        EXPECT_GE(dagCost(problem, greedy), least - 1e-9);
        EXPECT_GE(dagCost(problem, local), least - 1e-9);
        best += dagCost(problem, local) <= least + 1e-9;
    });
    EXPECT_GT(best, count * 8 / 10);
}

TEST(GreedyMethod, IsBetweenTheOptimumAndPlainGreedyAndSaysWhatItKnows) {
    int best = 0;
    const int count = forRandomProblems(300, 8, [&](const SelectionProblem& problem, double least) {
        const auto result = extract(problem, {.method = TermMethod::Greedy}, {});
        ASSERT_TRUE(result.has_value() && verify(problem, *result));
        EXPECT_LE(result->dagCost, dagCost(problem, extractGreedy(problem)) + 1e-9);
        EXPECT_GE(result->dagCost, least - 1e-9);
        EXPECT_LE(result->lowerBound, least + 1e-9);
        EXPECT_TRUE(!result->optimal || result->dagCost <= least + 1e-9);
        best += result->dagCost <= least + 1e-9;
    });
    EXPECT_GT(best, count * 8 / 10);
}

/// Least tree cost by rounds of relaxation over terms of growing depth.
TEST(TreeExtraction, IsOptimalForCostsThatAreNotNegative) {
    forRandomProblems(100, 7, [&](const SelectionProblem& problem, double) {
        if (std::any_of(problem.cost.begin(), problem.cost.end(),
                        [](double cost) { return cost < 0; }))
            return;
        const double infinity = std::numeric_limits<double>::infinity();
        std::vector<double> cost(problem.classCount(), infinity);
        for (std::size_t round = 0; round < problem.classCount(); ++round)
            for (ClassIndex c = 0; c < problem.classCount(); ++c)
                for (NodeIndex n = problem.nodeBegin[c]; n < problem.nodeBegin[c + 1]; ++n) {
                    double sum = problem.cost[n];
                    for (const ClassIndex child : problem.children(n))
                        sum += cost[child];
                    cost[c] = std::min(cost[c], sum);
                }
        double expected = 0;
        for (const ClassIndex root : problem.roots)
            expected += cost[root];
        EXPECT_NEAR(treeCost(problem, extractTree(problem)), expected, 1e-9);
    });
}

TEST(ExactExtraction, IsDeterministic) {
    SplitMix64 rng(8);
    for (int round = 0; round < 20; ++round) {
        const SelectionProblem problem =
            randomProblem({.classes = 60, .nodes = 4, .children = 3, .lowest = -2}, rng);
        const auto first = extract(problem, {.localSteps = 10'000}, {});
        const auto second = extract(problem, {.localSteps = 10'000}, {});
        ASSERT_EQ(first.has_value(), second.has_value());
        if (first) {
            EXPECT_EQ(first->selection, second->selection);
        }
    }
}

} // namespace
} // namespace marquetry::term_extract
