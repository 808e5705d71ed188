// Lines of words long enough for memories, with users near and far that wait for one another.
#include "engine/algebra/join_outputs.h"
#include "engine/support/rng.h"
#include "tests/frontend/stream_helpers.h"
#include "tests/lower_stream/kernel_bench.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace marquetry::test {
namespace {

using datapath::DelayLine;

/// Sums over taps of up to four lines of a stream.
class RandomStencils {
public:
    explicit RandomStencils(std::uint64_t seed) : random_(seed) {
        const std::int64_t line = 96 + 16 * random_.range(0, 3);
        std::string text = hdl::cat("stream s {\n  input x : Seq ", 3 * line, " u16;\n");
        const std::int64_t outputs = random_.range(2, 6);
        for (std::int64_t k = 0; k < outputs; ++k)
            text += hdl::cat("  output y", k, " = ", sum(line), ";\n");
        text_ = text + "}\n";
    }

    const std::string& text() const { return text_; }

private:
    std::string sum(std::int64_t line) {
        std::string sum = tap(random_.range(0, 2));
        for (std::int64_t row = 0; row < 3; ++row) {
            for (std::int64_t column = 0; column < 3; ++column) {
                if (random_.range(0, 1) == 0)
                    sum = hdl::cat("map2(add, ", sum, ", ", tap(row * line + column), ")");
            }
        }
        return sum;
    }

    std::string tap(std::int64_t distance) {
        const char* const f = random_.range(0, 3) == 0 ? "max" : "mul";
        const std::string word = distance == 0 ? "x" : hdl::cat("shift(", distance, ", x)");
        return hdl::cat("map(fn v -> ", f, "(v, ", random_.range(2, 255), "), ", word, ")");
    }

    SplitMix64 random_;
    std::string text_;
};

ir::StreamProgram joined(const std::string& text) {
    auto program = algebra::withJoinedOutputs(frontend::streamOf(text));
    EXPECT_TRUE(program) << (program ? "" : format(program.error()));
    return *std::move(program);
}

/// Each stage is an output of one part, and a part starts where there is one.
void expectStagesOnce(const DelayLine& line) {
    std::vector<std::int64_t> stages = {0};
    for (const DelayLine::Part& part : line.registers) {
        for (std::int64_t stage = part.from + 1; stage <= part.to; ++stage)
            stages.push_back(stage);
    }
    for (const DelayLine::Part& part : line.memories)
        stages.push_back(part.to);
    std::ranges::sort(stages);
    EXPECT_TRUE(std::ranges::adjacent_find(stages) == stages.end());
    for (const auto* parts : {&line.registers, &line.memories}) {
        for (const DelayLine::Part& part : *parts)
            EXPECT_TRUE(std::ranges::binary_search(stages, part.from)) << part.from;
    }
}

KernelCase caseOf(const std::string& name, const std::string& text, std::int64_t clocksPerWord) {
    const ir::StreamProgram program = joined(text);
    const auto circuit = designAt(program, {1, clocksPerWord}).circuit;
    for (const DelayLine& line : timed(circuit).lines)
        expectStagesOnce(line);
    return {name, program, circuit};
}

TEST(DelayLine, AUserThatWaitsBehindAMemoryTakesItsWord) {
    const std::string text =
        "stream p {\n  input x : Seq 300 u16;\n"
        "  output y0 = map(fn v -> mul(v, 32), shift(97, x));\n"
        "  output y1 = map(fn v -> mul(v, 145), shift(97, x));\n"
        "  output y2 = map2(add, map2(add, map2(add, map(fn v -> max(v, 4), x),\n"
        "    map(fn v -> mul(v, 141), shift(96, x))), map(fn v -> mul(v, 49), shift(97, x))),\n"
        "    map(fn v -> mul(v, 92), shift(192, x)));\n}\n";
    const KernelRun run = runKernels({caseOf("one", text, 1), caseOf("held", text, 3)}, {2});
    EXPECT_EQ(run.log, "");
    EXPECT_EQ(run.failures, std::vector<std::string>());
}

TEST(DelayLine, RandomStencilsOfManyOutputs) {
    std::vector<KernelCase> cases;
    for (std::uint64_t seed = 0; seed < 12; ++seed)
        cases.push_back(caseOf(hdl::cat("stencil", seed), RandomStencils(seed).text(), 1));
    const KernelRun run = runKernels(cases, {2});
    EXPECT_EQ(run.log, "");
    EXPECT_EQ(run.failures, std::vector<std::string>());
}

} // namespace
} // namespace marquetry::test
