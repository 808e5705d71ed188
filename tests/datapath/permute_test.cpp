// Changes of layout through FIFOs: conditions on the steps, the words a FIFO holds, and kernels
// that permute as the types say, in frames back to back, with gaps, with X where nothing is valid.
#include "engine/datapath/cell_value.h"
#include "engine/datapath/permute.h"
#include "engine/datapath/step_pattern.h"
#include "engine/spacetime/regroup.h"
#include "engine/support/rng.h"
#include "tests/lower_stream/reshape_cases.h"
#include "tests/spacetime/schedule_helpers.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace marquetry::test {
namespace {

using datapath::Cell;
using datapath::CellKind;
using datapath::Fifo;
using datapath::Rearranging;
using datapath::StepBits;
using spacetime::SeqType;

/// Runs that repeat inside runs, some of the bits of no matter.
StepBits nestedBits(SplitMix64& random) {
    StepBits bits = {1};
    for (int layer = 0; layer < 4; ++layer) {
        const std::int64_t length = random.range(1, 6);
        const std::int64_t first = random.range(0, length - 1);
        const std::int64_t end = random.range(first + 1, length);
        StepBits around;
        for (std::int64_t k = 0; k < length; ++k) {
            for (const std::int8_t bit : bits)
                around.push_back(first <= k && k < end ? bit : std::int8_t{0});
        }
        bits = around;
        if (random.range(0, 2) == 0) {
            for (std::int8_t& bit : bits)
                bit = static_cast<std::int8_t>(1 - bit);
        }
    }
    for (std::int8_t& bit : bits) {
        if (random.range(0, 9) == 0)
            bit = datapath::kAnyBit;
    }
    return bits;
}

TEST(StepPattern, IsAsTheBitsSay) {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        SplitMix64 random(seed);
        const StepBits bits = nestedBits(random);
        const auto pattern = datapath::stepPattern(bits);
        ASSERT_TRUE(pattern) << seed;
        EXPECT_EQ(bits.size() % static_cast<std::size_t>(pattern->period), 0U);
        for (std::size_t step = 0; step < bits.size(); ++step) {
            if (bits[step] != datapath::kAnyBit) {
                ASSERT_EQ(datapath::valueAt(*pattern, static_cast<std::int64_t>(step)), bits[step])
                    << "seed " << seed << " step " << step;
            }
        }
    }
}

TEST(StepPattern, DigitsOfALongPeriodNeedNoTable) {
    constexpr std::size_t kPeriod = 7 * 9 * 128 * 3;
    StepBits bits(kPeriod, 0);
    for (std::size_t step = 0; step < kPeriod; ++step)
        bits[step] = step / 3 % 128 == 5 && step / 384 % 9 >= 7 && step % 3 < 2 ? 1 : 0;
    const auto pattern = datapath::stepPattern(bits);
    ASSERT_TRUE(pattern);
    const auto hasTable = [](const auto& self, const Cell& cell) -> bool {
        return cell.kind == CellKind::Table ||
               std::ranges::any_of(cell.parts, [&](const Cell& part) { return self(self, part); });
    };
    EXPECT_FALSE(hasTable(hasTable, *pattern));
    for (std::size_t step = 0; step < kPeriod; ++step)
        ASSERT_EQ(datapath::valueAt(*pattern, static_cast<std::int64_t>(step)), bits[step]);
}

