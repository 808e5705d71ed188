#include "engine/session/layer_proof.h"

#include "engine/extract/unit_proof.h"

#include <algorithm>

namespace marquetry::session {

namespace {

std::string dotted(const std::vector<std::uint32_t>& place) {
    std::string text;
    for (const std::uint32_t child : place)
        text += (text.empty() ? "" : ".") + std::to_string(child);
    return text;
}

LayerProof inWords(const egraph::Proof& proof, const std::vector<egraph::Rewrite>& rules) {
    const egraph::ProofText form{egraph::ProofText::Notation::Function, 240};
    LayerProof words;
    words.from = formatTerm(proof, proof.start, form);
    words.to = formatTerm(proof, proof.end, form);
    for (const egraph::ProofStep& step : proof.steps)
        words.lines.push_back(
            {step.rule.index() < rules.size() ? rules[step.rule.index()].name : "given",
             step.forward, dotted(step.place),
             formatTerm(proof, proof.at(step.before, step.place), form),
             formatTerm(proof, proof.at(step.after, step.place), form)});
    return words;
}

} // namespace

LayerProof proveLayer(const rules::Lowered& lowered, const design::Design& design,
                      const std::string& layer, std::stop_token stop) {
    LayerProof none;
    const auto call = std::ranges::find(design.calls, layer, &design::DesignCall::layer);
    if (call == design.calls.end()) {
        none.failure = {makeError("no-call", "the design has no call of layer \"" + layer + "\"")};
        return none;
    }
    const auto proof = extract::UnitProver(lowered).prove(design, call->id, {}, std::move(stop));
    if (proof)
        return inWords(*proof, lowered.rewrites);
    none.failure = proof.error();
    return none;
}

} // namespace marquetry::session
