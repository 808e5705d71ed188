#include "engine/session/task_state.h"

namespace marquetry::session {

namespace {

/// Lines kept; older ones leave (their numbers show it).
constexpr std::size_t kMostLogLines = 5000;

} // namespace

void Log::add(std::string text, LineKind kind) {
    lines_.push_back({++added_, std::move(text), kind});
    if (lines_.size() > kMostLogLines)
        lines_.erase(lines_.begin());
    picture_.reset();
}

void Log::addReason(const std::string& what, const Diagnostic& reason, LineKind kind) {
    add(what + ": " + reason.message + " [" + reason.code + "]", kind);
}

SharedList<LogLine> Log::lines() {
    if (!picture_)
        picture_ = lines_;
    return *picture_;
}

} // namespace marquetry::session
