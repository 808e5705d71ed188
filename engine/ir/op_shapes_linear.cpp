// Types of operators made of multiply–accumulates.
#include "engine/ir/op_shape_checks.h"

namespace marquetry::ir::cells {

namespace {

Result<Type> conv1dType(const char* op, std::size_t axis, Types operands, const OpParams& params,
                        Diagnostics& warnings) {
    const Type& image = operands[0];
    const Type& kernel = operands[1];
    if (auto bad = needRank(op, "an image", image, {2, "H×W"}))
        return *bad;
    if (auto bad = needRank(op, "a kernel", kernel, {1, "K"}))
        return *bad;
    const auto count = windows({op, axis == 0 ? "rows" : "columns", image.dims[axis],
                                kernel.dims[0], 1, params.pad.top, params.pad.bottom},
                               warnings);
    if (!count)
        return count.error();
    Type result{Scalar::I32, image.dims};
    result.dims[axis] = *count;
    return result;
}

} // namespace

Result<Type> convType(Types operands, const OpParams& params, Diagnostics& warnings) {
    const Type& x = operands[0];
    const Type& w = operands[1];
    if (auto bad = needRank("conv", "an input", x, {3, "H×W×ICH"}))
        return *bad;
    if (auto bad = needRank("conv", "weights", w, {4, "OCH×KH×KW×ICH"}))
        return *bad;
    if (auto bad = badFill("conv", x, params))
        return *bad;
    if (x.dims[2] % params.groups != 0 || w.dims[0] % params.groups != 0)
        return shapeMismatch("conv: " + text(params.groups) + " groups divide neither " +
                                 text(x.dims[2]) + " channels nor " + text(w.dims[0]) +
                                 " results evenly",
                             "both must be multiples of groups");
    if (x.dims[2] / params.groups != w.dims[3])
        return shapeMismatch("conv: the input has " + text(x.dims[2]) + " channels (" +
                                 toString(x) + "), but the weights have " + text(w.dims[3]) + " (" +
                                 toString(w) + ")",
                             params.groups == 1 ? "weights are OCH×KH×KW×ICH"
                                                : "weights are OCH×KH×KW×(ICH ÷ groups)");
    return slide(x, {"conv", {w.dims[1], w.dims[2]}, params.stride, params.pad},
                 {Scalar::I32, {0, 0, w.dims[0]}}, warnings);
}

Result<Type> dwconvType(Types operands, const OpParams& params, Diagnostics& warnings) {
    const Type& x = operands[0];
    const Type& w = operands[1];
    if (auto bad = needRank("dwconv", "an input", x, {3, "H×W×C"}))
        return *bad;
    if (auto bad = needRank("dwconv", "weights", w, {3, "C×KH×KW"}))
        return *bad;
    if (auto bad = badFill("dwconv", x, params))
        return *bad;
    if (w.dims[0] % x.dims[2] != 0)
        return shapeMismatch("dwconv: the input has " + text(x.dims[2]) +
                                 " channels, but the weights have " + text(w.dims[0]),
                             "weights are C×KH×KW, or (m·C)×KH×KW for m results of each channel");
    return slide(x, {"dwconv", {w.dims[1], w.dims[2]}, params.stride, params.pad},
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

} // namespace marquetry::ir::cells
