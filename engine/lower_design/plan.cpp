#include "engine/lower_design/plan.h"

#include "engine/cost/call_timing.h"
#include "engine/cost/stream_unit.h"
#include "engine/design/cycle_model.h"
#include "engine/design/step_queues.h"
#include "engine/design/weight_traffic.h"
#include "engine/design/windows.h"
#include "engine/lower_design/plan_names.h"
#include "engine/lower_design/plan_operands.h"
#include "engine/lower_design/write_back_plan.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <cmath>

namespace marquetry::hdl {

namespace {

using design::ComputeStep;
using design::Schedule;
using design::StoredTensor;

int log2(std::int64_t powerOfTwo) {
    return static_cast<int>(cost::treeLevels(powerOfTwo));
}

bool same(const design::RequantStage& a, const design::RequantStage& b) {
    return a.enabled == b.enabled &&
           (!a.enabled || (a.shift == b.shift && a.zero == b.zero && a.to == b.to));
}

bool same(const design::ActivationStage& a, const design::ActivationStage& b) {
    return a.kind == b.kind && (a.kind != design::ActivationStage::Kind::Leaky ||
                                (a.num == b.num && a.shift == b.shift));
}

bool same(const AddendSource& a, const AddendSource& b) {
    return a == b;
}

bool same(std::size_t a, std::size_t b) {
    return a == b;
}

bool same(std::int64_t a, std::int64_t b) {
    return a == b;
}

/// The position of the item in the list, which gets it when it is not there.
template <class T>
std::size_t place(std::vector<T>& list, const T& item) {
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const T& other) { return same(other, item); });
    if (found != list.end())
        return static_cast<std::size_t>(found - list.begin());
    list.push_back(item);
    return list.size() - 1;
}

void planSlots(const Schedule& schedule, RtlPlan& plan) {
    for (const design::Slot& slot : schedule.slots) {
        SlotPlan p;
        p.used = std::any_of(schedule.tensors.begin(), schedule.tensors.end(),
                             [&](const StoredTensor& t) { return t.slot == slot.id; });
        // Of turns at least two words, so that addresses before the first one end there, too.
        const int turned = slot.turns > 1 ? bitsFor(slot.turns) + 1 : 0;
        p.addressBits = std::max(slot.addressBits(), turned);
        p.wordBits = std::max(bitsFor(slot.depth), turned);
        p.wraps = slot.wraps() ? slot.depth : 0;
        p.storedLanes = slot.storedLanes;
        p.turns = slot.turns;
        p.wordLanes = slot.lanesTaken(schedule.lanes);
        p.window = slot.window;
        p.banks = slot.banks();
        p.turnBanks = slot.banksOfTurn();
        p.bankBits = static_cast<int>(slot.bankBits());
        p.memoriesPerBank = ceilDiv(slot.bankBits(), slot.memoryBits);
        p.memoryBits = static_cast<int>(std::min(slot.bankBits(), slot.memoryBits));
        p.lutRam = slot.lutRam;
        plan.slots.push_back(p);
    }
}

void planUnits(const Schedule& schedule, RtlPlan& plan) {
    for (const design::ScheduleUnit& unit : schedule.units) {
        UnitPlan p;
        p.pass = unit.pass;
        p.parallel = unit.rows(schedule.lanes);
        p.span = unit.span;
        p.maskLanes = schedule.lanes;
        p.writeLanes = unit.reduces() ? unit.writeLanes(schedule.lanes) : p.parallel;
        p.groups = unit.groups(schedule.lanes);
        p.groupBits = log2(schedule.lanes / p.writeLanes);
        if (unit.writeBack)
            p.writeBack = planWriteBack(unit);
        p.operandBits = ir::storedBits(unit.operand);
        p.operandSigned = ir::info(unit.operand).isSigned;
        p.weightBits = ir::storedBits(unit.weight);
        p.weightSigned = ir::info(unit.weight).isSigned;
        p.weightWords = unit.memoryWords();
        if (design::isLoaded(schedule, unit.id))
            p.loaded =
                LoadedWeights{design::beatsOfWord(schedule, unit.id), unit.loadBeats,
                              8 * schedule.memory->beatBytes, unit.weightWords, unit.ringWords};
        p.lutWeights = p.loaded && unit.lutWeights;
        p.pairsRows = unit.pairsRows;
        p.holds = unit.holds;
        p.weightAddressBits = bitsFor(unit.memoryWords());
        p.laneFunction = unit.laneFunction;
        plan.units.push_back(p);
    }
}

