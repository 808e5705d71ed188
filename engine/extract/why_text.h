// What is known of a unit of a design, as text: the lines of `explore --why`.
//
// Thread rule: the thread of the e-graph.
#pragma once

#include "engine/design/design.h"
#include "engine/rules/lowering.h"

#include <stop_token>
#include <string>

namespace marquetry::extract {

/// "+40960 cycles (+10.5 %), −512 DSP: Mv 64×576 P=8 ×13".
std::string describe(const design::Alternative& other, const design::Design& design);

/// The lines of `explore --why`: call sites, proofs, cost, alternatives, counterfactual, and for a
/// candidate that is not shared the reason. Errors: unit-unknown.
Result<std::string> whyText(const rules::Lowered& lowered, const design::Design& design,
                            const std::string& name, std::stop_token stop = {});

} // namespace marquetry::extract
