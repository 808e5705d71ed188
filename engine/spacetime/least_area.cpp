#include "engine/spacetime/least_area.h"

#include "engine/spacetime/area.h"
#include "engine/spacetime/area_table.h"
#include "engine/spacetime/layer_shape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace marquetry::spacetime {

using device::Resources;
using ir::StreamOp;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

class LeastAreas {
public:
    LeastAreas(const device::Device& device, std::int64_t maxBits)
        : device_(device), maxBits_(maxBits) {}

    LeastArea node(const ir::StreamGraph& graph, const ir::StreamNode& node, std::int64_t clocks) {
        switch (node.op) {
        case StreamOp::Map:
        case StreamOp::Map2:
            return least(clocks, [&](std::int64_t own, std::int64_t inner) {
                return times(fewestLanes(node.type.length, own), whole(*node.function, inner));
            });
        case StreamOp::Reduce:
            return reduced(graph.node(node.operands[0]).type.length, node, clocks);
        case StreamOp::Shift:
            return shifted(node, clocks);
        default:
            return scalar(graph, node, clocks);
        }
    }

private:
    static LeastArea times(std::int64_t n, LeastArea area) {
        const auto factor = static_cast<double>(n);
        return n == 0 ? LeastArea() : LeastArea{factor * area.each, factor * area.fraction};
    }

    LeastArea of(const Resources& area) const { return {area, sumOfFractions(area, device_)}; }

    /// The least over all shares of the time that a layer has for itself and leaves its elements.
    template <class Area>
    LeastArea least(std::int64_t clocks, const Area& area) {
        LeastArea best{{}, kInfinite};
        for (const std::int64_t inner : divisorsOf(clocks)) {
            best = lesser(best, area(clocks / inner, inner));
        }
        return best;
    }

    /// The least of each figure; infinite is no layout.
    static LeastArea lesser(const LeastArea& a, const LeastArea& b) {
        if (a.fraction == kInfinite || b.fraction == kInfinite)
            return a.fraction == kInfinite ? b : a;
        const Resources each{std::min(a.each.dsp, b.each.dsp), std::min(a.each.lut, b.each.lut),
                             std::min(a.each.ff, b.each.ff), std::min(a.each.bram, b.each.bram)};
        return {each, std::min(a.fraction, b.fraction)};
    }

    const std::vector<std::int64_t>& divisorsOf(std::int64_t n) {
        const auto [entry, fresh] = divisors_.try_emplace(n);
        if (fresh)
            entry->second = divisors(n);
        return entry->second;
    }

    /// Lanes of n elements in `time` groups or fewer.
    std::int64_t fewestLanes(std::int64_t n, std::int64_t time) {
        const auto [entry, fresh] = lanes_.try_emplace({n, time}, n);
        if (fresh) {
            for (const std::int64_t lanes : divisorsOf(n)) {
                if (n / lanes <= time) {
                    entry->second = lanes;
                    break;
                }
            }
        }
        return entry->second;
    }

    LeastArea whole(const ir::StreamGraph& graph, std::int64_t clocks) {
        const auto known = graphs_.find({&graph, clocks});
        if (known != graphs_.end())
            return known->second;
        LeastArea sum;
        for (const ir::StreamNode& each : graph.nodes) {
            if (ir::isAtom(each.type) && clocks != 1)
                sum.fraction = kInfinite;
            if (sum.fraction == kInfinite)
                break;
            const LeastArea area = node(graph, each, clocks);
            sum.each += area.each;
            sum.fraction += area.fraction;
        }
        return graphs_[{&graph, clocks}] = sum;
    }

    LeastArea scalar(const ir::StreamGraph& graph, const ir::StreamNode& node,
                     std::int64_t clocks) const {
        const auto entry = std::ranges::find(kAtomAreas, node.op, &AtomArea::op);
        if (entry == kAtomAreas.end() || clocks != 1)
            return {};
        const std::size_t operand = node.op == StreamOp::If ? 1 : 0;
        const int bits = ir::atomBits(graph.node(node.operands[operand]).type);
        return of({0, std::ceil(entry->lutPerBit * bits), 0, 0});
    }

