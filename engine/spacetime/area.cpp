#include "engine/spacetime/area.h"

#include "engine/device/lut6.h"
#include "engine/spacetime/area_table.h"
#include "engine/spacetime/delay.h"
#include "engine/spacetime/layer_places.h"
#include "engine/spacetime/regroup.h"
#include "engine/spacetime/scan_node.h"
#include "engine/spacetime/table_rom.h"
#include "engine/spacetime/typing.h"
#include "engine/support/assert.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>

namespace marquetry::spacetime {

using device::Resources;
using Kind = SeqType::Kind;

namespace {

double toDouble(std::int64_t n) {
    return static_cast<double>(n);
}

double wholeQuotient(std::int64_t a, std::int64_t b) {
    return toDouble((a + b - 1) / b);
}

/// Bits of a counter of n values.
double counterBits(std::int64_t n) {
    return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(n - 1)));
}

double weight(const Resources& area) {
    return area.lut + kRegisterWeight * area.ff + kBlockRamWeight * area.bram;
}

Resources lighter(const Resources& a, const Resources& b) {
    return weight(b) < weight(a) ? b : a;
}

Resources luts(double n) {
    return {0, std::ceil(n), 0, 0};
}

/// Digits other than 0 of a number in canonical signed digits: the terms of a product with it.
int signedDigits(std::int64_t constant) {
    const auto n = static_cast<std::uint64_t>(std::abs(constant));
    return std::popcount(n ^ (3 * n));
}

Resources product(int bits) {
    const auto entry = std::ranges::find_if(
        kProductAreas, [&](const ProductArea& product) { return bits <= product.bits; });
    return {entry->dsp, entry->lut, 0, 0};
}

/// A shifter by a number that changes: stages of four ways.
Resources shifter(int bits) {
    return luts(bits * std::ceil(counterBits(bits) / 2));
}

class AreaOf {
public:
    AreaOf(const device::Device& device, std::int64_t copies) : device_(device), copies_(copies) {}

    Resources graph(const Graph& graph, const std::vector<MaybeConstants>& inputs) const {
        const auto types = check(graph);
        ENGINE_ASSERT(types.has_value(), "only well-typed programs have an area");
        const auto constants = constantsOf(graph, *types, inputs, copies_);
        Resources sum;
        for (std::size_t k = 0; k < graph.nodes.size(); ++k) {
            const Node& node = graph.nodes[k];
            std::vector<SeqType> in;
            std::vector<MaybeConstants> known;
            for (const NodeId operand : node.operands) {
                in.push_back((*types)[operand.index()]);
                known.push_back(constants[operand.index()]);
            }
            sum += node.function         ? lifted(node, in, known)
                   : node.op == Op::Atom ? atom(node, in, known)
                                         : toDouble(copies_) * single(node, in, (*types)[k]);
        }
        return sum;
    }

private:
    Resources lifted(const Node& node, const std::vector<SeqType>& in,
                     const std::vector<MaybeConstants>& known) const {
        const std::int64_t n = node.params[0];
        switch (node.op) {
        case Op::MapS:
        case Op::Map2S:
            return AreaOf(device_, copies_ * n).graph(*node.function, functionInputs(node, known));
        case Op::MapT:
        case Op::Map2T:
            return graph(*node.function, functionInputs(node, known));
        case Op::ScanS:
        case Op::ScanT:
        case Op::ScanTS:
            return scanning(node);
        default:
            return n == 1 ? Resources() : reduction(node, in[0].element());
        }
    }

