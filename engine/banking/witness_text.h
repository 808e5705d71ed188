// Which counters and unknown values a witness of a conflict speaks about, for its text. Thread
// rule: pure.
#pragma once

#include "engine/banking/conflict.h"

namespace marquetry::banking {

/// Whether the witness speaks of the generator: a counter, or an unknown value that its lanes use.
bool concerns(const Witness& witness, const Pattern& pattern, std::size_t generator);

} // namespace marquetry::banking
