#include "engine/support/file_system.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace marquetry::file_system {

namespace {

Fault& currentFault() {
    static Fault fault;
    return fault;
}

int faultOf(std::string_view call) {
    return currentFault() ? currentFault()(call) : 0;
}

/// The errno of a call that yields a negative number when it fails.
template <class Call>
int attempt(std::string_view name, Call&& call) {
    if (const int fault = faultOf(name); fault != 0)
        return fault;
    while (call() < 0)
        if (errno != EINTR)
            return errno;
    return 0;
}

} // namespace

void setFault(Fault fault) {
    currentFault() = std::move(fault);
}

Descriptor::~Descriptor() {
    if (fd_ >= 0)
        ::close(fd_);
}

Descriptor::Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
}

int create(const std::string& path, mode_t mode, Descriptor& file) {
    return attempt("create", [&] {
        const int fd =
            ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
        if (fd >= 0)
            file = Descriptor(fd);
        return fd;
    });
}

int writeAll(const Descriptor& file, std::string_view bytes) {
    constexpr std::size_t kMost = std::size_t{1} << 24; // one call for each of these: faults differ
    do {
        ssize_t written = 0;
        const int error = attempt("write", [&] {
            written = ::write(file.get(), bytes.data(), std::min(bytes.size(), kMost));
            return written;
        });
        if (error != 0)
            return error;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    } while (!bytes.empty());
    return 0;
}

int sync(const Descriptor& file) {
    const int error = attempt("sync", [&] { return ::fsync(file.get()); });
    // Some file systems know no sync of folders or of special files.
    return error == EINVAL || error == ENOTSUP ? 0 : error;
}

int syncFolder(const std::string& folder) {
    const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // A folder that may be written but not read cannot be synced.
    return opened.valid() ? sync(opened) : 0;
}

int rename(const std::string& from, const std::string& to) {
    return attempt("rename", [&] { return ::rename(from.c_str(), to.c_str()); });
}

int exchange(const std::string& one, const std::string& other) {
    return attempt("exchange", [&] {
        return ::renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE);
    });
}

int link(const std::string& from, const std::string& to) {
    return attempt("link",
                   [&] { return ::linkat(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), 0); });
}

int makeFolder(const std::string& path, mode_t mode) {
    return attempt("folder", [&] { return ::mkdir(path.c_str(), mode); });
}

namespace {

/// The names in a folder, one after the other; "." and ".." are not among them.
class Names {
public:
    /// `follow`: 0 or O_NOFOLLOW.
    Names(int parent, const char* name, int follow) {
        const int fd = ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | follow);
        folder_ = fd < 0 ? nullptr : ::fdopendir(fd);
        error_ = folder_ ? 0 : errno;
        if (fd >= 0 && !folder_)
            ::close(fd);
    }
    ~Names() {
        if (folder_)
            ::closedir(folder_);
    }
    Names(const Names&) = delete;
    Names& operator=(const Names&) = delete;

    int error() const { return error_; }
    int get() const { return ::dirfd(folder_); }

    const dirent* next() {
        while (folder_) {
            errno = 0;
            const dirent* const entry = ::readdir(folder_);
            if (!entry)
                error_ = errno;
            if (!entry ||
                (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0))
                return entry;
        }
        return nullptr;
    }

    bool isFolder(const dirent& entry) const {
        if (entry.d_type != DT_UNKNOWN)
            return entry.d_type == DT_DIR;
        struct stat status = {};
        return ::fstatat(get(), entry.d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
               S_ISDIR(status.st_mode);
    }

private:
    DIR* folder_ = nullptr;
    int error_ = 0;
};

int addEntries(Names names, const std::string& prefix, std::vector<Entry>& found) {
    while (const dirent* const entry = names.next())
        found.push_back({prefix + entry->d_name, names.isFolder(*entry)});
    return names.error();
}

int removeIn(int parent, const char* name) noexcept {
    if (::unlinkat(parent, name, 0) == 0)
        return 0;
    if (errno != EISDIR && errno != EPERM)
        return errno;
    Names names(parent, name, O_NOFOLLOW);
    while (const dirent* const entry = names.next())
        removeIn(names.get(), entry->d_name);
    return ::unlinkat(parent, name, AT_REMOVEDIR) == 0 ? 0 : errno;
}

} // namespace

int entriesIn(const std::string& folder, std::vector<Entry>& found) {
    return addEntries({AT_FDCWD, folder.c_str(), 0}, "", found);
}

int entriesBelow(const std::string& folder, std::vector<Entry>& found) {
    std::size_t next = found.size();
    int error = entriesIn(folder, found);
    for (; error == 0 && next < found.size(); ++next) {
        if (!found[next].folder)
            continue;
        const std::string name = found[next].name;
        error =
            addEntries({AT_FDCWD, (folder + "/" + name).c_str(), O_NOFOLLOW}, name + "/", found);
    }
    return error;
}

void removeAll(const std::string& path) noexcept {
    constexpr int kTries = 100; // another process may add something meanwhile
    for (int k = 0; k < kTries; ++k)
        if (removeIn(AT_FDCWD, path.c_str()) != ENOTEMPTY)
            return;
}

} // namespace marquetry::file_system
