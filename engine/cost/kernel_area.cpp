#include "engine/cost/kernel_area.h"

#include "engine/cost/kernel_calibration.h"
#include "engine/datapath/path_delay.h"
#include "engine/device/lut6.h"
#include "engine/device/rom.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace marquetry::cost {

using datapath::Cell;
using datapath::CellKind;
using datapath::Tap;
using datapath::TimedDatapath;
using device::Resources;

namespace {

enum Term : std::size_t {
    kSums,
    kComparisons,
    kChoices,
    kConditions,
    kShifters,
    kProducts,
    kRegisters,
    kShiftRegisters,
    kAddresses,
    kLutMemories,
    kControl,
    kValid
};

/// Products of fewer bits are made of LUTs; a DSP block multiplies 24 by 17 bits without sign.
constexpr int kLeastDspBits = 9;
constexpr double kLutsOfBitProduct = 0.875; ///< 56 of 8 × 8 bits
constexpr std::int64_t kDspLong = 24;
constexpr std::int64_t kDspShort = 17;

/// A LUT memory unit holds 256 bits, in 32 to 256 words; costs as in the memory libraries.
constexpr std::int64_t kLeastLutDepth = 32;
constexpr std::int64_t kMostLutDepth = 256;
constexpr std::int64_t kLutMemoryCost = 8;
constexpr double kBlockCost = 129; ///< of half a block; a whole one costs one less than two

double toDouble(std::int64_t n) {
    return static_cast<double>(n);
}

/// Bits of the module memories of a line memory.
std::vector<int> banksOf(const KernelMemory& memory) {
    std::vector<int> banks;
    for (int low = 0; low < memory.bits; low += memory.bankBits)
        banks.push_back(std::min(memory.bankBits, memory.bits - low));
    return banks;
}

/// Words of the single-port LUT memories that hold so many.
std::int64_t lutDepth(std::int64_t words) {
    return std::max(kLeastLutDepth, std::int64_t{1} << bitsFor(words));
}

double blockCost(std::int64_t words, int bits, const device::Device& device) {
    const double halves = 2 * device.ramBlocks(words, bits);
    return kBlockCost * halves - std::floor(halves / 2);
}

/// Groups of LUTs with one address to write and one to read.
std::int64_t fifoUnits(std::int64_t words, int bits) {
    const std::int64_t depth = words <= kLeastLutDepth ? kLeastLutDepth : device::kRamGroupWords;
    return ceilDiv(words, depth) * ceilDiv(bits, device::ramGroupBits(depth));
}

bool isLutMemory(const KernelMemory& memory, int bits, const device::Device& device) {
    const std::int64_t depth = lutDepth(memory.words);
    const std::int64_t units =
        memory.isFifo ? fifoUnits(memory.words, bits) : ceilDiv(bits * depth, kMostLutDepth);
    return (memory.isFifo || depth <= kMostLutDepth) &&
           static_cast<double>(kLutMemoryCost * units) < blockCost(memory.words, bits, device);
}

double lutsOf(const KernelMemory& memory, int bits) {
    return memory.isFifo ? toDouble(device::kRamGroupLuts * fifoUnits(memory.words, bits))
                         : toDouble(bits * lutDepth(memory.words) / device::kLutWords);
}

/// Bits [low, high) of a word that may be other than 0.
struct Range {
    int low = 0;
    int high = 0;
};

class Counting {
public:
    Counting(const TimedDatapath& timed, const KernelParts& parts, const device::Device& device)
        : timed_(timed),
          parts_(parts),
          device_(device),
          cells_(timed.datapath.cells),
          users_(cells_.size()) {
        for (std::size_t v = 0; v < cells_.size(); ++v) {
            for (const Tap& tap : cells_[v].operands) {
                if (!isView(cells_[v].kind))
                    use(tap, timed.times[v], v);
            }
        }
        for (const Tap& tap : timed.datapath.outputs)
            use(tap, timed.latency, cells_.size());
    }

