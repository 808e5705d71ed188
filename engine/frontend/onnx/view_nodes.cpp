#include "engine/frontend/onnx/arrange.h"
#include "engine/frontend/onnx/handlers.h"
#include "engine/frontend/onnx/linear.h"
#include "engine/frontend/onnx/node_numbers.h"
#include "engine/frontend/onnx/views.h"
#include "engine/support/checked_math.h"

#include <numeric>

namespace marquetry::frontend::onnx {
namespace {

void giveShaped(const NodeUse& use, const GraphValue& value, Dims shape) {
    GraphValue result = value;
    if (result.kind == GraphValue::Kind::Known) {
        result.known.dims = std::move(shape);
    } else if (result.affine.parts.empty()) {
        result.affine.shape = std::move(shape);
    } else {
        use.fail("onnx-unsupported", "reshapes joined tensors of different scales",
                 "quantise behind the Concat");
        return;
    }
    use.give(std::move(result));
}

void identity(const NodeUse& use) {
    if (use.has(0))
        use.give(use.input(0));
}

std::optional<Dims> reshapedDims(const NodeUse& use, const Dims& from, Dims to, bool zeroIsZero) {
    std::int64_t known = 1;
    std::ptrdiff_t open = -1;
    for (std::size_t k = 0; k < to.size(); ++k) {
        if (to[k] == 0 && !zeroIsZero && k < from.size())
            to[k] = from[k];
        if (to[k] == -1 && open < 0)
            open = static_cast<std::ptrdiff_t>(k);
        else if (to[k] < 1)
            return use.fail("onnx-shape", "asks for the dimension " + std::to_string(to[k]));
        else
            known = saturatingMul(known, to[k]);
    }
    const std::int64_t elements = elementsOf(from);
    if (open >= 0 && known > 0)
        to[static_cast<std::size_t>(open)] = elements / known;
    if (checkedProduct(to) != elements || to.size() > 8)
        return use.fail("onnx-shape", "asks for a shape with another number of elements",
                        "a fixed batch size in it may be more than 1");
    return to;
}

void reshape(const NodeUse& use) {
    if (!use.has(0))
        return;
    const auto wanted = integersAt(use, 1, "dimensions");
    const bool zeroIsZero = use.node().integer("allowzero", 0) != 0;
    const auto dims =
        wanted ? reshapedDims(use, use.input(0).shape(), *wanted, zeroIsZero) : std::nullopt;
    if (dims)
        giveShaped(use, use.input(0), *dims);
}

void flatten(const NodeUse& use) {
    if (!use.has(0))
        return;
    const Dims& shape = use.input(0).shape();
    std::int64_t axis = use.node().integer("axis", 1);
    axis += axis < 0 ? std::ssize(shape) : 0;
    if (axis < 0 || axis > std::ssize(shape)) {
        use.fail("onnx-shape", "flattens along an axis that is not there");
        return;
    }
    const Dims outer(shape.begin(), shape.begin() + axis);
    const Dims inner(shape.begin() + axis, shape.end());
    giveShaped(use, use.input(0), {elementsOf(outer), elementsOf(inner)});
}

/// Axes of Squeeze and Unsqueeze: an attribute before opset 13, an input since.
std::optional<Dims> axesOf(const NodeUse& use) {
    if (use.node().has("axes"))
        return use.node().integers("axes");
    return use.has(1) ? integersAt(use, 1, "axes") : std::optional(Dims{});
}

void squeeze(const NodeUse& use) {
    const auto axes = use.has(0) ? axesOf(use) : std::nullopt;
    if (!axes)
        return;
    const Dims& shape = use.input(0).shape();
    std::vector<bool> drop(shape.size(), axes->empty());
    for (const std::int64_t axis : *axes) {
        const auto at = axisOf(use, axis, shape.size());
        if (!at)
            return;
        drop[*at] = true;
        if (shape[*at] != 1) {
            use.fail("onnx-shape", "drops a dimension that is not 1");
            return;
        }
    }
    Dims result;
    for (std::size_t k = 0; k < shape.size(); ++k) {
        if (!drop[k] || shape[k] != 1)
            result.push_back(shape[k]);
    }
    giveShaped(use, use.input(0), std::move(result));
}

void unsqueeze(const NodeUse& use) {
    const auto axes = use.has(0) ? axesOf(use) : std::nullopt;
    if (!axes)
        return;
    const Dims& shape = use.input(0).shape();
    const std::size_t rank = shape.size() + axes->size();
    std::vector<bool> added(rank, false);
    for (const std::int64_t axis : *axes) {
        const auto at = rank <= 8 ? axisOf(use, axis, rank) : std::nullopt;
        if (!at || added[*at]) {
            use.fail("onnx-shape", "adds dimensions that do not fit");
            return;
        }
        added[*at] = true;
    }
    Dims result;
    auto next = shape.begin();
    for (std::size_t k = 0; k < rank; ++k)
        result.push_back(added[k] ? 1 : *next++);
    giveShaped(use, use.input(0), std::move(result));
}

std::optional<std::vector<std::size_t>> permutation(const NodeUse& use, std::size_t rank) {
    std::vector<std::size_t> order;
    for (const std::int64_t axis : use.node().integers("perm"))
        order.push_back(static_cast<std::size_t>(axis));
    if (order.empty()) {
        for (std::size_t k = rank; k-- > 0;)
            order.push_back(k);
    }
    std::vector<std::size_t> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::size_t> all(rank);
    std::iota(all.begin(), all.end(), std::size_t{0});
    if (sorted != all)
        return use.fail("onnx-shape", "has a perm that does not name each dimension once");
    return order;
}

void transpose(const NodeUse& use) {
    if (!use.has(0))
        return;
    const auto order = permutation(use, use.input(0).shape().size());
    if (!order)
        return;
    if (use.isKnown(0)) {
        auto result = transposedKnown(use, use.input(0).known, *order);
        if (result)
            use.give(std::move(*result));
        return;
    }
    auto result = transposedTensor(use, use.input(0).affine, *order);
    if (result)
        use.give(std::move(*result));
}

bool isOneGrid(const AffineTensor& a, const AffineTensor& b) {
    return a.isPlain() && b.isPlain() && a.term().scale.isUniform() && a.offset.isUniform() &&
           a.term().scale == b.term().scale && a.offset == b.offset;
}

/// Tensors of one grid side by side.
std::optional<AffineTensor> joined(const NodeUse& use, const std::vector<AffineTensor>& parts,
                                   const Dims& shape, std::size_t axis) {
    const auto order = heldOrder(parts.front(), axis);
    const auto held = std::find(order.begin(), order.end(), axis) - order.begin();
    std::optional<ir::ValueId> value;
    for (const AffineTensor& part : parts) {
        const auto piece =
            arranged(use, part.term(), layoutOf(part.shape, order), ordered(part.shape, order));
        if (!piece)
            return std::nullopt;
        value =
            value ? use.emit(use.tensorName(), ir::OpKind::Concat, {*value, *piece}, {.axis = held})
                  : piece;
        if (!value)
            return std::nullopt;
    }
    AffineTensor result = parts.front();
    result.shape = shape;
    result.terms.front().value = *value;
    result.terms.front().layout = layoutOf(shape, order);
    result.terms.front().bounds = {};
    return result;
}

void concat(const NodeUse& use) {
    std::vector<AffineTensor> parts;
    for (std::size_t k = 0; k < use.inputs(); ++k) {
        const AffineTensor* x = use.affine(k, "inputs");
        if (!x)
            return;
        parts.push_back(*x);
    }
    if (parts.empty())
        return;
    Dims shape = parts.front().shape;
    const auto axis = axisOf(use, use.node().integer("axis", 1), shape.size());
    if (!axis)
        return;
    shape[*axis] = 0;
    bool alike = true;
    for (const AffineTensor& part : parts) {
        Dims rest = part.shape;
        if (rest.size() == shape.size()) {
            shape[*axis] += part.shape[*axis];
            rest[*axis] = shape[*axis];
        }
        if (rest != shape || !part.parts.empty()) {
            use.fail("onnx-shape", "joins tensors that do not fit");
            return;
        }
        alike = alike && isOneGrid(parts.front(), part);
    }
    if (alike) {
        if (auto result = joined(use, parts, shape, *axis))
            use.give(std::move(*result));
        return;
    }
    AffineTensor result;
    result.shape = shape;
    result.axis = *axis;
    result.parts = std::move(parts);
    use.give(std::move(result));
}

void depthToSpace(const NodeUse& use) {
    const AffineTensor* x = use.affine(0, "an input");
    const auto plain = x ? settled(use, *x) : std::nullopt;
    const auto image = plain ? imageShape(use, plain->shape) : std::nullopt;
    if (!image)
        return;
    const std::int64_t block = use.node().integer("blocksize", 1);
    if (block < 1 || block > 1024 || x->shape.size() != 4 || (*image)[1] % (block * block) != 0 ||
        !plain->term().scale.isUniform() || !plain->offset.isUniform()) {
        use.fail("onnx-shape", "has a blocksize that does not fit its input");
        return;
    }
    ir::OpParams params;
    params.block = block;
    params.order =
        use.node().text("mode", "DCR") == "CRD" ? ir::DepthOrder::Crd : ir::DepthOrder::Dcr;
    const auto input =
        arranged(use, plain->term(), layoutOf(*image, {0, 2, 3, 1}), ordered(*image, {2, 3, 1}));
    const auto value = input
                           ? use.emit(use.tensorName(), ir::OpKind::DepthToSpace, {*input}, params)
                           : std::nullopt;
    if (!value)
        return;
    AffineTensor result = *plain;
    result.shape = {1, (*image)[1] / block / block, (*image)[2] * block, (*image)[3] * block};
    result.terms.front().value = *value;
    result.terms.front().layout = activationLayout(result.shape);
    use.give(std::move(result));
}

/// Known factors of Resize and Upsample: [1, 1, fy, fx].
std::optional<ir::PerAxis> factorsOf(const NodeUse& use, const Dims& image) {
    const bool old = use.node().op == "Upsample";
    Dims factors;
    for (const std::size_t k : {old ? std::size_t{1} : std::size_t{2}, std::size_t{3}}) {
        if (!use.isKnown(k) || use.input(k).known.size() != 4)
            continue;
        if (!allFinite(use, use.input(k).known, "scales"))
            return std::nullopt;
        for (std::size_t axis = 0; axis < 4; ++axis) {
            const Rational number = use.input(k).known.at(axis);
            const Rational factor = k == 3 ? number / Rational(image[axis]) : number;
            factors.push_back(factor.isInteger() && factor > Rational(0) && factor < Rational(1025)
                                  ? quant::toInt64(factor.numerator())
                                  : 0);
        }
        break;
    }
    const bool nearest = use.node().text("mode", "nearest") == "nearest";
    const std::string rule = use.node().text("coordinate_transformation_mode", "half_pixel");
    const std::string pick = use.node().text("nearest_mode", "round_prefer_floor");
    const bool repeats = (rule == "asymmetric" && pick == "floor") ||
                         (rule == "half_pixel" && pick.starts_with("round_prefer")) || old;
    if (factors.size() != 4 || factors[0] != 1 || factors[1] != 1 || factors[2] < 1 ||
        factors[3] < 1 || !nearest || !repeats)
        return use.fail("onnx-unsupported", "resizes otherwise than by whole nearest factors",
                        "use mode=nearest with integer scales");
    return ir::PerAxis(factors[2], factors[3]);
}

void upsample(const NodeUse& use) {
    const AffineTensor* x = use.affine(0, "an input");
    const auto plain = x ? settled(use, *x) : std::nullopt;
    const auto image = plain ? imageShape(use, plain->shape) : std::nullopt;
    if (!image)
        return;
    if (x->shape.size() != 4 || !plain->term().scale.isUniform() || !plain->offset.isUniform()) {
        use.fail("onnx-unsupported", "resizes what is not an image of one scale");
        return;
    }
    const auto factor = factorsOf(use, *image);
    const auto input = factor ? arranged(use, plain->term(), layoutOf(*image, {0, 2, 3, 1}),
                                         ordered(*image, {2, 3, 1}))
                              : std::nullopt;
    ir::OpParams params;
    params.factor = factor.value_or(ir::PerAxis(1));
    const auto value =
        input ? use.emit(use.tensorName(), ir::OpKind::Upsample, {*input}, params) : std::nullopt;
    if (!value)
        return;
    AffineTensor result = *plain;
    result.shape[2] *= factor->vertical;
    result.shape[3] *= factor->horizontal;
    result.terms.front().value = *value;
    result.terms.front().layout = activationLayout(result.shape);
    use.give(std::move(result));
}

} // namespace

void addViewNodes(HandlerTable& table) {
    table["Identity"] = identity;
    table["Dropout"] = identity;
    table["Reshape"] = reshape;
    table["Flatten"] = flatten;
    table["Squeeze"] = squeeze;
    table["Unsqueeze"] = unsqueeze;
    table["Transpose"] = transpose;
    table["Concat"] = concat;
    table["DepthToSpace"] = depthToSpace;
    table["Upsample"] = upsample;
    table["Resize"] = upsample;
    addSliceNodes(table);
}

} // namespace marquetry::frontend::onnx
