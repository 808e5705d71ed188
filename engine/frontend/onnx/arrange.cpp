#include "engine/frontend/onnx/arrange.h"

#include <numeric>

namespace marquetry::frontend::onnx {
namespace {

Dims extentsOf(const FlatLayout& layout) {
    Dims dims;
    for (const LayoutFactor& factor : layout)
        dims.push_back(factor.extent);
    return dims;
}

std::optional<ir::ValueId> reshaped(const NodeUse& use, ir::ValueId value, const Dims& dims) {
    if (use.builder().value(value).type.dims == dims)
        return value;
    const std::string name = use.builder().value(value).name + "_dims";
    if (dims.size() == 1)
        return use.emit(name, ir::OpKind::Flatten, {value});
    return use.emit(name, ir::OpKind::Reshape, {value}, {.list = dims});
}

/// The pieces of `from` in the order of those of `to`; both are cut alike.
std::optional<std::vector<std::int64_t>> orderOf(const FlatLayout& from, const FlatLayout& to) {
    std::vector<std::int64_t> order;
    for (const LayoutFactor& piece : to) {
        const auto found = std::find(from.begin(), from.end(), piece);
        if (found == from.end())
            return std::nullopt;
        order.push_back(found - from.begin());
    }
    return order;
}

} // namespace

Dims ordered(const Dims& shape, const std::vector<std::size_t>& order) {
    Dims dims;
    for (const std::size_t k : order)
        dims.push_back(shape[k]);
    return dims;
}

std::vector<std::size_t> heldOrder(const AffineTensor& tensor, std::size_t axis) {
    constexpr std::size_t kImage = 4;
    std::vector<std::size_t> order(tensor.shape.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const bool natural = tensor.parts.empty() && tensor.terms.size() == 1 &&
                         normalised(tensor.term().layout) == naturalLayout(tensor.shape);
    if (order.size() < 3 || natural)
        return order;
    std::rotate(order.begin() + 1, order.begin() + 2, order.end());
    if (order.size() == kImage && axis != 0 && tensor.shape.front() == 1)
        order.erase(order.begin());
    return order;
}

std::optional<ir::ValueId> arranged(const NodeUse& use, const AffineTerm& term,
                                    const FlatLayout& wanted, const Dims& dims) {
    const FlatLayout have = normalised(term.layout);
    const FlatLayout want = normalised(wanted);
    if (have == want)
        return reshaped(use, term.value, dims);
    const auto from = cutAt(have, want);
    const auto to = cutAt(want, have);
    const auto order = from && to ? orderOf(*from, *to) : std::nullopt;
    if (!order || order->size() != from->size())
        return use.fail("onnx-unsupported", "reads its input in an order that cannot be made of it",
                        "reshape where the channels stay whole");
    const auto pieces = reshaped(use, term.value, extentsOf(*from));
    if (!pieces)
        return std::nullopt;
    const std::string name = use.builder().value(term.value).name + "_order";
    const auto moved = use.emit(name, ir::OpKind::Permute, {*pieces}, {.list = *order});
    return moved ? reshaped(use, *moved, dims) : std::nullopt;
}

std::optional<AffineTerm> channelsLast(const NodeUse& use, const AffineTerm& term,
                                       const LayoutFactor& channel) {
    const Dims& dims = use.builder().value(term.value).type.dims;
    const auto pieces = cutAt(normalised(term.layout), {channel});
    if (channel.extent == 1)
        return term;
    if (!pieces)
        return use.fail("onnx-unsupported", "has channels that its input does not keep together");
    if (!dims.empty() && dims.back() == channel.extent && pieces->back() == channel)
        return term;
    FlatLayout wanted;
    Dims wantedDims = {1, channel.extent};
    for (const LayoutFactor& piece : *pieces) {
        if (piece == channel)
            continue;
        wanted.push_back(piece);
        wantedDims[0] *= piece.extent;
    }
    wanted.push_back(channel);
    if (wantedDims[0] == 1)
        wantedDims.erase(wantedDims.begin());
    const auto value = arranged(use, term, wanted, wantedDims);
    if (!value)
        return std::nullopt;
    AffineTerm result = term;
    result.value = *value;
    result.layout = normalised(wanted);
    return result;
}

std::vector<ir::Range> rangesOf(const NodeUse& use, const AffineTerm& term,
                                const LayoutFactor& channel) {
    const auto count = static_cast<std::size_t>(channel.extent);
    if (term.bounds.ranges.empty())
        return std::vector<ir::Range>(count, use.builder().value(term.value).range);
    if (term.bounds.channel == channel)
        return term.bounds.ranges;
    return std::vector<ir::Range>(count, rangeOf(use, term));
}

ir::Range rangeOf(const NodeUse& use, const AffineTerm& term) {
    if (term.bounds.ranges.empty())
        return use.builder().value(term.value).range;
    ir::Range all = term.bounds.ranges.front();
    for (const ir::Range& range : term.bounds.ranges)
        all = {std::min(all.lo, range.lo), std::max(all.hi, range.hi)};
    return all;
}

} // namespace marquetry::frontend::onnx
