#include "tests/egraph/math_language.h"

#include "engine/support/rng.h"

#include <malloc.h>
#include <map>
#include <thread>

namespace marquetry::egraph {
namespace {

using ::testing::ElementsAre;

OpId opNamed(const EGraph& g, const char* name) {
    return *g.language().findOp(name);
}

ENodeId node(EClassId id) {
    return ENodeId{id.value()};
}

TEST(HashCons, GivesEqualTermsOneNode) {
    EGraph g(mathLanguage());
    const EClassId first = addMath(g, "(+ x (* 2 y))");
    EXPECT_EQ(g.enodeCount(), 5u);
    EXPECT_EQ(addMath(g, "(+ x (* 2 y))"), first);
    EXPECT_EQ(g.enodeCount(), 5u);
    EXPECT_NE(addMath(g, "(+ x (* 3 y))"), first);
    EXPECT_EQ(g.enodeCount(), 8u);
    expectSound(g);
}

TEST(HashCons, LooksUpWithoutAdding) {
    EGraph g(mathLanguage());
    const EClassId x = addMath(g, "x");
    const EClassId sum = addMath(g, "(+ x x)");
    const std::array children{x, x};
    EXPECT_EQ(g.lookup(opNamed(g, "+"), {}, children), sum);
    EXPECT_EQ(g.lookup(opNamed(g, "*"), {}, children), std::nullopt);
    EXPECT_EQ(g.enodeCount(), 2u);
    EXPECT_THAT(g.parents(x), ElementsAre(node(sum))); // once, although x is both children
}

TEST(HashCons, SurvivesRandomInsertAndErase) {
    ENodeStore store;
    HashCons table;
    SplitMix64 rng(7);
    std::map<std::uint32_t, bool> present;
    for (std::uint32_t i = 0; i < 3000; ++i) {
        const std::array<Param, 1> p{static_cast<Param>(i)};
        store.push(store.labels().intern(OpId{i % 5}, p, 0), {});
    }
    const auto hash = [&](std::uint32_t i) {
        return hashENode(store.label(ENodeId{i}), {}) & 0xFFu; // collisions
    };
    for (int step = 0; step < 20000; ++step) {
        const auto i = static_cast<std::uint32_t>(rng.range(0, 2999));
        if (present[i])
            table.erase(ENodeId{i}, hash(i));
        else
            table.insert(ENodeId{i}, hash(i));
        present[i] = !present[i];
    }
    std::size_t expected = 0;
    for (const auto& [i, there] : present)
        expected += there;
    EXPECT_EQ(table.size(), expected);
    for (const auto& [i, there] : present) // erase asserts that the entry is found
        if (there)
            table.erase(ENodeId{i}, hash(i));
    EXPECT_EQ(table.size(), 0u);
}

TEST(Add, AcceptsSpansIntoTheStore) {
    EGraph g(mathLanguage());
    EClassId last = addMath(g, "1");
    for (Param k = 0; k < 500; ++k)
        last = g.add(opNamed(g, "num"), {k}, {});
    const ENodeId seven = *g.lookupNode(opNamed(g, "num"), std::array<Param, 1>{7}, {});
    for (int k = 0; k < 100; ++k)
        g.add(opNamed(g, "+"), {}, {last, last});
    EXPECT_EQ(g.add(opNamed(g, "num"), g.params(seven), g.children(seven)), g.eclassOf(seven));
    expectSound(g);
}

TEST(AddDeathTest, ChecksAritiesAndSorts) {
    auto language = std::make_shared<Language>();
    const SortId tensor = language->addSort("tensor");
    const SortId unit = language->addSort("unit");
    const OpId t = language->addOp({"t", tensor, {}, 0, false, false});
    const OpId u = language->addOp({"u", unit, {}, 1, false, true});
    const OpId call = language->addOp({"call", tensor, {unit, tensor}, 0, true, false});
    EGraph g(language);
    const EClassId tc = g.add(t, {}, {});
    const EClassId uc = g.add(u, {4, 5, 6}, {});
    EXPECT_EQ(g.sort(g.add(call, {}, {uc, tc, tc, tc})), tensor);
    EXPECT_EQ(g.sort(g.add(call, {}, {uc})), tensor);
    expectSound(g);
    EXPECT_DEATH(g.add(call, {}, {tc, tc}), "sort of a child");
    EXPECT_DEATH(g.add(call, {}, {uc, uc}), "sort of a child");
    EXPECT_DEATH(g.add(call, {}, {}), "number of children");
    EXPECT_DEATH(g.add(u, {}, {}), "number of parameters");
    EXPECT_DEATH(g.add(t, {1}, {}), "number of parameters");
    EXPECT_DEATH(g.merge(uc, tc), "one sort");
}

TEST(Rebuild, MergesParentsAfterUnion) {
    EGraph g(mathLanguage());
    const EClassId a = addMath(g, "a"), b = addMath(g, "b");
    const EClassId fa = addMath(g, "(f a)"), fb = addMath(g, "(f b)");
    const EClassId gfa = addMath(g, "(g (f a))"), gfb = addMath(g, "(g (f b))");
    EXPECT_TRUE(g.merge(b, a));
    EXPECT_FALSE(g.merge(a, b));
    EXPECT_FALSE(g.clean());
    EXPECT_NE(g.find(fa), g.find(fb));
    g.rebuild();
    EXPECT_EQ(g.find(fb), fa);
    EXPECT_EQ(g.find(gfb), gfa); // a cascade
    EXPECT_EQ(g.find(b), a);
    EXPECT_EQ(g.eclassCount(), 3u);
    EXPECT_EQ(g.enodeCount(), 4u); // a b f(a) g(f(a))
    EXPECT_FALSE(g.live(node(fb)));
    EXPECT_THAT(g.enodes(a), ElementsAre(node(a), node(b)));
    EXPECT_THAT(g.eclasses(), ElementsAre(a, fa, gfa));
    EXPECT_THAT(g.nodesWithOp(opNamed(g, "f")), ElementsAre(node(fa)));
    expectSound(g);
}

TEST(Provenance, KeepsTheTermsAsTheyWereWritten) {
    EGraph g(mathLanguage());
    const EClassId a = addMath(g, "a"), b = addMath(g, "b");
    const EClassId fb = addMath(g, "(f b)"), gfb = addMath(g, "(g (f b))");
    const EClassId fa = addMath(g, "(f a)");
    g.merge(b, a);
    g.rebuild();
    EXPECT_THAT(g.children(node(fb)), ElementsAre(a));
    EXPECT_THAT(g.originalChildren(node(fb)), ElementsAre(b));
    EXPECT_THAT(g.originalChildren(node(fa)), ElementsAre(a)); // subsumed by (f b)
    EXPECT_THAT(g.originalChildren(node(gfb)), ElementsAre(fb));
    ASSERT_EQ(g.unionLog().size(), 2u);
    EXPECT_EQ(g.unionLog()[0], (UnionEntry{node(b), node(a), {}}));
    EXPECT_EQ(g.unionLog()[1].left, node(fb));
    EXPECT_EQ(g.unionLog()[1].right, node(fa));
    EXPECT_EQ(g.unionLog()[1].origin.rule, kCongruence);
    expectSound(g);
}

TEST(Rebuild, HandlesCycles) {
    EGraph g(mathLanguage());
    const EClassId a = addMath(g, "a");
    const EClassId ffffffa = addMath(g, "(f (f (f (f (f (f a))))))");
    const EClassId ffffa = addMath(g, "(f (f (f (f a))))");
    g.merge(a, ffffffa); // f^6 a = a and f^4 a = a, so f^2 a = a
    g.merge(a, ffffa);
    g.rebuild();
    EXPECT_EQ(g.find(addMath(g, "(f (f a))")), a);
    EXPECT_EQ(g.eclassCount(), 2u);
    EXPECT_EQ(g.enodeCount(), 3u);
    expectSound(g);
    g.merge(a, addMath(g, "(f a)"));
    g.rebuild();
    EXPECT_EQ(g.eclassCount(), 1u);
    EXPECT_EQ(g.enodeCount(), 2u);
    expectSound(g);
}

TEST(Rebuild, CanonicalIdIsTheOldest) {
    EGraph g(mathLanguage());
    std::vector<EClassId> ids;
    for (Param k = 0; k < 100; ++k)
        ids.push_back(g.add(opNamed(g, "num"), {k}, {}));
    for (std::size_t k = 99; k >= 1; --k)
        g.merge(ids[k - 1], ids[k]);
    g.rebuild();
    EXPECT_EQ(g.find(ids[99]), ids[0]);
    EXPECT_EQ(g.enodes(ids[50]).size(), 100u);
    expectSound(g);
}

/// Congruence closure by its definition: merge until no pair of terms violates it.
std::vector<std::size_t> naiveClosure(const EGraph& g,
                                      const std::vector<std::vector<std::size_t>>& children,
                                      const std::vector<std::pair<std::size_t, std::size_t>>& eqs) {
    std::vector<std::size_t> label(children.size());
    for (std::size_t i = 0; i < label.size(); ++i)
        label[i] = i;
    const auto relabel = [&](std::size_t a, std::size_t b) {
        const auto [from, to] =
            std::pair{std::max(label[a], label[b]), std::min(label[a], label[b])};
        for (std::size_t& l : label)
            l = l == from ? to : l;
    };
    for (const auto& [a, b] : eqs)
        relabel(a, b);
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < label.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                if (label[i] == label[j] || g.op(ENodeId{i}) != g.op(ENodeId{j}) ||
                    !std::ranges::equal(g.params(ENodeId{i}), g.params(ENodeId{j})))
                    continue;
                bool same = true;
                for (std::size_t k = 0; k < children[i].size(); ++k)
                    same &= label[children[i][k]] == label[children[j][k]];
                if (same) {
                    relabel(i, j);
                    changed = true;
                }
            }
    }
    return label;
}

