// General extraction as a user meets it, on the small e-graphs of tests/data/egraphs.
#include "tests/cli/cli_fixture.h"
#include "tests/support/places.h"

namespace marquetry::cli_test {

using ::testing::HasSubstr;

class Extract : public Cli {
protected:
    static std::string data(const std::string& name) {
        return test::sourceFolder() + "/tests/data/egraphs/" + name + ".json";
    }

    Json extracted(const std::string& file, const std::string& arguments) const {
        const Outcome outcome = run("extract " + file + " --json " + arguments);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return Json::parse(outcome.out, nullptr, false);
    }
};

TEST_F(Extract, ExactFindsTheLeastDagCost) {
    const std::map<std::string, double> least = {
        {"sharing", 4}, {"cover", 2}, {"cycle", 4.5}, {"bonus", 0}, {"chain", 41}};
    for (const auto& [name, cost] : least) {
        const Json report = extracted(data(name), "");
        EXPECT_EQ(report["dag_cost"], cost) << name;
        EXPECT_EQ(report["lower_bound"], cost) << name;
        EXPECT_EQ(report["optimal"], true) << name;
        EXPECT_EQ(report["method"], "exact");
        EXPECT_EQ(report["stop"], "finished");
    }
}

TEST_F(Extract, TreeAndGreedySayWhatTheyKnow) {
    const Json tree = extracted(data("sharing"), "--method tree");
    EXPECT_EQ(tree["tree_cost"], 5);
    EXPECT_EQ(tree["dag_cost"], 5);
    EXPECT_EQ(tree["optimal"], false);
    EXPECT_LE(tree["lower_bound"], 4);
    EXPECT_EQ(extracted(data("chain"), "--method tree")["tree_cost"], 2199023255551.0);
    const Json greedy = extracted(data("chain"), "--method greedy");
    EXPECT_EQ(greedy["dag_cost"], 41);
    EXPECT_EQ(extracted(data("cycle"), "--method dag")["dag_cost"], 4.5);
}

TEST_F(Extract, TheTermIsWrittenInTheSameFormat) {
    const Outcome outcome = run("extract " + data("sharing") + " --out " + path("term.json"));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("DAG cost 4.0 with 4 e-nodes (exact), proven least"));
    const Json term = Json::parse(contents(path("term.json")));
    EXPECT_EQ(term["nodes"].size(), 4U);
    EXPECT_EQ(term["root_eclasses"], Json::parse(R"(["top"])"));
    EXPECT_EQ(extracted(path("term.json"), "--method tree")["dag_cost"], 4);
}

TEST_F(Extract, OurOwnEgraphsCanBeExtracted) {
    const std::string program = write("tiny.mq", "design tiny {\n"
                                                 "  input x : i8[8] = random(seed: 1);\n"
                                                 "  weight w : i8[8, 8] = random(seed: 2);\n"
                                                 "  output y = mv(w, x);\n"
                                                 "}\n");
    ASSERT_EQ(run("egraph " + program + " --export " + path("g.json")).status, 0);
    const Json report = extracted(path("g.json"), "");
    EXPECT_GT(report["enodes"], 10);
    EXPECT_EQ(report["optimal"], true);
}

TEST_F(Extract, WrongFilesAreNamedWithTheirPlace) {
    const auto expectError = [&](const std::string& text, const std::string& code) {
        const std::string file = write("bad.json", text);
        const Outcome outcome = run("extract " + file + " --json");
        EXPECT_EQ(outcome.status, 2) << text;
        EXPECT_THAT(outcome.err, HasSubstr("[" + code + "]")) << text;
        EXPECT_THAT(outcome.err, HasSubstr("bad.json")) << text;
        EXPECT_EQ(Json::parse(outcome.out)["errors"][0]["code"], code) << text;
        return outcome.err;
    };
    const std::string leaf = R"("a": {"op": "x", "children": [], "eclass": "A"})";
    expectError("", "json-syntax");
    EXPECT_THAT(expectError("{\n\"nodes\": {", "json-syntax"), HasSubstr("bad.json:2:"));
    expectError("{}", "json-format");
    expectError(std::string(100'000, '[') + std::string(100'000, ']'), "json-format");
    expectError("{\"nodes\": {" + leaf + "}}", "extract-no-roots");
    EXPECT_THAT(
        expectError("{\"nodes\": {" + leaf + R"(}, "root_eclasses": ["Z"]})", "missing-class"),
        HasSubstr("'Z'"));
    expectError("{\"nodes\": {" + leaf + ", " + leaf + "}}", "duplicate-node");
    EXPECT_THAT(expectError(R"({"nodes": {"n": {"op": "f", "children": ["q"], "eclass": "A"}}})",
                            "missing-node"),
                HasSubstr("'q'"));
    EXPECT_THAT(expectError(R"({"nodes": {"n": {"op": "f", "children": ["n"], "eclass": "A"}},
                        "root_eclasses": ["A"]})",
                            "extract-no-term"),
                HasSubstr("'A'"));
    expectError(R"({"nodes": {"n": {"op": "f", "children": [], "eclass": "A", "cost": 1e999}}})",
                "bad-cost");
    EXPECT_EQ(run("extract " + path("missing.json")).status, 2);
    EXPECT_EQ(run("extract " + data("cycle") + " --method best").status, 2);
    EXPECT_EQ(run("extract " + data("cycle") + " --time -1").status, 2);
    EXPECT_EQ(run("extract " + data("cycle") + " --time nan").status, 2);
    EXPECT_EQ(run("extract " + data("cycle") + " --seed -1").status, 2);
}

} // namespace marquetry::cli_test
