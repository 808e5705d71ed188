// The pages, and the program whose figures they quote.
#pragma once

#include "tests/docs/figures.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace marquetry::docs_test {

inline std::string contentOf(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/// README and all pages below docs/, by path from the top level.
inline std::map<std::string, std::string> pages() {
    namespace fs = std::filesystem;
    const fs::path root = test::sourceFolder();
    std::map<std::string, std::string> found = {{"README.md", contentOf(root / "README.md")}};
    for (const auto& entry : fs::recursive_directory_iterator(root / "docs"))
        if (entry.path().extension() == ".md")
            found[fs::relative(entry.path(), root).generic_string()] = contentOf(entry.path());
    return found;
}

/// The JSON that the built program prints, started at the top level.
inline std::optional<Json> printed(const std::string& command) {
    const test::TemporaryFolder folder;
    const std::string out = folder / "out";
    const std::string line = "cd '" + test::sourceFolder() + "' && " + test::program() + " " +
                             command + " >" + out + " 2>" + out + ".err </dev/null";
    if (std::system(line.c_str()) != 0)
        return std::nullopt;
    Json json = Json::parse(contentOf(out), nullptr, false);
    return json.is_discarded() ? std::nullopt : std::optional(std::move(json));
}

} // namespace marquetry::docs_test
