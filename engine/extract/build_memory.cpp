#include "engine/extract/build_memory.h"

#include "engine/cost/buffer_cost.h"
#include "engine/cost/deep_memory.h"
#include "engine/cost/move_cost.h"
#include "engine/cost/unit_cost.h"
#include "engine/design/control_area.h"
#include "engine/design/cycle_model.h"
#include "engine/design/external_tensors.h"
#include "engine/design/frame_groups.h"
#include "engine/design/memory_bound.h"
#include "engine/design/move_hardware.h"
#include "engine/design/row_step.h"
#include "engine/design/unit_area.h"
#include "engine/design/weight_traffic.h"
#include "engine/design/windows.h"
#include "engine/extract/band_search.h"
#include "engine/extract/cost_terms.h"
#include "engine/extract/group_choices.h"
#include "engine/extract/joins.h"
#include "engine/extract/memory_choice.h"
#include "engine/extract/overlap.h"
#include "engine/support/checked_math.h"
#include "engine/support/text_stream.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace marquetry::extract {

namespace {

using design::Design;
using design::DesignBuffer;
using design::DesignCall;
using design::DesignUnit;
using design::UnitId;

class MemoryBuilder {
public:
    MemoryBuilder(const ExtractionProblem& problem, const BlockPlan& blocks,
                  const ExtractParams& params, std::optional<double> unitLuts, BuiltDesign& built)
        : problem_(problem),
          blocks_(blocks),
          params_(params),
          program_(*problem.lowered->program),
          built_(built),
          runs_((*problem.bandRuns)[unitLuts ? 1 : 0]),
          unitLuts_(unitLuts),
          unplaced_{problem, blocks, params, built.design, *problem.buffers} {}

    void run() {
        design::ScheduleRequest request = namedRequest();
        design::Schedule schedule = design::buildSchedule(request);
        chosen_ = chooserOf(schedule).best(schedule, {});
        const bool banded =
            (!chooserOf(schedule).hasRoom(chosen_) || chosen_.isSparing()) && problem_.frames == 1;
        if (banded)
            bandRows(request, schedule);
        const MemoryPlan& plan = chosen_.plan;
        takeWriteBacks(schedule);
        Design& design = built_.design;
        const design::ScheduleRequest onChip = request;
        takeCuts(request);
        if (plan.readsMemory() || !request.outside.empty()) {
            readExternally(problem_, plan, request);
            schedule = design::buildSchedule(request);
        }
        if (plan.feasible)
            schedule = overlapCalls(request, std::move(schedule), plan);
        takeGroups(onChip, schedule);
        const design::CyclePrediction prediction = design::predictCycles(schedule);
        built_.memoryLuts =
            slotResources(*problem_.buffers, schedule, chosen_.price).lut + plan.ringLuts();
        applyPlan(plan, waitsOf(schedule, prediction));
        if (schedule.memory)
            addMemoryPort(schedule, plan);
        carryPlans(*problem_.buffers, chosen_.price, schedule);
        addSlots(schedule);
        addUnitResources(plan, schedule);
        addMovers(schedule);
        const device::Resources control = controlOf(schedule);
        design.resources += control;
        built_.controlLuts = control.lut;
        addCycles(schedule, prediction);
        addCostTerms(design, chosen_.demands.formulas, params_.device);
        if (!plan.feasible || !takesAllFrames(schedule))
            refuse(schedule, banded);
        decideExport(std::move(schedule));
    }

private:
    /// There is no room for the weights, or not even LUTs for any slots.
    void refuse(const design::Schedule& schedule, bool banded) {
        if (!takesAllFrames(schedule))
            return refuseFlight();
        const double needs = chooserOf(schedule).blocks(schedule, chosen_.demands).least;
        built_.needs = banded ? std::min(built_.needs, needs) : needs;
        built_.blockedBy = design::LimitKind::Bram;
        if (built_.needs < std::numeric_limits<double>::infinity())
            return;
        built_.blockedBy = design::LimitKind::Lut;
        built_.needs = built_.design.resources.lut;
    }

    /// Each step takes a frame, and no groups of one were found. Infinity: not for want of blocks
    /// alone.
    void refuseFlight() {
        design::ScheduleRequest request = namedRequest();
        const design::Schedule frame = design::buildSchedule(request);
        double needs = std::numeric_limits<double>::infinity();
        for (const design::FrameGroups& groups : {design::FrameGroups{2, 2}, {2, 1, true}})
            if (design::whyOneGroup(frame).empty()) {
                const design::Schedule few = design::placedInGroups(frame, groups);
                needs = std::min(
                    needs, chooserOf(few).blocks(few, weightDemands(unplaced_, few, {})).onChip);
            }
        built_.blockedBy = design::LimitKind::Bram;
        built_.needs =
            needs > params_.limits.bram ? needs : std::numeric_limits<double>::infinity();
    }

