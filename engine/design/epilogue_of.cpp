#include "engine/design/epilogue_of.h"

#include "engine/ir/epilogue_stage.h"

#include <algorithm>

namespace marquetry::design {

namespace {

using ir::EpilogueKind;

/// A value added to itself: times the sum of both factors.
RequantStage ofItself(const ir::Value& sum, RequantStage stage) {
    const bool weighted = sum.op == ir::OpKind::QAdd;
    if (!weighted)
        stage = {.enabled = true, .to = ir::Scalar::I32};
    stage.mul = weighted ? sum.params.muls[0] + sum.params.muls[1] : 2;
    return stage;
}

/// Weights of the numbers stand behind the operand in the order of their bits.
RequantStage requantOf(const ir::Value& value) {
    const ir::OpParams& p = value.params;
    RequantStage stage;
    stage.enabled = true;
    stage.mul = p.mul;
    stage.shift = p.shift;
    stage.zero = p.zero;
    stage.to = p.to;
    stage.add = p.add;
    stage.round = p.round;
    stage.tie = p.tie;
    std::size_t next = 1;
    const auto vector = [&](unsigned bit) {
        return p.vectors & bit ? std::optional(value.operands[next++]) : std::nullopt;
    };
    stage.muls = vector(ir::kVectorMul);
    stage.adds = vector(ir::kVectorAdd);
    stage.shifts = vector(ir::kVectorShift);
    return stage;
}

ActivationStage activationOf(const ir::Program& program, EpilogueKind kind,
                             const ir::Value& value) {
    using Kind = ActivationStage::Kind;
    ActivationStage stage;
    switch (kind) {
    case EpilogueKind::Relu:
        stage.kind = Kind::Relu;
        break;
    case EpilogueKind::Leaky:
        stage.kind = Kind::Leaky;
        stage.num = value.params.num;
        stage.shift = value.params.shift;
        break;
    case EpilogueKind::Clip:
        stage.kind = Kind::Clip;
        stage.lo = value.params.lo;
        stage.hi = value.params.hi;
        break;
    default:
        stage.kind = Kind::Table;
        stage.table = LookUp{value.operands[1],
                             ir::info(program.value(value.operands[0]).type.scalar).isSigned};
    }
    return stage;
}

class EpilogueBuilder {
public:
    /// `computed`: the layer's anchor; none of a pass.
    EpilogueBuilder(const ir::Program& program,
                    const std::function<TensorId(ir::ValueId)>& tensorAt,
                    std::optional<ir::ValueId> computed)
        : program_(program), tensorAt_(tensorAt), last_(computed) {}

    void take(const ir::EpilogueOp& op) {
        const ir::Value& value = program_.value(op.value);
        switch (op.kind) {
        case EpilogueKind::Bias:
            e_.bias = *std::ranges::find_if(value.operands, [&](ir::ValueId id) {
                return program_.value(id).kind == ir::ValueKind::Weight;
            });
            break;
        case EpilogueKind::Requant:
            after_ = after_ || e_.requantBefore.enabled || activated();
            (after_ ? e_.requantAfter : e_.requantBefore) = ir::addsItself(program_, value)
                                                                ? ofItself(value, requantOf(value))
                                                                : requantOf(value);
            break;
        case EpilogueKind::Add:
        case EpilogueKind::QAdd:
            takeAdd(op, value);
            break;
        case EpilogueKind::MaxPool:
        case EpilogueKind::SumPool:
            e_.pool = op.kind == EpilogueKind::MaxPool ? PoolKind::Max : PoolKind::Sum;
            e_.poolSize = value.params.size.vertical;
            after_ = true;
            break;
        default:
            after_ = after_ || activated();
            (after_ ? e_.activationAfter : e_.activationBefore) =
                activationOf(program_, op.kind, value);
        }
        last_ = op.value;
    }

    Epilogue finish(ir::Scalar result) && {
        e_.result = result;
        return std::move(e_);
    }

private:
    bool activated() const { return e_.activationBefore.kind != ActivationStage::Kind::None; }

    void takeAdd(const ir::EpilogueOp& op, const ir::Value& value) {
        e_.addend = tensorAt_(*op.addend);
        after_ = true;
        if (op.kind == EpilogueKind::Add)
            return;
        const bool weight = program_.value(value.operands[0]).kind == ir::ValueKind::Weight;
        const std::size_t path = weight || (last_ && value.operands[1] == *last_) ? 1 : 0;
        e_.weightedAdd = requantOf(value);
        e_.weightedAdd.mul = value.params.muls[path];
        e_.addendMul = value.params.muls[1 - path];
    }

    const ir::Program& program_;
    const std::function<TensorId(ir::ValueId)>& tensorAt_;
    std::optional<ir::ValueId> last_; ///< computed last; none: what a pass reads
    Epilogue e_;
    bool after_ = false; ///< past the add or the pool, or the first half is taken
};

} // namespace

Epilogue epilogueOf(const ir::Program& program, const ir::Layer& layer,
                    const std::function<TensorId(ir::ValueId)>& tensorAt) {
    EpilogueBuilder builder(program, tensorAt,
                            layer.pass && !layer.lanewise ? std::nullopt
                                                          : std::optional(layer.anchor));
    for (const ir::EpilogueOp& op : layer.epilogue)
        builder.take(op);
    return std::move(builder).finish(program.value(layer.result).type.scalar);
}

} // namespace marquetry::design
