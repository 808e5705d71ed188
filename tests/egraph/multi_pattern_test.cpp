// Rules with several patterns: compiled matching against matching from the definition, from scratch
// and since a mark; saturation and proofs with them; what is wrong in their text.
#include "engine/egraph/left_side.h"
#include "engine/egraph/proof.h"
#include "engine/support/rng.h"
#include "tests/egraph/brute_match.h"
#include "tests/egraph/math_language.h"

namespace marquetry::egraph {
namespace {

Rewrite ruleOfTwo(const Language& language, const char* lhs, const char* rhs) {
    auto made = makeRewrite(language, {"rule", "math", lhs, rhs});
    EXPECT_TRUE(made.has_value()) << lhs << (made ? "" : format(made.error()));
    return made ? *std::move(made) : Rewrite{};
}

/// What a compiled search since a mark finds, each match once.
std::set<BruteMatch> compiledMatches(const EGraph& g, const LeftSide& left, const Rewrite& rewrite,
                                     Mark since) {
    std::set<BruteMatch> found;
    auto sink = [&](const RawMatch& match) {
        Bindings bound;
        for (std::uint32_t v = 0; v < rewrite.lhs.classVars.size(); ++v)
            bound.classes[v] = match.classes[v];
        for (std::uint32_t v = 0; v < rewrite.lhs.paramVars.size(); ++v)
            bound.params[v] = match.params[v];
        EXPECT_TRUE(found.emplace(g.eclassOf(match.root), bound).second) << "seen twice";
        return true;
    };
    auto poll = [] { return true; };
    left.search(g, since, sink, poll);
    return found;
}

constexpr std::array kLeftSides = {
    "(+ ?a ?b); (* ?a ?b)",         "(+ ?a ?b); (+ ?a ?c)",          "(f (+ ?a ?b)); (g ?b)",
    "(* ?a ?b); (f ?c); (+ ?b ?c)", "(+ ?a (num $n)); (f (num $n))", "(f ?a); (g ?b)",
    "(num $n); (* ?a (num $n))",    "(+ ?a ?a); (* ?b ?a); (g ?b)",
};

class RandomGraph {
public:
    explicit RandomGraph(std::uint64_t seed) : rng_(seed), g(mathLanguage()) {
        for (Param k = 0; k < 3; ++k)
            classes_.push_back(g.add(op("num"), {k}, {}));
        grow();
    }

    void grow() {
        for (int k = 0; k < 12; ++k) {
            const char* unary[] = {"f", "g"};
            const char* binary[] = {"+", "*"};
            const std::size_t which = pick(2);
            classes_.push_back(pick(3) == 0 ? g.add(op(unary[which]), {}, {any()})
                                            : g.add(op(binary[which]), {}, {any(), any()}));
        }
        for (std::size_t k = pick(3); k > 0; --k)
            g.merge(any(), any());
        g.rebuild();
    }

private:
    OpId op(const char* name) const { return *g.language().findOp(name); }
    std::size_t pick(int below) { return static_cast<std::size_t>(rng_.range(0, below - 1)); }
    EClassId any() { return classes_[pick(static_cast<int>(classes_.size()))]; }

    SplitMix64 rng_;
    std::vector<EClassId> classes_;

public:
    EGraph g;
};

TEST(MultiPattern, FindsWhatTheDefinitionSays) {
    std::size_t found = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        RandomGraph random(seed);
        random.grow();
        for (const char* text : kLeftSides) {
            const Rewrite rewrite = ruleOfTwo(random.g.language(), text, "x");
            const LeftSide left(random.g, rewrite);
            const auto expected = bruteMatches(random.g, rewrite);
            EXPECT_EQ(compiledMatches(random.g, left, rewrite, {}), expected) << text << seed;
            found += expected.size();
        }
    }
    EXPECT_GT(found, 2000u);
}

TEST(MultiPattern, ASearchSinceAMarkFindsEverythingNew) {
    std::size_t fresh = 0, all = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        RandomGraph random(seed);
        for (int round = 0; round < 2; ++round)
            for (const char* text : kLeftSides) {
                const Rewrite rewrite = ruleOfTwo(random.g.language(), text, "x");
                const LeftSide left(random.g, rewrite);
                const auto before = bruteMatches(random.g, rewrite);
                const Mark mark = random.g.mark();
                random.grow();
                const auto after = bruteMatches(random.g, rewrite);
                random.g.mark();
                const auto seen = compiledMatches(random.g, left, rewrite, mark);
                std::vector<BruteMatch> missing;
                std::ranges::set_difference(after, before, std::back_inserter(missing));
                std::erase_if(missing, [&](const BruteMatch& m) { return seen.contains(m); });
                EXPECT_TRUE(missing.empty()) << text << seed;
                EXPECT_TRUE(std::ranges::includes(after, seen)) << text << seed;
                fresh += seen.size();
                all += after.size();
            }
    }
    EXPECT_LT(fresh, all * 9 / 10); // and does not find everything again
}

