// What a run puts beside its outputs until they are done: names and marks by which a later run
// recognises what a killed run left behind.
//
// A temporary file or folder has a name of freshName() and is locked (flock) while its run lives.
// One without a lock is a leftover. A folder may hold "old", an output that was put aside, and
// "name", what that output was called. When nothing has that name now, the old output is put back.
// Thread rule: any thread.
#pragma once

#include "engine/support/diagnostic.h"
#include "engine/support/file_system.h"

#include <string>

namespace marquetry::leftovers {

inline constexpr const char* kOld = "old";
inline constexpr const char* kName = "name";

/// ".marquetry-tmp-" and eight random characters.
std::string freshName();

/// Locks what has just been made; false when another run took it for a leftover in between.
bool hold(const file_system::Descriptor& made);

/// Clears the folder of leftovers; yields a warning for each.
Diagnostics clear(const std::string& folder);

} // namespace marquetry::leftovers
