// Delay matching with the fewest bits of registers (background/aetherling.md, "Matching delays":
// the published system matches greedily, here it is exact).
//
// A value that is ready after t clocks is read by users that start at later clocks. One chain of
// registers serves all of them and is as long as the latest needs it. The starts of all operators
// are chosen so that the whole has its least delay and, under that, the chains have the fewest
// bits. This is a linear programme with an integral optimum (its dual is a flow). It is solved for
// each function once, inner ones first. Constants and counters start when they are needed, without
// registers.
//
// Errors: those of the delays (a reduce function with a delay). Complexity: one linear programme
// with a variable for each node and each chain. Thread rule: pure.
#pragma once

#include "engine/spacetime/delay.h"

#include <stop_token>

namespace marquetry::spacetime {

/// The same program with fifos, so that operands meet everywhere under the model of our hardware.
Result<Graph> matchDelays(const Graph& graph, std::stop_token stop = {});
/// Of the function of a scan: the state comes when it is needed (StateTiming).
Result<Graph> matchScanned(const Graph& function, std::stop_token stop = {});

} // namespace marquetry::spacetime
