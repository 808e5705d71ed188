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

} // namespace

class LeastAreaTable::Bounds {
public:
    Bounds(const device::Device& device, std::int64_t maxBits, Until until)
        : device_(device), maxBits_(maxBits), until_(std::move(until)) {}

    const std::vector<LeastArea>& of(const ir::StreamGraph& graph, std::int64_t clocks) {
        const auto known = nodes_.find({&graph, clocks});
        if (known != nodes_.end())
            return known->second;
        std::vector<LeastArea> areas;
        for (const ir::StreamNode& each : graph.nodes)
            areas.push_back(ir::isAtom(each.type) && clocks != 1 ? LeastArea{{}, kInfinite}
                                                                 : node(graph, each, clocks));
        return nodes_.emplace(std::pair(&graph, clocks), std::move(areas)).first->second;
    }

    LeastArea whole(const ir::StreamGraph& graph, std::int64_t clocks) {
        LeastArea sum;
        for (const LeastArea& area : of(graph, clocks)) {
            sum.each += area.each;
            sum.fraction += area.fraction;
        }
        return sum;
    }

    /// The users of a value that can take its elements side by side are those within the slack.
    double sideBySide(const ir::StreamGraph& graph, ir::StreamNodeId shift, std::int64_t clocks,
                      double slack) {
        const ir::StreamNode& node = graph.node(shift);
        const std::int64_t bits = ir::atomBits(ir::atomOf(node.type));
        const std::vector<LeastArea>& all = of(graph, clocks);
        for (std::size_t k = 0; k < graph.nodes.size() && !until_.isReached(); ++k) {
            const ir::StreamNode& user = graph.nodes[k];
            const bool maps = user.op == StreamOp::Map || user.op == StreamOp::Map2;
            if (!maps || std::ranges::find(user.operands, shift) == user.operands.end())
                continue;
            if (wideFraction(user, node.type.length, clocks) - all[k].fraction > slack)
                return sumOfFractions({0, static_cast<double>(node.type.length * bits), 0, 0},
                                      device_);
        }
        return 0;
    }

    /// Of a shift in layouts that have not the whole sequence side by side.
    double waiting(const ir::StreamNode& node, std::int64_t clocks) {
        const auto [entry, fresh] = waiting_.try_emplace({&node, clocks}, 0);
        if (fresh)
            entry->second = shifted(node, clocks, false).fraction;
        return entry->second;
    }

private:
    /// Of a map with all its elements side by side.
    double wideFraction(const ir::StreamNode& map, std::int64_t length, std::int64_t clocks) {
        const auto [entry, fresh] = wide_.try_emplace({&map, clocks}, 0);
        if (fresh)
            entry->second = least(clocks, [&](std::int64_t, std::int64_t inner) {
                                return times(length, whole(*map.function, inner));
                            }).fraction;
        return entry->second;
    }

    LeastArea node(const ir::StreamGraph& graph, const ir::StreamNode& node, std::int64_t clocks) {
        switch (node.op) {
        case StreamOp::Map:
        case StreamOp::Map2:
            return least(clocks, [&](std::int64_t own, std::int64_t inner) {
                return times(fewestLanes(node.type.length, own), whole(*node.function, inner));
            });
        case StreamOp::Scan:
            return scanned(node, clocks);
        case StreamOp::Reduce:
            return reduced(graph.node(node.operands[0]).type.length, node, clocks);
        case StreamOp::Shift:
            return shifted(node, clocks, true);
        default:
            return scalar(graph, node, clocks);
        }
    }

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
            if (until_.isReached())
                return {};
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

    LeastArea scalar(const ir::StreamGraph& graph, const ir::StreamNode& node,
                     std::int64_t clocks) const {
        if (node.table)
            return clocks == 1 ? of(tableArea(*node.table)) : LeastArea();
        if (clocks != 1)
            return {};
        if (node.op == StreamOp::Mul || node.op == StreamOp::Div)
            return product(graph, node);
        const auto entry = std::ranges::find(kAtomAreas, node.op, &AtomArea::op);
        if (entry == kAtomAreas.end())
            return {};
        const std::size_t operand = node.op == StreamOp::If ? 1 : 0;
        const int bits = ir::atomBits(graph.node(node.operands[operand]).type);
        return of({0, std::ceil(entry->lutPerBit * bits), 0, 0});
    }

    /// Of a function's inputs it is not known whether they are constants.
    LeastArea product(const ir::StreamGraph& graph, const ir::StreamNode& node) const {
        const std::size_t first = node.op == StreamOp::Mul ? 0 : 1;
        for (std::size_t k = first; k < node.operands.size(); ++k) {
            const ir::StreamNode& factor = graph.node(node.operands[k]);
            if (factor.op == StreamOp::Const)
                return of(constantProductArea(factor.literal[0],
                                              ir::atomBits(graph.node(node.operands[0]).type)));
        }
        return {};
    }

    /// The function in every lane, and a state for the next group.
    LeastArea scanned(const ir::StreamNode& node, std::int64_t clocks) {
        const ir::StreamType& state = node.type.element();
        const std::int64_t bits = ir::atomBits(ir::atomOf(state));
        const bool resets = std::ranges::all_of(node.literal, [](auto word) { return word == 0; });
        const double restart =
            sumOfFractions({0, std::ceil(kLoadPerBit * static_cast<double>(bits)), 0, 0}, device_);
        return least(clocks, [&](std::int64_t own, std::int64_t inner) {
            LeastArea best{{}, kInfinite};
            for (const std::int64_t lanes : divisorsOf(node.type.length)) {
                if (node.type.length / lanes > own)
                    continue;
                LeastArea area = times(lanes, whole(*node.function, inner));
                if (lanes < node.type.length)
                    area.fraction += storeFraction({1, ir::atoms(state), bits, inner, 1}) +
                                     (resets ? 0 : restart);
                best = lesser(best, area);
            }
            return best;
        });
    }