TEST(Rebuild, AgreesWithNaiveCongruenceClosure) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        SplitMix64 rng(seed);
        EGraph g(mathLanguage());
        std::vector<std::vector<std::size_t>> children;
        const auto pick = [&] {
            return EClassId{static_cast<std::size_t>(
                rng.range(0, static_cast<std::int64_t>(g.totalEnodes()) - 1))};
        };
        g.add(opNamed(g, "a"), {}, {});
        while (g.totalEnodes() < 60) {
            const auto kind = rng.range(0, 5);
            if (kind == 0)
                g.add(opNamed(g, "num"), {rng.range(0, 9)}, {});
            else if (kind <= 2)
                g.add(opNamed(g, kind == 1 ? "f" : "g"), {}, {pick()});
            else
                g.add(opNamed(g, kind == 3 ? "+" : "*"), {}, {pick(), pick()});
        }
        for (std::size_t i = 0; i < g.totalEnodes(); ++i) {
            children.emplace_back();
            for (EClassId c : g.children(ENodeId{i}))
                children.back().push_back(c.index()); // before any union a class is its e-node
        }
        std::vector<std::pair<std::size_t, std::size_t>> equations;
        for (int k = 0; k < 12; ++k) {
            const EClassId a = pick(), b = pick();
            equations.emplace_back(a.index(), b.index());
            g.merge(a, b);
            if (rng.range(0, 3) == 0) {
                g.rebuild();
                expectSound(g);
            }
        }
        g.rebuild();
        expectSound(g);
        const auto expected = naiveClosure(g, children, equations);
        for (std::size_t i = 0; i < expected.size(); ++i)
            ASSERT_EQ(g.eclassOf(ENodeId{i}).index(), expected[i]) << "seed " << seed;
    }
}

