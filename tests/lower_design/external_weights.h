// Weights of any schedule moved to external memory, for property tests.
#pragma once

#include "engine/design/schedule.h"
#include "engine/support/rng.h"

namespace marquetry::test {

/// Makes the weights of some calls external, at random, with rings as short as they may be or
/// longer, behind a port of any width, rate and latency. How many calls.
int makeExternal(design::Schedule& schedule, SplitMix64& rng);

} // namespace marquetry::test
