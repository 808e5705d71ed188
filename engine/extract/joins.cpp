#include "engine/extract/joins.h"

#include "engine/design/cycle_model.h"
#include "engine/design/join.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace marquetry::extract {

namespace {

using design::ComputeStep;
using design::Schedule;

/// By call: the index of its last step.
std::vector<std::size_t> stepsOfCalls(const Schedule& schedule) {
    std::vector<std::size_t> last;
    std::map<std::string, std::size_t> calls;
    for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
        const std::string* layer = design::layerOf(schedule.steps[s]);
        if (layer == nullptr)
            continue;
        const auto [call, fresh] = calls.try_emplace(*layer, last.size());
        if (fresh)
            last.push_back(s);
        last[call->second] = s;
    }
    return last;
}

/// Of joining a call to the one before, or to the load of its input: that one's cycles less the
/// delay.
std::int64_t savingOf(const Schedule& sequential, std::size_t writerStep, std::size_t readerStep) {
    const design::Step& writer = sequential.steps[writerStep];
    const auto& reader = std::get<ComputeStep>(sequential.steps[readerStep]);
    const auto* call = std::get_if<ComputeStep>(&writer);
    if ((call != nullptr && call->unit == reader.unit) || !design::canBeJoined(sequential, reader))
        return 0;
    return design::cyclesAlone(sequential, writer) - design::joinDelay(sequential, writer, reader);
}

void forget(std::vector<bool>& joined, const std::vector<std::int64_t>& savings) {
    std::optional<std::size_t> least;
    for (std::size_t k = 0; k < joined.size(); ++k)
        if (joined[k] && (!least || savings[k] < savings[*least]))
            least = k;
    joined[*least] = false;
}

} // namespace

std::vector<std::int64_t> joinSavings(const Schedule& sequential,
                                      const std::vector<bool>& joinable) {
    std::vector<std::int64_t> savings(joinable.size(), 0);
    const std::vector<std::size_t> steps = stepsOfCalls(sequential);
    for (std::size_t k = 0; k < joinable.size(); ++k)
        if (joinable[k])
            savings[k] = std::max<std::int64_t>(
                0, savingOf(sequential, k > 0 ? steps[k - 1] : steps[k] - 1, steps[k]));
    return savings;
}

std::vector<bool> bestJoins(const std::vector<std::int64_t>& savings) {
    std::vector<std::int64_t> best(savings.size() + 1, 0); // of the first k calls
    const auto before = [](std::size_t k) { return std::max<std::size_t>(k, 2) - 2; };
    for (std::size_t k = 1; k <= savings.size(); ++k)
        best[k] = std::max(best[k - 1], best[before(k)] + savings[k - 1]);
    std::vector<bool> joined(savings.size(), false);
    for (std::size_t k = savings.size(); k >= 1;) {
        joined[k - 1] = best[k] > best[k - 1];
        k = joined[k - 1] ? before(k) : k - 1;
    }
    return joined;
}

JoinedSchedule joinCalls(design::ScheduleRequest request, Schedule sequential,
                         const std::vector<bool>& joinable,
                         const std::function<bool(const Schedule&)>& fits) {
    const std::vector<std::int64_t> savings = joinSavings(sequential, joinable);
    request.joined = bestJoins(savings);
    JoinedSchedule result{std::move(sequential), std::vector<std::int64_t>(joinable.size(), 0)};
    const std::vector<std::size_t> steps = stepsOfCalls(result.schedule);
    while (std::ranges::find(request.joined, true) != request.joined.end()) {
        Schedule joined = design::buildSchedule(request);
        bool apart = true;
        for (std::size_t k = 0; k < joinable.size() && apart; ++k)
            if (request.joined[k] && !design::mayOverlap(joined, steps[k])) {
                request.joined[k] = false;
                apart = false;
            }
        if (!apart)
            continue;
        if (!fits(joined)) {
            forget(request.joined, savings);
            continue;
        }
        for (std::size_t k = 0; k < joinable.size(); ++k)
            if (request.joined[k])
                result.overlap[k] = savings[k];
        result.schedule = std::move(joined);
        break;
    }
    return result;
}

} // namespace marquetry::extract
