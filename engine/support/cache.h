// Files that can be made again, kept in the user's cache folder.
//
// Errors: no-cache-folder, output-unwritable (with the system's cause). Thread rule: any thread;
// of two that keep files of one kind at the same time, the one may remove what the other has kept.
#pragma once

#include "engine/support/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace marquetry::files {

/// Writes cacheFolder()/kind/name, in place of a file of that name, and removes the oldest files of
/// the same extension until `mostFiles` are left. The file's path.
Result<std::string> keepInCache(const std::string& kind, const std::string& name,
                                std::string_view bytes, std::size_t mostFiles);

/// The bytes of a file that has been kept; nothing when there is none that can be read.
std::optional<std::string> inCache(const std::string& kind, const std::string& name);

} // namespace marquetry::files