    KernelTerms run() && {
        for (std::size_t k = 0; k < cells_.size(); ++k) {
            if (isGenerator(cells_[k].kind) || isView(cells_[k].kind))
                continue;
            countCell(k);
            countLine(k);
        }
        for (const KernelMemory& memory : parts_.memories) {
            const int bits = bitsFor(memory.words);
            add(kAddresses, toDouble(ceilDiv(bits, device::kLutInputs) + 1), bits);
            if (memory.isFifo) // the address to fetch starts anywhere: a choice at each bit
                add(kControl, bits + toDouble(ceilDiv(bits, device::kLutInputs) + 1), bits);
            for (const int bank : banksOf(memory)) {
                if (isLutMemory(memory, bank, device_))
                    add(kLutMemories, lutsOf(memory, bank), bank);
            }
        }
        const KernelControl& control = parts_.control;
        add(kControl, toDouble(control.decoderLuts + control.tableLuts),
            toDouble(control.counterBits + control.phases));
        if (parts_.delaysValid)
            add(kValid, 0, toDouble(timed_.latency));
        return terms_;
    }

private:
    struct User {
        std::size_t cell = 0; ///< behind the last: the output
        std::int64_t stage = 0;
    };

    void use(const Tap& viewed, std::int64_t time, std::size_t user) {
        const Tap tap = timed_.datapath.source(viewed);
        if (!isGenerator(cells_[tap.cell.index()].kind))
            users_[tap.cell.index()].push_back({user, timed_.stageOf(tap, time)});
    }

    void add(Term term, double lut, double ff) { terms_[term] += {0, lut, ff, 0}; }

    Range rangeOf(const Tap& tap) const {
        const Cell& cell = cells_[tap.cell.index()];
        if (cell.isSigned)
            return {0, cell.width};
        if (!isView(cell.kind))
            return {0, cell.bits()};
        const Range inner = rangeOf(cell.operands[0]);
        const int by = static_cast<int>(cell.number) * (cell.kind == CellKind::Left ? 1 : -1);
        return {std::max(0, inner.low + by), std::min(cell.bits(), std::max(0, inner.high + by))};
    }

    bool isConstant(const Tap& tap) const {
        return cells_[timed_.datapath.source(tap).cell.index()].kind == CellKind::Constant;
    }

    /// Bits in which both operands may be other than 0: elsewhere a carry chain needs no LUT.
    int overlap(const Cell& cell) const {
        if (isConstant(cell.operands[0]) || isConstant(cell.operands[1]))
            return 0;
        const Range a = rangeOf(cell.operands[0]);
        const Range b = rangeOf(cell.operands[1]);
        return std::max(0, std::min(a.high, b.high) - std::max(a.low, b.low));
    }

    int comparedBits(const Cell& cell) const { return std::min(overlap(cell), cell.operandBits); }

    /// A choice that one sum alone takes, in the same step and as its second operand, is in the
    /// sum's LUT (the first operand goes into the carry chain as well); two that one other choice
    /// takes are in one LUT with it.
    bool isAbsorbed(std::size_t k) const {
        if (users_[k].size() != 1 || users_[k][0].stage != 0 || users_[k][0].cell >= cells_.size())
            return false;
        const std::size_t user = users_[k][0].cell;
        if (isSum(cells_[user].kind))
            return timed_.datapath.source(cells_[user].operands[1]).cell.index() == k;
        return cells_[user].kind == CellKind::Choose && !isAbsorbed(user);
    }

    void countCell(std::size_t k) {
        const Cell& cell = cells_[k];
        switch (cell.kind) {
        case CellKind::Add:
        case CellKind::Sub:
            return add(kSums, std::min(overlap(cell), cell.bits()), 0);
        case CellKind::Less:
        case CellKind::LessSigned:
            return add(kComparisons, 1 + comparedBits(cell), 0);
        case CellKind::Equal:
            return add(kComparisons,
                       1 + toDouble(ceilDiv(comparedBits(cell), device::kLutInputs / 2)), 0);
        case CellKind::Choose:
            return add(kChoices, isAbsorbed(k) ? 0 : cell.bits(), 0);
        case CellKind::And:
        case CellKind::Or:
        case CellKind::Xor:
        case CellKind::Not:
            return add(kConditions, isWithConstant(cell) ? 0 : cell.bits(), 0);
        case CellKind::LeftBy:
        case CellKind::RightBy:
            return add(kShifters, cell.bits() * toDouble(ceilDiv(bitsFor(cell.bits()), 2)), 0);
        case CellKind::Mul:
            return countProduct(cell);
        case CellKind::Lookup:
            return countTable(k);
        default:
            return;
        }
    }

    /// Two lookups in one table take the two ports of its block RAM.
    void countTable(std::size_t k) {
        const Cell& cell = cells_[k];
        const auto words = std::ssize(cell.table);
        if (!timed_.isInBlockRam(k))
            return add(kLutMemories, toDouble(cell.bits() * device::romLuts(words)), 0);
        const int before = readers_[{cell.table, cell.bits()}]++;
        if (before % 2 == 0)
            terms_[kLutMemories].bram += toDouble(device::romHalfBlocks(words, cell.bits())) / 2;
    }

