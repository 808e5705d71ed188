#include "engine/extract/weight_demands.h"

#include "engine/design/cycle_model.h"
#include "engine/design/row_step.h"
#include "engine/design/windows.h"
#include "engine/design/write_back.h"
#include "engine/extract/call_formulas.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <map>
#include <utility>

namespace marquetry::extract {

namespace {

using design::UnitId;

/// Cycles of steps of a call, one behind the other, that have the same sum.
struct CallTerm {
    std::string formula;
    std::int64_t times = 0;
};

class DemandBuilder {
public:
    DemandBuilder(const UnplacedDesign& unplaced, const design::Schedule& schedule,
                  const std::vector<design::LayerBands>& bands)
        : unplaced_(unplaced),
          problem_(unplaced.problem),
          blocks_(unplaced.blocks),
          schedule_(schedule),
          bands_(bands) {}

    WeightDemands run() {
        prediction_ = design::predictCycles(schedule_);
        made_.slots = slotResources(unplaced_.buffers, schedule_);
        memory_.device = unplaced_.params.device;
        memory_.bramLimit = unplaced_.params.limits.bram - made_.slots.bram;
        memory_.leadCycles = leadCycles();
        memory_.groups = schedule_.groups;
        memory_.loads = !schedule_.externals.empty();
        for (const HardwareBlock& block : blocks_.blocks)
            if (block.streamed())
                memory_.bramLimit -= problem_.stream(block.stream).resources.bram;
        for (const design::ScheduleUnit& unit : schedule_.units)
            addUnit(unit);
        for (const std::vector<std::size_t>& steps : design::stepsOfRowUnits(schedule_))
            memory_.bramLimit -= design::rowUnitResources(schedule_, steps).bram;
        memory_.calls.resize(unplaced_.design.calls.size());
        terms_.resize(unplaced_.design.calls.size());
        for (std::size_t s = 0; s < schedule_.steps.size(); ++s)
            std::visit([&](const auto& step) { add(step, design::cyclesAlone(schedule_, step)); },
                       schedule_.steps[s]);
        for (std::size_t call = 0; call < terms_.size(); ++call)
            made_.formulas.push_back(formulaOf(call));
        return std::move(made_);
    }

private:
    bool isBanded(std::size_t call) const {
        return std::ranges::any_of(bands_, [&](const design::LayerBands& bands) {
            return bands.contains(problem_.calls[call].layer);
        });
    }

    /// Loads before the first call.
    std::int64_t leadCycles() const {
        std::int64_t cycles = 0;
        for (std::size_t s = 0; s < schedule_.steps.size(); ++s) {
            if (!std::holds_alternative<design::LoadStep>(schedule_.steps[s]))
                break;
            cycles += prediction_.steps[s];
        }
        return cycles;
    }

    void addUnit(const design::ScheduleUnit& unit) {
        const design::DesignUnit& made = unplaced_.design.units[unit.id.index()];
        if (unit.writeBack)
            memory_.bramLimit -=
                design::writeBackResources(*unit.writeBack, made.parallelism,
                                           unplaced_.numberBits(schedule_, unit.id))
                    .bram;
        memory_.units.push_back({unit.pass || unit.stream ? 0 : unit.parallel * made.lanes,
                                 ir::info(unit.weight).bytes * 8,
                                 unit.holds ? unit.weightRows() : 1});
    }

    void add(const design::LoadStep& /*step*/, std::int64_t /*cycles*/) {}
    void add(const design::StoreStep& /*step*/, std::int64_t /*cycles*/) {}

    void add(const design::MoveStep& step, std::int64_t cycles) {
        addFixed(step.layer, step.unit, cycles, moveFormula(schedule_, step));
    }

    void add(const design::RowStep& step, std::int64_t cycles) {
        addFixed(step.layer, step.unit, cycles, rowFormula(design::rowShape(schedule_, step)));
    }

    void add(const design::ComputeStep& step, std::int64_t cycles) {
        const std::size_t call = unplaced_.callOf(step.layer);
        const bool streamed = blocks_.of(call).streamed();
        const bool scheduled = unplaced_.asScheduled(call);
        WeightDemand& demand = memory_.calls[call];
        demand.unit = step.unit.index();
        if (scheduled)
            demand.computeCycles += cycles;
        else
            demand.computeCycles = unplaced_.design.calls[call].cycles;
        if (step.multiplies() && !streamed) {
            demand.tileWords = design::reductionWords(schedule_, step);
            demand.stays = schedule_.unit(step.unit).holds;
            // Held tensors take each other's place, all bands or groups share their weights, and
            // each batch has its own.
            const bool shares = isBanded(call) || schedule_.groups > 1;
            std::int64_t& reads = reads_[{call, step.weightBase}];
            const bool fresh = reads == 0 || !shares;
            reads = fresh ? 1 : reads + 1;
            const std::int64_t words = step.rowBlocks * demand.tileWords;
            demand.reads = std::max(demand.reads, reads);
            if (step.held)
                demand.words = words;
            else if (fresh)
                demand.words += words;
            const std::int64_t pixels = schedule_.framesAtOnce() * step.height * step.width;
            demand.pixels = shares ? std::max(demand.pixels, pixels) : pixels;
        }
        addFormula(call, streamed    ? streamFormula(schedule_, step)
                         : scheduled ? computeFormula(design::callShape(schedule_, step))
                                     : plannedFormula(call));
    }

