// R3-SEQ: a joined call stands beside the call of its reader, and only where nothing else reads
// what the writer makes.
#include "engine/egraph/saturate.h"
#include "engine/rules/lowering.h"
#include "tests/support/programs.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace marquetry {

namespace {

rules::Lowered saturated(const std::string& text, bool overlap) {
    rules::LoweringParams params;
    params.lanes = 8;
    params.overlap = overlap;
    auto lowered = rules::lower(test::programOf(text), params);
    EXPECT_TRUE(lowered.has_value());
    egraph::saturate(*lowered->egraph, lowered->rewrites, {});
    return *std::move(lowered);
}

/// "writer; reader" of every joined call, with the unit its class is a call of.
std::set<std::string> joinedCalls(const rules::Lowered& lowered) {
    const egraph::EGraph& egraph = *lowered.egraph;
    std::set<std::string> joined;
    for (const rules::CallSite& site : lowered.calls)
        for (egraph::ENodeId node : egraph.enodes(egraph.find(site.call))) {
            const std::string name = egraph.language().name(egraph.op(node));
            if (name.find("; ") == std::string::npos)
                continue;
            const std::string& reader = lowered.plan.layers[site.layer].name;
            EXPECT_EQ(name.substr(name.find("; ") + 2), reader) << "beside its own reader's call";
            // Its unit is Seq(U, V) of the units of both calls.
            const egraph::EClassId seq = egraph.children(node)[0];
            for (egraph::ENodeId unit : egraph.enodes(egraph.find(seq))) {
                EXPECT_EQ(egraph.op(unit), lowered.terms.seq);
                const auto units = egraph.children(unit);
                EXPECT_EQ(egraph.find(units[1]), egraph.find(site.unit));
                EXPECT_EQ(egraph.find(units[0]), egraph.find(lowered.calls[site.layer - 1].unit));
            }
            joined.insert(name.substr(name.find(' ') + 1));
        }
    return joined;
}

/// It has no unit that computes, so nothing overlaps it.
bool copies(const ir::Layer& layer) {
    return layer.moves || layer.rows;
}

/// From the operators of the program, not from the plan's own count of readers.
std::set<std::string> expectedJoins(const rules::Lowered& lowered) {
    const ir::Program& program = *lowered.program;
    std::map<std::size_t, std::set<std::size_t>> readers; // of a stored value, by layer
    const auto& layers = lowered.plan.layers;
    constexpr std::size_t kOutside = 1'000'000;
    for (std::size_t k = 0; k < layers.size(); ++k) {
        std::vector<ir::ValueId> read = {layers[k].input};
        read.insert(read.end(), layers[k].others.begin(), layers[k].others.end());
        std::size_t extra = 0; // a second reading by one layer counts as well
        for (const ir::EpilogueOp& op : layers[k].epilogue)
            if (op.addend)
                read.push_back(*op.addend);
        for (ir::ValueId value : read)
            readers[value.index()].insert(
                readers[value.index()].contains(k) ? kOutside + 1 + extra++ : k);
    }
    for (const ir::Output& output : program.outputs)
        readers[lowered.plan.storage[output.value.index()].index()].insert(kOutside);
    std::set<std::string> expected;
    for (std::size_t k = 1; k < layers.size(); ++k)
        if (!copies(layers[k]) && !copies(layers[k - 1]) &&
            layers[k].input == layers[k - 1].result &&
            readers[layers[k - 1].result.index()] == std::set<std::size_t>{k})
            expected.insert(layers[k - 1].name + "; " + layers[k].name);
    return expected;
}

} // namespace

TEST(Joining, CallsOfOneReaderOnRandomPrograms) {
    int pairs = 0, apart = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const std::string text = test::randomProgramText(seed, {5, 6, 10});
        const rules::Lowered lowered = saturated(text, true);
        if (lowered.plan.firstUnbuildable() != nullptr)
            continue;
        const std::set<std::string> expected = expectedJoins(lowered);
        ASSERT_EQ(joinedCalls(lowered), expected) << text;
        EXPECT_TRUE(lowered.egraph->conflicts().empty());
        pairs += static_cast<int>(expected.size());
        apart +=
            static_cast<int>(lowered.plan.layers.size()) - 1 - static_cast<int>(expected.size());
    }
    EXPECT_GT(pairs, 200);
    EXPECT_GT(apart, 50);
}

TEST(Joining, NothingWithoutBeingAskedFor) {
    const std::string text = test::vggText(4);
    EXPECT_TRUE(joinedCalls(saturated(text, false)).empty());
    EXPECT_EQ(joinedCalls(saturated(text, true)).size(), 3U);
}

} // namespace marquetry
