// Two products in one multiplier: the arithmetic over all operands, and the modules of rows before
// the tools.
#include "engine/cost/unit_cost.h"
#include "engine/device/device_file.h"
#include "engine/lower_design/row.h"
#include "engine/support/rng.h"
#include "tests/rtl/rtl_bench.h"
#include "tests/support/cases.h"

#include <gtest/gtest.h>

#include <iostream>
#include <regex>

namespace marquetry {

namespace {

using hdl::RowForm;

/// Eight bits of each factor, of either sign.
const RowForm kForms[] = {
    {4, 8, 8, true, true}, {4, 8, 8, false, true}, {4, 8, 8, true, false}, {4, 8, 8, false, false}};

struct Extent {
    int least, most;
};

Extent extentOf(int bits, bool isSigned) {
    return isSigned ? Extent{-(1 << (bits - 1)), (1 << (bits - 1)) - 1}
                    : Extent{0, (1 << bits) - 1};
}

/// The value of the low `bits`.
std::int64_t valueOf(std::uint64_t word, int bits, bool isSigned) {
    const std::uint64_t low = word & ((std::uint64_t{1} << bits) - 1);
    const bool negative = isSigned && (low >> (bits - 1)) != 0;
    return static_cast<std::int64_t>(low) - (negative ? std::int64_t{1} << bits : 0);
}

/// How many of all triples of factors come out wrong of the block's arithmetic.
int wrongTriples(const RowForm& form) {
    const Extent w = extentOf(8, form.weightSigned);
    const Extent a = extentOf(8, form.operandSigned);
    const bool plain = !form.weightSigned && !form.operandSigned;
    int wrong = 0;
    for (int w1 = w.least; w1 <= w.most; ++w1)
        for (int w0 = w.least; w0 <= w.most; ++w0)
            for (int x = a.least; x <= a.most; ++x) {
                const std::int64_t packed = std::int64_t{w1} * 65536 + w0;
                const std::int64_t p = packed * x + (plain ? 0 : 32768);
                const auto bits = static_cast<std::uint64_t>(p);
                const std::int64_t low = valueOf(plain ? bits : bits ^ 0x8000U, 16, !plain);
                const std::int64_t high = valueOf(bits >> 16, 16, !plain);
                const bool fits = packed >= -(1 << 24) && packed < (1 << 24);
                wrong += low == w0 * x && high == w1 * x && fits ? 0 : 1;
            }
    return wrong;
}

/// Words of elements that are extreme, zero or anything.
std::uint64_t drawWord(SplitMix64& rng, int elements, int bits) {
    const std::uint64_t most = (std::uint64_t{1} << bits) - 1;
    const std::uint64_t corner[] = {most / 2 + 1, most / 2, most, 0, 1};
    std::uint64_t word = 0;
    for (int e = 0; e < elements; ++e) {
        const auto kind = static_cast<std::size_t>(rng.range(0, 7));
        const std::uint64_t element = kind < std::size(corner) ? corner[kind] : rng.next() & most;
        word = word << bits | element;
    }
    return word;
}

/// A word of weights and the operands it meets, and what the accumulators do with the products.
struct Word {
    std::uint64_t weight = 0, operand = 0;
    bool accumulate = false, first = false;
};

constexpr int kTreeLevels = 2; ///< of four lanes

/// Each word's weights, its operands a clock later, its controls when its sum comes.
std::vector<test::PortValues> streamed(const std::vector<Word>& words) {
    const std::size_t controls = 2 + kTreeLevels;
    std::vector<test::PortValues> rows(words.size() + controls);
    for (std::size_t t = 0; t < rows.size(); ++t)
        rows[t] = {{"weight", 0}, {"operand", 0}, {"accumulate", 0}, {"first", 0}};
    for (std::size_t t = 0; t < words.size(); ++t) {
        rows[t]["weight"] = words[t].weight;
        rows[t + 1]["operand"] = words[t].operand;
        rows[t + controls]["accumulate"] = words[t].accumulate ? 1 : 0;
        rows[t + controls]["first"] = words[t].first ? 1 : 0;
    }
    return rows;
}

std::uint32_t dot(const RowForm& f, const Word& word, int row) {
    std::int64_t sum = 0;
    for (int lane = 0; lane < f.lanes; ++lane)
        sum += valueOf(word.operand >> (lane * f.operandBits), f.operandBits, f.operandSigned) *
               valueOf(word.weight >> ((row * f.lanes + lane) * f.weightBits), f.weightBits,
                       f.weightSigned);
    return static_cast<std::uint32_t>(sum);
}

std::vector<Word> drawWords(const RowForm& f, int rows, std::size_t count) {
    SplitMix64 rng(7);
    std::vector<Word> words(count);
    for (std::size_t t = 0; t < count; ++t) {
        words[t].weight = drawWord(rng, rows * f.lanes, f.weightBits);
        words[t].operand = drawWord(rng, f.lanes, f.operandBits);
        words[t].first = t == 0 || rng.range(0, 3) == 0;
        words[t].accumulate = t == 0 || rng.range(0, 5) > 0;
    }
    // All lanes at once at their extremes.
    const Extent w = extentOf(f.weightBits, f.weightSigned);
    const Extent a = extentOf(f.operandBits, f.operandSigned);
    std::size_t t = 1;
    for (const int weight : {w.least, w.most})
        for (const int operand : {a.least, a.most}) {
            Word& word = words[t++];
            word = {0, 0, true, true};
            for (int e = 0; e < rows * f.lanes; ++e)
                word.weight = word.weight << f.weightBits |
                              (static_cast<unsigned>(weight) & ((1U << f.weightBits) - 1));
            for (int e = 0; e < f.lanes; ++e)
                word.operand = word.operand << f.operandBits |
                               (static_cast<unsigned>(operand) & ((1U << f.operandBits) - 1));
        }
    return words;
}

/// The sums of the module are those of dot products, clock by clock.
void expectSums(const rtl::ModulePtr& module, const RowForm& f,
                const std::vector<std::string>& ports) {
    const int rows = static_cast<int>(ports.size());
    const std::vector<Word> words = drawWords(f, rows, 1500);
    const std::vector<test::SeenValues> seen = test::simulateRows(module, streamed(words));
    ASSERT_EQ(seen.size(), words.size() + 2 + kTreeLevels);
    for (int row = 0; row < rows; ++row) {
        std::uint32_t sum = 0;
        int wrong = 0;
        for (std::size_t t = 0; t < words.size(); ++t) {
            if (words[t].accumulate)
                sum = dot(f, words[t], row) + (words[t].first ? 0 : sum);
            wrong +=
                seen[t + 2 + kTreeLevels].at(ports[static_cast<std::size_t>(row)]) == sum ? 0 : 1;
        }
        EXPECT_EQ(wrong, 0) << "row " << row;
    }
}

std::string nameOf(const RowForm& f) {
    return (f.operandSigned ? "i" : "u") + std::to_string(f.operandBits) +
           (f.weightSigned ? "_i" : "_u") + std::to_string(f.weightBits);
}

/// Cells of a kind in the last statistics; kinds whose names begin with `kind` together.
int cellsOf(const std::string& statistics, const std::string& kind) {
    const std::string last = statistics.substr(statistics.rfind("Number of cells"));
    const std::regex line("\\n\\s+" + kind + "\\S*\\s+(\\d+)");
    int count = 0;
    for (std::sregex_iterator it(last.begin(), last.end(), line), end; it != end; ++it)
        count += std::stoi((*it)[1]);
    return count;
}

/// Of two rows: their trees, a bit wider at each level, and their accumulators.
int sumBits(int lanes) {
    int bits = 32;
    int width = 17;
    for (int adders = lanes / 2; adders > 0; adders /= 2)
        bits += adders * width++;
    return 2 * bits;
}

} // namespace

TEST(PairedProducts, AreExactForAllOperandsOfBothSigns) {
    for (const RowForm& form : kForms)
        EXPECT_EQ(wrongTriples(form), 0) << nameOf(form);
}

TEST(PairedRows, AddUpTheirProducts) {
    for (const RowForm& form : kForms) {
        SCOPED_TRACE(nameOf(form));
        expectSums(hdl::pairedRowsModule("pair", form), form, {"sum_0", "sum_1"});
    }
}

TEST(PairedRows, TakeNarrowFactors) {
    for (const RowForm& form : {RowForm{4, 8, 4, true, true}, RowForm{4, 4, 8, false, true},
                                RowForm{4, 4, 4, false, false}}) {
        SCOPED_TRACE(nameOf(form));
        expectSums(hdl::pairedRowsModule("pair", form), form, {"sum_0", "sum_1"});
    }
}

TEST(PairedRows, TakeTheClocksOfARowAlone) {
    for (const RowForm& form : kForms)
        expectSums(hdl::rowModule("alone", form), form, {"sum"});
}

TEST(PairedRows, LintWithoutAWarning) {
    for (const RowForm& form : kForms)
        EXPECT_EQ(test::lintOf(hdl::pairedRowsModule("pair", form)), "") << nameOf(form);
}

// A block for each lane, and no multiplier beside it: the LUTs are those of sums and accumulators.
TEST(PairedRows, TakeOneBlockForEachLane) {
    const device::Device device = *device::findDevice("xc7z020");
    for (int lanes = 8; lanes <= test::cases(8, 16); lanes *= 2)
        for (RowForm form : kForms) {
            form.lanes = lanes;
            SCOPED_TRACE(nameOf(form) + " lanes " + std::to_string(lanes));
            std::string statistics;
            EXPECT_EQ(test::synthesisOf(hdl::pairedRowsModule("pair", form), "xilinx -family xc7",
                                        rtl::Vendor::Xilinx, &statistics),
                      "");
            EXPECT_EQ(cellsOf(statistics, "DSP48E1"), lanes);
            EXPECT_EQ(cost::unitDsp(device, {2, lanes, 8, 8}), lanes);
            const int luts = cellsOf(statistics, "LUT") + cellsOf(statistics, "INV");
            std::cout << nameOf(form) << " lanes " << lanes << ": " << sumBits(lanes)
                      << " bits of sums, LUT " << luts << ", FF " << cellsOf(statistics, "FD")
                      << "\n";
            EXPECT_LT(luts, 1.3 * sumBits(lanes)) << "8 x 8 bits in LUTs take 56 a product";
        }
}

} // namespace marquetry
