#include "engine/extract/build_design.h"

#include "engine/cost/buffer_cost.h"
#include "engine/cost/unit_cost.h"
#include "engine/design/build_schedule.h"
#include "engine/design/cycle_model.h"
#include "engine/extract/memory_plan.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace marquetry::extract {

namespace {

using design::CallId;
using design::Design;
using design::DesignBuffer;
using design::DesignCall;
using design::DesignUnit;
using design::UnitId;

/// One hardware block of a solution: an entry used by calls, or a call's private unit.
struct Block {
    int entry = -1;
    int privatePath = -1;
    std::vector<std::size_t> calls;
    PathCost body;
    bool pass = false;
};

class DesignBuilder {
public:
    DesignBuilder(const ExtractionProblem& problem, const PoolSolution& solution,
                  const ExtractParams& params)
        : problem_(problem),
          solution_(solution),
          params_(params),
          program_(*problem.lowered->program) {}

    BuiltDesign run() {
        Design& design = built_.design;
        design.program = program_.name;
        design.device = params_.device.id;
        design.model = params_.model;
        design.lanes = problem_.lowered->menu.lanes;
        design.clockMhz = params_.device.clockMhz;
        design.macs = program_.macs();
        collectBlocks();
        for (const Block& block : blocks_)
            addUnit(block);
        for (std::size_t c = 0; c < problem_.calls.size(); ++c)
            addCall(c);
        if (params_.model == design::CostModel::Cycles)
            finishCycles();
        else
            finishPublished();
        finishUnits();
        checkLimits();
        return std::move(built_);
    }

private:
    const Entry& entry(int index) const {
        return problem_.pool.entries[static_cast<std::size_t>(index)];
    }
    const UnitClass& eclass(int index) const {
        return problem_.graph.classes[static_cast<std::size_t>(index)];
    }

    // ---- blocks, units, calls ----

    void collectBlocks() {
        blockOf_.resize(problem_.calls.size());
        std::vector<int> entryBlock(problem_.pool.entries.size(), -1);
        std::map<ir::Scalar, int> passBlocks; // a pass reads elements of one type
        for (std::size_t c = 0; c < solution_.calls.size(); ++c) {
            const CallChoice& choice = solution_.calls[c];
            int& block = blockOf_[c];
            if (problem_.calls[c].pass)
                block = passBlocks.try_emplace(operandOf(c), -1).first->second;
            else if (choice.entry >= 0)
                block = entryBlock[static_cast<std::size_t>(choice.entry)];
            else
                block = -1;
            if (block < 0) {
                block = static_cast<int>(blocks_.size());
                blocks_.push_back(makeBlock(c));
            }
            blocks_[static_cast<std::size_t>(block)].calls.push_back(c);
            if (problem_.calls[c].pass)
                passBlocks[operandOf(c)] = block;
            else if (choice.entry >= 0)
                entryBlock[static_cast<std::size_t>(choice.entry)] = block;
        }
    }

    ir::Scalar operandOf(std::size_t call) const {
        return eclass(problem_.graph.roots[call]).shape.operand;
    }

    Block makeBlock(std::size_t call) const {
        const CallChoice& choice = solution_.calls[call];
        Block block;
        block.pass = problem_.calls[call].pass;
        if (choice.entry >= 0) {
            block.entry = choice.entry;
            block.body = entry(choice.entry).bodyCost;
        } else {
            block.privatePath =
                problem_.pool.calls[call].options[static_cast<std::size_t>(choice.private_)].path;
            block.body = problem_.paths->path(block.privatePath).cost;
        }
        return block;
    }

    /// The chain of a block's body. A nested entry's chain ends at the unit it calls.
    std::vector<ParentEdge> bodyChain(const Block& block) const {
        if (block.entry < 0)
            return problem_.paths->chain(block.privatePath);
        const Entry& e = entry(block.entry);
        if (e.body >= 0)
            return problem_.paths->chain(e.body);
        return nestedChain(e);
    }

    /// The chain of a nested entry's body, from its class down to the unit it calls.
    std::vector<ParentEdge> nestedChain(const Entry& nested) const {
        const Entry& base = entry(nested.base);
        Paths above(problem_.graph, *problem_.cost, problem_.pinBits, params_.limits.dsp);
        above.growFromUse(base.eclass, base.bodyCost, {});
        for (int index : above.set(nested.eclass)) {
            const PathCost& cost = above.path(index).cost;
            if (cost.time <= nested.bodyCost.time && cost.pins == nested.bodyCost.pins)
                return above.chain(index);
        }
        ENGINE_ASSERT(false, "an entry's body has a chain");
    }