    /// The operators of each lane. The state of the last one is kept, with what it starts anew
    /// with: zeros are a reset.
    Resources scanning(const Node& node) const {
        const Graph& function = *node.function;
        const std::int64_t lanes = lanesOfScan(node);
        const Resources operators =
            AreaOf(device_, copies_ * lanes).graph(function, {std::nullopt, std::nullopt});
        const SeqType& state = function.node(function.inputs[0]).type;
        const SeqType& element = function.node(function.inputs[1]).type;
        const auto timing = stateTiming(function, DelayModel::Ours);
        const std::int64_t waits = (timing ? timing->loop : 0) * (lanes * (lanes - 1) / 2);
        Resources waiting{0, 0, toDouble(waits * (bitsPerClock(state) + bitsPerClock(element))), 0};
        if (groupsOfScan(node) > 1) {
            const bool resets = std::ranges::all_of(node.literal, [](auto w) { return w == 0; });
            waiting += held(state) + luts(resets ? 0 : kLoadPerBit * toDouble(bitsPerClock(state)));
        }
        return operators + toDouble(copies_) * waiting;
    }

    /// The operators, and a register for the result. Where the halves of a tree are not as deep,
    /// the earlier one waits for the other.
    Resources reduction(const Node& node, const SeqType& element) const {
        const bool space = node.op == Op::ReduceS;
        const std::int64_t count = space ? node.params[0] - 1 : 1;
        const Resources operators =
            AreaOf(device_, copies_ * count).graph(*node.function, {std::nullopt, std::nullopt});
        const std::int64_t clocks = delay(*node.function, DelayModel::Ours).value_or(0);
        const double waits = space ? toDouble(levelsWaited(node.params[0]) * clocks) : 0;
        const Resources waiting{0, 0, waits * toDouble(bitsPerClock(element)), 0};
        return operators + toDouble(copies_) * (held(element) + waiting);
    }

    static std::int64_t levelsWaited(std::int64_t n) { return levelsWaitedBy(n)[0]; }

    /// In trees of n and of n + 1 leaves: of both, as halves of a tree differ by one at most.
    static std::array<std::int64_t, 2> levelsWaitedBy(std::int64_t n) {
        if (n == 1)
            return {0, 0};
        const std::int64_t less = n / 2;
        const auto [ofLess, ofMore] = levelsWaitedBy(less);
        const std::int64_t uneven = ofLess + ofMore + treeLevels(less + 1) - treeLevels(less);
        return n % 2 == 0 ? std::array{2 * ofLess, uneven} : std::array{uneven, 2 * ofMore};
    }

    /// One value of a type, kept.
    Resources held(const SeqType& type) const {
        return storeArea(bitsPerClock(type), validClocks(type), device_);
    }

    Resources atom(const Node& node, const std::vector<SeqType>& in,
                   const std::vector<MaybeConstants>& known) const {
        if (node.table)
            return toDouble(copies_) * tableArea(*node.table);
        const int bits = ir::atomBits(node.atom == ir::StreamOp::If ? in[1].atom : in[0].atom);
        const auto entry = std::ranges::find(kAtomAreas, node.atom, &AtomArea::op);
        if (entry != kAtomAreas.end())
            return toDouble(copies_) * luts(entry->lutPerBit * bits);
        if (node.atom == ir::StreamOp::Tuple)
            return {};
        if (std::ranges::none_of(known, &MaybeConstants::has_value))
            return toDouble(copies_) * byVariable(node.atom, bits);
        Resources sum;
        for (std::int64_t copy = 0; copy < copies_; ++copy) {
            const auto constant = steadyOperand(node, known, copy);
            if (!constant)
                sum += byVariable(node.atom, bits);
            else if (node.atom == ir::StreamOp::Mul || node.atom == ir::StreamOp::Div)
                sum += constantProductArea(*constant, bits);
        }
        return sum;
    }

    static std::optional<std::int64_t>
    steadyOperand(const Node& node, const std::vector<MaybeConstants>& known, std::int64_t copy) {
        const bool either = node.atom == ir::StreamOp::Mul;
        for (std::size_t k = either ? 0 : 1; k < known.size(); ++k) {
            const auto word = known[k] ? known[k]->steady(copy) : std::nullopt;
            if (word)
                return word;
        }
        return std::nullopt;
    }

