// Changes of layout in RTL: every pair of types of equal throughput permutes as it should, in
// frames back to back, and how many words its registers hold beside the most that are alive at
// once.
#include "engine/spacetime/regroup.h"
#include "tests/spacetime/exhaustive.h"
#include "tests/stream_hdl/kernel_bench.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace marquetry::testing {
namespace {

using spacetime::SeqType;

std::vector<SeqType> typesOf(std::int64_t elements, std::int64_t time) {
    const ir::StreamType byte = ir::scalarStream(ir::Scalar::U8);
    std::vector<SeqType> all;
    for (std::int64_t outer = 1; outer <= elements; ++outer) {
        if (elements % outer != 0)
            continue;
        for (SeqType& type : spacetime::exhaustive::types(
                 ir::seqOf(outer, ir::seqOf(elements / outer, byte)), time))
            all.push_back(std::move(type));
    }
    return all;
}

KernelCase reshape(const SeqType& from, const SeqType& to, std::size_t number) {
    KernelCase one;
    one.name = hdl::cat("r", number);
    ir::StreamNode input;
    input.name = "x";
    input.type = erase(from);
    one.program.name = one.name;
    one.program.graph.nodes = {input};
    one.program.graph.inputs = {ir::StreamNodeId(0)};
    one.program.graph.outputs = {{"y", ir::StreamNodeId(0)}};
    const auto in = one.circuit.add({spacetime::Op::Input, {}, {}, {}, from});
    one.circuit.inputs = {in};
    one.circuit.output = one.circuit.add({spacetime::Op::Reshape, {in}, {}, {}, to});
    return one;
}

/// Words in the registers behind the inputs, without those of the output.
std::int64_t storedWords(const spacetime::TimedDatapath& t) {
    std::int64_t words = 0;
    for (std::size_t k = 0; k < t.lines.size(); ++k) {
        if (t.datapath.cells[k].kind != spacetime::CellKind::Input)
            continue;
        for (const auto& part : t.lines[k].registers)
            words += part.to - part.from;
    }
    return words;
}

TEST(StreamReshape, PairsOfTypesPermuteAndStoreFewWords) {
    std::size_t pairs = 0;
    std::size_t least = 0;
    double words = 0;
    double bound = 0;
    std::vector<KernelCase> cases;
    const auto runCases = [&] {
        const KernelRun run = runKernels(cases, {3, true, 13});
        EXPECT_EQ(run.log, "");
        EXPECT_EQ(run.failures, std::vector<std::string>());
        cases.clear();
    };
    for (const auto& [elements, time] : {std::pair<std::int64_t, std::int64_t>{4, 4},
                                         {6, 4},
                                         {6, 6},
                                         {8, 4},
                                         {12, 3},
                                         {4, 12},
                                         {12, 6}}) {
        const std::vector<SeqType> types = typesOf(elements, time);
        for (const SeqType& from : types) {
            for (const SeqType& to : types) {
                const auto change = spacetime::withoutCommonLayers(from, to);
                if (change.from == change.to)
                    continue;
                cases.push_back(reshape(from, to, pairs++));
                const std::int64_t stored = storedWords(timed(cases.back().circuit));
                const std::int64_t alive = spacetime::regroupingCost(change).stored;
                least += stored <= alive ? 1 : 0;
                words += static_cast<double>(stored);
                bound += static_cast<double>(alive);
                if (cases.size() == 400)
                    runCases();
            }
        }
    }
    runCases();
    EXPECT_GT(pairs, 2000U);
    std::printf("%zu pairs: %zu store no more words than are alive at once; %.0f words in all, "
                "%.0f alive\n",
                pairs, least, words, bound);
}

} // namespace
} // namespace marquetry::testing
