#include "engine/session/task_state.h"

namespace marquetry::session {

namespace {

/// Lines kept; older ones leave (their numbers show it).
constexpr std::size_t kMostLogLines = 5000;

} // namespace

void Log::add(std::string text) {
    lines_.push_back({++added_, std::move(text)});
    if (lines_.size() > kMostLogLines)
        lines_.erase(lines_.begin());
    picture_.reset();
}

void Log::addReason(const std::string& what, const Diagnostic& reason) {
    add(what + ": " + reason.message + " [" + reason.code + "]");
}

SharedList<LogLine> Log::lines() {
    if (!picture_)
        picture_ = lines_;
    return *picture_;
}

} // namespace marquetry::session
