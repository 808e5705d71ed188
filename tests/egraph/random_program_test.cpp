// Random programs of adds, unions, rebuilds, searches and stops; every invariant after each.
#include "engine/support/rng.h"
#include "tests/egraph/math_language.h"

#include <malloc.h>

namespace marquetry::egraph {
namespace {

/// The math operators, one of three children and one of any number.
std::shared_ptr<const Language> wideLanguage() {
    auto language = std::make_shared<Language>(*mathLanguage());
    const SortId e = *language->findSort("expr");
    language->addOp({"select", e, {e, e, e}, 0, false, false});
    language->addOp({"list", e, {e}, 1, true, false});
    return language;
}

class RandomProgram {
public:
    RandomProgram(std::uint64_t seed, Provenance provenance)
        : rng_(seed), g_(wideLanguage(), nullptr, provenance) {
        rules_ = mathMicroRules(g_.language());
        for (const auto& [name, lhs, rhs] :
             {std::array{"select", "(select ?a ?b ?b)", "?b"},
              std::array{"swap", "(list 2 ?a ?b ?c)", "(list 2 ?b ?c ?a)"},
              std::array{"flat", "(f (list $n ?a ?a ?b))", "(list $n ?a (g ?b) ?b)"}})
            rules_.push_back(*makeRewrite(g_.language(), {name, "wide", lhs, rhs}));
        add("x", {}, 0);
    }

    void run(int operations) {
        Saturation saturation(g_, rules_, {});
        for (int k = 0; k < operations; ++k) {
            const auto kind = range(0, 11);
            if (kind <= 5)
                addAny();
            else if (kind <= 7)
                g_.merge(pick(), pick());
            else if (kind <= 9)
                g_.rebuild();
            else
                saturate(saturation);
            if (g_.clean()) {
                expectSound(g_);
            }
            if (::testing::Test::HasFailure())
                return;
        }
        g_.rebuild();
        expectSound(g_);
    }

    std::size_t stops = 0, unions = 0;

private:
    std::int64_t range(std::int64_t low, std::int64_t high) { return rng_.range(low, high); }
    EClassId pick() {
        return EClassId{
            static_cast<std::size_t>(range(0, static_cast<std::int64_t>(g_.totalEnodes()) - 1))};
    }
    void add(const char* op, std::vector<Param> params, std::size_t arity) {
        std::vector<EClassId> children;
        for (std::size_t i = 0; i < arity; ++i)
            children.push_back(pick());
        g_.add(*g_.language().findOp(op), params, children);
    }
    void addAny() {
        switch (range(0, 5)) {
        case 0:
            return add("num", {range(-1, 3)}, 0);
        case 1:
            return add("f", {}, 1);
        case 2:
            return add(range(0, 1) ? "+" : "*", {}, 2);
        case 3:
            return add("select", {}, 3);
        case 4:
            return add("list", {2}, static_cast<std::size_t>(range(0, 6)));
        default:
            return add("-", {}, 2);
        }
    }
    /// A step that is let run, cancelled, or ends at a limit soon.
    void saturate(Saturation& saturation) {
        g_.rebuild();
        SaturationParams params;
        params.maxEnodes = g_.enodeCount() + static_cast<std::size_t>(range(0, 40));
        params.maxIterations = 1000;
        params.scheduler = range(0, 1) ? Scheduler::Backoff : Scheduler::Simple;
        params.matchLimit = 4;
        if (range(0, 9) == 0)
            params.maxBytes = 1;
        saturation.setParams(params);
        std::stop_source source;
        if (range(0, 4) == 0)
            source.request_stop();
        const auto outcome = saturation.step(source.get_token());
        if (outcome == StopReason::NodeLimit) {
            EXPECT_LE(g_.enodeCount(), params.maxEnodes + 8); // one application's e-nodes
        }
        stops += outcome.has_value() ? 1 : 0;
        unions = g_.unionCount();
    }

    SplitMix64 rng_;
    EGraph g_;
    std::vector<Rewrite> rules_;
};

TEST(RandomProgram, KeepsEveryInvariant) {
    std::size_t stops = 0, unions = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        RandomProgram program(seed, seed % 2 ? Provenance::On : Provenance::Off);
        program.run(60);
        ASSERT_FALSE(HasFailure()) << "seed " << seed;
        stops += program.stops;
        unions += program.unions;
    }
    EXPECT_GT(stops, 100u);
    EXPECT_GT(unions, 1000u);
}

/// The same rules as appliers: these are searched from scratch in every iteration.
std::vector<Rewrite> opaque(std::vector<Rewrite> rules) {
    for (Rewrite& rule : rules)
        rule.apply = [rhs = rule.rhs](EGraph& g, const Match& match, const Origin& origin,
                                      std::vector<EClassId>& equal) {
            equal.push_back(instantiate(g, *rhs, match, origin));
        };
    return rules;
}

TEST(SemiNaive, AgreesWithSearchFromScratch) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        SplitMix64 rng(seed);
        std::array<EGraph, 2> graphs{EGraph(mathLanguage()), EGraph(mathLanguage())};
        const auto pure = mathMicroRules(graphs[0].language());
        const auto general = opaque(mathMicroRules(graphs[1].language()));
        SaturationParams params;
        params.scheduler = seed % 2 ? Scheduler::Backoff : Scheduler::Simple;
        params.matchLimit = 12;
        params.banLength = 2;
        for (EGraph& g : graphs)
            addMathMicroTerms(g);
        Saturation fast(graphs[0], pure, params), slow(graphs[1], general, params);
        for (int k = 0; k < (seed % 2 ? 14 : 5); ++k) {
            // Terms and equalities from outside arrive between the steps.
            const std::string a = std::to_string(rng.range(0, 4));
            const std::string sum = "(+ (* x " + a + ") (i (* y x) " + a + "))";
            const bool unite = rng.range(0, 3) == 0;
            for (EGraph& g : graphs) {
                const EClassId id = addMath(g, sum);
                if (unite)
                    g.merge(id, addMath(g, "(* " + a + " y)"));
                g.rebuild();
            }
            const auto done = fast.step({});
            ASSERT_EQ(done, slow.step({})) << "seed " << seed << " step " << k;
            for (std::size_t r = 0; r < pure.size(); ++r)
                ASSERT_EQ(fast.iterations().back().rules[r].banned,
                          slow.iterations().back().rules[r].banned)
                    << "seed " << seed << " step " << k << " rule " << pure[r].name;
            ASSERT_EQ(graphs[0].enodeCount(), graphs[1].enodeCount()) << seed << " step " << k;
            ASSERT_EQ(graphs[0].eclassCount(), graphs[1].eclassCount()) << seed << " step " << k;
        }
        expectSound(graphs[0]);
    }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(Bytes, AreTheAllocatorsWithinFivePercent) {
    const auto inUse = [] {
        const struct mallinfo2 info = mallinfo2();
        return static_cast<double>(info.uordblks + info.hblkhd);
    };
    const auto language = mathLanguage();
    const auto rules = mathMicroRules(*language);
    SaturationParams params;
    params.maxIterations = 9;
    const double before = inUse();
    EGraph g(language);
    addMathMicroTerms(g);
    const auto result = saturate(g, rules, params);
    const double truth = inUse() - before;
    EXPECT_EQ(g.enodeCount(), 28303u);
    EXPECT_NEAR(static_cast<double>(g.bytes()), truth, 0.05 * truth);
}
#endif

} // namespace
} // namespace marquetry::egraph
