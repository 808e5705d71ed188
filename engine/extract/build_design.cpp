#include "engine/extract/build_design.h"

#include "engine/design/measure_use.h"
#include "engine/extract/build_memory.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace marquetry::extract {

namespace {

using design::CallId;
using design::Design;
using design::DesignCall;
using design::DesignUnit;
using design::UnitId;

class DesignBuilder {
public:
    DesignBuilder(const ExtractionProblem& problem, const PoolSolution& solution,
                  const ExtractParams& params, std::optional<double> unitLuts)
        : problem_(problem),
          solution_(solution),
          params_(params),
          unitLuts_(unitLuts),
          program_(*problem.lowered->program),
          plan_(planBlocks(problem, solution)) {}

    BuiltDesign run() {
        Design& design = built_.design;
        design.program = program_.name;
        design.device = params_.device.id;
        design.model = params_.model;
        design.lanes = problem_.lowered->menu.lanes;
        design.groupedChannels = problem_.lowered->menu.groupedChannels;
        design.frames = problem_.frames;
        design.clockMhz = params_.device.clockMhz;
        design.macs = program_.macs();
        for (const HardwareBlock& block : plan_.blocks)
            addUnit(block);
        for (std::size_t c = 0; c < problem_.calls.size(); ++c)
            addCall(c);
        if (params_.model == design::CostModel::Cycles)
            placeMemories(problem_, plan_, params_, unitLuts_, built_);
        else
            finishPublished();
        finishUnits();
        checkLimits();
        return std::move(built_);
    }

private:
    // ---- units, calls ----

    void addUnit(const HardwareBlock& block) {
        Design& design = built_.design;
        if (block.streamed())
            return addStreamUnit(block);
        DesignUnit unit;
        unit.id = UnitId{design.units.size()};
        const std::vector<ParentEdge> chain = bodyChain(problem_, block);
        const UnitClass& outer = problem_.eclass(chain.front().eclass);
        unit.eclass = outer.id;
        unit.shape = outer.shape;
        unit.term = printChain(problem_, chain);
        for (const ParentEdge& edge : chain)
            unit.chosen.push_back(problem_.graph.node(edge).id);
        unit.parallelism = block.body.parallel;
        const bool lanewise = block.laneFunction != design::LaneFunction::None;
        unit.lanes = block.pass ? design.lanes
                     : lanewise ? 1 // per row
                                : std::min(builtClass(problem_, block).shape.cols,
                                           design.lanes * block.body.span);
        if (!block.pass)
            unit.multipliers = block.body.parallel * block.body.pixelParallel * unit.lanes;
        unit.writeLanes =
            block.pass ? problem_.writeBacks.lanesOfPass(lanewise) : block.body.writeLanes;
        unit.shared = block.calls.size() >= 2;
        unit.name = uniqueName(block.pass ? passName(block) : toString(unit.shape));
        for (std::size_t c : block.calls)
            unit.callSites.push_back(CallId{c});
        design.units.push_back(std::move(unit));
    }

    void addStreamUnit(const HardwareBlock& block) {
        const StreamOption& stream = problem_.stream(block.stream);
        DesignUnit unit;
        unit.id = UnitId{built_.design.units.size()};
        unit.eclass = stream.eclass;
        unit.shape = problem_.eclass(problem_.graph.roots[block.calls.front()]).shape;
        unit.term = stream.term;
        unit.chosen = {stream.unit};
        unit.parallelism = stream.parallel;
        unit.streams = true;
        unit.resources = stream.resources;
        unit.name = uniqueName(unit.term);
        unit.callSites = {CallId{block.calls.front()}};
        built_.design.units.push_back(std::move(unit));
    }

    std::string passName(const HardwareBlock& block) const {
        const CallInfo& call = problem_.calls[block.calls.front()];
        if (block.laneFunction != design::LaneFunction::None)
            return block.laneFunction == design::LaneFunction::Max ? "MaxPool" : "SumPool";
        if (!call.ownPass)
            return "Pass";
        const ir::Value& anchor = program_.value(problem_.lowered->plan.layers[call.layer].anchor);
        return std::string(ir::info(anchor.op).name) + " " + toString(anchor.type);
    }

    std::string uniqueName(const std::string& name) {
        std::string unique = name;
        for (int k = 2; !names_.insert(unique).second; ++k)
            unique = name + " #" + std::to_string(k);
        return unique;
    }