StreamUnitPlan planStreamUnit(const Schedule& schedule, const ComputeStep& step) {
    const StoredTensor& input = schedule.tensor(step.input);
    const design::StreamTiming& timing = *schedule.unit(step.unit).stream;
    StreamUnitPlan p;
    p.height = input.height + 2 * step.pad.vertical;
    p.width = input.width + 2 * step.pad.horizontal;
    p.outHeight = step.height;
    p.outWidth = step.width;
    p.kernel = step.kernel.vertical;
    p.stride = step.stride.vertical;
    p.pool = step.epilogue.poolSize;
    p.channels = input.channels;
    p.rows = step.rows;
    p.blocks = step.rowBlocks;
    p.interval = timing.interval;
    p.latency = timing.latency;
    p.padded = step.pad.vertical > 0;
    return p;
}

void planResult(const Schedule& schedule, const ComputeStep& step, const UnitPlan& unit,
                StepPlan& p) {
    const StoredTensor& output = schedule.tensor(step.output);
    const std::int64_t groups = schedule.lanes / unit.writeLanes; // of a word
    p.outStart = output.base * groups;
    p.outSlot = output.slot.index();
    p.outBlocks = step.external ? step.rowBlocks : 1;
    p.outLast = step.rowBlocks / p.outBlocks * unit.groups - 1;
    const std::int64_t ofLastBlock =
        output.wordsPerPixel * groups - (p.outBlocks - 1) * unit.groups;
    p.outKept = std::min(p.outLast, ofLastBlock - 1);
    p.outPixel = output.wordsPerPixel * groups - p.outLast;
    p.outWidth = output.width;
    p.outRow = p.outPixel + (output.pitch() - output.width * output.wordsPerPixel) * groups;
    p.outPixels = schedule.storedPixels(step.output);
    const std::int64_t lastPixel =
        schedule.storedWords(step.output) - output.words() + output.wordOf(output.pixels - 1);
    p.outBlock = unit.groups - lastPixel * groups - p.outLast;
    p.wait = cost::reductionWait(callShape(schedule, step));
    if (schedule.unit(step.unit).stream || !step.epilogue.addend)
        return;
    const StoredTensor& addend = schedule.tensor(*step.epilogue.addend);
    const std::int64_t pixel = addend.wordsPerPixel * groups;
    const std::int64_t pool = step.epilogue.poolSize;
    PerLevel strides{};
    strides[blockLevel(step)] = unit.groups;
    strides[Frame] = addend.words() * groups;
    strides[Py] = pool * step.width * pixel;
    strides[Px] = pool * pixel;
    strides[Wy] = step.width * pixel;
    strides[Wx] = pixel;
    p.addend = affine(addend.base * groups, strides, p.bounds);
    p.addSlot = addend.slot.index();
}

