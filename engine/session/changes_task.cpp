#include "engine/session/changes_task.h"

#include <utility>

namespace marquetry::session {

Due ChangesTask::due() const {
    const bool ahead =
        current() ? !changes_->complete() : designs_.ended() && designs_.best().design != givenUp_;
    if (!wanted_ || !designs_.loaded() || !ahead)
        return {};
    return {Work::Try, false, true, "trying changes of the settings", "the change was tried"};
}

/// They are of what the session has now.
bool ChangesTask::current() const {
    return changes_ && program_ == designs_.explorer().program() &&
           design_ == designs_.best().design && changes_->settings == shared_.choices.settings() &&
           pins_ == shared_.choices.pins();
}

void ChangesTask::work(std::stop_token stop) {
    if (!current())
        return begin();
    if (!trial_)
        trial_.emplace(program_, left_.front(), pins_, shared_.progress);
    if (!trial_->over())
        trial_->work(stop);
    if (trial_->over() && !stop.stop_requested())
        answer(trial_->answer());
}

void ChangesTask::begin() {
    const extract::ExtractResult& found = designs_.best();
    auto begun = std::make_shared<NextChanges>();
    begun->settings = shared_.choices.settings();
    begun->now = figuresOf(*found.design, designs_.outOfTime());
    const std::vector<ChangeToTry> candidates = changesToTry(begun->settings, *found.design);
    begun->toTry = candidates.size();
    trial_.reset();
    left_.assign(candidates.begin(), candidates.end());
    pins_ = shared_.choices.pins();
    program_ = designs_.explorer().program();
    design_ = found.design;
    changes_ = std::move(begun);
    shared_.news = true;
}

void ChangesTask::answer(NextChange tried) {
    auto more = std::make_shared<NextChanges>(*changes_);
    insertByGain(*more, std::move(tried));
    changes_ = std::move(more);
    trial_.reset();
    left_.pop_front();
    shared_.news = true;
}

std::optional<Status> ChangesTask::apply(const Command& command) {
    if (const auto* ask = std::get_if<AskChanges>(&command))
        wanted_ = ask->wanted;
    else if (const auto* end = std::get_if<StopChanges>(&command))
        stop(end->stopped);
    else
        return std::nullopt;
    return ok();
}

void ChangesTask::stop(bool stopped) {
    if (!current() || left_.empty())
        return;
    auto changes = std::make_shared<NextChanges>(*changes_);
    changes->stopped = stopped;
    changes_ = std::move(changes);
    trial_.reset();
}

void ChangesTask::fail(const Diagnostic& reason) {
    if (!current() || left_.empty())
        return giveUp();
    trial_.reset(); // its memory may be what there was none of
    answer({left_.front(), std::nullopt, {reason}});
}

void ChangesTask::giveUp() noexcept {
    givenUp_ = designs_.best().design;
    trial_.reset();
    left_.clear();
    changes_.reset();
}

void ChangesTask::show(Snapshot& snapshot) {
    if (!current()) {
        trial_.reset(); // of what nobody wants any more
        return;
    }
    snapshot.changes = changes_;
}

} // namespace marquetry::session
