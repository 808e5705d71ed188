// The designs of the plot that a DesignTask has at hand instead of the best.
#include "engine/session/design_task.h"

#include <algorithm>

namespace marquetry::session {

namespace {

PickedDesign nameOf(const design::DesignPoint& point) {
    return {point.cycles, point.frames, point.resources,
            point.label,  point.lanes,  point.groupedChannels};
}

} // namespace

Status DesignTask::choosePoint(const design::DesignPoint& point) {
    const Status chosen = questions_.choose(point, explorer_.found());
    if (chosen)
        shared_.choices.pick(nameOf(point));
    return chosen;
}

/// What was found stays. A search that is due or under way ends with the design that is wanted.
void DesignTask::pickChanged() {
    if (!loaded() || !searched() || extractDue_ || saturating())
        return;
    if (shared_.choices.picked())
        return pickAgain();
    if (questions_.choosing())
        questions_.drop();
    if (!best_ || explorer_.found().design != chosen_)
        return;
    adopt(*best_);
    logDesign();
}

/// The design that was chosen is wanted at hand again, if it is among those found.
void DesignTask::pickAgain() {
    const auto& picked = shared_.choices.picked();
    if (!picked)
        return;
    const std::vector<design::DesignPoint>& points = explorer_.found().points;
    const auto point = std::ranges::find_if(
        points, [&](const design::DesignPoint& each) { return nameOf(each) == *picked; });
    if (point != points.end() && questions_.choose(*point, explorer_.found()))
        return;
    shared_.log.add("the design that was chosen is not among those found: the best is at hand");
    shared_.choices.dropPick();
}

/// Another search looks for the best.
void DesignTask::leavePick() {
    if (chosen_ && explorer_.found().design == chosen_)
        shared_.choices.dropPick();
}

} // namespace marquetry::session
