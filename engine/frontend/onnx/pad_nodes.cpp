#include "engine/frontend/onnx/arrange.h"
#include "engine/frontend/onnx/node_numbers.h"
#include "engine/frontend/onnx/pads.h"

#include <numeric>
#include <set>

namespace marquetry::frontend::onnx {
namespace {

constexpr std::int64_t kMostPad = 1 << 16;

bool isNone(const PendingPad& pad) {
    const auto zero = [](std::int64_t n) { return n == 0; };
    return std::all_of(pad.before.begin(), pad.before.end(), zero) &&
           std::all_of(pad.after.begin(), pad.after.end(), zero);
}

/// The two dimensions that are padded, or others in their place, then all others.
std::optional<std::vector<std::size_t>> paddedFirst(const NodeUse& use, const PendingPad& pad) {
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < pad.inner.size(); ++k) {
        if (pad.before[k] != 0 || pad.after[k] != 0)
            order.push_back(k);
    }
    if (order.size() > 2)
        return use.fail("onnx-unsupported", "pads more than two dimensions",
                        "pad height and width");
    std::vector<bool> taken(pad.inner.size(), false);
    for (const std::size_t k : order)
        taken[k] = true;
    for (std::size_t k = 0; k < pad.inner.size(); ++k) {
        if (!taken[k])
            order.push_back(k);
    }
    return order;
}

/// Rows × columns × everything else, of a tensor whose dimensions stand in this order.
Dims asImage(const Dims& shape, const std::vector<std::size_t>& order, bool oneAxis) {
    const std::int64_t rows = oneAxis ? 1 : shape[order[0]];
    const std::int64_t columns = shape[order[oneAxis ? 0 : 1]];
    return {rows, columns, elementsOf(shape) / (rows * columns)};
}

std::optional<ir::ValueId> emitPadding(const NodeUse& use, ir::ValueId image, const ir::Pads& pads,
                                       std::int64_t fill) {
    const std::string name = use.builder().value(image).name + "_padded";
    const ir::Scalar scalar = use.builder().value(image).type.scalar;
    ir::OpParams params;
    params.size = params.stride = ir::PerAxis(1);
    params.pad = pads;
    params.fill = fill;
    const auto sums = use.emit(name + "_sums", ir::OpKind::SumPool, {image}, params);
    ir::OpParams narrow;
    narrow.to = scalar;
    return sums ? use.emit(name, ir::OpKind::Requant, {*sums}, narrow) : std::nullopt;
}

/// Numbers of pads in the file's order: all that are before, then all that are after.
std::optional<PendingPad> pendingPads(const NodeUse& use, const Dims& shape) {
    const bool old = use.node().has("pads");
    const auto pads = old ? std::optional(use.node().integers("pads")) : integersAt(use, 1, "pads");
    if (!pads)
        return std::nullopt;
    std::vector<std::size_t> axes(shape.size());
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    if (use.has(3)) {
        const auto named = integersAt(use, 3, "axes");
        axes.clear();
        for (const std::int64_t axis : named.value_or(Dims{})) {
            const auto at = axisOf(use, axis, shape.size());
            if (!at)
                return std::nullopt;
            axes.push_back(*at);
        }
    }
    const bool good = std::all_of(pads->begin(), pads->end(),
                                  [](std::int64_t n) { return n >= 0 && n <= kMostPad; });
    if (pads->size() != 2 * axes.size() || !good)
        return use.fail("onnx-shape", "has pads that do not fit its input, or negative ones",
                        "crop with Slice");
    PendingPad pad{shape, Dims(shape.size()), Dims(shape.size()), Rational(0)};
    for (std::size_t k = 0; k < axes.size(); ++k) {
        pad.before[axes[k]] = (*pads)[k];
        pad.after[axes[k]] = (*pads)[axes.size() + k];
    }
    return pad;
}

std::optional<Rational> padValue(const NodeUse& use) {
    if (use.node().has("value")) {
        const double value = use.node().real("value", 0);
        if (std::isfinite(value))
            return exactly(value);
        return use.fail("onnx-unsupported", "pads with infinity or with what is no number",
                        "pad with 0");
    }
    return use.has(2) ? numberAt(use, 2, "numbers to pad with") : std::optional(Rational(0));
}

void pad(const NodeUse& use) {
    const AffineTensor* x = use.affine(0, "an input");
    auto pads = x ? pendingPads(use, x->shape) : std::nullopt;
    if (!pads)
        return;
    const std::string mode = use.node().text("mode", "constant");
    if (mode != "constant") {
        use.fail("onnx-unsupported", "pads with a " + mode + " of its input",
                 "pad with constants: mode=constant");
        return;
    }
    const auto value = padValue(use);
    if (!value)
        return;
    if (isNone(*pads))
        return use.give(*x);
    // What stands around a function or joined pieces is not known to be one of its values.
    auto plain = x->isPlain() ? std::optional(*x) : settled(use, *x);
    if (!plain)
        return;
    pads->value = *value;
    for (std::size_t k = 0; k < plain->shape.size(); ++k)
        plain->shape[k] += pads->before[k] + pads->after[k];
    plain->pad = std::move(*pads);
    plain->element = x->element;
    use.give(std::move(*plain));
}

} // namespace

