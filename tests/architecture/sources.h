// The sources of the project, as its own tests read them.
#pragma once

#include "tests/support/places.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace marquetry::architecture {

using Files = std::map<std::string, std::string>; ///< texts by path from the top level

inline std::string contentOf(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Headers and sources, or files of other kinds, in the folders and all below them.
inline Files sources(const std::vector<std::string>& folders,
                     const std::vector<std::string>& extensions = {".h", ".cpp"}) {
    namespace fs = std::filesystem;
    const fs::path root = test::sourceFolder();
    Files files;
    for (const std::string& folder : folders) {
        if (!fs::exists(root / folder))
            continue;
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            const std::string extension = entry.path().extension().string();
            if (!entry.is_regular_file() || !std::ranges::count(extensions, extension))
                continue;
            files[fs::relative(entry.path(), root).generic_string()] = contentOf(entry.path());
        }
    }
    return files;
}

} // namespace marquetry::architecture