TEST(Rebuild, DeepChainsDoNotOverflowTheStack) {
    constexpr int kDepth = 100'000;
    EGraph g(mathLanguage());
    const OpId f = opNamed(g, "f");
    const EClassId x = addMath(g, "x"), y = addMath(g, "y");
    EClassId overX = x, overY = y;
    for (int k = 0; k < kDepth; ++k) {
        overX = g.add(f, {}, {overX});
        overY = g.add(f, {}, {overY});
    }
    g.merge(x, y);
    g.rebuild();
    EXPECT_EQ(g.find(overX), g.find(overY));
    EXPECT_EQ(g.eclassCount(), static_cast<std::size_t>(kDepth) + 1);
    EXPECT_EQ(g.view()->enodeCount(), static_cast<std::size_t>(kDepth) + 2);
    g.merge(x, overX);
    g.rebuild();
    expectSound(g);
}

/// While it lives, memory that is freed is overwritten, so that a late read shows.
class Overwritten {
public:
    Overwritten() { mallopt(M_PERTURB, 0xA5); }
    Overwritten(const Overwritten&) = delete;
    Overwritten& operator=(const Overwritten&) = delete;
    ~Overwritten() { mallopt(M_PERTURB, 0); }
};

// The pages that a view shared are copied and freed at the next change once nobody reads them.
TEST(View, OnesThatAreGoneLeaveNothingBehind) {
    EGraph watched(mathLanguage()), alone(mathLanguage());
    addMathMicroTerms(watched);
    addMathMicroTerms(alone);
    const auto rules = mathMicroRules(watched.language());
    Saturation watchedRun(watched, rules, {}), aloneRun(alone, rules, {});
    const Overwritten overwritten;
    for (int k = 0; k < 5; ++k) {
        EXPECT_GT(watched.view()->enodeCount(), 0U); // and gone
        watchedRun.step({});
        aloneRun.step({});
        ASSERT_EQ(watched.enodeCount(), alone.enodeCount()) << k;
        ASSERT_EQ(watched.eclassCount(), alone.eclassCount()) << k;
    }
    for (EClassId id : alone.eclasses())
        ASSERT_TRUE(std::ranges::equal(watched.enodes(id), alone.enodes(id)));
    expectSound(watched);
}