    LeastArea reduced(std::int64_t length, const ir::StreamNode& node, std::int64_t clocks) {
        if (length == 1)
            return {};
        const std::int64_t bits =
            ir::atoms(node.type.element()) * ir::atomBits(ir::atomOf(node.type));
        return least(clocks, [&](std::int64_t own, std::int64_t inner) {
            LeastArea best{{}, kInfinite};
            for (const std::int64_t lanes : divisorsOf(length)) {
                if (length / lanes > own)
                    continue;
                const bool grouped = lanes < length;
                LeastArea area = times(lanes - (grouped ? 0 : 1), whole(*node.function, inner));
                area.fraction += static_cast<double>((grouped ? 1 : 0) + (lanes > 1 ? 1 : 0)) *
                                 storeFraction(bits);
                best = lesser(best, area);
            }
            return best;
        });
    }

    /// Of so many bits in the kind that takes least, whatever its width.
    double storeFraction(std::int64_t bits) const {
        double blockBits = 0;
        for (const device::RamShape& shape : device_.ramShapes)
            blockBits = std::max(blockBits, static_cast<double>(shape.width) *
                                                static_cast<double>(shape.depth));
        const auto n = static_cast<double>(bits);
        const double grain = device_.halfRam ? 2 : 1;
        double least = sumOfFractions({0, 0, n, 0}, device_);
        least = std::min(least, sumOfFractions({0, n / kSrlDepth, 0, 0}, device_));
        if (blockBits > 0)
            least =
                std::min(least, sumOfFractions({0, 0, 0, std::ceil(n / blockBits * grain) / grain},
                                               device_));
        return least;
    }

    struct Grouping {
        std::int64_t groups;
        std::int64_t lanes;
    };

    LeastArea shifted(const ir::StreamNode& node, std::int64_t clocks) {
        const std::int64_t length = node.type.length;
        const std::int64_t bits =
            ir::atoms(node.type.element()) * ir::atomBits(ir::atomOf(node.type));
        const bool atoms = ir::isAtom(node.type.element());
        return least(clocks, [&](std::int64_t own, std::int64_t inner) -> LeastArea {
            if (atoms && inner != 1)
                return {{}, kInfinite};
            LeastArea best{{}, kInfinite};
            for (const std::int64_t lanes : divisorsOf(length)) {
                const bool fits = lanes * ((bits + inner - 1) / inner) <= maxBits_;
                if (length / lanes > own || !fits)
                    continue;
                best.fraction =
                    std::min(best.fraction,
                             waitingFraction(bits, atoms, {length / lanes, lanes}, node.params[0]));
            }
            return best;
        });
    }

    /// Lane j waits (lanes − j + r − 1) div lanes groups: two numbers of them.
    double waitingFraction(std::int64_t bits, bool exact, Grouping grouping,
                           std::int64_t distance) const {
        const std::int64_t shorter = distance / grouping.lanes;
        const std::int64_t longer = distance % grouping.lanes;
        double sum = 0;
        for (const auto& [count, wait] :
             {std::pair(longer, shorter + 1), std::pair(grouping.lanes - longer, shorter)}) {
            if (count > 0 && wait > 0 && wait < grouping.groups)
                sum += exact ? sumOfFractions(storeArea(count * bits, wait, device_), device_)
                             : storeFraction(count * bits * wait);
        }
        return sum;
    }

    const device::Device& device_;
    const std::int64_t maxBits_;
    std::map<std::int64_t, std::vector<std::int64_t>> divisors_;
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> lanes_;
    std::map<std::pair<const ir::StreamGraph*, std::int64_t>, LeastArea> graphs_;
};

} // namespace

std::vector<LeastArea> leastAreas(const ir::StreamGraph& graph, std::int64_t clocks,
                                  const device::Device& device, std::int64_t maxBits) {
    LeastAreas least(device, maxBits);
    std::vector<LeastArea> areas;
    for (const ir::StreamNode& node : graph.nodes)
        areas.push_back(least.node(graph, node, clocks));
    return areas;
}

} // namespace marquetry::spacetime
