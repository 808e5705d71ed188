// The guard between us and a command: process.h says what for. Only for process.cpp.
//
// Runs in a fork of a process with threads: nothing of it allocates, locks or throws.
// Thread rule: a process of its own.
#pragma once

#include <array>
#include <cstdint>

namespace marquetry::process_guard {

/// All arrays end with a null pointer.
struct GuardedCommand {
    const char* const* places = nullptr; ///< paths of the program, tried one after the other
    char* const* arguments = nullptr;
    char* const* environment = nullptr;
    const char* folder = nullptr; ///< working directory; null: ours
    std::uint64_t memoryBytes = 0;
    std::uint64_t fileBytes = 0;
};

/// Descriptors, none of them 0, 1 or 2.
struct Pipes {
    int life = -1;   ///< read end: it closes when everything is to end
    int status = -1; ///< write end: records
    int output = -1; ///< write end: standard output and error of the command
};

/// What the guard tells. After Ended nothing of the command runs any more.
enum class Event : std::int32_t { Started, FolderFailed, StartFailed, Ended };

struct Record {
    Event event = Event::Started;
    std::int32_t value = 0; ///< process id, errno, errno, status as of waitpid
};

[[noreturn]] void run(const GuardedCommand& command, const Pipes& pipes);

} // namespace marquetry::process_guard