    void addFixed(const std::string& layer, UnitId unit, std::int64_t cycles,
                  const std::string& formula) {
        const std::size_t call = unplaced_.callOf(layer);
        WeightDemand& demand = memory_.calls[call];
        demand.unit = unit.index();
        demand.computeCycles += cycles;
        addFormula(call, formula);
    }

    void addFormula(std::size_t call, const std::string& text) {
        std::vector<CallTerm>& terms = terms_[call];
        // Groups take turns, and those of one have their steps alike.
        const auto from = schedule_.groups > 1 || terms.empty() ? terms.begin() : terms.end() - 1;
        auto term = std::ranges::find(from, terms.end(), text, &CallTerm::formula);
        if (term == terms.end())
            term = terms.insert(term, {text, 0});
        ++term->times;
    }

    /// Steps alike are one term; of others the first ones say enough.
    std::string formulaOf(std::size_t call) const {
        constexpr std::size_t kMost = 400;
        std::string formula;
        for (const CallTerm& term : terms_[call]) {
            if (formula.size() >= kMost)
                return formula + " + …";
            formula += formula.empty() ? "" : " + ";
            formula += term.times == 1 ? term.formula
                                       : timesText(term.times) + " × (" + term.formula + ")";
        }
        return formula;
    }

    std::string timesText(std::int64_t times) const {
        const bool groups = schedule_.groups > 1 && times == schedule_.groups;
        return std::to_string(times) + (groups ? " groups" : "");
    }

    /// Of a call that no schedule step times, as TermCost::callTime prices it.
    std::string plannedFormula(std::size_t call) const {
        const CallInfo& info = problem_.calls[call];
        const std::int64_t blocks = ceilDiv(info.rows, blocks_.of(call).body.parallel);
        const std::string copied =
            info.copyCycles == 0 ? "" : " + copy " + std::to_string(info.copyCycles);
        const std::int64_t span = blocks_.of(call).body.span;
        cost::CallShape shape{
            blocks,    info.pixels,    info.reductionWords(span), span * unplaced_.design.lanes,
            info.pass, info.lanewise()};
        shape.scales = problem_.writeBacks.scales;
        shape.groups = problem_.writeBacks.groups(info, blocks_.of(call).body.parallel,
                                                  blocks_.of(call).body.writeLanes);
        return computeFormula(shape) + copied;
    }

    const UnplacedDesign& unplaced_;
    const ExtractionProblem& problem_;
    const BlockPlan& blocks_;
    const design::Schedule& schedule_;
    const std::vector<design::LayerBands>& bands_;
    design::CyclePrediction prediction_;
    std::vector<std::vector<CallTerm>> terms_; ///< by call, in the schedule's order
    /// By call and the base of its weights: the steps that take these.
    std::map<std::pair<std::size_t, std::int64_t>, std::int64_t> reads_;
    WeightDemands made_;
    MemoryProblem& memory_ = made_.memory;
};

} // namespace

bool UnplacedDesign::asScheduled(std::size_t call) const {
    const ir::Layer& layer = problem.lowered->plan.layers[problem.calls[call].layer];
    return layer.unbuildable.empty() && blocks.of(call).body.pixelParallel == 1;
}

std::int64_t UnplacedDesign::numberBits(const design::Schedule& schedule,
                                        design::UnitId unit) const {
    const auto [known, fresh] = bitsOfNumbers.try_emplace(unit, 0);
    if (fresh)
        known->second = design::numberBits(schedule, unit, *problem.lowered->program);
    return known->second;
}

std::size_t UnplacedDesign::callOf(const std::string& layer) const {
    return static_cast<std::size_t>(
        std::ranges::find(design.calls, layer, &design::DesignCall::layer) - design.calls.begin());
}

void WeightDemands::rebuildSlots(const device::Resources& built, double lutsLeft) {
    memory.bramLimit += slots.bram - built.bram;
    memory.lutLimit = lutsLeft;
    slots = built;
}

WeightBlocks WeightDemands::blocks(double limit) const {
    const double others = limit - memory.bramLimit;
    const WeightBlocks weights = weightBlocks(memory);
    return {others + weights.onChip, others + weights.least};
}

device::Resources slotResources(BufferPlans& buffers, const design::Schedule& schedule,
                                LutPrice price) {
    device::Resources all;
    for (const design::Slot& slot : schedule.slots)
        all += buffers.of(schedule, slot.id, price).resources;
    return all;
}

WeightDemands weightDemands(const UnplacedDesign& unplaced, const design::Schedule& schedule,
                            const std::vector<design::LayerBands>& bands) {
    return DemandBuilder(unplaced, schedule, bands).run();
}

} // namespace marquetry::extract
