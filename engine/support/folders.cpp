#include "engine/support/folders.h"

#include "engine/support/leftovers.h"
#include "engine/support/quote.h"
#include "engine/support/sha256.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <set>
#include <unistd.h>

namespace marquetry::files {

namespace {

namespace fs = std::filesystem;

constexpr const char* kNew = "new";

/// What the folder to be replaced holds; names are relative to it.
struct Existing {
    bool there = false;
    mode_t mode = 0777;
    OwnedFiles owned;
    std::vector<std::string> keptFolders; ///< parents before what is in them
    std::vector<std::string> keptFiles;   ///< of the user
};

Diagnostic exists(const std::string& message, const std::string& hint) {
    return makeError("output-exists", message, hint);
}

/// A folder of the user's is kept as such; ours are made anew with the files in them.
void list(const std::string& folder, Existing& existing, Diagnostics& errors) {
    std::vector<file_system::Entry> entries;
    if (const int error = file_system::entriesBelow(folder, entries); error != 0)
        errors.push_back(unwritable(folder, error));
    for (const auto& [name, isFolder] : entries) {
        if (isFolder)
            existing.keptFolders.push_back(name);
        else if (!existing.owned.contains(name))
            existing.keptFiles.push_back(name);
    }
    std::ranges::sort(existing.keptFolders);
    std::ranges::sort(existing.keptFiles);
}

/// Files of ours that no longer hold what we wrote.
Status checkEdited(const std::string& given, const std::string& folder, const Existing& existing) {
    for (const auto& [name, hash] : existing.owned) {
        const std::string path = folder + "/" + name;
        std::error_code ignored;
        const auto status = fs::symlink_status(path, ignored);
        if (hash.empty() || !fs::exists(status))
            continue;
        const auto bytes = fs::is_regular_file(status) ? read(path) : Result<std::string>("");
        if (!bytes || sha256(*bytes) != hash)
            return exists(inQuotes(name) + " in " + inQuotes(given) +
                              " has been edited since it was written",
                          "give another folder, move the file away, or replace it with --force");
    }
    return ok();
}

Result<Existing> lookAt(const Target& target, const ReplaceFolder& replace) {
    Existing existing;
    struct stat status = {};
    if (::lstat(target.path().c_str(), &status) != 0)
        return errno == ENOENT ? Result<Existing>(existing) : unwritable(target.given(), errno);
    if (!S_ISDIR(status.st_mode))
        return exists(inQuotes(target.given()) + " exists and is no folder", "give another folder");
    if (Status distinct = checkNoInput(target, replace.inputs); !distinct)
        return distinct.error();
    existing.there = true;
    existing.mode = status.st_mode & 07777;
    std::vector<file_system::Entry> entries;
    if (const int error = file_system::entriesIn(target.path(), entries); error != 0)
        return unwritable(target.given(), error);
    if (!entries.empty()) {
        auto owned = replace.owned(target.path());
        if (!owned)
            return exists(inQuotes(target.given()) + " exists and is not " + replace.kind,
                          "give another folder, or remove it yourself");
        existing.owned = *std::move(owned);
    }
    Diagnostics errors;
    list(target.path(), existing, errors);
    if (!errors.empty())
        return errors;
    if (Status unedited = checkEdited(target.given(), target.path(), existing);
        !unedited && !replace.force)
        return unedited.error();
    for (const auto& [name, hash] : existing.owned) {
        const std::string path = target.path() + "/" + name;
        const auto isTarget = [&](const std::string& i) { return same(path, i); };
        if (std::ranges::any_of(replace.inputs, isTarget))
            return makeError("output-is-input",
                             inQuotes(name) + " in " + inQuotes(target.given()) + " is also read",
                             "write to another folder");
    }
    return existing;
}

/// Names of the user that the new files need.
Status checkCollisions(const Target& target, const Existing& existing, const FolderFiles& files,
                       bool force) {
    std::set<std::string> folders;
    for (const auto& [name, bytes] : files)
        for (fs::path part = fs::path(name).parent_path(); !part.empty(); part = part.parent_path())
            folders.insert(part.generic_string());
    const auto refuse = [&](const std::string& name) {
        return exists(inQuotes(name) + " in " + inQuotes(target.given()) +
                          " is not ours, and something of this name is to be written",
                      "move it away, or give another folder");
    };
    for (const std::string& name : existing.keptFiles)
        if (folders.contains(name) || (!force && files.contains(name)))
            return refuse(name);
    for (const std::string& name : existing.keptFolders)
        if (files.contains(name))
            return refuse(name);
    return ok();
}

/// A folder that holds the new one until it is in place, and then the old one.
class Exchange {
public:
    Exchange(const Target& target, const Existing& existing)
        : target_(target), existing_(existing) {}
    ~Exchange() {
        if (keep_ || container_.empty())
            return;
        const WriteGate gate;
        file_system::removeAll(container_);
    }

