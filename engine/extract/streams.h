// Stream units in extraction: which calls may be streamed, at what price, and the choice among them
// (rules/streaming.h, cost/stream_unit.h).
//
// A stream unit serves one call. It takes LUTs and no DSP blocks, and LUTs are not counted by the
// pool search. Which calls are streamed, and how fast, is therefore chosen outside of the pool
// search. Each such choice is a plan (stream_plans.h). It is put to the pool search with the times
// of its streamed calls given, and the best design of all plans is the answer. The lower bound is
// the least of the plans' bounds and of what the plans that were left out could reach. A plan whose
// units alone break a limit has no design.
// Thread rule: reads the e-graph, which must be clean.
#pragma once

#include "engine/cost/stream_unit.h"
#include "engine/device/device.h"
#include "engine/rules/lowering.h"

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace marquetry::extract {

/// One way to stream one call.
struct StreamOption {
    std::size_t call = 0;
    std::string term;        ///< "Stream[c1, 1/2]"
    egraph::EClassId eclass; ///< of the unit
    egraph::ENodeId unit;
    egraph::ENodeId streamed; ///< the call without its weight
    std::int64_t interval = 1;
    std::int64_t parallel = 1;
    std::int64_t latency = 0;
    std::int64_t cycles = 0; ///< of the call
    device::Resources resources;
    std::int64_t products = 0;
};

/// Circuits of one program's convolutions, once made, by the convolution; nullopt where there is
/// none. Belongs to one thread.
struct StreamCircuits {
    std::map<ir::ValueId, std::optional<cost::StreamCircuit>> byAnchor;
};

/// Every option of the e-graph that the device has, by call, fastest first. Weights that cannot be
/// read leave their call out: whoever needs them says so. About a second per call whose circuit is
/// not in `known`, which gets it.
std::vector<StreamOption> streamOptions(const rules::Lowered& lowered, const device::Device& device,
                                        StreamCircuits& known, std::stop_token stop);

/// Of each call its option, or null.
using StreamPlan = std::vector<const StreamOption*>;

} // namespace marquetry::extract
