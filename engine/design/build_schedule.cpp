#include "engine/design/build_schedule.h"

#include "engine/design/epilogue_of.h"
#include "engine/design/held_of.h"
#include "engine/design/join.h"
#include "engine/design/moves_of.h"
#include "engine/design/row_step.h"
#include "engine/design/stencil.h"
#include "engine/design/windows.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <optional>

namespace marquetry::design {

namespace {

using ir::Layer;
using ir::ValueId;

/// H, W, C of a value as stored: the last dimension is the channels.
struct Extent {
    std::int64_t height = 1;
    std::int64_t width = 1;
    std::int64_t channels = 1;
};

Extent extentOf(const ir::Type& type) {
    Extent extent;
    const std::size_t rank = type.dims.size();
    if (rank >= 1)
        extent.channels = type.dims[rank - 1];
    if (rank >= 2)
        extent.width = type.dims[rank - 2];
    for (std::size_t k = 0; k + 2 < rank; ++k)
        extent.height *= type.dims[k];
    return extent;
}

class Builder {
public:
    explicit Builder(const ScheduleRequest& request)
        : request_(request), program_(*request.program), plan_(*request.plan) {}

    Schedule run() {
        schedule_.name = identifier(program_.name);
        schedule_.lanes = request_.lanes;
        schedule_.frames = request_.frames;
        schedule_.units = request_.units;
        tensorOf_.resize(program_.values.size());
        lastUse_.resize(program_.values.size(), 0);
        findLastUses();
        for (ValueId input : program_.inputs) {
            // Inputs are all in place before the first layer.
            const TensorId tensor = storePixels(storage(input), 0);
            limitWrites(tensor, schedule_.lanes);
            schedule_.steps.emplace_back(LoadStep{program_.value(input).name, tensor});
        }
        for (std::size_t k = 0; k < plan_.layers.size(); ++k)
            addLayer(k);
        for (const ir::Output& output : program_.outputs)
            schedule_.steps.emplace_back(StoreStep{output.name, tensorAt(storage(output.value)),
                                                   program_.value(output.value).type});
        trimWrites();
        placeExternal();
        return std::move(schedule_);
    }

private:
    ValueId storage(ValueId value) const { return plan_.storage[value.index()]; }
    TensorId tensorAt(ValueId value) const { return *tensorOf_[value.index()]; }

    /// Time 0 is before the first layer, outputs leave at the end.
    std::size_t timeOf(std::size_t layer) const { return joined(layer) ? layer : layer + 1; }
    bool joined(std::size_t layer) const {
        return !request_.joined.empty() && request_.joined[layer];
    }

    void findLastUses() {
        const auto extend = [&](ValueId value, std::size_t time) {
            lastUse_[value.index()] = std::max(lastUse_[value.index()], time);
        };
        for (std::size_t k = 0; k < plan_.layers.size(); ++k) {
            extend(plan_.layers[k].input, timeOf(k));
            for (ValueId other : plan_.layers[k].others)
                extend(other, timeOf(k));
            for (const ir::EpilogueOp& op : plan_.layers[k].epilogue)
                if (op.addend)
                    extend(*op.addend, timeOf(k));
        }
        for (const ir::Output& output : program_.outputs)
            extend(storage(output.value), plan_.layers.size() + 1);
    }

    /// An input or what a unit computes, from the time on at which it is written.
    TensorId storePixels(ValueId value, std::size_t time) {
        for (std::size_t k = 0; request_.wholeWindows && k < plan_.layers.size(); ++k) {
            const Layer& layer = plan_.layers[k];
            const ScheduleUnit& unit = request_.units[request_.layerUnits[k].index()];
            if (layer.input != value || unit.stream || !convolves(program_, layer))
                continue;
            const cost::WindowWords window = windowWords(program_, plan_, layer, request_.lanes);
            if (const auto read = cost::windowRead(window, unit.span))
                return storeWindows(value, *read);
        }
        return store(value, time, time);
    }

    /// In a slot of its own.
    TensorId storeWindows(ValueId value, const cost::WindowRead& read) {
        StoredTensor tensor = tensorOf(value);
        tensor.rowWords = roundUp(tensor.pitch() - read.run, read.turns) + read.run;
        Slot slot = freshSlot(tensor);
        slot.turns = read.turns;
        slot.window = SlotWindow{read.rows, read.run};
        tensor.slot = slot.id;
        schedule_.slots.push_back(holding(slot, tensor));
        freeFrom_.push_back(std::numeric_limits<std::size_t>::max());
        tensorOf_[value.index()] = tensor.id;
        schedule_.tensors.push_back(tensor);
        return tensor.id;
    }

