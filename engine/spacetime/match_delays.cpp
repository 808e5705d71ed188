#include "engine/spacetime/match_delays.h"

#include "engine/milp/solve.h"
#include "engine/spacetime/scan_node.h"
#include "engine/spacetime/typing.h"
#include "engine/support/assert.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace marquetry::spacetime {

namespace {

using Clocks = std::vector<std::int64_t>;

/// What the starts of a graph's nodes have to keep to.
struct MatchingProblem {
    const Graph& graph;
    const std::vector<SeqType>& types;
    Clocks own;                  ///< delay of each node
    std::vector<bool> generated; ///< what generators alone feed
    bool isScanned = false;      ///< the first input is a state
};

bool isAnchored(const MatchingProblem& timing, NodeId id) {
    return !timing.generated[id.index()];
}

/// As early as possible; every value then is there at start + own.
Clocks earliest(const MatchingProblem& timing) {
    Clocks starts(timing.own.size(), 0);
    if (timing.isScanned)
        starts[timing.graph.inputs[0].index()] = stateTiming(timing.graph, timing.own).start;
    for (std::size_t k = 0; k < timing.own.size(); ++k) {
        for (const NodeId operand : timing.graph.nodes[k].operands) {
            if (isAnchored(timing, operand))
                starts[k] =
                    std::max(starts[k], starts[operand.index()] + timing.own[operand.index()]);
        }
    }
    return starts;
}

/// Longest time that a node's value waits for a user.
Clocks waits(const MatchingProblem& timing, const Clocks& starts) {
    Clocks longest(starts.size(), 0);
    for (std::size_t k = 0; k < starts.size(); ++k) {
        for (const NodeId operand : timing.graph.nodes[k].operands) {
            if (isAnchored(timing, operand))
                longest[operand.index()] =
                    std::max(longest[operand.index()],
                             starts[k] - starts[operand.index()] - timing.own[operand.index()]);
        }
    }
    return longest;
}

milp::Model programme(const MatchingProblem& timing, const Clocks& first) {
    milp::Model model;
    const std::size_t size = first.size();
    std::vector<milp::VariableId> start;
    std::vector<milp::VariableId> wait;
    const std::int64_t end = first[timing.graph.output.index()];
    for (std::size_t k = 0; k < size; ++k) {
        const bool fixed = timing.graph.nodes[k].op == Op::Input;
        const bool last = k == timing.graph.output.index();
        const auto at = static_cast<double>(fixed ? first[k] : end);
        start.push_back(
            model.addContinuous(fixed || last ? at : 0, fixed || last ? at : milp::kInfinity));
    }
    for (std::size_t k = 0; k < size; ++k)
        wait.push_back(model.addContinuous(0, milp::kInfinity,
                                           static_cast<double>(bitsPerClock(timing.types[k]))));
    for (std::size_t k = 0; k < size; ++k) {
        for (const NodeId operand : timing.graph.nodes[k].operands) {
            const std::size_t o = operand.index();
            if (!isAnchored(timing, operand))
                continue;
            const auto ready = static_cast<double>(timing.own[o]);
            model.addAtLeast({{start[k], 1}, {start[o], -1}}, ready);
            model.addAtLeast({{wait[o], 1}, {start[k], -1}, {start[o], 1}}, -ready);
        }
    }
    return model;
}

Result<Clocks> bestStarts(const MatchingProblem& timing, std::stop_token stop) {
    Clocks starts = earliest(timing);
    if (std::ranges::all_of(waits(timing, starts), [](std::int64_t wait) { return wait == 0; }))
        return starts;
    const auto solved = milp::solve(programme(timing, starts), {}, stop);
    if (!solved)
        return solved.error();
    if (solved->outcome != milp::SolveStatus::Optimal)
        return starts;
    for (std::size_t k = 0; k < starts.size(); ++k)
        starts[k] = std::llround(solved->values[k]);
    return starts;
}

/// Copies a graph and puts a chain of fifos behind every value that waits, a tap for every user.
class WithFifos {
public:
    WithFifos(const MatchingProblem& timing, const Clocks& starts)
        : timing_(timing), starts_(starts), taps_(starts.size()) {
        for (std::size_t k = 0; k < starts.size(); ++k) {
            for (const NodeId operand : timing.graph.nodes[k].operands)
                taps_[operand.index()].emplace(waitOf(operand, k), operand);
        }
    }

