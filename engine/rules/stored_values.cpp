#include "engine/rules/stored_values.h"

#include "engine/rules/lowering.h"

#include <algorithm>

namespace marquetry::rules {

namespace {

using ir::Layer;
using ir::ValueId;

bool hasPool(const Layer& layer) {
    return std::ranges::any_of(layer.epilogue, [](const ir::EpilogueOp& op) {
        return op.kind == ir::EpilogueKind::MaxPool || op.kind == ir::EpilogueKind::SumPool;
    });
}

/// Reads and writes word by word of the channels over the pixels.
bool inOrder(const Layer& layer) {
    return layer.pass && !layer.epilogue.empty();
}

/// Who reads a stored value, and how often.
struct Readers {
    int count = 0;
    const Layer* asInput = nullptr; ///< the last one
};

std::vector<Readers> readersOf(const ir::Program& program, const ir::LayerPlan& plan) {
    std::vector<Readers> readers(program.values.size());
    for (const Layer& layer : plan.layers) {
        ++readers[layer.input.index()].count;
        readers[layer.input.index()].asInput = &layer;
        for (ValueId other : layer.others)
            ++readers[other.index()].count;
        for (const ir::EpilogueOp& op : layer.epilogue)
            if (op.addend)
                ++readers[op.addend->index()].count;
    }
    for (const ir::Output& output : program.outputs)
        ++readers[plan.storage[output.value.index()].index()].count;
    return readers;
}

/// `maker`: the layer that makes the value; null for an input.
bool canStream(const Readers& readers, const Layer* maker, const ir::Type& type,
               std::int64_t lanes) {
    const Layer* reader = readers.count == 1 ? readers.asInput : nullptr;
    if (reader == nullptr || !inOrder(*reader) || hasPool(*reader))
        return false;
    if (maker != nullptr)
        return inOrder(*maker);
    const StoredExtent extent = storedExtent(type);
    return extent.channels <= lanes || extent.pixels() == 1;
}

} // namespace

std::map<ValueId, StoredValue> storedValues(const ir::Program& program, const ir::LayerPlan& plan,
                                            std::int64_t lanes) {
    const std::vector<Readers> readers = readersOf(program, plan);
    std::map<ValueId, StoredValue> values;
    const auto add = [&](ValueId id, bool weight, const Layer* maker) {
        const ir::Type& type = program.value(id).type;
        values[id] = {weight, type.elements() * ir::info(type.scalar).bits,
                      !weight && canStream(readers[id.index()], maker, type, lanes)};
    };
    for (ValueId id : program.inputs)
        add(plan.storage[id.index()], false, nullptr);
    for (ValueId id : program.weights)
        add(id, true, nullptr);
    for (const Layer& layer : plan.layers)
        add(layer.result, false, &layer);
    return values;
}

} // namespace marquetry::rules
