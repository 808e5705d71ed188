#include "tests/egraph/math_language.h"

#include "engine/support/rng.h"

#include <map>
#include <set>

namespace marquetry::egraph {
namespace {

using Substitution = std::pair<std::vector<EClassId>, std::vector<Param>>;
using Found = std::set<std::pair<EClassId, Substitution>>;

Found found(const EGraph& g, const Pattern& pattern) {
    Found all;
    for (const Match match : ematch(g, pattern)) {
        EXPECT_EQ(g.eclassOf(match.root), match.eclass);
        const bool fresh = all.insert({match.eclass,
                                       {{match.classes.begin(), match.classes.end()},
                                        {match.params.begin(), match.params.end()}}})
                               .second;
        EXPECT_TRUE(fresh) << "a match was found twice";
    }
    return all;
}

/// Tries every assignment of classes and parameters, and checks it bottom-up with lookup alone.
Found bruteForce(const EGraph& g, const Pattern& pattern, Param maxParam) {
    Found all;
    const auto classes = g.eclasses();
    const std::size_t nc = pattern.classVars.size(), np = pattern.paramVars.size();
    std::vector<std::size_t> digits(nc + np, 0);
    while (true) {
        Substitution s{std::vector<EClassId>(nc), std::vector<Param>(np)};
        for (std::size_t i = 0; i < nc; ++i)
            s.first[i] = classes[digits[i]];
        for (std::size_t i = 0; i < np; ++i)
            s.second[i] = static_cast<Param>(digits[nc + i]);
        std::vector<std::optional<EClassId>> value;
        for (const PatternNode& n : pattern.nodes) {
            std::optional<EClassId> here;
            if (n.isVar) {
                here = s.first[n.var.index()];
            } else {
                std::vector<Param> params;
                for (const auto& p : n.params)
                    params.push_back(p.isVar ? s.second[p.var.index()] : p.literal);
                std::vector<EClassId> children;
                for (auto c : n.children)
                    if (value[c])
                        children.push_back(*value[c]);
                if (children.size() == n.children.size())
                    here = g.lookup(n.op, params, children);
            }
            value.push_back(here);
        }
        if (value.back())
            all.insert({*value.back(), s});
        std::size_t at = 0;
        while (at < digits.size()) {
            const std::size_t limit =
                at < nc ? classes.size() : static_cast<std::size_t>(maxParam) + 1;
            if (++digits[at] < limit)
                break;
            digits[at++] = 0;
        }
        if (at == digits.size())
            return all;
    }
}

EGraph randomGraph(std::uint64_t seed) {
    SplitMix64 rng(seed);
    EGraph g(mathLanguage());
    const auto op = [&](const char* name) { return *g.language().findOp(name); };
    const auto pick = [&] {
        return EClassId{
            static_cast<std::size_t>(rng.range(0, static_cast<std::int64_t>(g.totalEnodes()) - 1))};
    };
    g.add(op("x"), {}, {});
    for (int k = 0; k < 25; ++k) {
        switch (rng.range(0, 3)) {
        case 0:
            g.add(op("num"), {rng.range(0, 3)}, {});
            break;
        case 1:
            g.add(op("f"), {}, {pick()});
            break;
        default:
            g.add(op(k % 2 ? "+" : "*"), {}, {pick(), pick()});
        }
    }
    for (int k = 0; k < 6; ++k)
        g.merge(pick(), pick());
    g.rebuild();
    return g;
}

TEST(EMatch, AgreesWithBruteForce) {
    const std::vector<const char*> texts = {"?a",
                                            "x",
                                            "(num $n)",
                                            "(f ?a)",
                                            "(+ ?a ?b)",
                                            "(+ ?a ?a)",
                                            "(f (f ?a))",
                                            "(+ ?a (+ ?b ?c))",
                                            "(+ (* ?a ?b) (* ?a ?c))",
                                            "(* ?a (num 2))",
                                            "(+ (num $n) (num $n))",
                                            "(+ (f ?a) (+ ?a (num $k)))"};
    std::size_t total = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const EGraph g = randomGraph(seed);
        for (const char* text : texts) {
            const auto pattern = Pattern::parse(g.language(), text);
            ASSERT_TRUE(pattern.has_value()) << format(pattern.error());
            const Found expected = bruteForce(g, *pattern, 3);
            EXPECT_EQ(found(g, *pattern), expected) << text << " seed " << seed;
            total += expected.size();
        }
    }
    EXPECT_GT(total, 1000u); // the random graphs do exercise the patterns
}

TEST(EMatch, OrderIsByRootNodeThenInsertion) {
    EGraph g(mathLanguage());
    addMath(g, "(+ (+ 1 2) (+ 3 4))");
    g.merge(addMath(g, "(+ 1 2)"), addMath(g, "(+ 5 6)"));
    g.rebuild();
    const auto pattern = Pattern::parse(g.language(), "(+ (+ (num $a) (num $b)) ?c)");
    std::vector<std::pair<Param, Param>> order;
    for (const Match m : ematch(g, *pattern))
        order.emplace_back(m.params[0], m.params[1]);
    EXPECT_THAT(order, ::testing::ElementsAre(std::pair<Param, Param>{1, 2},
                                              std::pair<Param, Param>{5, 6}));
}

TEST(EMatch, ABareVariableKeepsToItsSort) {
    auto language = std::make_shared<Language>();
    const SortId p = language->addSort("p"), q = language->addSort("q");
    language->addOp({"a", p, {}, 0, false, false});
    language->addOp({"b", q, {}, 0, false, false});
    language->addOp({"wrap", p, {p}, 0, false, false});
    EGraph g(language);
    const EClassId a = *addTerm(g, "a");
    ASSERT_TRUE(addTerm(g, "b").has_value());
    const auto rule = makeRewrite(*language, {"wrap", "test", "?v", "(wrap ?v)"});
    ASSERT_TRUE(rule.has_value()) << format(rule.error());
    const MatchList matches = ematch(g, rule->lhs);
    ASSERT_EQ(matches.size(), 1u);
    EXPECT_EQ(matches[0].eclass, a);
}

TEST(EMatch, VariadicOperatorsMatchTheirWrittenArity) {
    auto language = std::make_shared<Language>();
    const SortId s = language->addSort("s");
    language->addOp({"k", s, {}, 1, false, true});
    language->addOp({"list", s, {s}, 0, true, false});
    EGraph g(language);
    for (const char* text : {"(list)", "(list (k 1))", "(list (k 1) (k 1 2))", "(list (k 3 4))"})
        ASSERT_TRUE(addTerm(g, text).has_value());
    EXPECT_EQ(ematch(g, *Pattern::parse(*language, "(list ?a)")).size(), 2u);
    EXPECT_EQ(ematch(g, *Pattern::parse(*language, "(list ?a ?b)")).size(), 1u);
    EXPECT_EQ(ematch(g, *Pattern::parse(*language, "(k $m $n)")).size(), 2u);
}

TEST(EMatch, StopsWhenAsked) {
    EGraph g(mathLanguage());
    for (int k = 0; k < 5000; ++k)
        addMath(g, std::to_string(k));
    const auto pattern = Pattern::parse(g.language(), "(num $n)");
    std::size_t polls = 0;
    const MatchList some = ematch(g, *pattern, [&](const MatchList&) { return ++polls == 2; });
    EXPECT_EQ(polls, 2u);
    EXPECT_LE(some.size(), 512u);
    EXPECT_EQ(ematch(g, *pattern).size(), 5000u);
}

TEST(PatternText, RoundTrips) {
    const auto language = mathLanguage();
    for (const char* text : {"?a", "x", "(num -4)", "(+ ?a (* (num $n) ?b))", "(f (f (f y)))"}) {
        const auto pattern = Pattern::parse(*language, text);
        ASSERT_TRUE(pattern.has_value()) << format(pattern.error());
        EXPECT_EQ(format(*language, *pattern), text);
    }
}

TEST(PatternText, DeepPatternsDoNotOverflowTheStack) {
    std::string text = "x";
    std::string open, close;
    for (int k = 0; k < 5000; ++k) {
        open += "(f ";
        close += ")";
    }
    EGraph g(mathLanguage());
    const EClassId root = *addTerm(g, open + text + close);
    const auto pattern = Pattern::parse(g.language(), open + "?v" + close);
    ASSERT_TRUE(pattern.has_value());
    const MatchList matches = ematch(g, *pattern);
    ASSERT_EQ(matches.size(), 1u);
    EXPECT_EQ(matches[0].eclass, root);
}

TEST(PatternTextErrors, AreNamed) {
    const auto language = mathLanguage();
    const std::vector<std::pair<const char*, const char*>> cases = {
        {"", "pattern-syntax"},
        {"()", "pattern-syntax"},
        {"(+ ?a ?b", "pattern-syntax"},
        {"(+ ?a ?b))", "pattern-syntax"},
        {"?a ?b", "pattern-syntax"},
        {")", "pattern-syntax"},
        {"7", "pattern-syntax"},
        {"(f ?a 7)", "pattern-syntax"},
        {"(nope ?a)", "unknown-operator"},
        {"nope", "unknown-operator"},
        {"(+ ?a)", "pattern-arity"},
        {"(num)", "pattern-arity"},
        {"(f 1 ?a)", "pattern-arity"},
    };
    for (const auto& [text, code] : cases) {
        const auto pattern = Pattern::parse(*language, text);
        ASSERT_FALSE(pattern.has_value()) << text;
        EXPECT_EQ(pattern.error()[0].code, code) << text;
    }
}

TEST(RewriteErrors, AnUnboundRightHandVariableIsADiagnostic) {
    const auto language = mathLanguage();
    const auto classVar = makeRewrite(*language, {"bad", "test", "(f ?a)", "(+ ?a ?b)"});
    ASSERT_FALSE(classVar.has_value());
    EXPECT_EQ(classVar.error()[0].code, "unbound-variable");
    EXPECT_THAT(classVar.error()[0].message, ::testing::HasSubstr("?b"));
    EXPECT_THAT(classVar.error()[0].notes[0], ::testing::HasSubstr("'bad'"));
    const auto param = makeRewrite(*language, {"bad", "test", "(num $n)", "(num $m)"});
    ASSERT_FALSE(param.has_value());
    EXPECT_EQ(param.error()[0].code, "unbound-variable");
}

TEST(RewriteErrors, SortsOfPatternsAreChecked) {
    auto language = std::make_shared<Language>();
    const SortId p = language->addSort("p"), q = language->addSort("q");
    language->addOp({"pf", p, {p}, 0, false, false});
    language->addOp({"qf", q, {q}, 0, false, false});
    for (const char* text : {"(pf (qf ?a))"}) {
        const auto pattern = Pattern::parse(*language, text);
        ASSERT_FALSE(pattern.has_value());
        EXPECT_EQ(pattern.error()[0].code, "pattern-sort");
    }
    EXPECT_EQ(makeRewrite(*language, {"r", "t", "(pf ?a)", "(qf ?a)"}).error()[0].code,
              "pattern-sort");
}

} // namespace
} // namespace marquetry::egraph
