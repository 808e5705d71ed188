// Reading and writing whole files: the one place where the program's files are opened.
//
// Reading takes regular files only: pipes, devices and folders would hang or never end. Writing
// puts a temporary file beside the target, syncs it, renames it over the target and syncs the
// folder, so that the target holds the old bytes or the new ones, whatever happens. A symbolic
// link is followed once, when the path is resolved: the file it names is replaced, not the link.
//
// Errors: file-missing, file-unreadable (with the system's cause), file-too-large; for outputs
// output-unwritable (with the system's cause), output-is-input, output-exists (what is there is
// not of the kind to be written). Thread rule: any thread; one writer per path.
#pragma once

#include "engine/support/result.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <vector>

namespace marquetry::files {

inline constexpr std::size_t kMostBytes = std::size_t{1} << 30;

/// The bytes of a regular file of at most `mostBytes`.
Result<std::string> read(const std::string& path, std::size_t mostBytes = kMostBytes);

/// An output path, resolved: the folder exists and is a real path, and every later step uses this
/// path alone. An existing target that is a symbolic link is what the link names in the end.
class Target {
public:
    /// With `makeParents`, missing folders are made; never behind a "..".
    static Result<Target> resolve(const std::string& path, bool makeParents = false);

    const std::string& path() const { return path_; }     ///< absolute
    const std::string& folder() const { return folder_; } ///< of the target, absolute
    const std::string& given() const { return given_; }   ///< as the user wrote it, for messages

private:
    std::string given_;
    std::string folder_;
    std::string path_;
};

/// What an output may replace.
struct Replace {
    std::string kind;                               ///< "a bank table", for messages
    std::function<bool(std::string_view)> isOfKind; ///< of an existing file's bytes
    std::vector<std::string> inputs;                ///< files of this run: never replaced
    bool force = false;                             ///< replace files of any kind
};

struct Written {
    Diagnostics warnings; ///< leftovers of killed runs that were cleared
};

Result<Written> write(const std::string& path, std::string_view bytes, const Replace& replace);

/// What write would refuse of what is there now, before the work that makes the bytes is done.
Status check(const std::string& path, const Replace& replace);

/// Whether both paths name one file or folder, by device and number.
bool same(const std::string& a, const std::string& b);

/// "cannot write 'path': No space left on device" as output-unwritable.
Diagnostic unwritable(const std::string& path, int error);

/// Of an output that is also an input of the run.
Status checkNoInput(const Target& target, const std::vector<std::string>& inputs);

/// Where what can be made again is kept: $XDG_CACHE_HOME/marquetry or ~/.cache/marquetry; made
/// when missing. Empty when there is neither.
std::string cacheFolder();

} // namespace marquetry::files
