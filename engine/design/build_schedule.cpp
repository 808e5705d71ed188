#include "engine/design/build_schedule.h"

#include "engine/design/banded_layers.h"
#include "engine/design/epilogue_of.h"
#include "engine/design/external_tensors.h"
#include "engine/design/held_of.h"
#include "engine/design/join.h"
#include "engine/design/moves_of.h"
#include "engine/design/row_step.h"
#include "engine/design/stencil.h"
#include "engine/design/step_queues.h"
#include "engine/design/windows.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace marquetry::design {

namespace {

using ir::Layer;
using ir::ValueId;

class Builder {
public:
    explicit Builder(const ScheduleRequest& request)
        : request_(request),
          program_(*request.program),
          plan_(*request.plan),
          slots_(schedule_, program_) {}

    Schedule run() {
        schedule_.name = identifier(program_.name);
        schedule_.lanes = request_.lanes;
        schedule_.frames = request_.frames;
        schedule_.units = request_.units;
        placeOutside();
        findLastUses();
        for (ValueId input : program_.inputs) {
            if (comesInBands(storage(input)))
                continue;
            // Inputs are all in place before the first layer.
            const TensorId tensor = storePixels(storage(input), 0);
            slots_.limitWrites(tensor, schedule_.lanes);
            schedule_.steps.emplace_back(LoadStep{program_.value(input).name, tensor});
        }
        for (std::size_t k = 0; k < plan_.layers.size(); ++k)
            if (const LayerBands* bands = bandsOf(k); bands == nullptr)
                addWhole(k);
            else if (bands->first == k)
                addBanded(*bands);
        for (const ir::Output& output : program_.outputs)
            schedule_.steps.emplace_back(StoreStep{output.name, tensorAt(storage(output.value)),
                                                   program_.value(output.value).type});
        slots_.settle();
        placeExternal();
        if (request_.ahead > 0)
            orderSteps();
        return std::move(schedule_);
    }

    /// Bands know their queues. What waits for memory as a whole is awaited where it has to be.
    void orderSteps() {
        schedule_.order.resize(schedule_.steps.size());
        for (std::size_t s = 0; s < schedule_.steps.size(); ++s)
            if (movesExternal(schedule_.steps[s]))
                schedule_.order[s].queue = Queue::Transfers;
        if (std::ranges::all_of(schedule_.order,
                                [](const StepOrder& order) { return order.queue == Queue::Calls; }))
            schedule_.order.clear();
        else
            awaitQueues(schedule_);
    }

private:
    ValueId storage(ValueId value) const { return plan_.storage[value.index()]; }
    TensorId tensorAt(ValueId value) const { return slots_.at(value); }

    /// Time 0 is before the first layer, outputs leave at the end.
    std::size_t timeOf(std::size_t layer) const { return joined(layer) ? layer : layer + 1; }
    bool joined(std::size_t layer) const {
        return !request_.joined.empty() && request_.joined[layer];
    }

    const LayerBands* bandsOf(std::size_t layer) const {
        for (const LayerBands& bands : request_.bands)
            if (bands.contains(layer))
                return &bands;
        return nullptr;
    }

    /// What banded layers read is read until their last band.
    std::size_t lastTimeOf(std::size_t layer) const {
        const LayerBands* bands = bandsOf(layer);
        return timeOf(bands != nullptr ? bands->last : layer);
    }

    void findLastUses() {
        for (std::size_t k = 0; k < plan_.layers.size(); ++k) {
            const std::size_t time = lastTimeOf(k);
            for (ValueId value : storedOperands(plan_.layers[k]))
                if (!isOutside(value))
                    slots_.extend(value, time);
        }
        for (const ir::Output& output : program_.outputs)
            slots_.extend(storage(output.value), plan_.layers.size() + 1);
    }

    // ---- values in external memory

    bool isOutside(ValueId value) const {
        return std::ranges::find(request_.outside, value) != request_.outside.end();
    }

    void placeOutside() {
        std::int64_t base = 0;
        for (const Layer& layer : plan_.layers) {
            if (!isOutside(layer.result))
                continue;
            ExternalTensor tensor = externalTensor(program_, layer.result);
            tensor.base = base;
            base += roundUp(tensor.bytes(), kExternalAlignment);
            schedule_.externals.push_back(tensor);
        }
        if (schedule_.externals.empty())
            return;
        schedule_.memory = request_.memory;
        residentUntil_.assign(program_.values.size(), 0);
        slots_.shareRings();
    }

    /// The time of the last of the whole layers from this one on, one behind the other, that read
    /// the value.
    std::size_t readUntil(ValueId value, std::size_t layer) const {
        std::size_t next = layer;
        while (next < plan_.layers.size() && bandsOf(next) == nullptr && reads(next, value))
            ++next;
        return next == layer ? 0 : timeOf(next - 1);
    }

    bool reads(std::size_t layer, ValueId value) const {
        const std::vector<ValueId> read = storedOperands(plan_.layers[layer]);
        return std::ranges::find(read, value) != read.end();
    }