bool readsPads(const OnnxNode& node) {
    static const std::set<std::string> kReaders = {"Conv",
                                                   "ConvInteger",
                                                   "QLinearConv",
                                                   "com.microsoft.QLinearConv",
                                                   "QuantizeLinear",
                                                   "DequantizeLinear",
                                                   "com.microsoft.QuantizeLinear",
                                                   "com.microsoft.DequantizeLinear",
                                                   "Identity",
                                                   "Dropout"};
    return kReaders.contains(handlerKey(node));
}

void settlePads(const NodeUse& use) {
    for (std::size_t k = 0; k < use.inputs(); ++k) {
        if (!use.isAffine(k) || !use.input(k).affine.pad)
            continue;
        GraphValue& value = use.importer().value(use.node().inputs[k]);
        auto whole = padded(use, value.affine);
        if (whole)
            value = GraphValue::of(std::move(*whole));
        else
            value.kind = GraphValue::Kind::Failed;
    }
}

AffineTensor unpadded(const AffineTensor& tensor) {
    AffineTensor inner = tensor;
    inner.shape = tensor.pad->inner;
    inner.pad.reset();
    return inner;
}

std::optional<std::int64_t> padInteger(const NodeUse& use, const GridTensor& grid,
                                       const Rational& value) {
    const Rational steps = value / grid.scale + Rational(grid.zero);
    const ir::ScalarInfo& scalar = ir::info(use.builder().value(grid.term.value).type.scalar);
    if (steps.isInteger() && steps >= Rational(scalar.min) && steps <= Rational(scalar.max))
        return quant::toInt64(steps.numerator());
    return use.fail("onnx-unsupported",
                    "pads with a number that the integers of its input do not hold: " +
                        std::to_string(value.toDouble()),
                    "pad with 0, or with a number that the quantisation represents");
}

std::optional<AffineTensor> padded(const NodeUse& use, const AffineTensor& tensor) {
    if (!tensor.pad)
        return tensor;
    const PendingPad& pad = *tensor.pad;
    const auto grid = onGrid(use, unpadded(tensor));
    const auto fill = grid ? padInteger(use, *grid, pad.value) : std::nullopt;
    const auto order = fill ? paddedFirst(use, pad) : std::nullopt;
    if (!order)
        return std::nullopt;
    const std::size_t second = (*order)[pad.inner.size() > 1 ? 1 : 0];
    const bool oneAxis = pad.before[second] + pad.after[second] == 0 || pad.inner.size() == 1;
    const auto image =
        arranged(use, grid->term, layoutOf(pad.inner, *order), asImage(pad.inner, *order, oneAxis));
    const std::size_t rows = (*order)[0];
    const std::size_t columns = oneAxis ? rows : second;
    const ir::Pads pads = oneAxis ? ir::Pads(0, pad.before[columns], 0, pad.after[columns])
                                  : ir::Pads(pad.before[rows], pad.before[columns], pad.after[rows],
                                             pad.after[columns]);
    const auto value = image ? emitPadding(use, *image, pads, *fill) : std::nullopt;
    if (!value)
        return std::nullopt;
    AffineTensor result = unpadded(tensor);
    result.shape = tensor.shape;
    result.low.reset();
    result.high.reset();
    result.step.reset();
    result.terms = {{*value, layoutOf(tensor.shape, *order), PerChannel::all(grid->scale)}};
    result.offset = PerChannel::all(Rational(-grid->zero) * grid->scale);
    return result;
}

void addPadNodes(HandlerTable& table) {
    table["Pad"] = pad;
}

} // namespace marquetry::frontend::onnx