void planModes(const Schedule& schedule, const ComputeStep& step, UnitPlan& unit, StepPlan& p) {
    const design::Epilogue& e = step.epilogue;
    if (unit.writeBack) {
        planScaledModes(e, unit, p);
    } else {
        p.requantBefore = place(unit.requantsBefore, e.requantBefore);
        p.activationBefore = place(unit.activationsBefore, e.activationBefore);
        p.requantAfter = place(unit.requantsAfter, e.requantAfter);
        p.activationAfter = place(unit.activationsAfter, e.activationAfter);
    }
    if (e.addend) {
        const StoredTensor& addend = schedule.tensor(*e.addend);
        p.addendMode = place(unit.addends, {addend.slot.index(), addend.scalar});
        unit.adds = true;
    } else {
        unit.addsAlways = false;
    }
    p.poolSum = e.pool == design::PoolKind::Sum;
    unit.poolsMax |= e.pool == design::PoolKind::Max;
    unit.poolsSum |= e.pool == design::PoolKind::Sum;
    unit.largestPool = std::max(unit.largestPool, e.poolSize);
    place(unit.inSlots, p.inSlot);
    place(unit.outSlots, p.outSlot);
    unit.resultBits = std::max(unit.resultBits, schedule.slots[p.outSlot].elementBits);
    unit.layers.push_back(step.layer);
}

/// Of the slot of its input, and of words that are not part of it.
void planReads(const Schedule& schedule, const ComputeStep& step, UnitPlan& unit, StepPlan& p,
               RtlPlan& plan) {
    SlotPlan& slot = plan.slots[p.inSlot];
    if (p.follower)
        place(slot.followerReads, *p.follower);
    else
        slot.computeReads = true;
    slot.reach = std::max<std::int64_t>(slot.reach, std::ssize(p.columnOffsets));
    plan.span = std::max(plan.span, slot.reach);
    unit.maskLanes = std::min(unit.maskLanes, slot.wordLanes);
    if (slot.window)
        slot.rounds = (schedule.tensor(step.input).pitch() - slot.window->run) / slot.turns;
    const bool outside = (unit.reduces() || unit.stream) && design::readsOutside(schedule, step);
    if (outside || p.tail != 0) {
        plan.pads = true;
        p.padMode = place(unit.padValues, step.padValue);
    }
}

/// `before`: the step planned last.
void follow(RtlPlan& plan, const design::Step& before, std::int64_t delay) {
    plan.joins = true;
    if (!std::holds_alternative<design::LoadStep>(before)) {
        plan.computes.back().followedAfter = delay;
        return;
    }
    plan.loads.back().followedAfter = delay;
    plan.joinsLoads = true;
}

/// Which one runs it, and so commands its unit.
void planSequencer(const Schedule& schedule, UnitPlan& unit, StepPlan& p) {
    p.beside = isBeside(schedule.orderOf(p.step).queue);
    if (const design::Queue queue = design::sequencerOf(schedule, p.step); isBeside(queue))
        unit.follower = p.follower = indexOf(queue) - indexOf(design::Queue::Second);
    else
        unit.leads = true;
}

void planCompute(const Schedule& schedule, std::size_t index, RtlPlan& plan) {
    const auto& step = std::get<ComputeStep>(schedule.steps[index]);
    UnitPlan& unit = plan.units[step.unit.index()];
    StepPlan p;
    p.step = index;
    p.unit = step.unit.index();
    if (schedule.unit(step.unit).stream)
        unit.stream = planStreamUnit(schedule, step);
    p.bounds = nestBounds(schedule, step, unit);
    p.drain = unit.stream ? cost::streamDrain(unit.stream->interval, unit.stream->latency)
                          : cost::drainCycles(design::callShape(schedule, step));
    planOperands(schedule, step, unit, p);
    planResult(schedule, step, unit, p);
    planModes(schedule, step, unit, p);
    planScales(step, unit, p);
    p.external = step.external;
    planSequencer(schedule, unit, p);
    if (step.joinedAfter)
        follow(plan, schedule.steps[index - 1], *step.joinedAfter);
    plan.choosesInput |= unit.inSlots.size() > 1;
    unit.cycles += plan.stepCycles[index];
    planReads(schedule, step, unit, p, plan);
    plan.multiplies |= unit.multiplies();
    plan.reduces |= unit.reduces();
    plan.scales |= unit.writeBack && unit.writeBack->words > 0;
    plan.streams |= unit.stream.has_value();
    plan.waits |= p.wait > 0;
    plan.spreads |= p.outRow != p.outPixel;
    plan.trims |= p.outKept < p.outLast;
    plan.adds |= p.addSlot.has_value();
    plan.pools |= !unit.stream && step.epilogue.pool != design::PoolKind::None;
    plan.stepNames.push_back(step.layer + " on " + schedule.unit(step.unit).name);
    plan.computes.push_back(p);
}