    /// 0 or an errno value.
    int run(const FolderFiles& files) {
        int error = makeContainer();
        if (error == 0)
            error = fill(files);
        if (error == 0)
            error = keepOthers(files);
        if (error == 0)
            error = syncFolders();
        return error == 0 ? place() : error;
    }

private:
    int makeContainer() {
        constexpr int kTries = 100;
        for (int k = 0; k < kTries; ++k) {
            const WriteGate gate;
            container_ = target_.folder() + "/" + leftovers::freshName();
            unfinished_ = Unfinished(container_);
            const int error = file_system::makeFolder(container_, 0700);
            if (error == EEXIST)
                continue;
            if (error != 0)
                return error;
            lock_ = file_system::Descriptor(
                ::open(container_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
            if (!lock_.valid())
                return errno;
            if (leftovers::hold(lock_))
                return file_system::makeFolder(fresh(), 0777);
        }
        return EEXIST;
    }

    std::string fresh() const { return container_ + "/" + kNew; }

    int makeFolderOf(const std::string& name) {
        const std::string folder = fs::path(name).parent_path().generic_string();
        return folder.empty() ? 0 : makeFolderNamed(folder, 0777);
    }

    int makeFolderNamed(const std::string& folder, mode_t mode) {
        if (made_.contains(folder))
            return 0;
        if (const int error = makeFolderOf(folder); error != 0)
            return error;
        made_.insert(folder);
        const WriteGate gate;
        return file_system::makeFolder(fresh() + "/" + folder, mode);
    }

    int fill(const FolderFiles& files) {
        for (const auto& [name, bytes] : files) {
            int error = makeFolderOf(name);
            file_system::Descriptor file;
            if (error == 0) {
                const WriteGate gate;
                error = file_system::create(fresh() + "/" + name, 0666, file);
            }
            if (error == 0)
                error = file_system::writeAll(file, bytes);
            if (error == 0)
                error = file_system::sync(file);
            if (error != 0)
                return error;
        }
        return 0;
    }

    /// The user's files live on under a second name, which is in place when the folder is.
    int keepOthers(const FolderFiles& files) {
        for (const std::string& name : existing_.keptFiles) {
            if (files.contains(name))
                continue;
            if (const int error = makeFolderOf(name); error != 0)
                return error;
            const WriteGate gate;
            const int error = file_system::link(target_.path() + "/" + name, fresh() + "/" + name);
            if (error != 0)
                return error;
        }
        for (const std::string& name : existing_.keptFolders) {
            const bool ours = std::ranges::any_of(existing_.owned, [&](const auto& file) {
                return file.first.starts_with(name + "/");
            });
            if (!ours)
                if (const int error = makeFolderNamed(name, 0777); error != 0)
                    return error;
        }
        return 0;
    }

    int syncFolders() {
        (void)::chmod(fresh().c_str(), existing_.there ? existing_.mode : freshMode());
        for (const std::string& folder : made_)
            if (const int error = file_system::syncFolder(fresh() + "/" + folder); error != 0)
                return error;
        return file_system::syncFolder(fresh());
    }

    /// What mkdir gave it under the user's mask.
    mode_t freshMode() const {
        struct stat status = {};
        return ::stat(fresh().c_str(), &status) == 0 ? status.st_mode & 07777 : 0755;
    }

    int place() {
        int error = 0;
        if (!existing_.there) {
            error = file_system::rename(fresh(), target_.path());
        } else {
            error = file_system::exchange(fresh(), target_.path());
            if (error == EINVAL || error == ENOSYS || error == ENOTSUP)
                error = putAside();
        }
        return error == 0 ? file_system::syncFolder(target_.folder()) : error;
    }

    /// Two steps. A run that is killed between them leaves the old folder and its name in the
    /// container, from where the next run puts it back; a signal must not remove it.
    int putAside() {
        file_system::Descriptor file;
        const std::string name = fs::path(target_.path()).filename().string();
        int error = file_system::create(container_ + "/" + leftovers::kName, 0666, file);
        if (error == 0)
            error = file_system::writeAll(file, name);
        if (error == 0)
            error = file_system::sync(file);
        if (error != 0)
            return error;
        // Between the two steps nothing may ask for memory, or the old folder is lost.
        const std::string old = container_ + "/" + leftovers::kOld;
        const std::string made = fresh();
        unfinished_ = Unfinished();
        error = file_system::rename(target_.path(), old);
        if (error != 0)
            return error;
        error = file_system::rename(made, target_.path());
        if (error != 0 && file_system::rename(old, target_.path()) != 0)
            keep_ = true; // the next run puts it back
        return error;
    }

    const Target& target_;
    const Existing& existing_;
    std::string container_;
    Unfinished unfinished_;
    file_system::Descriptor lock_;
    std::set<std::string> made_;
    bool keep_ = false;
};

/// $TMPDIR when it is a name that no tool takes apart, else /tmp.
std::string temporaryRoot() {
    const char* const given = std::getenv("TMPDIR");
    const std::string folder = given != nullptr ? given : "";
    constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "0123456789/_.-";
    const bool plain =
        folder.starts_with("/") && folder.find_first_not_of(kPlain) == std::string::npos;
    return plain && ::access(folder.c_str(), W_OK | X_OK) == 0 ? folder : "/tmp";
}

} // namespace

Status checkFolder(const std::string& path, const ReplaceFolder& replace) {
    // Nothing is made here: a path whose folders are missing is looked at when it is written.
    const auto target = Target::resolve(path);
    if (!target)
        return ok();
    const auto existing = lookAt(*target, replace);
    return existing ? ok() : Status(existing.error());
}

Result<Written> replaceFolder(const std::string& path, const FolderFiles& files,
                              const ReplaceFolder& replace) {
    const auto target = Target::resolve(path, true);
    if (!target)
        return target.error();
    Written written{leftovers::clear(target->folder())};
    const auto existing = lookAt(*target, replace);
    if (!existing)
        return existing.error();
    if (Status distinct = checkCollisions(*target, *existing, files, replace.force); !distinct)
        return distinct.error();
    if (const int error = Exchange(*target, *existing).run(files); error != 0)
        return unwritable(path, error);
    return written;
}

Result<PrivateFolder> PrivateFolder::make() {
    PrivateFolder folder;
    const std::string root = temporaryRoot();
    leftovers::clear(root);
    constexpr int kTries = 100;
    int error = EEXIST;
    for (int k = 0; k < kTries && error == EEXIST; ++k) {
        const WriteGate gate;
        folder.path_ = root + "/" + leftovers::freshName();
        folder.unfinished_ = Unfinished(folder.path_);
        error = file_system::makeFolder(folder.path_, 0700);
        if (error != 0)
            continue;
        folder.lock_ = file_system::Descriptor(
            ::open(folder.path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (!folder.lock_.valid() || !leftovers::hold(folder.lock_))
            error = EEXIST;
    }
    if (error != 0) {
        folder.path_.clear();
        return unwritable(root, error);
    }
    return folder;
}

PrivateFolder::~PrivateFolder() {
    if (path_.empty())
        return;
    const WriteGate gate;
    file_system::removeAll(path_);
}

Status PrivateFolder::write(const std::string& name, std::string_view bytes) const {
    std::string made = path_;
    for (const fs::path& part : fs::path(name).parent_path()) {
        made += "/" + part.string();
        const WriteGate gate;
        if (const int error = file_system::makeFolder(made, 0700); error != 0 && error != EEXIST)
            return unwritable(made, error);
    }
    file_system::Descriptor file;
    int error = 0;
    {
        const WriteGate gate;
        error = file_system::create(path_ + "/" + name, 0600, file);
    }
    if (error == 0)
        error = file_system::writeAll(file, bytes);
    return error == 0 ? ok() : Status(unwritable(path_ + "/" + name, error));
}

} // namespace marquetry::files
