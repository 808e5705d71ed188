#include "engine/support/files.h"

#include "engine/support/file_system.h"
#include "engine/support/leftovers.h"
#include "engine/support/quote.h"
#include "engine/support/unfinished.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <optional>
#include <unistd.h>

namespace marquetry::files {

namespace {

namespace fs = std::filesystem;

constexpr const char* kPlaceHint = "choose a place that you may write to";

const char* nameOfKind(mode_t mode) {
    if (S_ISDIR(mode))
        return "a folder";
    if (S_ISFIFO(mode))
        return "a pipe";
    if (S_ISCHR(mode) || S_ISBLK(mode))
        return "a device";
    return S_ISSOCK(mode) ? "a socket" : "no regular file";
}

Diagnostic unreadable(const std::string& path, int error) {
    if (error == ENOENT || error == ENOTDIR)
        return makeError("file-missing", "there is no file " + inQuotes(path));
    return makeError("file-unreadable", "cannot read " + inQuotes(path) + ": " + strerror(error));
}

Diagnostic fileTooLarge(const std::string& path, std::size_t mostBytes) {
    return makeError("file-too-large",
                     inQuotes(path) + " is larger than " + std::to_string(mostBytes) + " bytes");
}

Result<std::string> readOpened(int fd, const std::string& path, std::size_t mostBytes) {
    constexpr std::size_t kStep = std::size_t{1} << 20;
    std::string bytes;
    while (true) {
        const std::size_t before = bytes.size();
        bytes.resize(before + kStep);
        const ssize_t n = ::read(fd, bytes.data() + before, kStep);
        bytes.resize(before + static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
        if (n < 0 && errno != EINTR)
            return unreadable(path, errno);
        if (bytes.size() > mostBytes)
            return fileTooLarge(path, mostBytes);
        if (n == 0)
            return bytes;
    }
}

/// Makes what is missing of a folder. A ".." behind a missing folder means no place at all.
int makeFolders(const fs::path& folder) {
    std::vector<fs::path> missing;
    fs::path made;
    for (const fs::path& part : folder) {
        made /= part;
        struct stat status = {};
        if (missing.empty() && ::stat(made.c_str(), &status) == 0)
            continue;
        if (missing.empty() && errno != ENOENT)
            return errno;
        if (part == "..")
            return ENOENT;
        missing.push_back(made);
    }
    for (const fs::path& path : missing)
        if (const int error = file_system::makeFolder(path.string(), 0777);
            error != 0 && error != EEXIST)
            return error;
    return 0;
}

std::optional<std::string> realPath(const std::string& path) {
    const std::unique_ptr<char, decltype(&std::free)> resolved(::realpath(path.c_str(), nullptr),
                                                               &std::free);
    return resolved ? std::optional<std::string>(resolved.get()) : std::nullopt;
}

struct TemporaryFile {
    std::string path;
    Unfinished unfinished;
    file_system::Descriptor file;
};

int makeTemporary(const std::string& folder, mode_t mode, TemporaryFile& made) {
    constexpr int kTries = 100;
    for (int k = 0; k < kTries; ++k) {
        const WriteGate gate;
        made.path = folder + "/" + leftovers::freshName();
        made.unfinished = Unfinished(made.path);
        const int error = file_system::create(made.path, mode, made.file);
        if (error != 0 && error != EEXIST)
            return error;
        if (error == 0 && leftovers::hold(made.file))
            return 0;
    }
    return EEXIST;
}

/// The target is there, may be replaced, and `mode` is its; or it is not there.
Status checkExisting(const Target& target, const Replace& replace, mode_t& mode) {
    struct stat status = {};
    if (::lstat(target.path().c_str(), &status) != 0)
        return errno == ENOENT ? ok() : Status(unwritable(target.given(), errno));
    if (!S_ISREG(status.st_mode))
        return makeError("output-exists",
                         inQuotes(target.given()) + " is " + nameOfKind(status.st_mode) +
                             ", not a file that can be replaced",
                         "give another file");
    if (Status distinct = checkNoInput(target, replace.inputs); !distinct)
        return distinct;
    if (::access(target.path().c_str(), W_OK) != 0)
        return unwritable(target.given(), errno);
    mode = status.st_mode & 07777;
    if (replace.force || status.st_size == 0)
        return ok();
    const auto bytes = read(target.path());
    if (bytes && replace.isOfKind && replace.isOfKind(*bytes))
        return ok();
    return makeError("output-exists",
                     inQuotes(target.given()) + " exists and is not " + replace.kind,
                     "give another file, remove this one yourself, or replace it with --force");
}

} // namespace

Result<std::string> read(const std::string& path, std::size_t mostBytes) {
    // A pipe without a writer would block the opening itself.
    const file_system::Descriptor file(
        ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    if (!file.valid())
        return unreadable(path, errno);
    struct stat status = {};
    if (::fstat(file.get(), &status) != 0)
        return unreadable(path, errno);
    if (!S_ISREG(status.st_mode))
        return makeError("file-unreadable",
                         inQuotes(path) + " is " + nameOfKind(status.st_mode) + ", not a file");
    if (static_cast<std::size_t>(status.st_size) > mostBytes)
        return fileTooLarge(path, mostBytes);
    return readOpened(file.get(), path, mostBytes);
}

Result<Target> Target::resolve(const std::string& path, bool makeParents) {
    Target target;
    target.given_ = path;
    fs::path given(path);
    while (!given.empty() && !given.has_filename() && given != given.root_path())
        given = given.parent_path(); // "out/" is "out"
    if (given.empty() || path.find('\0') != std::string::npos)
        return makeError("output-unwritable", "an output needs a name", kPlaceHint);
    if (const auto existing = realPath(given.string())) {
        target.path_ = *existing;
        target.folder_ = fs::path(*existing).parent_path().string();
        return target;
    }
    if (errno != ENOENT)
        return unwritable(path, errno);
    std::error_code ignored;
    if (fs::is_symlink(fs::symlink_status(given, ignored)))
        return makeError("output-unwritable",
                         inQuotes(path) + " is a symbolic link to something that is not there",
                         "remove the link, or give another place");
    const fs::path parent = given.has_parent_path() ? given.parent_path() : fs::path(".");
    const std::string name = given.filename().string();
    if (name == "." || name == "..")
        return unwritable(path, ENOENT);
    if (const int error = makeParents ? makeFolders(parent) : 0; error != 0)
        return unwritable(path, error);
    const auto folder = realPath(parent.string());
    if (!folder)
        return unwritable(path, errno);
    target.folder_ = *folder;
    target.path_ = (fs::path(*folder) / name).string();
    return target;
}

Result<Written> write(const std::string& path, std::string_view bytes, const Replace& replace) {
    const auto target = Target::resolve(path);
    if (!target)
        return target.error();
    mode_t mode = 0666;
    bool exists = false;
    if (Status may = checkExisting(*target, replace, mode); !may)
        return may.error();
    exists = mode != 0666;
    Written written{leftovers::clear(target->folder())};
    TemporaryFile temporary;
    int error = makeTemporary(target->folder(), exists ? mode : 0666, temporary);
    if (error != 0)
        return unwritable(path, error);
    if (exists)
        (void)::fchmod(temporary.file.get(), mode); // a file system without modes has none to keep
    error = file_system::writeAll(temporary.file, bytes);
    if (error == 0)
        error = file_system::sync(temporary.file);
    if (error == 0)
        error = file_system::rename(temporary.path, target->path());
    if (error != 0) {
        const WriteGate gate;
        file_system::removeAll(temporary.path);
        return unwritable(path, error);
    }
    // The bytes are in place; that their name is synced too is all that can still fail.
    if (error = file_system::syncFolder(target->folder()); error != 0)
        return unwritable(path, error);
    return written;
}

Status check(const std::string& path, const Replace& replace) {
    const auto target = Target::resolve(path);
    mode_t ignored = 0;
    return target ? checkExisting(*target, replace, ignored) : Status(target.error());
}

bool same(const std::string& a, const std::string& b) {
    struct stat one = {};
    struct stat other = {};
    return ::stat(a.c_str(), &one) == 0 && ::stat(b.c_str(), &other) == 0 &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

Diagnostic unwritable(const std::string& path, int error) {
    return makeError("output-unwritable", "cannot write " + inQuotes(path) + ": " + strerror(error),
                     kPlaceHint);
}

Status checkNoInput(const Target& target, const std::vector<std::string>& inputs) {
    const auto isTarget = [&](const std::string& input) { return same(target.path(), input); };
    const auto found = std::ranges::find_if(inputs, isTarget);
    if (found == inputs.end())
        return ok();
    return makeError("output-is-input",
                     inQuotes(target.given()) + " is also read: " + inQuotes(*found),
                     "write to another place");
}

std::string cacheFolder() {
    const char* const xdg = std::getenv("XDG_CACHE_HOME");
    const char* const home = std::getenv("HOME");
    std::string base;
    if (xdg != nullptr && xdg[0] == '/')
        base = xdg;
    else if (home != nullptr && home[0] == '/')
        base = std::string(home) + "/.cache";
    if (base.empty() || makeFolders(base + "/marquetry") != 0)
        return {};
    return base + "/marquetry";
}

} // namespace marquetry::files
