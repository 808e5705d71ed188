#include "engine/extract/write_backs.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace marquetry::extract {

std::int64_t WriteBacks::leastWords(std::int64_t span) const {
    std::int64_t least = leastLaneWords;
    for (const cost::WindowWords& window : windows)
        least = std::min(least, window.all(span));
    return least;
}

std::vector<std::int64_t> WriteBacks::choices(std::int64_t parallel, std::int64_t span) const {
    const std::int64_t most = std::gcd(parallel, passLanes); // a power of two
    if (!scales)
        return {most};
    const std::int64_t least = leastWords(span);
    std::vector<std::int64_t> choices = {1};
    while (choices.back() < most && choices.back() * least < parallel)
        choices.push_back(2 * choices.back());
    return choices;
}

double WriteBacks::dsp(std::int64_t lanes) const {
    return scales ? static_cast<double>(lanes * unitLane) : 0;
}

std::int64_t WriteBacks::lanesOfPass(bool lanewise) const {
    return lanewise && scales ? cost::writeLanes(passLanes, leastWindow) : passLanes;
}

std::int64_t WriteBacks::groups(const CallInfo& call, std::int64_t parallel,
                                std::int64_t lanes) const {
    return call.pass ? passLanes / lanesOfPass(call.lanewise()) : parallel / lanes;
}

double WriteBacks::allPassesDsp() const {
    if (!scales)
        return 0;
    const std::int64_t all = passUnits * lanesOfPass(false) + poolUnits * lanesOfPass(true);
    return static_cast<double>(all * passLane);
}

std::optional<design::WriteBack> WriteBacks::of(bool pass, bool lanewise,
                                                std::int64_t lanes) const {
    if (!scales)
        return std::nullopt;
    design::WriteBack writeBack;
    writeBack.lanes = pass ? lanesOfPass(lanewise) : lanes;
    writeBack.form = pass ? passes : units;
    return writeBack;
}

WriteBacks WriteBacks::least() const {
    WriteBacks least = *this;
    least.unitLane = leastUnitLane;
    least.passLane = leastPassLane;
    return least;
}

namespace {

/// A unit has what some of its calls need at least, and that is no less than of one alone.
void priceLanes(const rules::Lowered& lowered, const std::vector<CallInfo>& calls,
                WriteBacks& result) {
    result.unitLane = result.leastUnitLane = cost::laneDsp(result.units);
    result.passLane = result.leastPassLane = cost::laneDsp(result.passes);
    for (const CallInfo& call : calls) {
        const ir::Layer& layer = lowered.plan.layers[call.layer];
        if (call.isFixed() || !layer.unbuildable.empty())
            continue;
        std::int64_t& least = call.pass ? result.leastPassLane : result.leastUnitLane;
        least = std::min<std::int64_t>(
            least, cost::laneDsp(design::writeBackForm(*lowered.program, {&layer})));
    }
}

} // namespace

WriteBacks writeBacksOf(const rules::Lowered& lowered, const std::vector<CallInfo>& calls) {
    WriteBacks result;
    result.scales = lowered.plan.scales;
    result.passLanes = lowered.menu.lanes;
    if (!result.scales)
        return result;
    std::set<std::pair<ir::Scalar, design::LaneFunction>> passes;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t leastWindow = least;
    for (std::size_t c = 0; c < calls.size(); ++c) {
        if (!calls[c].pass && !calls[c].lanewise())
            result.windows.push_back(calls[c].window);
        else if (!calls[c].pass)
            least = std::min(least, calls[c].window.all(1));
        else if (calls[c].lanewise())
            leastWindow = std::min(leastWindow, calls[c].window.all(1));
        if (calls[c].pass && !calls[c].ownPass)
            passes.insert({lowered.calls[c].shape.operand, calls[c].laneFunction});
    }
    result.leastWindow = leastWindow;
    result.leastLaneWords = least;
    result.passUnits = std::ranges::count(passes, design::LaneFunction::None,
                                          &decltype(passes)::value_type::second);
    result.poolUnits = std::ssize(passes) - result.passUnits;
    result.units = design::writeBackForm(*lowered.program, lowered.plan, false);
    result.passes = design::writeBackForm(*lowered.program, lowered.plan, true);
    priceLanes(lowered, calls, result);
    return result;
}

} // namespace marquetry::extract