    design::ScheduleRequest namedRequest() const {
        design::ScheduleRequest request = scheduleRequest(problem_, blocks_);
        for (design::ScheduleUnit& unit : request.units)
            unit.name = built_.design.unit(unit.id).name;
        request.memory = externalMemory(params_.device).value_or(design::ExternalMemory{});
        return request;
    }

    static device::Resources controlOf(const design::Schedule& schedule) {
        device::Resources control = design::sequencerResources(schedule);
        control += design::streamResources(schedule);
        control += design::slotChoiceResources(schedule);
        return control;
    }

    /// Memories of that schedule take what units and what is around them leave.
    MemoryChooser chooserOf(const design::Schedule& schedule) const {
        if (!unitLuts_)
            return {unplaced_, std::nullopt};
        return {unplaced_, *unitLuts_ + controlOf(schedule).lut};
    }

    bool isBanded(std::size_t call) const {
        return std::ranges::any_of(built_.design.bands, [&](const design::LayerBands& bands) {
            return bands.contains(problem_.calls[call].layer);
        });
    }

    /// Layers in bands and values outside take the place of whole ones where these are faster, or
    /// alone fit.
    void bandRows(design::ScheduleRequest& request, design::Schedule& schedule) {
        BandedDesign best{std::move(request), std::move(schedule), std::move(chosen_)};
        BandSearch search(
            unplaced_, runs_, [this](const design::Schedule& s) { return chooserOf(s); },
            unitLuts_.has_value());
        built_.needs = search.improve(best);
        request = std::move(best.request);
        schedule = std::move(best.schedule);
        chosen_ = std::move(best.memories);
    }

    /// Calls whose weights stream share one memory, and leave nothing to overlap.
    design::Schedule overlapCalls(const design::ScheduleRequest& request,
                                  design::Schedule sequential, const MemoryPlan& plan) {
        const auto may = [&](std::size_t c) {
            return !plan.external[c] && unplaced_.asScheduled(c) && !blocks_.of(c).streamed() &&
                   !isBanded(c) && !movesOutside(request, problem_.calls[c].layer);
        };
        std::vector<bool> joinable = problem_.joinable;
        for (std::size_t c = 0; c < joinable.size(); ++c)
            joinable[c] = joinable[c] && may(c) && (c == 0 || may(c - 1));
        const double left =
            chosen_.demands.memory.bramLimit + chosen_.demands.slots.bram - plan.bram;
        const MemoryChooser chooser = chooserOf(sequential);
        JoinedSchedule joined = joinCalls(
            request, std::move(sequential), joinable, [&](const design::Schedule& schedule) {
                const device::Resources slots =
                    slotResources(*problem_.buffers, schedule, chosen_.price);
                return slots.bram <= left && chooser.hasLuts(slots.lut + plan.ringLuts());
            });
        for (std::size_t c = 0; c < joinable.size(); ++c)
            built_.design.calls[c].overlap = joined.overlap[c];
        return std::move(joined.schedule);
    }

    bool takesAllFrames(const design::Schedule& schedule) const {
        return schedule.frames == problem_.frames;
    }

    /// Frames in flight take the place of the schedule where they are faster, or where its steps
    /// take one frame. `request`: of weights on the chip.
    void takeGroups(const design::ScheduleRequest& request, design::Schedule& schedule) {
        const bool enough = takesAllFrames(schedule);
        if (problem_.frames == 1 || (enough && params_.objective == design::Objective::Area) ||
            std::ranges::find(problem_.joinable, true) == problem_.joinable.end())
            return;
        for (std::size_t c = 0; c < problem_.calls.size(); ++c)
            if (!unplaced_.asScheduled(c))
                return;
        const auto choiceOf = [this](const design::Schedule& groups) {
            const MemoryChooser chooser = chooserOf(groups);
            std::optional<MemoryChoice> choice = chooser.best(groups, {});
            if (!chooser.hasRoom(*choice) || dspOfRows(groups) > problem_.fixedDsp)
                choice.reset();
            return choice;
        };
        const auto mayFit = [this](const design::Schedule& groups) {
            const WeightBlocks blocks =
                chooserOf(groups).blocks(groups, weightDemands(unplaced_, groups, {}));
            return blocks.least <= params_.limits.bram;
        };
        const auto reads = [this](const MemoryPlan& plan, design::ScheduleRequest& asked) {
            readExternally(problem_, plan, asked);
        };
        const bool fits = enough && chooserOf(schedule).hasRoom(chosen_);
        auto faster = fasterGroups({request, problem_.frames, joinableCalls(), mayFit, choiceOf,
                                    reads, leastReadClocks(), [this] { return problem_.isOver(); }},
                                   fits ? design::predictCycles(schedule).total
                                        : std::numeric_limits<std::int64_t>::max());
        if (!faster)
            return;
        schedule = std::move(faster->schedule);
        chosen_ = std::move(faster->memories);
    }

