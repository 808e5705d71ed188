#include "engine/design/make_ledger.h"

#include "engine/cost/move_cost.h"
#include "engine/cost/stream_unit.h"
#include "engine/design/cycle_model.h"
#include "engine/design/ledger_resources.h"
#include "engine/design/memory_bound.h"
#include "engine/design/row_step.h"
#include "engine/design/step_kind.h"
#include "engine/design/step_name.h"
#include "engine/design/windows.h"
#include "engine/support/assert.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <map>

namespace marquetry::design {

namespace {

std::int64_t multipliersOf(const Schedule& schedule, const ScheduleUnit& unit) {
    return unit.pass || unit.stream ? 0 : unit.weightElements(schedule.lanes);
}

LedgerClocks spentBy(const Schedule& schedule, const LoadStep& step) {
    const StoredTensor& tensor = schedule.tensor(step.tensor);
    LedgerClocks clocks;
    clocks.transfer =
        schedule.storedPixels(step.tensor) *
        ceilDiv(tensor.channels,
                cost::loadElements(tensor.channels, 8 * ir::info(tensor.scalar).bytes));
    clocks.drain = cost::kSetupCycles + cost::kLoadDrain;
    return clocks;
}

LedgerClocks spentBy(const Schedule& schedule, const StoreStep& step) {
    const StoredTensor& tensor = schedule.tensor(step.tensor);
    LedgerClocks clocks;
    clocks.transfer = schedule.storedPixels(step.tensor) * tensor.channels /
                      cost::storeElements(tensor.channels, 8 * ir::info(tensor.scalar).bytes);
    clocks.drain = cyclesAlone(schedule, step) - clocks.transfer;
    return clocks;
}

LedgerClocks spentBy(const Schedule& schedule, const MoveStep& step) {
    LedgerClocks clocks;
    clocks.move = schedule.framesAtOnce() * step.move.source.iterations();
    clocks.drain = cost::kSetupCycles + cost::kMoveDrain;
    return clocks;
}

/// A row is read once for each pass, and the unit waits between them.
LedgerClocks spentBy(const Schedule& schedule, const RowStep& step) {
    const cost::RowShape shape = rowShape(schedule, step);
    const auto passes = static_cast<std::int64_t>(cost::rowWaits(shape).size());
    LedgerClocks clocks;
    clocks.elements = passes * shape.rows * shape.runs();
    clocks.drain = cyclesAlone(schedule, step) - clocks.elements;
    return clocks;
}

LedgerClocks spentBy(const Schedule& schedule, const ComputeStep& step) {
    const ScheduleUnit& unit = schedule.unit(step.unit);
    LedgerClocks clocks;
    if (unit.stream) {
        clocks.elements = unit.stream->interval * streamedPixels(schedule, step);
        clocks.drain =
            cost::kSetupCycles + cost::streamDrain(unit.stream->interval, unit.stream->latency);
        return clocks;
    }
    const cost::CallShape shape = callShape(schedule, step);
    const std::int64_t reductions = shape.rowBlocks * shape.pixels;
    (multipliersOf(schedule, unit) > 0 ? clocks.taking : clocks.elements) =
        reductions * shape.reductionWords;
    clocks.writeBack = (reductions - 1) * cost::reductionWait(shape);
    clocks.drain = cost::kSetupCycles + cost::drainCycles(shape);
    return clocks;
}

/// Each result takes a product for each weight of its row; pixels that no pool takes are not
/// visited.
std::int64_t multiplicationsByNest(const Schedule& schedule, const ComputeStep& step) {
    const StoredTensor& input = schedule.tensor(step.input);
    const bool lanewise = schedule.unit(step.unit).lanewise();
    const std::int64_t ofTap =
        lanewise ? 1 : step.channelWords / input.wordsPerPixel * input.channels / step.groups;
    return schedule.framesAtOnce() * step.height * step.width * step.rows * step.kernel.area() *
           ofTap;
}

/// The part that takes the most clocks; a call that waits so much that it is said of it elsewhere,
/// too, is bound by memory.
ClockPart boundOf(const LedgerClocks& clocks) {
    if (clocks.waiting > 0 && isMemoryBound(clocks.waiting, clocks.alone() - clocks.waiting))
        return ClockPart::Waiting;
    ClockPart most = ClockPart::Multiplying;
    for (std::size_t k = 0; k < kClockParts; ++k)
        if (const auto part = static_cast<ClockPart>(k); clocks.of(part) > clocks.of(most))
            most = part;
    return most;
}

class LedgerMaker {
public:
    LedgerMaker(const Design& design, const device::Device& device, const device::Resources& limits)
        : design_(design), schedule_(*design.schedule), device_(device), limits_(limits) {
        ledger_.program = design.program;
        ledger_.frames = schedule_.frames;
    }