TEST(StepPattern, ShortPeriodsNeedNotDivideLongOnes) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        SplitMix64 random(seed);
        StepBits inner(static_cast<std::size_t>(random.range(2, 400)));
        for (std::int8_t& bit : inner)
            bit = static_cast<std::int8_t>(random.range(0, 1));
        StepBits bits(static_cast<std::size_t>(random.range(4097, 9000)), 0);
        const auto first = static_cast<std::size_t>(random.range(0, 500));
        const auto end = bits.size() - static_cast<std::size_t>(random.range(0, 500));
        for (std::size_t step = first; step < end; ++step)
            bits[step] = inner[(step - first) % inner.size()];
        StepBits layers;
        for (std::int64_t layer = random.range(1, 3); layer > 0; --layer)
            layers.insert(layers.end(), bits.begin(), bits.end());
        layers.resize(layers.size() + bits.size(), 0);
        const auto pattern = datapath::stepPattern(layers);
        ASSERT_TRUE(pattern) << seed;
        for (std::size_t step = 0; step < layers.size(); ++step)
            ASSERT_EQ(datapath::valueAt(*pattern, static_cast<std::int64_t>(step)), layers[step])
                << "seed " << seed << " step " << step;
    }
}

Fifo randomFifo(SplitMix64& random) {
    Fifo fifo{random.range(4, 24)};
    const std::int64_t words = random.range(1, fifo.period);
    const auto draw = [&] {
        std::vector<std::int64_t> steps(static_cast<std::size_t>(fifo.period));
        for (std::size_t k = 0; k < steps.size(); ++k) {
            steps[k] = static_cast<std::int64_t>(k);
            std::swap(steps[k], steps[random.next() % (k + 1)]);
        }
        steps.resize(static_cast<std::size_t>(words));
        std::ranges::sort(steps);
        return steps;
    };
    fifo.stores = draw();
    fifo.fetches = draw();
    return fifo;
}

/// Whether words that go round so many places are what is fetched, over many periods.
bool isEnough(const Fifo& fifo, std::int64_t places, std::int64_t later) {
    std::vector<std::int64_t> memory(static_cast<std::size_t>(places), -1);
    std::int64_t stored = 0;
    std::int64_t fetched = 0;
    for (std::int64_t step = 0; step < 8 * fifo.period + later; ++step) {
        const auto contains = [&](const std::vector<std::int64_t>& steps, std::int64_t at) {
            return at >= 0 && std::ranges::find(steps, at % fifo.period) != steps.end();
        };
        if (contains(fifo.fetches, step - later)) {
            if (memory[static_cast<std::size_t>(fetched % places)] != fetched)
                return false;
            ++fetched;
        }
        if (contains(fifo.stores, step)) {
            memory[static_cast<std::size_t>(stored % places)] = stored;
            ++stored;
        }
    }
    return true;
}

TEST(Fifos, HoldAsFewWordsAsTheStepsAllow) {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        SplitMix64 random(seed);
        const Fifo fifo = randomFifo(random);
        const std::int64_t later = 1 - fifo.distance() + random.range(0, 2 * fifo.period);
        const std::int64_t words = fifo.words(later);
        EXPECT_TRUE(isEnough(fifo, words, later)) << seed;
        EXPECT_TRUE(words == 1 || !isEnough(fifo, words - 1, later)) << seed;
        EXPECT_EQ(fifo.countBefore(fifo.stores, 2 * fifo.period + fifo.stores.back() + 1),
                  3 * std::ssize(fifo.stores));
        EXPECT_EQ(fifo.countBefore(fifo.stores, -fifo.period), -std::ssize(fifo.stores));
    }
}

bool usesFifos(const datapath::TimedDatapath& t) {
    return std::ranges::any_of(t.datapath.cells,
                               [](const Cell& cell) { return cell.kind == CellKind::Fetch; });
}

TEST(Fifos, PairsOfTypesPermute) {
    SplitMix64 random(17);
    std::vector<KernelCase> cases;
    for (const auto& [elements, time] : {std::pair<std::int64_t, std::int64_t>{6, 6},
                                         {12, 3},
                                         {12, 6},
                                         {16, 8},
                                         {12, 24},
                                         {24, 12}}) {
        const std::vector<SeqType> types = typesOf(elements, time);
        for (std::size_t count = 0; count < 45;) {
            const SeqType& from = types[random.next() % types.size()];
            const SeqType& to = types[random.next() % types.size()];
            KernelCase one = reshapeCase(from, to, hdl::cat("q", cases.size()));
            one.rearranging = Rearranging::Fifos;
            if (!usesFifos(timed(one.circuit, one.rearranging)))
                continue;
            cases.push_back(std::move(one));
            ++count;
        }
    }
    EXPECT_GE(cases.size(), 200U);
    const KernelRun run = runKernels(cases, {3, true, 19});
    EXPECT_EQ(run.log, "");
    EXPECT_EQ(run.failures, std::vector<std::string>());
}