    LoadStep loadOf(ValueId value, TensorId tensor) {
        slots_.limitWrites(tensor, schedule_.lanes);
        return {program_.value(value).name, tensor, true};
    }

    StoreStep storeOf(ValueId value, TensorId tensor) const {
        return {program_.value(value).name, tensor, program_.value(value).type, true};
    }

    /// Loads what a layer reads and is not on the chip.
    void loadOperands(std::size_t index) {
        for (const ValueId value : storedOperands(plan_.layers[index])) {
            if (!isOutside(value) || residentUntil_[value.index()] >= timeOf(index))
                continue;
            residentUntil_[value.index()] = readUntil(value, index);
            slots_.extend(value, residentUntil_[value.index()]);
            const auto read = windowsOf(value);
            const TensorId tensor =
                read ? slots_.storeWindows(value, *read) : slots_.storeLoaded(value, timeOf(index));
            schedule_.steps.emplace_back(loadOf(value, tensor));
        }
    }

    void addWhole(std::size_t index) {
        const ValueId result = plan_.layers[index].result;
        const bool outside = isOutside(result);
        loadOperands(index);
        if (outside) {
            residentUntil_[result.index()] = std::max(timeOf(index), readUntil(result, index + 1));
            slots_.extend(result, residentUntil_[result.index()]);
        }
        addLayer(index);
        if (outside)
            schedule_.steps.emplace_back(storeOf(result, tensorAt(result)));
    }

    // ---- layers in bands

    /// The input, of an image, of the first of banded layers, that only they read.
    bool comesInBands(ValueId input) const {
        const LayerBands* all = nullptr;
        for (const LayerBands& bands : request_.bands)
            if (plan_.layers[bands.first].input == input)
                all = &bands;
        for (const ir::Output& output : program_.outputs)
            if (storage(output.value) == input)
                return false;
        for (std::size_t k = 0; k < plan_.layers.size(); ++k) {
            const std::vector<ValueId> read = storedOperands(plan_.layers[k]);
            if (std::ranges::find(read, input) != read.end() && bandsOf(k) != all)
                return false;
        }
        // A band has two pixels at least.
        const ir::Shape& dims = program_.value(input).type.dims;
        return all != nullptr && dims.size() == 3 && dims[1] >= 2;
    }

    /// How a convolution alone that reads the value takes its windows.
    std::optional<cost::WindowRead> windowsOf(ValueId value) const {
        for (std::size_t k = 0; request_.wholeWindows && k < plan_.layers.size(); ++k) {
            const Layer& layer = plan_.layers[k];
            const ScheduleUnit& unit = request_.units[request_.layerUnits[k].index()];
            if (layer.input != value || unit.stream || !convolves(program_, layer))
                continue;
            const cost::WindowWords window = windowWords(program_, plan_, layer, request_.lanes);
            if (const auto read = cost::windowRead(window, unit.span))
                return read;
        }
        return std::nullopt;
    }

    /// An input or what a unit computes, from the time on at which it is written.
    TensorId storePixels(ValueId value, std::size_t time) {
        if (const auto read = isOutside(value) ? std::nullopt : windowsOf(value))
            return slots_.storeWindows(value, *read);
        return slots_.store(value, time);
    }

    /// The steps of all layers of the bands, and the loads and stores of what comes and leaves with
    /// them.
    void addBanded(const LayerBands& bands) {
        BandedSteps steps;
        steps.rows = bands.rows;
        steps.time = timeOf(bands.first);
        steps.ahead = request_.ahead;
        std::vector<TensorId> rings;
        loadInput(bands, steps, rings);
        for (std::size_t k = bands.first; k <= bands.last; ++k)
            loadBands(bands, k, steps, rings);
        // The result is written from the first band on.
        for (std::size_t k = bands.first; k <= bands.last; ++k) {
            const ValueId result = plan_.layers[k].result;
            const bool whole = k == bands.last && !isOutside(result);
            const TensorId output =
                whole ? storePixels(result, steps.time) : rings.emplace_back(storeRing(result));
            if (isOutside(result))
                steps.stores.push_back(storeOf(result, output));
            steps.layers.push_back(bandedLayer(k, output));
        }
        addBands(steps, slots_, schedule_);
        for (const TensorId ring : rings)
            slots_.release(ring, timeOf(bands.last) + 1);
    }

    BandedLayer bandedLayer(std::size_t index, TensorId output) {
        const Layer& layer = plan_.layers[index];
        if (layer.moves) {
            BandedMoves moves{{}, *rowsOfEachRow(program_, layer)};
            for (const OperandMove& move : movesOfRow(program_, plan_, layer, schedule_.lanes))
                moves.ofRow.push_back(moveOf(index, move, output));
            return moves;
        }
        ComputeStep call = callOf(index, output);
        setNest(call, layer);
        widenReads(call);
        placeWeights(call);
        return call;
    }

    /// What leaves the chip is not read in windows.
    TensorId storeRing(ValueId result) {
        return slots_.storeRing(result, isOutside(result) ? std::nullopt : windowsOf(result));
    }

