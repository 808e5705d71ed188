#include "engine/rules/denotation.h"

#include "engine/support/assert.h"

#include <algorithm>

namespace marquetry::rules {

namespace {

using ir::LoopAxis;
using ir::Scalar;
using ir::Shape;
using ir::Tensor;
using ir::UnitFunction;
using ir::UnitShape;

std::size_t at(std::int64_t index) {
    return static_cast<std::size_t>(index);
}

Tensor zeros(Scalar scalar, Shape dims) {
    Tensor tensor{{scalar, std::move(dims)}, {}};
    tensor.data.assign(at(tensor.type.elements()), 0);
    return tensor;
}

/// Copies a box of `from` that starts at `fromStart` to `to` at `toStart`; what lies outside either
/// tensor is left alone.
struct Box {
    std::vector<std::int64_t> fromStart;
    std::vector<std::int64_t> toStart;
    std::vector<std::int64_t> extent;
};

void copyBox(const Tensor& from, Tensor& to, const Box& box) {
    const std::size_t rank = from.type.dims.size();
    std::vector<std::int64_t> index(rank, 0);
    for (bool more = true; more;) {
        std::int64_t source = 0;
        std::int64_t target = 0;
        bool inside = true;
        for (std::size_t k = 0; k < rank; ++k) {
            const std::int64_t s = box.fromStart[k] + index[k];
            const std::int64_t t = box.toStart[k] + index[k];
            inside = inside && s < from.type.dims[k] && t < to.type.dims[k];
            source = source * from.type.dims[k] + s;
            target = target * to.type.dims[k] + t;
        }
        if (inside)
            to.data[at(target)] = from.data[at(source)];
        more = false;
        for (std::size_t k = rank; k-- > 0;) {
            if (++index[k] < box.extent[k]) {
                more = true;
                break;
            }
            index[k] = 0;
        }
    }
}

/// A tensor of `dims` cut out of `from` at `start`; zeros where it reaches past the end.
Tensor slice(const Tensor& from, std::vector<std::int64_t> start, const Shape& dims) {
    Tensor part = zeros(from.type.scalar, dims);
    copyBox(from, part, {std::move(start), std::vector<std::int64_t>(dims.size(), 0), dims});
    return part;
}

void accumulate(Tensor& sum, const Tensor& part) {
    for (std::size_t k = 0; k < sum.data.size(); ++k)
        sum.data[k] = ir::wrap(Scalar::I32, sum.data[k] + part.data[k]);
}

Shape resultDims(const UnitShape& shape) {
    if (shape.function == UnitFunction::Conv || shape.function == UnitFunction::Map)
        return {shape.height, shape.width, shape.rows};
    return {shape.rows};
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
        const SkeletonInfo& entry = info(term_[depth].skeleton);
        switch (entry.skeleton) {
        case Skeleton::ParallelDot:
            return dots(depth, operands);
        case Skeleton::Map:
            return operands.data;
        case Skeleton::Mv:
            return matrixVector(depth, operands);
        case Skeleton::Conv:
            return convolution(depth, operands);
        default:
            break;
        }
        return entry.role == Role::Pad ? padded(depth, operands) : looped(depth, operands);
    }

private:
    static void checkOperands(const UnitShape& shape, const UnitOperands& operands) {
        const auto dims = operandDims(shape);
        ENGINE_ASSERT(operands.data.type.dims == dims[0], "the data operand has the term's shape");
        ENGINE_ASSERT(shape.function == UnitFunction::Map || operands.weight.type.dims == dims[1],
                      "the weights have the term's shape");
    }

    Tensor dots(std::size_t depth, const UnitOperands& operands) const {
        const UnitShape& shape = shapes_[depth];
        const std::int64_t parallel = term_[depth].params[0];
        Tensor result = zeros(Scalar::I32, resultDims(shape));
        for (std::int64_t first = 0; first < shape.rows; first += parallel)
            for (std::int64_t row = first; row < std::min(first + parallel, shape.rows); ++row) {
                std::int64_t sum = 0;
                for (std::int64_t k = 0; k < shape.cols; ++k)
                    sum = ir::wrap(Scalar::I32,
                                   sum + operands.data.data[at(row * shape.cols + k)] *
                                             operands.weight.data[at(row * shape.cols + k)]);
                result.data[at(row)] = sum;
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

    Tensor convolution(std::size_t depth, const UnitOperands& operands) const {
        const UnitShape& shape = shapes_[depth];
        const std::int64_t k = shape.kernel;
        Tensor matrix = operands.weight;
        matrix.type.dims = {shape.rows, shape.cols};
        Tensor result = zeros(Scalar::I32, resultDims(shape));
        for (std::int64_t y = 0; y < shape.height; ++y)
            for (std::int64_t x = 0; x < shape.width; ++x) {
                Tensor window = slice(operands.data, {y * shape.stride, x * shape.stride, 0},
                                      {k, k, shape.channels});
                window.type.dims = {shape.cols};
                const Tensor pixel = run(depth + 1, {std::move(window), matrix});
                std::ranges::copy(pixel.data,
                                  result.data.begin() + (y * shape.width + x) * shape.rows);
            }
        return result;
    }

    /// Operands of the child that start at the given position of each loop axis.
    UnitOperands part(std::size_t depth, const UnitOperands& operands,
                      const std::array<std::int64_t, 2>& start) const {
        const auto dims = operandDims(shapes_[depth + 1]);
        std::vector<std::int64_t> data(dims[0].size(), 0);
        std::vector<std::int64_t> weight(dims[1].size(), 0);
        const bool map = shapes_[depth].function == UnitFunction::Map;
        switch (info(term_[depth].skeleton).axis) {
        case LoopAxis::Rows:
            (map ? data.back() : weight.front()) = start[0];
            break;
        case LoopAxis::Cols:
        case LoopAxis::Channels:
            data.back() = start[0];
            weight.back() = start[0];
            break;
        case LoopAxis::Pixels:
            data[0] = start[0] * shapes_[depth].stride;
            data[1] = start[1] * shapes_[depth].stride;
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
                (pixels ? to.front() : to.back()) = a;
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
        const bool leaf = info(term[k].skeleton).role == Role::Leaf;
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

std::array<Shape, 2> operandDims(const UnitShape& shape) {
    switch (shape.function) {
    case UnitFunction::Dot:
        return {Shape{shape.rows, shape.cols}, Shape{shape.rows, shape.cols}};
    case UnitFunction::Mv:
        return {Shape{shape.cols}, Shape{shape.rows, shape.cols}};
    case UnitFunction::Conv:
        return {Shape{(shape.height - 1) * shape.stride + shape.kernel,
                      (shape.width - 1) * shape.stride + shape.kernel, shape.channels},
                Shape{shape.rows, shape.kernel, shape.kernel, shape.channels}};
    case UnitFunction::Map:
        break;
    }
    return {Shape{shape.height, shape.width, shape.rows}, Shape{}};
}

Tensor denote(const UnitTerm& term, const UnitOperands& operands) {
    return Denotation(term).run(0, operands);
}

} // namespace marquetry::rules
