#include "engine/ir/layer.h"

#include "engine/ir/average_factors.h"
#include "engine/ir/epilogue_stage.h"
#include "engine/ir/product_limits.h"
#include "engine/ir/unit_forms.h"
#include "engine/ir/views.h"

#include <algorithm>

namespace marquetry::ir {

namespace {

class Planner {
public:
    Planner(const Program& program, const LayerParams& params)
        : program_(program),
          params_(params),
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
        if (const char* why = whyNoForm(program_, value)) {
            refuse(value, whyNot(value, why), "it can be checked and run, but not be explored");
            stored_[value.id.index()] = true; // what reads it is no further mistake
            return;
        }
        if (isFoldedView(value)) {
            plan_.storage[value.id.index()] = storageOf(value.operands[0]);
            return;
        }
        if (isReshapedInput(value)) {
            plan_.storage[value.operands[0].index()] = value.id;
            stored_[value.id.index()] = true;
            return;
        }
        if (std::ranges::none_of(value.operands, [&](ValueId id) { return isStored(id); }))
            return ofWeightsAlone(value);
        if (const auto roles = operandRoles(value.op))
            return placeAnchor(value, *roles);
        if (changesLayout(value.op) || isView(value))
            return placeMoves(value);
        if (value.op == OpKind::Softmax || value.op == OpKind::LayerNorm)
            return placeRows(value);
        const bool pool = value.op == OpKind::MaxPool || value.op == OpKind::SumPool ||
                          value.op == OpKind::AvgPool;
        if (looksUpStored(value))
            return placeLookUp(value);
        if (!pool && !epilogueStage(program_, value, BiasStage))
            return isOfElements(value) ? placeElements(value) : placeOther(value, whyNoUnit(value));
        if (const char* why = whyNoPass(value))
            return placeOther(value, why);
        if (value.op == OpKind::AvgPool && mostAverageFactor(program_, value) > 1)
            return placeAverage(value);
        if (pool && !epilogueStage(program_, value, PoolStage))
            return placePool(value);
        placePass(value);
    }

    static const char* whyNoUnit(const Value& value) {
        switch (value.op) {
        case OpKind::QAdd:
            return "it must add a tensor of the same order, and no weight";
        case OpKind::Table:
            return "it looks up a tensor's elements in that very tensor";
        case OpKind::Requant:
            return "its numbers must be weights of the program";
        default:
            return "no unit implements this operator yet";
        }
    }

    /// Null when a tensor-wise pass can read the operands word by word.
    const char* whyNoPass(const Value& value) const {
        for (ValueId operand : value.operands) {
            if (program_.value(operand).kind == ValueKind::Weight)
                continue;
            if (!isStored(operand))
                return "its operand is no input and no result of a unit";
            if (!storedInOrder(operand))
                return "its operand is a view of a tensor stored in another order; apply it before "
                       "the view";
        }
        if (addsStored(program_, value) &&
            storageOf(value.operands[0]) == storageOf(value.operands[1]))
            return whyNoUnit(value);
        return nullptr;
    }

    /// A sum, a difference or a product of a stored tensor and what a unit of elements can read.
    bool isOfElements(const Value& value) const {
        if (value.op != OpKind::Add && value.op != OpKind::Sub && value.op != OpKind::Mul)
            return false;
        return std::ranges::all_of(value.operands,
                                   [&](ValueId id) {
                                       return isWeight(id) || (isStored(id) && storedInOrder(id));
                                   }) &&
               isStored(elementsOf(value));
    }

    /// An entry of a stored table for each element of another tensor.
    bool looksUpStored(const Value& value) const {
        return value.op == OpKind::Table && isStored(value.operands[1]) &&
               storageOf(value.operands[0]) != storageOf(value.operands[1]);
    }

    /// The operand whose elements are visited: a stored one that has all of the result's.
    ValueId elementsOf(const Value& value) const {
        const ValueId other = value.operands[1];
        const bool whole = program_.value(other).type.dims == value.type.dims;
        return !isStored(value.operands[0]) && whole ? other : value.operands[0];
    }

    /// A view that all its readers find their way in.
    bool isFoldedView(const Value& value) const {
        if (!isView(value) || !isStored(value.operands[0]))
            return false;
        const Shape& stored = program_.value(storageOf(value.operands[0])).type.dims;
        return std::ranges::all_of(users_[value.id.index()], [&](ValueId user) {
            return readsView(program_.value(user), value, stored);
        });
    }

    static bool isView(const Value& value) {
        return value.op == OpKind::Reshape || value.op == OpKind::Flatten;
    }

