// The columns of the operator table, one function per cell; only the table (op_table.cpp) and the
// files that define the cells include this.
//
// Type cells: operands have the right number and scalars, integer parameters lie in the bounds of
// their ParamSpec. Errors carry no place. Range cells: exact, before wrapping; no intermediate
// leaves 64 bits, because operands have at most 2^31 elements of at most 32 bits. Evaluate cells:
// see OpInfo::evaluate. Thread rule: pure.
#pragma once

#include "engine/ir/op.h"

#include <algorithm>

namespace marquetry::ir::cells {

using Types = std::span<const Type>;
using Ranges = std::span<const Range>;
using Operands = std::span<const Tensor* const>;
using Stop = const std::stop_token&;

Result<Type> convType(Types, const OpParams&, Diagnostics&);
Result<Type> dwconvType(Types, const OpParams&, Diagnostics&);
Result<Type> conv1dWType(Types, const OpParams&, Diagnostics&);
Result<Type> conv1dHType(Types, const OpParams&, Diagnostics&);
Result<Type> mmType(Types, const OpParams&, Diagnostics&);
Result<Type> bmmType(Types, const OpParams&, Diagnostics&);
Result<Type> mvType(Types, const OpParams&, Diagnostics&);
Result<Type> dotType(Types, const OpParams&, Diagnostics&);
Result<Type> elementwiseType(Types, const OpParams&, Diagnostics&);
Result<Type> sameType(Types, const OpParams&, Diagnostics&);
Result<Type> requantType(Types, const OpParams&, Diagnostics&);
Result<Type> maxpoolType(Types, const OpParams&, Diagnostics&);
Result<Type> sumpoolType(Types, const OpParams&, Diagnostics&);
Result<Type> sliceType(Types, const OpParams&, Diagnostics&);
Result<Type> concatType(Types, const OpParams&, Diagnostics&);
Result<Type> flattenType(Types, const OpParams&, Diagnostics&);
Result<Type> reshapeType(Types, const OpParams&, Diagnostics&);
Result<Type> transposeType(Types, const OpParams&, Diagnostics&);
Result<Type> permuteType(Types, const OpParams&, Diagnostics&);
Result<Type> softmaxType(Types, const OpParams&, Diagnostics&);
Result<Type> layernormType(Types, const OpParams&, Diagnostics&);
Result<Type> qaddType(Types, const OpParams&, Diagnostics&);
Result<Type> clipType(Types, const OpParams&, Diagnostics&);
Result<Type> tableType(Types, const OpParams&, Diagnostics&);
Result<Type> avgpoolType(Types, const OpParams&, Diagnostics&);
Result<Type> upsampleType(Types, const OpParams&, Diagnostics&);
Result<Type> depthToSpaceType(Types, const OpParams&, Diagnostics&);

Range convRange(Types, Ranges, const OpParams&);
Range dwconvRange(Types, Ranges, const OpParams&);
Range conv1dRange(Types, Ranges, const OpParams&);
Range dotRange(Types, Ranges, const OpParams&);
Range addRange(Types, Ranges, const OpParams&);
Range subRange(Types, Ranges, const OpParams&);
Range mulRange(Types, Ranges, const OpParams&);
Range reluRange(Types, Ranges, const OpParams&);
Range leakyRange(Types, Ranges, const OpParams&);
Range requantRange(Types, Ranges, const OpParams&);
Range sumpoolRange(Types, Ranges, const OpParams&);
Range sameRange(Types, Ranges, const OpParams&);
Range concatRange(Types, Ranges, const OpParams&);
Range softmaxRange(Types, Ranges, const OpParams&);
Range layernormRange(Types, Ranges, const OpParams&);
Range qaddRange(Types, Ranges, const OpParams&);
Range clipRange(Types, Ranges, const OpParams&);
Range tableRange(Types, Ranges, const OpParams&);
Range avgpoolRange(Types, Ranges, const OpParams&);

void evalConv(Operands, const OpParams&, Tensor&, Stop);
void evalDwConv(Operands, const OpParams&, Tensor&, Stop);
void evalConv1dW(Operands, const OpParams&, Tensor&, Stop);
void evalConv1dH(Operands, const OpParams&, Tensor&, Stop);
void evalMm(Operands, const OpParams&, Tensor&, Stop);
void evalBmm(Operands, const OpParams&, Tensor&, Stop);
void evalMv(Operands, const OpParams&, Tensor&, Stop);
void evalDot(Operands, const OpParams&, Tensor&, Stop);
void evalAdd(Operands, const OpParams&, Tensor&, Stop);
void evalSub(Operands, const OpParams&, Tensor&, Stop);
void evalMul(Operands, const OpParams&, Tensor&, Stop);
void evalRelu(Operands, const OpParams&, Tensor&, Stop);
void evalLeaky(Operands, const OpParams&, Tensor&, Stop);
void evalRequant(Operands, const OpParams&, Tensor&, Stop);
void evalMaxPool(Operands, const OpParams&, Tensor&, Stop);
void evalSumPool(Operands, const OpParams&, Tensor&, Stop);
void evalSlice(Operands, const OpParams&, Tensor&, Stop);
void evalConcat(Operands, const OpParams&, Tensor&, Stop);
void evalCopy(Operands, const OpParams&, Tensor&, Stop);
void evalTranspose(Operands, const OpParams&, Tensor&, Stop);
void evalPermute(Operands, const OpParams&, Tensor&, Stop);
void evalSoftmax(Operands, const OpParams&, Tensor&, Stop);
void evalLayerNorm(Operands, const OpParams&, Tensor&, Stop);
void evalQAdd(Operands, const OpParams&, Tensor&, Stop);
void evalClip(Operands, const OpParams&, Tensor&, Stop);
void evalTable(Operands, const OpParams&, Tensor&, Stop);
void evalAvgPool(Operands, const OpParams&, Tensor&, Stop);
void evalUpsample(Operands, const OpParams&, Tensor&, Stop);
void evalDepthToSpace(Operands, const OpParams&, Tensor&, Stop);

std::int64_t convMacs(Types, const OpParams&);
std::int64_t dwconvMacs(Types, const OpParams&);
std::int64_t conv1dWMacs(Types, const OpParams&);
std::int64_t conv1dHMacs(Types, const OpParams&);
std::int64_t mmMacs(Types, const OpParams&);
std::int64_t bmmMacs(Types, const OpParams&);
std::int64_t firstOperandMacs(Types, const OpParams&);
std::int64_t noMacs(Types, const OpParams&);

/// Calls f(k) for 0 ≤ k < count, until the stop token fires: it is looked at now and then.
template <class F>
void forElements(std::size_t count, Stop stop, F f) {
    constexpr std::size_t kBetweenLooks = std::size_t{1} << 16;
    for (std::size_t first = 0; first < count && !stop.stop_requested(); first += kBetweenLooks) {
        for (std::size_t k = first; k < std::min(count, first + kBetweenLooks); ++k)
            f(k);
    }
}

__extension__ using Int128 = __int128;

/// value / 2^shift, rounded as params say. Exact for |value| < 2^120; shifts above 120 are as 120.
Int128 roundedShift(Int128 value, std::int64_t shift, const OpParams& params);
/// params.zero added and saturated to params.to.
std::int64_t saturated(Int128 value, const OpParams& params);

/// What a use of requant multiplies an element of channel c with, adds, and shifts by.
struct RequantFactors {
    std::int64_t mul, add, shift;
};
/// Exact for every i32 x and every factor of i32.
std::int64_t requantize(std::int64_t x, const RequantFactors& by, const OpParams& params);

/// Windows of a pool along one axis.
struct PoolAxis {
    std::int64_t extent, size, stride, before;
    /// Elements of window k that lie inside: [from, to).
    std::pair<std::int64_t, std::int64_t> inside(std::int64_t k) const {
        const std::int64_t start = k * stride - before;
        return {std::max<std::int64_t>(start, 0), std::min(start + size, extent)};
    }
};
PoolAxis poolRows(const Type& x, const OpParams& params);
PoolAxis poolColumns(const Type& x, const OpParams& params);
/// Of avgpool: the least common multiple of how many elements the windows have inside; 0 when it
/// is more than 31 bits can hold.
std::int64_t averageScale(const Type& x, const Shape& windows, const OpParams& params);

/// x ≥ 0 ? x : (x·num) >> shift, before wrapping.
std::int64_t leakyValue(std::int64_t x, const OpParams& params);

} // namespace marquetry::ir::cells