/// Two products with a common left factor: each is a part of one wider product.
std::vector<Rewrite> sharedProducts(const Language& language) {
    return {ruleOfTwo(language, "(* ?x ?v); (* ?x ?w)", "(- (* ?x (+ ?v ?w)) (* ?x ?w))"),
            ruleOfTwo(language, "(+ ?a ?b)", "(+ ?b ?a)"),
            ruleOfTwo(language, "(f (num $n)); (g (num $m))", "(sqrt (* (num $n) (num $m)))")};
}

TEST(MultiPattern, SaturationEqualsApplyingEveryMatch) {
    const auto language = mathLanguage();
    const auto rules = sharedProducts(*language);
    EGraph fast(language), slow(language);
    for (EGraph* g : {&fast, &slow}) {
        for (const char* text : {"(* x y)", "(* x (g 1))", "(* a (f 2))", "(* a b)"})
            addMath(*g, text);
        g->rebuild();
    }
    SaturationParams params;
    params.maxIterations = 3;
    Saturation saturation(fast, rules, params);
    for (int k = 0; k < 3; ++k) {
        saturation.step({});
        std::vector<std::pair<const Rewrite*, BruteMatch>> matches;
        for (const Rewrite& rewrite : rules)
            for (const BruteMatch& match : bruteMatches(slow, rewrite))
                matches.emplace_back(&rewrite, match);
        for (const auto& [rewrite, match] : matches) {
            std::vector<EClassId> classes(rewrite->lhs.classVars.size());
            std::vector<Param> values(rewrite->lhs.paramVars.size());
            for (const auto& [v, id] : match.second.classes)
                classes[v] = id;
            for (const auto& [v, value] : match.second.params)
                values[v] = value;
            slow.merge(match.first,
                       instantiate(slow, *rewrite->rhs, Match{{}, {}, classes, values}, {}));
        }
        slow.rebuild();
        EXPECT_EQ(fast.enodeCount(), slow.enodeCount()) << k;
        EXPECT_EQ(fast.eclassCount(), slow.eclassCount()) << k;
    }
    EXPECT_GT(fast.enodeCount(), 100u);
    expectSound(fast);
}

/// The proof holds, and no longer when another term stands for one of the variables.
void expectProved(const EGraph& g, std::span<const Rewrite> rules, ENodeId from, ENodeId to) {
    const auto proof = Prover(g, rules).prove(from, to);
    ASSERT_TRUE(proof.has_value()) << format(proof.error());
    EXPECT_FALSE(proof->steps.empty());
    EXPECT_TRUE(checkProof(*proof, rules).has_value()) << format(*proof, rules);
    for (std::size_t k = 0; k < proof->steps.size(); ++k)
        for (std::size_t v = 0; v < proof->steps[k].classes.size(); ++v) {
            Proof wrong = *proof;
            ProofTermId& part = wrong.steps[k].classes[v];
            part = part == proof->start ? proof->end : proof->start;
            EXPECT_FALSE(checkProof(wrong, rules).has_value()) << k << " " << v;
        }
}

TEST(MultiPattern, IsProvedWithWhatItsRightSideBinds) {
    EGraph g(mathLanguage());
    const auto rules = sharedProducts(g.language());
    const EClassId starts[] = {addMath(g, "(* x y)"), addMath(g, "(f 2)")};
    addMath(g, "(* x (g 1))");
    SaturationParams params;
    params.maxIterations = 2;
    saturate(g, rules, params);
    std::size_t proved = 0;
    for (EClassId start : starts)
        for (ENodeId n : g.enodes(start)) {
            const std::string& op = g.language().name(g.op(n));
            if (op != "-" && op != "sqrt")
                continue;
            expectProved(g, rules, ENodeId{start.value()}, n);
            ++proved;
        }
    EXPECT_GE(proved, 2u);
}

TEST(MultiPattern, SaysWhatIsWrongInItsText) {
    const auto language = mathLanguage();
    const auto codeOf = [&](const char* lhs, const char* rhs) {
        const auto made = makeRewrite(*language, {"rule", "math", lhs, rhs});
        return made ? std::string() : made.error()[0].code;
    };
    EXPECT_EQ(codeOf("(f ?a); (g ?b)", "(+ ?a ?b)"), "");
    EXPECT_EQ(codeOf("(f ?a); (g ?b)", "(+ ?a ?c)"), "unbound-variable");
    EXPECT_EQ(codeOf("(f ?a); ?a", "(f ?a)"), "pattern-bare");
    EXPECT_EQ(codeOf("?a; (f ?a)", "(f ?a)"), "pattern-bare");
    EXPECT_EQ(codeOf("(f ?a);", "(f ?a)"), "pattern-syntax");
    EXPECT_EQ(codeOf("(f ?a); (h ?a)", "(f ?a)"), "unknown-operator");
}

} // namespace
} // namespace marquetry::egraph
