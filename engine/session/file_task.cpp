#include "engine/session/file_task.h"

#include "engine/session/file_design.h"

#include <utility>

namespace marquetry::session {

Due FileTask::due() const {
    if (!reading())
        return {};
    return {Work::Extract, true, false, "reading the design of a file", "the file was read"};
}

void FileTask::work(std::stop_token stop) {
    auto read = readFileDesign(asked_->path, stop);
    if (stop.stop_requested())
        return; // what a search had found by then is not what the file means
    asked_->running = false;
    if (!read) {
        asked_->problem = read.error();
        return;
    }
    asked_->design = std::move(read->design);
    asked_->ledger = std::move(read->ledger);
    asked_->program = std::move(read->program);
    asked_->bound = read->bound;
    asked_->warnings = std::move(read->warnings);
}

bool FileTask::settle() {
    if (!reading())
        return false;
    fail(makeError("stopped", "the reading of " + asked_->path + " was stopped",
                   "choose the file again"));
    return true;
}

std::optional<Status> FileTask::apply(const Command& command) {
    const auto* ask = std::get_if<AskFile>(&command);
    if (!ask)
        return std::nullopt;
    asked_.reset();
    if (!ask->path.empty())
        asked_ = BesideFile{++questions_, ask->path};
    return ok();
}

void FileTask::fail(const Diagnostic& reason) {
    asked_->running = false;
    asked_->problem = {reason};
}

void FileTask::giveUp() noexcept {
    if (reading())
        asked_.reset();
}

void FileTask::show(Snapshot& snapshot) {
    snapshot.besideFile = asked_;
}

} // namespace marquetry::session