    /// An input of the program that only these layers read.
    void loadInput(const LayerBands& bands, BandedSteps& steps, std::vector<TensorId>& rings) {
        const ValueId first = plan_.layers[bands.first].input;
        for (ValueId input : program_.inputs)
            if (storage(input) == first && comesInBands(first)) {
                rings.push_back(slots_.storeRing(first, windowsOf(first)));
                slots_.limitWrites(rings.back(), schedule_.lanes);
                steps.loads.push_back(LoadStep{program_.value(input).name, rings.back()});
            }
    }

    /// What a layer of the bands reads that external memory holds and none of them makes.
    void loadBands(const LayerBands& bands, std::size_t layer, BandedSteps& steps,
                   std::vector<TensorId>& rings) {
        const auto isMade = [&](ValueId value) {
            for (std::size_t k = bands.first; k <= bands.last; ++k)
                if (plan_.layers[k].result == value)
                    return true;
            return false;
        };
        const auto isLoaded = [&](ValueId value) {
            return std::ranges::any_of(
                rings, [&](TensorId ring) { return schedule_.tensor(ring).value == value; });
        };
        for (const ValueId value : storedOperands(plan_.layers[layer]))
            if (isOutside(value) && !isMade(value) && !isLoaded(value)) {
                rings.push_back(slots_.storeLoadedRing(value, windowsOf(value)));
                steps.loads.push_back(loadOf(value, rings.back()));
            }
    }

    void addLayer(std::size_t index) {
        const Layer& layer = plan_.layers[index];
        if (layer.moves)
            return addMoves(index);
        if (layer.rows)
            return addRows(index);
        for (const ValueId weight : ir::constantsOf(program_, layer))
            storeConstants(weight, index);
        addCalls(callOf(index, storePixels(layer.result, timeOf(index))), index);
        if (layer.averages)
            addRowStep(index);
    }

    /// All of a call but its nest and where its weights are.
    ComputeStep callOf(std::size_t index, TensorId output) {
        const Layer& layer = plan_.layers[index];
        ScheduleUnit& unit = schedule_.units[request_.layerUnits[index].index()];
        unit.laneFunction = laneFunctionOf(program_, layer);
        ComputeStep step;
        step.layer = layer.name;
        step.unit = unit.id;
        step.input = tensorAt(layer.input);
        step.epilogue = epilogueOf(program_, layer, [&](ValueId value) { return tensorAt(value); });
        step.output = output;
        filterWords(schedule_, step, program_, layer);
        step.rows = schedule_.tensor(step.output).channels;
        step.rowBlocks = ceilDiv(step.rows, unit.parallel);
        if (layer.weight && !layer.pass)
            step.weight = layer.weight;
        else if (!layer.pass)
            step.held = tensorAt(layer.others.front());
        step.external = step.weight && !request_.external.empty() && request_.external[index];
        unit.holds |= step.held.has_value();
        slots_.limitWrites(step.output, unit.writeLanes(schedule_.lanes));
        if (unit.writeBack)
            placeScales(step, unit);
        return step;
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
        slots_.store(plan_.layers[index].result, timeOf(index));
        addRowStep(index);
    }

    void addRowStep(std::size_t index) {
        RowStep step = rowStepOf(program_, plan_, plan_.layers[index],
                                 [&](ValueId value) { return tensorAt(value); });
        step.unit = request_.layerUnits[index];
        slots_.limitWrites(step.output, schedule_.lanes);
        schedule_.steps.emplace_back(std::move(step));
    }

    void addMoves(std::size_t index) {
        const Layer& layer = plan_.layers[index];
        const TensorId target = slots_.store(layer.result, timeOf(index));
        for (const ValueId weight : ir::constantsOf(program_, layer))
            storeConstants(weight, index);
        for (const OperandMove& move : movesOf(program_, plan_, layer, schedule_.lanes))
            schedule_.steps.emplace_back(moveOf(index, move, target));
    }

    MoveStep moveOf(std::size_t index, const OperandMove& move, TensorId target) {
        slots_.limitWrites(target, move.move.together);
        return {plan_.layers[index].name, request_.layerUnits[index], tensorAt(move.source), target,
                move.move};
    }

    /// A weight that is read as a stored tensor is: one for this layer alone.
    void storeConstants(ValueId weight, std::size_t index) {
        RowStep step = constantStep(program_.value(weight), slots_.store(weight, timeOf(index)));
        step.layer = plan_.layers[index].name;
        step.unit = request_.layerUnits[index];
        slots_.limitWrites(step.output, schedule_.lanes);
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
    TensorSlots slots_;
    std::vector<std::size_t> residentUntil_; ///< time, of values outside; index: ValueId
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

std::vector<ir::ValueId> storedOperands(const ir::Layer& layer) {
    std::vector<ir::ValueId> all = {layer.input};
    all.insert(all.end(), layer.others.begin(), layer.others.end());
    for (const ir::EpilogueOp& op : layer.epilogue)
        if (op.addend)
            all.push_back(*op.addend);
    return all;
}

Schedule buildSchedule(const ScheduleRequest& request) {
    return Builder(request).run();
}

} // namespace marquetry::design
