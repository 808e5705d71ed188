#include "engine/ir/layer.h"

#include <algorithm>

namespace marquetry::ir {

namespace {

/// Places in the fixed order of an epilogue.
enum Stage { RequantBefore, ActivationBefore, AddStage, PoolStage, RequantAfter, ActivationAfter };

class Planner {
public:
    explicit Planner(const Program& program)
        : program_(program),
          uses_(program.useCounts()),
          users_(program.values.size()),
          stored_(program.values.size(), false),
          covered_(program.values.size(), false) {
        for (const Value& value : program.values) {
            plan_.storage.push_back(value.id);
            for (ValueId operand : value.operands)
                users_[operand.index()].push_back(value.id);
            if (value.kind == ValueKind::Input)
                stored_[value.id.index()] = true;
        }
    }

    LayerPlan run() {
        for (const Value& value : program_.values)
            if (value.kind == ValueKind::Op && !covered_[value.id.index()])
                place(value);
        for (const Output& output : program_.outputs)
            if (program_.value(storageOf(output.value)).kind == ValueKind::Weight)
                refuse(program_.value(output.value),
                       "output \"" + output.name + "\" is a weight: nothing computes it",
                       "give the output an expression of the inputs");
        return std::move(plan_);
    }

private:
    void place(const Value& value) {
        if (isFoldedView(value)) {
            plan_.storage[value.id.index()] = storageOf(value.operands[0]);
            return;
        }
        if (value.op == OpKind::Conv || value.op == OpKind::Mv)
            return placeAnchor(value);
        if (stageOf(value, RequantBefore))
            return placePass(value);
        unsupported(value, whyNoUnit(value));
    }

    static const char* whyNoUnit(const Value& value) {
        switch (value.op) {
        case OpKind::Add:
            return "only two different tensors of one shape can be added";
        case OpKind::Requant:
            return "one factor per channel has no unit yet";
        case OpKind::MaxPool:
        case OpKind::SumPool:
            return "its windows must lie side by side: stride = size and no padding";
        default:
            return "no unit implements this operator yet";
        }
    }

    /// flatten, and reshape to one dimension: the stored order is the order of the vector.
    bool isFoldedView(const Value& value) const {
        const bool toVector = value.op == OpKind::Flatten ||
                              (value.op == OpKind::Reshape && value.type.dims.size() == 1);
        return toVector && stored_[storageOf(value.operands[0]).index()];
    }

    void placeAnchor(const Value& value) {
        const bool conv = value.op == OpKind::Conv;
        const ValueId data = value.operands[conv ? 0 : 1];
        const ValueId weight = value.operands[conv ? 1 : 0];
        if (program_.value(weight).kind != ValueKind::Weight)
            return unsupported(value, "its weights must be a weight of the program");
        if (!stored_[storageOf(data).index()])
            return unsupported(value, "its operand is no input and no result of a unit");
        Layer layer;
        layer.anchor = value.id;
        layer.input = storageOf(data);
        layer.weight = weight;
        finish(std::move(layer), value.id, RequantBefore);
    }

    void placePass(const Value& value) {
        const std::optional<Stage> stage = stageOf(value, RequantBefore);
        for (ValueId operand : value.operands) {
            if (!stored_[storageOf(operand).index()])
                return unsupported(value, "its operand is no input and no result of a unit");
            if (!storedInOrder(operand))
                return unsupported(value, "its operand is a view of a tensor stored in another "
                                          "order; apply it before the view");
        }
        if (value.op == OpKind::Add && storageOf(value.operands[0]) == storageOf(value.operands[1]))
            return unsupported(value, whyNoUnit(value));
        Layer layer;
        layer.anchor = value.id;
        layer.pass = true;
        layer.input = storageOf(value.operands[0]);
        append(layer, value, value.operands[0]);
        finish(std::move(layer), value.id, static_cast<Stage>(*stage + 1));
    }

    /// Takes every following operator that has no other user and keeps the order.
    void finish(Layer layer, ValueId last, int next) {
        covered_[layer.anchor.index()] = true;
        while (uses_[last.index()] == 1 && users_[last.index()].size() == 1) {
            const Value& user = program_.value(users_[last.index()][0]);
            const std::optional<Stage> stage = stageOf(user, next);
            if (!stage || !addendFits(user, last, layer.input))
                break;
            append(layer, user, last);
            covered_[user.id.index()] = true;
            last = user.id;
            next = *stage + 1;
        }
        layer.result = last;
        layer.name = program_.value(last).name;
        stored_[last.index()] = true;
        plan_.layers.push_back(std::move(layer));
    }

