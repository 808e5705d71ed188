// Windows of pictures as circuits and as kernels: what the interpreter says, at every border, in
// frames back to back, with gaps, and with X in every slot that is not valid.
#include "tests/lower_stream/kernel_checks.h"
#include "tests/lower_stream/random_pictures.h"
#include "tests/support/cases.h"

namespace marquetry::test {
namespace {

/// A sum that tells the pixels of a window from each other.
std::string weighted(std::int64_t rows, std::int64_t columns, const std::string& border) {
    std::string weights;
    for (std::int64_t k = 0; k < rows * columns; ++k)
        weights += hdl::cat(k == 0 ? "" : ", ", 3 * k * k + 7 * k + 1);
    return hdl::cat("stream s { input x : Seq 5 (Seq 6 u16); output y = map(fn l -> "
                    "unpartition(map(fn w -> reduce(add, map2(mul, unpartition(w), const([",
                    weights, "] : Seq ", rows * columns, " u16))), l)), window(", rows, ", ",
                    columns, ", border: ", border, ", x)); }");
}

TEST(StreamWindowKernel, EveryBorderAtEveryRate) {
    std::vector<KernelCase> cases;
    for (const std::string border : {"undefined", "zero", "clamp", "mirror", "77"}) {
        for (const auto& [rows, columns] : {std::pair(3, 3), std::pair(2, 4), std::pair(5, 5)}) {
            const ir::StreamProgram program = frontend::streamOf(weighted(rows, columns, border));
            for (const std::int64_t clocks : {1, 5, 10, 15, 30, 60, 90})
                addCircuit(program, clocks, hdl::cat("k", rows, columns, "_", border, "_", clocks),
                           cases);
        }
    }
    expectEqual(cases, 100'000);
}

TEST(StreamWindowKernel, RandomProgramsSayWhatTheInterpreterSays) {
    std::vector<KernelCase> cases;
    const auto programs = static_cast<std::uint64_t>(test::cases(80, 500));
    for (std::uint64_t seed = 0; seed < programs; ++seed) {
        const RandomPictures random(seed);
        const ir::StreamProgram program = frontend::streamOf(random.text());
        const std::int64_t clocks = seed % 4 == 0 ? 1 : random.pixels() * (seed % 4 == 3 ? 2 : 1);
        addCircuit(program, clocks, hdl::cat("p", seed), cases);
        ASSERT_FALSE(testing::Test::HasFailure()) << random.text() << "seed " << seed;
    }
    expectEqual(cases, 15'000);
}

/// Words that come later are pulled out of sums and choices, too: none that was there is lost.
TEST(StreamWindowKernel, EveryRewriteKeepsWhatIsDefined) {
    SplitMix64 words(11);
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const RandomPictures random(seed);
        const ir::StreamGraph graph = frontend::streamOf(random.text()).graph;
        const auto input = spacetime::randomWords(graph.node(graph.inputs[0]).type, words);
        const auto before = ir::evaluate(graph, {input}, 1)[0];
        std::vector<algebra::Rewrites> sets = {algebra::Rewrites()};
        for (const algebra::RewriteInfo& each : algebra::rewriteTable()) {
            sets.push_back(algebra::Rewrites().without(each.rewrite));
            sets.push_back(
                algebra::Rewrites::none().with(algebra::KernelRewrite::Windows).with(each.rewrite));
        }
        for (const algebra::Rewrites& rewrites : sets) {
            const auto after = ir::evaluate(algebra::rewritten(graph, rewrites), {input}, 1)[0];
            ASSERT_EQ(after.size(), before.size());
            for (std::size_t k = 0; k < before.size(); ++k)
                ASSERT_TRUE(before[k] == ir::kUndefined || after[k] == before[k])
                    << random.text() << "word " << k;
        }
    }
}

/// As written, without the rewrites that make streams of a window's pixels.
TEST(StreamWindowKernel, WindowsAsTheyAreWritten) {
    std::vector<KernelCase> cases;
    for (const std::string border : {"undefined", "clamp", "mirror"}) {
        const ir::StreamProgram program = frontend::streamOf(weighted(2, 3, border));
        for (const std::int64_t clocks : {5, 30}) {
            spacetime::ScheduleParams params;
            params.rewrites = algebra::Rewrites::none();
            const auto found = spacetime::schedule(program, clocks, spacetime::kintex(), params);
            ASSERT_TRUE(found) << format(found.error());
            spacetime::expectMeaning(program, found->front[0], 3, params.rewrites);
            cases.push_back(
                {hdl::cat("w_", border, "_", clocks), program, found->front[0].circuit});
        }
    }
    expectEqual(cases, 1'000);
}

} // namespace
} // namespace marquetry::test