    StoredTensor tensorOf(ValueId value) const {
        const ir::Value& source = program_.value(value);
        const Extent extent = extentOf(source.type);
        StoredTensor tensor;
        tensor.id = TensorId{schedule_.tensors.size()};
        tensor.value = value;
        tensor.name = source.name;
        tensor.scalar = source.type.scalar;
        tensor.height = extent.height;
        tensor.width = extent.width;
        tensor.pixels = extent.height * extent.width;
        tensor.channels = extent.channels;
        tensor.wordsPerPixel = ceilDiv(extent.channels, schedule_.lanes);
        return tensor;
    }

    TensorId store(ValueId value, std::size_t born, std::size_t writtenAt) {
        StoredTensor tensor = tensorOf(value);
        tensor.slot = freeSlot(tensor, born, writtenAt);
        Slot& slot = schedule_.slots[tensor.slot.index()];
        slot = holding(slot, tensor);
        freeFrom_[tensor.slot.index()] = std::max(lastUse_[value.index()], writtenAt) + 1;
        tensorOf_[value.index()] = tensor.id;
        schedule_.tensors.push_back(tensor);
        return tensor.id;
    }

    Slot freshSlot(const StoredTensor& tensor) const {
        Slot fresh;
        fresh.id = SlotId{schedule_.slots.size()};
        fresh.name = "slot" + std::to_string(fresh.id.value());
        fresh.elementBits = ir::info(tensor.scalar).bytes * 8;
        fresh.storedLanes = 1;
        fresh.writeLanes = schedule_.lanes;
        return fresh;
    }

    SlotId freeSlot(const StoredTensor& tensor, std::size_t born, std::size_t writtenAt) {
        const Slot fresh = freshSlot(tensor);
        std::optional<SlotId> best;
        std::int64_t least = memoryBits(holding(fresh, tensor)) + 1;
        for (const Slot& slot : schedule_.slots) {
            const std::int64_t growth = memoryBits(holding(slot, tensor)) - memoryBits(slot);
            if (slot.elementBits == fresh.elementBits && growth < least &&
                freeFrom_[slot.id.index()] <= std::max(born, writtenAt)) {
                best = slot.id;
                least = growth;
            }
        }
        if (best)
            return *best;
        schedule_.slots.push_back(fresh);
        freeFrom_.push_back(0);
        return fresh.id;
    }

    /// No block memory is shallower than 512 words at the width of a bank.
    static std::int64_t memoryBits(const Slot& slot) {
        return roundUp(slot.depth, 512) * slot.storedLanes * slot.elementBits;
    }

    /// The slot when it holds the tensor as well.
    Slot holding(Slot slot, const StoredTensor& tensor) const {
        slot.depth = std::max(slot.depth, schedule_.frames * tensor.words());
        slot.storedLanes =
            std::max(slot.storedLanes, storedLanesFor(tensor.channels, schedule_.lanes));
        return slot;
    }

    void limitWrites(TensorId tensor, std::int64_t lanes) {
        Slot& slot = schedule_.slots[schedule_.tensor(tensor).slot.index()];
        slot.writeLanes = std::min(slot.writeLanes, lanes);
    }

    /// A unit that writes more rows than a slot has lanes fills whole words.
    void trimWrites() {
        for (Slot& slot : schedule_.slots)
            slot.writeLanes = std::min(slot.writeLanes, slot.storedLanes);
    }

    void addLayer(std::size_t index) {
        const Layer& layer = plan_.layers[index];
        if (layer.moves)
            return addMoves(index);
        if (layer.rows)
            return addRows(index);
        for (const ValueId weight : ir::constantsOf(program_, layer))
            storeConstants(weight, index);
        ScheduleUnit& unit = schedule_.units[request_.layerUnits[index].index()];
        unit.laneFunction = laneFunctionOf(program_, layer);
        ComputeStep step;
        step.layer = layer.name;
        step.unit = unit.id;
        step.input = tensorAt(layer.input);
        step.epilogue = epilogueOf(program_, layer, [&](ValueId value) { return tensorAt(value); });
        step.output = storePixels(layer.result, timeOf(index));
        filterWords(schedule_, step, program_, layer);
        step.rows = schedule_.tensor(step.output).channels;
        step.rowBlocks = ceilDiv(step.rows, unit.parallel);
        if (layer.weight && !layer.pass)
            step.weight = layer.weight;
        else if (!layer.pass)
            step.held = tensorAt(layer.others.front());
        step.external = step.weight && !request_.external.empty() && request_.external[index];
        unit.holds |= step.held.has_value();
        limitWrites(step.output, unit.writeLanes(schedule_.lanes));
        if (unit.writeBack)
            placeScales(step, unit);
        addCalls(std::move(step), index);
        if (layer.averages)
            addRowStep(index);
    }

