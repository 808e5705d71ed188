#include "engine/ir/op_shape_checks.h"
#include "engine/support/checked_math.h"
#include "engine/support/limits.h"

#include <algorithm>

namespace marquetry::ir::cells {

namespace {

std::optional<Diagnostic> badAxis(const char* op, const Type& type, std::int64_t axis) {
    if (axis < static_cast<std::int64_t>(type.dims.size()))
        return std::nullopt;
    return badParameter(std::string(op) + ": axis " + text(axis) + " does not exist in " +
                            toString(type),
                        "axes count from 0");
}

} // namespace

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

namespace {

std::optional<Diagnostic> badRounding(const char* op, const OpParams& params, std::int64_t shift) {
    if (params.tie == 0)
        return std::nullopt;
    if (params.round != Rounding::Even)
        return badParameter(std::string(op) + ": tie goes with round: even");
    if (params.vectors & kVectorShift)
        return std::nullopt;
    if (shift < 1 || params.tie >= std::int64_t{1} << (shift - 1))
        return badParameter(std::string(op) + ": tie " + text(params.tie) +
                                " must be smaller than half of 2^" + text(shift),
                            "it says how far from a half still counts as a half");
    return std::nullopt;
}

/// Of what requant takes besides its input.
std::optional<Diagnostic> badVector(const Type& x, const Type& vector, const char* what,
                                    Scalar scalar) {
    if (vector.scalar != scalar)
        return makeError("type-mismatch", std::string("requant: the ") + what + " must be an " +
                                              std::string(info(scalar).name) +
                                              " weight, but it is " + toString(vector));
    if (x.dims.empty() || vector.dims != Shape{x.dims.back()})
        return shapeMismatch(std::string("requant: the ") + what +
                             " must have the last dimension of " + toString(x) + ", but it is " +
                             toString(vector));
    return std::nullopt;
}

Result<Type> poolType(const char* op, const Type& x, const OpParams& params, Scalar scalar,
                      Diagnostics& warnings) {
    if (auto bad = needRank(op, "an input", x, {3, "H×W×C"}))
        return *bad;
    Pads pad = params.pad;
    pad.bottom += params.padAfter;
    pad.right += params.padAfter;
    return slide(x, {op, params.size, params.stride, pad}, {scalar, {0, 0, x.dims[2]}}, warnings);
}

/// Windows that may lie in the padding whole.
std::optional<Diagnostic> emptyWindows(const char* op, const OpParams& params, const char* of) {
    const Pads& pad = params.pad;
    if (std::max(pad.top, pad.bottom + params.padAfter) < params.size.vertical &&
        std::max(pad.left, pad.right + params.padAfter) < params.size.horizontal)
        return std::nullopt;
    return badParameter(std::string(op) + ": " +
                            (params.padAfter > 0 && pad.isNone()
                                 ? "pad_after " + text(params.padAfter)
                                 : "the padding on each side") +
                            " must be smaller than size" +
                            (params.size.isSquare() ? " " + text(params.size.vertical) : ""),
                        std::string("a window of padding alone has no ") + of);
}

} // namespace

Result<Type> requantType(Types operands, const OpParams& params, Diagnostics&) {
    const Type& x = operands[0];
    const struct {
        unsigned bit;
        const char* what;
        Scalar scalar;
    } vectors[] = {{kVectorMul, "multiplier", Scalar::I32},
                   {kVectorAdd, "addend", Scalar::I32},
                   {kVectorShift, "shift", Scalar::U8}};
    std::size_t next = 1;
    for (const auto& vector : vectors)
        if (params.vectors & vector.bit)
            if (auto bad = badVector(x, operands[next++], vector.what, vector.scalar))
                return *bad;
    if (auto bad = badRounding("requant", params, params.shift))
        return *bad;
    return Type{params.to, x.dims};
}

Result<Type> qaddType(Types operands, const OpParams& params, Diagnostics&) {
    if (operands[0].dims != operands[1].dims)
        return shapeMismatch("qadd: the operands are " + toString(operands[0]) + " and " +
                             toString(operands[1]) + "; their shapes must be equal");
    if (auto bad = badRounding("qadd", params, params.shift))
        return *bad;
    return Type{params.to, operands[0].dims};
}

Result<Type> clipType(Types operands, const OpParams& params, Diagnostics&) {
    const ScalarInfo& scalar = info(operands[0].scalar);
    if (params.lo > params.hi || params.lo < scalar.min || params.hi > scalar.max)
        return badParameter("clip: " + text(params.lo) + " to " + text(params.hi) +
                                " is no part of " + std::string(scalar.name),
                            text(scalar.min) + " <= lo <= hi <= " + text(scalar.max));
    return operands[0];
}

Result<Type> tableType(Types operands, const OpParams&, Diagnostics&) {
    const ScalarInfo& scalar = info(operands[0].scalar);
    if (scalar.bits > 8)
        return makeError("type-mismatch",
                         "table looks up values of at most 8 bits, but its operand is " +
                             toString(operands[0]),
                         "narrow the operand with requant(…, shift: …)");
    if (operands[1].dims != Shape{std::int64_t{1} << scalar.bits})
        return shapeMismatch("table: for " + std::string(scalar.name) + " there are " +
                                 text(std::int64_t{1} << scalar.bits) +
                                 " entries, but the table is " + toString(operands[1]),
                             "entry 0 is that of the least value");
    return Type{operands[1].scalar, operands[0].dims};
}

Result<Type> maxpoolType(Types operands, const OpParams& params, Diagnostics& warnings) {
    if (auto bad = emptyWindows("maxpool", params, "maximum"))
        return *bad;
    return poolType("maxpool", operands[0], params, operands[0].scalar, warnings);
}

Result<Type> sumpoolType(Types operands, const OpParams& params, Diagnostics& warnings) {
    if (auto bad = badFill("sumpool", operands[0], params))
        return *bad;
    return poolType("sumpool", operands[0], params, Scalar::I32, warnings);
}

Result<Type> avgpoolType(Types operands, const OpParams& params, Diagnostics& warnings) {
    if (auto bad = emptyWindows("avgpool", params, "average"))
        return *bad;
    const auto type = poolType("avgpool", operands[0], params, Scalar::I32, warnings);
    if (type && averageScale(operands[0], type->dims, params) == 0)
        return badParameter("avgpool: the windows have too many different numbers of elements",
                            "use fewer rows and columns of padding");
    return type;
}

Result<Type> upsampleType(Types operands, const OpParams& params, Diagnostics&) {
    const Type& x = operands[0];
    if (auto bad = needRank("upsample", "an input", x, {3, "H×W×C"}))
        return *bad;
    return Type{x.scalar,
                {saturatingMul(x.dims[0], params.factor.vertical),
                 saturatingMul(x.dims[1], params.factor.horizontal), x.dims[2]}};
}

Result<Type> depthToSpaceType(Types operands, const OpParams& params, Diagnostics&) {
    const Type& x = operands[0];
    if (auto bad = needRank("depth_to_space", "an input", x, {3, "H×W×C"}))
        return *bad;
    const std::int64_t pixels = saturatingMul(params.block, params.block);
    if (x.dims[2] % pixels != 0)
        return shapeMismatch("depth_to_space: blocks of " + text(params.block) + "×" +
                             text(params.block) + " do not divide the " + text(x.dims[2]) +
                             " channels of " + toString(x));
    return Type{x.scalar, {x.dims[0] * params.block, x.dims[1] * params.block, x.dims[2] / pixels}};
}

/// So that its sums of squares fit 128 bits.
constexpr std::int64_t kLongestRow = std::int64_t{1} << 20;

Result<Type> layernormType(Types operands, const OpParams& params, Diagnostics&) {
    if (auto bad = needRank("layernorm", "rows", operands[0], {2, "R×N"}))
        return *bad;
    if (operands[0].dims[1] > kLongestRow)
        return tooLarge("a row of layernorm has", operands[0].dims[1], kLongestRow, "elements");
    return Type{params.to, operands[0].dims};
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
