// Commands as the command line that does the same, for the log and for people.
//
// Empty for commands that have none: undo, redo, whatever needs a file when there is none, and
// exports of what a search for it may not find.
// Arguments are quoted for a POSIX shell. Thread rule: pure.
#pragma once

#include "engine/session/command.h"

#include <map>
#include <string>

namespace marquetry::session {

/// What a command is applied to.
struct CommandContext {
    std::string file;
    std::string item; ///< empty: the first
    Settings settings;
    std::vector<design::Pin> pins;
    std::size_t iterations = 0;
    std::string exportedTo;
    std::string streamDevice{}; ///< that streams are priced on
    /// MemoryItem::options of those that have any, by name.
    std::map<std::string, std::string> arrays{};
    const StreamItem* stream = nullptr; ///< that is exported, or null
    const MemoryItem* memory = nullptr; ///< that is exported, or null
    std::string held{};                 ///< path of the DESIGN.json that is exported, or empty
    FoundBy foundBy = FoundBy::Search;  ///< the design, which is exported with none of these
};

std::string commandLine(const Command& command, const CommandContext& context);

/// The search that finds the design at hand: `marquetry VERB FILE …`. Empty where it may find
/// another.
std::string searchLine(const CommandContext& context, const std::string& verb);

/// The options of `marquetry explore` for settings and the enabled pins, with a leading space.
std::string exploreOptions(const Settings& settings, const std::vector<design::Pin>& pins);

} // namespace marquetry::session