    /// An input that nothing else reads is stored as its reshape is: its elements come in the same
    /// order.
    bool isReshapedInput(const Value& value) const {
        if (!isView(value) || uses_[value.operands[0].index()] != 1)
            return false;
        const Value& operand = program_.value(value.operands[0]);
        return operand.kind == ValueKind::Input && !value.type.dims.empty();
    }

    void placeAnchor(const Value& value, const OperandRoles& roles) {
        ValueId data = value.operands[roles.data];
        ValueId held = value.operands[roles.held];
        if (value.op == OpKind::Dot && !isStored(data))
            std::swap(data, held);
        if (!isStored(data) && !isWeight(data))
            return placeOther(value, "its operand is no input and no result of a unit");
        Layer layer;
        layer.anchor = value.id;
        layer.input = storageOf(data);
        if (isWeight(held))
            layer.weight = held;
        else if (isStored(held))
            layer.others = {storageOf(held)};
        else
            return ofWeightsAlone(value);
        layer.lanewise = value.op == OpKind::Conv1dH || isLanewise(value, data, layer);
        if (const std::string why = whyNoProducts(program_, layer); !why.empty())
            layer.unbuildable = whyNot(value, why);
        finish(std::move(layer), value.id, BiasStage);
    }

    /// A depth-wise convolution with a result for each channel; of few channels only where asked.
    bool isLanewise(const Value& value, ValueId data, const Layer& layer) const {
        if (value.op != OpKind::DwConv || value.type.dims.back() != typeOf(data).dims[2])
            return false;
        return !layer.weight || value.type.dims.back() > params_.groupedChannels;
    }

    void placePass(const Value& value) {
        const std::optional<EpilogueStage> stage = epilogueStage(program_, value, BiasStage);
        const ValueId path = program_.value(value.operands[0]).kind == ValueKind::Weight
                                 ? value.operands[1]
                                 : value.operands[0];
        Layer layer;
        layer.anchor = value.id;
        layer.pass = true;
        layer.input = storageOf(path);
        append(layer, value, path);
        finish(std::move(layer), value.id, static_cast<EpilogueStage>(*stage + 1));
    }

    /// Reads its operands through views that keep their pixels (views.h). Weights among them are
    /// written to where a stored tensor could be.
    void placeMoves(const Value& value) {
        const auto readable = [&](ValueId id) {
            return isStored(id) || program_.value(id).kind == ValueKind::Weight;
        };
        if (!std::ranges::all_of(value.operands, readable))
            return ofWeightsAlone(value);
        Layer layer;
        layer.anchor = value.id;
        layer.pass = layer.moves = true;
        std::vector<ValueId> stored = value.operands;
        std::stable_partition(stored.begin(), stored.end(),
                              [&](ValueId id) { return isStored(id); });
        layer.input = storageOf(stored.front());
        for (std::size_t k = 1; k < stored.size(); ++k)
            layer.others.push_back(storageOf(stored[k]));
        add(std::move(layer), value.id);
    }

    void placeRows(const Value& value) {
        Layer layer;
        layer.anchor = value.id;
        layer.pass = layer.rows = true;
        layer.input = storageOf(value.operands[0]);
        add(std::move(layer), value.id);
    }

    void placeElements(const Value& value) {
        Layer layer;
        layer.anchor = value.id;
        layer.pass = layer.rows = true;
        layer.input = storageOf(elementsOf(value));
        for (const ValueId operand : value.operands) {
            if (program_.value(operand).kind == ValueKind::Weight)
                layer.weight = operand;
            else if (storageOf(operand) != layer.input)
                layer.others = {storageOf(operand)};
        }
        add(std::move(layer), value.id);
    }

    void placeLookUp(const Value& value) {
        const ValueId elements = value.operands[0];
        if (!isWeight(elements) && !(isStored(elements) && storedInOrder(elements)))
            return placeOther(value, "its operand is no input and no result of a unit");
        Layer layer;
        layer.anchor = value.id;
        layer.pass = layer.rows = true;
        layer.input = storageOf(elements);
        layer.others = {storageOf(value.operands[1])};
        add(std::move(layer), value.id);
    }

    /// A pool whose sums get their factors afterwards, so nothing else is done with them.
    void placeAverage(const Value& value) {
        Layer layer;
        layer.anchor = value.id;
        layer.pass = layer.lanewise = layer.averages = true;
        layer.input = storageOf(value.operands[0]);
        add(std::move(layer), value.id);
    }

    /// A pool that no write-back does: each lane visits the windows of a channel.
    void placePool(const Value& value) {
        Layer layer;
        layer.anchor = value.id;
        layer.pass = layer.lanewise = true;
        layer.input = storageOf(value.operands[0]);
        finish(std::move(layer), value.id, BiasStage);
    }

