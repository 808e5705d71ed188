#include "engine/extract/overlap.h"

#include "engine/extract/joins.h"
#include "engine/support/numbers.h"

#include <algorithm>

namespace marquetry::extract {

namespace {

/// Undominated choices kept for each first part of the chain of calls.
constexpr std::size_t kMaxChoices = 256;

class Splitter {
public:
    Splitter(const ExtractionProblem& problem, const PoolSolution& solution)
        : problem_(problem), solution_(solution), blocks_(planBlocks(problem, solution)) {}

    std::optional<PoolSolution> run() {
        choosePrivate();
        const std::vector<std::int64_t> savings = pairSavings();
        std::vector<std::vector<Choice>> best(calls() + 1);
        best[0] = {Choice{}};
        best[1] = {Choice{0, savings[0], {}}}; // to the load, which needs no unit
        for (std::size_t k = 2; k <= calls(); ++k) {
            best[k] = best[k - 1];
            const Move move = moveFor(k - 1);
            if (savings[k - 1] > 0 && move.dsp < kInfinity)
                for (const Choice& earlier : best[k - 2])
                    add(best[k], earlier, move, savings[k - 1]);
            prune(best[k]);
        }
        const Choice& chosen = best[calls()].front(); // the greatest saving
        if (chosen.moved.empty())
            return std::nullopt;
        return moved(chosen);
    }

private:
    /// A call that gets a unit of its own; none when the two have different units already.
    struct Move {
        std::optional<std::size_t> call;
        double dsp = kInfinity;
    };
    struct Choice {
        double dsp = 0;
        std::int64_t saving = 0;
        std::vector<std::size_t> moved;
    };

    std::size_t calls() const { return problem_.calls.size(); }

    /// The cheapest private unit of each call on which it takes no longer.
    void choosePrivate() {
        for (std::size_t c = 0; c < calls(); ++c) {
            const std::vector<PrivateOption>& options = problem_.pool.demand(c).options;
            int best = -1;
            const bool streamed = problem_.streamOf(solution_, c) >= 0;
            for (std::size_t k = 0; k < options.size() && !streamed; ++k)
                if (options[k].stream < 0 && options[k].time <= solution_.calls[c].time &&
                    (best < 0 || options[k].dsp < options[static_cast<std::size_t>(best)].dsp))
                    best = static_cast<int>(k);
            private_.push_back(best);
        }
    }

    const PrivateOption& privateOption(std::size_t call) const {
        return problem_.pool.demand(call).options[static_cast<std::size_t>(private_[call])];
    }

    std::vector<std::int64_t> pairSavings() const {
        PoolSolution apart = solution_;
        for (std::size_t c = 0; c < calls(); ++c)
            if (private_[c] >= 0)
                apart.calls[c] = {-1, private_[c], privateOption(c).time};
        const BlockPlan plan = planBlocks(problem_, apart);
        return joinSavings(design::buildSchedule(scheduleRequest(problem_, plan)),
                           problem_.joinableIn(solution_));
    }

    /// For joining a call to the one before it.
    Move moveFor(std::size_t call) const {
        if (blocks_.blockOf[call] != blocks_.blockOf[call - 1])
            return {std::nullopt, 0};
        Move best;
        for (std::size_t c : {call - 1, call})
            if (!problem_.calls[c].pass && private_[c] >= 0 && privateOption(c).dsp < best.dsp)
                best = {c, privateOption(c).dsp};
        return best;
    }

    /// How many calls a block must keep.
    std::size_t leastCalls(const HardwareBlock& block) const {
        const auto& must = problem_.pool.mustShare;
        const bool pinned =
            block.entry >= 0 &&
            std::ranges::find(must, problem_.entry(block.entry).eclass) != must.end();
        return pinned ? 2 : 1;
    }

