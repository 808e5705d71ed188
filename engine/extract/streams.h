// Stream units in extraction: which calls may be streamed, at what price, and what pins say of it
// (rules/streaming.h, cost/stream_unit.h).
//
// A stream unit serves one call. It takes LUTs and no DSP blocks. To the pool search (pool.h) it is
// a private option of its call that takes logic of a limit of its own. Pins that name stream units
// say which ways a call may go.
// Thread rule: reads the e-graph, which must be clean.
#pragma once

#include "engine/cost/stream_unit.h"
#include "engine/design/pin.h"
#include "engine/device/device.h"
#include "engine/extract/pool.h"
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
    int way = 1;             ///< of its call (Ways)
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

/// The stream units that calls may have, and the ways that each call may go.
struct StreamedCalls {
    std::vector<StreamOption> options; ///< all of them, also those that `ways` forbids
    WayChoice ways;                    ///< by call; 0: pins forbid every way

    /// The one of a call's way; the way must be one.
    const StreamOption& option(std::size_t call, int way) const;
};

/// What pins say of stream units.
struct StreamPins {
    std::vector<design::Pin> forced; ///< that ask for one
    std::vector<design::Pin> others; ///< that name none
    bool unmet = false;              ///< no choice meets them: a stream unit serves one call
    StreamedCalls calls;
};

/// Takes the pins that name options out of the others.
StreamPins applyStreamPins(const rules::Lowered& lowered, std::vector<StreamOption> options,
                           const std::vector<design::Pin>& pins);

} // namespace marquetry::extract
