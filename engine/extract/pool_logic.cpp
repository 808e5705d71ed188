#include "engine/extract/pool_logic.h"

#include <algorithm>
#include <limits>

namespace marquetry::extract {

namespace {

using device::Resources;

constexpr double Resources::*kLogic[] = {&Resources::lut, &Resources::ff, &Resources::bram};

/// Sums are taken in different orders.
constexpr double kRounding = 1e-9;

} // namespace

PoolLogic::PoolLogic(const PoolProblem& problem, const WayChoice& ways)
    : ways_(ways), limit_(problem.logicLimit) {
    limit_.dsp = std::numeric_limits<double>::infinity();
    for (const auto resource : kLogic)
        limit_.*resource += kRounding * limit_.*resource;
    spans_.resize(problem.demands.size());
    for (std::size_t d = 0; d < spans_.size(); ++d) {
        if (ways[d] == kOnMultipliers)
            continue;
        spans_[d] = spanOf(problem.demands[d], ways[d]);
        least_ += spans_[d].least;
        most_ += spans_[d].most;
    }
    double scarcest = 0;
    for (const auto resource : kLogic)
        if (most_.*resource > scarcest * limit_.*resource) {
            scarcest = most_.*resource / limit_.*resource;
            scarcest_ = resource;
        }
}

PoolLogic::Span PoolLogic::spanOf(const CallDemand& demand, Ways ways) const {
    Span span;
    bool first = (ways & kOnMultipliers) == 0;
    for (const PrivateOption& option : demand.options) {
        if (option.way == 0 || (ways & wayBit(option.way)) == 0)
            continue;
        for (const auto resource : kLogic) {
            const double takes = option.logic.*resource;
            span.least.*resource = first ? takes : std::min(span.least.*resource, takes);
            span.most.*resource = first ? takes : std::max(span.most.*resource, takes);
        }
        first = false;
    }
    return span;
}

bool PoolLogic::allows(std::size_t demand, const PrivateOption& option) const {
    if ((ways_[demand] & wayBit(option.way)) == 0)
        return false;
    if (option.way == 0)
        return true;
    for (const auto resource : kLogic)
        if (least_.*resource - spans_[demand].least.*resource + option.logic.*resource >
            limit_.*resource)
            return false;
    return true;
}

double PoolLogic::share(const Resources& logic) const {
    const double limit = limit_.*scarcest_;
    return limit > 0 ? logic.*scarcest_ / limit : logic.*scarcest_;
}

std::size_t PoolLogic::widest() const {
    const auto width = [this](const Span& span) { return share(span.most) - share(span.least); };
    return static_cast<std::size_t>(std::ranges::max_element(spans_, {}, width) - spans_.begin());
}

} // namespace marquetry::extract
