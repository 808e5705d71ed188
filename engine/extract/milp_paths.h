// One path as binary variables: a copy of the classes below a start, for the MILP oracle.
//
// When the copy is active, exactly one path of e-nodes leads from the start to a leaf or to the use
// of an outlined class; when it is not active, there is none. Thread rule: belongs to one thread.
#pragma once

#include "engine/extract/problem.h"
#include "engine/milp/model.h"

#include <functional>
#include <map>
#include <optional>

namespace marquetry::extract {

struct MilpCopy {
    int start = 0;
    std::vector<int> classes;                           ///< reachable, the start first
    std::map<int, std::vector<milp::VariableId>> nodes; ///< binary, by class and node
    std::map<int, milp::VariableId> uses;               ///< binary: ends in the use of a class
    std::optional<milp::VariableId> active;             ///< none: always active
    std::map<int, std::pair<double, double>> gain;      ///< least, greatest invocations
};

using Allows = std::function<bool(int eclass, int node)>;

struct MilpCopyParams {
    std::optional<milp::VariableId> active;
    std::map<int, milp::VariableId> outlined; ///< classes it may end in
    double gainCap = 1;                       ///< no class is invoked more often
    bool ordered = false;                     ///< rule out cycles beside the path (pins need it)
    Allows allows;                            ///< e-nodes that can be built
};

MilpCopy addCopy(milp::Model& model, const ExtractionProblem& problem, int start,
                 const MilpCopyParams& params);

/// Whether any path of allowed e-nodes leads from the start to a leaf or a use.
bool canEnd(const ExtractionProblem& problem, const MilpCopy& copy, const Allows& allows);

/// Invocations along a copy: `entering` at the start, multiplied by every loop, leaving at leaves
/// for `leafCost` each and at uses for `useCost`. Flow runs only where the copy's path does.
struct MilpFlow {
    std::map<int, std::vector<milp::VariableId>> nodes;
    std::map<int, milp::VariableId> uses;
};
MilpFlow addFlow(milp::Model& model, const ExtractionProblem& problem, const MilpCopy& copy,
                 double entering, double scale);

/// Flow conservation; `more` enters at the start besides `entering`.
void conserveFlow(milp::Model& model, const ExtractionProblem& problem, const MilpCopy& copy,
                  const MilpFlow& flow, double entering, const std::vector<milp::VariableId>& more);

} // namespace marquetry::extract
