#include "engine/artefact/stream_timing.h"

#include "engine/cost/clock_cells.h"
#include "engine/cost/clock_estimate.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

/// From a limit of paths that a loop or a memory does not allow to the next one that is tried.
constexpr double kNextLimit = 1.08;

Result<datapath::SharedDatapath> usualOf(const StreamExportRequest& request, std::stop_token stop) {
    if (request.timed)
        return request.timed;
    datapath::DatapathParams params;
    params.deadline = request.deadline;
    return datapath::makeDatapath(request.circuit, params, std::move(stop));
}

} // namespace

Result<datapath::SharedDatapath> timedForClock(const StreamExportRequest& request,
                                               std::stop_token stop) {
    auto best = usualOf(request, stop);
    if (!best || !cost::clockCells(request.device.family))
        return best;
    const double wanted = cost::kernelWithin(request.device.family, request.device.clockMhz);
    const double usual = (*best)->pathDelay;
    if (usual <= wanted)
        return best;
    datapath::DatapathParams params;
    params.deadline = request.deadline;
    params.pathLimit = std::max(wanted, datapath::kLeastPathLimit);
    for (; params.pathLimit < usual; params.pathLimit *= kNextLimit) {
        auto faster = datapath::makeDatapath(request.circuit, params, stop);
        if (!faster)
            return faster;
        const bool ended = !(*faster)->complete;
        if ((*faster)->pathDelay < (*best)->pathDelay)
            best = *std::move(faster);
        if (ended || (*best)->pathDelay <= params.pathLimit)
            break;
    }
    return best;
}

} // namespace marquetry::hdl
