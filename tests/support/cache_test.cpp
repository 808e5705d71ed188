// Files that are kept in the user's cache folder.
#include "engine/support/cache.h"
#include "engine/support/files.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace marquetry {
namespace {

namespace fs = std::filesystem;

class Cache : public ::testing::Test {
protected:
    Cache() { ::setenv("XDG_CACHE_HOME", folder_.string().c_str(), 1); }

    test::TemporaryFolder folder_;
};

TEST_F(Cache, KeepsTheNewestFiles) {
    const fs::path kept = folder_.path() / "marquetry" / "traces";
    for (int k = 0; k < 5; ++k) {
        const auto path =
            files::keepInCache("traces", "t" + std::to_string(k) + ".vcd", std::to_string(k), 3);
        ASSERT_TRUE(path) << format(path.error());
        EXPECT_EQ(*files::read(*path), std::to_string(k));
        // The clock of the file system may be coarse.
        fs::last_write_time(*path, fs::file_time_type::clock::now() - std::chrono::hours(10 - k));
        if (k == 0)
            std::ofstream(kept / "README") << "the user's";
    }
    EXPECT_TRUE(files::keepInCache("traces", "t2.vcd", "anew", 3));
    EXPECT_EQ(*files::read((kept / "t2.vcd").string()), "anew");
    int count = 0;
    for (const auto& entry : fs::directory_iterator(kept))
        count += entry.path().extension() == ".vcd" ? 1 : 0;
    EXPECT_EQ(count, 3);
    EXPECT_TRUE(fs::exists(kept / "t4.vcd"));
    EXPECT_TRUE(fs::exists(kept / "README"));
}

TEST_F(Cache, GivesBackWhatWasKept) {
    ASSERT_TRUE(files::keepInCache("objects", "a.o", "bytes", 3));
    EXPECT_EQ(files::inCache("objects", "a.o"), "bytes");
    EXPECT_FALSE(files::inCache("objects", "b.o"));
    EXPECT_FALSE(files::inCache("other", "a.o"));
}

TEST_F(Cache, SaysThatThereIsNone) {
    ::setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
    const auto path = files::keepInCache("traces", "t.vcd", "x", 3);
    ASSERT_FALSE(path);
    EXPECT_EQ(path.error().front().code, "no-cache-folder");
}

TEST_F(Cache, SaysWhyAFileCannotBeKept) {
    fs::create_directories(folder_.path() / "marquetry");
    std::ofstream(folder_ / "marquetry/traces") << "a file";
    const auto path = files::keepInCache("traces", "t.vcd", "x", 3);
    ASSERT_FALSE(path);
    EXPECT_EQ(path.error().front().code, "output-unwritable");
}

} // namespace
} // namespace marquetry
