// Proofs through side conditions, code, given unions, chosen terms, depth, limits and cancels.
#include "engine/egraph/proof.h"
#include "engine/support/rng.h"
#include "tests/egraph/math_language.h"

#include <algorithm>

namespace marquetry::egraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ENodeId firstNodeOf(EClassId id) {
    return ENodeId{id.value()};
}

/// Fact k + 1 = the number k of a (num k); 0 = not a number.
class NumberAnalysis : public Analysis {
public:
    FactId make(const EGraph& egraph, OpId op, ParamSpan params, std::span<const FactId>) override {
        const bool number = egraph.language().name(op) == "num";
        return FactId{number ? static_cast<std::size_t>(params[0]) + 1 : std::size_t{0}};
    }
    std::optional<FactId> merge(FactId older, FactId newer) override {
        if (older == FactId{0} || newer == FactId{0})
            return std::max(older, newer);
        return older == newer ? std::optional{older} : std::nullopt;
    }
};

/// (+ ?a ?b) where the facts say what both are.
Rewrite foldSums(const Language& language) {
    auto rule = makeRewrite(language, {"fold", "math", "(+ ?a ?b)", "(+ ?b ?a)"});
    EXPECT_TRUE(rule.has_value());
    rule->condition = [](const EGraph& g, const Match& m) {
        return g.fact(m.classes[0]) != FactId{0} && g.fact(m.classes[1]) != FactId{0};
    };
    rule->apply = [num = *language.findOp("num")](EGraph& g, const Match& m, const Origin& origin,
                                                  std::vector<EClassId>& equal) {
        const auto value = [&](std::size_t v) {
            return static_cast<Param>(g.fact(m.classes[v]).value()) - 1;
        };
        equal.push_back(g.add(num, {value(0) + value(1)}, {}, origin));
    };
    return *rule;
}

SaturationParams iterations(std::size_t n) {
    SaturationParams params;
    params.maxIterations = n;
    return params;
}

Proof mustProve(const EGraph& g, std::span<const Rewrite> rules, const ChosenTerm& from,
                const ChosenTerm& to, const ProofCheckParams& check = {}) {
    auto proof = Prover(g, rules).prove(from, to);
    EXPECT_TRUE(proof.has_value()) << format(proof.error());
    if (!proof)
        return {};
    const auto checked = checkProof(*proof, rules, check);
    EXPECT_TRUE(checked.has_value()) << format(checked.error()) << format(*proof, rules);
    return *proof;
}

Proof mustProve(const EGraph& g, std::span<const Rewrite> rules, ENodeId from, ENodeId to,
                const ProofCheckParams& check = {}) {
    return mustProve(g, rules, ChosenTerm::of(from), ChosenTerm::of(to), check);
}

std::string codeOf(const Result<Proof>& proof) {
    return proof ? "" : proof.error()[0].code;
}

// ---- rules --------------------------------------------------------------------------------------

TEST(ProofRules, CodeAndSideConditionsAreAppliedAgain) {
    NumberAnalysis numbers;
    EGraph g(mathLanguage(), &numbers);
    const EClassId sum = addMath(g, "(f (+ (+ 1 2) 4))"), seven = addMath(g, "(f 7)");
    const std::vector<Rewrite> rules = {foldSums(g.language())};
    saturate(g, rules, iterations(5));
    const Proof proof =
        mustProve(g, rules, firstNodeOf(sum), firstNodeOf(seven), {&numbers, false});
    ASSERT_EQ(proof.steps.size(), 2u);
    EXPECT_EQ(formatStep(proof, proof.steps[0], rules),
              "fold → at 0.0: (+ (num 1) (num 2)) = (num 3)");
    EXPECT_EQ(formatStep(proof, proof.steps[1], rules),
              "fold → at 0: (+ (num 3) (num 4)) = (num 7)");
    Proof wrong = proof;
    wrong.steps[1].after = wrong.steps[1].before;
    EXPECT_FALSE(checkProof(wrong, rules, {&numbers, false}).has_value());
}

