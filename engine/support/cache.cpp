#include "engine/support/cache.h"

#include "engine/support/file_system.h"
#include "engine/support/files.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>
#include <vector>

namespace marquetry::files {

namespace {

namespace fs = std::filesystem;

void removeOldest(const std::string& newest, std::size_t mostFiles) {
    std::vector<std::pair<fs::file_time_type, std::string>> others;
    const fs::path folder = fs::path(newest).parent_path();
    std::vector<file_system::Entry> entries;
    file_system::entriesIn(folder.string(), entries);
    for (const file_system::Entry& entry : entries) {
        const fs::path path = folder / entry.name;
        std::error_code gone;
        const auto time = fs::last_write_time(path, gone);
        const bool ofKind = fs::is_regular_file(fs::symlink_status(path, gone)) &&
                            path.extension() == fs::path(newest).extension();
        if (!gone && ofKind && path != newest)
            others.emplace_back(time, path.string());
    }
    std::ranges::sort(others);
    for (std::size_t k = 0; k + mostFiles < others.size() + 1; ++k)
        file_system::removeAll(others[k].second);
}

} // namespace

Result<std::string> keepInCache(const std::string& kind, const std::string& name,
                                std::string_view bytes, std::size_t mostFiles) {
    const std::string base = cacheFolder();
    if (base.empty())
        return makeError("no-cache-folder",
                         "there is no cache folder: neither XDG_CACHE_HOME nor HOME names a folder "
                         "that can be written");
    const std::string folder = base + "/" + kind;
    if (const int error = file_system::makeFolder(folder, 0777); error != 0 && error != EEXIST)
        return unwritable(folder, error);
    std::string path = folder + "/" + name;
    const auto written = write(path, bytes, {"a file of the cache", nullptr, {}, true});
    if (!written)
        return written.error();
    removeOldest(path, mostFiles);
    return path;
}

std::optional<std::string> inCache(const std::string& kind, const std::string& name) {
    const std::string base = cacheFolder();
    if (base.empty())
        return std::nullopt;
    auto bytes = read(base + "/" + kind + "/" + name);
    if (!bytes)
        return std::nullopt;
    return *std::move(bytes);
}

} // namespace marquetry::files
