// Shortening a proof: shortcuts between its terms.
//
// Every rule is tried forwards at every place of the terms on the way; a result that is another
// term of the proof, or a result two of its terms have in common, opens a shorter way. The cheapest
// way through all known steps is the new proof; again, in widening circles, while the budget lasts.
// A step counts one; a backward step that invents a part of the term counts more, because it
// explains little, so a proof may trade it for several plain ones.
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
