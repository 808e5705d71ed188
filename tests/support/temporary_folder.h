// Folders that tests write to.
#pragma once

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace marquetry::test {

/// An empty folder of a test's own: the tests of one binary run beside each other. Removed at the
/// end with all that is in it, unless the test has failed.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string pattern = std::filesystem::path(::testing::TempDir()) / "XXXXXX";
        if (mkdtemp(pattern.data()) == nullptr)
            throw std::system_error(errno, std::generic_category(), pattern);
        path_ = pattern;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        if (!::testing::Test::HasFailure())
            std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::string string() const { return path_.string(); }
    std::string operator/(const std::string& name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

} // namespace marquetry::test
