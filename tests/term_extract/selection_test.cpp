#include "engine/term_extract/build.h"
#include "engine/term_extract/extract.h"
#include "engine/term_extract/tree.h"

#include "tests/support/effort.h"
#include "tests/term_extract/random_problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

namespace marquetry::term_extract {
namespace {

using Nodes = std::vector<std::pair<double, std::vector<ClassIndex>>>;

SelectionProblem problemOfClasses(const std::vector<Nodes>& classes,
                                  std::vector<ClassIndex> roots = {0}) {
    SelectionProblem problem;
    for (const Nodes& nodes : classes) {
        problem.addClass();
        for (const auto& [cost, children] : nodes)
            problem.addNode(cost, children);
    }
    problem.roots = std::move(roots);
    return problem;
}

std::string codeOf(const SelectionProblem& problem) {
    const Status sound = check(problem);
    return sound ? "fine" : sound.error()[0].code;
}

TEST(Selection, CheckNamesWhatIsWrong) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(codeOf(problemOfClasses({{{1, {}}}})), "fine");
    EXPECT_EQ(codeOf(problemOfClasses({}, {})), "fine");
    EXPECT_EQ(codeOf(problemOfClasses({{{1, {7}}}})), "extract-bad-problem");
    EXPECT_EQ(codeOf(problemOfClasses({{{1, {}}}}, {1})), "extract-bad-problem");
    EXPECT_EQ(codeOf(problemOfClasses({{{nan, {}}}})), "extract-bad-cost");
    EXPECT_EQ(codeOf(problemOfClasses({{{-INFINITY, {}}}})), "extract-bad-cost");
    EXPECT_EQ(codeOf(problemOfClasses({{}})), "extract-no-term");
    EXPECT_EQ(codeOf(problemOfClasses({{{1, {0}}}})), "extract-no-term");
    EXPECT_EQ(codeOf(problemOfClasses({{{1, {1}}}, {{1, {0}}}})), "extract-no-term");
    SelectionProblem torn = problemOfClasses({{{1, {}}}});
    torn.nodeBegin.back() = 2;
    EXPECT_EQ(codeOf(torn), "extract-bad-problem");
    for (const TermMethod method : {TermMethod::Tree, TermMethod::Greedy, TermMethod::Exact})
        EXPECT_FALSE(extract(problemOfClasses({{{1, {0}}}}), {.method = method}, {}).has_value());
}

TEST(Selection, VerifyRefusesWhatIsNoTerm) {
    const SelectionProblem problem =
        problemOfClasses({{{1, {1, 2}}}, {{1, {2}}, {5, {}}}, {{1, {1}}, {7, {}}}});
    EXPECT_TRUE(verify(problem, Selection{0, 1, 4}));
    EXPECT_TRUE(verify(problem, Selection{0, 2, 3}));
    EXPECT_FALSE(verify(problem, Selection{0, 1, 3}));     // 1 and 2 need each other
    EXPECT_FALSE(verify(problem, Selection{0, 1, 5}));     // no such node
    EXPECT_FALSE(verify(problem, Selection{0, 1, 4, 0}));  // too long
    EXPECT_FALSE(verify(problem, Selection{0, 1, kNone})); // a child is missing
    EXPECT_FALSE(verify(problem, Selection{kNone, 1, 4})); // the root is missing
    EXPECT_FALSE(verify(problem, Selection{0, 3, 3}));     // a node of another class
    const SelectionProblem loop = problemOfClasses({{{1, {1}}, {9, {}}}, {{1, {0}}, {9, {}}}});
    EXPECT_FALSE(verify(loop, Selection{0, 2}));
    EXPECT_TRUE(verify(loop, Selection{0, 3}));
    EXPECT_FALSE(verify(loop, Selection{1, 3})); // class 1 is not used
}

TEST(Selection, CostsCountSharedPartsOnceOrEveryTime) {
    const SelectionProblem problem =
        problemOfClasses({{{1, {1, 1, 2}}}, {{2, {2}}}, {{4, {}}}}, {0, 2});
    const Selection all = {0, 1, 2};
    EXPECT_EQ(dagCost(problem, all), 7);
    EXPECT_EQ(treeCost(problem, all), 1 + 2 * (2 + 4) + 4 + 4);
}

TEST(TreeExtraction, DeepSharingDoesNotOverflow) {
    SelectionProblem problem;
    constexpr ClassIndex kDepth = 5'000;
    for (ClassIndex c = 0; c < kDepth; ++c) {
        problem.addClass();
        problem.addNode(1, std::vector<ClassIndex>{c + 1, c + 1});
    }
    problem.addClass();
    problem.addNode(1, {});
    problem.roots = {0};
    for (const TermMethod method : {TermMethod::Tree, TermMethod::Greedy, TermMethod::Exact}) {
        const auto result = extract(problem, {.method = method}, {});
        ASSERT_TRUE(result.has_value());
        EXPECT_TRUE(verify(problem, *result));
        EXPECT_EQ(result->dagCost, kDepth + 1);
    }
}

/// The best term is found where a cycle of negative nodes would make tree costs endless.
TEST(ExactExtraction, NegativeCyclesHaveATerm) {
    const SelectionProblem problem = problemOfClasses(
        {{{-5, {1}}, {0, {}}}, {{-7, {0}}, {1, {}}, {-1, {2}}}, {{3, {}}, {-4, {0}}}}, {0});
    EXPECT_EQ(BruteForce(problem).leastDagCost(), -4);
    const auto result = extract(problem, {}, {});
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->dagCost, -4);
    EXPECT_TRUE(result->optimal);
    EXPECT_TRUE(verify(problem, extractTree(problem)));
}

