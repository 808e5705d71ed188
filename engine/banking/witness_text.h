// What a witness says: which unknown values of its nest it is about. Thread rule: pure.
#pragma once

#include "engine/banking/conflict.h"

namespace marquetry::banking {

/// Whether the witness speaks of the generator: a counter, or an unknown value that its lanes use.
bool concerns(const Witness& witness, const Pattern& pattern, std::size_t generator);

} // namespace marquetry::banking