    /// By call: to the one before it, neither being streamed.
    std::vector<bool> joinableCalls() const {
        std::vector<bool> joinable = problem_.joinable;
        for (std::size_t c = 0; c < joinable.size(); ++c)
            if (blocks_.of(c).streamed() || (c > 0 && blocks_.of(c - 1).streamed()))
                joinable[c] = false;
        return joinable;
    }

    /// Of the weights that all blocks of RAM together have no room for.
    std::int64_t leastReadClocks() const {
        std::int64_t most = 0; // bits of a block
        for (const device::RamShape& shape : params_.device.ramShapes)
            most = std::max(most, shape.width * shape.depth);
        double bits = 0;
        for (const WeightDemand& call : chosen_.demands.memory.calls) {
            const WeightUnit& unit = chosen_.demands.memory.units[call.unit];
            bits += static_cast<double>(call.words * unit.elements * unit.elementBits);
        }
        const double outside = bits - params_.limits.bram * static_cast<double>(most);
        const auto memory = externalMemory(params_.device);
        return outside > 0 && memory
                   ? static_cast<std::int64_t>(outside / (8 * memory->bytesPerCycle))
                   : 0;
    }

    /// Copies of a slot have units of rows of their own, and the search has counted one.
    static double dspOfRows(const design::Schedule& schedule) {
        double dsp = 0;
        for (const std::vector<std::size_t>& steps : design::stepsOfRowUnits(schedule))
            dsp += design::rowUnitResources(schedule, steps).dsp;
        return dsp;
    }

    void addCycles(const design::Schedule& schedule, const design::CyclePrediction& prediction) {
        Design& design = built_.design;
        design.transferCycles = transfersOf(schedule, prediction);
        if (!schedule.order.empty())
            overlapSteps(schedule, prediction);
        design.cycles = design.transferCycles;
        for (const DesignCall& call : design.calls)
            design.cycles += call.cycles - call.overlap;
    }

    /// Clocks of calls that run while others do, and those in which calls are handed over.
    void overlapSteps(const design::Schedule& schedule, const design::CyclePrediction& prediction) {
        std::vector<std::int64_t> behind(built_.design.calls.size(), 0); // the steps before
        for (std::size_t s = 0; s < schedule.steps.size(); ++s)
            if (const std::string* layer = design::layerOf(schedule.steps[s])) {
                const std::size_t call = unplaced_.callOf(*layer);
                behind[call] += prediction.steps[s];
                if (schedule.order[s].queue != design::Queue::Calls)
                    built_.design.calls[call].cycles += design::kHandOver;
            }
        for (std::size_t c = 0; c < behind.size(); ++c)
            built_.design.calls[c].overlap = built_.design.calls[c].cycles - behind[c];
    }

    /// A load or store lies beside the layer.
    bool movesOutside(const design::ScheduleRequest& request, std::size_t layer) const {
        const auto isOutside = [&](ir::ValueId value) {
            return std::ranges::find(request.outside, value) != request.outside.end();
        };
        const ir::Layer& moves = problem_.lowered->plan.layers[layer];
        return isOutside(moves.result) ||
               std::ranges::any_of(design::storedOperands(moves), isOutside);
    }

    /// By call: clocks in which it waits for weights.
    std::vector<std::int64_t> waitsOf(const design::Schedule& schedule,
                                      const design::CyclePrediction& prediction) const {
        std::vector<std::int64_t> waits(built_.design.calls.size(), 0);
        if (!schedule.memory)
            return waits;
        for (std::size_t s = 0; s < schedule.steps.size(); ++s)
            if (const std::string* layer = design::layerOf(schedule.steps[s]))
                waits[unplaced_.callOf(*layer)] += prediction.waits[s];
        return waits;
    }

