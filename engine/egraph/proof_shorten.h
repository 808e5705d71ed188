// Shortening a proof by shortcuts between its terms.
//
// Every rule is tried forwards at every place of the terms of the proof. A shortcut is found when a
// result is another term of the proof, or when two terms have a result in common. The cheapest way
// through all known steps is the new proof. This is repeated, on a larger neighbourhood each time,
// while the budget lasts.
//
// A step costs one. A backward step that invents a part of the term costs more, because it explains
// little; a proof may trade it for several plain steps.
// Complexity: O(budget · (rules + depth of the terms)) and a cheapest way per round.
// Thread rule: the bank's.
#pragma once

#include "engine/egraph/explanation.h"

namespace marquetry::egraph {

/// `budget` = places where rules are tried plus results they give. Stops early on `stop`; the proof
/// stays valid.
void shorten(RawProof& proof, TermBank& bank, std::span<const Rewrite> rules, std::size_t budget,
             std::stop_token stop);

} // namespace marquetry::egraph
