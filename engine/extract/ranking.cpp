#include "engine/extract/ranking.h"

#include <algorithm>
#include <numeric>

namespace marquetry::extract {

namespace {

/// Area: the largest fraction in use, then the sum of the fractions.
std::pair<double, double> areaOf(const device::Resources& used, const device::Resources& limit) {
    const auto share = [](double a, double b) { return b > 0 ? a / b : 0.0; };
    const double shares[] = {share(used.dsp, limit.dsp), share(used.bram, limit.bram),
                             share(used.lut, limit.lut), share(used.ff, limit.ff)};
    return {std::ranges::max(shares), std::accumulate(std::begin(shares), std::end(shares), 0.0)};
}

} // namespace

bool isAt(const design::Design& design, const design::DesignPoint& point) {
    return design.cycles == point.cycles && design.frames == point.frames &&
           design.resources == point.resources;
}

bool better(const design::Design& a, const design::Design& b, const ExtractParams& params) {
    if (params.wanted && isAt(a, *params.wanted) != isAt(b, *params.wanted))
        return isAt(a, *params.wanted);
    if (params.objective == Objective::Area) {
        const auto areaA = areaOf(a.resources, params.limits);
        const auto areaB = areaOf(b.resources, params.limits);
        if (areaA != areaB)
            return areaA < areaB;
        return a.cycles < b.cycles;
    }
    if (a.cyclesPerFrame() != b.cyclesPerFrame())
        return a.cyclesPerFrame() < b.cyclesPerFrame();
    return a.resources.dsp < b.resources.dsp;
}

void markFront(std::vector<design::DesignPoint>& points) {
    for (design::DesignPoint& point : points) {
        point.onFront = point.feasible;
        for (const design::DesignPoint& other : points) {
            if (!other.feasible || &other == &point)
                continue;
            const bool covers = other.cyclesPerFrame() <= point.cyclesPerFrame() &&
                                other.resources.fits(point.resources);
            const bool strictly = other.cyclesPerFrame() < point.cyclesPerFrame() ||
                                  !(other.resources == point.resources);
            if (covers && strictly)
                point.onFront = false;
        }
    }
}

} // namespace marquetry::extract