    void addMemoryPort(const design::Schedule& schedule, const MemoryPlan& plan) {
        const design::ExternalMemory& memory = *schedule.memory;
        DesignBuffer queue;
        queue.id = design::BufferId{built_.design.buffers.size()};
        queue.name = "weight queue";
        queue.words = design::queueBeats(memory);
        queue.width = 8 * memory.beatBytes;
        queue.scheme = "beats that wait for the loader";
        const device::RamColumns columns = params_.device.ramColumns(queue.words, queue.width);
        queue.memories = columns.number;
        queue.memoryBits = columns.width;
        queue.bram = columns.blocks;
        built_.design.resources.bram += queue.bram;
        const design::ExternalReads reads = design::externalReads(schedule);
        built_.design.resources +=
            cost::memoryPortResources(queue.width, std::ranges::max(plan.beats) * queue.width,
                                      reads.ranges.size() > 1 ? std::ssize(reads.runs) : 0);
        built_.design.buffers.push_back(std::move(queue));
    }

    /// Movers and units of rows.
    void addMovers(const design::Schedule& schedule) {
        const auto add = [&](UnitId unit, const device::Resources& resources) {
            built_.design.units[unit.index()].resources += resources;
            built_.design.resources += resources;
        };
        for (const std::vector<std::size_t>& moves : design::movesOfMovers(schedule))
            add(std::get<design::MoveStep>(schedule.steps[moves.front()]).unit,
                design::moverResources(schedule, design::moverOf(schedule, moves)));
        for (const std::vector<std::size_t>& steps : design::stepsOfRowUnits(schedule))
            add(std::get<design::RowStep>(schedule.steps[steps.front()]).unit,
                design::rowUnitResources(schedule, steps));
    }

    void takeCuts(const design::ScheduleRequest& request) {
        built_.design.bands = request.bands;
        for (const ir::ValueId value : request.outside)
            built_.design.outside.push_back(program_.value(value).name);
    }

    void takeWriteBacks(const design::Schedule& schedule) {
        for (const design::ScheduleUnit& unit : schedule.units) {
            built_.design.units[unit.id.index()].writeBack = unit.writeBack;
            numberBits_.push_back(unplaced_.numberBits(schedule, unit.id));
        }
    }

    /// `waits`: by call.
    void applyPlan(const MemoryPlan& plan, const std::vector<std::int64_t>& waits) {
        Design& design = built_.design;
        for (std::size_t c = 0; c < design.calls.size(); ++c) {
            const WeightDemand& demand = chosen_.demands.memory.calls[c];
            const bool external = plan.feasible && plan.external[c];
            design.calls[c].cycles = demand.computeCycles + waits[c];
            if (external)
                chosen_.demands.formulas[c] += waitFormula(demand, waits[c]);
            design.calls[c].memoryBound = design::isMemoryBound(waits[c], demand.computeCycles);
            if (demand.words == 0)
                continue;
            const ir::Layer& layer = problem_.lowered->plan.layers[problem_.calls[c].layer];
            DesignBuffer buffer;
            buffer.id = design::BufferId{design.buffers.size()};
            buffer.name = program_.value(layer.weight ? *layer.weight : layer.others.front()).name;
            buffer.weights = true;
            buffer.kind = external ? design::BufferKind::External : design::BufferKind::BlockRam;
            buffer.words = demand.words;
            const WeightUnit& unit = chosen_.demands.memory.units[demand.unit];
            buffer.width = unit.elements * unit.elementBits;
            const cost::BankMemory bank = cost::weightMemory(
                params_.device, demand.words, unit.elements / unit.apart, unit.elementBits);
            buffer.scheme = "one bank, words of " + std::to_string(unit.elements) + " elements";
            buffer.memories = unit.apart * bank.memories;
            buffer.memoryBits = bank.memoryBits;
            design.buffers.push_back(std::move(buffer));
        }
    }

    void addSlots(const design::Schedule& schedule) {
        for (const design::Slot& slot : schedule.slots) {
            const BufferPlan& plan = problem_.buffers->of(schedule, slot.id, chosen_.price);
            DesignBuffer buffer;
            buffer.id = design::BufferId{built_.design.buffers.size()};
            buffer.name = slot.name;
            buffer.kind =
                plan.bank.lutRam ? design::BufferKind::LutRam : design::BufferKind::BlockRam;
            buffer.words = slot.depth;
            buffer.width = slot.storedLanes * slot.elementBits;
            buffer.banks = plan.banks();
            buffer.scheme = plan.text();
            buffer.memories = buffer.banks * plan.bank.memories;
            buffer.memoryBits = plan.bank.memoryBits;
            buffer.bram = plan.resources.bram;
            buffer.lut = plan.resources.lut;
            buffer.ff = plan.resources.ff;
            built_.design.resources += plan.resources;
            built_.design.buffers.push_back(std::move(buffer));
        }
    }

