#include "engine/ir/epilogue_stage.h"

#include <algorithm>

namespace marquetry::ir {

namespace {

bool isWeight(const Program& program, ValueId id) {
    return program.value(id).kind == ValueKind::Weight;
}

bool weightsBehind(const Program& program, const Value& value) {
    return !isWeight(program, value.operands[0]) &&
           std::all_of(value.operands.begin() + 1, value.operands.end(),
                       [&](ValueId id) { return isWeight(program, id); });
}

/// A stored value plus a weight with a number for each of its channels.
bool isBias(const Program& program, const Value& add) {
    const std::size_t weight = isWeight(program, add.operands[0]) ? 0 : 1;
    const Shape& bias = program.value(add.operands[weight]).type.dims;
    const Shape& path = program.value(add.operands[1 - weight]).type.dims;
    return !isWeight(program, add.operands[1 - weight]) && bias.size() == 1 && !path.empty() &&
           bias.back() == path.back();
}

bool addsTwo(const Program& program, const Value& add) {
    return addsStored(program, add) &&
           program.value(add.operands[0]).type.dims == program.value(add.operands[1]).type.dims;
}

bool fits32(std::int64_t number) {
    return number >= info(Scalar::I32).min && number <= info(Scalar::I32).max;
}

/// A requantisation has one factor of 32 bits, and saturates where an addition wraps.
bool isRequant(const Program& program, const Value& sum) {
    if (sum.op == OpKind::QAdd)
        return fits32(sum.params.muls[0] + sum.params.muls[1]);
    const Range& range = program.value(sum.operands[0]).range;
    return fits32(2 * range.lo) && fits32(2 * range.hi);
}

/// Windows side by side.
bool tiles(const OpParams& pool) {
    return pool.size == pool.stride && pool.size.isSquare() && pool.pad.isNone() &&
           pool.padAfter == 0;
}

} // namespace

bool addsItself(const Program& program, const Value& value) {
    return (value.op == OpKind::Add || value.op == OpKind::QAdd) &&
           value.operands[0] == value.operands[1] && !isWeight(program, value.operands[0]);
}

bool addsStored(const Program& program, const Value& value) {
    const auto weights =
        std::ranges::count_if(value.operands, [&](ValueId id) { return isWeight(program, id); });
    return value.operands.size() == 2 && value.operands[0] != value.operands[1] &&
           ((value.op == OpKind::Add && weights == 0) || (value.op == OpKind::QAdd && weights < 2));
}

bool needsScaling(const Value& value) {
    const OpParams& p = value.params;
    switch (value.op) {
    case OpKind::Requant:
        return p.mul != 1 || p.add != 0 || p.round != Rounding::Up || p.vectors != 0;
    case OpKind::Add:
        return value.operands[0] == value.operands[1];
    case OpKind::QAdd:
    case OpKind::Clip:
    case OpKind::Table:
        return true;
    default:
        return false;
    }
}

EpilogueKind epilogueKind(const Program& program, const Value& value) {
    if (addsItself(program, value))
        return EpilogueKind::Requant;
    switch (value.op) {
    case OpKind::Requant:
        return EpilogueKind::Requant;
    case OpKind::Relu:
        return EpilogueKind::Relu;
    case OpKind::Leaky:
        return EpilogueKind::Leaky;
    case OpKind::Add:
        return addsStored(program, value) ? EpilogueKind::Add : EpilogueKind::Bias;
    case OpKind::QAdd:
        return EpilogueKind::QAdd;
    case OpKind::Clip:
        return EpilogueKind::Clip;
    case OpKind::Table:
        return EpilogueKind::Table;
    case OpKind::MaxPool:
        return EpilogueKind::MaxPool;
    default:
        ENGINE_ASSERT(value.op == OpKind::SumPool || value.op == OpKind::AvgPool,
                      "an epilogue operator");
        return EpilogueKind::SumPool;
    }
}

std::optional<EpilogueStage> epilogueStage(const Program& program, const Value& value, int next) {
    const auto at = [next](bool covered, EpilogueStage a,
                           EpilogueStage b) -> std::optional<EpilogueStage> {
        if (!covered || next > b)
            return std::nullopt;
        return next <= a ? a : b;
    };
    if (addsItself(program, value))
        return at(isRequant(program, value), RequantBefore, RequantAfter);
    switch (value.op) {
    case OpKind::Requant:
        return at(weightsBehind(program, value), RequantBefore,
                  value.operands.size() == 1 ? RequantAfter : RequantBefore);
    case OpKind::Relu:
    case OpKind::Leaky:
    case OpKind::Clip:
        return at(true, ActivationBefore, ActivationAfter);
    case OpKind::Table:
        return at(weightsBehind(program, value), ActivationBefore, ActivationAfter);
    case OpKind::Add:
        if (!addsStored(program, value))
            return at(isBias(program, value), BiasStage, BiasStage);
        return at(addsTwo(program, value), AddStage, AddStage);
    case OpKind::QAdd:
        return at(addsTwo(program, value), AddStage, AddStage);
    case OpKind::MaxPool:
    case OpKind::SumPool:
    case OpKind::AvgPool:
        return at(tiles(value.params), PoolStage, PoolStage);
    default:
        return std::nullopt;
    }
}

} // namespace marquetry::ir