TEST(ExactExtraction, LargeAndSmallCostsMix) {
    const SelectionProblem problem =
        problemOfClasses({{{1e12, {1}}, {1e12, {2}}}, {{1e-3, {}}}, {{2e-3, {}}}});
    const auto result = extract(problem, {}, {});
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->selection[0], 0U);
}

TEST(ExactExtraction, TimeLimitGivesATermAndABound) {
    const SelectionProblem problem = hardProblem();
    const auto result = extract(problem, {.seconds = 0.5}, {});
    ASSERT_TRUE(result.has_value());
    EXPECT_TRUE(verify(problem, *result));
    EXPECT_LE(result->lowerBound, result->dagCost);
    const auto none = extract(problem, {.seconds = 0}, {});
    ASSERT_TRUE(none.has_value());
    EXPECT_TRUE(verify(problem, *none));
    EXPECT_EQ(none->outcome, TermOutcome::TimeLimit);
    EXPECT_LE(none->stats.branchSteps, 4U);
    EXPECT_EQ(none->stats.milpNodes, 0);
}

TEST(ExactExtraction, TheTokenEndsIt) {
    const SelectionProblem problem = hardProblem();
    constexpr double kNever = std::numeric_limits<double>::infinity();
    const test::Effort some = test::effortOf([&] {
        (void)extract(
            problem, {.seconds = kNever, .branchSteps = 10, .localSteps = 20'000, .useMilp = false},
            {});
    });
    for (const double share : {0.2, 0.7}) {
        const auto after = test::leastEffortAfterStop(2, share * some, [&](std::stop_token stop) {
            const auto result = extract(problem, {.seconds = kNever}, stop);
            ASSERT_TRUE(result.has_value());
            EXPECT_TRUE(verify(problem, *result));
            EXPECT_EQ(result->outcome, TermOutcome::Cancelled);
        });
        ASSERT_TRUE(after.has_value());
        EXPECT_LT(*after, 0.5 * some) << share << " of " << some;
    }
    std::stop_source before;
    before.request_stop();
    const auto none = extract(problem, {.seconds = kNever}, before.get_token());
    ASSERT_TRUE(none.has_value());
    EXPECT_LE(none->stats.branchSteps, 4U);
}

TEST(Files, BecomeProblems) {
    const auto problemOfText = [](const std::string& text) {
        const auto graph = egraph::parseJson(text);
        EXPECT_TRUE(graph.has_value());
        return problemOf(*graph);
    };
    const auto good = problemOfText(R"({"nodes": {
        "f": {"op": "f", "children": ["a", "b", "a"], "eclass": "F", "cost": 2},
        "a": {"op": "a", "children": [], "eclass": "A", "cost": -1},
        "b": {"op": "b", "children": [], "eclass": "B"},
        "c": {"op": "c", "children": [], "eclass": "A", "cost": -9, "subsumed": true}},
        "root_eclasses": ["F"]})");
    ASSERT_TRUE(good.has_value());
    EXPECT_EQ(good->problem.nodeCount(), 3U);
    EXPECT_THAT(good->problem.children(0), testing::ElementsAre(1, 2, 1));
    EXPECT_THAT(good->eclass, testing::ElementsAre("F", "A", "B"));
    EXPECT_EQ(extract(good->problem, {}, {})->dagCost, 2);
    EXPECT_EQ(treeCost(good->problem, extractTree(good->problem)), 1);
    const auto noRoot = problemOfText(R"({"nodes": {}})");
    EXPECT_EQ(noRoot.error()[0].code, "extract-no-roots");
    const auto noTerm = problemOfText(R"({"nodes": {
        "s": {"op": "s", "children": [], "eclass": "S", "subsumed": true}},
        "root_eclasses": ["S"]})");
    EXPECT_EQ(noTerm.error()[0].code, "extract-no-term");
}

TEST(EGraphs, BecomeProblems) {
    auto language = std::make_shared<egraph::Language>();
    const auto sort = language->addSort("e");
    const auto leaf = language->addOp({"leaf", sort, {}, 1, false, false});
    const auto pair = language->addOp({"pair", sort, {sort, sort}, 0, false, false});
    egraph::EGraph graph(language);
    const auto one = graph.add(leaf, {1}, {});
    const auto two = graph.add(leaf, {2}, {});
    const auto both = graph.add(pair, {}, {one, two});
    graph.merge(one, two);
    graph.rebuild();
    const std::array roots{both};
    const auto size = [&](egraph::ENodeId n) { return graph.op(n) == pair ? 5.0 : 1.0; };
    const EGraphProblem built = problemOf(graph, roots, size);
    const auto result = extract(built.problem, {}, {});
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->dagCost, 6);
    EXPECT_EQ(result->treeCost, 7);
    const EGraphProblem seen = problemOf(*graph.view(), roots, size);
    EXPECT_EQ(seen.problem.child, built.problem.child);
    EXPECT_EQ(seen.problem.cost, built.problem.cost);
    EXPECT_EQ(seen.enode, built.enode);
}

} // namespace
} // namespace marquetry::term_extract