/// Rows with idle time, longer than any table.
TEST(Fifos, FramesWithBlankingAreCountedAndShifted) {
    const ir::StreamProgram program = frontend::streamOf(
        "stream blanked {\n"
        "  input x : Seq 240 Seq 64 u16;\n"
        "  let counted = partition(240, 64, map2(add, shift(5, unpartition(x)),\n"
        "                                       counter(15360, 3 : u16)));\n"
        "  output y = map2(fn a b -> map2(sub, a, b), x, counted);\n"
        "}\n");
    std::vector<KernelCase> cases;
    for (const auto& [clocks, type] :
         {std::pair<std::int64_t, const char*>{24000, "TSeq 240 10 (TSeq 64 32 u16)"},
          {11200, "TSeq 240 40 (TSeq 32 8 (SSeq 2 u16))"},
          {11200, "TSeq 120 20 (SSeq 2 (TSeq 64 16 u16))"}}) {
        const auto found =
            spacetime::schedule(program, clocks, spacetime::kintex(), {.outputType = type});
        ASSERT_TRUE(found) << format(found.error());
        cases.push_back({hdl::cat("blanked_", cases.size()), program, found->front[0].circuit});
    }
    const KernelRun run = runKernels(cases, {3, true, 31});
    EXPECT_EQ(run.log, "");
    EXPECT_EQ(run.failures, std::vector<std::string>());
}

/// Changes over more steps than a table has.
TEST(Fifos, LongChangesPermute) {
    const auto byte = spacetime::atomType(ir::scalarStream(ir::Scalar::U8));
    const auto tseq = [](std::int64_t n, std::int64_t idle, const SeqType& element) {
        return spacetime::tseq(n, idle, element);
    };
    const auto sseq = [](std::int64_t n, const SeqType& element) {
        return spacetime::sseq(n, element);
    };
    std::vector<std::pair<SeqType, SeqType>> pairs = {
        {tseq(8192, 0, sseq(2, byte)), sseq(2, tseq(8192, 0, byte))},
        {sseq(2, tseq(4500, 0, byte)), sseq(3, tseq(3000, 1500, byte))},
        {sseq(2, tseq(4096, 1904, byte)), tseq(8, 2, tseq(512, 88, sseq(2, byte)))},
        {tseq(8192, 0, byte), sseq(4, tseq(2048, 0, tseq(1, 3, byte)))},
        {sseq(4, tseq(4800, 0, byte)), tseq(25, 0, sseq(2, tseq(192, 0, sseq(2, byte))))},
    };
    SplitMix64 random(37);
    while (pairs.size() < 8) {
        const SeqType from = someType(9000, 4500, 6, random);
        const SeqType to = someType(9000, 4500, 6, random);
        if (usesFifos(timed(reshapeCase(from, to, "").circuit)))
            pairs.emplace_back(from, to);
    }
    std::vector<KernelCase> cases;
    for (const auto& [from, to] : pairs) {
        cases.push_back(reshapeCase(from, to, hdl::cat("long_", cases.size())));
        EXPECT_TRUE(usesFifos(timed(cases.back().circuit))) << toString(to);
    }
    const KernelRun run = runKernels(cases, {3, true, 29});
    EXPECT_EQ(run.log, "");
    EXPECT_EQ(run.failures, std::vector<std::string>());
}

} // namespace
} // namespace marquetry::test