    void addCall(std::size_t index) {
        const CallInfo& info = problem_.calls[index];
        const ir::Layer& layer = problem_.lowered->plan.layers[info.layer];
        const HardwareBlock& block = plan_.of(index);
        DesignCall call;
        call.id = CallId{index};
        call.layer = layer.name;
        call.result = layer.result;
        call.unit = UnitId{plan_.blockOf[index]};
        call.eclass = problem_.eclass(problem_.graph.roots[index]).id;
        call.macs = program_.value(layer.anchor).macs;
        for (const ParentEdge& edge : callChain(problem_, solution_, index, block)) {
            const UnitNode& node = problem_.graph.node(edge);
            if (block.entry >= 0)
                call.chosen.push_back(node.id);
            addLoop(call, node);
        }
        if (block.streamed())
            call.chosen = {problem_.stream(block.stream).streamed};
        call.cycles = static_cast<std::int64_t>(std::ceil(solution_.calls[index].time));
        built_.design.calls.push_back(std::move(call));
    }

    static void addLoop(DesignCall& call, const UnitNode& node) {
        const rules::SkeletonRole role = rules::info(node.skeleton).role;
        design::Loop loop;
        loop.term = termName(node);
        loop.count = rules::callsOfChild(node.skeleton, node.params);
        loop.parallel = rules::isParallel(role);
        if (role != rules::SkeletonRole::Leaf)
            call.loops.push_back(loop);
    }

    // ---- published cost ----

    void finishPublished() {
        Design& design = built_.design;
        design.cycles = static_cast<std::int64_t>(std::ceil(solution_.time));
        for (std::size_t u = 0; u < plan_.blocks.size(); ++u)
            design.units[u].resources.dsp = blockDsp(plan_.blocks[u]);
        design.resources.dsp = solution_.dsp;
        design.notExportable = "the published cost models describe the paper's hardware; explore "
                               "with --cost cycles to export";
        design.terms.push_back({"T", solution_.time, "cycles", "Σ T of the calls"});
        design.terms.push_back(
            {"D", solution_.dsp, "DSP", "Σ D of the private units + Σ D of the outlined units"});
    }

    double blockDsp(const HardwareBlock& block) const {
        return block.entry >= 0 ? problem_.entry(block.entry).dsp : block.body.dsp;
    }

    // ---- both ----

    void finishUnits() {
        Design& design = built_.design;
        design::measureUse(design);
        if (design.cycles > 0)
            design.gops =
                2e-3 * static_cast<double>(design.macs) * design.clockMhz / design.cyclesPerFrame();
    }

    void checkLimits() {
        const device::Resources& used = built_.design.resources;
        const device::Resources& limit = params_.limits;
        const bool cyclesModel = params_.model == design::CostModel::Cycles;
        using design::LimitKind;
        const auto exceed = [&](LimitKind kind, double value, double bound) {
            if (!built_.blockedBy && value > bound) {
                built_.blockedBy = kind;
                built_.needs = value;
            }
        };
        exceed(LimitKind::Dsp, used.dsp, limit.dsp);
        if (cyclesModel) {
            exceed(LimitKind::Bram, used.bram, limit.bram);
            exceed(LimitKind::Lut, used.lut, limit.lut);
            exceed(LimitKind::Ff, used.ff, limit.ff);
        }
        if (params_.cyclesLimit)
            exceed(LimitKind::Cycles, static_cast<double>(built_.design.cycles),
                   *params_.cyclesLimit);
        built_.feasible = !built_.blockedBy;
    }

    const ExtractionProblem& problem_;
    const PoolSolution& solution_;
    const ExtractParams& params_;
    std::optional<double> unitLuts_;
    const ir::Program& program_;
    BlockPlan plan_;
    std::set<std::string> names_;
    BuiltDesign built_;
};

} // namespace

BuiltDesign buildDesign(const ExtractionProblem& problem, const PoolSolution& solution,
                        const ExtractParams& params) {
    constexpr int kMostTries = 4;
    BuiltDesign first = DesignBuilder(problem, solution, params, std::nullopt).run();
    // What units take is known when they are built.
    const auto unitLuts = [](const BuiltDesign& built) {
        return built.design.resources.lut - built.memoryLuts - built.controlLuts;
    };
    double others = 0;
    double known = unitLuts(first);
    bool blocked = first.blockedBy == design::LimitKind::Lut;
    for (int tries = 1; blocked && tries < kMostTries && !problem.isOver(); ++tries) {
        if (known <= others || known > params.limits.lut)
            break;
        others = known;
        BuiltDesign again = DesignBuilder(problem, solution, params, others).run();
        if (again.feasible)
            return again;
        known = unitLuts(again);
        blocked = again.blockedBy == design::LimitKind::Lut;
    }
    return first;
}

} // namespace marquetry::extract
