// The system calls that change files, each with a place where tests let it fail.
//
// Every function yields 0 or an errno value; a call that a signal interrupts is repeated. Only
// engine/support calls them: everything else reads and writes through files.h and folders.h.
// Thread rule: any thread; the fault is set while no other thread writes.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace marquetry::file_system {

/// Called before each call with its name ("create", "write", "sync", "rename", "exchange", "link",
/// "folder"); an errno value other than 0 is the call's answer, and it is not made.
using Fault = std::function<int(std::string_view call)>;

/// For tests: what the calls below ask from now on. Empty: nothing fails.
void setFault(Fault fault);

/// A file descriptor that is closed at the end.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor();
    Descriptor(Descriptor&& other) noexcept;
    Descriptor& operator=(Descriptor&& other) noexcept;

    int get() const { return fd_; }
    bool valid() const { return fd_ >= 0; }

private:
    int fd_ = -1;
};

/// Makes a file that is not there yet and opens it for writing.
int create(const std::string& path, mode_t mode, Descriptor& file);
int writeAll(const Descriptor& file, std::string_view bytes);
/// Returns when the bytes, or the names in a folder, are on the disk.
int sync(const Descriptor& file);
int syncFolder(const std::string& folder);
int rename(const std::string& from, const std::string& to);
/// Both must exist; EINVAL or ENOSYS where the file system cannot.
int exchange(const std::string& one, const std::string& other);
/// A second name of the same file; of a symbolic link, not of what it names.
int link(const std::string& from, const std::string& to);
int makeFolder(const std::string& path, mode_t mode);

struct Entry {
    std::string name;
    bool folder = false; ///< a symbolic link to one is none
};

/// What is in the folder, in no order, added to `found`. The iterators of the standard library end
/// the program when they run out of memory.
int entriesIn(const std::string& folder, std::vector<Entry>& found);
/// And in the folders in it, with "/" in the names and parents first; follows no symbolic link.
int entriesBelow(const std::string& folder, std::vector<Entry>& found);

/// Removes a file, or a folder with all that is in it; follows no symbolic link. Best effort.
/// Throws nothing, so destructors may call it.
void removeAll(const std::string& path) noexcept;

} // namespace marquetry::file_system