/// `perCycle` by channels and bits.
StreamPlan planStream(const Schedule& schedule, std::size_t index, const std::string& port,
                      design::TensorId id, std::int64_t (*perCycle)(std::int64_t, std::int64_t)) {
    StreamPlan p;
    p.port = port;
    p.tensor = schedule.tensor(id);
    p.tensor.height *= schedule.framesAtOnce(); // they lie one behind the other
    p.tensor.pixels *= schedule.framesAtOnce();
    p.parts = {{index, p.tensor.pixels}};
    p.slot = p.tensor.slot.index();
    p.elementBits = 8 * ir::info(p.tensor.scalar).bytes;
    p.perBeat = 64 / p.elementBits;
    p.perCycle = perCycle(p.tensor.channels, p.elementBits);
    p.beats = ceilDiv(p.tensor.elements(), p.perBeat);
    return p;
}

/// The next part of a stream that has begun, or a stream. Those of an external tensor are one for
/// each slot.
void addPart(std::vector<StreamPlan>& streams, StreamPlan next) {
    const auto begun = std::ranges::find_if(streams, [&](const StreamPlan& stream) {
        return stream.port == next.port && (!next.external || stream.slot == next.slot);
    });
    if (begun == streams.end())
        return streams.push_back(std::move(next));
    begun->parts.push_back(next.parts.front());
    begun->tensor.height += next.tensor.height;
    begun->tensor.pixels += next.tensor.pixels;
    begun->beats = ceilDiv(begun->tensor.elements(), begun->perBeat);
}

void queue(const Schedule& schedule, std::size_t index, StreamPlan& stream, RtlPlan& plan) {
    stream.queue = schedule.orderOf(index).queue;
    plan.transfers |= stream.queue == design::Queue::Transfers;
}

void planLoad(const Schedule& schedule, std::size_t index, RtlPlan& plan) {
    const auto& load = std::get<design::LoadStep>(schedule.steps[index]);
    plan.stepNames.push_back("load " + load.port);
    StreamPlan next = planStream(schedule, index, load.port, load.tensor, cost::loadElements);
    next.external = load.external;
    queue(schedule, index, next, plan);
    addPart(load.external ? plan.externalLoads : plan.loads, std::move(next));
}

void planStore(const Schedule& schedule, std::size_t index, RtlPlan& plan) {
    const auto& store = std::get<design::StoreStep>(schedule.steps[index]);
    plan.stepNames.push_back("store " + store.port);
    StreamPlan next = planStream(schedule, index, store.port, store.tensor, cost::storeElements);
    next.external = store.external;
    queue(schedule, index, next, plan);
    addPart(store.external ? plan.externalStores : plan.stores, std::move(next));
}

/// Where the parts of external tensors lie.
void placeParts(const Schedule& schedule, RtlPlan& plan) {
    if (schedule.externals.empty())
        return;
    const std::int64_t begin = design::externalBegin(schedule);
    const auto place = [&](std::vector<StreamPlan>& streams, auto tensorOf) {
        for (StreamPlan& stream : streams)
            for (StreamPart& part : stream.parts)
                part.bytes = design::externalRows(schedule, tensorOf(part.step), begin);
    };
    place(plan.externalLoads, [&](std::size_t step) {
        return std::get<design::LoadStep>(schedule.steps[step]).tensor;
    });
    place(plan.externalStores, [&](std::size_t step) {
        return std::get<design::StoreStep>(schedule.steps[step]).tensor;
    });
}

