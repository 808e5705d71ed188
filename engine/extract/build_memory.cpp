#include "engine/extract/build_memory.h"

#include "engine/cost/buffer_cost.h"
#include "engine/cost/deep_memory.h"
#include "engine/cost/move_cost.h"
#include "engine/cost/unit_cost.h"
#include "engine/design/control_area.h"
#include "engine/design/cycle_model.h"
#include "engine/design/memory_bound.h"
#include "engine/design/move_hardware.h"
#include "engine/design/row_step.h"
#include "engine/design/unit_area.h"
#include "engine/design/weight_traffic.h"
#include "engine/design/windows.h"
#include "engine/extract/band_choices.h"
#include "engine/extract/cost_terms.h"
#include "engine/extract/joins.h"
#include "engine/extract/memory_choice.h"
#include "engine/extract/overlap.h"
#include "engine/support/checked_math.h"
#include "engine/support/text_stream.h"

#include <algorithm>
#include <limits>

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
                  const ExtractParams& params, std::optional<double> otherLuts, BuiltDesign& built)
        : problem_(problem),
          blocks_(blocks),
          params_(params),
          program_(*problem.lowered->program),
          built_(built),
          runs_((*problem.bandRuns)[otherLuts ? 1 : 0]),
          unplaced_{problem, blocks, params, built.design, *problem.buffers},
          chooser_(unplaced_, otherLuts) {}

    void run() {
        design::ScheduleRequest request = namedRequest();
        design::Schedule schedule = design::buildSchedule(request);
        chosen_ = chooser_.best(schedule, {});
        const bool banded =
            (!chooser_.hasRoom(chosen_) || chosen_.isSparing()) && problem_.frames == 1;
        if (banded)
            bandRows(request, schedule);
        const MemoryPlan& plan = chosen_.plan;
        takeWriteBacks(schedule);
        Design& design = built_.design;
        design.bands = request.bands;
        design.transferCycles = transfersOf(schedule);
        if (plan.readsMemory()) {
            readExternally(plan, request);
            schedule = design::buildSchedule(request);
        }
        if (plan.feasible)
            schedule = overlapCalls(request, std::move(schedule), plan);
        built_.memoryLuts =
            slotResources(*problem_.buffers, schedule, chosen_.price).lut + plan.ringLuts();
        applyPlan(plan, waitsOf(schedule));
        if (schedule.memory)
            addMemoryPort(schedule, plan);
        carryPlans(*problem_.buffers, chosen_.price, schedule);
        addSlots(schedule);
        addUnitResources(plan, schedule);
        addMovers(schedule);
        design.resources += design::sequencerResources(schedule);
        design.resources += design::streamResources(schedule);
        design.resources += design::slotChoiceResources(schedule);
        design.cycles = design.transferCycles;
        for (const DesignCall& call : design.calls)
            design.cycles += call.cycles - call.overlap;
        addCostTerms(design, chosen_.demands.formulas, params_.device);
        if (!plan.feasible)
            refuse(schedule, banded);
        decideExport(std::move(schedule));
    }