    /// The chain of a call from its unit class down to the outlined unit it uses.
    std::vector<ParentEdge> callChain(std::size_t call, const Block& block) const {
        const CallDemand& demand = problem_.pool.calls[call];
        Paths above(problem_.graph, *problem_.cost, problem_.pinBits, params_.limits.dsp);
        above.growFromUse(entry(block.entry).eclass, block.body, {});
        int best = -1;
        for (int index : above.set(problem_.graph.roots[call])) {
            const PathCost& cost = above.path(index).cost;
            const double time = problem_.cost->callTime(problem_.calls[call], cost);
            if (time <= solution_.calls[call].time && demand.accepts(cost.pins) &&
                (best < 0 || cost.convs < above.path(best).cost.convs))
                best = index;
        }
        ENGINE_ASSERT(best >= 0, "a call's choice has a chain");
        return above.chain(best);
    }

    void addUnit(const Block& block) {
        Design& design = built_.design;
        DesignUnit unit;
        unit.id = UnitId{design.units.size()};
        const std::vector<ParentEdge> chain = bodyChain(block);
        const int outer = block.entry >= 0 ? entry(block.entry).eclass
                                           : problem_.paths->path(block.privatePath).eclass;
        unit.eclass = eclass(outer).id;
        unit.shape = eclass(outer).shape;
        unit.term = printChain(chain);
        for (const ParentEdge& edge : chain)
            unit.chosen.push_back(problem_.graph.node(edge).id);
        unit.parallelism = block.body.parallel;
        unit.lanes = params_.model == design::CostModel::Cycles
                         ? design.lanes
                         : std::min<std::int64_t>(unit.shape.cols, 64);
        if (!block.pass)
            unit.multipliers = block.body.parallel * block.body.pixelParallel * unit.lanes;
        unit.shared = block.calls.size() >= 2;
        unit.name = uniqueName(block.pass ? "Pass" : toString(unit.shape));
        for (std::size_t c : block.calls)
            unit.callSites.push_back(CallId{c});
        design.units.push_back(std::move(unit));
    }

    std::string uniqueName(const std::string& name) {
        std::string unique = name;
        for (int k = 2; !names_.insert(unique).second; ++k)
            unique = name + " #" + std::to_string(k);
        return unique;
    }

    std::string printChain(const std::vector<ParentEdge>& chain) const {
        std::string text;
        for (const ParentEdge& edge : chain)
            text += (text.empty() ? "" : "(") + termName(problem_.graph.node(edge));
        return text + std::string(chain.empty() ? 0 : chain.size() - 1, ')');
    }

    void addCall(std::size_t index) {
        const CallInfo& info = problem_.calls[index];
        const ir::Layer& layer = problem_.lowered->plan.layers[info.layer];
        const Block& block = blocks_[static_cast<std::size_t>(blockOf_[index])];
        DesignCall call;
        call.id = CallId{index};
        call.layer = layer.name;
        call.result = layer.result;
        call.unit = UnitId{blockOf_[index]};
        call.eclass = eclass(problem_.graph.roots[index]).id;
        call.macs = program_.value(layer.anchor).macs;
        const std::vector<ParentEdge> chain =
            block.entry >= 0 ? callChain(index, block) : problem_.paths->chain(block.privatePath);
        for (const ParentEdge& edge : chain) {
            const UnitNode& node = problem_.graph.node(edge);
            if (block.entry >= 0)
                call.chosen.push_back(node.id);
            addLoop(call, node, eclass(edge.eclass).shape);
        }
        call.cycles = static_cast<std::int64_t>(std::ceil(solution_.calls[index].time));
        built_.design.calls.push_back(std::move(call));
    }

    static void addLoop(DesignCall& call, const UnitNode& node, const ir::UnitShape& shape) {
        const rules::Role role = rules::info(node.skeleton).role;
        design::Loop loop;
        loop.term = termName(node);
        loop.count = loopCount(node.skeleton, node.params);
        loop.parallel = role == rules::Role::Par;
        if (node.skeleton == rules::Skeleton::Conv)
            loop.count = shape.height * shape.width;
        if (role != rules::Role::Leaf)
            call.loops.push_back(loop);
    }

    // ---- published cost ----

