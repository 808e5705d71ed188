// The search against an exhaustive one, and the meaning of everything it finds.
#include "engine/ir/stream_simplify.h"
#include "engine/spacetime/output_types.h"
#include "tests/spacetime/exhaustive.h"
#include "tests/spacetime/random_streams.h"
#include "tests/spacetime/schedule_helpers.h"

namespace marquetry::spacetime {
namespace {

constexpr std::int64_t kStates = 60'000;

TEST(Search, FindsWhatAnExhaustiveSearchFinds) {
    int compared = 0;
    int shared = 0;
    for (std::uint64_t seed = 1; compared < 520 && seed < 4000; ++seed) {
        SplitMix64 random(seed);
        const RandomStream stream(seed, static_cast<int>(random.range(2, 5)));
        const ir::StreamProgram program = frontend::streamOf(stream.text());
        const std::int64_t clocks = random.range(1, 6);
        const ir::StreamGraph graph = ir::withSharedValues(program.graph);
        const ir::StreamType& type = graph.node(graph.outputs[0].node).type;
        const std::vector<SeqType> results = outputTypes(type, clocks);
        exhaustive::Exhaustive oracle(kintex(), kStates);
        if (results.empty())
            continue;
        const auto best = oracle.best(graph, results);
        const auto found = schedule(program, clocks, kintex(), {});
        if (!oracle.complete())
            continue;
        ASSERT_TRUE(found) << stream.text() << clocks << " clocks\n" << format(found.error());
        const StreamDesign& design = found->front[0];
        const device::Resources searched = design.area + -1.0 * design.matching;
        ASSERT_NEAR(sumOfFractions(searched, kintex()), best.first, 1e-12)
            << stream.text() << clocks << " clocks, seed " << seed;
        ASSERT_NEAR(largestFraction(searched, kintex()), best.second, 1e-12)
            << stream.text() << clocks << " clocks, seed " << seed;
        for (const StreamDesign& each : found->front) {
            expectMeaning(program, each, seed);
            ASSERT_FALSE(testing::Test::HasFailure()) << stream.text() << clocks << " clocks";
        }
        shared += stream.text().find("map2") != std::string::npos ? 1 : 0;
        ++compared;
    }
    EXPECT_GE(compared, 520);
    EXPECT_GE(shared, 100);
}

} // namespace
} // namespace marquetry::spacetime