TEST(ProofRules, ASideConditionFindsTheEqualTermItHoldsFor) {
    NumberAnalysis numbers;
    EGraph g(mathLanguage(), &numbers);
    const EClassId sum = addMath(g, "(+ x y)");
    g.merge(addMath(g, "x"), addMath(g, "3"));
    g.merge(addMath(g, "y"), addMath(g, "4"));
    g.rebuild();
    const std::vector<Rewrite> rules = {foldSums(g.language())};
    saturate(g, rules, iterations(3));
    const auto seven = g.lookupNode(*g.language().findOp("num"), std::array{Param{7}}, {});
    ASSERT_TRUE(seven.has_value() && g.eclassOf(*seven) == g.find(sum));
    const Proof proof = mustProve(g, rules, firstNodeOf(sum), *seven, {&numbers, true});
    EXPECT_EQ(format(proof, rules), "    (+ x y)\n"
                                    "  1 given → at 0: x = (num 3)\n"
                                    "  2 given → at 1: y = (num 4)\n"
                                    "  3 fold → at the root: (+ (num 3) (num 4)) = (num 7)\n"
                                    "    (num 7)\n");
    EXPECT_FALSE(checkProof(proof, rules, {&numbers, false}).has_value());
}

TEST(ProofRules, ARuleThatLooksBeyondItsMatchIsAGap) {
    EGraph g(mathLanguage());
    const EClassId fa = addMath(g, "(f a)"), ga = addMath(g, "(g a)");
    addMath(g, "y");
    auto rules = rulesOf(g.language(), {{"f-g", "(f ?a)", "(g ?a)"}});
    rules[0].condition = [](const EGraph& egraph, const Match&) {
        return !egraph.nodesWithOp(*egraph.language().findOp("y")).empty();
    };
    saturate(g, rules, iterations(2));
    ASSERT_EQ(g.find(fa), g.find(ga));
    const auto proof = prove(g, rules, firstNodeOf(fa), firstNodeOf(ga));
    EXPECT_EQ(codeOf(proof), "proof-gap");
    EXPECT_THAT(proof.error()[0].message, HasSubstr("'f-g'"));
}

TEST(ProofRules, RulesOfAnotherRunAreAGap) {
    EGraph g(mathLanguage());
    const EClassId fa = addMath(g, "(f a)"), ga = addMath(g, "(g a)");
    const auto rules = rulesOf(g.language(), {{"f-g", "(f ?a)", "(g ?a)"}});
    saturate(g, rules, iterations(2));
    EXPECT_EQ(codeOf(prove(g, {}, firstNodeOf(fa), firstNodeOf(ga))), "proof-gap");
    const auto others = rulesOf(g.language(), {{"g-f", "(g ?a)", "(f ?a)"}});
    EXPECT_EQ(codeOf(prove(g, others, firstNodeOf(fa), firstNodeOf(ga))), "proof-gap");
}

TEST(ProofRules, ABareVariableOnEitherSide) {
    EGraph g(mathLanguage());
    const EClassId a = addMath(g, "a"), twice = addMath(g, "(+ (+ a 0) 0)");
    const auto rules =
        rulesOf(g.language(), {{"zero-add", "(+ ?a 0)", "?a"}, {"mul-one", "?a", "(* ?a 1)"}});
    saturate(g, rules, iterations(2));
    EXPECT_EQ(mustProve(g, rules, firstNodeOf(twice), firstNodeOf(a)).steps.size(), 2u);
    const auto times = g.nodesWithOp(*g.language().findOp("*"));
    ASSERT_FALSE(times.empty());
    for (ENodeId n : times)
        mustProve(g, rules, n, g.enodes(g.eclassOf(n)).front());
}

TEST(ProofRules, ACycleIsUnrolledAsFarAsAsked) {
    EGraph g(mathLanguage());
    const EClassId a = addMath(g, "a");
    const EClassId deep = addMath(g, "(f (f (f a)))");
    const auto rules = rulesOf(g.language(), {{"f-drop", "(f ?a)", "?a"}});
    saturate(g, rules, iterations(3));
    const Proof proof = mustProve(g, rules, firstNodeOf(deep), firstNodeOf(a));
    EXPECT_EQ(proof.steps.size(), 3u);
}

// ---- chosen terms -------------------------------------------------------------------------------

TEST(ProofTerms, AChosenTermNeedNotBeTheOneItsRootWasMadeFor) {
    EGraph g(mathLanguage());
    const EClassId before = addMath(g, "(f (f a))");
    const auto rules = rulesOf(g.language(), {{"f-g", "(f ?a)", "(g ?a)"}});
    saturate(g, rules, iterations(3));
    const auto gs = g.nodesWithOp(*g.language().findOp("g"));
    ASSERT_EQ(gs.size(), 2u);
    for (ENodeId outer : gs)
        for (ENodeId inner : gs) {
            if (g.eclassOf(outer) != g.find(before) || outer == inner)
                continue;
            const std::vector<ENodeId> chain = {outer, inner};
            // The innermost e-node of a chain stands for the term it was made for: (g a).
            const Proof proof =
                mustProve(g, rules, ChosenTerm::of(firstNodeOf(before)), ChosenTerm::chain(chain));
            EXPECT_EQ(formatTerm(proof, proof.end), "(g (g a))");
            EXPECT_EQ(formatTerm(proof, proof.end, {ProofText::Notation::Function, 80}), "g(g(a))");
            EXPECT_EQ(proof.steps.size(), 2u);
            const Proof back =
                mustProve(g, rules, ChosenTerm::chain(chain), ChosenTerm::of(firstNodeOf(before)));
            EXPECT_EQ(back.steps.size(), 2u);
            EXPECT_EQ(formatTerm(back, back.start), "(g (g a))");
        }
}

