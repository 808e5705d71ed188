#include "engine/extract/extract.h"

#include "engine/design/batch.h"
#include "engine/extract/pool_extraction.h"
#include "engine/extract/ranking.h"
#include "engine/extract/streamed_extraction.h"
#include "engine/extract/throughput.h"

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

namespace {

Status checkFrames(const rules::Lowered& lowered, const ExtractParams& params) {
    const std::int64_t frames = params.frames.value_or(1);
    if (frames < 1 || frames > design::kMostFrames)
        return makeError("option-value",
                         "a run of " + std::to_string(frames) + " frames is not to be had",
                         "a batch is 1 to " + std::to_string(design::kMostFrames) + " frames");
    if (frames == 1)
        return ok();
    if (params.model != design::CostModel::Cycles)
        return makeError("option-value", "the published cost models know runs of one frame only",
                         "leave out the batch, or take --cost cycles");
    if (const std::string why = whyOneFrameInARun(lowered); !why.empty())
        return makeError("batch-one", "runs of the program take one frame: " + why,
                         "leave out the batch, or have the rule group overlap in force: where some "
                         "calls can be joined, frames may be in flight");
    if (const std::int64_t most = mostFrames(lowered); frames > most)
        return makeError("batch-long",
                         "the frames of a run of the program come one by one, and " +
                             std::to_string(frames) + " of them have too many steps",
                         "a batch of this program is at most " + std::to_string(most) + " frames");
    return ok();
}

/// One frame, or frames in flight, of which each circuit works on one.
bool mayStream(const rules::Lowered& lowered, const ExtractParams& params) {
    const bool inFlight = std::ranges::find(lowered.joinable, true) != lowered.joinable.end() &&
                          wantsSpeed(params.objective) && params.method != SearchMethod::Milp;
    return params.frames.value_or(1) == 1 || inFlight;
}

} // namespace

Result<ExtractResult> extract(const rules::Lowered& lowered, const ExtractParams& params,
                              std::stop_token stop) {
    if (const Status frames = checkFrames(lowered, params); !frames)
        return frames.error();
    if (params.objective == Objective::Throughput && !params.frames &&
        params.model == design::CostModel::Cycles)
        return extractThroughput(lowered, params, std::move(stop));
    if (params.model == design::CostModel::Cycles && !lowered.menu.streams.empty() &&
        mayStream(lowered, params))
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
    narrowed.frames = point.frames;
    narrowed.wanted = point;
    auto result = extract(lowered, narrowed, stop);
    // The search may price a unit above the blocks that it has in the end.
    if (result && !(result->design && isAt(*result->design, point)) && !stop.stop_requested()) {
        narrowed.limits = params.limits;
        auto wider = extract(lowered, narrowed, stop);
        if (wider && wider->design && (!result->design || isAt(*wider->design, point)))
            result = std::move(wider);
    }
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
