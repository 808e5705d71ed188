// Conditions on parameters inside the match program, and rules with conditions and code that are
// searched incrementally: the results are those of asking everything again in every iteration.
#include "engine/egraph/left_side.h"
#include "engine/egraph/proof.h"
#include "engine/support/rng.h"
#include "tests/egraph/math_language.h"

namespace marquetry::egraph {
namespace {

/// Loops with a size, as the product's rules see them.
std::shared_ptr<const Language> loopLanguage() {
    auto language = std::make_shared<Language>();
    const SortId e = language->addSort("expr");
    language->addOp({"leaf", e, {}, 1, false, false});
    language->addOp({"loop", e, {e}, 2, false, false});
    language->addOp({"pair", e, {e, e}, 1, false, false});
    return language;
}

Rewrite rule(const Language& language, const char* lhs, const char* rhs) {
    auto made = makeRewrite(language, {"rule", "loops", lhs, rhs});
    EXPECT_TRUE(made.has_value()) << lhs << (made ? "" : format(made.error()));
    return made ? *std::move(made) : Rewrite{};
}

struct Wanted {
    const char* lhs;
    const char* rhs;
    std::vector<std::string_view> reads;
    std::function<bool(ParamSpan)> holds;
};

std::vector<Wanted> conditions() {
    return {
        {"(loop $n $m ?a)", "(loop $m $n ?a)", {"n", "m"}, [](ParamSpan p) { return p[0] > p[1]; }},
        {"(loop $n 1 (loop $m $k ?a))",
         "(loop $m $k (loop $n 1 ?a))",
         {"m", "n"},
         [](ParamSpan p) { return p[0] < p[1]; }},
        {"(pair $n (loop $m $k ?a) ?b)",
         "(loop $m $k (pair $n ?a ?b))",
         {"n"},
         [](ParamSpan p) { return p[0] % 2 == 1; }},
        {"(pair $n ?a (leaf $m))",
         "(pair $m (leaf $n) ?a)",
         {"m"},
         [](ParamSpan p) { return p[0] != 2; }},
    };
}

/// The conditions inside the match program, or asked afterwards of each match.
std::vector<Rewrite> rules(const Language& language, bool inside) {
    std::vector<Rewrite> made;
    for (const Wanted& wanted : conditions()) {
        Rewrite rewrite = rule(language, wanted.lhs, wanted.rhs);
        std::vector<ParamVarId> reads;
        for (std::string_view name : wanted.reads)
            reads.push_back(*rewrite.lhs.paramVar(name));
        if (inside)
            rewrite.paramConditions.push_back({reads, wanted.holds});
        else
            rewrite.condition = [reads, holds = wanted.holds](const EGraph&, const Match& match) {
                std::vector<Param> values;
                for (ParamVarId var : reads)
                    values.push_back(match[var]);
                return holds(values);
            };
        made.push_back(std::move(rewrite));
    }
    return made;
}

EClassId randomTerm(EGraph& g, SplitMix64& rng, int depth) {
    const auto op = [&](const char* name) { return *g.language().findOp(name); };
    const Param n = rng.range(0, 4), m = rng.range(0, 3);
    if (depth == 0)
        return g.add(op("leaf"), {n}, {});
    const EClassId first = randomTerm(g, rng, depth - 1);
    if (rng.range(0, 2) > 0)
        return g.add(op("loop"), {n, m}, {first});
    return g.add(op("pair"), {n}, {first, randomTerm(g, rng, depth - 1)});
}

TEST(ParamConditions, InsideTheProgramGiveWhatTheyGiveAfterwards) {
    std::size_t enodes = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        std::vector<std::vector<std::pair<std::size_t, std::size_t>>> counts;
        std::vector<std::vector<bool>> equal;
        for (const bool inside : {true, false}) {
            SplitMix64 rng(seed);
            EGraph g(loopLanguage());
            std::vector<EClassId> terms;
            for (int k = 0; k < 4; ++k)
                terms.push_back(randomTerm(g, rng, 4));
            const auto made = rules(g.language(), inside);
            SaturationParams params;
            params.maxIterations = 5;
            params.maxEnodes = 20'000;
            counts.emplace_back();
            for (const Iteration& it : saturate(g, made, params).iterations)
                counts.back().emplace_back(it.enodes, it.eclasses);
            equal.emplace_back();
            for (EClassId a : terms)
                for (EClassId b : terms)
                    equal.back().push_back(g.find(a) == g.find(b));
            expectSound(g);
            enodes += g.enodeCount();
        }
        EXPECT_EQ(counts[0], counts[1]) << seed;
        EXPECT_EQ(equal[0], equal[1]) << seed;
    }
    EXPECT_GT(enodes, 2000u);
}

TEST(ParamConditions, AreAskedBeforeWhatTheyDoNotNeedIsSearched) {
    EGraph g(loopLanguage());
    const OpId leaf = *g.language().findOp("leaf"), loop = *g.language().findOp("loop");
    for (Param n = 0; n < 20; ++n)
        g.add(loop, {n, 0}, {g.add(loop, {n, 1}, {g.add(leaf, {n}, {})})});
    g.rebuild();
    Rewrite rewrite = rule(g.language(), "(loop $n 0 (loop $m 1 (leaf $k)))", "(leaf $k)");
    std::size_t outer = 0, inner = 0;
    rewrite.require({"k"}, [&](ParamSpan) { return ++inner > 0; });
    rewrite.require({"n"}, [&](ParamSpan n) {
        ++outer;
        return n[0] >= 15;
    });
    std::size_t found = 0;
    auto sink = [&](const RawMatch&) { return ++found > 0; };
    auto poll = [] { return true; };
    LeftSide(g, rewrite).search(g, {}, sink, poll);
    EXPECT_EQ(found, 5u);
    EXPECT_EQ(inner, 5u);
    EXPECT_GE(outer, 20u);
}

TEST(ParamConditions, HoldInProofs) {
    EGraph g(loopLanguage());
    const auto made = rules(g.language(), true);
    const EClassId from = *addTerm(g, "(loop 3 1 (loop 2 0 (leaf 1)))");
    const EClassId to = *addTerm(g, "(loop 1 3 (loop 0 2 (leaf 1)))");
    saturate(g, made, {.maxIterations = 4});
    ASSERT_EQ(g.find(from), g.find(to));
    const auto proof = prove(g, made, ENodeId{from.value()}, ENodeId{to.value()});
    ASSERT_TRUE(proof.has_value()) << format(proof.error());
    EXPECT_TRUE(checkProof(*proof, made).has_value());
    auto stricter = made;
    for (Rewrite& rewrite : stricter)
        rewrite.paramConditions = {{{}, [](ParamSpan) { return false; }}};
    EXPECT_FALSE(checkProof(*proof, stricter).has_value());
}

// ---- conditions that read facts -----------------------------------------------------------------

/// Fact = the largest number of a leaf in the class, plus one; 0 without leaves.
class LargestLeaf : public Analysis {
public:
    FactId make(const EGraph& egraph, OpId op, ParamSpan params, std::span<const FactId>) override {
        const bool leaf = egraph.language().name(op) == "leaf";
        return FactId{leaf ? static_cast<std::size_t>(params[0]) + 1 : std::size_t{0}};
    }
    std::optional<FactId> merge(FactId older, FactId newer) override {
        return std::max(older, newer);
    }
};

/// (loop n m a) = (pair 4 a a) once the class of a has a leaf.
Rewrite byFact(const Language& language, Reads reads) {
    Rewrite rewrite = rule(language, "(loop $n $m ?a)", "(pair 4 ?a ?a)");
    rewrite.condition = [](const EGraph& g, const Match& match) {
        return g.fact(match.classes[0]) != FactId{0};
    };
    rewrite.reads = reads;
    return rewrite;
}

TEST(IncrementalRules, SeeAFactThatComesLater) {
    LargestLeaf analysis;
    EGraph g(loopLanguage(), &analysis);
    const EClassId inner = *addTerm(g, "(pair 0 (leaf 1) (leaf 2))");
    const EClassId loop = g.add(*g.language().findOp("loop"), {4, 4}, {inner});
    const std::vector<Rewrite> made = {byFact(g.language(), Reads::Match)};
    Saturation saturation(g, made, {});
    saturation.step({});
    EXPECT_EQ(g.enodes(loop).size(), 1u);
    g.merge(inner, *addTerm(g, "(leaf 3)")); // the older class is kept, so no child changes
    g.rebuild();
    saturation.step({});
    EXPECT_EQ(g.enodes(loop).size(), 2u);
    saturation.step({});
    EXPECT_EQ(saturation.iterations().back().rules[0].matches, 0u) << "nothing changed since";
}

TEST(IncrementalRules, AgreeWithAskingEverythingAgain) {
    std::size_t few = 0, many = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        std::array<EGraph, 2> graphs{EGraph(loopLanguage()), EGraph(loopLanguage())};
        std::array<std::vector<Rewrite>, 2> made;
        std::vector<std::unique_ptr<Saturation>> runs;
        SaturationParams params;
        params.scheduler = seed % 2 ? Scheduler::Backoff : Scheduler::Simple;
        params.matchLimit = 8;
        params.banLength = 2;
        for (std::size_t k = 0; k < 2; ++k) {
            made[k] = rules(graphs[k].language(), false);
            for (Rewrite& rewrite : made[k])
                rewrite.reads = k == 0 ? Reads::Match : Reads::EGraph;
            runs.push_back(std::make_unique<Saturation>(graphs[k], made[k], params));
        }
        std::array<SplitMix64, 2> rngs{SplitMix64(seed), SplitMix64(seed)};
        for (int step = 0; step < 8; ++step) {
            for (std::size_t k = 0; k < 2; ++k) {
                const EClassId a = randomTerm(graphs[k], rngs[k], 3);
                const EClassId b = randomTerm(graphs[k], rngs[k], 3);
                if (rngs[k].range(0, 1) == 0)
                    graphs[k].merge(a, b);
                graphs[k].rebuild();
                runs[k]->step({});
                for (const RuleStats& stats : runs[k]->iterations().back().rules)
                    (k == 0 ? few : many) += stats.matches;
            }
            ASSERT_EQ(graphs[0].enodeCount(), graphs[1].enodeCount()) << seed << " " << step;
            ASSERT_EQ(graphs[0].eclassCount(), graphs[1].eclassCount()) << seed << " " << step;
            for (std::size_t r = 0; r < made[0].size(); ++r)
                ASSERT_EQ(runs[0]->iterations().back().rules[r].banned,
                          runs[1]->iterations().back().rules[r].banned)
                    << seed << " " << step << " " << r;
        }
        expectSound(graphs[0]);
    }
    EXPECT_LT(few * 3 / 2, many);
}

TEST(IncrementalRules, WithFactsEndWhereAskingEverythingAgainEnds) {
    int compared = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        std::vector<std::pair<std::size_t, std::size_t>> ends;
        for (const Reads reads : {Reads::Match, Reads::EGraph}) {
            LargestLeaf analysis;
            EGraph g(loopLanguage(), &analysis);
            std::vector<Rewrite> made = rules(g.language(), reads == Reads::Match);
            made.push_back(byFact(g.language(), reads));
            SplitMix64 rng(seed);
            StopReason outcome = StopReason::Saturated;
            for (int round = 0; round < 3; ++round) {
                g.merge(randomTerm(g, rng, 2), randomTerm(g, rng, 1));
                const auto result = saturate(g, made, {.maxEnodes = 2000, .maxIterations = 30});
                outcome = std::max(outcome, result.outcome);
            }
            if (outcome == StopReason::Saturated)
                ends.emplace_back(g.enodeCount(), g.eclassCount());
            expectSound(g);
        }
        if (ends.size() == 2) {
            EXPECT_EQ(ends[0], ends[1]) << seed;
            ++compared;
        }
    }
    EXPECT_GE(compared, 20);
}

} // namespace
} // namespace marquetry::egraph
