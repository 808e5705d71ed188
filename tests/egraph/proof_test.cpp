// Proofs, checked twice: by the engine's checker and by the naive one of these tests.
#include "engine/egraph/proof.h"

#include "engine/egraph/union_history.h"
#include "engine/support/rng.h"
#include "tests/egraph/naive_proof.h"

#include <algorithm>
#include <set>

namespace marquetry::egraph {
namespace {

using ::testing::HasSubstr;

ENodeId nodeOfClass(EClassId id) {
    return ENodeId{id.value()};
}

/// Random pairs of different e-nodes of one e-class, subsumed ones included.
class PairPicker {
public:
    PairPicker(const EGraph& egraph, std::uint64_t seed) : egraph_(egraph), rng_(seed) {
        for (std::size_t i = 0; i < egraph.totalEnodes(); ++i)
            members_[egraph.eclassOf(ENodeId{i})].push_back(ENodeId{i});
    }

    std::pair<ENodeId, ENodeId> next() {
        while (true) {
            const ENodeId a{below(egraph_.totalEnodes())};
            const auto& equal = members_.at(egraph_.eclassOf(a));
            const ENodeId b = equal[below(equal.size())];
            if (a != b)
                return {a, b};
        }
    }
    bool any() const { return egraph_.totalEnodes() > members_.size(); }

private:
    std::size_t below(std::size_t n) {
        return static_cast<std::size_t>(rng_.range(0, static_cast<std::int64_t>(n) - 1));
    }

    const EGraph& egraph_;
    SplitMix64 rng_;
    std::map<EClassId, std::vector<ENodeId>> members_;
};

void saturateFor(EGraph& g, std::span<const Rewrite> rules, std::size_t iterations,
                 std::size_t maxEnodes = 100'000) {
    SaturationParams params;
    params.maxIterations = iterations;
    params.maxEnodes = maxEnodes;
    saturate(g, rules, params);
}

/// The concrete term of an e-node, spelled without any help of the prover.
Tree termOf(const EGraph& g, ENodeId n) {
    Tree tree{g.language().name(g.op(n)), {}};
    for (Param p : g.params(n))
        tree.kids.push_back({std::to_string(p), {}});
    for (EClassId child : g.originalChildren(n))
        tree.kids.push_back(termOf(g, nodeOfClass(child)));
    return tree;
}

void expectProves(const EGraph& g, const Proof& proof, ENodeId a, ENodeId b) {
    EXPECT_EQ(treeOf(proof, proof.start), termOf(g, a));
    EXPECT_EQ(treeOf(proof, proof.end), termOf(g, b));
}

// ---- random proofs ------------------------------------------------------------------------------

TEST(Proof, AThousandRandomOnesOfMathMicroCheckTwice) {
    EGraph g(mathLanguage());
    addMathMicroTerms(g);
    const RuleTexts texts = mathMicroTexts();
    const auto rules = mathMicroRules(g.language());
    saturateFor(g, rules, 8);
    ASSERT_EQ(g.enodeCount(), 8113u);
    const Prover prover(g, rules);
    PairPicker pairs(g, 1);
    std::size_t steps = 0;
    std::set<RuleId> used;
    for (int k = 0; k < 1000; ++k) {
        const auto [a, b] = pairs.next();
        const auto proof = prover.prove(a, b);
        ASSERT_TRUE(proof.has_value()) << format(proof.error());
        expectProves(g, *proof, a, b);
        const auto checked = checkProof(*proof, rules);
        ASSERT_TRUE(checked.has_value()) << format(checked.error()) << format(*proof, rules);
        ASSERT_TRUE(naiveProofHolds(*proof, texts)) << format(*proof, rules);
        steps += proof->steps.size();
        for (const ProofStep& step : proof->steps)
            used.insert(step.rule);
    }
    RecordProperty("steps", static_cast<int>(steps));
    RecordProperty("rules", static_cast<int>(used.size()));
    EXPECT_GE(steps, 5u * 1000u);
    EXPECT_GE(used.size(), 10u);
}

TEST(Proof, IsTheSameEveryTime) {
    std::vector<std::vector<ProofStep>> first;
    for (int repeat = 0; repeat < 2; ++repeat) {
        EGraph g(mathLanguage());
        addMathMicroTerms(g);
        const auto rules = mathMicroRules(g.language());
        saturateFor(g, rules, 6);
        const Prover prover(g, rules);
        PairPicker pairs(g, 2);
        for (std::size_t k = 0; k < 50; ++k) {
            const auto [a, b] = pairs.next();
            const auto proof = prover.prove(a, b);
            ASSERT_TRUE(proof.has_value());
            if (repeat == 0)
                first.push_back(proof->steps);
            EXPECT_EQ(proof->steps, first[k]);
        }
    }
}

TEST(Proof, IsNotLongerWithShorteningThanWithout) {
    EGraph g(mathLanguage());
    addMathMicroTerms(g);
    const auto rules = mathMicroRules(g.language());
    saturateFor(g, rules, 7);
    const Prover prover(g, rules);
    PairPicker pairs(g, 3);
    ProveParams plain;
    plain.shortenBudget = 0;
    std::size_t shortened = 0;
    for (int k = 0; k < 100; ++k) {
        const auto [a, b] = pairs.next();
        const auto without = prover.prove(a, b, plain), with = prover.prove(a, b);
        ASSERT_TRUE(without.has_value() && with.has_value());
        EXPECT_TRUE(checkProof(*without, rules).has_value());
        EXPECT_EQ(without->steps.size(), with->stats.stepsBeforeShortening);
        EXPECT_LE(with->steps.size(), without->steps.size());
        shortened += with->steps.size() < without->steps.size();
    }
    EXPECT_GE(shortened, 10u);
}

/// Random rules over a small language; most are nonsense, so classes grow large and cyclic.
class RandomLanguage {
public:
    explicit RandomLanguage(std::uint64_t seed) : rng_(seed) {
        for (int k = 0; k < 5; ++k)
            texts_.push_back({"r" + std::to_string(k), tree(2, true), ""});
        for (auto& [name, lhs, rhs] : texts_)
            rhs = rightFor(lhs);
        for (const auto& [name, lhs, rhs] : texts_)
            views_.push_back({name.c_str(), lhs.c_str(), rhs.c_str()});
    }