void planMoveStep(const Schedule& schedule, std::size_t index, RtlPlan& plan) {
    const auto& step = std::get<design::MoveStep>(schedule.steps[index]);
    plan.stepNames.push_back(step.layer + " from " + schedule.tensor(step.source).name);
}

void planSteps(const Schedule& schedule, RtlPlan& plan) {
    for (const std::vector<std::size_t>& moves : design::movesOfMovers(schedule))
        plan.transfers |=
            plan.moves.emplace_back(planMove(schedule, moves)).queue == design::Queue::Transfers;
    for (const std::vector<std::size_t>& rows : design::stepsOfRowUnits(schedule))
        plan.rows.push_back(planRows(schedule, rows));
    for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
        if (std::holds_alternative<design::LoadStep>(schedule.steps[i])) {
            planLoad(schedule, i, plan);
        } else if (std::holds_alternative<design::StoreStep>(schedule.steps[i])) {
            planStore(schedule, i, plan);
        } else if (std::holds_alternative<design::MoveStep>(schedule.steps[i])) {
            planMoveStep(schedule, i, plan);
        } else if (const auto* rows = std::get_if<design::RowStep>(&schedule.steps[i])) {
            plan.stepNames.push_back(rows->layer);
        } else {
            planCompute(schedule, i, plan);
        }
    }
    placeParts(schedule, plan);
    for (auto* streams : {&plan.loads, &plan.stores, &plan.externalLoads, &plan.externalStores})
        for (StreamPlan& p : *streams)
            for (const StreamPart& part : p.parts)
                p.cycles += plan.stepCycles[part.step];
}

std::size_t addendReaders(const RtlPlan& plan, std::size_t slot) {
    const auto reads = [slot](const UnitPlan& unit) {
        return std::any_of(unit.addends.begin(), unit.addends.end(),
                           [slot](const AddendSource& source) { return source.slot == slot; });
    };
    return static_cast<std::size_t>(std::count_if(plan.units.begin(), plan.units.end(), reads));
}

/// Readers of a slot among the computing steps: each adding unit is one, all inputs of a sequencer
/// are one.
std::size_t readers(const RtlPlan& plan, std::size_t slot) {
    const SlotPlan& p = plan.slots[slot];
    return addendReaders(plan, slot) + (p.computeReads ? 1 : 0) + p.followerReads.size();
}

void planWidths(RtlPlan& plan) {
    const auto atLeast = [](int& width, int other) { width = std::max(width, other); };
    for (const StepPlan& p : plan.computes) {
        const UnitPlan& unit = plan.units[p.unit];
        atLeast(plan.inputBits, plan.slots[p.inSlot].addressBits);
        atLeast(plan.outBits, plan.slots[p.outSlot].addressBits + unit.groupBits);
        if (p.addSlot)
            atLeast(plan.addendBits, plan.slots[*p.addSlot].addressBits + unit.groupBits);
        if (unit.multiplies())
            atLeast(plan.weightBits, unit.weightAddressBits);
        if (unit.writeBack)
            atLeast(plan.scaleBits, unit.writeBack->addressBits);
        // One bit more than the largest magnitude: negative positions compare as large ones.
        const auto reach = [&](std::int64_t extent, const Affine& position, std::int64_t last) {
            const std::int64_t start = position.start;
            return bitsFor(std::max(extent - 2 * start + p.bounds[Ky] + 1, last - start + 2)) + 1;
        };
        atLeast(plan.rowBits, reach(p.inHeight, p.row, p.lastRow));
        atLeast(plan.columnBits, reach(p.inWidth, p.column, p.lastColumn));
    }
    plan.stepBits = bitsFor(static_cast<std::int64_t>(plan.places()));
    plan.begunBits = bitsFor(std::ssize(plan.stepNames));
    plan.slotBits = bitsFor(static_cast<std::int64_t>(plan.slots.size()));
    plan.unitBits = bitsFor(static_cast<std::int64_t>(plan.units.size()));
}

} // namespace