    /// A pass that computes this value and nothing else.
    void placeOther(const Value& value, const char* why) {
        Layer layer;
        layer.anchor = value.id;
        layer.pass = true;
        layer.unbuildable = whyNot(value, why);
        for (ValueId operand : value.operands) {
            if (program_.value(operand).kind == ValueKind::Weight)
                layer.weight = operand;
            else if (isStored(operand))
                (layer.input.valid() ? layer.others.emplace_back() : layer.input) =
                    storageOf(operand);
        }
        add(std::move(layer), value.id);
    }

    void add(Layer layer, ValueId result) {
        covered_[layer.anchor.index()] = true;
        layer.result = result;
        layer.name = program_.value(result).name;
        stored_[result.index()] = true;
        plan_.layers.push_back(std::move(layer));
    }

    /// Takes every following operator that has no other user and keeps the order.
    void finish(Layer layer, ValueId last, int next) {
        covered_[layer.anchor.index()] = true;
        while (params_.fusion && uses_[last.index()] == 1 && users_[last.index()].size() == 1) {
            const Value& user = program_.value(users_[last.index()][0]);
            const std::optional<EpilogueStage> stage = epilogueStage(program_, user, next);
            if (!stage || whyNoForm(program_, user) || !addendFits(user, last, layer.input) ||
                poolsBatches(layer, *stage) || numbersLines(layer, user))
                break;
            append(layer, user, last);
            covered_[user.id.index()] = true;
            last = user.id;
            next = *stage + 1;
        }
        add(std::move(layer), last);
    }

    /// A batch is a call of its own, which knows the pixels of no other.
    bool poolsBatches(const Layer& layer, EpilogueStage stage) const {
        return stage == PoolStage && program_.value(layer.anchor).op == OpKind::Bmm;
    }

    /// The words of a filtered line are pixels to its unit, which have the same numbers.
    bool numbersLines(const Layer& layer, const Value& user) const {
        const bool numbers =
            user.params.vectors != 0 || epilogueKind(program_, user) == EpilogueKind::Bias;
        return numbers && program_.value(layer.anchor).op == OpKind::Conv1dW;
    }

    void append(Layer& layer, const Value& value, ValueId path) {
        EpilogueOp op{epilogueKind(program_, value), value.id, {}};
        if (addsStored(program_, value))
            op.addend = storageOf(value.operands[value.operands[0] == path ? 1 : 0]);
        plan_.scales |= needsScaling(value) || op.kind == EpilogueKind::Bias;
        layer.epilogue.push_back(op);
    }

    /// The addend is read in the clocks in which the layer's input is: it lies elsewhere.
    bool addendFits(const Value& value, ValueId path, ValueId input) const {
        if (!addsStored(program_, value))
            return true;
        const ValueId other = value.operands[value.operands[0] == path ? 1 : 0];
        if (program_.value(other).kind == ValueKind::Weight)
            return true;
        return stored_[storageOf(other).index()] && storedInOrder(other) &&
               storageOf(other) != input;
    }

    /// A pass reads word by word: a view must have its tensor's pixels and channels.
    bool storedInOrder(ValueId id) const {
        return sameStored(program_.value(id).type.dims, program_.value(storageOf(id)).type.dims);
    }

    const Type& typeOf(ValueId id) const { return program_.value(id).type; }
    ValueId storageOf(ValueId id) const { return plan_.storage[id.index()]; }

    bool isStored(ValueId id) const { return stored_[storageOf(id).index()]; }
    bool isWeight(ValueId id) const { return program_.value(id).kind == ValueKind::Weight; }

    static std::string whyNot(const Value& value, const std::string& why) {
        return "\"" + value.name + "\" (" + std::string(info(value.op).name) + "): " + why;
    }

    void ofWeightsAlone(const Value& value) {
        refuse(value,
               "\"" + value.name + "\" (" + std::string(info(value.op).name) +
                   ") cannot be mapped to hardware: an operand is computed from weights alone",
               "compute it beforehand and give the result as a weight");
    }

    void refuse(const Value& value, const std::string& message, const std::string& hint) {
        Diagnostic error = makeError("unsupported-op", message, hint);
        error.file = program_.file;
        error.range = value.place;
        plan_.unsupported.push_back(std::move(error));
    }

    const Program& program_;
    LayerParams params_;
    std::vector<int> uses_;
    std::vector<std::vector<ValueId>> users_;
    std::vector<bool> stored_;  ///< inputs and results of layers
    std::vector<bool> covered_; ///< part of a layer already
    LayerPlan plan_;
};

} // namespace

const Layer* LayerPlan::firstUnbuildable() const {
    for (const Layer& layer : layers)
        if (!layer.unbuildable.empty())
            return &layer;
    return nullptr;
}

LayerPlan planLayers(const Program& program, const LayerParams& params) {
    return Planner(program, params).run();
}

} // namespace marquetry::ir
