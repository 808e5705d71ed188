// Saturated e-graphs of small programs, and pins drawn from them.
#pragma once

#include "engine/design/design.h"
#include "engine/design/pin.h"
#include "engine/rules/lowering.h"
#include "engine/support/rng.h"

#include <string>
#include <vector>

namespace marquetry::test {

/// The saturated space of the one design of the text, under the candidates of the cost model.
rules::Lowered spaceOf(const std::string& text, design::CostModel model,
                       std::vector<std::string> without, std::int64_t lanes = 8);

/// Some groups off, so that small spaces stay small enough to enumerate.
std::vector<std::string> drawGroups(SplitMix64& rng);

/// A pin of any kind on a name that exists in the space.
design::Pin drawPin(const rules::Lowered& lowered, SplitMix64& rng);

} // namespace marquetry::test
