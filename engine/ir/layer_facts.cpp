// What the plan of a program says of its layers together.
#include "engine/ir/layer.h"

#include <algorithm>

namespace marquetry::ir {

namespace {

/// Not several, or a move before it, and of pixels as its tensors have them.
bool isOneCall(const Program& program, const Layer& layer) {
    const OpKind anchor = program.value(layer.anchor).op;
    return layer.unbuildable.empty() && !layer.moves && !layer.rows && !layer.averages &&
           layer.others.empty() && anchor != OpKind::Bmm && anchor != OpKind::Conv1dW &&
           constantsOf(program, layer).empty();
}

/// It reads the input that comes last, and adds no part of it to its results.
bool readsLastInput(const Program& program, const LayerPlan& plan, const Layer& layer) {
    if (program.inputs.empty())
        return false;
    const ValueId input = plan.storage[program.inputs.back().index()];
    return layer.input == input && std::ranges::none_of(layer.epilogue, [&](const EpilogueOp& op) {
               return op.addend == input;
           });
}

} // namespace

std::vector<ValueId> constantsOf(const Program& program, const Layer& layer) {
    std::vector<ValueId> constants;
    const auto take = [&](ValueId id) {
        if (program.value(id).kind == ValueKind::Weight)
            constants.push_back(id);
    };
    take(layer.input);
    if (layer.moves)
        std::ranges::for_each(layer.others, take);
    for (const EpilogueOp& op : layer.epilogue)
        if (op.addend)
            take(*op.addend);
    return constants;
}

std::vector<bool> joinableLayers(const Program& program, const LayerPlan& plan) {
    std::vector<int> readers(program.values.size(), 0);
    for (const Layer& layer : plan.layers) {
        ++readers[layer.input.index()];
        for (ValueId other : layer.others)
            ++readers[other.index()];
        for (const EpilogueOp& op : layer.epilogue)
            if (op.addend)
                ++readers[op.addend->index()];
    }
    for (const Output& output : program.outputs)
        ++readers[plan.storage[output.value.index()].index()];
    std::vector<bool> joinable(plan.layers.size(), false);
    if (!plan.layers.empty())
        joinable[0] = readsLastInput(program, plan, plan.layers.front()) &&
                      isOneCall(program, plan.layers.front());
    for (std::size_t k = 1; k < plan.layers.size(); ++k) {
        const Layer& writer = plan.layers[k - 1];
        const Layer& reader = plan.layers[k];
        joinable[k] = reader.input == writer.result && readers[writer.result.index()] == 1 &&
                      isOneCall(program, writer) && isOneCall(program, reader);
    }
    return joinable;
}

std::vector<const ImportedValue*> importedValues(const Program& program, const Layer& layer) {
    std::vector<const ImportedValue*> found;
    for (const ImportedValue& part : program.imported) {
        const bool within = part.value == layer.anchor || part.value == layer.result ||
                            std::ranges::find(layer.epilogue, part.value, &EpilogueOp::value) !=
                                layer.epilogue.end();
        if (within)
            found.push_back(&part);
    }
    return found;
}

} // namespace marquetry::ir