    void addUnitResources(const MemoryPlan& plan, const design::Schedule& schedule) {
        Design& design = built_.design;
        for (std::size_t u = 0; u < blocks_.blocks.size(); ++u) {
            DesignUnit& unit = design.units[u];
            if (blocks_.blocks[u].streamed())
                design.resources += unit.resources;
            const bool pool = blocks_.blocks[u].pass &&
                              blocks_.blocks[u].laneFunction != design::LaneFunction::None;
            if (blocks_.blocks[u].streamed())
                continue;
            const device::Resources around =
                design::surroundingResources(schedule, design::UnitId{u});
            if (blocks_.blocks[u].pass && !pool) {
                unit.resources = writeBackOf(unit) + around;
                design.resources += unit.resources;
                continue;
            }
            const cost::UnitHardware hardware{
                unit.parallelism * blocks_.blocks[u].body.pixelParallel, pool ? 0 : unit.lanes,
                ir::storedBits(unit.shape.operand), ir::storedBits(unit.shape.weight)};
            unit.resources = cost::unitResources(params_.device, hardware) + around;
            unit.resources.lut += weightLuts(schedule, design::UnitId{u});
            if (plan.feasible) {
                unit.resources.bram = plan.blocks[u];
                unit.resources += plan.luts[u];
            }
            unit.resources += writeBackOf(unit);
            design.resources += unit.resources;
        }
    }

    /// Of deep memories; those that a loader writes are built of columns as deep as they are.
    double weightLuts(const design::Schedule& schedule, design::UnitId id) const {
        if (design::isLoaded(schedule, id))
            return 0;
        const design::ScheduleUnit& unit = schedule.unit(id);
        return cost::deepMemoryLuts(params_.device, unit.memoryWords(),
                                    unit.weightElements(schedule.lanes) *
                                        ir::storedBits(unit.weight));
    }

    /// Lanes that scale, their numbers and tables; nothing where none are.
    device::Resources writeBackOf(const DesignUnit& unit) const {
        return unit.writeBack ? design::writeBackResources(*unit.writeBack, unit.parallelism,
                                                           numberBits_[unit.id.index()])
                              : device::Resources{};
    }

    std::string waitFormula(const WeightDemand& demand, std::int64_t waits) const {
        const WeightUnit& unit = chosen_.demands.memory.units[demand.unit];
        TextOut text;
        text << " + waits " << waits << " for " << demand.traffic() << " words of "
             << unit.elements * unit.elementBits / 8 << " bytes of weights at "
             << params_.device.memoryBytesPerCycle << " per cycle";
        return text.str();
    }

    void decideExport(design::Schedule schedule) {
        Design& design = built_.design;
        if (const ir::Layer* layer = problem_.lowered->plan.firstUnbuildable()) {
            design.notExportable = "the generator has no hardware for " + layer->unbuildable;
            return;
        }
        for (const DesignUnit& unit : design.units) {
            const HardwareBlock& block = blocks_.blocks[unit.id.index()];
            if (!block.pass && block.body.pixelParallel != 1) {
                design.notExportable = "unit \"" + unit.name +
                                       "\" computes pixels in parallel in a way the generator "
                                       "cannot build yet";
                return;
            }
        }
        design.schedule = std::move(schedule);
    }

    const ExtractionProblem& problem_;
    const BlockPlan& blocks_;
    const ExtractParams& params_;
    const ir::Program& program_;
    std::vector<std::int64_t> numberBits_; ///< of the write-backs, by unit
    BuiltDesign& built_;
    BandRuns& runs_;
    std::optional<double> unitLuts_;
    const UnplacedDesign unplaced_;
    MemoryChoice chosen_;
};

} // namespace

void placeMemories(const ExtractionProblem& problem, const BlockPlan& plan,
                   const ExtractParams& params, std::optional<double> unitLuts,
                   BuiltDesign& built) {
    MemoryBuilder(problem, plan, params, unitLuts, built).run();
}

} // namespace marquetry::extract