    /// Of words, that takes no LUTs.
    bool isWithConstant(const Cell& cell) const {
        return cell.width > 1 &&
               std::ranges::any_of(cell.operands, [&](const Tap& tap) { return isConstant(tap); });
    }

    void countProduct(const Cell& cell) {
        const std::int64_t bits = cell.bits();
        const std::int64_t a = std::min<std::int64_t>(bits, bitsOf(cell, 0));
        const std::int64_t b = std::min<std::int64_t>(bits, bitsOf(cell, 1));
        if (bits < kLeastDspBits || std::min(a, b) == 1)
            return add(kProducts, kLutsOfBitProduct * toDouble(a * b), 0);
        const std::int64_t longParts = ceilDiv(std::max(a, b), kDspLong);
        const std::int64_t shortParts = ceilDiv(std::min(a, b), kDspShort);
        std::int64_t blocks = 0;
        for (std::int64_t i = 0; i < longParts; ++i) {
            for (std::int64_t j = 0; j < shortParts; ++j)
                blocks += i * kDspLong + j * kDspShort < bits ? 1 : 0;
        }
        terms_[kProducts].dsp += toDouble(blocks);
        add(kProducts, toDouble((blocks - 1) * bits), 0);
    }

    int bitsOf(const Cell& cell, std::size_t operand) const {
        return cells_[cell.operands[operand].cell.index()].bits();
    }

    /// Registers, those in DSP blocks not; from one stage that is used to the next that are far
    /// apart: shift registers.
    void countLine(std::size_t k) {
        const Cell& cell = cells_[k];
        std::set<std::int64_t> stages;
        for (const User& user : users_[k])
            stages.insert(user.stage);
        for (const auto& memory : timed_.lines[k].memories) {
            stages.insert(memory.from);
            stages.insert(memory.to);
        }
        const bool inDsp = cell.kind == CellKind::Mul && cell.bits() >= kLeastDspBits;
        const std::int64_t inside = inDsp || timed_.isInBlockRam(k) ? ownStages(cell) : 0;
        if (timed_.isInBlockRam(k))
            stages.insert(inside);
        for (const auto& run : timed_.lines[k].registers) {
            std::int64_t from = std::max(run.from, inside);
            for (auto next = stages.upper_bound(from); from < run.to; ++next) {
                const std::int64_t to = next == stages.end() ? run.to : std::min(*next, run.to);
                countRun(cell.bits(), to - from);
                from = to;
            }
        }
    }

    void countRun(int bits, std::int64_t length) {
        if (length < device::kLeastShift)
            return add(kRegisters, 0, toDouble(bits * length));
        add(kShiftRegisters, toDouble(bits * device::shiftRegisterLuts(length)), 0);
    }

    const TimedDatapath& timed_;
    const KernelParts& parts_;
    const device::Device& device_;
    const std::vector<Cell>& cells_;
    std::vector<std::vector<User>> users_;
    std::map<std::pair<std::vector<std::int64_t>, int>, int> readers_; ///< of tables in block RAM
    KernelTerms terms_{};
};

double blocksOf(const KernelParts& parts, const device::Device& device) {
    double blocks = 0;
    for (const KernelMemory& memory : parts.memories) {
        for (const int bank : banksOf(memory))
            blocks += isLutMemory(memory, bank, device) ? 0 : device.ramBlocks(memory.words, bank);
    }
    return blocks;
}

} // namespace

KernelTerms kernelTerms(const TimedDatapath& timed, const KernelParts& parts,
                        const device::Device& device) {
    return Counting(timed, parts, device).run();
}

Resources kernelArea(const TimedDatapath& timed, const KernelParts& parts,
                     const device::Device& device) {
    Resources sum{0, 0, 0, blocksOf(parts, device)};
    const KernelTerms terms = kernelTerms(timed, parts, device);
    for (std::size_t t = 0; t < terms.size(); ++t) {
        sum.lut += kKernelFactors[t].lut * terms[t].lut;
        sum.ff += kKernelFactors[t].ff * terms[t].ff;
        sum.dsp += terms[t].dsp;
        sum.bram += terms[t].bram;
    }
    return sum;
}

} // namespace marquetry::cost