    /// A call for each batch, with its part of what is stored.
    void addCalls(ComputeStep step, std::size_t index) {
        const Layer& layer = plan_.layers[index];
        const std::int64_t batches = layer.unbuildable.empty() ? batchesOf(program_, layer) : 1;
        const ComputeStep whole = step;
        const std::int64_t weights = schedule_.units[step.unit.index()].weightWords;
        for (std::int64_t batch = 0; batch < batches; ++batch) {
            if (batches > 1) {
                step = whole;
                step.input = partOf(whole.input, batch, batches);
                step.output = partOf(whole.output, batch, batches);
                if (whole.epilogue.addend)
                    step.epilogue.addend = partOf(*whole.epilogue.addend, batch, batches);
                step.firstRow = batch * step.rows;
            }
            setNest(step, layer);
            widenReads(step);
            if (step.held) // one batch takes the place of the other
                schedule_.units[step.unit.index()].weightWords = weights;
            placeWeights(step);
            if (step.held && layer.unbuildable.empty())
                holdWeights(step, layer, batch);
            if (joined(index))
                step.joinedAfter = joinDelay(schedule_, schedule_.steps.back(), step);
            schedule_.steps.emplace_back(step);
        }
    }

    /// As many words of the input at once as the unit takes.
    void widenReads(const ComputeStep& step) {
        Slot& slot = schedule_.slots[schedule_.tensor(step.input).slot.index()];
        while (!slot.window && slot.turns < schedule_.unit(step.unit).span)
            slot.turns *= 2;
    }

    void placeWeights(ComputeStep& step) {
        ScheduleUnit& unit = schedule_.units[step.unit.index()];
        if (!step.multiplies() || unit.stream)
            return;
        const std::int64_t words = step.rowBlocks * reductionWords(schedule_, step);
        if (step.external) {
            step.weightBase = unit.externalWords;
            unit.externalWords += words;
            schedule_.memory = request_.memory;
            return;
        }
        step.weightBase = unit.weightWords;
        unit.weightWords += words;
    }

    /// Behind the weights that stay, which are all known now.
    void placeExternal() {
        for (Step& step : schedule_.steps)
            if (auto* compute = std::get_if<ComputeStep>(&step); compute && compute->external)
                compute->weightBase += schedule_.unit(compute->unit).weightWords;
    }

    void holdWeights(const ComputeStep& step, const Layer& layer, std::int64_t batch) {
        const HeldPlace place{schedule_.unit(step.unit).parallel, step.weightBase,
                              reductionWords(schedule_, step)};
        for (Move& move : heldMoves(heldMatrix(program_, plan_, layer, batch, schedule_.lanes),
                                    place, schedule_.lanes))
            schedule_.steps.emplace_back(
                MoveStep{layer.name, step.unit, *step.held, {}, std::move(move)});
    }

    /// Pixels of one batch, as a tensor of its own in the same place.
    TensorId partOf(TensorId id, std::int64_t batch, std::int64_t batches) {
        StoredTensor part = schedule_.tensor(id);
        part.id = TensorId{schedule_.tensors.size()};
        part.name += "[" + std::to_string(batch) + "]";
        part.pixels /= batches;
        part.height = 1;
        part.width = part.pixels;
        part.base += batch * part.words();
        schedule_.tensors.push_back(part);
        return part.id;
    }

    void addRows(std::size_t index) {
        for (const ValueId weight : ir::constantsOf(program_, plan_.layers[index]))
            storeConstants(weight, index);
        store(plan_.layers[index].result, timeOf(index), timeOf(index));
        addRowStep(index);
    }

    void addRowStep(std::size_t index) {
        RowStep step = rowStepOf(program_, plan_, plan_.layers[index],
                                 [&](ValueId value) { return tensorAt(value); });
        step.unit = request_.layerUnits[index];
        limitWrites(step.output, schedule_.lanes);
        schedule_.steps.emplace_back(std::move(step));
    }

    void addMoves(std::size_t index) {
        const Layer& layer = plan_.layers[index];
        const TensorId target = store(layer.result, timeOf(index), timeOf(index));
        for (const ValueId weight : ir::constantsOf(program_, layer))
            storeConstants(weight, index);
        for (const OperandMove& move : movesOf(program_, plan_, layer, schedule_.lanes)) {
            limitWrites(target, move.move.together);
            schedule_.steps.emplace_back(MoveStep{layer.name, request_.layerUnits[index],
                                                  tensorAt(move.source), target, move.move});
        }
    }