private:
    /// There is no room for the weights, or not even LUTs for any slots.
    void refuse(const design::Schedule& schedule, bool banded) {
        const double needs = chooser_.blocks(schedule, chosen_.demands).least;
        built_.needs = banded ? std::min(built_.needs, needs) : needs;
        built_.blockedBy = design::LimitKind::Bram;
        if (built_.needs < std::numeric_limits<double>::infinity())
            return;
        built_.blockedBy = design::LimitKind::Lut;
        built_.needs = built_.design.resources.lut;
    }

    design::ScheduleRequest namedRequest() const {
        design::ScheduleRequest request = scheduleRequest(problem_, blocks_);
        for (design::ScheduleUnit& unit : request.units)
            unit.name = built_.design.unit(unit.id).name;
        return request;
    }

    static std::int64_t transfersOf(const design::Schedule& schedule) {
        std::int64_t cycles = 0;
        for (const design::Step& step : schedule.steps)
            if (design::layerOf(step) == nullptr)
                cycles += design::cyclesAlone(schedule, step);
        return cycles;
    }

    bool isBanded(std::size_t call) const {
        return std::ranges::any_of(built_.design.bands, [&](const design::LayerBands& bands) {
            return bands.contains(problem_.calls[call].layer);
        });
    }

    /// The fastest of the choices that fit, the whole layers among them, takes the place of
    /// request, schedule and plan.
    void bandRows(design::ScheduleRequest& request, design::Schedule& schedule) {
        BandChoices choices = bandChoices(bandProblem(request), runs_);
        built_.needs = choices.leastBlocks;
        std::vector<design::LayerBands> best;
        std::int64_t least = chooser_.hasRoom(chosen_) ? replayed(request, schedule, chosen_.plan)
                                                       : std::numeric_limits<std::int64_t>::max();
        for (const design::LayerBands& bands : choices.fitting) {
            if (!best.empty() && problem_.isOver())
                break;
            design::ScheduleRequest inBands = request;
            inBands.bands = {bands};
            design::Schedule banded = design::buildSchedule(inBands);
            MemoryChoice choice = chooser_.best(banded, inBands.bands);
            if (!chooser_.hasRoom(choice))
                continue;
            const std::int64_t cycles = replayed(inBands, banded, choice.plan);
            if (cycles >= least)
                continue;
            least = cycles;
            best = std::move(inBands.bands);
            schedule = std::move(banded);
            chosen_ = std::move(choice);
        }
        request.bands = std::move(best);
    }

    /// Cycles of a run, but for what calls may overlap.
    std::int64_t replayed(const design::ScheduleRequest& request, const design::Schedule& schedule,
                          const MemoryPlan& plan) const {
        if (!plan.readsMemory())
            return design::predictCycles(schedule).total;
        design::ScheduleRequest external = request;
        readExternally(plan, external);
        return design::predictCycles(design::buildSchedule(external)).total;
    }

    BandProblem bandProblem(const design::ScheduleRequest& request) const {
        BandProblem bands{request, {}, {}, params_.limits.bram, {}};
        bands.may.assign(problem_.lowered->plan.layers.size(), false);
        for (std::size_t c = 0; c < problem_.calls.size(); ++c)
            bands.may[problem_.calls[c].layer] =
                unplaced_.asScheduled(c) && !blocks_.of(c).streamed();
        bands.costOf = [this](const design::Schedule& banded, const design::LayerBands& layers) {
            const WeightDemands demands = weightDemands(unplaced_, banded, {layers});
            const WeightBlocks blocks = chooser_.blocks(banded, demands);
            BandCost cost{blocks.least, blocks.onChip, transfersOf(banded)};
            for (const WeightDemand& call : demands.memory.calls)
                cost.cycles += call.computeCycles;
            return cost;
        };
        bands.ended = [this] { return problem_.isOver(); };
        return bands;
    }

    /// Calls whose weights stream share one memory, and leave nothing to overlap.
    design::Schedule overlapCalls(const design::ScheduleRequest& request,
                                  design::Schedule sequential, const MemoryPlan& plan) {
        const auto may = [&](std::size_t c) {
            return !plan.external[c] && unplaced_.asScheduled(c) && !blocks_.of(c).streamed() &&
                   !isBanded(c);
        };
        std::vector<bool> joinable = problem_.joinable;
        for (std::size_t c = 0; c < joinable.size(); ++c)
            joinable[c] = joinable[c] && may(c) && (c == 0 || may(c - 1));
        const double left =
            chosen_.demands.memory.bramLimit + chosen_.demands.slots.bram - plan.bram;
        JoinedSchedule joined = joinCalls(
            request, std::move(sequential), joinable, [&](const design::Schedule& schedule) {
                const device::Resources slots =
                    slotResources(*problem_.buffers, schedule, chosen_.price);
                return slots.bram <= left && chooser_.hasLuts(slots.lut + plan.ringLuts());
            });
        for (std::size_t c = 0; c < joinable.size(); ++c)
            built_.design.calls[c].overlap = joined.overlap[c];
        return std::move(joined.schedule);
    }

    void readExternally(const MemoryPlan& plan, design::ScheduleRequest& request) const {
        request.memory = *externalMemory(params_.device);
        request.external.assign(problem_.lowered->plan.layers.size(), false);
        for (std::size_t c = 0; c < plan.external.size(); ++c)
            request.external[problem_.calls[c].layer] = plan.external[c];
        for (design::ScheduleUnit& unit : request.units) {
            unit.ringWords = plan.rings[unit.id.index()];
            unit.loadBeats = plan.beats[unit.id.index()];
            unit.lutWeights = plan.luts[unit.id.index()].lut > 0;
        }
    }

    /// By call: clocks in which it waits for weights.
    std::vector<std::int64_t> waitsOf(const design::Schedule& schedule) const {
        std::vector<std::int64_t> waits(built_.design.calls.size(), 0);
        if (!schedule.memory)
            return waits;
        const design::CyclePrediction prediction = design::predictCycles(schedule);
        for (std::size_t s = 0; s < schedule.steps.size(); ++s)
            if (prediction.waits[s] > 0)
                waits[unplaced_.callOf(*design::layerOf(schedule.steps[s]))] += prediction.waits[s];
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

    /// A mover, or a unit of rows, for each step.
    void addMovers(const design::Schedule& schedule) {
        const auto add = [&](UnitId unit, const device::Resources& resources) {
            built_.design.units[unit.index()].resources += resources;
            built_.design.resources += resources;
        };
        for (const design::Step& step : schedule.steps) {
            if (const auto* move = std::get_if<design::MoveStep>(&step))
                add(move->unit, design::moveResources(schedule, *move));
            if (const auto* rows = std::get_if<design::RowStep>(&step))
                add(rows->unit, cost::rowResources(design::rowShape(schedule, *rows)));
        }
    }

    void takeWriteBacks(const design::Schedule& schedule) {
        for (const design::ScheduleUnit& unit : schedule.units) {
            built_.design.units[unit.id.index()].writeBack = unit.writeBack;
            numberBits_.push_back(design::numberBits(schedule, unit.id, program_));
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
    const UnplacedDesign unplaced_;
    const MemoryChooser chooser_;
    MemoryChoice chosen_;
};

} // namespace

void placeMemories(const ExtractionProblem& problem, const BlockPlan& plan,
                   const ExtractParams& params, std::optional<double> otherLuts,
                   BuiltDesign& built) {
    MemoryBuilder(problem, plan, params, otherLuts, built).run();
}

} // namespace marquetry::extract
