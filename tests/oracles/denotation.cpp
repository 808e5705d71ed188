#include "tests/oracles/denotation.h"

#include "engine/support/assert.h"
#include "tests/oracles/tensor_parts.h"

#include <algorithm>

namespace marquetry::rules {

namespace {

using ir::LoopAxis;
using ir::Scalar;
using ir::Shape;
using ir::Tensor;
using ir::UnitFunction;
using ir::UnitShape;

Shape resultDims(const UnitShape& shape) {
    switch (shape.function) {
    case UnitFunction::Conv:
    case UnitFunction::DwConv:
    case UnitFunction::Map:
        return {shape.height, shape.width, shape.rows};
    case UnitFunction::Mm:
    case UnitFunction::Conv1DW:
        return {shape.height, shape.rows};
    case UnitFunction::Conv1DH:
        return {shape.rows, shape.width};
    case UnitFunction::Bmm:
        return {shape.channels, shape.height, shape.rows};
    case UnitFunction::Dot:
    case UnitFunction::Mv:
    case UnitFunction::Lanes:
        break;
    }
    return shape.parts == 1 ? Shape{shape.rows} : Shape{shape.rows, shape.parts};
}

/// The term from `depth` inwards, with the shape of every suffix.
class Denotation {
public:
    explicit Denotation(const UnitTerm& term) : term_(term), shapes_(term.size()) {
        ENGINE_ASSERT(!term.empty(), "a unit term has a leaf");
        for (std::size_t k = term.size(); k-- > 0;) {
            const UnitShape* child = k + 1 < term.size() ? &shapes_[k + 1] : nullptr;
            const auto shape = shapeOf(term[k].skeleton, term[k].params, child);
            ENGINE_ASSERT(shape.has_value(), "a unit term's parts fit");
            shapes_[k] = *shape;
        }
    }

    Tensor run(std::size_t depth, const UnitOperands& operands) const {
        checkOperands(shapes_[depth], operands);
        if (isConvolution(term_[depth].skeleton))
            return convolved(depth, operands);
        const SkeletonInfo& entry = info(term_[depth].skeleton);
        switch (entry.skeleton) {
        case Skeleton::ParallelDot:
        case Skeleton::ParallelPartialDot:
            return dots(depth, operands);
        case Skeleton::MergePartialSum:
            return merged(depth, operands);
        case Skeleton::Map:
            return operands.data;
        case Skeleton::Mv:
            return matrixVector(depth, operands);
        case Skeleton::Mm:
        case Skeleton::MappedRows:
        case Skeleton::ParMappedRows:
            return matrixMatrix(depth, operands);
        case Skeleton::Bmm:
            return batches(depth, operands);
        case Skeleton::Conv1DW:
            return filteredLines(depth, operands);
        case Skeleton::Conv1DH:
            return transposed(filteredLines(depth, {transposed(operands.data), operands.weight}));
        case Skeleton::TransposedConv1DW:
            return transposed(run(depth + 1, {transposed(operands.data), operands.weight}));
        case Skeleton::Im2colConv:
            return imageToColumns(depth, operands);
        default:
            break;
        }
        return entry.role == SkeletonRole::Pad ? padded(depth, operands) : looped(depth, operands);
    }

private:
    static bool isConvolution(Skeleton skeleton) {
        const UnitFunction function = info(skeleton).function;
        const bool windows = function == UnitFunction::Conv || function == UnitFunction::DwConv;
        return windows && info(skeleton).role == SkeletonRole::Core;
    }

    Tensor convolved(std::size_t depth, const UnitOperands& operands) const {
        switch (term_[depth].skeleton) {
        case Skeleton::ParallelConv:
            return packedConvolution(depth, operands);
        case Skeleton::LaneDwConv:
            return onLanes(depth, operands);
        case Skeleton::DwConv:
        case Skeleton::WindowDwConv:
            return depthWise(depth, operands);
        default:
            return convolution(depth, operands);
        }
    }

    static void checkOperands(const UnitShape& shape, const UnitOperands& operands) {
        const auto dims = operandDims(shape);
        ENGINE_ASSERT(operands.data.type.dims == dims[0], "the data operand has the term's shape");
        ENGINE_ASSERT(shape.function == UnitFunction::Map || operands.weight.type.dims == dims[1],
                      "the weights have the term's shape");
    }

