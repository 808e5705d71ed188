#include "tests/egraph/math_language.h"
#include "tests/egraph/naive_egraph.h"
#include "tests/support/effort.h"

#include <limits>
#include <memory>

namespace marquetry::egraph {
namespace {

using RuleCounts = std::vector<std::pair<std::size_t, std::size_t>>; // e-nodes, e-classes

RuleCounts ruleCountsOf(const SaturationResult& result) {
    RuleCounts counts;
    for (const Iteration& it : result.iterations)
        counts.emplace_back(it.enodes, it.eclasses);
    return counts;
}

SaturationResult run(EGraph& g, const std::vector<Rewrite>& rules, std::size_t iterations,
                     Scheduler scheduler = Scheduler::Simple) {
    SaturationParams params;
    params.maxIterations = iterations;
    params.scheduler = scheduler;
    return saturate(g, rules, params);
}

// ---- counts -------------------------------------------------------------------------------------

TEST(Saturate, MathMicroHasThePublishedCounts) {
    EGraph g(mathLanguage());
    addMathMicroTerms(g);
    EXPECT_EQ(g.enodeCount(), 35u);
    EXPECT_EQ(g.eclassCount(), 35u);
    const auto result = run(g, mathMicroRules(g.language()), 9);
    EXPECT_EQ(ruleCountsOf(result), (RuleCounts{{69, 50},
                                                {118, 71},
                                                {208, 116},
                                                {389, 197},
                                                {784, 361},
                                                {1576, 666},
                                                {3160, 1347},
                                                {8113, 3576},
                                                {28303, 12445}}));
    EXPECT_EQ(result.outcome, StopReason::IterationLimit);
    expectSound(g);
}

TEST(Saturate, MathMicroWithBackoffHasThePublishedCounts) {
    EGraph g(mathLanguage());
    addMathMicroTerms(g);
    const auto counts = ruleCountsOf(run(g, mathMicroRules(g.language()), 20, Scheduler::Backoff));
    ASSERT_EQ(counts.size(), 20u);
    EXPECT_EQ(counts[9], (std::pair<std::size_t, std::size_t>{13106, 7190}));
    EXPECT_EQ(counts[19], (std::pair<std::size_t, std::size_t>{24329, 13470}));
    expectSound(g);
}

TEST(Saturate, SumsReachTheClosedForm) {
    std::size_t power2 = 2, power3 = 3;
    for (int n = 2; n <= 8; ++n) {
        power2 *= 2;
        power3 *= 3;
        EGraph g(mathLanguage());
        addSum(g, n);
        const auto result = run(g, acRules(g.language()), 50);
        EXPECT_EQ(result.outcome, StopReason::Saturated);
        EXPECT_EQ(g.eclassCount(), power2 - 1) << n;
        EXPECT_EQ(g.enodeCount(), power3 - 2 * power2 + 1 + static_cast<std::size_t>(n)) << n;
        expectSound(g);
    }
}

TEST(Saturate, AgreesWithANaiveImplementation) {
    const auto language = mathLanguage();
    const std::vector<std::array<const char*, 3>> texts = {
        {"comm-add", "(+ ?a ?b)", "(+ ?b ?a)"},
        {"comm-mul", "(* ?a ?b)", "(* ?b ?a)"},
        {"assoc-add", "(+ ?a (+ ?b ?c))", "(+ (+ ?a ?b) ?c)"},
        {"distribute", "(* ?a (+ ?b ?c))", "(+ (* ?a ?b) (* ?a ?c))"},
        {"factor", "(+ (* ?a ?b) (* ?a ?c))", "(* ?a (+ ?b ?c))"},
        {"one-mul", "(* ?a 1)", "?a"},
        {"cancel-sub", "(- ?a ?a)", "0"},
    };
    const std::vector<const char*> starts = {"(+ (* x y) (* x 1))", "(* (+ a b) (+ x 1))",
                                             "(- (* a 1) a)",
                                             "(+ (- (+ a b) (+ b a)) (* y (+ a 1)))"};
    const auto rules = rulesOf(*language, texts);
    for (const char* start : starts) {
        EGraph g(language);
        addMath(g, start);
        const auto counts = ruleCountsOf(run(g, rules, 4));

        NaiveEGraph naive;
        naive.instantiate(*Pattern::parse(*language, withNumbers(start)), {});
        for (std::size_t k = 0; k < counts.size(); ++k) {
            std::vector<std::tuple<std::size_t, std::size_t, NaiveEGraph::Env>> matches;
            for (std::size_t r = 0; r < rules.size(); ++r)
                for (std::size_t id : naive.classes()) {
                    std::vector<NaiveEGraph::Env> envs;
                    naive.match(rules[r].lhs, rules[r].lhs.nodes.size() - 1, id, {}, envs);
                    for (const auto& env : envs)
                        matches.emplace_back(r, id, env);
                }
            for (const auto& [r, id, env] : matches) {
                const auto rhs =
                    Pattern::parseIn(*language, withNumbers(texts[r][2]), rules[r].lhs);
                naive.merge(id, naive.instantiate(*rhs, env));
            }
            naive.close();
            EXPECT_EQ(counts[k], std::pair(naive.rowCount(), naive.classes().size()))
                << start << " iteration " << k + 1;
        }
        expectSound(g);
    }
}

TEST(Saturate, IsDeterministic) {
    std::string first;
    for (int repeat = 0; repeat < 2; ++repeat) {
        EGraph g(mathLanguage());
        addMathMicroTerms(g);
        run(g, mathMicroRules(g.language()), 6);
        std::string log;
        for (const UnionEntry& entry : g.unionLog())
            log += std::to_string(entry.left.value()) + "<" + std::to_string(entry.right.value()) +
                   ":" + std::to_string(entry.origin.rule.value()) + " ";
        if (repeat == 0)
            first = log;
        EXPECT_EQ(log, first);
    }
    EXPECT_GT(first.size(), 1000u);
}

// ---- rules --------------------------------------------------------------------------------------

TEST(Saturate, ConditionsAndSeveralResultsPerMatch) {
    EGraph g(mathLanguage());
    const EClassId six = addMath(g, "6"), seven = addMath(g, "7");
    const OpId num = *g.language().findOp("num"), mul = *g.language().findOp("*");
    Rewrite factorise{
        "factorise", "test", *Pattern::parse(g.language(), "(num $n)"),
        [](const EGraph&, const Match& m) { return m.params[0] % 2 == 0; },
        [&](EGraph& e, const Match& m, const Origin& origin, std::vector<EClassId>& equal) {
            for (Param f = 2; f < m.params[0]; ++f)
                if (m.params[0] % f == 0)
                    equal.push_back(e.add(
                        mul, {},
                        {e.add(num, {f}, {}, origin), e.add(num, {m.params[0] / f}, {}, origin)},
                        origin));
        }};
    const std::vector<Rewrite> rules{factorise};
    const auto result = run(g, rules, 10);
    EXPECT_EQ(result.outcome, StopReason::Saturated);
    EXPECT_EQ(g.enodes(six).size(), 3u); // 6, 2·3, 3·2
    EXPECT_EQ(g.enodes(seven).size(), 1u);
    EXPECT_EQ(result.iterations[0].rules[0].matches, 2u);
    EXPECT_EQ(result.iterations[0].rules[0].applied, 1u);
    EXPECT_EQ(result.iterations.back().rules[0].applied, 0u);
    expectSound(g);
}

TEST(Provenance, EveryNodeHasAChainThatEndsAtAGivenOne) {
    EGraph g(mathLanguage());
    addMathMicroTerms(g);
    const std::size_t given = g.totalEnodes();
    const auto rules = mathMicroRules(g.language());
    run(g, rules, 6);
    const auto view = g.view();
    for (std::size_t i = 0; i < g.totalEnodes(); ++i) {
        const ENodeId n{i};
        const auto chain = originChain(g, n);
        ASSERT_EQ(chain.front().node, n);
        ASSERT_EQ(chain.back().origin.rule, kGiven);
        ASSERT_LT(chain.back().node.index(), given);
        ASSERT_EQ(chain.size() == 1, i < given);
        ASSERT_EQ(originChain(*view, n).size(), chain.size());
        for (std::size_t k = 0; k + 1 < chain.size(); ++k) {
            const Origin& origin = chain[k].origin;
            ASSERT_LT(origin.rule.index(), rules.size());
            ASSERT_GT(origin.iteration, chain[k + 1].origin.iteration);
            ASSERT_EQ(g.op(origin.root), rules[origin.rule.index()].lhs.root().op);
        }
    }
    for (const UnionEntry& entry : g.unionLog()) {
        ASSERT_TRUE(entry.origin.rule == kCongruence || entry.origin.rule.index() < rules.size());
        ASSERT_EQ(g.eclassOf(entry.origin.root), g.eclassOf(entry.left));
        if (entry.origin.rule == kCongruence)
            ASSERT_EQ(g.op(entry.left), g.op(entry.right));
        else
            ASSERT_EQ(entry.origin.root, entry.left);
        ASSERT_GE(entry.origin.iteration, 1);
    }
}

// ---- limits -------------------------------------------------------------------------------------

struct Exploding {
    EGraph g{mathLanguage()};
    std::vector<Rewrite> rules = acRules(g.language());
    Exploding() { addSum(g, 16); }
};

void expectUsable(Exploding& e) {
    expectSound(e.g);
    EXPECT_NE(e.g.view(), nullptr);
    addMath(e.g, "(+ 99 98)");
    e.g.rebuild();
    expectSound(e.g);
}

TEST(Limits, Iterations) {
    Exploding e;
    SaturationParams params;
    params.maxIterations = 3;
    const auto result = saturate(e.g, e.rules, params);
    EXPECT_EQ(result.outcome, StopReason::IterationLimit);
    EXPECT_EQ(result.iterations.size(), 3u);
    EXPECT_TRUE(result.iterations.back().complete);
    expectUsable(e);
}

TEST(Limits, Nodes) {
    Exploding e;
    SaturationParams params;
    params.maxEnodes = 20'000;
    const auto result = saturate(e.g, e.rules, params);
    EXPECT_EQ(result.outcome, StopReason::NodeLimit);
    EXPECT_FALSE(result.iterations.back().complete);
    EXPECT_LE(e.g.enodeCount(), 20'002u); // one application adds two e-nodes at most
    EXPECT_GT(e.g.enodeCount(), 5'000u);
    expectUsable(e);
}

TEST(Limits, Seconds) {
    Exploding e;
    SaturationParams params;
    params.maxSeconds = 0.2;
    params.maxEnodes = 100'000'000;
    const auto result = saturate(e.g, e.rules, params);
    EXPECT_EQ(result.outcome, StopReason::TimeLimit);
    expectUsable(e);
}

TEST(Limits, Bytes) {
    Exploding e;
    SaturationParams params;
    params.maxBytes = 4'000'000;
    const auto result = saturate(e.g, e.rules, params);
    EXPECT_EQ(result.outcome, StopReason::MemoryLimit);
    EXPECT_LT(e.g.bytes(), 8'000'000u);
    expectUsable(e);
}

TEST(Limits, SaturatedEndsAndStaysSaturated) {
    EGraph g(mathLanguage());
    addSum(g, 5);
    const auto rules = acRules(g.language());
    EXPECT_EQ(run(g, rules, 100).outcome, StopReason::Saturated);
    const std::size_t nodes = g.totalEnodes();
    const auto again = run(g, rules, 100);
    EXPECT_EQ(again.outcome, StopReason::Saturated);
    EXPECT_EQ(again.iterations.size(), 1u);
    EXPECT_EQ(g.totalEnodes(), nodes);
}

TEST(Limits, AStoppedRunCanGoOnToTheSameEnd) {
    EGraph g(mathLanguage());
    addSum(g, 7);
    const auto rules = acRules(g.language());
    Saturation saturation(g, rules, {});
    std::stop_source cancelled;
    cancelled.request_stop();
    EXPECT_EQ(saturation.step({}), std::nullopt);
    EXPECT_EQ(saturation.step(cancelled.get_token()), StopReason::Cancelled);
    auto params = saturation.params();
    params.maxEnodes = 600;
    saturation.setParams(params);
    std::optional<StopReason> outcome;
    while (!(outcome = saturation.step({})))
        continue;
    EXPECT_EQ(*outcome, StopReason::NodeLimit);
    params.maxEnodes = 1'000'000;
    saturation.setParams(params);
    while (!(outcome = saturation.step({})))
        continue;
    EXPECT_EQ(*outcome, StopReason::Saturated);
    EXPECT_EQ(g.eclassCount(), 127u);
    EXPECT_EQ(g.enodeCount(), 1939u);
    expectSound(g);
}

/// Requests a stop while the e-node `last` is made.
class StopWhileAdding : public Analysis {
public:
    explicit StopWhileAdding(std::size_t last) : last_(last) {}
    FactId make(const EGraph&, OpId, ParamSpan, std::span<const FactId>) override {
        if (++made == last_)
            source.request_stop();
        return FactId{0};
    }
    std::optional<FactId> merge(FactId older, FactId) override { return older; }
    std::string describe(FactId) const override { return ""; }

    std::size_t made = 0;
    std::stop_source source;

private:
    std::size_t last_;
};

TEST(Cancel, NothingIsAppliedAfterTheApplicationUnderWay) {
    for (std::size_t last : {100u, 3'000u, 40'000u, 600'000u}) {
        StopWhileAdding stop(last);
        EGraph g(mathLanguage(), &stop);
        addSum(g, 16);
        SaturationParams params;
        params.maxEnodes = 100'000'000;
        params.maxSeconds = std::numeric_limits<double>::infinity();
        const auto rules = acRules(g.language());
        const auto result = saturate(g, rules, params, stop.source.get_token());
        EXPECT_EQ(result.outcome, StopReason::Cancelled);
        EXPECT_FALSE(result.iterations.back().complete);
        EXPECT_LE(stop.made, last + 1) << "one application adds two e-nodes at most";
        if (last <= 40'000) // the full check of a bigger one takes longer than the rest
            expectSound(g);
    }
}

TEST(Cancel, LittleWaitsForARebuild) {
    Exploding e;
    std::size_t most = 0;
    Rewrite& assoc = e.rules[1];
    assoc.condition = [&most](const EGraph& g, const Match&) {
        most = std::max(most, g.pendingWork());
        return true;
    };
    SaturationParams params;
    params.maxEnodes = 300'000;
    saturate(e.g, e.rules, params);
    EXPECT_GT(most, 1'000u);
    EXPECT_LE(most, 10'000u) << "what a rebuild after a stop has to do";
}

TEST(Cancel, ASearchIsAskedWhetherItGoesOn) {
    Exploding e;
    SaturationParams params;
    params.maxEnodes = 100'000;
    saturate(e.g, e.rules, params);
    const Rewrite assoc = acRules(e.g.language())[1];
    CompiledRule rule(e.g, assoc);
    for (std::size_t last : {1u, 2u, 50u}) {
        std::size_t asked = 0;
        MatchBuffer found = rule.makeBuffer();
        const std::size_t matches = rule.search(
            e.g, {}, {1'000'000'000, [&](const MatchBuffer&) { return ++asked < last; }}, found);
        EXPECT_EQ(asked, last) << "it ends when it is told to";
        EXPECT_LE(matches, 256 * last);
    }
}

TEST(Cancel, IsPromptBesideTheWholeRun) {
    using test::Effort;
    SaturationParams params;
    params.maxEnodes = 600'000;
    params.maxSeconds = std::numeric_limits<double>::infinity();
    std::unique_ptr<Exploding> e; // its end is no part of the run
    const auto run = [&](std::stop_token stop) {
        e = std::make_unique<Exploding>();
        return test::effortOf([&] { saturate(e->g, e->rules, params, stop); });
    };
    const Effort whole = run({});
    params.maxEnodes = 100'000'000;
    for (const double share : {0.2, 0.5, 0.8}) {
        const auto after = test::leastEffortAfterStop(2, share * whole, run);
        ASSERT_TRUE(after.has_value());
        EXPECT_LT(*after, 0.2 * whole) << share << " of " << whole;
    }
}

} // namespace
} // namespace marquetry::egraph
