// A cache folder of a test's own, in which compiled parts of simulators are those of all tests:
// compiling them takes longer than most tests. They are found by their contents' hash.
// Thread rule: before threads are started; the environment is changed.
#pragma once

#include "tests/support/places.h"

#include <cstdlib>
#include <filesystem>
#include <string>

namespace marquetry::test {

inline void useCacheFolder(const std::filesystem::path& folder) {
    const std::filesystem::path shared = buildFolder() + "/tests/verilator";
    std::filesystem::create_directories(shared);
    std::filesystem::create_directories(folder / "marquetry");
    std::error_code there;
    std::filesystem::create_directory_symlink(shared, folder / "marquetry" / "verilator", there);
    ::setenv("XDG_CACHE_HOME", folder.c_str(), 1);
}

} // namespace marquetry::test