TEST(ProofTerms, TermsOfDifferentClassesHaveNoProof) {
    EGraph g(mathLanguage());
    const EClassId fa = addMath(g, "(f a)"), b = addMath(g, "b");
    const auto proof = prove(g, {}, firstNodeOf(fa), firstNodeOf(b));
    EXPECT_EQ(codeOf(proof), "not-equal");
    const std::vector<ENodeId> chain = {firstNodeOf(fa), firstNodeOf(b)};
    EXPECT_EQ(
        codeOf(Prover(g, {}).prove(ChosenTerm::chain(chain), ChosenTerm::of(firstNodeOf(fa)))),
        "not-equal");
    EXPECT_TRUE(prove(g, {}, firstNodeOf(b), firstNodeOf(b))->steps.empty());
}

TEST(ProofTerms, LongTermsAreCutInPrint) {
    EGraph g(mathLanguage());
    const EClassId sum = addSum(g, 40);
    const Proof proof = mustProve(g, {}, firstNodeOf(sum), firstNodeOf(sum));
    EXPECT_EQ(formatTerm(proof, proof.start, {ProofText::Notation::Lisp, 20}),
              "(+ (num 1) (+ (num 2…");
}

// ---- size and stops -----------------------------------------------------------------------------

TEST(ProofLimits, ADeepCongruenceIsOneStep) {
    EGraph g(mathLanguage());
    constexpr int kDepth = 20'000;
    const OpId f = *g.language().findOp("f");
    const EClassId a = addMath(g, "a"), b = addMath(g, "b");
    EClassId left = a, right = b;
    for (int k = 0; k < kDepth; ++k) {
        left = g.add(f, {}, {left});
        right = g.add(f, {}, {right});
    }
    g.merge(a, b);
    g.rebuild();
    const Proof proof = mustProve(g, {}, firstNodeOf(left), firstNodeOf(right), {nullptr, true});
    ASSERT_EQ(proof.steps.size(), 1u);
    EXPECT_EQ(proof.steps[0].place.size(), static_cast<std::size_t>(kDepth));
}

TEST(ProofLimits, AnExponentialProofEndsAtTheLimit) {
    EGraph g(mathLanguage());
    const OpId plus = *g.language().findOp("+");
    const EClassId a = addMath(g, "a"), b = addMath(g, "b");
    EClassId left = a, right = b;
    for (int k = 0; k < 60; ++k) {
        left = g.add(plus, {}, {left, left});
        right = g.add(plus, {}, {right, right});
    }
    g.merge(a, b);
    g.rebuild();
    const auto proof = prove(g, {}, firstNodeOf(left), firstNodeOf(right));
    EXPECT_EQ(codeOf(proof), "proof-limit");
}

TEST(ProofLimits, StopsAndSmallBudgetsAreReported) {
    EGraph g(mathLanguage());
    addMathMicroTerms(g);
    const auto rules = mathMicroRules(g.language());
    saturate(g, rules, iterations(6));
    const Prover prover(g, rules);
    std::size_t limited = 0, tried = 0;
    for (std::size_t i = 0; i < g.totalEnodes(); i += 7) {
        const ENodeId n{i}, first = firstNodeOf(g.eclassOf(n));
        if (n == first)
            continue;
        ++tried;
        ProveParams small;
        small.maxCandidates = 20;
        limited += codeOf(prover.prove(n, first, small)) == "proof-limit";
        small = {};
        small.maxSteps = 1;
        const auto proof = prover.prove(n, first, small);
        EXPECT_TRUE(proof ? proof->steps.size() <= 1 : codeOf(proof) == "proof-limit");
        std::stop_source stop;
        stop.request_stop();
        EXPECT_EQ(codeOf(prover.prove(n, first, {}, stop.get_token())), "cancelled");
    }
    EXPECT_GT(tried, 50u);
    EXPECT_GT(limited, tried / 4);
}

} // namespace
} // namespace marquetry::egraph
