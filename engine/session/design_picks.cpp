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
    if (!chosen)
        return chosen;
    shared_.choices.pick(nameOf(point));
    pickAwaited_ = false;
    return ok();
}

/// What was found stays. A search that is due or under way ends with the design that is wanted.
void DesignTask::pickChanged() {
    pickAwaited_ = shared_.choices.picked().has_value();
    if (!loaded() || !searched() || extractDue_ || saturating())
        return;
    if (shared_.choices.picked())
        return pickAgain();
    if (questions_.choosing())
        questions_.drop();
    takeBest();
}

/// The e-graph holds all that it will, and its designs were looked at.
bool DesignTask::searchOver() const {
    return mode_ == Mode::Ready && found_ == Found::Current &&
           explorer_.outcome() != egraph::StopReason::Cancelled;
}

/// The design that was chosen is wanted at hand again, if it is among those found. A search that
/// has not ended may find it yet.
void DesignTask::pickAgain() {
    const auto& picked = shared_.choices.picked();
    if (!picked)
        return;
    if (pickAtHand() && picked == chosenName_) {
        pickAwaited_ = pickAwaited_ && !searchOver();
        return;
    }
    const std::vector<design::DesignPoint>& points = explorer_.found().points;
    const auto point = std::ranges::find_if(
        points, [&](const design::DesignPoint& each) { return nameOf(each) == *picked; });
    if (point != points.end() && questions_.choose(*point, explorer_.found()))
        return;
    takeBest();
    if (!searchOver())
        return;
    shared_.log.add("the design that was chosen is not among those found: the best is at hand");
    dropPick();
}

/// Another search looks for the best, unless what was chosen has still to be found by it.
void DesignTask::leavePick() {
    if (pickAwaited_)
        return;
    if (questions_.choosing())
        questions_.drop();
    takeBest();
    dropPick();
}

/// What was chosen cannot be had: what is at hand is all there is.
void DesignTask::dropPick() {
    pickAwaited_ = false;
    shared_.choices.settlePick(pickAtHand() ? chosenName_ : std::nullopt);
}

/// Instead of the design that was chosen, if that is at hand.
void DesignTask::takeBest() {
    if (!best_ || !pickAtHand())
        return;
    adopt(*best_);
    logDesign();
}

} // namespace marquetry::session
