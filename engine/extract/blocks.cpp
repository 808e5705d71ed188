#include "engine/extract/blocks.h"

#include <algorithm>
#include <map>

namespace marquetry::extract {

namespace {

/// The entry whose body has the products of this one's: itself, or the innermost that it calls.
int calledBy(const ExtractionProblem& problem, int entry) {
    while (problem.entry(entry).body < 0)
        entry = problem.entry(entry).base;
    return entry;
}

class BlockPlanner {
public:
    BlockPlanner(const ExtractionProblem& problem, const PoolSolution& solution)
        : problem_(problem), solution_(solution), entryBlock_(problem.pool.entries.size(), -1) {}

    BlockPlan run() {
        for (std::size_t c = 0; c < solution_.calls.size(); ++c) {
            const int found = existing(c);
            const int block = found >= 0 ? found : static_cast<int>(plan_.blocks.size());
            if (found < 0)
                plan_.blocks.push_back(makeBlock(c));
            addCall(plan_.blocks[static_cast<std::size_t>(block)], c);
            plan_.blockOf.push_back(block);
            remember(c, block);
        }
        return std::move(plan_);
    }

private:
    int existing(std::size_t call) const {
        if (problem_.calls[call].ownPass)
            return -1;
        if (problem_.calls[call].pass) {
            const auto found = passBlocks_.find(passOf(call));
            return found == passBlocks_.end() ? -1 : found->second;
        }
        const int entry = solution_.calls[call].entry;
        return entry >= 0 ? entryBlock_[hardwareOf(entry)] : -1;
    }

    /// Under `cycles` a unit whose body only calls another one is that one: the sequencer sends
    /// both the same products.
    std::size_t hardwareOf(int entry) const {
        const bool cycles = problem_.entry(entry).bodyCost.comparesRows;
        return static_cast<std::size_t>(cycles ? calledBy(problem_, entry) : entry);
    }

    /// A block is named for the unit that a pin asks for.
    void addCall(HardwareBlock& block, std::size_t call) const {
        block.calls.push_back(call);
        const int entry = solution_.calls[call].entry;
        const auto pinned = [&](int e) {
            return e >= 0 && std::ranges::find(problem_.pool.mustShare, problem_.entry(e).eclass) !=
                                 problem_.pool.mustShare.end();
        };
        if (!pinned(block.entry) && pinned(entry))
            block.entry = entry;
    }

    void remember(std::size_t call, int block) {
        const int entry = solution_.calls[call].entry;
        if (problem_.calls[call].ownPass)
            return;
        if (problem_.calls[call].pass)
            passBlocks_[passOf(call)] = block;
        else if (entry >= 0)
            entryBlock_[hardwareOf(entry)] = block;
    }

    /// A pass reads elements of one type; pools are no tensor-wise passes.
    using PassKind = std::pair<ir::Scalar, design::LaneFunction>;
    PassKind passOf(std::size_t call) const {
        return {problem_.eclass(problem_.graph.roots[call]).shape.operand,
                problem_.calls[call].laneFunction};
    }

    HardwareBlock makeBlock(std::size_t call) const {
        const CallChoice& choice = solution_.calls[call];
        HardwareBlock block;
        block.pass = problem_.calls[call].pass;
        block.laneFunction = problem_.calls[call].laneFunction;
        block.stream = problem_.streamOf(solution_, call);
        if (block.streamed()) {
            block.body.parallel = problem_.stream(block.stream).parallel;
        } else if (choice.entry >= 0) {
            block.entry = choice.entry;
            block.body = problem_.entry(choice.entry).bodyCost;
        } else {
            const PrivateOption& option =
                problem_.pool.demand(call).options[static_cast<std::size_t>(choice.option)];
            block.privatePath = option.path;
            block.body = option.body;
        }
        return block;
    }

    const ExtractionProblem& problem_;
    const PoolSolution& solution_;
    std::vector<int> entryBlock_;
    std::map<PassKind, int> passBlocks_;
    BlockPlan plan_;
};

} // namespace

BlockPlan planBlocks(const ExtractionProblem& problem, const PoolSolution& solution) {
    return BlockPlanner(problem, solution).run();
}

std::vector<ParentEdge> bodyChain(const ExtractionProblem& problem, const HardwareBlock& block) {
    if (block.entry < 0)
        return problem.paths->chain(block.privatePath);
    const PoolEntry& entry = problem.entry(block.entry);
    if (entry.body >= 0)
        return problem.paths->chain(entry.body);
    return problem.reaches.at(entry.eclass)->chain(entry.reach);
}

const UnitClass& builtClass(const ExtractionProblem& problem, const HardwareBlock& block) {
    if (block.entry < 0)
        return problem.eclass(bodyChain(problem, block).front().eclass);
    return problem.eclass(problem.entry(calledBy(problem, block.entry)).eclass);
}

std::vector<ParentEdge> callChain(const ExtractionProblem& problem, const PoolSolution& solution,
                                  std::size_t call, const HardwareBlock& block) {
    if (block.streamed())
        return {};
    if (block.entry < 0)
        return problem.paths->chain(block.privatePath);
    const CallChoice& choice = solution.calls[call];
    const ViaOption& option =
        problem.pool.via(choice.entry, call)[static_cast<std::size_t>(choice.option)];
    return problem.reaches.at(problem.graph.roots[call])->chain(option.reach);
}

std::string printChain(const ExtractionProblem& problem, const std::vector<ParentEdge>& chain) {
    std::string text;
    for (const ParentEdge& edge : chain)
        text += (text.empty() ? "" : "(") + termName(problem.graph.node(edge));
    return text + std::string(chain.empty() ? 0 : chain.size() - 1, ')');
}

} // namespace marquetry::extract