    void add(std::vector<Choice>& choices, const Choice& earlier, const Move& move,
             std::int64_t saving) const {
        Choice next = earlier;
        next.saving += saving;
        if (move.call) {
            const HardwareBlock& block = blocks_.of(*move.call);
            const auto sameBlock = [&](std::size_t c) {
                return blocks_.blockOf[c] == blocks_.blockOf[*move.call];
            };
            const auto gone =
                static_cast<std::size_t>(std::ranges::count_if(earlier.moved, sameBlock));
            if (gone + 1 + leastCalls(block) > block.calls.size())
                return;
            next.dsp += move.dsp;
            next.moved.push_back(*move.call);
        }
        if (solution_.dsp + next.dsp <= problem_.pool.dspLimit)
            choices.push_back(std::move(next));
    }

    static void prune(std::vector<Choice>& choices) {
        std::ranges::stable_sort(choices, [](const Choice& a, const Choice& b) {
            return a.saving != b.saving ? a.saving > b.saving : a.dsp < b.dsp;
        });
        std::vector<Choice> kept;
        for (Choice& choice : choices)
            if (kept.size() < kMaxChoices && (kept.empty() || choice.dsp < kept.back().dsp))
                kept.push_back(std::move(choice));
        choices = std::move(kept);
    }

    PoolSolution moved(const Choice& choice) const {
        PoolSolution split = solution_;
        for (std::size_t c : choice.moved) {
            const PrivateOption& option = privateOption(c);
            split.time += option.time - split.calls[c].time;
            split.dsp += option.dsp;
            split.calls[c] = {-1, private_[c], option.time};
        }
        return split;
    }

    const ExtractionProblem& problem_;
    const PoolSolution& solution_;
    BlockPlan blocks_;
    std::vector<int> private_; ///< by call: index into its options; −1: none
};

/// The search prices lanes as wide as any unit of the program needs; this one may need less.
cost::WriteBackForm formOf(const ExtractionProblem& problem, const HardwareBlock& block) {
    const rules::Lowered& lowered = *problem.lowered;
    std::vector<const ir::Layer*> layers;
    for (const std::size_t c : block.calls) {
        const ir::Layer& layer = lowered.plan.layers[problem.calls[c].layer];
        if (layer.unbuildable.empty())
            layers.push_back(&layer);
    }
    return design::writeBackForm(*lowered.program, layers);
}

} // namespace

design::ScheduleRequest scheduleRequest(const ExtractionProblem& problem, const BlockPlan& plan) {
    design::ScheduleRequest request;
    const bool streams = std::ranges::any_of(plan.blocks, &HardwareBlock::streamed);
    request.frames = streams ? 1 : problem.mostAtOnce; // a circuit takes frame after frame
    request.program = problem.lowered->program.get();
    request.plan = &problem.lowered->plan;
    request.lanes = problem.lowered->menu.lanes;
    request.wholeWindows = true;
    for (const HardwareBlock& block : plan.blocks) {
        const int outer = block.streamed() ? problem.graph.roots[block.calls.front()]
                                           : bodyChain(problem, block).front().eclass;
        const ir::UnitShape& shape = problem.eclass(outer).shape;
        design::ScheduleUnit unit;
        unit.id = design::UnitId{request.units.size()};
        unit.name = "unit " + std::to_string(request.units.size());
        unit.pass = block.pass;
        unit.parallel = block.pass ? request.lanes : block.body.parallel;
        unit.span = block.pass ? 1 : block.body.span;
        unit.operand = shape.operand;
        unit.weight = shape.weight;
        unit.pairsRows = !block.pass && problem.cost->pairsRows(block.body, shape);
        if (block.streamed()) {
            const StreamOption& stream = problem.stream(block.stream);
            unit.stream = design::StreamTiming{stream.interval, stream.latency};
        } else if (!problem.calls[block.calls.front()].isFixed()) {
            unit.writeBack =
                problem.writeBacks.of(block.pass, block.laneFunction != design::LaneFunction::None,
                                      block.body.writeLanes);
            if (unit.writeBack)
                unit.writeBack->form = formOf(problem, block);
        }
        request.units.push_back(std::move(unit));
    }
    for (int block : plan.blockOf)
        request.layerUnits.push_back(design::UnitId{block});
    return request;
}

std::optional<PoolSolution> splitForOverlap(const ExtractionProblem& problem,
                                            const PoolSolution& solution) {
    return Splitter(problem, solution).run();
}

} // namespace marquetry::extract
