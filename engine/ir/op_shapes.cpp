#include "engine/ir/op_functions.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <optional>

namespace marquetry::ir::cells {

namespace {

Diagnostic shapeMismatch(std::string message, std::string hint = {}) {
    return makeError("shape-mismatch", std::move(message), std::move(hint));
}

Diagnostic badParameter(std::string message, std::string hint = {}) {
    return makeError("bad-parameter", std::move(message), std::move(hint));
}

std::string text(std::int64_t value) {
    return std::to_string(value);
}

/// A diagnostic unless the operand has the rank; `form` shows it, e.g. "H×W×C".
std::optional<Diagnostic> needRank(const char* op, const char* operand, const Type& type,
                                   std::pair<std::size_t, const char*> rank) {
    if (type.dims.size() == rank.first)
        return std::nullopt;
    return shapeMismatch(std::string(op) + " expects " + operand + " of shape " + rank.second +
                         ", but got " + toString(type));
}

struct Window {
    const char* op;
    const char* unit; ///< "rows", "columns"
    std::int64_t extent;
    std::int64_t size;
    std::int64_t stride;
    std::int64_t padding; ///< on both sides together
    std::int64_t padAfter;
};

/// Rows (columns) that no window reaches: those after the last window, and the gaps between
/// windows when the stride is larger than the window.
std::int64_t uncovered(const Window& w, std::int64_t count) {
    const std::int64_t room = w.extent + w.padding - w.size;
    const std::int64_t after = std::max<std::int64_t>(room % w.stride - w.padAfter, 0);
    const std::int64_t gap = std::max<std::int64_t>(w.stride - w.size, 0);
    return std::min(after + (count - 1) * gap, w.extent);
}

/// ⌊(extent + padding − size) / stride⌋ + 1.
Result<std::int64_t> windows(const Window& w, Diagnostics& warnings) {
    const std::int64_t room = w.extent + w.padding - w.size;
    if (room < 0)
        return shapeMismatch(std::string(w.op) + ": the window of " + text(w.size) + " " + w.unit +
                                 " is larger than its input of " + text(w.extent + w.padding) +
                                 " " + w.unit,
                             "use a smaller window or more padding");
    const std::int64_t count = room / w.stride + 1;
    const std::int64_t dropped = uncovered(w, count);
    if (dropped > 0)
        warnings.push_back(makeWarning("dropped-elements",
                                       std::string(w.op) + " drops " + text(dropped) + " of " +
                                           text(w.extent) + " " + w.unit +
                                           ": no window reaches them",
                                       "the division in the shape rounds down"));
    return count;
}

struct Window2d {
    const char* op;
    std::int64_t size;
    std::int64_t stride;
    std::int64_t padding;
    std::int64_t padAfter;
};

Result<Type> slide(const Type& input, const Window2d& w, Type result, Diagnostics& warnings) {
    const auto rows =
        windows({w.op, "rows", input.dims[0], w.size, w.stride, w.padding, w.padAfter}, warnings);
    if (!rows)
        return rows.error();
    const auto columns = windows(
        {w.op, "columns", input.dims[1], w.size, w.stride, w.padding, w.padAfter}, warnings);
    if (!columns)
        return columns.error();
    result.dims[0] = *rows;
    result.dims[1] = *columns;
    return result;
}

Result<Type> conv1dType(const char* op, std::size_t axis, Types operands, const OpParams& params,
                        Diagnostics& warnings) {
    const Type& image = operands[0];
    const Type& kernel = operands[1];
    if (auto bad = needRank(op, "an image", image, {2, "H×W"}))
        return *bad;
    if (auto bad = needRank(op, "a kernel", kernel, {1, "K"}))
        return *bad;
    const auto count = windows({op, axis == 0 ? "rows" : "columns", image.dims[axis],
                                kernel.dims[0], 1, 2 * params.pad, params.pad},
                               warnings);
    if (!count)
        return count.error();
    Type result{Scalar::I32, image.dims};
    result.dims[axis] = *count;
    return result;
}

std::optional<Diagnostic> badAxis(const char* op, const Type& type, std::int64_t axis) {
    if (axis < static_cast<std::int64_t>(type.dims.size()))
        return std::nullopt;
    return badParameter(std::string(op) + ": axis " + text(axis) + " does not exist in " +
                            toString(type),
                        "axes count from 0");
}

} // namespace

Result<Type> convType(Types operands, const OpParams& params, Diagnostics& warnings) {
    const Type& x = operands[0];
    const Type& w = operands[1];
    if (auto bad = needRank("conv", "an input", x, {3, "H×W×ICH"}))
        return *bad;
    if (auto bad = needRank("conv", "weights", w, {4, "OCH×K×K×ICH"}))
        return *bad;
    if (w.dims[1] != w.dims[2])
        return shapeMismatch("conv expects square windows, but the weights are " + toString(w));
    if (x.dims[2] != w.dims[3])
        return shapeMismatch("conv: the input has " + text(x.dims[2]) + " channels (" +
                                 toString(x) + "), but the weights have " + text(w.dims[3]) + " (" +
                                 toString(w) + ")",
                             "weights are OCH×K×K×ICH");
    return slide(x, {"conv", w.dims[1], params.stride, 2 * params.pad, params.pad},
                 {Scalar::I32, {0, 0, w.dims[0]}}, warnings);
}

Result<Type> dwconvType(Types operands, const OpParams& params, Diagnostics& warnings) {
    const Type& x = operands[0];
    const Type& w = operands[1];
    if (auto bad = needRank("dwconv", "an input", x, {3, "H×W×C"}))
        return *bad;
    if (auto bad = needRank("dwconv", "weights", w, {3, "C×K×K"}))
        return *bad;
    if (w.dims[1] != w.dims[2])
        return shapeMismatch("dwconv expects square windows, but the weights are " + toString(w));
    if (x.dims[2] != w.dims[0])
        return shapeMismatch("dwconv: the input has " + text(x.dims[2]) +
                                 " channels, but the weights have " + text(w.dims[0]),
                             "weights are C×K×K");
    return slide(x, {"dwconv", w.dims[1], params.stride, 2 * params.pad, params.pad},
                 {Scalar::I32, {0, 0, w.dims[0]}}, warnings);
}

Result<Type> conv1dWType(Types operands, const OpParams& params, Diagnostics& warnings) {
    return conv1dType("conv1d_w", 1, operands, params, warnings);
}

Result<Type> conv1dHType(Types operands, const OpParams& params, Diagnostics& warnings) {
    return conv1dType("conv1d_h", 0, operands, params, warnings);
}

Result<Type> mmType(Types operands, const OpParams&, Diagnostics&) {
    const Type& a = operands[0];
    const Type& b = operands[1];
    if (auto bad = needRank("mm", "a matrix", a, {2, "H×K"}))
        return *bad;
    if (auto bad = needRank("mm", "a second matrix", b, {2, "W×K"}))
        return *bad;
    if (a.dims[1] != b.dims[1])
        return shapeMismatch("mm: the rows have " + text(a.dims[1]) + " and " + text(b.dims[1]) +
                                 " elements (" + toString(a) + ", " + toString(b) + ")",
                             "the second matrix is given transposed: H×K, W×K");
    return Type{Scalar::I32, {a.dims[0], b.dims[0]}};
}

Result<Type> bmmType(Types operands, const OpParams&, Diagnostics&) {
    const Type& a = operands[0];
    const Type& b = operands[1];
    if (auto bad = needRank("bmm", "matrices", a, {3, "B×H×K"}))
        return *bad;
    if (auto bad = needRank("bmm", "second matrices", b, {3, "B×W×K"}))
        return *bad;
    if (a.dims[0] != b.dims[0] || a.dims[2] != b.dims[2])
        return shapeMismatch("bmm: " + toString(a) + " and " + toString(b) + " do not fit",
                             "the second matrices are given transposed: B×H×K, B×W×K");
    return Type{Scalar::I32, {a.dims[0], a.dims[1], b.dims[1]}};
}

Result<Type> mvType(Types operands, const OpParams&, Diagnostics&) {
    const Type& m = operands[0];
    const Type& v = operands[1];
    if (auto bad = needRank("mv", "a matrix", m, {2, "M×N"}))
        return *bad;
    if (v.dims.size() != 1)
        return shapeMismatch("mv expects a vector of shape N, but got " + toString(v),
                             "flatten(…) makes a vector of it; the matrix comes first");
    if (m.dims[1] != v.dims[0])
        return shapeMismatch("mv: the matrix has " + text(m.dims[1]) + " columns (" + toString(m) +
                             "), but the vector has " + text(v.dims[0]) + " elements");
    return Type{Scalar::I32, {m.dims[0]}};
}

Result<Type> dotType(Types operands, const OpParams&, Diagnostics&) {
    for (const Type& operand : operands) {
        if (auto bad = needRank("dot", "vectors", operand, {1, "N"}))
            return *bad;
    }
    if (operands[0].dims != operands[1].dims)
        return shapeMismatch("dot: the vectors have " + text(operands[0].dims[0]) + " and " +
                             text(operands[1].dims[0]) + " elements");
    return Type{Scalar::I32, {}};
}

Result<Type> elementwiseType(Types operands, const OpParams&, Diagnostics&) {
    const Shape& a = operands[0].dims;
    const Shape& b = operands[1].dims;
    const bool broadcast = b.size() == 1 && !a.empty() && a.back() == b[0];
    if (a != b && !broadcast)
        return shapeMismatch("the operands have shapes " + toString(operands[0]) + " and " +
                                 toString(operands[1]),
                             "shapes must be equal, or the second operand a vector of the last "
                             "dimension of the first");
    return Type{Scalar::I32, a};
}

Result<Type> sameType(Types operands, const OpParams&, Diagnostics&) {
    return operands[0];
}

Result<Type> requantType(Types operands, const OpParams& params, Diagnostics&) {
    const Type& x = operands[0];
    if (operands.size() == 2) {
        const Type& mul = operands[1];
        if (mul.scalar != Scalar::I32)
            return makeError("type-mismatch", "requant: the multiplier must be an i32 weight, but "
                                              "it is " +
                                                  toString(mul));
        if (x.dims.empty() || mul.dims != Shape{x.dims.back()})
            return shapeMismatch("requant: the multiplier must have the last dimension of " +
                                 toString(x) + ", but it is " + toString(mul));
    }
    return Type{params.to, x.dims};
}

Result<Type> maxpoolType(Types operands, const OpParams& params, Diagnostics& warnings) {
    const Type& x = operands[0];
    if (auto bad = needRank("maxpool", "an input", x, {3, "H×W×C"}))
        return *bad;
    if (params.padAfter >= params.size)
        return badParameter("maxpool: pad_after " + text(params.padAfter) +
                                " must be smaller than size " + text(params.size),
                            "a window of padding alone has no maximum");
    return slide(x, {"maxpool", params.size, params.stride, params.padAfter, params.padAfter},
                 {x.scalar, {0, 0, x.dims[2]}}, warnings);
}

Result<Type> sumpoolType(Types operands, const OpParams& params, Diagnostics& warnings) {
    const Type& x = operands[0];
    if (auto bad = needRank("sumpool", "an input", x, {3, "H×W×C"}))
        return *bad;
    return slide(x, {"sumpool", params.size, params.stride, 0, 0}, {Scalar::I32, {0, 0, x.dims[2]}},
                 warnings);
}

Result<Type> sliceType(Types operands, const OpParams& params, Diagnostics&) {
    Type type = operands[0];
    if (auto bad = badAxis("slice", type, params.axis))
        return *bad;
    std::int64_t& extent = type.dims[static_cast<std::size_t>(params.axis)];
    if (params.from >= params.until || params.until > extent)
        return badParameter("slice: " + text(params.from) + " to " + text(params.until) +
                                " is not a part of 0 to " + text(extent),
                            "the range is half-open and must not be empty");
    extent = params.until - params.from;
    return type;
}

Result<Type> concatType(Types operands, const OpParams& params, Diagnostics&) {
    const Type& a = operands[0];
    const Type& b = operands[1];
    if (a.scalar != b.scalar)
        return makeError("type-mismatch", "concat: the operands are " + toString(a) + " and " +
                                              toString(b) + "; their scalars must be equal");
    if (auto bad = badAxis("concat", a, params.axis))
        return *bad;
    const auto axis = static_cast<std::size_t>(params.axis);
    Type type = a;
    Shape other = b.dims;
    if (other.size() == a.dims.size()) {
        type.dims[axis] += b.dims[axis];
        other[axis] = a.dims[axis];
    }
    if (other != a.dims)
        return shapeMismatch("concat: " + toString(a) + " and " + toString(b) +
                             " differ in another axis than " + text(params.axis));
    return type;
}

Result<Type> flattenType(Types operands, const OpParams&, Diagnostics&) {
    return Type{operands[0].scalar, {operands[0].elements()}};
}

Result<Type> reshapeType(Types operands, const OpParams& params, Diagnostics&) {
    if (checkedProduct(params.list) != operands[0].elements())
        return shapeMismatch("reshape: " + toString(operands[0]) + " has " +
                             text(operands[0].elements()) + " elements, not as many as " +
                             toString(Type{operands[0].scalar, params.list}));
    return Type{operands[0].scalar, params.list};
}

Result<Type> transposeType(Types operands, const OpParams&, Diagnostics&) {
    const Type& x = operands[0];
    if (x.dims.size() != 2)
        return shapeMismatch("transpose expects a matrix, but got " + toString(x),
                             "permute(x, order: […]) reorders more axes");
    return Type{x.scalar, {x.dims[1], x.dims[0]}};
}

Result<Type> permuteType(Types operands, const OpParams& params, Diagnostics&) {
    const Type& x = operands[0];
    std::vector<bool> seen(x.dims.size(), false);
    Type type{x.scalar, {}};
    for (const std::int64_t axis : params.list) {
        const auto k = static_cast<std::size_t>(axis);
        if (k >= seen.size() || seen[k])
            break;
        seen[k] = true;
        type.dims.push_back(x.dims[k]);
    }
    if (type.dims.size() != x.dims.size() || params.list.size() != x.dims.size())
        return badParameter("permute: the order must name each of the " + text(std::ssize(x.dims)) +
                                " axes of " + toString(x) + " once",
                            "axes count from 0");
    return type;
}

Result<Type> softmaxType(Types operands, const OpParams&, Diagnostics&) {
    if (auto bad = needRank("softmax", "rows", operands[0], {2, "R×N"}))
        return *bad;
    return Type{Scalar::U8, operands[0].dims};
}

} // namespace marquetry::ir::cells
