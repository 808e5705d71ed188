// What a run has begun in the file system and not finished: temporary files and folders.
//
// A signal may end the program at any moment. Whoever handles it calls removeUnfinished(), so that
// nothing of the run is left; only a kill that nobody can handle leaves something, which the next
// run finds by its name and clears (leftovers.h). Thread rule: any thread.
#pragma once

#include <shared_mutex>
#include <string>

namespace marquetry {

/// A path that is to be removed if the run ends early. Its owner removes or renames it otherwise.
class Unfinished {
public:
    Unfinished() = default;
    explicit Unfinished(std::string path);
    ~Unfinished();
    Unfinished(Unfinished&& other) noexcept;
    Unfinished& operator=(Unfinished&& other) noexcept;

private:
    std::string path_;
};

/// Removes all of them, and lets no thread that holds or wants a WriteGate go on. The program ends
/// after it.
void removeUnfinished();

/// Held while something is made below an Unfinished path, so that it is not made after the removal,
/// and while such a path is removed, so that not two remove it, each in the way of the other.
class WriteGate {
public:
    WriteGate();

private:
    std::shared_lock<std::shared_timed_mutex> lock_;
};

} // namespace marquetry
