// The scheduler's states as an e-graph: the chosen circuit is a term of it with the cost of its
// area, and extraction, which knows nothing of streams, finds none that costs more.
#include "engine/stream_states/states_egraph.h"

#include "engine/support/json.h"
#include "engine/term_extract/build.h"
#include "engine/term_extract/extract.h"
#include "tests/spacetime/random_streams.h"
#include "tests/spacetime/schedule_helpers.h"

namespace marquetry::stream_states {
namespace {

using spacetime::kintex;
using Json = nlohmann::json;

struct States {
    Json json;
    egraph::SerializedGraph graph;
    double area = 0; ///< of the chosen circuit, as a cost
};

States statesOf(const ir::StreamProgram& program, std::int64_t clocks, double within) {
    const auto found = spacetime::schedule(program, clocks, kintex(), {.statesWithin = within});
    EXPECT_TRUE(found) << (found ? "" : format(found.error()));
    EXPECT_TRUE(found->stateGraph->complete);
    const spacetime::StreamDesign& design = found->front[0];
    const std::string text = egraph::writeJson(serialize(*found->stateGraph, kintex()));
    const auto graph = egraph::parseJson(text);
    EXPECT_TRUE(graph) << (graph ? "" : format(graph.error()));
    return {Json::parse(text), *graph,
            1e6 * spacetime::sumOfFractions(design.area + -1.0 * design.matching, kintex())};
}

/// Cost of the chosen e-nodes below a class, each once.
double chosenCost(const Json& graph, const std::string& eclass, std::set<std::string>& seen) {
    if (!seen.insert(eclass).second)
        return 0;
    EXPECT_TRUE(graph["class_data"][eclass].contains("chosen")) << eclass;
    const Json node = graph["nodes"][graph["class_data"][eclass]["chosen"].get<std::string>()];
    EXPECT_EQ(node["eclass"], eclass);
    double sum = node["cost"].get<double>();
    for (const Json& child : node["children"])
        sum += chosenCost(graph, graph["nodes"][child.get<std::string>()]["eclass"], seen);
    return sum;
}

void expectTerm(const States& states) {
    std::set<std::string> seen;
    EXPECT_NEAR(chosenCost(states.json, "output", seen), states.area, 1e-6 * (1 + states.area));
    for (const auto& [id, node] : states.json["nodes"].items()) {
        const Json& data = states.json["class_data"];
        if (data.contains(node["eclass"]) && data[node["eclass"]].value("chosen", "") == id) {
            EXPECT_TRUE(seen.contains(node["eclass"])) << "chosen, but not in the circuit: " << id;
        }
    }
}

double leastCost(const egraph::SerializedGraph& graph) {
    const auto problem = term_extract::problemOf(graph);
    EXPECT_TRUE(problem) << (problem ? "" : format(problem.error()));
    const auto least = term_extract::extract(problem->problem, {}, {});
    EXPECT_TRUE(least && least->optimal);
    return least->dagCost;
}

TEST(StreamStates, TheChosenCircuitIsATermAndNoneCostsMore) {
    std::size_t classes = 0;
    std::size_t choices = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        SplitMix64 random(seed);
        const spacetime::RandomStream stream(seed, static_cast<int>(random.range(2, 5)));
        const ir::StreamProgram program = frontend::streamOf(stream.text());
        const std::int64_t clocks = random.range(1, 6);
        const ir::StreamType& type = program.graph.node(program.graph.outputs[0].node).type;
        if (spacetime::throughputFor(type, clocks).atoms == 0 ||
            !spacetime::schedule(program, clocks, kintex(), {}))
            continue;
        const States states = statesOf(program, clocks, 1.0);
        expectTerm(states);
        EXPECT_LE(leastCost(states.graph), states.area * (1 + 1e-9) + 1e-9);
        const auto imported = egraph::importGraph(states.graph, egraph::languageOf(states.graph));
        ASSERT_TRUE(imported) << format(imported.error());
        std::set<std::string> names;
        for (const egraph::SerializedNode& node : states.graph.nodes)
            names.insert(node.eclass);
        EXPECT_EQ(imported->egraph.eclassCount(), names.size()) << "classes merged";
        ASSERT_FALSE(testing::Test::HasFailure()) << stream.text() << clocks << " clocks";
        classes += names.size();
        choices += states.graph.nodes.size() - names.size();
    }
    EXPECT_GE(classes, 1000U);
    EXPECT_GE(choices, 500U);
}

TEST(StreamStates, ValuesHaveAClassForEachType) {
    const States states = statesOf(
        frontend::streamOf("stream s { input x : Seq 8 u8; let p = map(fn v -> add(v, 1), x);\n"
                           "output y = reduce(add, p); }"),
        4, 2.0);
    expectTerm(states);
    std::map<std::int64_t, std::set<std::string>> types;
    std::set<std::string> ops;
    for (const auto& [name, data] : states.json["class_data"].items()) {
        if (data.contains("value"))
            types[data["value"].get<std::int64_t>()].insert(data["type"].get<std::string>());
    }
    for (const auto& [id, node] : states.json["nodes"].items())
        ops.insert(node["op"].get<std::string>());
    EXPECT_EQ(types.size(), 3U) << "the input, the map, the reduce";
    EXPECT_GE(types[0].size(), 2U);
    EXPECT_TRUE(ops.contains("input x [TSeq 4 0 (SSeq 2 u8)]"));
    EXPECT_TRUE(ops.contains("map(add) [TSeq 4 0 (SSeq 2 u8)]"));
    EXPECT_TRUE(std::ranges::any_of(
        ops, [](const std::string& op) { return op.starts_with("reshape ["); }));
}

} // namespace
} // namespace marquetry::stream_states
