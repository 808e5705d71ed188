#include "engine/spacetime/least_area.h"

#include "engine/spacetime/area.h"
#include "engine/spacetime/area_table.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace marquetry::spacetime {

using device::Resources;
using ir::StreamOp;

namespace {

/// LUTs of one circuit of a scalar operator.
double lutsOf(const ir::StreamGraph& graph, const ir::StreamNode& node) {
    const auto entry = std::ranges::find(kAtomAreas, node.op, &AtomArea::op);
    if (entry == kAtomAreas.end())
        return 0;
    const std::size_t operand = node.op == StreamOp::If ? 1 : 0;
    return std::ceil(entry->lutPerBit * ir::atomBits(graph.node(node.operands[operand]).type));
}

double lutsOfWork(const ir::StreamGraph& graph);

/// LUTs of all evaluations of a node, one circuit each.
double lutsOfWork(const ir::StreamGraph& graph, const ir::StreamNode& node) {
    if (!node.function)
        return lutsOf(graph, node);
    const std::int64_t length = graph.node(node.operands[0]).type.length;
    const std::int64_t times = node.op == StreamOp::Reduce ? length - 1 : length;
    return static_cast<double>(times) * lutsOfWork(*node.function);
}

double lutsOfWork(const ir::StreamGraph& graph) {
    double sum = 0;
    for (const ir::StreamNode& node : graph.nodes)
        sum += lutsOfWork(graph, node);
    return sum;
}

/// Least of each resource among the stores of that many bits within the bound.
Resources leastStore(double bits, const device::Device& device, double bound) {
    double blockBits = 0;
    for (const device::RamShape& shape : device.ramShapes)
        blockBits = std::max(blockBits,
                             static_cast<double>(shape.width) * static_cast<double>(shape.depth));
    const Resources registers{0, 0, bits, 0};
    const Resources luts{0, bits / static_cast<double>(kSrlDepth), 0, 0};
    const double grain = device.halfRam ? 2 : 1;
    const Resources blocks{0, 0, 0,
                           blockBits > 0 ? std::ceil(bits / blockBits * grain) / grain : INFINITY};
    std::optional<Resources> least;
    for (const Resources& store : {registers, luts, blocks}) {
        if (sumOfFractions(store, device) > bound)
            continue;
        least = !least
                    ? store
                    : Resources{0, std::min(least->lut, store.lut), std::min(least->ff, store.ff),
                                std::min(least->bram, store.bram)};
    }
    return least.value_or(Resources());
}

Resources leastShift(const ir::StreamNode& node, const device::Device& device,
                     WithinLimits limits) {
    const int bits = ir::atomBits(ir::atomOf(node.type));
    const bool sideBySide = node.type.length * bits <= limits.maxBits;
    if (sideBySide || node.params[0] >= node.type.length)
        return {};
    const auto stored = static_cast<double>(node.params[0] * ir::atoms(node.type.element()));
    return leastStore(stored * bits, device, limits.bound);
}

} // namespace

std::vector<Resources> leastAreas(const ir::StreamGraph& graph, std::int64_t clocks,
                                  const device::Device& device, WithinLimits limits) {
    std::vector<Resources> areas;
    for (const ir::StreamNode& node : graph.nodes) {
        const double luts = lutsOfWork(graph, node) / static_cast<double>(clocks);
        areas.push_back(node.op == StreamOp::Shift ? leastShift(node, device, limits)
                                                   : Resources{0, std::ceil(luts), 0, 0});
    }
    return areas;
}

} // namespace marquetry::spacetime
