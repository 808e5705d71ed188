#include "engine/frontend/onnx/linear.h"

#include "engine/frontend/onnx/arrange.h"
#include "engine/frontend/onnx/pads.h"

namespace marquetry::frontend::onnx {
namespace {

using quant::Integer;

/// The scalar of weights: as wide as the file declares them, not as wide as they happen to be.
std::optional<ir::Scalar> weightScalar(const NodeUse& use, const KnownTensor& weights) {
    const auto scalar = ir::narrowestScalar(weights.least, weights.greatest);
    if (!scalar || ir::info(*scalar).bits > 16)
        return use.fail("onnx-unsupported", "has weights of more than 16 bits",
                        "quantise weights to 8 bits");
    return scalar;
}

std::optional<ir::Scalar> weightScalarOf(const NodeUse& use, const KnownTensor& weights,
                                         const std::vector<std::int64_t>& held) {
    KnownTensor bounds = weights;
    // Weights with a zero point use a part of what their difference could be.
    if (weights.greatest - weights.least > 255 && !held.empty()) {
        const auto [least, greatest] = std::minmax_element(held.begin(), held.end());
        bounds.least = *least;
        bounds.greatest = *greatest;
    }
    return weightScalar(use, bounds);
}

/// Σ over each row of what a weight times an integer of the range can be, and of the weights.
struct RowFacts {
    std::vector<ir::Range> bounds;
    std::vector<std::int64_t> sums;
};

RowFacts factsOf(const std::vector<std::int64_t>& weights, std::size_t rows, const ir::Range& x) {
    RowFacts facts;
    const std::size_t columns = rows == 0 ? 0 : weights.size() / rows;
    for (std::size_t row = 0; row < rows; ++row) {
        ir::Range bounds;
        std::int64_t sum = 0;
        for (std::size_t k = 0; k < columns; ++k) {
            const std::int64_t w = weights[row * columns + k];
            bounds.lo += std::min(w * x.lo, w * x.hi);
            bounds.hi += std::max(w * x.lo, w * x.hi);
            sum += w;
        }
        facts.bounds.push_back(bounds);
        facts.sums.push_back(sum);
    }
    return facts;
}

/// Of at most 17 bits: what is summed up then stays within 64.
bool areNarrow(const NodeUse& use, const std::vector<std::int64_t>& weights, const ir::Range& x) {
    constexpr std::int64_t kMost = 1 << 17;
    const bool narrow = std::all_of(weights.begin(), weights.end(),
                                    [](std::int64_t w) { return w >= -kMost && w <= kMost; });
    if (narrow && x.lo >= -kMost && x.hi <= kMost)
        return true;
    use.fail("onnx-unsupported", "multiplies numbers of more than 16 bits",
             "quantise weights and activations to 8 bits");
    return false;
}

bool fitsAccumulator(const NodeUse& use, const RowFacts& facts) {
    for (const ir::Range& range : facts.bounds) {
        if (range.lo >= INT32_MIN && range.hi <= INT32_MAX)
            continue;
        use.fail("onnx-accumulator", "has sums of more than 32 bits",
                 "use narrower weights or activations");
        return false;
    }
    return true;
}

/// Scale and offset of what a product of integers with known ones stands for; `weightScales` has
/// one number, or one for each row.
AffineTensor productOf(const GridTensor& x, const Dims& shape, AffineTerm term,
                       const LayoutFactor& channel, const std::vector<Rational>& weightScales,
                       const RowFacts& facts) {
    AffineTensor result;
    result.shape = shape;
    term.scale = {channel.extent, channel.stride, {}};
    result.offset = {channel.extent, channel.stride, {}};
    for (std::size_t row = 0; row < facts.sums.size(); ++row) {
        const Rational scale =
            x.scale * weightScales[weightScales.size() == 1 ? std::size_t{0} : row];
        term.scale.values.push_back(scale);
        result.offset.values.push_back(scale * Rational(Integer(-x.zero) * facts.sums[row]));
    }
    term.bounds = {channel, facts.bounds};
    term.scale = simplified(std::move(term.scale));
    result.offset = simplified(std::move(result.offset));
    result.terms = {std::move(term)};
    return result;
}

/// [O, I, KH, KW] to O × KH × KW × I with zeros where a dilated kernel has gaps; of a depth-wise
/// one, I = 1, the same is (C·m) × KH × KW.
std::vector<std::int64_t> heldKernel(const std::vector<std::int64_t>& ints, const Dims& dims,
                                     const WindowPlan& plan) {
    const std::int64_t height = plan.extent().vertical;
    const std::int64_t width = plan.extent().horizontal;
    std::vector<std::int64_t> held(static_cast<std::size_t>(dims[0] * dims[1] * height * width));
    std::size_t from = 0;
    for (std::int64_t o = 0; o < dims[0]; ++o) {
        for (std::int64_t i = 0; i < dims[1]; ++i) {
            for (std::int64_t y = 0; y < plan.kernelH; ++y) {
                for (std::int64_t x = 0; x < plan.kernelW; ++x) {
                    const std::int64_t row = o * height + y * plan.dilationH;
                    const std::int64_t pixel = row * width + x * plan.dilationW;
                    held[static_cast<std::size_t>(pixel * dims[1] + i)] = ints[from++];
                }
            }
        }
    }
    return held;
}

/// One scale, or one for each of the first dimension.
std::optional<std::vector<Rational>> rowScales(const NodeUse& use, const PerChannel& scale,
                                               std::int64_t rows, std::int64_t stride) {
    if (scale.isUniform())
        return scale.values;
    if (scale.extent == rows && scale.stride == stride)
        return scale.values;
    return use.fail("onnx-unsupported", "has weights with scales along another axis than results",
                    "quantise weights for each output channel, or with one scale");
}

struct ConvShape {
    Dims image;   ///< [1, C, H, W]
    Dims weights; ///< [O, I, KH, KW]
    std::int64_t groups = 1;
    WindowPlan plan;
    std::int64_t fill = 0; ///< integer of the padding
};

std::optional<ConvShape> convShape(const NodeUse& use, const Dims& shape, const Dims& weights) {
    ConvShape conv;
    const auto image = imageShape(use, shape);
    if (!image)
        return std::nullopt;
    conv.image = *image;
    conv.weights = weights.size() == 3 ? Dims{weights[0], weights[1], 1, weights[2]} : weights;
    conv.groups = use.node().integer("group", 1);
    const bool ranks = weights.size() == shape.size() && conv.weights.size() == 4;
    if (!ranks || conv.groups < 1 || conv.groups > conv.image[1] ||
        conv.image[1] % conv.groups != 0 || conv.weights[0] % conv.groups != 0 ||
        conv.image[1] / conv.groups != conv.weights[1] || elementsOf(conv.weights) == 0)
        return use.fail("onnx-shape", "has weights that do not fit its input and its groups");
    const auto plan = windowPlan(use, shape, Dims(weights.begin() + 2, weights.end()));
    if (!plan)
        return std::nullopt;
    conv.plan = *plan;
    const std::int64_t taps = plan->extent().vertical * plan->extent().horizontal;
    const bool dilated = plan->dilationH > 1 || plan->dilationW > 1;
    if (taps > (1 << 20) ||
        taps * conv.weights[0] * conv.weights[1] > (dilated ? 1 << 22 : 1 << 24))
        return use.fail("too-large",
                        "has a kernel of more than 2^24 weights, or with dilations of "
                        "more than 2^22",
                        "use a smaller kernel");
    return conv;
}

std::optional<ir::ValueId> emitConv(const NodeUse& use, const ConvShape& conv, const GridTensor& x,
                                    const KnownTensor& weights) {
    const Dims hwc = {conv.image[2], conv.image[3], conv.image[1]};
    const auto input = arranged(use, x.term, layoutOf(conv.image, {0, 2, 3, 1}), hwc);
    auto held = heldKernel(*weights.ints, conv.weights, conv.plan);
    const auto scalar = weightScalarOf(use, weights, held);
    if (!input || !scalar)
        return std::nullopt;
    const bool depthwise = conv.groups > 1 && conv.groups == conv.image[1];
    const ir::PerAxis extent = conv.plan.extent();
    Dims dims = {conv.weights[0], extent.vertical, extent.horizontal};
    if (!depthwise)
        dims.push_back(conv.weights[1]);
    const auto kernel =
        use.emitWeight(use.tensorName() + "_weights", {*scalar, dims}, std::move(held));
    if (!kernel)
        return std::nullopt;
    ir::OpParams params;
    params.pad = conv.plan.pad;
    params.stride = conv.plan.stride;
    params.fill = conv.plan.pad.isNone() ? 0 : conv.fill;
    params.groups = depthwise ? 1 : conv.groups;
    return use.emit(use.tensorName(), depthwise ? ir::OpKind::DwConv : ir::OpKind::Conv,
                    {*input, *kernel}, params);
}

/// Whether the padding around the input is one that the convolution can have.
bool isOwnPad(const PendingPad& pad, const ir::Pads& own) {
    const bool pixels = pad.before[0] + pad.after[0] + pad.before[1] + pad.after[1] == 0;
    return pixels && (own.isNone() || pad.value.isZero());
}

/// Padding around the input becomes the convolution's.
std::optional<GridTensor> convInput(const NodeUse& use, const AffineTensor& x, ConvShape& conv) {
    if (!x.pad) {
        const auto grid = onGrid(use, x);
        conv.fill = grid ? grid->zero : 0;
        return grid;
    }
    if (!isOwnPad(*x.pad, conv.plan.pad)) {
        const auto whole = padded(use, x);
        return whole ? convInput(use, *whole, conv) : std::nullopt;
    }
    const auto grid = onGrid(use, unpadded(x));
    const auto fill = grid ? padInteger(use, *grid, x.pad->value) : std::nullopt;
    if (!fill)
        return std::nullopt;
    conv.fill = *fill;
    const std::size_t last = x.shape.size() - 1;
    conv.plan.pad.left += x.pad->before[last];
    conv.plan.pad.right += x.pad->after[last];
    conv.image[3] = x.pad->inner[last];
    if (last == 3) {
        conv.plan.pad.top += x.pad->before[2];
        conv.plan.pad.bottom += x.pad->after[2];
        conv.image[2] = x.pad->inner[2];
    }
    return grid;
}

} // namespace

std::optional<AffineTensor> convolved(const NodeUse& use, const AffineTensor& x,
                                      const KnownTensor& weights,
                                      const std::optional<PerChannel>& bias) {
    auto conv = convShape(use, x.shape, weights.dims);
    const auto grid = conv ? convInput(use, x, *conv) : std::nullopt;
    if (!grid)
        return std::nullopt;
    const std::int64_t outputs = conv->weights[0];
    const auto scales = rowScales(use, weights.scale, outputs, elementsOf(conv->weights) / outputs);
    ir::Range read = rangeOf(use, grid->term);
    if (!conv->plan.pad.isNone())
        read = {std::min(read.lo, conv->fill), std::max(read.hi, conv->fill)};
    if (!areNarrow(use, *weights.ints, read))
        return std::nullopt;
    const RowFacts facts = factsOf(*weights.ints, static_cast<std::size_t>(outputs), read);
    if (!scales || !fitsAccumulator(use, facts))
        return std::nullopt;
    const auto value = emitConv(use, *conv, *grid, weights);
    if (!value)
        return std::nullopt;
    Dims shape = {1, outputs, conv->plan.heightOut, conv->plan.widthOut};
    const FlatLayout layout = layoutOf(shape, {0, 2, 3, 1});
    const LayoutFactor channel{outputs, conv->plan.heightOut * conv->plan.widthOut};
    if (x.shape.size() == 3)
        shape.erase(shape.begin() + 2);
    auto product = productOf(*grid, shape, {*value, layout}, channel, *scales, facts);
    if (!bias)
        return product;
    if (!bias->isUniform() && bias->extent != outputs)
        return use.fail("onnx-shape", "has a bias that does not fit its results");
    PerChannel placed = *bias;
    placed.extent = bias->extent;
    placed.stride = bias->isUniform() ? 1 : channel.stride;
    return affineMap(use, product, PerChannel::all(Rational(1)), placed);
}

namespace {

/// [N, K] of a matrix, its columns in the order in which the input is held.
std::vector<std::int64_t> heldMatrix(const KnownTensor& weights, bool transposed,
                                     const std::vector<std::int64_t>& columns) {
    const std::int64_t rows = weights.dims[transposed ? 0 : 1];
    const std::int64_t width = weights.dims[transposed ? 1 : 0];
    std::vector<std::int64_t> held;
    held.reserve(weights.ints->size());
    for (std::int64_t n = 0; n < rows; ++n) {
        for (const std::int64_t k : columns)
            held.push_back((*weights.ints)[static_cast<std::size_t>(transposed ? n * width + k
                                                                               : k * rows + n)]);
    }
    return held;
}

/// The operand and whether it is one row; the columns' order goes to `columns`.
std::optional<ir::ValueId> rowsOf(const NodeUse& use, const GridTensor& x, std::int64_t width,
                                  std::vector<std::int64_t>& columns) {
    const std::int64_t rows = elementsOf(x.shape) / width;
    if (rows == 1) {
        columns = flatIndices(normalised(x.term.layout));
        return arranged(use, x.term, x.term.layout, {width});
    }
    columns = flatIndices(naturalLayout({width}));
    return arranged(use, x.term, naturalLayout(x.shape), {rows, width});
}

} // namespace

std::optional<AffineTensor> multiplied(const NodeUse& use, const AffineTensor& x,
                                       const KnownTensor& weights, bool transposed) {
    if (weights.dims.size() != 2 || x.shape.empty() ||
        x.shape.back() != weights.dims[transposed ? 1 : 0] || weights.ints->empty())
        return use.fail("onnx-shape", "has a matrix that does not fit its input");
    const std::int64_t width = x.shape.back();
    const std::int64_t results = weights.dims[transposed ? 0 : 1];
    const auto grid = onGrid(use, x);
    if (!grid)
        return std::nullopt;
    const auto scales = rowScales(use, weights.scale, results, transposed ? width : 1);
    std::vector<std::int64_t> columns;
    const auto input = scales ? rowsOf(use, *grid, width, columns) : std::nullopt;
    if (!input)
        return std::nullopt;
    if (!areNarrow(use, *weights.ints, rangeOf(use, grid->term)))
        return std::nullopt;
    auto held = heldMatrix(weights, transposed, columns);
    const RowFacts facts =
        factsOf(held, static_cast<std::size_t>(results), rangeOf(use, grid->term));
    const auto scalar = weightScalarOf(use, weights, held);
    if (!scalar || !fitsAccumulator(use, facts))
        return std::nullopt;
    const auto matrix =
        use.emitWeight(use.tensorName() + "_weights", {*scalar, {results, width}}, std::move(held));
    if (!matrix)
        return std::nullopt;
    const bool oneRow = elementsOf(x.shape) == width;
    const auto value = oneRow ? use.emit(use.tensorName(), ir::OpKind::Mv, {*matrix, *input})
                              : use.emit(use.tensorName(), ir::OpKind::Mm, {*input, *matrix});
    if (!value)
        return std::nullopt;
    Dims shape = x.shape;
    shape.back() = results;
    return productOf(*grid, shape, {*value, naturalLayout(shape)}, {results, 1}, *scales, facts);
}

std::optional<ir::ValueId> withoutZero(const NodeUse& use, const GridTensor& grid,
                                       ir::ValueId value) {
    if (grid.zero == 0)
        return value;
    const ir::Range range = rangeOf(use, grid.term);
    const auto scalar = ir::narrowestScalar(range.lo - grid.zero, range.hi - grid.zero);
    if (!scalar || ir::info(*scalar).bits > 16)
        return use.fail("onnx-unsupported", "multiplies tensors of more than 16 bits",
                        "quantise both to 8 bits");
    ir::OpParams params;
    params.zero = -grid.zero;
    params.to = *scalar;
    return use.emit(use.builder().value(value).name + "_centred", ir::OpKind::Requant, {value},
                    params);
}

} // namespace marquetry::frontend::onnx