    void finishPublished() {
        Design& design = built_.design;
        design.cycles = static_cast<std::int64_t>(std::ceil(solution_.time));
        for (std::size_t u = 0; u < blocks_.size(); ++u)
            design.units[u].resources.dsp = blockDsp(blocks_[u]);
        design.resources.dsp = solution_.dsp;
        design.notExportable = "the published cost models describe the paper's hardware; explore "
                               "with --cost cycles to export";
        design.terms.push_back({"T", solution_.time, "cycles", "Σ T of the calls"});
        design.terms.push_back(
            {"D", solution_.dsp, "DSP", "Σ D of the private units + Σ D of the outlined units"});
    }

    double blockDsp(const Block& block) const {
        return block.entry >= 0 ? entry(block.entry).dsp : block.body.dsp;
    }

    // ---- our hardware ----

    void finishCycles() {
        design::Schedule schedule = makeSchedule();
        const design::CyclePrediction prediction = design::predictCycles(schedule);
        MemoryPlan plan = planMemory(schedule, prediction);
        built_.memoryExact = plan.exact;
        Design& design = built_.design;
        design.transferCycles = transferCycles(*problem_.lowered);
        applyPlan(plan, schedule);
        addSlots(schedule);
        addUnitResources(plan);
        design.resources +=
            cost::controllerResources(static_cast<std::int64_t>(schedule.steps.size()));
        design.cycles = design.transferCycles;
        for (const DesignCall& call : design.calls)
            design.cycles += call.cycles;
        addTerms();
        decideExport(plan, std::move(schedule));
        if (!plan.feasible) {
            built_.blockedBy = "bram";
            built_.needs = slotBlocks_ + leastWeightBlocks(memory_);
        }
    }

    design::Schedule makeSchedule() const {
        design::ScheduleRequest request;
        request.program = &program_;
        request.plan = &problem_.lowered->plan;
        request.lanes = built_.design.lanes;
        for (std::size_t u = 0; u < blocks_.size(); ++u) {
            const DesignUnit& unit = built_.design.units[u];
            design::ScheduleUnit block;
            block.id = unit.id;
            block.name = unit.name;
            block.pass = blocks_[u].pass;
            block.parallel = blocks_[u].pass ? request.lanes : unit.parallelism;
            block.operand = unit.shape.operand;
            block.weight = unit.shape.weight;
            request.units.push_back(block);
        }
        for (int block : blockOf_)
            request.layerUnits.push_back(UnitId{block});
        return design::buildSchedule(request);
    }

    MemoryPlan planMemory(const design::Schedule& schedule,
                          const design::CyclePrediction& prediction) {
        slotBlocks_ = 0;
        for (const design::Slot& slot : schedule.slots)
            slotBlocks_ += cost::slotMemory(params_.device, slot.depth, schedule.lanes,
                                            slot.writeLanes, slot.elementBits)
                               .blocks;
        memory_.device = params_.device;
        memory_.bramLimit = params_.limits.bram - slotBlocks_;
        for (const design::ScheduleUnit& unit : schedule.units)
            memory_.units.push_back(
                {unit.pass ? 0 : unit.parallel * schedule.lanes, ir::info(unit.weight).bytes * 8});
        std::size_t call = 0;
        for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
            const auto* step = std::get_if<design::ComputeStep>(&schedule.steps[s]);
            if (step == nullptr)
                continue;
            WeightDemand demand;
            demand.unit = step->unit.index();
            demand.computeCycles = blocks_[demand.unit].body.pixelParallel == 1
                                       ? prediction.steps[s]
                                       : built_.design.calls[call].cycles;
            if (step->weight) {
                demand.tileWords = step->kernel * step->kernel * step->channelWords;
                demand.words = step->rowBlocks * demand.tileWords;
                const WeightUnit& unit = memory_.units[demand.unit];
                demand.bytes = demand.words * unit.elements * (unit.elementBits / 8);
            }
            memory_.calls.push_back(demand);
            ++call;
        }
        return planWeights(memory_);
    }

    void applyPlan(const MemoryPlan& plan, const design::Schedule& schedule) {
        (void)schedule;
        Design& design = built_.design;
        for (std::size_t c = 0; c < design.calls.size(); ++c) {
            const WeightDemand& demand = memory_.calls[c];
            const bool external = plan.feasible && plan.external[c];
            design.calls[c].cycles =
                external
                    ? cost::externalCallCycles(params_.device, demand.computeCycles, demand.bytes)
                    : demand.computeCycles;
            design.calls[c].memoryBound =
                external &&
                design.calls[c].cycles > demand.computeCycles + params_.device.memoryLatencyCycles;
            if (demand.words == 0)
                continue;
            const ir::Layer& layer = problem_.lowered->plan.layers[problem_.calls[c].layer];
            DesignBuffer buffer;
            buffer.id = design::BufferId{design.buffers.size()};
            buffer.name = program_.value(*layer.weight).name;
            buffer.weights = true;
            buffer.kind = external ? design::BufferKind::External : design::BufferKind::BlockRam;
            buffer.words = demand.words;
            const WeightUnit& unit = memory_.units[demand.unit];
            buffer.width = unit.elements * unit.elementBits;
            buffer.banks =
                cost::weightMemory(params_.device, demand.words, unit.elements, unit.elementBits)
                    .banks;
            buffer.scheme = "flat N=" + std::to_string(buffer.banks) + " B=1";
            design.buffers.push_back(std::move(buffer));
        }
    }

