#include "engine/datapath/make_datapath.h"

#include "engine/datapath/narrow.h"
#include "engine/support/limits.h"

namespace marquetry::datapath {

Result<SharedDatapath> makeDatapath(const spacetime::Graph& circuit, const DatapathParams& params,
                                    std::stop_token stop) {
    auto datapath = lowerDatapath(circuit, params.rearranging, stop);
    if (!datapath)
        return datapath.error();
    const std::int64_t cells = std::ssize(datapath->cells);
    if (params.mostEstimated && cells > *params.mostEstimated)
        return tooLarge("to be estimated, the datapath has", cells, *params.mostEstimated, "words",
                        "export and synthesise it, or ask for a lower throughput");
    if (params.narrowed)
        narrow(*datapath, params.narrowed->input, params.narrowed->output);
    auto timed =
        timeDatapath(*std::move(datapath), std::move(stop), params.deadline, params.pathLimit);
    if (!timed)
        return timed.error();
    return std::make_shared<const TimedDatapath>(*std::move(timed));
}

} // namespace marquetry::datapath