    static Resources byVariable(ir::StreamOp op, int bits) {
        const bool shifts =
            op == ir::StreamOp::Lsr || op == ir::StreamOp::Lsl || op == ir::StreamOp::Asr;
        return shifts ? shifter(bits) : product(bits);
    }

    Resources single(const Node& node, const std::vector<SeqType>& in, const SeqType& type) const {
        const auto& p = node.params;
        switch (node.op) {
        case Op::Const:
            return memorised(node);
        case Op::Counter:
            return counted(type);
        case Op::ShiftT:
            return 0 < p[2] && p[2] < p[0] ? delayed(type.element(), p[2]) : Resources();
        case Op::ShiftTS:
            return p[3] > 0 ? delayedLanes(type.element(), p[0], p[3]) : Resources();
        case Op::ShiftTN: {
            const SeqType* element = &type;
            std::int64_t length = 1;
            for (std::size_t k = 1; k < p.size(); k += 2) {
                element = &element->element();
                length *= p[k];
            }
            return p[0] < length ? delayed(*element, p[0]) : Resources();
        }
        case Op::UpT:
            return p[0] == 1 ? Resources()
                             : held(type.element()) +
                                   luts(kLoadPerBit * toDouble(bitsPerClock(type.element())));
        case Op::Fifo:
            return storeArea(bitsPerClock(type), p[0], device_);
        case Op::PartitionT:
        case Op::UnpartitionT:
        case Op::Serialize:
        case Op::Deserialize:
        case Op::Reshape:
            return reshapeArea(in[0], type, device_);
        default: // wires
            return {};
        }
    }

    /// A value of `type`, `distance` of them later.
    Resources delayed(const SeqType& type, std::int64_t distance) const {
        return storeArea(bitsPerClock(type), distance * validClocks(type), device_);
    }

    /// Lane j holds what lane (j − r) mod n held, (n − j + r − 1) div n groups later; lanes of the
    /// same distance share a store. Those that wait for all groups hold nothing that was there.
    Resources delayedLanes(const SeqType& group, std::int64_t count, std::int64_t distance) const {
        const std::int64_t n = group.length;
        std::map<std::int64_t, std::int64_t> lanesOf;
        for (std::int64_t lane = 0; lane < n; ++lane)
            ++lanesOf[(n - lane + distance - 1) / n];
        Resources sum;
        for (const auto& [groups, lanes] : lanesOf) {
            if (groups < count)
                sum += delayed(sseq(lanes, group.element()), groups);
        }
        return sum;
    }

    /// Words that change need a table of them, one for each bit.
    Resources memorised(const Node& node) const {
        const auto scalars = ir::leaves(atomOf(node.type));
        const LayerPlaces places(node.type);
        // Of each lane and leaf: its first word, and whether another comes.
        std::map<std::size_t, std::pair<std::int64_t, bool>> words;
        for (std::size_t k = 0; k < node.literal.size(); ++k) {
            const auto atom = static_cast<std::int64_t>(k / scalars.size());
            const std::size_t column =
                static_cast<std::size_t>(places.laneOf(atom)) * scalars.size() + k % scalars.size();
            const auto [entry, fresh] = words.try_emplace(column, node.literal[k], false);
            entry->second.second = entry->second.second || entry->second.first != node.literal[k];
        }
        const double rows = wholeQuotient(validClocks(node.type), device::kLutRows);
        Resources sum;
        for (const auto& [column, word] : words) {
            if (word.second)
                sum += luts(rows * ir::info(scalars[column % scalars.size()]).bits);
        }
        return sum;
    }

    /// One register counts; the other lanes are sums with it.
    static Resources counted(const SeqType& type) {
        if (validClocks(type) == 1)
            return {};
        const auto bits = static_cast<double>(ir::atomBits(atomOf(type)));
        return {0, toDouble(lanes(type)) * bits, bits, 0};
    }

    const device::Device& device_;
    std::int64_t copies_;
};

} // namespace

Resources constantProductArea(std::int64_t constant, int bits) {
    return luts(std::max(0, signedDigits(constant) - 1) * bits);
}

