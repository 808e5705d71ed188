// The sources of the project, as its own tests read them.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace marquetry::architecture {

using Files = std::map<std::string, std::string>; ///< texts by path from the top level

/// Headers and sources in the folders and all below them.
inline Files sources(const std::vector<std::string>& folders) {
    namespace fs = std::filesystem;
    const fs::path root = MARQUETRY_SOURCE_DIR;
    Files files;
    for (const std::string& folder : folders) {
        if (!fs::exists(root / folder))
            continue;
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            const std::string extension = entry.path().extension().string();
            if (!entry.is_regular_file() || (extension != ".h" && extension != ".cpp"))
                continue;
            std::ifstream file(entry.path(), std::ios::binary);
            std::stringstream text;
            text << file.rdbuf();
            files[fs::relative(entry.path(), root).generic_string()] = text.str();
        }
    }
    return files;
}

} // namespace marquetry::architecture