TEST(View, CopiesEverythingAndOutlivesTheEGraph) {
    std::shared_ptr<const FrozenEGraph> view;
    std::size_t nodes = 0, classes = 0;
    {
        EGraph g(mathLanguage());
        addMathMicroTerms(g);
        const auto rules = mathMicroRules(g.language());
        SaturationParams params;
        params.maxIterations = 3;
        saturate(g, rules, params);
        view = g.view();
        nodes = g.enodeCount();
        classes = g.eclassCount();
        for (EClassId id : g.eclasses()) {
            ASSERT_TRUE(std::ranges::equal(view->enodes(id), g.enodes(id)));
            ASSERT_TRUE(std::ranges::equal(view->parents(id), g.parents(id)));
            ASSERT_EQ(view->sort(id), g.sort(id));
            for (ENodeId n : g.enodes(id)) {
                ASSERT_TRUE(std::ranges::equal(view->children(n), g.children(n)));
                ASSERT_TRUE(std::ranges::equal(view->params(n), g.params(n)));
                ASSERT_EQ(view->origin(n), g.origin(n));
                ASSERT_EQ(view->eclassOf(n), id);
            }
        }
        addMath(g, "(+ a b)"); // the view does not follow
        EXPECT_NE(g.enodeCount(), nodes);
    }
    EXPECT_EQ(view->enodeCount(), nodes);
    EXPECT_EQ(view->eclassCount(), classes);
    std::jthread reader([view] {
        for (EClassId id : view->eclasses())
            for (ENodeId n : view->enodes(id))
                EXPECT_FALSE(view->opName(n).empty());
    });
}

} // namespace
} // namespace marquetry::egraph