    void addSlots(const design::Schedule& schedule) {
        for (const design::Slot& slot : schedule.slots) {
            const cost::BankedMemory memory = cost::slotMemory(
                params_.device, slot.depth, schedule.lanes, slot.writeLanes, slot.elementBits);
            DesignBuffer buffer;
            buffer.id = design::BufferId{built_.design.buffers.size()};
            buffer.name = slot.name;
            buffer.words = slot.depth;
            buffer.width = schedule.lanes * slot.elementBits;
            buffer.banks = memory.banks;
            buffer.scheme = "flat N=" + std::to_string(memory.banks) + " B=1";
            buffer.bram = memory.blocks;
            built_.design.resources.bram += memory.blocks;
            built_.design.buffers.push_back(std::move(buffer));
        }
    }

    void addUnitResources(const MemoryPlan& plan) {
        Design& design = built_.design;
        for (std::size_t u = 0; u < blocks_.size(); ++u) {
            if (blocks_[u].pass)
                continue;
            DesignUnit& unit = design.units[u];
            const cost::UnitHardware hardware{unit.parallelism * blocks_[u].body.pixelParallel,
                                              unit.lanes, ir::info(unit.shape.operand).bits,
                                              ir::info(unit.shape.weight).bits};
            unit.resources = cost::unitResources(params_.device, hardware);
            if (plan.feasible)
                unit.resources.bram = plan.blocks[u];
            design.resources += unit.resources;
        }
    }

    void addTerms() {
        Design& design = built_.design;
        for (const DesignCall& call : design.calls)
            design.terms.push_back({"call " + call.layer, static_cast<double>(call.cycles),
                                    "cycles",
                                    call.memoryBound ? "weights from external memory / bandwidth"
                                                     : "row blocks · pixels · words + fill"});
        design.terms.push_back({"streams", static_cast<double>(design.transferCycles), "cycles",
                                "load inputs + store outputs"});
        for (const DesignUnit& unit : design.units)
            design.terms.push_back({"unit " + unit.name, unit.resources.dsp, "DSP",
                                    "ceil(" + std::to_string(unit.multipliers) + " multipliers / " +
                                        std::to_string(params_.device.int8ProductsPerDsp) +
                                        " per block)"});
        for (const DesignBuffer& buffer : design.buffers)
            if (!buffer.weights)
                design.terms.push_back({"buffer " + buffer.name, buffer.bram, "BRAM",
                                        std::to_string(buffer.banks) + " banks × " +
                                            std::to_string(buffer.words) + " words"});
    }

    void decideExport(const MemoryPlan& plan, design::Schedule schedule) {
        Design& design = built_.design;
        for (std::size_t c = 0; c < design.calls.size() && plan.feasible; ++c)
            if (plan.external[c]) {
                design.notExportable =
                    "the weights of \"" + design.calls[c].layer +
                    "\" live in external memory, which the generator cannot build yet";
                return;
            }
        for (const DesignUnit& unit : design.units) {
            const bool power = (unit.parallelism & (unit.parallelism - 1)) == 0;
            const Block& block = blocks_[unit.id.index()];
            if (!block.pass &&
                (!power || unit.parallelism > schedule.lanes || block.body.pixelParallel != 1)) {
                design.notExportable = "unit \"" + unit.name +
                                       "\" computes rows or pixels in parallel in a way the "
                                       "generator cannot build yet";
                return;
            }
        }
        design.schedule = std::move(schedule);
    }

    // ---- both ----

    void finishUnits() {
        Design& design = built_.design;
        std::int64_t start = 0;
        for (DesignCall& call : design.calls) {
            call.start = start;
            start += call.cycles;
        }
        for (DesignUnit& unit : design.units) {
            std::int64_t busy = 0;
            for (CallId call : unit.callSites)
                busy += design.call(call).cycles;
            unit.utilisation = static_cast<double>(busy) /
                               static_cast<double>(std::max<std::int64_t>(1, design.cycles));
        }
        if (design.cycles > 0)
            design.gops = 2e-3 * static_cast<double>(design.macs) * design.clockMhz /
                          static_cast<double>(design.cycles);
    }

