#include "engine/extract/extract.h"

#include "engine/extract/pool_extraction.h"
#include "engine/extract/streamed_extraction.h"

namespace marquetry::extract {

const char* toString(ExtractStatus status) {
    switch (status) {
    case ExtractStatus::Optimal:
        return "optimal";
    case ExtractStatus::Feasible:
        return "feasible";
    case ExtractStatus::Infeasible:
        return "infeasible";
    case ExtractStatus::Cancelled:
        return "cancelled";
    }
    return "infeasible";
}

Result<ExtractResult> extract(const rules::Lowered& lowered, const ExtractParams& params,
                              std::stop_token stop) {
    if (params.model == design::CostModel::Cycles && !lowered.menu.streams.empty())
        return extractStreamed(lowered, params, std::move(stop));
    auto found = extractFromPools(lowered, params, nullptr, std::move(stop));
    if (!found)
        return found.error();
    return std::move(found->result);
}

Result<std::shared_ptr<const design::Design>> extractPoint(const rules::Lowered& lowered,
                                                           const ExtractParams& params,
                                                           const design::DesignPoint& point,
                                                           std::stop_token stop) {
    ExtractParams narrowed = params;
    narrowed.limits.dsp = point.resources.dsp;
    auto result = extract(lowered, narrowed, std::move(stop));
    if (!result)
        return result.error();
    if (result->design)
        return result->design;
    if (!result->infeasible.empty())
        return result->infeasible;
    return makeError("extraction-stopped", "extraction was stopped before it found a design",
                     "run again");
}

} // namespace marquetry::extract
