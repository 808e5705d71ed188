#include "tests/egraph/math_language.h"

#include "engine/egraph/serialize.h"

#include <map>

namespace marquetry::egraph {
namespace {

EGraph grown(std::size_t iterations) {
    EGraph g(mathLanguage());
    addMathMicroTerms(g);
    SaturationParams params;
    params.maxIterations = iterations;
    saturate(g, mathMicroRules(g.language()), params);
    return g;
}

TEST(Json, RoundTripKeepsEveryNodeAndClass) {
    const EGraph g = grown(5);
    const std::array roots{EClassId{0}, g.eclasses().back()};
    const std::string text = exportJson(g, roots);
    EXPECT_EQ(exportJson(g, roots), text);
    const auto parsed = parseJson(text);
    ASSERT_TRUE(parsed.has_value()) << format(parsed.error());
    const auto imported = importGraph(*parsed, g.languagePtr());
    ASSERT_TRUE(imported.has_value()) << format(imported.error());
    const EGraph& h = imported->egraph;
    expectSound(h);
    EXPECT_EQ(h.enodeCount(), g.enodeCount());
    EXPECT_EQ(h.eclassCount(), g.eclassCount());

    std::map<EClassId, EClassId> classMap; // g to h; must be one to one
    for (std::size_t i = 0; i < parsed->nodes.size(); ++i) {
        const ENodeId n{std::stoi(parsed->nodes[i].id.substr(1))};
        const auto [it, fresh] = classMap.emplace(g.eclassOf(n), imported->classOf[i]);
        ASSERT_EQ(it->second, imported->classOf[i]);
    }
    for (std::size_t i = 0; i < g.totalEnodes(); ++i) {
        const ENodeId n{i};
        if (!g.live(n))
            continue;
        std::vector<EClassId> children;
        for (EClassId child : g.children(n))
            children.push_back(classMap.at(child));
        ASSERT_EQ(h.lookup(g.op(n), g.params(n), children), classMap.at(g.eclassOf(n)));
    }
    ASSERT_EQ(imported->roots.size(), 2u);
    EXPECT_EQ(imported->roots[0], classMap.at(g.find(roots[0])));
    EXPECT_EQ(imported->roots[1], classMap.at(g.find(roots[1])));
}

TEST(Json, RoundTripsAreExact) {
    const EGraph g = grown(6);
    const std::array roots{EClassId{0}, g.eclasses().back()};
    const std::string text = exportJson(g, roots);
    const auto parsed = parseJson(text);
    ASSERT_TRUE(parsed.has_value());
    EXPECT_EQ(writeJson(*parsed), text);
    const auto imported = importGraph(*parsed, g.languagePtr());
    ASSERT_TRUE(imported.has_value());
    EXPECT_EQ(writeJson(serialize(*imported, *parsed)), text);
    const auto foreign = importGraph(*parsed, languageOf(*parsed));
    ASSERT_TRUE(foreign.has_value());
    EXPECT_EQ(writeJson(serialize(*foreign, *parsed)), text);
}

TEST(Json, NamesCostsAndClassDataComeBack) {
    const auto parsed = parseJson(R"({"class_data": {"b": {"type": "i \"64\""}, "a": null},
        "nodes": {
        "z\n": {"op": "Add [1]", "children": ["l2", "leaf"], "eclass": "b", "cost": 0.1},
        "leaf": {"op": "\u00e9", "children": [], "eclass": "a", "cost": -1e-300},
        "l2": {"op": "two", "children": [], "eclass": "a", "cost": 12345678901234567}},
        "root_eclasses": ["b", "a", "b"]})");
    ASSERT_TRUE(parsed.has_value()) << format(parsed.error());
    const std::string text = writeJson(*parsed);
    const auto again = parseJson(text);
    ASSERT_TRUE(again.has_value()) << format(again.error());
    EXPECT_EQ(writeJson(*again), text);
    EXPECT_EQ(again->nodes[0].id, "z\n");
    EXPECT_EQ(again->nodes[0].cost, 0.1);
    EXPECT_EQ(again->nodes[1].cost, -1e-300);
    EXPECT_EQ(again->nodes[1].op, "\xc3\xa9");
    EXPECT_THAT(again->roots, ::testing::ElementsAre("b", "a", "b"));
    EXPECT_THAT(again->classData, ::testing::ElementsAre(std::pair("b", R"({"type":"i \"64\""})"),
                                                         std::pair("a", "null")));
    const auto imported = importGraph(*again, languageOf(*again));
    ASSERT_TRUE(imported.has_value());
    EXPECT_EQ(writeJson(serialize(*imported, *again)), text);
}

