// The datapath that a stream is exported with.
//
// It is the one by which the circuit was priced, unless the device's clock is not met by estimate
// then: more registers take more area and steps of latency. Where no registers meet the clock, it
// has those that come nearest. Errors and complexity: those of datapath::makeDatapath, at most
// eight times. Thread rule: pure.
#pragma once

#include "engine/artefact/stream_artefact.h"

namespace marquetry::hdl {

Result<datapath::SharedDatapath> timedForClock(const StreamExportRequest& request,
                                               std::stop_token stop);

} // namespace marquetry::hdl
