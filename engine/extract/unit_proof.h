// Why a design computes what the program asks for: a proof per call, from its unit as lowered to
// the call's loops around the chosen unit (every design is a term of the e-graph:
// background/skeleshare.md, "Sharing and extraction").
//
// Errors: those of egraph::prove; for a design of this e-graph only proof-limit and cancelled.
// Complexity: as egraph::Prover; about a millisecond per call.
// Thread rule: the thread of the e-graph and its facts. A Proof is a value, free to hand on.
#pragma once

#include "engine/design/design.h"
#include "engine/egraph/proof.h"
#include "engine/rules/lowering.h"

namespace marquetry::extract {

/// The design must have been extracted from the lowered program's e-graph.
class UnitProver {
public:
    explicit UnitProver(const rules::Lowered& lowered)
        : lowered_(lowered), prover_(*lowered.egraph, lowered.rewrites) {}

    Result<egraph::Proof> prove(const design::Design& design, design::CallId call,
                                const egraph::ProveParams& params = {},
                                std::stop_token stop = {}) const;
    /// Lines to show under a unit: per call site its layer, then one line per step.
    std::vector<std::string> lines(const design::Design& design, design::UnitId unit,
                                   std::stop_token stop = {}) const;

private:
    const rules::Lowered& lowered_;
    egraph::Prover prover_;
};

} // namespace marquetry::extract