    Ledger run() {
        addSteps();
        addUnits();
        for (LedgerRow& step : ledger_.steps) {
            step.bound = boundOf(step.clocks);
            ledger_.total += step.clocks;
        }
        addLayers();
        ledger_.cycles = ledger_.total.cycles();
        ledger_.resources = ledgerResources(design_, device_, limits_);
        ledger_.binding = ledgerBinding(ledger_);
        return std::move(ledger_);
    }

private:
    void addSteps() {
        const CyclePrediction prediction = predictCycles(schedule_);
        const std::vector<std::int64_t> critical = criticalClocks(schedule_, prediction);
        for (std::size_t s = 0; s < schedule_.steps.size(); ++s) {
            const Step& step = schedule_.steps[s];
            LedgerRow row;
            row.name = stepSubject(step);
            row.kind = stepKind(step);
            row.unit = unitOfStep(step);
            if (row.unit)
                row.unitName = schedule_.unit(*row.unit).name;
            row.clocks =
                std::visit([this](const auto& each) { return spentBy(schedule_, each); }, step);
            row.clocks.waiting = prediction.waits[s];
            if (schedule_.orderOf(s).queue != Queue::Calls)
                row.clocks.drain +=
                    kHandOver + (s + 1 == schedule_.steps.size() ? kLastHandOver : 0);
            row.clocks.overlap = row.clocks.alone() - critical[s];
            row.begin = prediction.begins[s];
            if (const auto* compute = std::get_if<ComputeStep>(&step)) {
                countMultiplications(*compute, row.clocks);
                row.weights = weightsOf(*compute, row.clocks.waiting);
            }
            ledger_.steps.push_back(std::move(row));
        }
    }

    /// The kernel of a 1-D stencil has fewer weights than the rows that it is spread over.
    std::int64_t multiplicationsOf(const ComputeStep& step) const {
        if (!step.stencilPad)
            return multiplicationsByNest(schedule_, step);
        const auto call = std::ranges::find(design_.calls, step.layer, &DesignCall::layer);
        return call == design_.calls.end() ? 0 : schedule_.framesAtOnce() * call->macs;
    }

    void countMultiplications(const ComputeStep& step, LedgerClocks& clocks) const {
        if (clocks.taking == 0)
            return;
        clocks.multiplications = multiplicationsOf(step);
        clocks.multiplying =
            static_cast<double>(clocks.multiplications) /
            static_cast<double>(multipliersOf(schedule_, schedule_.unit(step.unit)));
    }

    void addUnits() {
        for (const ScheduleUnit& unit : schedule_.units)
            ledger_.units.push_back({unit.id, unit.name, multipliersOf(schedule_, unit), {}});
        for (const LedgerRow& step : ledger_.steps)
            if (step.unit)
                ledger_.units[step.unit->index()].clocks += step.clocks;
    }

    /// A port may be named like a layer, and what external memory holds is stored and loaded.
    void addLayers() {
        std::map<std::pair<StepKind, std::string>, std::size_t> places;
        for (const LedgerRow& step : ledger_.steps) {
            const StepKind kind = step.isTransfer() ? step.kind : StepKind::Call;
            const auto [at, fresh] = places.try_emplace({kind, step.name}, ledger_.layers.size());
            if (fresh) {
                ledger_.layers.push_back(step);
                continue;
            }
            LedgerRow& layer = ledger_.layers[at->second];
            layer.clocks += step.clocks;
            if (step.kind == StepKind::Call)
                layer.kind = StepKind::Call;
            // Of the bands of a layer, what is said of those that wait.
            if (step.weights && (!layer.weights || layer.clocks.waiting == step.clocks.waiting))
                layer.weights = step.weights;
        }
        for (LedgerRow& layer : ledger_.layers)
            layer.bound = boundOf(layer.clocks);
    }

    std::optional<LedgerWeights> weightsOf(const ComputeStep& step, std::int64_t waiting) const {
        const ScheduleUnit& unit = schedule_.unit(step.unit);
        if (!step.multiplies())
            return std::nullopt;
        LedgerWeights weights;
        if (unit.stream) {
            weights.why = "constants of the stream's circuit";
            return weights;
        }
        weights.words = step.rowBlocks * reductionWords(schedule_, step);
        weights.bits = unit.weightElements(schedule_.lanes) * ir::storedBits(unit.weight);
        weights.external = step.external;
        if (step.held)
            weights.why = "a tensor of the run, copied before the call";
        else if (step.external)
            weights.why = whyExternal(
                {device_, limits_.bram - design_.resources.bram, unit, weights, waiting});
        else
            weights.why = "they have room in the block RAM of the unit";
        return weights;
    }

    const Design& design_;
    const Schedule& schedule_;
    const device::Device& device_;
    const device::Resources& limits_;
    Ledger ledger_;
};

} // namespace

Ledger makeLedger(const Design& design, const device::Device& device,
                  const device::Resources& limits) {
    if (design.schedule)
        return LedgerMaker(design, device, limits).run();
    Ledger ledger;
    ledger.program = design.program;
    ledger.cycles = design.cycles;
    ledger.frames = design.frames;
    ledger.missing = design.notExportable;
    return ledger;
}

} // namespace marquetry::design
