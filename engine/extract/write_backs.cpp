#include "engine/extract/write_backs.h"

#include <algorithm>
#include <limits>

namespace marquetry::extract {

std::int64_t WriteBacks::lanes(std::int64_t parallel) const {
    return scales ? cost::writeLanes(parallel, leastWords) : parallel;
}

double WriteBacks::dsp(std::int64_t parallel) const {
    return scales ? static_cast<double>(lanes(parallel) * cost::laneDsp(units)) : 0;
}

double WriteBacks::passDsp() const {
    return scales ? static_cast<double>(passLanes * cost::laneDsp(passes)) : 0;
}

double WriteBacks::allPassesDsp() const {
    return passDsp() * static_cast<double>(passUnits);
}

std::optional<design::WriteBack> WriteBacks::of(bool pass, std::int64_t parallel) const {
    if (!scales)
        return std::nullopt;
    design::WriteBack writeBack;
    writeBack.lanes = pass ? passLanes : lanes(parallel);
    writeBack.form = pass ? passes : units;
    return writeBack;
}

WriteBacks writeBacksOf(const rules::Lowered& lowered, const std::vector<CallInfo>& calls) {
    WriteBacks result;
    result.scales = lowered.plan.scales;
    result.passLanes = lowered.menu.lanes;
    if (!result.scales)
        return result;
    std::set<std::pair<ir::Scalar, design::LaneFunction>> passes;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t c = 0; c < calls.size(); ++c) {
        if (!calls[c].pass)
            least = std::min(least, calls[c].reductionWords);
        else if (!calls[c].ownPass)
            passes.insert({lowered.calls[c].shape.operand, calls[c].laneFunction});
    }
    result.leastWords = least;
    result.passUnits = std::ssize(passes);
    result.units = design::writeBackForm(*lowered.program, lowered.plan, false);
    result.passes = design::writeBackForm(*lowered.program, lowered.plan, true);
    return result;
}

} // namespace marquetry::extract
