#include "engine/extract/unit_proof.h"

namespace marquetry::extract {

namespace {

using egraph::ChosenTerm;
using egraph::ENodeId;
using egraph::Proof;

constexpr egraph::ProofText kText{egraph::ProofText::Notation::Function, 160};

std::string stepsText(std::size_t steps) {
    if (steps == 0)
        return "as written";
    return std::to_string(steps) + (steps == 1 ? " step" : " steps") +
           " from the program as written";
}

} // namespace

Result<Proof> UnitProver::prove(const design::Design& design, design::CallId id,
                                const egraph::ProveParams& params, std::stop_token stop) const {
    const design::DesignCall& call = design.call(id);
    const rules::CallSite& site = lowered_.calls[id.index()];
    ENGINE_ASSERT(lowered_.plan.layers[site.layer].name == call.layer,
                  "the design is one of this program");
    // The rule that streams a call is one on calls.
    if (design.unit(call.unit).streams)
        return prover_.prove(ChosenTerm::of(ENodeId{site.call.value()}),
                             ChosenTerm::of(call.chosen.front()), params, std::move(stop));
    std::vector<ENodeId> chain = call.chosen;
    const auto& unit = design.unit(call.unit).chosen;
    chain.insert(chain.end(), unit.begin(), unit.end());
    return prover_.prove(ChosenTerm::of(ENodeId{site.unit.value()}), ChosenTerm::chain(chain),
                         params, std::move(stop));
}

std::vector<std::string> UnitProver::lines(const design::Design& design, design::UnitId unit,
                                           std::stop_token stop) const {
    std::vector<std::string> lines;
    for (const design::CallId call : design.unit(unit).callSites) {
        const std::string& layer = design.call(call).layer;
        const auto proof = prove(design, call, {}, stop);
        if (!proof) {
            lines.push_back(layer + ": " + proof.error().front().message);
            continue;
        }
        lines.push_back(layer + ": " + stepsText(proof->steps.size()));
        for (const egraph::ProofStep& step : proof->steps)
            lines.push_back("  " + formatStep(*proof, step, lowered_.rewrites, kText));
    }
    return lines;
}

} // namespace marquetry::extract