    void checkLimits() {
        const device::Resources& used = built_.design.resources;
        const device::Resources& limit = params_.limits;
        const bool cyclesModel = params_.model == design::CostModel::Cycles;
        const auto exceed = [&](const char* name, double value, double bound) {
            if (built_.blockedBy.empty() && value > bound) {
                built_.blockedBy = name;
                built_.needs = value;
            }
        };
        exceed("dsp", used.dsp, limit.dsp);
        if (cyclesModel) {
            exceed("bram", used.bram, limit.bram);
            exceed("lut", used.lut, limit.lut);
            exceed("ff", used.ff, limit.ff);
        }
        if (params_.cyclesLimit)
            exceed("cycles", static_cast<double>(built_.design.cycles), *params_.cyclesLimit);
        built_.feasible = built_.blockedBy.empty();
    }

    const ExtractionProblem& problem_;
    const PoolSolution& solution_;
    const ExtractParams& params_;
    const ir::Program& program_;
    std::vector<Block> blocks_;
    std::vector<int> blockOf_; ///< by call
    std::set<std::string> names_;
    MemoryProblem memory_;
    double slotBlocks_ = 0;
    BuiltDesign built_;
};

} // namespace

std::int64_t transferCycles(const rules::Lowered& lowered) {
    const ir::Program& program = *lowered.program;
    std::int64_t cycles = 0;
    for (ir::ValueId input : program.inputs) {
        const ir::Type& type = program.value(input).type;
        const rules::StoredExtent stored = rules::storedExtent(type);
        cycles +=
            cost::loadCycles(stored.pixels(), stored.channels, ir::info(type.scalar).bytes * 8);
    }
    for (const ir::Output& output : program.outputs) {
        const ir::ValueId value = lowered.plan.storage[output.value.index()];
        const ir::Type& type = program.value(value).type;
        const rules::StoredExtent stored = rules::storedExtent(type);
        cycles +=
            cost::storeCycles(stored.pixels(), stored.channels, ir::info(type.scalar).bytes * 8);
    }
    return cycles;
}

double cyclesLowerBound(const ExtractionProblem& problem, const PoolResult& result,
                        const ExtractParams& params) {
    if (params.model != design::CostModel::Cycles)
        return result.lowerBound;
    const double transfer = static_cast<double>(transferCycles(*problem.lowered));
    double bound = transfer;
    double capacity = 0; // bytes of weights that block RAM could hold
    for (const device::RamShape& shape : params.device.ramShapes)
        capacity = std::max(capacity, static_cast<double>(shape.width) *
                                          static_cast<double>(shape.depth) / 8.0);
    capacity *= params.limits.bram;
    struct Gain {
        double cycles;
        double bytes;
    };
    std::vector<Gain> gains;
    for (std::size_t c = 0; c < problem.calls.size(); ++c) {
        double least = std::numeric_limits<double>::infinity();
        for (const PrivateOption& option : problem.pool.calls[c].options)
            if (option.dsp <= problem.pool.dspLimit)
                least = std::min(least, option.time);
        for (const Entry& entry : problem.pool.entries)
            for (const ViaOption& option : entry.via[c])
                least = std::min(least, option.time);
        const double bytes = static_cast<double>(problem.calls[c].weightElements) *
                             (problem.calls[c].weightBits / 8.0);
        double external = least;
        if (params.device.memoryBytesPerCycle > 0 && bytes > 0)
            external = std::max(least, std::ceil(bytes / params.device.memoryBytesPerCycle)) +
                       static_cast<double>(params.device.memoryLatencyCycles);
        bound += external;
        if (bytes > 0)
            gains.push_back({external - least, bytes});
    }
    std::ranges::sort(gains, [](const Gain& a, const Gain& b) {
        return a.cycles * b.bytes > b.cycles * a.bytes;
    });
    for (const Gain& gain : gains) {
        const double share = std::min(1.0, capacity / gain.bytes);
        bound -= share * gain.cycles;
        capacity -= share * gain.bytes;
    }
    return std::min(bound, std::numeric_limits<double>::max());
}

BuiltDesign buildDesign(const ExtractionProblem& problem, const PoolSolution& solution,
                        const ExtractParams& params) {
    return DesignBuilder(problem, solution, params).run();
}

} // namespace marquetry::extract