TEST(Json, CongruentAndSubsumedNodesAreWrittenOnce) {
    const auto parsed = parseJson(R"({"nodes": {
        "x": {"op": "x", "children": [], "eclass": "X"},
        "y": {"op": "x", "children": [], "eclass": "Y"},
        "s": {"op": "s", "children": [], "eclass": "Y", "subsumed": true},
        "fx": {"op": "f", "children": ["x"], "eclass": "FX"},
        "fy": {"op": "f", "children": ["y"], "eclass": "FY"},
        "g": {"op": "g", "children": ["fy", "s"], "eclass": "G"}}})");
    ASSERT_TRUE(parsed.has_value());
    const auto imported = importGraph(*parsed, languageOf(*parsed));
    ASSERT_TRUE(imported.has_value());
    const SerializedGraph graph = serialize(*imported, *parsed);
    ASSERT_EQ(graph.nodes.size(), 3u);
    EXPECT_EQ(graph.nodes[1].id, "fx");
    EXPECT_EQ(graph.nodes[2].id, "g");
    EXPECT_THAT(graph.nodes[2].children, ::testing::ElementsAre(1u, 0u));
}

TEST(Json, CyclicClassesComeBack) {
    EGraph g(mathLanguage());
    const EClassId a = addMath(g, "a");
    g.merge(a, addMath(g, "(* a 1)"));
    g.rebuild();
    const auto parsed = parseJson(exportJson(g, {}));
    ASSERT_TRUE(parsed.has_value());
    const auto imported = importGraph(*parsed, g.languagePtr());
    ASSERT_TRUE(imported.has_value()) << format(imported.error());
    EXPECT_EQ(imported->egraph.enodeCount(), 3u);
    EXPECT_EQ(imported->egraph.eclassCount(), 2u);
}

TEST(Json, ReadsFilesOfOtherTools) {
    const auto parsed = parseJson(R"({"nodes": {
        "z": {"op": "Add", "children": ["leaf", "leaf"], "eclass": "top", "cost": 2.5},
        "leaf": {"op": "one", "children": [], "eclass": "1"},
        "old": {"op": "two", "children": [], "eclass": "1", "subsumed": true}},
        "root_eclasses": ["top"], "class_data": {"top": {"type": "int"}}})");
    ASSERT_TRUE(parsed.has_value()) << format(parsed.error());
    EXPECT_EQ(parsed->nodes[0].id, "z"); // file order
    EXPECT_EQ(parsed->nodes[0].cost, 2.5);
    EXPECT_EQ(parsed->nodes[1].cost, 1.0);
    EXPECT_THAT(parsed->nodes[0].children, ::testing::ElementsAre(1u, 1u));
    const auto imported = importGraph(*parsed, languageOf(*parsed));
    ASSERT_TRUE(imported.has_value()) << format(imported.error());
    EXPECT_EQ(imported->egraph.enodeCount(), 2u);
    EXPECT_FALSE(imported->classOf[2].valid());
}