    Graph copy(const std::vector<Node>& nodes) && {
        std::vector<NodeId> copies;
        for (std::size_t k = 0; k < nodes.size(); ++k) {
            Node node = nodes[k];
            for (NodeId& operand : node.operands)
                operand = taps_[operand.index()].at(waitOf(operand, k));
            copies.push_back(result_.add(std::move(node)));
            std::int64_t waited = 0;
            NodeId end = copies.back();
            for (auto& [wait, tap] : taps_[k]) {
                if (wait > waited)
                    end = result_.add(Node{Op::Fifo, {end}, {wait - waited}});
                waited = wait;
                tap = end;
            }
        }
        for (const NodeId input : timing_.graph.inputs)
            result_.inputs.push_back(copies[input.index()]);
        result_.output = copies[timing_.graph.output.index()];
        return std::move(result_);
    }

private:
    std::int64_t waitOf(NodeId value, std::size_t user) const {
        return isAnchored(timing_, value)
                   ? starts_[user] - starts_[value.index()] - timing_.own[value.index()]
                   : 0;
    }

    const MatchingProblem& timing_;
    const Clocks& starts_;
    std::vector<std::map<std::int64_t, NodeId>> taps_; ///< by node: where it is after a wait
    Graph result_;
};

class Matching {
public:
    explicit Matching(std::stop_token stop) : stop_(std::move(stop)) {}

    Result<Graph> graph(const Graph& graph, const std::vector<MaybeConstants>& inputs,
                        std::int64_t copies, bool isScanned = false) const {
        const auto types = check(graph);
        if (!types)
            return types.error();
        const auto constants = constantsOf(graph, *types, inputs, copies);
        std::vector<Node> nodes = graph.nodes;
        MatchingProblem timing{graph, *types, {}, {}, isScanned};
        for (std::size_t k = 0; k < nodes.size(); ++k) {
            std::vector<SeqType> operandTypes;
            std::vector<MaybeConstants> known;
            bool generated = !nodes[k].operands.empty() || isGenerator(nodes[k]);
            for (const NodeId operand : nodes[k].operands) {
                operandTypes.push_back((*types)[operand.index()]);
                known.push_back(constants[operand.index()]);
                generated = generated && timing.generated[operand.index()];
            }
            if (const Status inner = matchFunction(nodes[k], known); !inner)
                return inner.error();
            auto own = isGenerator(nodes[k])
                           ? Result<std::int64_t>(0)
                           : ownDelay(nodes[k], operandTypes, known, DelayModel::Ours);
            if (!own)
                return own.error();
            timing.own.push_back(*own);
            timing.generated.push_back(generated);
        }
        const auto starts = bestStarts(timing, stop_);
        if (!starts)
            return starts.error();
        return WithFifos(timing, *starts).copy(nodes);
    }

private:
    Status matchFunction(Node& node, const std::vector<MaybeConstants>& known) const {
        if (!node.function)
            return ok();
        const bool loops = node.op == Op::ReduceS || node.op == Op::ReduceT || isScan(node.op);
        const auto inputs = loops ? std::vector<MaybeConstants>{std::nullopt, std::nullopt}
                                  : functionInputs(node, known);
        std::int64_t copies = 1;
        for (const MaybeConstants& constants : inputs)
            copies = constants ? constants->copies : copies;
        auto matched = graph(*node.function, inputs, copies, isScan(node.op));
        if (!matched)
            return matched.error();
        node.function = std::make_shared<Graph>(*std::move(matched));
        return ok();
    }

    std::stop_token stop_;
};

} // namespace

Result<Graph> matchDelays(const Graph& graph, std::stop_token stop) {
    return Matching(std::move(stop)).graph(graph, {}, 1);
}

Result<Graph> matchScanned(const Graph& function, std::stop_token stop) {
    return Matching(std::move(stop)).graph(function, {}, 1, true);
}

} // namespace marquetry::spacetime