Affine affine(std::int64_t start, const PerLevel& strides, const PerLevel& bounds) {
    Affine result;
    result.start = start;
    std::int64_t rewind = 0;
    for (std::size_t level = kLevels; level-- > 0;) {
        result.delta[level] = strides[level] - rewind;
        rewind += (bounds[level] - 1) * strides[level];
    }
    return result;
}

namespace {

MemoryPort planMemory(const Schedule& schedule) {
    MemoryPort port;
    port.beatBits = static_cast<int>(8 * schedule.memory->beatBytes);
    port.queueBeats = design::queueBeats(*schedule.memory);
    port.milliBytesPerClock =
        static_cast<std::int64_t>(std::llround(1000 * schedule.memory->bytesPerCycle));
    port.latency = schedule.memory->latencyCycles;
    const auto plan = [&](const std::vector<design::WeightRun>& runs,
                          std::vector<LoadRun>& planned) {
        for (const design::WeightRun& run : runs)
            planned.push_back({run.unit.index(), run.words, run.fill});
        return design::burstsOf(schedule, runs);
    };
    const design::ExternalReads reads = design::externalReads(schedule);
    port.residentBursts = plan(design::residentRuns(schedule), port.resident);
    port.runBursts = plan(reads.runs, port.external);
    port.imageBursts = port.residentBursts + design::burstsOf(schedule, reads.stored);
    port.ranges = reads.ranges;
    port.imageBytes = design::imageBytes(schedule);
    port.writes = !schedule.externals.empty();
    port.moveBeats = design::movedBeats(*schedule.memory);
    return port;
}

} // namespace

namespace {

std::vector<const StreamPlan*> oneAfterAnother(const std::vector<StreamPlan>& first,
                                               const std::vector<StreamPlan>& then) {
    std::vector<const StreamPlan*> all;
    for (const auto* streams : {&first, &then})
        for (const StreamPlan& stream : *streams)
            all.push_back(&stream);
    return all;
}

} // namespace

std::vector<const StreamPlan*> RtlPlan::loaders() const {
    return oneAfterAnother(loads, externalLoads);
}

std::vector<const StreamPlan*> RtlPlan::storers() const {
    return oneAfterAnother(stores, externalStores);
}

bool RtlPlan::movesIn(design::Queue queue) const {
    return std::ranges::any_of(moves, [&](const MovePlan& move) { return move.queue == queue; }) ||
           std::ranges::any_of(rows, [&](const RowPlan& unit) { return unit.queue == queue; });
}

bool RtlPlan::fetchesBeside() const {
    return std::ranges::any_of(
        computes, [](const StepPlan& p) { return p.external && p.follower.has_value(); });
}

std::string signalOf(design::Queue queue) {
    constexpr const char* kNames[] = {"calls", "transfers", "second"};
    const std::size_t k = indexOf(queue);
    return k < std::size(kNames) ? kNames[k] : "queue" + std::to_string(k);
}

RtlPlan makePlan(const design::Schedule& schedule) {
    RtlPlan plan;
    plan.lanes = schedule.lanes;
    plan.frames = schedule.frames;
    const design::CyclePrediction prediction = design::predictCycles(schedule);
    plan.stepCycles = prediction.steps;
    plan.cycles = prediction.total;
    plan.waiting = prediction.waitsFor;
    plan.order = schedule.order;
    plan.loop = design::scheduleLoop(schedule);
    plan.queuesBeside = schedule.queues() - indexOf(design::Queue::Second);
    if (schedule.memory)
        plan.memory = planMemory(schedule);
    planSlots(schedule, plan);
    planUnits(schedule, plan);
    planSteps(schedule, plan);
    planWidths(plan);
    namePlan(schedule, plan);
    for (std::size_t s = 0; s < plan.slots.size(); ++s)
        plan.choosesAddend |= readers(plan, s) > 1 && addendReaders(plan, s) > 0;
    plan.choosesInput |= plan.followers() > 0;
    return plan;
}

} // namespace marquetry::hdl