    LeastArea reduced(std::int64_t length, const ir::StreamNode& node, std::int64_t clocks) {
        if (length == 1)
            return {};
        const std::int64_t atoms = ir::atoms(node.type.element());
        const std::int64_t bits = ir::atomBits(ir::atomOf(node.type));
        return least(clocks, [&](std::int64_t own, std::int64_t inner) {
            LeastArea best{{}, kInfinite};
            for (const std::int64_t lanes : divisorsOf(length)) {
                if (length / lanes > own)
                    continue;
                const bool grouped = lanes < length;
                LeastArea area = times(lanes - (grouped ? 0 : 1), whole(*node.function, inner));
                area.fraction += static_cast<double>((grouped ? 1 : 0) + (lanes > 1 ? 1 : 0)) *
                                 storeFraction({1, atoms, bits, inner, 1});
                best = lesser(best, area);
            }
            return best;
        });
    }

    /// Of `count` values side by side, each of `atoms` atoms that come in at most `clocks`, kept
    /// for `wait` values: in the width that takes least.
    struct Kept {
        std::int64_t count;
        std::int64_t atoms;
        std::int64_t bits; ///< of an atom
        std::int64_t clocks;
        std::int64_t wait;
    };
    double storeFraction(const Kept& kept) {
        double least = kInfinite;
        for (const std::int64_t width : divisorsOf(kept.atoms)) {
            const std::int64_t depth = kept.atoms / width;
            if (depth <= kept.clocks)
                least = std::min(least, sumOfFractions(storeArea(kept.count * width * kept.bits,
                                                                 kept.wait * depth, device_),
                                                       device_));
        }
        return least;
    }

    struct Grouping {
        std::int64_t groups;
        std::int64_t lanes;
    };

    LeastArea shifted(const ir::StreamNode& node, std::int64_t clocks, bool sideBySide) {
        const std::int64_t length = node.type.length;
        const std::int64_t atoms = ir::atoms(node.type.element());
        const std::int64_t bits = ir::atomBits(ir::atomOf(node.type));
        const std::int64_t wait = std::max<std::int64_t>(0, node.params[0]);
        const bool isAtom = ir::isAtom(node.type.element());
        return least(clocks, [&](std::int64_t own, std::int64_t inner) {
            LeastArea best{{}, kInfinite};
            if (isAtom && inner != 1)
                return best;
            for (const std::int64_t lanes : divisorsOf(length)) {
                const bool fits = lanes * ((atoms * bits + inner - 1) / inner) <= maxBits_;
                const bool wanted = sideBySide || lanes < length;
                if (wanted && length / lanes <= own && fits)
                    best.fraction =
                        std::min(best.fraction, waitingFraction({1, atoms, bits, inner, wait},
                                                                {length / lanes, lanes}));
            }
            return best;
        });
    }

    /// Lane j waits (lanes − j + r − 1) div lanes groups: two numbers of them.
    double waitingFraction(const Kept& shifted, const Grouping& grouping) {
        const std::int64_t shorter = shifted.wait / grouping.lanes;
        const std::int64_t longer = shifted.wait % grouping.lanes;
        double sum = 0;
        for (const auto& [count, wait] :
             {std::pair(longer, shorter + 1), std::pair(grouping.lanes - longer, shorter)}) {
            if (count > 0 && wait > 0 && wait < grouping.groups)
                sum += storeFraction({count, shifted.atoms, shifted.bits, shifted.clocks, wait});
        }
        return sum;
    }

    const device::Device& device_;
    const std::int64_t maxBits_;
    const Until until_;
    std::map<std::int64_t, std::vector<std::int64_t>> divisors_;
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> lanes_;
    std::map<std::pair<const ir::StreamGraph*, std::int64_t>, std::vector<LeastArea>> nodes_;
    std::map<std::pair<const ir::StreamNode*, std::int64_t>, double> waiting_, wide_;
};

LeastAreaTable::LeastAreaTable(const device::Device& device, std::int64_t maxBits, Until until)
    : bounds_(std::make_unique<Bounds>(device, maxBits, std::move(until))) {}

LeastAreaTable::~LeastAreaTable() = default;

const std::vector<LeastArea>& LeastAreaTable::of(const ir::StreamGraph& graph,
                                                 std::int64_t clocks) {
    return bounds_->of(graph, clocks);
}

std::vector<LeastArea> LeastAreaTable::within(const ir::StreamGraph& graph, std::int64_t clocks,
                                              double bound) {
    std::vector<LeastArea> areas = bounds_->of(graph, clocks);
    double slack = bound - fraction(graph, clocks);
    // What one shift needs leaves the users of the others less.
    for (bool tighter = true; tighter;) {
        tighter = false;
        for (std::size_t k = 0; k < areas.size(); ++k) {
            if (graph.nodes[k].op != StreamOp::Shift)
                continue;
            const double beside = bounds_->sideBySide(graph, ir::StreamNodeId(k), clocks, slack);
            const double least = std::min(beside, bounds_->waiting(graph.nodes[k], clocks));
            if (least <= areas[k].fraction)
                continue;
            slack -= least - areas[k].fraction;
            areas[k].fraction = least;
            tighter = true;
        }
    }
    return areas;
}

double LeastAreaTable::fraction(const ir::StreamGraph& graph, std::int64_t clocks) {
    return bounds_->whole(graph, clocks).fraction;
}

} // namespace marquetry::spacetime
