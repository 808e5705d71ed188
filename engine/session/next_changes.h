// The search for the best change to try next: which settings are tried, and each of them explored.
//
// Tried are, one at a time and from the settings as they are: more, all, and half of the DSP
// blocks; other limits given up; rule groups that are off switched on, and overlap, streams and
// sharing switched off; the other objective; runs of several frames or of one; costs of the
// hardware instead of published ones; the search by pools; the shipped devices next in size, with
// their own limits. The order is always the same, and so are the figures, unless a limit of time
// ended a search.
// Errors: none; why a change has no design is part of its answer. Cancel: through the stop_token,
// within 50 ms of work. Complexity: an exploration for each change; changesToTry() explores
// nothing. Thread rule: pure; a ChangeTrial belongs to one thread.
#pragma once

#include "engine/session/explore.h"
#include "engine/session/exploring.h"
#include "engine/session/next_change.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace marquetry::session {

/// Of a design found with these settings; empty where the device is not known any more.
std::vector<ChangeToTry> changesToTry(const Settings& now, const design::Design& design);

ChangeFigures figuresOf(const design::Design& design, bool outOfTime);

/// In its place by gain; of equals the fewest DSP blocks first, then in the order of trying.
void insertByGain(NextChanges& changes, NextChange tried);

/// The exploration of one change, piece by piece.
class ChangeTrial {
public:
    /// `progress` is called within long work.
    ChangeTrial(
        std::shared_ptr<const ir::Program> program, ChangeToTry change,
        const std::vector<design::Pin>& pins, std::function<void()> progress = [] {});

    bool over() const { return !exploring_ || exploring_->over(); }
    /// A piece of the exploration; one that was stopped is due again. Requires !over().
    void work(std::stop_token stop) { exploring_->work(std::move(stop)); }
    /// Once it is over.
    NextChange answer() const;

private:
    ChangeToTry change_;
    Diagnostics problem_;
    std::unique_ptr<Exploring> exploring_;
};

/// All of them, one after the other: of an exploration that has a design.
NextChanges nextChanges(const Exploration& found, const std::stop_token& stop = {});

} // namespace marquetry::session