    Tensor dots(std::size_t depth, const UnitOperands& operands) const {
        const UnitShape& shape = shapes_[depth];
        const std::int64_t parallel = term_[depth].params[0];
        const std::int64_t piece = shape.cols / shape.parts;
        Tensor result = zeros(Scalar::I32, resultDims(shape));
        for (std::int64_t first = 0; first < shape.rows; first += parallel)
            for (std::int64_t row = first; row < std::min(first + parallel, shape.rows); ++row)
                for (std::int64_t k = 0; k < shape.cols; ++k) {
                    std::int64_t& sum = result.data[indexOf(row * shape.parts + k / piece)];
                    sum = ir::wrap(Scalar::I32,
                                   sum + operands.data.data[indexOf(row * shape.cols + k)] *
                                             operands.weight.data[indexOf(row * shape.cols + k)]);
                }
        return result;
    }

    Tensor merged(std::size_t depth, const UnitOperands& operands) const {
        const std::int64_t parts = shapes_[depth + 1].parts;
        const Tensor partial = run(depth + 1, operands);
        Tensor result = zeros(Scalar::I32, resultDims(shapes_[depth]));
        for (std::size_t k = 0; k < partial.data.size(); ++k) {
            std::int64_t& sum = result.data[k / indexOf(parts)];
            sum = ir::wrap(Scalar::I32, sum + partial.data[k]);
        }
        return result;
    }

    Tensor matrixVector(std::size_t depth, const UnitOperands& operands) const {
        const UnitShape& shape = shapes_[depth];
        Tensor repeated = zeros(operands.data.type.scalar, {shape.rows, shape.cols});
        for (std::int64_t row = 0; row < shape.rows; ++row)
            std::ranges::copy(operands.data.data, repeated.data.begin() + row * shape.cols);
        return run(depth + 1, {std::move(repeated), operands.weight});
    }

    Tensor window(const UnitShape& shape, const Tensor& image, std::int64_t y,
                  std::int64_t x) const {
        return slice(image, {y * shape.stride.vertical, x * shape.stride.horizontal, 0},
                     {shape.kernel.vertical, shape.kernel.horizontal, image.type.dims[2]});
    }

    Tensor convolution(std::size_t depth, const UnitOperands& operands) const {
        const UnitShape& shape = shapes_[depth];
        const Tensor matrix = reshaped(operands.weight, {shape.rows, shape.cols});
        Tensor result = zeros(Scalar::I32, resultDims(shape));
        for (std::int64_t y = 0; y < shape.height; ++y)
            for (std::int64_t x = 0; x < shape.width; ++x) {
                Tensor one = reshaped(window(shape, operands.data, y, x), {shape.cols});
                setPlane(result, y * shape.width + x, run(depth + 1, {std::move(one), matrix}));
            }
        return result;
    }

    /// Windows laid end to end against filters repeated as often.
    Tensor packedConvolution(std::size_t depth, const UnitOperands& operands) const {
        const UnitShape& shape = shapes_[depth];
        const std::int64_t count = shapes_[depth + 1].parts;
        Tensor matrix = zeros(operands.weight.type.scalar, {shape.rows, count * shape.cols});
        for (std::int64_t row = 0; row < shape.rows; ++row)
            for (std::int64_t copy = 0; copy < count; ++copy)
                std::copy_n(operands.weight.data.begin() + row * shape.cols, shape.cols,
                            matrix.data.begin() + (row * count + copy) * shape.cols);
        Tensor result = zeros(Scalar::I32, resultDims(shape));
        for (std::int64_t first = 0; first < shape.height * shape.width; first += count) {
            Tensor group = zeros(operands.data.type.scalar, {count * shape.cols});
            for (std::int64_t k = 0; k < count; ++k)
                std::ranges::copy(window(shape, operands.data, (first + k) / shape.width,
                                         (first + k) % shape.width)
                                      .data,
                                  group.data.begin() + k * shape.cols);
            const Tensor sums = run(depth + 1, {std::move(group), matrix});
            for (std::int64_t row = 0; row < shape.rows; ++row)
                for (std::int64_t k = 0; k < count; ++k)
                    result.data[indexOf((first + k) * shape.rows + row)] =
                        sums.data[indexOf(row * count + k)];
        }
        return result;
    }