TEST(Json, LongChainsDoNotOverflowTheStack) {
    EGraph g(mathLanguage());
    const OpId f = *g.language().findOp("f");
    EClassId top = addMath(g, "x");
    for (int k = 0; k < 100'000; ++k)
        top = g.add(f, {}, {top});
    const std::array roots{top};
    const auto parsed = parseJson(exportJson(g, roots));
    ASSERT_TRUE(parsed.has_value());
    const auto imported = importGraph(*parsed, g.languagePtr());
    ASSERT_TRUE(imported.has_value());
    EXPECT_EQ(imported->egraph.eclassCount(), 100'001u);
}

TEST(JsonErrors, AreNamed) {
    const auto codeOf = [](std::string_view text) {
        const auto parsed = parseJson(text);
        if (!parsed)
            return parsed.error()[0].code;
        const auto imported = importGraph(*parsed, mathLanguage());
        return imported ? std::string("fine") : imported.error()[0].code;
    };
    const std::string leaf = R"("n0": {"op": "x", "children": [], "eclass": "c0"})";
    const auto with = [&](const std::string& node, const std::string& rest = "") {
        return R"({"nodes": {)" + leaf + node + "}" + rest + "}";
    };
    EXPECT_EQ(codeOf(with("")), "fine");
    EXPECT_EQ(codeOf(""), "json-syntax");
    EXPECT_EQ(codeOf("{\"nodes\": {"), "json-syntax");
    EXPECT_EQ(codeOf("\xff\xfe\x00garbage"), "json-syntax");
    EXPECT_EQ(codeOf("[1, 2]"), "json-format");
    EXPECT_EQ(codeOf("{\"nodes\": 3}"), "json-format");
    EXPECT_EQ(codeOf(R"({"nodes": {"n": 3}})"), "json-format");
    EXPECT_EQ(codeOf(R"({"nodes": {"n": {"op": "x", "children": []}}})"), "json-format");
    EXPECT_EQ(codeOf(R"({"nodes": {"n": {"op": "x", "children": 1, "eclass": "c"}}})"),
              "json-format");
    EXPECT_EQ(codeOf(with(R"(, "n1": {"op": "x", "children": [], "eclass": "c", "cost": "?"})")),
              "json-format");
    EXPECT_EQ(codeOf(with(R"(, "n1": {"op": "f", "children": ["n9"], "eclass": "c1"})")),
              "missing-node");
    EXPECT_EQ(codeOf(with(R"(, "n1": {"op": "f", "children": [[[0]]], "eclass": "c1"})")),
              "missing-node");
    EXPECT_EQ(codeOf(with(", " + leaf)), "duplicate-node");
    EXPECT_EQ(codeOf(with("", R"(, "root_eclasses": ["c7"])")), "missing-class");
    EXPECT_EQ(codeOf(with("", R"(, "root_eclasses": {})")), "json-format");
    EXPECT_EQ(codeOf(with(R"(, "n1": {"op": "nope", "children": [], "eclass": "c1"})")),
              "unknown-operator");
    EXPECT_EQ(codeOf(with(R"(, "n1": {"op": "num[1,]", "children": [], "eclass": "c1"})")),
              "unknown-operator");
    EXPECT_EQ(codeOf(with(R"(, "n1": {"op": "num[1,2]", "children": [], "eclass": "c1"})")),
              "bad-arity");
    EXPECT_EQ(codeOf(with(R"(, "n1": {"op": "f", "children": [], "eclass": "c1"})")), "bad-arity");
    EXPECT_EQ(codeOf(with(R"(, "n1": {"op": "f", "children": ["n1"], "eclass": "c1"})")),
              "ungrounded-class");
    std::string nested(200'000, '[');
    EXPECT_EQ(codeOf(nested), "json-syntax");
    EXPECT_EQ(codeOf(nested + std::string(200'000, ']')), "json-format");
}

TEST(JsonErrors, SayTheirPlace) {
    const auto broken = parseJson("{\n \"nodes\": {\"\xc3\xa9\": nope}}");
    ASSERT_FALSE(broken.has_value());
    EXPECT_EQ(broken.error()[0].code, "json-syntax");
    EXPECT_EQ(broken.error()[0].range.line, 2);
    EXPECT_EQ(broken.error()[0].range.column, 18); // the "o" after the "n" of null
    const auto cut = parseJson("{\"nodes\": {\n\n");
    ASSERT_FALSE(cut.has_value());
    EXPECT_EQ(cut.error()[0].range.line, 2); // of the last byte
    EXPECT_TRUE(parseJson("").error()[0].range.known());
}

TEST(JsonErrors, CostsAreFinite) {
    const auto withCost = [](const std::string& cost) {
        return parseJson(R"({"nodes": {"a": {"op": "x", "children": [], "eclass": "c", "cost": )" +
                         cost + "}}}");
    };
    EXPECT_TRUE(withCost("-7.5").has_value());
    for (const char* cost : {"1e999", "-1e999", "null"}) {
        ASSERT_FALSE(withCost(cost).has_value());
        EXPECT_EQ(withCost(cost).error()[0].code, "bad-cost") << cost;
    }
    for (const char* cost : {"NaN", "Infinity", "-Infinity"}) {
        ASSERT_FALSE(withCost(cost).has_value());
        EXPECT_EQ(withCost(cost).error()[0].code, "json-syntax") << cost;
        EXPECT_THAT(withCost(cost).error()[0].hint, ::testing::HasSubstr("NaN")) << cost;
    }
}

/// Every prefix and many single-byte changes of a good file: a graph or a diagnostic.
TEST(JsonErrors, DamagedFilesDoNoHarm) {
    const EGraph g = grown(2);
    const std::array roots{EClassId{0}};
    const std::string text = exportJson(g, roots);
    int refused = 0;
    const auto survive = [&](const std::string& damaged) {
        const auto parsed = parseJson(damaged);
        refused += !parsed;
        if (!parsed) {
            EXPECT_FALSE(parsed.error()[0].message.empty());
        } else {
            const auto imported = importGraph(*parsed, languageOf(*parsed));
            EXPECT_TRUE(!imported || imported->egraph.clean());
        }
    };
    for (std::size_t k = 0; k + 2 < text.size(); k += 7)
        survive(text.substr(0, k));
    const int cut = refused;
    EXPECT_GT(cut, 500);
    std::string damaged = text;
    for (std::size_t k = 0; k < text.size(); k += 29) {
        for (const char c : {'"', '{', ']', '0', ',', '\\', '\0', '\xff'}) {
            damaged[k] = c;
            survive(damaged);
        }
        damaged[k] = text[k];
    }
    EXPECT_GT(refused, cut + 300);
}

TEST(JsonErrors, SortsAreChecked) {
    auto language = std::make_shared<Language>();
    const SortId p = language->addSort("p"), q = language->addSort("q");
    language->addOp({"a", p, {}, 0, false, false});
    language->addOp({"b", q, {}, 0, false, false});
    language->addOp({"f", p, {p}, 0, false, false});
    for (const char* second : {R"("m": {"op": "f", "children": ["n"], "eclass": "d"})",
                               R"("m": {"op": "a", "children": [], "eclass": "c"})"}) {
        const auto parsed = parseJson(
            std::string(R"({"nodes": {"n": {"op": "b", "children": [], "eclass": "c"}, )") +
            second + "}}");
        ASSERT_TRUE(parsed.has_value());
        const auto imported = importGraph(*parsed, language);
        ASSERT_FALSE(imported.has_value());
        EXPECT_EQ(imported.error()[0].code, "bad-sort");
    }
}

TEST(Dot, HasAClusterPerClassAndABoxPerNode) {
    EGraph g(mathLanguage());
    g.merge(addMath(g, "(+ x 1)"), addMath(g, "y"));
    g.rebuild();
    const std::string dot = exportDot(g);
    const auto count = [&](const std::string& what) {
        std::size_t n = 0;
        for (auto at = dot.find(what); at != std::string::npos; at = dot.find(what, at + 1))
            ++n;
        return n;
    };
    EXPECT_EQ(count("subgraph cluster_"), g.eclassCount());
    EXPECT_EQ(count("[label="), g.enodeCount());
    EXPECT_EQ(count(" -> "), 2u);
    EXPECT_EQ(count("num[1]"), 1u);
}

} // namespace
} // namespace marquetry::egraph
