// A folder that a sub-command writes into, without ever overwriting someone else's.
//
// Errors: output-exists (a non-empty folder without our marker file), file-unwritable.
// Thread rule: main thread.
#pragma once

#include "engine/support/result.h"

#include <string>

namespace marquetry::cli {

/// Creates the folder, or takes one that is empty or was written by us: then it holds a file of
/// the name `marker`, which the caller writes last.
Status prepareOutputFolder(const std::string& folder, const std::string& marker);

/// Writes a JSON object; an existing file that holds anything else (a program, say) is left alone.
Status writeJsonFile(const std::string& path, const std::string& text);

Status writeTextFile(const std::string& path, const std::string& text);

} // namespace marquetry::cli
