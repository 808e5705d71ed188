// The search against an exhaustive one, and the meaning of everything it finds.
#include "engine/spacetime/output_types.h"
#include "tests/spacetime/exhaustive.h"
#include "tests/spacetime/random_streams.h"
#include "tests/spacetime/schedule_helpers.h"

namespace marquetry::spacetime {
namespace {

constexpr std::int64_t kStates = 60'000;

/// On `count` random programs, after their rewrites.
void expectExhaustive(algebra::Rewrites rewrites, int count, bool scans = false) {
    int compared = 0;
    int shared = 0;
    for (std::uint64_t seed = 1; compared < count && seed < 4000; ++seed) {
        SplitMix64 random(seed);
        const RandomStream stream(seed, static_cast<int>(random.range(2, 5)), scans);
        const ir::StreamProgram program = frontend::streamOf(stream.text());
        const std::int64_t clocks = random.range(1, 6);
        const ir::StreamType& type = program.graph.node(program.graph.outputs[0].node).type;
        const ir::StreamGraph graph =
            algebra::rewritten(program.graph, rewrites, lanesOf(throughputFor(type, clocks)));
        const std::vector<SeqType> results = outputTypes(type, clocks);
        exhaustive::Exhaustive oracle(kintex(), kStates);
        if (results.empty())
            continue;
        const auto best = oracle.best(graph, results);
        const auto found = schedule(program, clocks, kintex(), {.rewrites = rewrites});
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
            expectMeaning(program, each, seed, rewrites);
            ASSERT_FALSE(testing::Test::HasFailure()) << stream.text() << clocks << " clocks";
        }
        shared += stream.text().find(scans ? "scan" : "map2") != std::string::npos ? 1 : 0;
        ++compared;
    }
    EXPECT_GE(compared, count);
    EXPECT_GE(shared, count / 6);
}

TEST(Search, FindsWhatAnExhaustiveSearchFinds) {
    expectExhaustive(algebra::Rewrites::none().with(algebra::KernelRewrite::Common), 520);
}

TEST(Search, FindsItForRewrittenProgramsToo) {
    expectExhaustive({}, 300);
}

TEST(Search, FindsItForScans) {
    const auto written = algebra::Rewrites::none().with(algebra::KernelRewrite::Common);
    expectExhaustive(written, 200, true);
    expectExhaustive({}, 100, true);
}

double leastOf(const ir::StreamProgram& program, std::int64_t clocks, algebra::Rewrites rewrites) {
    const auto found = schedule(program, clocks, kintex(), {.rewrites = rewrites});
    if (!found)
        return std::numeric_limits<double>::infinity();
    const StreamDesign& design = found->front[0];
    return sumOfFractions(design.area + -1.0 * design.matching, kintex());
}

TEST(Search, RewritesNeverCostAnything) {
    int better = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        SplitMix64 random(seed);
        const RandomStream stream(seed, static_cast<int>(random.range(2, 6)));
        const ir::StreamProgram program = frontend::streamOf(stream.text());
        const std::int64_t clocks = random.range(1, 8);
        const double after = leastOf(program, clocks, {});
        const double before = leastOf(program, clocks, algebra::Rewrites::none());
        EXPECT_LE(after, before + 1e-12) << stream.text() << clocks << " clocks";
        better += after < before - 1e-12 ? 1 : 0;
    }
    EXPECT_GE(better, 60);
}

} // namespace
} // namespace marquetry::spacetime