    const RuleTexts& texts() const { return views_; }
    std::string term() { return tree(4, false); }

private:
    std::int64_t draw(std::int64_t n) { return rng_.range(0, n - 1); }

    std::string leaf(bool pattern) {
        static const char* const kVars[] = {"?p", "?q", "?r"};
        static const char* const kLeaves[] = {"a", "b", "x", "1", "2"};
        return pattern && draw(4) != 0 ? kVars[draw(3)] : kLeaves[draw(5)];
    }

    std::string tree(int depth, bool pattern) {
        if (depth == 0)
            return leaf(pattern);
        static const char* const kUnary[] = {"f", "g"};
        static const char* const kBinary[] = {"+", "*"};
        const auto inner = [&] { return tree(depth - 1 - static_cast<int>(draw(depth)), pattern); };
        if (draw(2) == 0)
            return std::string("(") + kUnary[draw(2)] + " " + inner() + ")";
        std::string text = std::string("(") + kBinary[draw(2)] + " " + inner();
        return text + " " + inner() + ")";
    }

    std::string rightFor(const std::string& lhs) {
        while (true) {
            std::string rhs = draw(4) == 0 ? leaf(true) : tree(2, true);
            const bool bound = std::ranges::all_of(std::array{"?p", "?q", "?r"}, [&](auto var) {
                return rhs.find(var) == std::string::npos || lhs.find(var) != std::string::npos;
            });
            if (bound && rhs != lhs)
                return rhs;
        }
    }