    Tensor matrixMatrix(std::size_t depth, const UnitOperands& operands) const {
        Tensor result = zeros(Scalar::I32, resultDims(shapes_[depth]));
        for (std::int64_t h = 0; h < shapes_[depth].height; ++h)
            setPlane(result, h, run(depth + 1, {plane(operands.data, h), operands.weight}));
        return result;
    }

    Tensor batches(std::size_t depth, const UnitOperands& operands) const {
        Tensor result = zeros(Scalar::I32, resultDims(shapes_[depth]));
        for (std::int64_t b = 0; b < shapes_[depth].channels; ++b)
            setPlane(result, b,
                     run(depth + 1, {plane(operands.data, b), plane(operands.weight, b)}));
        return result;
    }

    /// Lines are the rows of the image; a column filter hands in the transposed one.
    Tensor filteredLines(std::size_t depth, const UnitOperands& operands) const {
        const UnitShape& shape = shapes_[depth];
        const std::int64_t lines = operands.data.type.dims[0];
        Tensor result = zeros(Scalar::I32, {lines, shape.rows});
        for (std::int64_t line = 0; line < lines; ++line) {
            const Tensor pixels = plane(operands.data, line);
            const std::int64_t kernel = shape.kernel.vertical;
            Tensor windows = zeros(pixels.type.scalar, {shape.rows, kernel});
            for (std::int64_t k = 0; k < shape.rows; ++k)
                setPlane(windows, k, slice(pixels, {k}, {kernel}));
            setPlane(result, line, run(depth + 1, {operands.weight, std::move(windows)}));
        }
        return result;
    }

    Tensor depthWise(std::size_t depth, const UnitOperands& operands) const {
        const UnitShape& shape = shapes_[depth];
        const Tensor kernels = reshaped(operands.weight, {shape.rows, shape.cols});
        Tensor result = zeros(Scalar::I32, resultDims(shape));
        for (std::int64_t y = 0; y < shape.height; ++y)
            for (std::int64_t x = 0; x < shape.width; ++x) {
                Tensor pixels =
                    reshaped(window(shape, operands.data, y, x), {shape.cols, shape.rows});
                setPlane(result, y * shape.width + x,
                         run(depth + 1, {transposed(pixels), kernels}));
            }
        return result;
    }

    /// The lanes of a block get a row of their windows and kernels each, empty ones zeros. The unit
    /// is one of windows of this size: a LaneProducts serves all sizes.
    Tensor onLanes(std::size_t depth, const UnitOperands& operands) const {
        const UnitShape& shape = shapes_[depth];
        const std::int64_t lanes = shapes_[depth + 1].rows;
        const Tensor kernels = reshaped(operands.weight, {shape.rows, shape.cols});
        Tensor result = zeros(Scalar::I32, resultDims(shape));
        for (std::int64_t pixel = 0; pixel < shape.height * shape.width; ++pixel) {
            const Tensor rows = transposed(
                reshaped(window(shape, operands.data, pixel / shape.width, pixel % shape.width),
                         {shape.cols, shape.rows}));
            for (std::int64_t first = 0; first < shape.rows; first += lanes) {
                const Tensor x = slice(rows, {first, 0}, {lanes, shape.cols});
                const Tensor w = slice(kernels, {first, 0}, {lanes, shape.cols});
                for (std::int64_t l = 0; l < std::min(lanes, shape.rows - first); ++l)
                    for (std::int64_t k = 0; k < shape.cols; ++k) {
                        std::int64_t& sum = result.data[indexOf(pixel * shape.rows + first + l)];
                        const std::size_t at = indexOf(l * shape.cols + k);
                        sum = ir::wrap(Scalar::I32, sum + x.data[at] * w.data[at]);
                    }
            }
        }
        return result;
    }

