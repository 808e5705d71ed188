#include "engine/support/unfinished.h"

#include "engine/support/file_system.h"

#include <chrono>
#include <mutex>
#include <set>
#include <utility>

namespace marquetry {

namespace {

struct Paths {
    std::mutex mutex;
    std::multiset<std::string> all;
};

// Never destroyed: a thread that ends the program may come after the destructors.
Paths& paths() {
    static Paths* const kept = new Paths();
    return *kept;
}

std::shared_timed_mutex& gate() {
    static std::shared_timed_mutex* const kept = new std::shared_timed_mutex();
    return *kept;
}

} // namespace

Unfinished::Unfinished(std::string path) : path_(std::move(path)) {
    const std::lock_guard lock(paths().mutex);
    paths().all.insert(path_);
}

Unfinished::~Unfinished() {
    if (path_.empty())
        return;
    const std::lock_guard lock(paths().mutex);
    if (const auto found = paths().all.find(path_); found != paths().all.end())
        paths().all.erase(found);
}

Unfinished::Unfinished(Unfinished&& other) noexcept : path_(std::exchange(other.path_, {})) {}

Unfinished& Unfinished::operator=(Unfinished&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
}

WriteGate::WriteGate() : lock_(gate()) {}

void removeUnfinished() {
    // Kept when it is got: nothing is made any more. A disk that hangs must not hold up the end.
    constexpr std::chrono::milliseconds kPatience{200};
    (void)gate().try_lock_for(kPatience);
    const std::lock_guard lock(paths().mutex);
    for (const std::string& path : paths().all)
        file_system::removeAll(path);
}

} // namespace marquetry
