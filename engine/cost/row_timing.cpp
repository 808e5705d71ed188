#include "engine/cost/row_timing.h"

#include "engine/cost/write_back.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace marquetry::cost {

namespace {

constexpr std::int64_t kMostElements = 4;
/// A clock for the numbers of a pass, besides those of the tree that adds or compares elements.
constexpr std::int64_t kCollect = 1;
/// From the elements to their results in the slot: two registers to the word and the memory.
constexpr std::int64_t kWrite = 3;
constexpr int kExponentBits = 8;
/// Distance, index, exponential.
constexpr int kExponentialStages = 3;
/// Of results of functions of elements.
constexpr int kElementBits = 32;

bool isPowerOfTwo(std::int64_t n) {
    return (n & (n - 1)) == 0;
}

/// From the last squares on: the root is loaded, made a bit a clock, and made ready for use.
std::int64_t rootClocks(const RowShape& shape) {
    const NormWidths widths = normWidths(shape);
    const std::int64_t quotient = isPowerOfTwo(shape.columns) ? 0 : widths.radicand + 1;
    return 1 + quotient + widths.root + 2;
}

/// Factors of a multiplication's registers on both sides, with the sums of its parts.
int productStages(int a, int b) {
    int parts = multiplierBlocks(a, b) + logicPart(a, b).terms;
    int stages = 2;
    for (; parts > 1; parts = (parts + 1) / 2)
        ++stages;
    return stages;
}

} // namespace

std::int64_t RowShape::constantWords() const {
    switch (second) {
    case SecondOperand::ConstantElements:
        return rows * runs();
    case SecondOperand::ConstantRow:
        return runs();
    case SecondOperand::ConstantOfRow:
        return rows;
    default:
        return 0;
    }
}

std::int64_t rowRun(RowFunction function, std::int64_t lanes) {
    return function == RowFunction::LookUp ? 1 : std::min(lanes, kMostElements);
}

NormWidths normWidths(const RowShape& shape) {
    NormWidths widths;
    const int count = bitsFor(shape.columns + 1);
    widths.distance = shape.operandBits + count + 1;
    widths.squares = 2 * (widths.distance - 1) + count;
    widths.radicand = widths.squares + 16;
    widths.root = (widths.radicand + 1) / 2;
    widths.numerator = std::max(widths.distance + static_cast<int>(shape.shift) + 8,
                                widths.root + shape.resultBits) +
                       2;
    return widths;
}

RowStages rowStages(const RowShape& shape) {
    RowStages stages;
    if (shape.function == RowFunction::LookUp) {
        stages.result = 2; // the word of the table, its entry
        return stages;
    }
    if (shape.ofElements()) {
        const bool multiplies = shape.function == RowFunction::Multiply;
        stages.result = multiplies ? productStages(shape.firstFactor, shape.secondFactor) : 1;
        return stages;
    }
    if (shape.function == RowFunction::Softmax) {
        // Numerator, a clock for each bit of the quotient.
        stages.result = kExponentialStages + 1 + kExponentBits;
        return stages;
    }
    stages.times = std::popcount(static_cast<std::uint64_t>(shape.columns));
    const int distance = stages.times + 1;
    stages.square =
        distance + productStages(normWidths(shape).distance, normWidths(shape).distance);
    // Numerator, whether it is too large, the bits of the quotient, the limits.
    stages.result = distance + 3 + shape.resultBits;
    return stages;
}

std::vector<std::int64_t> rowWaits(const RowShape& shape) {
    const std::int64_t tree = treeLevels(shape.run);
    const RowStages stages = rowStages(shape);
    if (shape.ofElements())
        return {stages.result + kWrite};
    if (shape.function == RowFunction::Softmax)
        return {tree + kCollect, tree + kCollect, stages.result + kWrite};
    return {tree + kCollect, stages.square + tree + kCollect + 2 + rootClocks(shape),
            stages.result + kWrite};
}

std::int64_t rowGap(const RowShape& shape) {
    if (shape.ofElements())
        return 0;
    const std::int64_t tree = treeLevels(shape.run);
    const RowStages stages = rowStages(shape);
    const std::int64_t secondPass = shape.runs() + rowWaits(shape).front() + 1;
    if (shape.function == RowFunction::Softmax) {
        // The sum is steady until the quotients are made; the next one begins in the second pass.
        const std::int64_t nextSum = secondPass + kExponentialStages + tree + 1;
        return std::max<std::int64_t>(0, stages.result - nextSum);
    }
    // Distances need the sum, quotients the deviation.
    const std::int64_t nextSum = 1 + tree + kCollect + 1;
    const std::int64_t nextDeviation =
        secondPass + shape.runs() - 1 + stages.square + tree + kCollect + 3;
    return std::max<std::int64_t>({0, stages.times + 1 - nextSum, stages.result - nextDeviation});
}

std::int64_t rowCycles(const RowShape& shape) {
    const std::vector<std::int64_t> waits = rowWaits(shape);
    const auto passes = std::ssize(waits);
    const std::int64_t within = std::accumulate(waits.begin(), waits.end() - 1, std::int64_t{0});
    return kSetupCycles + shape.rows * (passes * shape.runs() + within) +
           (shape.rows - 1) * rowGap(shape) + waits.back();
}

namespace {

// As counted on the units of a synthesised transformer: a step of a division subtracts and then
// keeps or restores; what waits for several clocks is in shift registers.
constexpr double kLutsOfADivisionBit = 1.4;
constexpr double kFfOfAStageBit = 0.62;

device::Resources elementResources(const RowShape& shape) {
    const auto run = static_cast<double>(shape.run);
    const bool multiplies = shape.function == RowFunction::Multiply;
    const int factors = shape.firstFactor + shape.secondFactor;
    device::Resources resources;
    resources.lut = 90 + run * (multiplies ? factors : kElementBits);
    if (multiplies)
        resources.lut += run * logicPart(shape.firstFactor, shape.secondFactor).bits;
    resources.ff = 90 + run * (2 * factors + kElementBits * rowStages(shape).result);
    if (multiplies)
        resources.dsp = run * multiplierBlocks(shape.firstFactor, shape.secondFactor);
    resources.bram = romBlocks(shape.constantWords(), shape.constantsOfWord() * shape.secondFactor);
    return resources;
}

} // namespace

device::Resources rowResources(const RowShape& shape) {
    if (shape.ofElements())
        return elementResources(shape);
    const auto run = static_cast<double>(shape.run);
    device::Resources resources;
    if (shape.function == RowFunction::Softmax) {
        const double sum = bitsFor(shape.columns * 255 + 1) + 9;
        resources.lut =
            kLutsOfADivisionBit * (90 + run * (2 * shape.operandBits + 70 + kExponentBits * sum));
        resources.ff = 90 + run * (2 * shape.operandBits + 40 + kExponentBits * (sum + 4));
        return resources;
    }
    const NormWidths widths = normWidths(shape);
    const double stages = shape.resultBits + 2;
    resources.dsp = run * multiplierBlocks(widths.distance, widths.distance);
    resources.lut = kLutsOfADivisionBit *
                    (100 + 3 * widths.radicand + 4 * widths.root +
                     run * (2 * widths.distance + widths.squares + stages * widths.numerator +
                            logicPart(widths.distance, widths.distance).bits));
    resources.ff = kFfOfAStageBit * (100 + 3 * widths.radicand + 4 * widths.root +
                                     run * (4 * widths.distance + widths.squares +
                                            stages * (widths.numerator + shape.resultBits / 2.0)));
    return resources;
}

} // namespace marquetry::cost
