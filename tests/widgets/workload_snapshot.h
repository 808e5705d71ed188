// Snapshots of a published workload while it saturates: large e-graphs without a program.
#pragma once

#include "engine/egraph/saturate.h"
#include "engine/egraph/workload.h"
#include "engine/session/snapshot.h"

#include <memory>
#include <string>
#include <vector>

namespace marquetry::test {

/// As a session would show the e-graph at this moment.
inline std::shared_ptr<session::Snapshot>
workloadSnapshot(const egraph::Workload& workload, const egraph::EGraph& graph,
                 const std::vector<egraph::Iteration>& iterations) {
    auto snapshot = std::make_shared<session::Snapshot>();
    snapshot->phase = session::Phase::Saturating;
    snapshot->egraph = graph.view();
    snapshot->iterations = iterations;
    std::vector<std::string> names;
    for (const egraph::Rewrite& rule : workload.rules)
        names.push_back(rule.name);
    snapshot->ruleNames = std::move(names);
    snapshot->ruleGroups = std::vector<std::string>(workload.rules.size(), "workload");
    return snapshot;
}

/// math-micro after so many iterations: 10 have 58 464 e-classes, 11 have 443 832.
inline std::shared_ptr<session::Snapshot> mathMicro(std::size_t iterations) {
    const auto workload = egraph::makeWorkload("math-micro");
    egraph::EGraph graph((*workload).language);
    egraph::addTerms(graph, *workload);
    egraph::SaturationParams params;
    params.maxIterations = iterations;
    params.maxEnodes = std::size_t{1} << 29;
    const auto result = egraph::saturate(graph, (*workload).rules, params);
    return workloadSnapshot(*workload, graph, result.iterations);
}

} // namespace marquetry::test
