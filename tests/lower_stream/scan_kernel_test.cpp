// Scans as circuits and as kernels: what the interpreter says, in frames back to back, with gaps,
// and with X in every slot that is not valid. States start anew at each line and each frame.
#include "engine/spacetime/loop_length.h"
#include "engine/spacetime/scan_node.h"
#include "tests/lower_stream/kernel_checks.h"
#include "tests/lower_stream/random_scans.h"
#include "tests/support/cases.h"

namespace marquetry::test {
namespace {

TEST(StreamScanKernel, EveryDirectionAtEveryRate) {
    const std::vector<std::string> bodies = {
        "map(fn l -> scan(fn s v -> add(lsr(s, 1), v), 77, l), x)",
        "scan(fn a b -> map2(add, a, b), 3, x)", "partition(4, 6, scan(sub, 9, unpartition(x)))",
        "map(fn l -> map(snd, scan(fn p v -> tuple(add(fst(p), v), eq(fst(p), v)), const((5, 0) : "
        "(u16, bit)), l)), x)",
        "scan(fn s l -> map2(fn p q -> max(sub(p, 1), q), s, l), const([1, 2, 3, 65535, 5, 6] : "
        "Seq 6 u16), x)"};
    std::vector<KernelCase> cases;
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        const ir::StreamProgram program = frontend::streamOf(
            "stream s { input x : Seq 4 (Seq 6 u16); output y = " + bodies[k] + "; }");
        for (const std::int64_t clocks : {1, 4, 6, 8, 12, 24, 48, 72})
            addCircuit(program, clocks, hdl::cat("s", k, "_", clocks), cases);
    }
    expectEqual(cases, 30'000);
}

TEST(StreamScanKernel, RandomProgramsSayWhatTheInterpreterSays) {
    std::vector<KernelCase> cases;
    const auto programs = static_cast<std::uint64_t>(test::cases(120, 600));
    for (std::uint64_t seed = 0; seed < programs; ++seed) {
        const RandomScans random(seed);
        const ir::StreamProgram program = frontend::streamOf(random.text());
        const std::int64_t clocks = seed % 5 == 0   ? 1
                                    : seed % 5 == 1 ? random.lines()
                                                    : random.pixels() * (seed % 5 - 1);
        addCircuit(program, clocks, hdl::cat("p", seed), cases);
        ASSERT_FALSE(testing::Test::HasFailure()) << random.text() << "seed " << seed;
    }
    expectEqual(cases, 20'000);
}

struct LongLoop {
    std::string function;
    std::int64_t clocks; ///< that it takes
};

/// At the rate that its loop allows, and at a lower one, all paths keep to the clock: registers are
/// inside the loop.
TEST(StreamScanKernel, LongLoopsHaveRegistersInThem) {
    const std::vector<LongLoop> loops = {{"fn s v -> add(mul(s, v), 1)", 5},
                                         {"fn s v -> add(max(xor(s, 5), v), mul(s, 181))", 2},
                                         {"fn s v -> sub(max(sub(max(s, v), 3), lsr(v, 1)), 9)", 2},
                                         {"fn s v -> mul(mul(s, v), s)", 9},
                                         {"fn s v -> as_u32(mul(as_u8(xor(s, 1)), as_u8(v)))", 1}};
    std::vector<KernelCase> cases;
    for (std::size_t k = 0; k < loops.size(); ++k) {
        const auto& [function, clocks] = loops[k];
        const ir::StreamProgram program =
            frontend::streamOf("stream s { input x : Seq 4 (Seq 5 u32); output y = map(fn l -> "
                               "scan(" +
                               function + ", 7, l), x); }");
        for (const std::int64_t each : {clocks, clocks + 1, 2 * clocks + 1}) {
            addCircuit(program, 20 * each, hdl::cat("l", k, "_", each), cases);
            if (testing::Test::HasFailure())
                return;
            EXPECT_LE(timed(cases.back().circuit).pathDelay, datapath::kPathLimit) << function;
        }
    }
    expectEqual(cases, 10'000);
}

/// The estimate of a loop is never below that of its datapath, and not far above it.
TEST(StreamScanKernel, LoopsAreAsLongAsTheirDatapaths) {
    for (const std::string function :
         {"add", "fn s v -> sub(v, add(lsr(s, 3), v))", "fn s v -> add(mul(s, 3), v)", "max",
          "fn s v -> if(lt(s, 9), add(s, v), sub(s, 2))", "fn s v -> add(max(s, v), 1)",
          "fn s v -> if(eq(v, s), sub(s, 1), xor(s, v))"}) {
        for (const std::string word : {"u8", "u16", "u32"}) {
            const ir::StreamProgram program =
                frontend::streamOf("stream s { input x : Seq 64 " + word + "; output y = scan(" +
                                   function + ", 7, x); }");
            const auto found = spacetime::schedule(program, 64, spacetime::kintex(), {10});
            ASSERT_TRUE(found) << function << word;
            const spacetime::Graph& circuit = found->front[0].circuit;
            const auto scan = std::ranges::find_if(
                circuit.nodes, [](const auto& node) { return isScan(node.op); });
            ASSERT_NE(scan, circuit.nodes.end());
            const spacetime::LoopLength loop =
                loopLength(*scan->function, 1, spacetime::kPathLimit);
            EXPECT_EQ(loop.clocks, 1);
            const double path = timed(circuit).pathDelay - spacetime::kRegisterDelay;
            EXPECT_LE(path, loop.ps) << function << " " << word;
            EXPECT_GE(path, 0.6 * loop.ps) << function << " " << word;
        }
    }
}

} // namespace
} // namespace marquetry::test