    SplitMix64 rng_;
    std::vector<std::array<std::string, 3>> texts_;
    RuleTexts views_;
};

TEST(Proof, AThousandOfRandomLanguagesCheckTwice) {
    int proved = 0;
    std::size_t steps = 0;
    for (std::uint64_t seed = 1; proved < 1000 && seed < 400; ++seed) {
        RandomLanguage random(seed);
        EGraph g(mathLanguage());
        for (int k = 0; k < 6; ++k)
            addMath(g, random.term());
        g.rebuild();
        const auto rules = rulesOf(g.language(), random.texts());
        saturateFor(g, rules, 5, 2000);
        PairPicker pairs(g, seed);
        if (!pairs.any())
            continue;
        const Prover prover(g, rules);
        for (int k = 0; k < 12; ++k, ++proved) {
            const auto [a, b] = pairs.next();
            const auto proof = prover.prove(a, b);
            ASSERT_TRUE(proof.has_value()) << "seed " << seed << format(proof.error());
            expectProves(g, *proof, a, b);
            const auto checked = checkProof(*proof, rules);
            ASSERT_TRUE(checked.has_value())
                << "seed " << seed << format(checked.error()) << format(*proof, rules);
            ASSERT_TRUE(naiveProofHolds(*proof, random.texts())) << "seed " << seed;
            steps += proof->steps.size();
        }
    }
    EXPECT_GE(proved, 1000);
    RecordProperty("steps", static_cast<int>(steps));
}

// ---- wrong proofs -------------------------------------------------------------------------------

/// Changes one thing; false when the proof offers no place for it.
bool mutate(Proof& proof, int kind, SplitMix64& rng, std::size_t ruleCount) {
    const auto below = [&](std::size_t n) {
        return static_cast<std::size_t>(rng.range(0, static_cast<std::int64_t>(n) - 1));
    };
    auto& steps = proof.steps;
    const std::size_t at = below(steps.size());
    ProofStep& step = steps[at];
    switch (kind) {
    case 0:
        steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(at));
        return true;
    case 1:
        step.rule = RuleId{(step.rule.index() + 1 + below(ruleCount - 1)) % ruleCount};
        return true;
    case 2:
        step.forward = !step.forward;
        return true;
    case 3:
        step.place.push_back(0);
        return true;
    case 4:
        if (step.place.empty())
            return false;
        step.place.back() ^= 1u;
        return true;
    case 5:
        if (step.classes.empty())
            return false;
        step.classes[below(step.classes.size())] = ProofTermId{below(proof.terms.size())};
        return true;
    case 6:
        step.after = ProofTermId{below(proof.terms.size())};
        return true;
    case 7:
        proof.end = ProofTermId{below(proof.terms.size())};
        return true;
    default:
        step.rule = RuleId{ruleCount};
        return true;
    }
}

TEST(CheckProof, RefusesWhatTheNaiveCheckerRefuses) {
    EGraph g(mathLanguage());
    addMathMicroTerms(g);
    const RuleTexts texts = mathMicroTexts();
    const auto rules = mathMicroRules(g.language());
    saturateFor(g, rules, 7);
    const Prover prover(g, rules);
    PairPicker pairs(g, 4);
    SplitMix64 rng(5);
    ProveParams quick;
    quick.shortenBudget = 0;
    int refused = 0;
    for (int k = 0; k < 900; ++k) {
        const auto [a, b] = pairs.next();
        const auto proof = prover.prove(a, b, quick);
        ASSERT_TRUE(proof.has_value());
        Proof wrong = *proof;
        if (wrong.steps.empty() || !mutate(wrong, k % 9, rng, rules.size()))
            continue;
        if (wrong.steps == proof->steps && wrong.end == proof->end)
            continue;
        const bool accepted = checkProof(wrong, rules).has_value();
        // A right proof may stay right under another rule or direction, but then for both; only
        // substitutions are not looked at by the naive checker.
        EXPECT_TRUE(!accepted || naiveProofHolds(wrong, texts)) << "mutation " << k % 9;
        EXPECT_TRUE(!accepted || k % 9 == 1) << "mutation " << k % 9;
        refused += accepted ? 0 : 1;
    }
    EXPECT_GE(refused, 750);
}

TEST(CheckProof, NamesTheStepAndRefusesMalformedTables) {
    EGraph g(mathLanguage());
    const EClassId sum = addMath(g, "(+ a (+ b (* 1 x)))");
    const EClassId other = addMath(g, "(+ (+ x b) a)");
    const auto rules = mathMicroRules(g.language());
    saturateFor(g, rules, 4);
    const auto proof = prove(g, rules, nodeOfClass(sum), nodeOfClass(other));
    ASSERT_TRUE(proof.has_value()) << format(proof.error());
    ASSERT_GE(proof->steps.size(), 3u);
    Proof wrong = *proof;
    std::swap(wrong.steps[1].before, wrong.steps[1].after);
    auto checked = checkProof(wrong, rules);
    ASSERT_FALSE(checked.has_value());
    EXPECT_EQ(checked.error()[0].code, "proof-step");
    EXPECT_THAT(checked.error()[0].message, HasSubstr("step 2"));
    const auto refuses = [&](auto&& change) {
        Proof bad = *proof;
        change(bad);
        EXPECT_FALSE(checkProof(bad, rules).has_value());
    };
    refuses([](Proof& p) { p.terms.back().op = OpId{1000}; });
    refuses([](Proof& p) { p.terms.back().params.push_back(3); });
    refuses([](Proof& p) { p.terms.back().children = {ProofTermId{p.terms.size() - 1}}; });
    refuses([](Proof& p) { p.start = ProofTermId{}; });
    refuses([](Proof& p) { p.steps[0].after = ProofTermId{p.terms.size()}; });
    refuses([](Proof& p) { p.steps[0].classes.clear(); });
}

} // namespace
} // namespace marquetry::egraph
