#include "engine/extract/widths.h"

#include "engine/extract/ranking.h"

#include <algorithm>

namespace marquetry::extract {

namespace {

using design::DesignPoint;

/// Of a bound that was divided by a number of frames.
constexpr double kDivisionError = 1e-12;

double framesOf(const ExtractResult& result, const ExtractParams& params) {
    return static_cast<double>(result.design ? result.design->frames : params.frames.value_or(1));
}

/// No design of the width is faster: cycles of a frame.
double boundOfWidth(const ExtractResult& result, const ExtractParams& params) {
    return (result.design ? result.lowerBound : result.openBound) / framesOf(result, params);
}

std::size_t bestOf(const std::vector<ExtractResult>& byWidth, const ExtractParams& params) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < byWidth.size(); ++k)
        if (byWidth[k].design &&
            (!byWidth[best].design || better(*byWidth[k].design, *byWidth[best].design, params)))
            best = k;
    return best;
}

std::vector<DesignPoint> allPoints(const std::vector<ExtractResult>& byWidth) {
    std::vector<DesignPoint> points;
    for (const ExtractResult& result : byWidth)
        for (const DesignPoint& point : result.points) {
            const auto same = [&](const DesignPoint& other) {
                const bool elsewhere =
                    other.lanes != point.lanes || other.groupedChannels != point.groupedChannels;
                return elsewhere && other.feasible == point.feasible &&
                       other.cyclesPerFrame() == point.cyclesPerFrame() &&
                       other.resources == point.resources;
            };
            if (std::ranges::none_of(points, same))
                points.push_back(point);
        }
    std::ranges::stable_sort(points, {}, &DesignPoint::cyclesPerFrame);
    markFront(points);
    return points;
}

/// The best is proven where no other width can have a faster one.
void setBound(ExtractResult& best, double bound, const ExtractParams& params) {
    const double cycles = static_cast<double>(best.design->cycles);
    best.lowerBound = std::min(best.lowerBound, bound * static_cast<double>(best.design->frames));
    best.gap = cycles > 0 ? (cycles - best.lowerBound) / cycles : 0;
    if (wantsSpeed(params.objective) && best.status == ExtractStatus::Optimal &&
        best.gap > kDivisionError)
        best.status = ExtractStatus::Feasible;
}

} // namespace

ExtractResult mergedWidths(std::vector<ExtractResult> byWidth, const ExtractParams& params) {
    const std::size_t at = bestOf(byWidth, params);
    std::vector<DesignPoint> points = allPoints(byWidth);
    ExtractResult best = std::move(byWidth[at]);
    double bound = boundOfWidth(best, params);
    for (std::size_t k = 0; k < byWidth.size(); ++k) {
        if (k == at)
            continue;
        const ExtractResult& other = byWidth[k];
        bound = std::min(bound, boundOfWidth(other, params));
        best.milliseconds += other.milliseconds;
        best.bufferMilliseconds += other.bufferMilliseconds;
        best.poolsTried += other.poolsTried;
        best.outOfTime = best.outOfTime || other.outOfTime;
        best.blocked.insert(best.blocked.end(), other.blocked.begin(), other.blocked.end());
        if (other.status == ExtractStatus::Cancelled && !best.design)
            best.status = ExtractStatus::Cancelled;
    }
    best.points = std::move(points);
    best.openBound = std::min(best.openBound, bound * framesOf(best, params));
    if (best.design)
        setBound(best, bound, params);
    return best;
}

} // namespace marquetry::extract
