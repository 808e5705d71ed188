// Folders of outputs that are replaced whole, and folders of a run's own.
//
// replaceFolder writes all files to a temporary folder beside the target, syncs them, and
// exchanges both folders in one step (renameat2); where the file system cannot exchange, the old
// folder is put aside first and put back by the next run if this one is killed in between. Files
// in the old folder that are not ours are kept: they are linked into the new one. A symbolic link
// to a folder stays a link; the folder that it names is replaced.
//
// Errors: output-exists (the folder is not of the kind to be written, or a file of ours in it has
// been edited, or a file of the user's has the name of one to be written), output-is-input,
// output-unwritable (with the system's cause). Thread rule: any thread; one writer per folder.
#pragma once

#include "engine/support/file_system.h"
#include "engine/support/files.h"
#include "engine/support/unfinished.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::files {

/// Path inside a folder, with "/" → bytes.
using FolderFiles = std::map<std::string, std::string>;

/// Path inside a folder → SHA-256 of what we wrote there; empty: any bytes are ours.
using OwnedFiles = std::map<std::string, std::string>;

struct ReplaceFolder {
    std::string kind; ///< "an export of Marquetry", for messages
    /// What of an existing folder is ours; nothing when the folder is not of this kind.
    std::function<std::optional<OwnedFiles>(const std::string& folder)> owned;
    std::vector<std::string> inputs; ///< files of this run: never replaced
    bool force = false;              ///< replace edited files of ours and users' of our names
};

/// Missing parent folders are made.
/// Complexity: linear in the bytes written and the files in the old folder.
Result<Written> replaceFolder(const std::string& path, const FolderFiles& files,
                              const ReplaceFolder& replace);

/// What replaceFolder would refuse, before the work that makes the files is done.
Status checkFolder(const std::string& path, const ReplaceFolder& replace);

/// A folder of this run alone, under $TMPDIR or /tmp, whose path holds letters, digits and "/_.-"
/// alone: tools that pass names through a shell or make see nothing to act on. Removed with all
/// that is in it at the end; also when a signal ends the run.
class PrivateFolder {
public:
    static Result<PrivateFolder> make();
    PrivateFolder(PrivateFolder&&) noexcept = default;
    PrivateFolder& operator=(PrivateFolder&&) = delete;
    ~PrivateFolder();

    const std::string& path() const { return path_; }
    /// Writes a file below the folder, with the folders of its name; not synced.
    Status write(const std::string& name, std::string_view bytes) const;

private:
    PrivateFolder() = default;

    std::string path_;
    Unfinished unfinished_;
    file_system::Descriptor lock_;
};

} // namespace marquetry::files
