#include "engine/frontend/onnx/arrange.h"
#include "engine/frontend/onnx/linear.h"
#include "engine/frontend/onnx/node_numbers.h"
#include "engine/frontend/onnx/requantise.h"
#include "engine/frontend/onnx/views.h"

#include <numeric>

namespace marquetry::frontend::onnx {
namespace {

/// Numbers per channel of a tensor of which a part along one dimension is left.
std::optional<PerChannel> slicedNumbers(const PerChannel& numbers, const Dims& shape,
                                        const SlicePart& part) {
    if (numbers.isUniform())
        return numbers;
    const std::int64_t stride = stridesOf(shape)[part.axis];
    if (numbers.stride != stride || numbers.extent != shape[part.axis])
        return std::nullopt;
    return simplified({part.until - part.from,
                       numbers.stride,
                       {numbers.values.begin() + part.from, numbers.values.begin() + part.until}});
}

void giveSlice(const NodeUse& use, const AffineTensor& tensor, const SlicePart& part,
               std::size_t output = 0) {
    auto result = slicedTensor(use, tensor, part);
    if (result)
        use.give(std::move(*result), output);
}

std::int64_t heldWithin(std::int64_t at, std::int64_t size) {
    return std::clamp<std::int64_t>(at < 0 ? std::max<std::int64_t>(at, -size) + size : at, 0,
                                    size);
}

void slice(const NodeUse& use) {
    const AffineTensor* x = use.affine(0, "an input");
    if (!x)
        return;
    const bool old = use.node().has("starts");
    const auto list = [&](const std::string& key, std::size_t k) {
        return old ? std::optional(use.node().integers(key))
                   : (use.has(k) ? integersAt(use, k, key) : std::optional(Dims{}));
    };
    const auto starts = list("starts", 1);
    const auto ends = list("ends", 2);
    auto axes = list("axes", 3);
    const auto steps = list("steps", 4);
    if (!starts || !ends || !axes || !steps)
        return;
    if (axes->empty()) {
        axes->resize(starts->size());
        std::iota(axes->begin(), axes->end(), 0);
    }
    const bool plainSteps =
        std::all_of(steps->begin(), steps->end(), [](std::int64_t s) { return s == 1; });
    if (starts->size() != ends->size() || starts->size() != axes->size() || !plainSteps) {
        use.fail("onnx-unsupported", "slices with steps, or with lists that do not fit");
        return;
    }
    std::optional<AffineTensor> result = *x;
    for (std::size_t k = 0; k < starts->size() && result; ++k) {
        const auto axis = axisOf(use, (*axes)[k], x->shape.size());
        if (!axis)
            return;
        const std::int64_t size = result->shape[*axis];
        result = slicedTensor(
            use, *result, {*axis, heldWithin((*starts)[k], size), heldWithin((*ends)[k], size)});
    }
    if (result)
        use.give(std::move(*result));
}

void split(const NodeUse& use) {
    const AffineTensor* x = use.affine(0, "an input");
    const auto axis =
        x ? axisOf(use, use.node().integer("axis", 0), x->shape.size()) : std::nullopt;
    if (!axis)
        return;
    Dims sizes = use.node().integers("split");
    if (sizes.empty() && use.has(1)) {
        const auto list = integersAt(use, 1, "sizes");
        if (!list)
            return;
        sizes = *list;
    }
    const auto count = std::ssize(use.node().outputs);
    const std::int64_t whole = x->shape[*axis];
    if (sizes.empty() && count > 0)
        sizes.assign(static_cast<std::size_t>(count), (whole + count - 1) / count);
    std::int64_t from = 0;
    for (std::size_t k = 0; k < sizes.size() && k < use.node().outputs.size(); ++k) {
        const std::int64_t until = std::min(whole, from + std::max<std::int64_t>(0, sizes[k]));
        giveSlice(use, *x, {*axis, from, until}, k);
        from = until;
    }
}

/// One element of a dimension, which goes away.
void gather(const NodeUse& use) {
    const AffineTensor* x = use.affine(0, "an input");
    const auto indices = x ? integersAt(use, 1, "indices") : std::nullopt;
    const auto axis =
        indices ? axisOf(use, use.node().integer("axis", 0), x->shape.size()) : std::nullopt;
    if (!axis)
        return;
    const std::int64_t size = x->shape[*axis];
    const std::int64_t at = indices->size() == 1 ? (*indices)[0] : size;
    if (at < -size || at >= size) {
        use.fail("onnx-unsupported", "gathers more than one element, or one that is not there",
                 "use Slice or Split");
        return;
    }
    const std::int64_t from = at < 0 ? at + size : at;
    auto result = slicedTensor(use, *x, {*axis, from, from + 1});
    if (!result)
        return;
    if (use.input(1).known.dims.empty())
        result->shape.erase(result->shape.begin() + static_cast<std::ptrdiff_t>(*axis));
    use.give(std::move(*result));
}

} // namespace

std::optional<AffineTensor> transposedTensor(const NodeUse& use, const AffineTensor& tensor,
                                             const std::vector<std::size_t>& order) {
    AffineTensor result = tensor;
    result.shape = ordered(tensor.shape, order);
    for (AffineTensor& part : result.parts) {
        auto moved = transposedTensor(use, part, order);
        if (!moved)
            return std::nullopt;
        part = std::move(*moved);
    }
    result.axis = static_cast<std::size_t>(std::find(order.begin(), order.end(), tensor.axis) -
                                           order.begin());
    const auto refuse = [&] {
        return use.fail("onnx-unsupported", "transposes what its input does not keep together");
    };
    for (AffineTerm& term : result.terms) {
        const auto layout = transposed(term.layout, tensor.shape, order);
        const auto scale = transposed(term.scale, tensor.shape, order);
        if (!layout || !scale)
            return refuse();
        term.layout = *layout;
        term.scale = *scale;
        if (term.bounds.ranges.empty())
            continue;
        const ir::Range all = rangeOf(use, term);
        term.bounds = {{}, {all}};
    }
    const auto offset = transposed(tensor.offset, tensor.shape, order);
    if (!offset)
        return refuse();
    result.offset = *offset;
    return result;
}

std::optional<KnownTensor> transposedKnown(const NodeUse& use, const KnownTensor& known,
                                           const std::vector<std::size_t>& order) {
    KnownTensor result = known;
    result.dims = ordered(known.dims, order);
    const Dims strides = stridesOf(known.dims);
    FlatLayout layout;
    for (const std::size_t k : order)
        layout.push_back({known.dims[k], strides[k]});
    const auto from = flatIndices(layout);
    const auto moved = [&](const auto& values) {
        std::decay_t<decltype(values)> after;
        after.reserve(values.size());
        for (const std::int64_t at : from)
            after.push_back(values[static_cast<std::size_t>(at)]);
        return after;
    };
    if (known.isQuantised()) {
        const auto scale = transposed(known.scale, known.dims, order);
        if (!scale)
            return use.fail("onnx-unsupported", "transposes scales of more than one dimension");
        result.ints = std::make_shared<std::vector<std::int64_t>>(moved(*known.ints));
        result.scale = *scale;
        return result;
    }
    auto raw = std::make_shared<OnnxConstant>(*known.raw);
    raw->dims = result.dims;
    if (isReal(raw->element))
        raw->reals = moved(known.raw->reals);
    else
        raw->ints = moved(known.raw->ints);
    result.raw = std::move(raw);
    return result;
}

std::optional<AffineTensor> slicedTensor(const NodeUse& use, const AffineTensor& tensor,
                                         const SlicePart& part) {
    if (part.from >= part.until)
        return use.fail("onnx-shape", "takes an empty part of its input");
    if (part.from == 0 && part.until == tensor.shape[part.axis])
        return tensor;
    const auto plain = settled(use, tensor);
    if (!plain)
        return std::nullopt;
    const auto scale = slicedNumbers(plain->term().scale, plain->shape, part);
    const auto offset = slicedNumbers(plain->offset, plain->shape, part);
    if (!scale || !offset)
        return use.fail("onnx-unsupported", "cuts a tensor with a scale for each channel",
                        "quantise before the slice");
    const auto order = heldOrder(*plain, part.axis);
    const auto held = std::find(order.begin(), order.end(), part.axis) - order.begin();
    const auto input =
        arranged(use, plain->term(), layoutOf(plain->shape, order), ordered(plain->shape, order));
    ir::OpParams params;
    params.axis = held;
    params.from = part.from;
    params.until = part.until;
    const auto value =
        input ? use.emit(use.tensorName(), ir::OpKind::Slice, {*input}, params) : std::nullopt;
    if (!value)
        return std::nullopt;
    AffineTensor result = *plain;
    result.shape[part.axis] = part.until - part.from;
    AffineTerm& term = result.terms.front();
    term.value = *value;
    term.layout = layoutOf(result.shape, order);
    term.scale = *scale;
    term.bounds = {{}, {rangeOf(use, plain->term())}};
    result.offset = *offset;
    return result;
}

void addSliceNodes(HandlerTable& table) {
    table["Slice"] = slice;
    table["Split"] = split;
    table["Gather"] = gather;
}

} // namespace marquetry::frontend::onnx