Resources tableArea(const ir::StreamTable& table) {
    const device::Rom rom = tableRom(table);
    return {0, toDouble(rom.luts), 0, toDouble(rom.halfBlocks) / 2};
}

Resources storeArea(std::int64_t width, std::int64_t depth, const device::Device& device) {
    if (depth <= 0 || width <= 0)
        return {};
    const Resources registers{0, 0, toDouble(width * depth), 0};
    const Resources shiftRegisters{0, toDouble(width) * toDouble(device::shiftRegisterLuts(depth)),
                                   toDouble(width), 0};
    const double address = counterBits(depth);
    const Resources blocks{0, address, address, device.ramBlocks(depth, width)};
    return lighter(registers, lighter(shiftRegisters, blocks));
}

namespace {

/// The two ways to store elements that change their slots: in registers, each loaded from a lane or
/// from its neighbour, and in addressed memories, one for each lane, between two networks.
struct ReshapeStores {
    Resources registers;
    Resources network; ///< of the memories
    Resources lutMemories;
    Resources blockMemories;
};

/// No figure is less when more is stored.
ReshapeStores storesOf(const Regrouping& change, std::int64_t stored,
                       const device::Device& device) {
    const std::int64_t bits = ir::atomBits(atomOf(change.from));
    const double all = toDouble(stored * bits);
    const std::int64_t banks = change.copies * std::max(lanes(change.from), lanes(change.to));
    const std::int64_t depth = (stored + banks - 1) / banks;
    const double lines = toDouble(banks * bits);
    return {{0, kLoadPerBit * all, all, 0},
            luts(lines * counterBits(banks) + 2 * toDouble(banks) * counterBits(depth)),
            {0, lines * wholeQuotient(depth, device::kLutRamDepth), 0, 0},
            {0, 0, 0, device.ramBlocks(depth, banks * bits)}};
}

} // namespace

Resources reshapeArea(const Regrouping& change, const device::Device& device) {
    const std::int64_t stored = regroupingCost(change).stored;
    if (stored == 0)
        return {};
    const ReshapeStores stores = storesOf(change, stored, device);
    return lighter(stores.registers,
                   stores.network + lighter(stores.lutMemories, stores.blockMemories));
}

Resources reshapeArea(const SeqType& from, const SeqType& to, const device::Device& device) {
    return reshapeArea(withoutCommonLayers(from, to), device);
}

double leastReshapeFraction(const Regrouping& change, const device::Device& device) {
    const std::int64_t stored = regroupingBound(change).stored;
    if (stored == 0)
        return 0;
    const ReshapeStores stores = storesOf(change, stored, device);
    const auto fraction = [&](const Resources& area) { return sumOfFractions(area, device); };
    return std::min(fraction(stores.registers),
                    fraction(stores.network) +
                        std::min(fraction(stores.lutMemories), fraction(stores.blockMemories)));
}

Resources area(const Graph& graph, const device::Device& device) {
    return AreaOf(device, 1).graph(graph, {});
}

Resources area(const Graph& function, const device::Device& device, std::int64_t copies,
               const std::vector<MaybeConstants>& inputs) {
    return AreaOf(device, copies).graph(function, inputs);
}

double largestFraction(const Resources& used, const device::Device& device) {
    const auto fraction = [](double n, double of) { return n == 0 ? 0 : of > 0 ? n / of : n; };
    return std::max({fraction(used.lut, device.limits.lut), fraction(used.ff, device.limits.ff),
                     fraction(used.bram, device.limits.bram),
                     fraction(used.dsp, device.limits.dsp)});
}

double sumOfFractions(const Resources& used, const device::Device& device) {
    const auto fraction = [](double n, double of) { return n == 0 ? 0 : of > 0 ? n / of : n; };
    return fraction(used.lut, device.limits.lut) + fraction(used.ff, device.limits.ff) +
           fraction(used.bram, device.limits.bram) + fraction(used.dsp, device.limits.dsp);
}

} // namespace marquetry::spacetime
