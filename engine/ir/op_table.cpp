#include "engine/ir/op_functions.h"
#include "engine/support/checked_math.h"
#include "engine/support/limits.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>

namespace marquetry::ir {

namespace {

using namespace cells;

constexpr std::int64_t kI32Min = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kI32Max = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMaxShift = 62;
constexpr std::int64_t kMaxFraction = 16;

constexpr OperandScalars kNarrow = OperandScalars::Narrow;
constexpr OperandScalars kWide = OperandScalars::NarrowOrI32;
constexpr OperandScalars kAny = OperandScalars::Any;

ParamSpec optionalInt(std::string_view name, ParamField field, std::int64_t min,
                      std::int64_t max = kI32Max) {
    return {name, ParamKind::Int, false, field, min, max};
}

ParamSpec requiredInt(std::string_view name, ParamField field, std::int64_t min,
                      std::int64_t max = kI32Max) {
    return {name, ParamKind::Int, true, field, min, max};
}

ParamSpec ints(std::string_view name, bool required, ParamField field, std::int64_t min,
               std::int64_t max = kI32Max) {
    return {name, ParamKind::Ints, required, field, min, max};
}

ParamSpec pads() {
    return ints("pad", false, &OpParams::pad, 0);
}

ParamSpec fill() {
    return optionalInt("fill", &OpParams::fill, kI32Min);
}

ParamSpec scalarName() {
    return {"to", ParamKind::ScalarName, false};
}

std::vector<ParamSpec> convParams() {
    return {pads(), ints("stride", false, &OpParams::stride, 1), fill()};
}

std::vector<ParamSpec> groupedConvParams() {
    std::vector<ParamSpec> params = convParams();
    params.push_back(optionalInt("groups", &OpParams::groups, 1));
    return params;
}

std::vector<ParamSpec> poolParams(std::initializer_list<ParamSpec> others) {
    std::vector<ParamSpec> params = {
        ints("size", true, &OpParams::size, 1),
        {"stride", ParamKind::Ints, false, &OpParams::stride, 1, kI32Max, &OpParams::size},
        pads()};
    params.insert(params.end(), others);
    return params;
}

ParamSpec intOrWeight(std::string_view name, bool required, std::int64_t OpParams::*field,
                      unsigned vector, Range bounds = {kI32Min, kI32Max}) {
    return {name,  ParamKind::IntOrWeight, required, field, bounds.lo, bounds.hi, nullptr, {},
            vector};
}

/// What comes behind the multiplication.
std::vector<ParamSpec> roundingParams() {
    ParamSpec round{"round", ParamKind::Word, false, &OpParams::round};
    round.words = {"up", "down", "away", "even"};
    return {optionalInt("zero", &OpParams::zero, kI32Min), scalarName(), round,
            optionalInt("tie", &OpParams::tie, 0, (std::int64_t{1} << kMaxShift) - 1)};
}

std::vector<ParamSpec> requantParams() {
    std::vector<ParamSpec> params = {
        intOrWeight("mul", false, &OpParams::mul, kVectorMul),
        intOrWeight("add", false, &OpParams::add, kVectorAdd),
        intOrWeight("shift", true, &OpParams::shift, kVectorShift, {0, kMaxShift})};
    std::ranges::copy(roundingParams(), std::back_inserter(params));
    return params;
}

std::vector<ParamSpec> qaddParams() {
    std::vector<ParamSpec> params = {ints("mul", true, &OpParams::muls, kI32Min),
                                     optionalInt("add", &OpParams::add, kI32Min),
                                     requiredInt("shift", &OpParams::shift, 0, kMaxShift)};
    std::ranges::copy(roundingParams(), std::back_inserter(params));
    return params;
}

std::vector<ParamSpec> listParam(std::string_view name, std::int64_t min) {
    return {{name, ParamKind::IntList, true, {}, min, std::int64_t{1} << 31}};
}

std::vector<OpInfo> linearOps() {
    const auto pad = optionalInt("pad", &OpParams::pad, 0);
    // clang-format off
    return {
        {OpKind::Conv, "conv", 2, kNarrow, false, groupedConvParams(),
         convType, convRange, evalConv, convMacs},
        {OpKind::DwConv, "dwconv", 2, kNarrow, false, convParams(),
         dwconvType, dwconvRange, evalDwConv, dwconvMacs},
        {OpKind::Conv1dW, "conv1d_w", 2, kNarrow, false, {pad},
         conv1dWType, conv1dRange, evalConv1dW, conv1dWMacs},
        {OpKind::Conv1dH, "conv1d_h", 2, kNarrow, false, {pad},
         conv1dHType, conv1dRange, evalConv1dH, conv1dHMacs},
        {OpKind::Mm, "mm", 2, kNarrow, false, {}, mmType, dotRange, evalMm, mmMacs},
        {OpKind::Bmm, "bmm", 2, kNarrow, false, {}, bmmType, dotRange, evalBmm, bmmMacs},
        {OpKind::Mv, "mv", 2, kNarrow, false, {}, mvType, dotRange, evalMv, firstOperandMacs},
        {OpKind::Dot, "dot", 2, kNarrow, false, {}, dotType, dotRange, evalDot, firstOperandMacs},
    };
    // clang-format on
}

std::vector<OpInfo> pointwiseOps() {
    const auto num = requiredInt("num", &OpParams::num, kI32Min, kI32Max);
    const auto shift = requiredInt("shift", &OpParams::shift, 0, kMaxShift);
    // clang-format off
    return {
        {OpKind::Add, "add", 2, kWide, false, {}, elementwiseType, addRange, evalAdd, noMacs},
        {OpKind::Sub, "sub", 2, kWide, false, {}, elementwiseType, subRange, evalSub, noMacs},
        {OpKind::Mul, "mul", 2, kWide, false, {}, elementwiseType, mulRange, evalMul, noMacs},
        {OpKind::Relu, "relu", 1, kWide, false, {}, sameType, reluRange, evalRelu, noMacs},
        {OpKind::Leaky, "leaky", 1, kWide, false, {num, shift},
         sameType, leakyRange, evalLeaky, noMacs},
        {OpKind::Requant, "requant", 1, kWide, false, requantParams(),
         requantType, requantRange, evalRequant, noMacs},
        {OpKind::MaxPool, "maxpool", 1, kNarrow, false,
         poolParams({optionalInt("pad_after", &OpParams::padAfter, 0)}),
         maxpoolType, sameRange, evalMaxPool, noMacs},
        {OpKind::SumPool, "sumpool", 1, kNarrow, false, poolParams({fill()}),
         sumpoolType, sumpoolRange, evalSumPool, noMacs},
    };
    // clang-format on
}

std::vector<OpInfo> networkOps() {
    const auto lo = requiredInt("lo", &OpParams::lo, kI32Min);
    const auto hi = requiredInt("hi", &OpParams::hi, kI32Min);
    const auto fraction = requiredInt("shift", &OpParams::shift, 0, kMaxFraction);
    const auto block = requiredInt("block", &OpParams::block, 1);
    ParamSpec order{"order", ParamKind::Word, false, &OpParams::order};
    order.words = {"dcr", "crd"};
    // clang-format off
    return {
        {OpKind::Softmax, "softmax", 1, kWide, false, {},
         softmaxType, softmaxRange, evalSoftmax, noMacs},
        {OpKind::LayerNorm, "layernorm", 1, kNarrow, false, {fraction, scalarName()},
         layernormType, layernormRange, evalLayerNorm, noMacs},
        {OpKind::QAdd, "qadd", 2, kNarrow, false, qaddParams(),
         qaddType, qaddRange, evalQAdd, noMacs},
        {OpKind::Clip, "clip", 1, kWide, false, {lo, hi}, clipType, clipRange, evalClip, noMacs},
        {OpKind::Table, "table", 2, kWide, false, {}, tableType, tableRange, evalTable, noMacs},
        {OpKind::AvgPool, "avgpool", 1, kNarrow, false, poolParams({}),
         avgpoolType, avgpoolRange, evalAvgPool, noMacs},
        {OpKind::Upsample, "upsample", 1, kAny, false, {ints("factor", true, &OpParams::factor, 1)},
         upsampleType, sameRange, evalUpsample, noMacs},
        {OpKind::DepthToSpace, "depth_to_space", 1, kAny, false, {block, order},
         depthToSpaceType, sameRange, evalDepthToSpace, noMacs},
    };
    // clang-format on
}

std::vector<OpInfo> viewOps() {
    const auto axis = requiredInt("axis", &OpParams::axis, 0);
    const auto from = requiredInt("from", &OpParams::from, 0);
    const auto until = requiredInt("to", &OpParams::until, 0);
    const auto dims = listParam("dims", 1);
    const auto order = listParam("order", 0);
    // clang-format off
    return {
        {OpKind::Slice, "slice", 1, kAny, true, {axis, from, until},
         sliceType, sameRange, evalSlice, noMacs},
        {OpKind::Concat, "concat", 2, kAny, true, {axis},
         concatType, concatRange, evalConcat, noMacs},
        {OpKind::Flatten, "flatten", 1, kAny, true, {}, flattenType, sameRange, evalCopy, noMacs},
        {OpKind::Reshape, "reshape", 1, kAny, true, dims,
         reshapeType, sameRange, evalCopy, noMacs},
        {OpKind::Transpose, "transpose", 1, kAny, true, {},
         transposeType, sameRange, evalTranspose, noMacs},
        {OpKind::Permute, "permute", 1, kAny, true, order,
         permuteType, sameRange, evalPermute, noMacs},
    };
    // clang-format on
}

/// In the order of OpKind.
std::vector<OpInfo> makeTable() {
    std::vector<OpInfo> entries;
    for (std::vector<OpInfo> part : {linearOps(), pointwiseOps(), viewOps(), networkOps()})
        std::move(part.begin(), part.end(), std::back_inserter(entries));
    ENGINE_ASSERT(entries.size() == kOpCount, "one entry per operator");
    return entries;
}

const std::vector<OpInfo>& table() {
    static const std::vector<OpInfo> kEntries = makeTable();
    return kEntries;
}

bool allows(OperandScalars allowed, Scalar scalar) {
    if (allowed == OperandScalars::Any)
        return true;
    if (scalar == Scalar::I32)
        return allowed == OperandScalars::NarrowOrI32;
    return scalar != Scalar::U32 && scalar != Scalar::Bit;
}

Diagnostic wrongScalar(const OpInfo& op, Scalar scalar) {
    const bool wide = op.scalars == OperandScalars::NarrowOrI32;
    return makeError(
        "type-mismatch",
        std::string(op.name) + " takes " +
            (wide ? "integers of 2 to 8 and 16 bits, or i32" : "integers of 2 to 8 or 16 bits") +
            ", but an operand is " + std::string(info(scalar).name),
        scalar == Scalar::I32 ? "narrow the operand with requant(…, shift: …)" : "");
}

Diagnostic wrongCount(const OpInfo& op, std::size_t count) {
    return makeError("operand-count", std::string(op.name) + " takes " +
                                          std::to_string(op.operands) +
                                          (op.operands == 1 ? " operand" : " operands") +
                                          ", but got " + std::to_string(count));
}

} // namespace

const OpInfo& info(OpKind kind) {
    return table()[static_cast<std::size_t>(kind)];
}

const OpInfo* opNamed(std::string_view name) {
    for (const OpInfo& entry : table()) {
        if (entry.name == name)
            return &entry;
    }
    return nullptr;
}

std::span<const OpInfo> opTable() {
    return table();
}

Result<Type> inferType(OpKind kind, std::span<const Type> operands, const OpParams& params,
                       Diagnostics& warnings) {
    const OpInfo& op = info(kind);
    const auto vectors = static_cast<std::size_t>(std::popcount(params.vectors));
    if (operands.size() != static_cast<std::size_t>(op.operands) + vectors)
        return wrongCount(op, operands.size());
    for (const Type& operand : operands) {
        if (!allows(op.scalars, operand.scalar))
            return wrongScalar(op, operand.scalar);
    }
    Result<Type> type = op.type(operands, params, warnings);
    if (!type)
        return type;
    const auto elements = checkedProduct(type->dims);
    if (!elements || *elements > kMaxElements)
        return tooLarge("the result of " + std::string(op.name) + ", " + toString(*type) + ", has",
                        elements.value_or(INT64_MAX), kMaxElements, "elements");
    return type;
}

Result<Tensor> apply(OpKind kind, std::span<const Tensor* const> operands, const OpParams& params) {
    std::vector<Type> types;
    for (const Tensor* operand : operands)
        types.push_back(operand->type);
    Diagnostics warnings;
    Result<Type> type = inferType(kind, types, params, warnings);
    if (!type)
        return std::move(type).error();
    Tensor result{*type, std::vector<std::int64_t>(static_cast<std::size_t>(type->elements()))};
    info(kind).evaluate(operands, params, result, {});
    return result;
}

std::int64_t wrap(Scalar scalar, std::int64_t value) {
    const ScalarInfo& s = info(scalar);
    const int unused = 64 - s.bits;
    const std::uint64_t top = static_cast<std::uint64_t>(value) << unused;
    return s.isSigned ? static_cast<std::int64_t>(top) >> unused
                      : static_cast<std::int64_t>(top >> unused);
}

Range fullRange(Scalar scalar) {
    return {info(scalar).min, info(scalar).max};
}

} // namespace marquetry::ir
