#include "engine/support/file_system.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
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

void removeAll(const std::string& path) {
    // What another process adds or removes meanwhile makes it end early.
    constexpr int kTries = 100;
    std::error_code error;
    for (int k = 0; k < kTries; ++k) {
        std::filesystem::remove_all(path, error);
        if (error != std::errc::no_such_file_or_directory &&
            error != std::errc::directory_not_empty)
            return;
    }
}

} // namespace marquetry::file_system
