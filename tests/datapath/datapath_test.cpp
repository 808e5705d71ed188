// What a datapath becomes before it is timed: conditions on the phase, and words made again instead
// of stored.
#include "engine/lower_stream/stream_kernel.h"
#include "engine/support/rng.h"
#include "tests/lower_stream/kernel_bench.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace marquetry::test {
namespace {

using datapath::Cell;
using datapath::CellKind;
using datapath::DatapathBuilder;
using datapath::Tap;

constexpr int kWidth = 6;
constexpr std::uint64_t kMask = (1U << kWidth) - 1;

std::uint64_t modulo(std::int64_t a, std::int64_t m) {
    return static_cast<std::uint64_t>(((a % m) + m) % m);
}

/// Step `step` of a cell of operators and generators, by plain arithmetic.
std::uint64_t wordOf(const DatapathBuilder& cells, const Tap& tap, std::int64_t step) {
    const Cell& cell = cells.cell(tap);
    const std::int64_t at = step - tap.distance;
    const auto in = [&](std::size_t k) { return wordOf(cells, cell.operands[k], at); };
    switch (cell.kind) {
    case CellKind::Constant:
        return static_cast<std::uint64_t>(cell.number);
    case CellKind::Index:
        return modulo(at, cell.period) / static_cast<std::uint64_t>(cell.number);
    case CellKind::Phase: {
        const auto place = static_cast<std::int64_t>(modulo(at, cell.period));
        return cell.first <= place && place < cell.end ? 1 : 0;
    }
    case CellKind::Not:
        return 1 - in(0);
    case CellKind::And:
        return in(0) & in(1);
    case CellKind::Or:
        return in(0) | in(1);
    case CellKind::Less:
        return in(0) < in(1) ? 1 : 0;
    case CellKind::Equal:
        return in(0) == in(1) ? 1 : 0;
    case CellKind::Add:
        return (in(0) + in(1)) & kMask;
    case CellKind::Right:
        return in(0) >> cell.number;
    default:
        ADD_FAILURE() << "a cell of kind " << static_cast<int>(cell.kind);
        return 0;
    }
}

struct Condition {
    Tap tap;
    std::vector<std::uint64_t> words; ///< over the period
};

Tap counter(DatapathBuilder& cells, std::int64_t period) {
    Cell index{CellKind::Index, kWidth};
    index.number = 1;
    index.period = period;
    index.most = static_cast<std::uint64_t>(period - 1);
    return cells.make(index);
}

/// A comparison of a counter, later or shifted, with a number.
Condition comparison(DatapathBuilder& cells, const Tap& count, std::int64_t period,
                     SplitMix64& random) {
    const std::int64_t later = random.range(0, 2 * period);
    const std::int64_t by = random.range(0, 2);
    const std::int64_t number = random.range(0, period);
    const bool less = random.range(0, 1) == 0;
    const Tap moved{count.cell, count.distance + later};
    const Tap shifted = cells.shifted(CellKind::Right, kWidth, moved, by, {});
    const Tap tap = cells.binary(less ? CellKind::Less : CellKind::Equal, kWidth, shifted,
                                 cells.constant(kWidth, number), {});
    Condition condition{tap, {}};
    for (std::int64_t step = 0; step < period; ++step) {
        const std::uint64_t word = modulo(step - later, period) >> by;
        const auto bound = static_cast<std::uint64_t>(number);
        condition.words.push_back(less ? word < bound : word == bound);
    }
    return condition;
}

TEST(Datapath, ConditionsOnCountersAreWhatTheyWere) {
    std::size_t folded = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        SplitMix64 random(seed);
        DatapathBuilder cells;
        const std::int64_t period = random.range(2, 40);
        const Tap count = counter(cells, period);
        Condition a = comparison(cells, count, period, random);
        const Condition b = comparison(cells, count, period, random);
        const bool both = random.range(0, 1) == 0;
        a.tap = cells.binary(both ? CellKind::And : CellKind::Or, 1, a.tap, b.tap, {});
        for (std::size_t k = 0; k < a.words.size(); ++k)
            a.words[k] = both ? a.words[k] & b.words[k] : a.words[k] | b.words[k];
        for (std::int64_t step = 0; step < 2 * period; ++step)
            ASSERT_EQ(wordOf(cells, a.tap, step), a.words[modulo(step, period)])
                << "seed " << seed << " step " << step;
        const CellKind kind = cells.cell(a.tap).kind;
        folded += kind == CellKind::Phase || kind == CellKind::Constant || kind == CellKind::Not;
    }
    EXPECT_GT(folded, 200U);
}

TEST(Datapath, TheCameraChoosesByPhasesAndKeepsFourLines) {
    const ir::StreamProgram program = exampleStream("camera", "camera_1080p");
    for (const std::int64_t lanes : {1, 2}) {
        const datapath::TimedDatapath t = timed(designAt(program, {lanes, 1}).circuit);
        const auto compares = [](const Cell& cell) {
            return cell.kind == CellKind::Less || cell.kind == CellKind::Equal;
        };
        EXPECT_TRUE(std::ranges::none_of(t.datapath.cells, compares)) << lanes;
        std::vector<std::string> inputs = {"in_0"};
        rtl::ModuleLibrary library("kernel");
        const hdl::StreamKernel kernel = hdl::kernelModule(library, t, "kernel", inputs, "out_y");
        EXPECT_LE(kernel.memoryBits, 4 * 1920 * 32) << lanes;
    }
}

TEST(Datapath, PathsStayWithinTheClock) {
    for (const auto& [example, item] : {std::pair("camera", "camera_1080p"),
                                        {"matvec", "matvec"},
                                        {"gauss5", "gauss5_1080p"},
                                        {"dot", "dot"}}) {
        const ir::StreamProgram program = exampleStream(example, item);
        EXPECT_LE(timed(designAt(program, {1, 1}).circuit).pathDelay, datapath::kPathLimit) << item;
    }
}

} // namespace
} // namespace marquetry::test