    void append(Layer& layer, const Value& value, ValueId path) {
        EpilogueOp op{kindOf(value.op), value.id, {}};
        if (value.op == OpKind::Add)
            op.addend = storageOf(value.operands[value.operands[0] == path ? 1 : 0]);
        layer.epilogue.push_back(op);
    }

    /// The addend is read in the clocks in which the layer's input is: it lies elsewhere.
    bool addendFits(const Value& value, ValueId path, ValueId input) const {
        if (value.op != OpKind::Add)
            return true;
        const ValueId other = value.operands[value.operands[0] == path ? 1 : 0];
        return stored_[storageOf(other).index()] && storedInOrder(other) &&
               storageOf(other) != input;
    }

    /// A pass reads word by word: a view must have its tensor's pixels and channels.
    bool storedInOrder(ValueId id) const {
        const Shape& dims = program_.value(id).type.dims;
        const Shape& stored = program_.value(storageOf(id)).type.dims;
        const auto onePixel = [](const Shape& shape) {
            return shape.empty() ||
                   std::all_of(shape.begin(), shape.end() - 1, [](auto n) { return n == 1; });
        };
        return dims == stored || (onePixel(dims) && onePixel(stored));
    }

    static EpilogueKind kindOf(OpKind op) {
        switch (op) {
        case OpKind::Requant:
            return EpilogueKind::Requant;
        case OpKind::Relu:
            return EpilogueKind::Relu;
        case OpKind::Leaky:
            return EpilogueKind::Leaky;
        case OpKind::Add:
            return EpilogueKind::Add;
        case OpKind::MaxPool:
            return EpilogueKind::MaxPool;
        default:
            ENGINE_ASSERT(op == OpKind::SumPool, "an epilogue operator");
            return EpilogueKind::SumPool;
        }
    }

    /// First stage at or after `next` that can compute the value.
    std::optional<Stage> stageOf(const Value& value, int next) const {
        const auto first = [next](Stage a, Stage b) -> std::optional<Stage> {
            if (next <= a)
                return a;
            return next <= b ? std::optional(b) : std::nullopt;
        };
        switch (value.op) {
        case OpKind::Requant:
            return value.operands.size() == 1 ? first(RequantBefore, RequantAfter) : std::nullopt;
        case OpKind::Relu:
        case OpKind::Leaky:
            return first(ActivationBefore, ActivationAfter);
        case OpKind::Add:
            return sameShape(value) ? first(AddStage, AddStage) : std::nullopt;
        case OpKind::MaxPool:
        case OpKind::SumPool:
            return value.params.size == value.params.stride && value.params.padAfter == 0
                       ? first(PoolStage, PoolStage)
                       : std::nullopt;
        default:
            return std::nullopt;
        }
    }

    bool sameShape(const Value& add) const {
        return program_.value(add.operands[0]).type.dims ==
                   program_.value(add.operands[1]).type.dims &&
               add.operands[0] != add.operands[1];
    }

    ValueId storageOf(ValueId id) const { return plan_.storage[id.index()]; }

    void unsupported(const Value& value, const std::string& why) {
        refuse(value,
               "\"" + value.name + "\" (" + std::string(info(value.op).name) +
                   ") cannot be mapped to hardware: " + why,
               "supported: conv, mv with weights of the program; requant, relu, leaky, add, "
               "maxpool and sumpool with stride = size, flatten");
    }

    void refuse(const Value& value, const std::string& message, const std::string& hint) {
        Diagnostic error = makeError("unsupported-op", message, hint);
        error.file = program_.file;
        error.range = value.place;
        plan_.unsupported.push_back(std::move(error));
    }

    const Program& program_;
    std::vector<int> uses_;
    std::vector<std::vector<ValueId>> users_;
    std::vector<bool> stored_;  ///< inputs and results of layers
    std::vector<bool> covered_; ///< part of a layer already
    LayerPlan plan_;
};

} // namespace

LayerPlan planLayers(const Program& program) {
    return Planner(program).run();
}

} // namespace marquetry::ir
