#include "engine/extract/milp_paths.h"

#include "engine/cost/published_cost.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace marquetry::extract {

namespace {

using milp::LinearTerm;
using milp::VariableId;

std::vector<int> reachable(const UnitGraph& graph, int start) {
    std::vector<bool> seen(graph.classes.size(), false);
    std::vector<int> order = {start};
    seen[static_cast<std::size_t>(start)] = true;
    for (std::size_t k = 0; k < order.size(); ++k)
        for (const UnitNode& node : graph.classes[static_cast<std::size_t>(order[k])].nodes)
            if (node.child >= 0 && !seen[static_cast<std::size_t>(node.child)]) {
                seen[static_cast<std::size_t>(node.child)] = true;
                order.push_back(node.child);
            }
    return order;
}

/// Calls visit(class, node index, node) for the inner nodes of a copy.
template <class Visit>
void forEdges(const ExtractionProblem& problem, const MilpCopy& copy, const Visit& visit) {
    for (int c : copy.classes) {
        const UnitClass& eclass = problem.eclass(c);
        for (std::size_t n = 0; n < eclass.nodes.size(); ++n)
            if (eclass.nodes[n].child >= 0)
                visit(c, n, eclass.nodes[n]);
    }
}

/// Least and greatest product of loop counts from the start, up to the cap.
void addGains(const ExtractionProblem& problem, MilpCopy& copy, double cap) {
    for (int c : copy.classes)
        copy.gain[c] = {std::numeric_limits<double>::infinity(), 0.0};
    copy.gain[copy.start] = {1, 1};
    for (bool changed = true; changed;) {
        changed = false;
        forEdges(problem, copy, [&](int c, std::size_t, const UnitNode& node) {
            const double factor = problem.cost->usesOfChild(node);
            const auto [least, greatest] = copy.gain.at(c);
            auto& [childLeast, childGreatest] = copy.gain.at(node.child);
            const double low = least * factor;
            const double high = std::min(cap, greatest * factor);
            changed = changed || low < childLeast || high > childGreatest;
            childLeast = std::min(childLeast, low);
            childGreatest = std::max(childGreatest, high);
        });
    }
}

/// What enters a class goes on through one of its e-nodes or ends in its use; at most once.
void onePath(milp::Model& model, const ExtractionProblem& problem, const MilpCopy& copy) {
    std::map<int, std::vector<LinearTerm>> entering;
    forEdges(problem, copy, [&](int c, std::size_t n, const UnitNode& node) {
        entering[node.child].push_back({copy.nodes.at(c)[n], -1});
    });
    for (int c : copy.classes) {
        std::vector<LinearTerm> leaving;
        for (VariableId node : copy.nodes.at(c))
            leaving.push_back({node, 1});
        if (const auto use = copy.uses.find(c); use != copy.uses.end())
            leaving.push_back({use->second, 1});
        model.addAtMost(leaving, 1);
        for (const LinearTerm& term : entering[c])
            leaving.push_back(term);
        if (c == copy.start && copy.active)
            leaving.push_back({*copy.active, -1});
        model.addEqual(std::move(leaving), c == copy.start && !copy.active ? 1 : 0);
    }
}

void orderClasses(milp::Model& model, const ExtractionProblem& problem, const MilpCopy& copy) {
    const auto count = static_cast<double>(copy.classes.size());
    std::map<int, VariableId> label;
    for (int c : copy.classes)
        label.emplace(c, model.addContinuous(0, count));
    forEdges(problem, copy, [&](int c, std::size_t n, const UnitNode& node) {
        model.addAtLeast(
            {{label.at(node.child), 1}, {label.at(c), -1}, {copy.nodes.at(c)[n], -(count + 1)}},
            -count);
    });
}

} // namespace

MilpCopy addCopy(milp::Model& model, const ExtractionProblem& problem, int start,
                 const MilpCopyParams& params) {
    MilpCopy copy;
    copy.start = start;
    copy.active = params.active;
    copy.classes = reachable(problem.graph, start);
    for (int c : copy.classes) {
        const std::size_t count = problem.eclass(c).nodes.size();
        for (std::size_t n = 0; n < count; ++n) {
            const VariableId node = model.addBinary();
            if (!params.allows(c, static_cast<int>(n)))
                model.setBounds(node, 0, 0);
            copy.nodes[c].push_back(node);
        }
        const auto outlined = params.outlined.find(c);
        if (outlined == params.outlined.end())
            continue;
        const VariableId use = model.addBinary();
        model.addAtMost({{use, 1}, {outlined->second, -1}}, 0);
        copy.uses.emplace(c, use);
    }
    addGains(problem, copy, params.gainCap);
    onePath(model, problem, copy);
    if (params.ordered)
        orderClasses(model, problem, copy);
    return copy;
}

bool canEnd(const ExtractionProblem& problem, const MilpCopy& copy, const Allows& allows) {
    std::map<int, bool> ends;
    for (int c : copy.classes)
        ends[c] = copy.uses.contains(c);
    for (bool changed = true; changed;) {
        changed = false;
        for (int c : copy.classes) {
            const std::vector<UnitNode>& nodes = problem.eclass(c).nodes;
            for (std::size_t n = 0; n < nodes.size() && !ends[c]; ++n) {
                const bool below = nodes[n].child < 0 || ends[nodes[n].child];
                ends[c] = below && allows(c, static_cast<int>(n));
                changed = changed || ends[c];
            }
        }
    }
    return ends[copy.start];
}

MilpFlow addFlow(milp::Model& model, const ExtractionProblem& problem, const MilpCopy& copy,
                 double entering, double scale) {
    MilpFlow flow;
    const auto bounded = [&](int c, VariableId where, double cost) {
        const auto [least, greatest] = copy.gain.at(c);
        const VariableId amount = model.addContinuous(0, milp::kInfinity, cost);
        model.addAtMost({{amount, 1}, {where, -greatest * scale}}, 0);
        if (entering > 0)
            model.addAtLeast({{amount, 1}, {where, -least * entering}}, 0);
        return amount;
    };
    for (int c : copy.classes) {
        const UnitClass& eclass = problem.eclass(c);
        for (std::size_t n = 0; n < eclass.nodes.size(); ++n) {
            const UnitNode& node = eclass.nodes[n];
            const double cost = node.child < 0 ? problem.cost->leaf(node, eclass.shape).time : 0.0;
            flow.nodes[c].push_back(bounded(c, copy.nodes.at(c)[n], cost));
        }
        if (const auto use = copy.uses.find(c); use != copy.uses.end())
            flow.uses.emplace(c, bounded(c, use->second, cost::kCommunicationCost));
    }
    return flow;
}

void conserveFlow(milp::Model& model, const ExtractionProblem& problem, const MilpCopy& copy,
                  const MilpFlow& flow, double entering, const std::vector<VariableId>& more) {
    std::map<int, std::vector<LinearTerm>> rows;
    forEdges(problem, copy, [&](int c, std::size_t n, const UnitNode& node) {
        rows[node.child].push_back({flow.nodes.at(c)[n], -problem.cost->usesOfChild(node)});
    });
    for (VariableId variable : more)
        rows[copy.start].push_back({variable, -1});
    for (int c : copy.classes) {
        std::vector<LinearTerm>& row = rows[c];
        for (VariableId node : flow.nodes.at(c))
            row.push_back({node, 1});
        if (const auto use = flow.uses.find(c); use != flow.uses.end())
            row.push_back({use->second, 1});
        model.addEqual(std::move(row), c == copy.start ? entering : 0);
    }
}

} // namespace marquetry::extract
