// Changes of layout in RTL: every pair of types of equal throughput permutes as it should, in
// frames back to back, and how many words its registers hold beside the most that are alive at
// once.
#include "engine/spacetime/regroup.h"
#include "tests/stream_hdl/reshape_cases.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace marquetry::testing {
namespace {

using spacetime::SeqType;

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

} // namespace
} // namespace marquetry::testing