    /// A weight that is read as a stored tensor is: one for this layer alone.
    void storeConstants(ValueId weight, std::size_t index) {
        RowStep step =
            constantStep(program_.value(weight), store(weight, timeOf(index), timeOf(index)));
        step.layer = plan_.layers[index].name;
        step.unit = request_.layerUnits[index];
        limitWrites(step.output, schedule_.lanes);
        schedule_.steps.emplace_back(std::move(step));
    }

    /// Numbers of every block, and the tables that no call before had.
    void placeScales(ComputeStep& step, ScheduleUnit& unit) const {
        WriteBack& writeBack = *unit.writeBack;
        const std::int64_t groups = unit.groups(schedule_.lanes);
        if (writeBack.form.fieldBits() > 0) {
            step.scaleBase = writeBack.words / groups;
            writeBack.words += step.rowBlocks * groups;
        }
        for (ActivationStage* stage :
             {&step.epilogue.activationBefore, &step.epilogue.activationAfter}) {
            if (!stage->table)
                continue;
            const auto known = std::ranges::find(writeBack.tables, *stage->table);
            stage->tableIndex = known - writeBack.tables.begin();
            if (known == writeBack.tables.end())
                writeBack.tables.push_back(*stage->table);
        }
    }

    void setNest(ComputeStep& step, const Layer& layer) const {
        if (step.stencilPad)
            return; // of words
        const StoredTensor& input = schedule_.tensor(step.input);
        const ir::Value& anchor = program_.value(layer.anchor);
        const bool windows = anchor.op == ir::OpKind::Conv || anchor.op == ir::OpKind::DwConv;
        if (layer.lanewise || (!layer.pass && windows)) {
            setWindows(step, layer);
        } else if (layer.pass) {
            step.height = input.height;
            step.width = input.width;
        } else if (anchor.op == ir::OpKind::Mv || anchor.op == ir::OpKind::Dot) {
            step.channelWords = input.words();
        } else {
            // One pixel per row of the left matrix, or per line that a stencil filters.
            step.height = input.height;
            step.width = input.width;
            step.channelWords = input.wordsPerPixel;
            if (anchor.op == ir::OpKind::Conv1dW)
                step.stencilPad = anchor.params.pad.left;
        }
        step.height -= step.height % step.epilogue.poolSize;
        step.width -= step.width % step.epilogue.poolSize;
    }

    void setWindows(ComputeStep& step, const Layer& layer) const {
        const ir::Value& anchor = program_.value(layer.anchor);
        const ir::OpParams& params = anchor.params;
        if (anchor.op == ir::OpKind::Conv1dH)
            return filterColumns(step, anchor, program_.value(anchor.operands[1]).type.elements());
        step.kernel = params.size;
        if (!layer.pass) {
            const ir::Shape& held = program_.value(anchor.operands[1]).type.dims;
            step.kernel = {held[1], held[2]};
        }
        step.stride = params.stride;
        step.pad = {params.pad.top, params.pad.left};
        step.height = anchor.type.dims[0];
        step.width = anchor.type.dims[1];
        // Depth-wise with several results for each channel: a channel is a group.
        const bool multiplies = anchor.op == ir::OpKind::DwConv && !layer.lanewise;
        step.groups = multiplies ? schedule_.tensor(step.input).channels : params.groups;
        step.channelWords = layer.lanewise ? 1 : schedule_.tensor(step.input).wordsPerPixel;
        if (!readsOutside(schedule_, step))
            return;
        // What is larger than no element never counts as the maximum.
        const ir::Scalar operand = schedule_.tensor(step.input).scalar;
        step.padValue = anchor.op == ir::OpKind::MaxPool ? ir::info(operand).min : params.fill;
    }

    const ScheduleRequest& request_;
    const ir::Program& program_;
    const ir::LayerPlan& plan_;
    Schedule schedule_;
    std::vector<std::optional<TensorId>> tensorOf_;
    std::vector<std::size_t> lastUse_;  ///< time; by ValueId
    std::vector<std::size_t> freeFrom_; ///< first time a slot may be written again
};

} // namespace

std::string identifier(const std::string& name) {
    std::string safe;
    for (char c : name)
        safe += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    if (safe.empty() || std::isdigit(static_cast<unsigned char>(safe[0])) != 0)
        safe.insert(safe.begin(), '_');
    return safe;
}

LaneFunction laneFunctionOf(const ir::Program& program, const ir::Layer& layer) {
    if (!layer.lanewise)
        return LaneFunction::None;
    if (!layer.pass)
        return LaneFunction::Products;
    return program.value(layer.anchor).op == ir::OpKind::MaxPool ? LaneFunction::Max
                                                                 : LaneFunction::Sum;
}

Schedule buildSchedule(const ScheduleRequest& request) {
    return Builder(request).run();
}

} // namespace marquetry::design
