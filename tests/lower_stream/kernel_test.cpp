// Kernels of the small examples at every throughput they list, and of random programs: the RTL says
// what the interpreter says, bit for bit, in frames back to back, with gaps, and with X in every
// slot that is not valid.
#include "tests/algebra/random_operators.h"
#include "tests/lower_stream/kernel_bench.h"
#include "tests/lower_stream/random_lines.h"
#include "tests/lower_stream/random_words.h"
#include "tests/spacetime/random_streams.h"
#include "tests/spacetime/schedule_helpers.h"
#include "tests/support/cases.h"

namespace marquetry::test {
namespace {

using spacetime::Throughput;

struct Points {
    std::string example;
    std::string item;
    std::vector<Throughput> throughputs;
};

TEST(StreamKernel, SmallExamplesSayWhatTheInterpreterSays) {
    const std::vector<Throughput> image = {{16, 1}, {8, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 3}, {1, 9}};
    const std::vector<Points> all = {
        {"map", "map", {{200, 1}, {40, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 2}}},
        {"conv", "conv_4x4", image},
        {"convb2b", "convb2b_4x4", image},
        {"sharpen", "sharpen_4x4", image},
        {"camera", "camera_8x8", {{16, 1}, {4, 1}, {2, 1}, {1, 1}}},
        {"sobel", "sobel_4x4", {{16, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 3}}},
        {"gauss5", "gauss5_8x8", {{4, 1}, {2, 1}, {1, 1}}},
        {"tone", "tone_4x4", {{16, 1}, {4, 1}, {1, 1}, {1, 2}}},
        {"unsharp", "unsharp_4x4", {{16, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 3}}},
        {"morphology", "morphology_4x4", {{16, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 3}}},
        {"luma", "luma_4x4", {{16, 1}, {4, 1}, {1, 1}, {1, 2}}},
        {"median", "median_5x6", {{30, 1}, {6, 1}, {3, 1}, {2, 1}, {1, 1}, {1, 2}}},
        {"blur", "blur_5x6", {{30, 1}, {6, 1}, {3, 1}, {2, 1}, {1, 1}, {1, 2}}},
        {"box2", "box2_4x4", {{4, 1}, {1, 1}, {1, 2}, {1, 4}, {1, 8}}},
        {"gamma", "gamma_4x4", {{16, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 2}}},
        {"dot", "dot", {{1, 1}, {1, 4}, {1, 16}, {1, 64}, {1, 256}}},
        {"matvec", "matvec", {{1, 1}, {1, 4}, {1, 16}, {1, 64}}},
    };
    std::vector<KernelCase> cases;
    for (const Points& points : all) {
        const ir::StreamProgram program = exampleStream(points.example, points.item);
        for (const Throughput t : points.throughputs)
            cases.push_back({hdl::cat(points.item, "_", t.atoms, "_", t.clocks), program,
                             designAt(program, t).circuit});
    }
    const KernelRun run = runKernels(cases, {3, true, 5});
    EXPECT_EQ(run.log, "");
    EXPECT_EQ(run.failures, std::vector<std::string>());
    EXPECT_GT(run.comparedBits, 80000);
}

TEST(StreamKernel, RandomProgramsSayWhatTheInterpreterSays) {
    std::vector<KernelCase> cases;
    for (std::uint64_t seed = 0; cases.size() < 150; ++seed) {
        const spacetime::RandomStream random(seed, 4 + static_cast<int>(seed % 4));
        const ir::StreamProgram program = frontend::streamOf(random.text());
        for (const std::int64_t clocks : {2, 4, 6, 12}) {
            const auto found = spacetime::schedule(program, clocks, spacetime::kintex(), {});
            if (!found)
                continue;
            for (const spacetime::StreamDesign& design : found->front)
                cases.push_back(
                    {hdl::cat("s", seed, "_", clocks, "_", cases.size()), program, design.circuit});
        }
    }
    const KernelRun run = runKernels(cases, {3, true, 7});
    EXPECT_EQ(run.log, "");
    EXPECT_EQ(run.failures, std::vector<std::string>());
}

TEST(StreamKernel, RandomWordsSayWhatTheInterpreterSays) {
    std::vector<KernelCase> cases;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const ir::StreamProgram program = frontend::streamOf(RandomWords(seed).text());
        for (const std::int64_t clocks : {1, 2, 6, 12, 24}) {
            const auto found = spacetime::schedule(program, clocks, spacetime::kintex(), {10});
            if (found)
                cases.push_back(
                    {hdl::cat("w", seed, "_", clocks), program, found->front[0].circuit});
        }
    }
    EXPECT_GT(cases.size(), 100U);
    const KernelRun run = runKernels(cases, {3, true, 11});
    EXPECT_EQ(run.log, "");
    EXPECT_EQ(run.failures, std::vector<std::string>());
}

/// Interpreter, evaluator and hardware: of every program at one throughput after the other.
TEST(StreamKernel, AllOperatorsSayWhatTheInterpreterSays) {
    std::vector<KernelCase> cases;
    const auto programs = static_cast<std::uint64_t>(test::cases(100, 500));
    for (std::uint64_t seed = 0; seed < programs; ++seed) {
        const algebra::RandomOperators random(seed);
        const ir::StreamProgram program = frontend::streamOf(random.text());
        const std::int64_t length = program.graph.node(program.graph.inputs[0]).type.length;
        const std::int64_t clocks = seed % 3 == 0 ? 1 : length * (seed % 3 == 1 ? 1 : 2);
        const auto found = spacetime::schedule(program, clocks, spacetime::kintex(), {10});
        ASSERT_TRUE(found) << random.text() << format(found.error());
        spacetime::expectMeaning(program, found->front[0], seed);
        ASSERT_FALSE(testing::Test::HasFailure()) << random.text() << "seed " << seed;
        cases.push_back({hdl::cat("o", seed), program, found->front[0].circuit});
    }
    const KernelRun run = runKernels(cases, {3, true, 19});
    EXPECT_EQ(run.log, "");
    EXPECT_EQ(run.failures, std::vector<std::string>());
    std::cout << run.comparedBits << " bits\n";
    EXPECT_GT(run.comparedBits, 15'000);
}

TEST(StreamKernel, RandomImagePipelinesSayWhatTheInterpreterSays) {
    std::vector<KernelCase> cases;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const RandomLines random(seed);
        const ir::StreamProgram program = frontend::streamOf(random.text());
        for (const std::int64_t lanes : {1, 2}) {
            const auto found =
                spacetime::schedule(program, random.elements() / lanes, spacetime::kintex(), {10});
            if (found)
                cases.push_back(
                    {hdl::cat("p", seed, "_", lanes), program, found->front[0].circuit});
        }
    }
    EXPECT_GT(cases.size(), 70U);
    const KernelRun run = runKernels(cases, {3, true, 13});
    EXPECT_EQ(run.log, "");
    EXPECT_EQ(run.failures, std::vector<std::string>());
    EXPECT_GT(run.comparedBits, 2'000'000);
}

TEST(StreamKernel, ACounterOfManyLanesRepeats) {
    const ir::StreamProgram program = frontend::streamOf(
        "stream s { input x : Seq 65600 u16;\n"
        "output y = map2(add, x, unpartition(up(1025, partition(1, 64, counter(64, 1 : u16))))); "
        "}\n");
    std::vector<KernelCase> cases;
    const std::vector<std::int64_t> widths = {64, 1025, 4100};
    for (int k = 0; k < test::cases(2, 3); ++k) {
        const std::int64_t lanes = widths[static_cast<std::size_t>(k)];
        cases.push_back(
            {hdl::cat("lanes_", lanes), program, designAt(program, {lanes, 1}).circuit});
    }
    const KernelRun run = runKernels(cases, {2, true, 17});
    EXPECT_EQ(run.log, "");
    EXPECT_EQ(run.failures, std::vector<std::string>());
}

TEST(StreamKernel, ConditionsOfCellsAndOfStepsHaveNamesOfTheirOwn) {
    const ir::StreamProgram program = frontend::streamOf(
        "stream p { input x : Seq 24 i16; input z : Seq 24 i16;\n"
        "let m = map2(max, x, z);\n"
        "let g = unpartition(map(fn r -> up(3, reduce(add, r)), partition(8, 3, m)));\n"
        "let h = unpartition(map(fn r -> up(4, reduce(add, r)), partition(6, 4, m)));\n"
        "let k = unpartition(map(fn r -> up(2, select(1, r)), partition(12, 2, m)));\n"
        "output y = map2(add, map2(add, g, h), k); }\n");
    std::vector<KernelCase> cases;
    for (const std::int64_t clocks : {1, 2, 3})
        cases.push_back({hdl::cat("c", clocks), program, designAt(program, {1, clocks}).circuit});
    const KernelRun run = runKernels(cases, {3, true, 11});
    EXPECT_EQ(run.log, "");
    EXPECT_EQ(run.failures, std::vector<std::string>());
}

} // namespace
} // namespace marquetry::test
