// Every rewrite against the interpreter, on random programs and random inputs.
#include "engine/algebra/algebra.h"
#include "engine/algebra/join_outputs.h"
#include "engine/algebra/rebuild.h"
#include "engine/algebra/rematerialise.h"
#include "tests/algebra/random_kernels.h"
#include "tests/algebra/random_operators.h"
#include "tests/frontend/stream_helpers.h"

#include "engine/ir/op.h"

namespace marquetry::algebra {
namespace {

constexpr std::uint64_t kCases = 240;

/// Edges as often as not.
std::vector<std::int64_t> randomWords(const ir::StreamType& type, SplitMix64& rng) {
    const ir::ScalarInfo& scalar = ir::info(ir::leaves(ir::atomOf(type))[0]);
    std::vector<std::int64_t> words;
    for (std::int64_t k = 0; k < ir::words(type); ++k) {
        const std::int64_t edge[] = {scalar.min, scalar.max, 0, 1};
        words.push_back(rng.range(0, 1) == 0 ? edge[rng.range(0, 3)]
                                             : rng.range(scalar.min, scalar.max));
    }
    return words;
}

/// Elements that are defined keep their values. The number that got one is returned.
int expectSameMeaning(const ir::StreamGraph& before, const ir::StreamGraph& after,
                      std::uint64_t seed) {
    int gained = 0;
    SplitMix64 rng(seed);
    EXPECT_EQ(before.inputs.size(), after.inputs.size());
    for (int run = 0; run < 3; ++run) {
        std::vector<std::vector<std::int64_t>> words;
        for (std::size_t k = 0; k < before.inputs.size(); ++k) {
            EXPECT_EQ(before.node(before.inputs[k]).type, after.node(after.inputs[k]).type);
            words.push_back(randomWords(before.node(before.inputs[k]).type, rng));
        }
        const auto expected = ir::evaluate(before, words, 1);
        const auto found = ir::evaluate(after, words, 1);
        for (std::size_t o = 0; o < expected.size(); ++o) {
            EXPECT_EQ(expected[o].size(), found[o].size());
            for (std::size_t k = 0; k < expected[o].size(); ++k) {
                if (expected[o][k] != ir::kUndefined) {
                    EXPECT_EQ(found[o][k], expected[o][k]) << "element " << k;
                } else {
                    gained += found[o][k] != ir::kUndefined ? 1 : 0;
                }
            }
        }
    }
    return gained;
}

void expectKept(const Rewrites& rewrites, std::uint64_t firstSeed) {
    for (std::uint64_t seed = firstSeed; seed < firstSeed + kCases; ++seed) {
        const RandomKernel kernel(seed);
        const ir::StreamProgram program = frontend::streamOf(kernel.text());
        const ir::StreamGraph after = rewritten(program.graph, rewrites);
        expectSameMeaning(program.graph, after, seed);
        ASSERT_FALSE(testing::Test::HasFailure()) << kernel.text() << "seed " << seed;
    }
}

TEST(Rewrites, AllTogetherKeepTheMeaning) {
    expectKept({}, 1);
    expectKept({}, 10'001);
}

TEST(Rewrites, KeepTheMeaningOfAllOperators) {
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        const RandomOperators random(seed);
        const ir::StreamProgram program = frontend::streamOf(random.text());
        expectSameMeaning(program.graph, rewritten(program.graph, {}), seed);
        ASSERT_FALSE(testing::Test::HasFailure()) << random.text() << "seed " << seed;
    }
}

TEST(Rewrites, NoneKeepsTheMeaning) {
    expectKept(Rewrites::none(), 1);
}

/// Short frames have no long shifts: here those of two elements and more are.
TEST(Recompute, KeepsTheMeaning) {
    int changed = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        const RandomKernel kernel(seed);
        const ir::StreamProgram program = frontend::streamOf(kernel.text());
        const FlatGraph flat = flattened(program.graph, {});
        const Needs needs = needsOf(flat);
        std::vector<Repetition> repetitions;
        for (const LeafSource& source : flat.sources)
            repetitions.push_back({source.generator ? source.generator->type.length : 0,
                                   source.generator ? source.generator->params[1] : 0});
        const DataflowGraph before{flat.terms, needs.roots};
        const DataflowGraph after = rematerialised(before, repetitions, 2);
        const auto graph = rebuilt(flat, needs, after, [](const ir::StreamGraph& function) {
            return std::make_shared<const ir::StreamGraph>(function);
        });
        ASSERT_TRUE(graph);
        expectSameMeaning(program.graph, *graph, seed);
        ASSERT_FALSE(testing::Test::HasFailure()) << kernel.text() << "seed " << seed;
        changed += weightOf(before, 1) != weightOf(after, 1) ? 1 : 0;
    }
    EXPECT_GE(changed, 100);
}

TEST(JoinedOutputs, HoldTheWordsOfAll) {
    const ir::StreamProgram program =
        frontend::streamOf("stream s { input x : Seq 2 Seq 3 u8; output a = map(fn r -> map(fn v "
                           "-> lt(v, 9), r), x);\n"
                           "output b = map(fn r -> shift(1, r), x);\n"
                           "output c = map(fn r -> map(fn v -> tuple(v, lsr(v, 1)), r), x); }");
    const auto joined = withJoinedOutputs(program);
    ASSERT_TRUE(joined);
    SplitMix64 rng(1);
    const std::vector<std::vector<std::int64_t>> words = {
        randomWords(program.graph.node(program.graph.inputs[0]).type, rng)};
    const auto apart = ir::evaluate(program.graph, words, 1);
    for (const Rewrites& rewrites : {Rewrites(), Rewrites::none()}) {
        const auto all = ir::evaluate(rewritten(joined->graph, rewrites), words, 1)[0];
        ASSERT_EQ(all.size(), 24U);
        for (std::size_t k = 0; k < 6; ++k) {
            EXPECT_EQ(all[4 * k], apart[0][k]);
            EXPECT_EQ(all[4 * k + 1], apart[1][k]);
            EXPECT_EQ(all[4 * k + 2], apart[2][2 * k]);
            EXPECT_EQ(all[4 * k + 3], apart[2][2 * k + 1]);
        }
    }
}

/// One by one: alone, on windows, which the others need to see anything, and without it.
class EachRewrite : public testing::TestWithParam<std::size_t> {};

TEST_P(EachRewrite, KeepsTheMeaning) {
    const KernelRewrite rewrite = rewriteTable()[GetParam()].rewrite;
    const std::uint64_t seed = 1000 * (GetParam() + 1);
    expectKept(Rewrites::none().with(rewrite), seed);
    expectKept(Rewrites::none().with(KernelRewrite::Windows).with(rewrite), seed);
    expectKept(Rewrites().without(rewrite), seed);
}

INSTANTIATE_TEST_SUITE_P(Rewrites, EachRewrite, testing::Range(std::size_t{0}, kRewrites),
                         [](const auto& each) {
                             return std::string(rewriteTable()[each.param].name);
                         });

/// In front of scans, behind them and in their functions.
TEST(Rewrites, KeepWhatScansMean) {
    const std::string text =
        "stream s { input x : Seq 6 (Seq 8 i16); let flat = unpartition(x); "
        "let a = map2(sub, flat, shift(3, flat)); "
        "let b = scan(fn s v -> add(asr(s, 1), v), 5, map(fn v -> mul(v, 6), flat)); "
        "let c = map(fn l -> scan(fn s v -> max(sub(s, 3), v), const(-7 : i16), shift(-1, l)), x); "
        "let d = scan(fn s l -> map2(fn p q -> add(lsl(p, 1), mul(q, 4)), s, shift(1, l)), 3, x); "
        "output y = map2(add, map2(sub, shift(2, b), a), shift(1, unpartition(c))); "
        "output z = d; }";
    const ir::StreamGraph graph = frontend::streamOf(text).graph;
    std::vector<Rewrites> sets = {Rewrites(), Rewrites::none()};
    for (const RewriteInfo& each : rewriteTable())
        sets.push_back(Rewrites().without(each.rewrite));
    for (const Rewrites& rewrites : sets)
        expectSameMeaning(graph, rewritten(graph, rewrites), 8);
}

} // namespace
} // namespace marquetry::algebra