    Tensor imageToColumns(std::size_t depth, const UnitOperands& operands) const {
        const UnitShape& shape = shapes_[depth];
        Tensor windows = zeros(operands.data.type.scalar, {shape.height * shape.width, shape.cols});
        for (std::int64_t y = 0; y < shape.height; ++y)
            for (std::int64_t x = 0; x < shape.width; ++x)
                setPlane(windows, y * shape.width + x, window(shape, operands.data, y, x));
        Tensor matrix = reshaped(operands.weight, {shape.rows, shape.cols});
        return reshaped(run(depth + 1, {std::move(windows), std::move(matrix)}), resultDims(shape));
    }

    /// Operands of the child that start at the given position of each loop axis.
    UnitOperands part(std::size_t depth, const UnitOperands& operands,
                      const std::array<std::int64_t, 2>& start) const {
        const auto dims = operandDims(shapes_[depth + 1]);
        std::vector<std::int64_t> data(dims[0].size(), 0);
        std::vector<std::int64_t> weight(dims[1].size(), 0);
        const UnitFunction function = shapes_[depth].function;
        const bool map = function == UnitFunction::Map;
        switch (info(term_[depth].skeleton).axis) {
        case LoopAxis::Rows:
            if (map || function == UnitFunction::DwConv)
                data.back() = start[0];
            if (!map)
                weight.front() = start[0];
            break;
        case LoopAxis::Vectors:
            data.front() = start[0];
            break;
        case LoopAxis::Cols:
        case LoopAxis::Channels:
            data.back() = start[0];
            weight.back() = start[0];
            break;
        case LoopAxis::Pixels:
            data[0] = start[0] * shapes_[depth].stride.vertical;
            data[1] = start[1] * shapes_[depth].stride.horizontal;
            break;
        }
        return {slice(operands.data, data, dims[0]),
                map ? operands.weight : slice(operands.weight, weight, dims[1])};
    }

    Tensor looped(std::size_t depth, const UnitOperands& operands) const {
        const SkeletonInfo& entry = info(term_[depth].skeleton);
        const auto& p = term_[depth].params;
        const bool pixels = entry.axis == LoopAxis::Pixels;
        const std::array<std::int64_t, 2> tile = {p[0], pixels ? p[1] : 1};
        const std::array<std::int64_t, 2> whole = {pixels ? p[2] : p[1], pixels ? p[3] : 1};
        Tensor result = zeros(Scalar::I32, resultDims(shapes_[depth]));
        for (std::int64_t a = 0; a < whole[0]; a += tile[0])
            for (std::int64_t b = 0; b < whole[1]; b += tile[1]) {
                const Tensor one = run(depth + 1, part(depth, operands, {a, b}));
                if (isReduction(entry.role)) {
                    accumulate(result, one);
                    continue;
                }
                std::vector<std::int64_t> to(result.type.dims.size(), 0);
                (pixels || entry.axis == LoopAxis::Vectors ? to.front() : to.back()) = a;
                if (pixels)
                    to[1] = b;
                copyBox(one, result, {std::vector<std::int64_t>(to.size(), 0), to, one.type.dims});
            }
        return result;
    }

    Tensor padded(std::size_t depth, const UnitOperands& operands) const {
        const Tensor larger = run(depth + 1, part(depth, operands, {0, 0}));
        const Shape dims = resultDims(shapes_[depth]);
        return slice(larger, std::vector<std::int64_t>(dims.size(), 0), dims);
    }

    const UnitTerm& term_;
    std::vector<UnitShape> shapes_; ///< of the suffixes
};

} // namespace

std::optional<UnitShape> shapeOf(const UnitTerm& term) {
    std::optional<UnitShape> shape;
    for (std::size_t k = term.size(); k-- > 0;) {
        const bool leaf = info(term[k].skeleton).role == SkeletonRole::Leaf;
        if (leaf != (k + 1 == term.size()))
            return std::nullopt;
        shape = shapeOf(term[k].skeleton, term[k].params, leaf ? nullptr : &*shape);
        if (!shape)
            return std::nullopt;
    }
    return shape;
}

std::string print(const UnitTerm& term) {
    std::string text;
    for (const TermNode& node : term)
        text += (text.empty() ? "" : "(") + printNode(info(node.skeleton).name, node.params);
    return text + std::string(term.empty() ? 0 : term.size() - 1, ')');
}

Tensor denote(const UnitTerm& term, const UnitOperands& operands) {
    return Denotation(term).run(0, operands);
}

} // namespace marquetry::rules
