// Changes of layout in RTL: every pair of types of equal throughput permutes as it should, in
// frames back to back, and how many words its registers hold beside the most that are alive at
// once.
#include "engine/spacetime/regroup.h"
#include "tests/lower_stream/reshape_cases.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace marquetry::test {
namespace {

using spacetime::SeqType;

/// Words in the registers behind the inputs, without those of the output.
std::int64_t storedWords(const datapath::TimedDatapath& t) {
    std::int64_t words = 0;
    for (std::size_t k = 0; k < t.lines.size(); ++k) {
        if (t.datapath.cells[k].kind != datapath::CellKind::Input)
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
    for (const auto& [elements, time] : spacetime::kSmallSizes) {
        const std::vector<SeqType> types = typesOf(elements, time);
        for (const SeqType& from : types) {
            for (const SeqType& to : types) {
                const auto change = spacetime::withoutCommonLayers(from, to);
                if (change.from == change.to)
                    continue;
                cases.push_back(reshapeCase(from, to, hdl::cat("r", pairs++)));
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

/// Words in FIFOs and line buffers, and in the registers of all words but the output's.
std::int64_t wordsOf(const datapath::TimedDatapath& t) {
    rtl::ModuleLibrary library("kernel");
    const hdl::StreamKernel kernel = hdl::kernelModule(library, t, "kernel", {"in_0"}, "out_y");
    const std::int64_t atOutput = t.datapath.output.bits();
    return (kernel.memoryBits + std::max<std::int64_t>(0, kernel.registerBits - atOutput)) / 8;
}

/// Most elements that are there at once, looked at in every clock.
std::int64_t mostAlive(const SeqType& from, const SeqType& to) {
    const auto change = spacetime::withoutCommonLayers(from, to);
    const std::int64_t delay = spacetime::regroupingDelay(change.from, change.to).value();
    std::int64_t most = 0;
    for (std::int64_t clock = 1; clock <= clocks(change.from); ++clock)
        most = std::max(most, spacetime::countBefore(change.from, clock) -
                                  spacetime::countBefore(change.to, clock - delay));
    return most * change.copies;
}

TEST(StreamReshape, LongPairsOfTypesPermuteThroughFifos) {
    SplitMix64 random(41);
    std::size_t pairs = 0;
    double words = 0;
    double alive = 0;
    double worst = 0;
    for (const auto& [elements, time, lanes] :
         {std::tuple<std::int64_t, std::int64_t, std::int64_t>{8192, 8192, 4},
          {16384, 8192, 8},
          {10000, 6000, 8},
          {9000, 6000, 6},
          {15360, 11520, 8},
          {21600, 7200, 12}}) {
        std::vector<KernelCase> cases;
        for (int draw = 0; draw < 40; ++draw) {
            const SeqType from = someType(elements, time, lanes, random);
            const SeqType to = someType(elements, time, lanes, random);
            KernelCase one = reshapeCase(from, to, hdl::cat("q", pairs));
            const datapath::TimedDatapath t = timed(one.circuit);
            const bool fifos = std::ranges::any_of(t.datapath.cells, [](const auto& cell) {
                return cell.kind == datapath::CellKind::Fetch;
            });
            if (!fifos)
                continue;
            EXPECT_LE(t.pathDelay, 5000) << toString(from) << " to " << toString(to);
            const auto held = static_cast<double>(wordsOf(t));
            const auto least = static_cast<double>(mostAlive(from, to));
            words += held;
            alive += least;
            worst = std::max(worst, held / least);
            ++pairs;
            cases.push_back(std::move(one));
        }
        const KernelRun run = runKernels(cases, {3, true, 43});
        EXPECT_EQ(run.log, "");
        EXPECT_EQ(run.failures, std::vector<std::string>());
    }
    EXPECT_GT(pairs, 100U);
    std::printf("%zu pairs through FIFOs: %.0f words, %.0f alive at once; at most %.2f times\n",
                pairs, words, alive, worst);
}

} // namespace
} // namespace marquetry::test
