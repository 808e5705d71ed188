// Why a layer may run on its unit: the proof from the term as written to the chosen one, in words.
//
// Complexity: that of egraph::Prover. Cancel: then the proof has a failure "cancelled". Thread
// rule: reads the e-graph; owner thread.
#pragma once

#include "engine/design/design.h"
#include "engine/rules/lowering.h"
#include "engine/session/snapshot.h"

#include <stop_token>

namespace marquetry::session {

LayerProof proveLayer(const rules::Lowered& lowered, const design::Design& design,
                      const std::string& layer, std::stop_token stop);

} // namespace marquetry::session
