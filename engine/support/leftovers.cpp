#include "engine/support/leftovers.h"

#include "engine/support/files.h"
#include "engine/support/quote.h"

#include <algorithm>
#include <fcntl.h>
#include <random>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace marquetry::leftovers {

namespace {

constexpr std::string_view kPrefix = ".marquetry-tmp-";
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
constexpr std::size_t kRandom = 8;

bool isTemporaryName(std::string_view name) {
    return name.size() == kPrefix.size() + kRandom && name.starts_with(kPrefix) &&
           name.find_first_not_of(kLetters, kPrefix.size()) == std::string_view::npos;
}

std::vector<std::string> temporariesIn(const std::string& folder) {
    std::vector<std::string> found;
    std::vector<file_system::Entry> entries;
    file_system::entriesIn(folder, entries);
    for (const file_system::Entry& entry : entries)
        if (isTemporaryName(entry.name))
            found.push_back(entry.name);
    std::ranges::sort(found);
    return found;
}

/// A name without folders: what a leftover says may come from anywhere.
bool isPlainName(const std::string& name) {
    return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

/// Puts an output back that a killed run had put aside; its name, or nothing.
std::string restore(const std::string& folder, const std::string& leftover) {
    constexpr std::size_t kLongestName = 4096;
    const auto name = files::read(leftover + "/" + kName, kLongestName);
    if (!name || !isPlainName(*name))
        return {};
    struct stat status = {};
    const std::string target = folder + "/" + *name;
    if (::lstat(target.c_str(), &status) == 0)
        return {};
    return file_system::rename(leftover + "/" + kOld, target) == 0 ? *name : std::string();
}

} // namespace

std::string freshName() {
    thread_local std::random_device source;
    std::uniform_int_distribution<std::size_t> letter(0, kLetters.size() - 1);
    std::string name(kPrefix);
    for (std::size_t k = 0; k < kRandom; ++k)
        name += kLetters[letter(source)];
    return name;
}

bool hold(const file_system::Descriptor& made) {
    struct stat status = {};
    // Where locks are not to be had nothing is ever taken for a leftover either.
    (void)::flock(made.get(), LOCK_EX);
    return ::fstat(made.get(), &status) == 0 && status.st_nlink > 0;
}

Diagnostics clear(const std::string& folder) {
    Diagnostics warnings;
    for (const std::string& name : temporariesIn(folder)) {
        const std::string path = folder + "/" + name;
        const file_system::Descriptor file(
            ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
        struct stat status = {};
        if (!file.valid() || ::fstat(file.get(), &status) != 0 || status.st_uid != ::geteuid() ||
            ::flock(file.get(), LOCK_EX | LOCK_NB) != 0)
            continue;
        const std::string restored = restore(folder, path);
        file_system::removeAll(path);
        if (restored.empty())
            warnings.push_back(makeWarning("leftover-removed",
                                           "removed " + inQuotes(path) +
                                               ", which a run that was killed had left behind"));
        else
            warnings.push_back(makeWarning("leftover-restored",
                                           "put " + inQuotes(folder + "/" + restored) +
                                               " back, which a run that was killed had put aside"));
    }
    return warnings;
}

} // namespace marquetry::leftovers
