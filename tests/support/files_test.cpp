#include "engine/support/files.h"

#include "engine/support/file_system.h"
#include "engine/support/leftovers.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace marquetry::files {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Files : public ::testing::Test {
protected:
    ~Files() override { file_system::setFault({}); }

    std::string put(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return folder_ / name;
    }
    static std::string get(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        std::ostringstream text;
        text << file.rdbuf();
        return text.str();
    }
    std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const auto& entry : fs::directory_iterator(folder_.path()))
            all.push_back(entry.path().filename().string());
        std::ranges::sort(all);
        return all;
    }
    static Replace tables() {
        Replace rule;
        rule.kind = "a table";
        rule.isOfKind = [](std::string_view text) { return text.starts_with("table"); };
        return rule;
    }
    static std::string codeOf(const Result<Written>& written) {
        return written ? "none" : written.error()[0].code;
    }
    static std::string codeOf(const Result<std::string>& text) {
        return text ? "none" : text.error()[0].code;
    }

    test::TemporaryFolder folder_;
};

TEST_F(Files, ReadsRegularFilesWhole) {
    const std::string bytes("a\0b\n\xff", 5);
    EXPECT_EQ(*read(put("a", bytes)), bytes);
    EXPECT_EQ(*read(put("empty", "")), "");
    EXPECT_EQ(*read(put("five", "12345"), 5), "12345");
    const auto large = read(folder_ / "five", 4);
    ASSERT_FALSE(large.has_value());
    EXPECT_EQ(large.error()[0].code, "file-too-large");
}

TEST_F(Files, WhatIsNoRegularFileIsNamed) {
    ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
    const auto pipe = read(folder_ / "pipe");
    ASSERT_FALSE(pipe.has_value());
    EXPECT_THAT(pipe.error()[0].message, HasSubstr("is a pipe"));
    EXPECT_THAT(read("/dev/zero").error()[0].message, HasSubstr("is a device"));
    EXPECT_THAT(read(folder_.string()).error()[0].message, HasSubstr("is a folder"));
    EXPECT_EQ(codeOf(read(folder_ / "none")), "file-missing");
    EXPECT_EQ(codeOf(read(put("file", "") + "/below")), "file-missing");
}

/// Root may read everything: another user looks.
class AnotherUser {
public:
    AnotherUser() : root_(::geteuid() == 0) {
        constexpr uid_t kNobody = 65534;
        if (root_ && ::seteuid(kNobody) != 0)
            ADD_FAILURE() << "cannot become another user";
    }
    ~AnotherUser() {
        if (root_ && ::seteuid(0) != 0)
            std::abort();
    }
    AnotherUser(const AnotherUser&) = delete;
    AnotherUser& operator=(const AnotherUser&) = delete;

private:
    bool root_;
};

TEST_F(Files, AFolderThatMayNotBeReadIsNotAMissingFile) {
    const fs::path closed = fs::path("/tmp") / leftovers::freshName();
    fs::create_directory(closed);
    fs::permissions(closed, fs::perms::none);
    const auto text = [&] {
        const AnotherUser nobody;
        return read(closed / "file");
    }();
    fs::remove(closed);
    ASSERT_FALSE(text.has_value());
    EXPECT_EQ(text.error()[0].code, "file-unreadable");
    EXPECT_THAT(text.error()[0].message, HasSubstr("Permission denied"));
}

TEST_F(Files, WritesNewFilesAndReplacesItsOwnKind) {
    ASSERT_TRUE(write(folder_ / "t", "table 1", tables()).has_value());
    ASSERT_TRUE(write(folder_ / "t", "table 2", tables()).has_value());
    EXPECT_EQ(get(folder_ / "t"), "table 2");
    put("empty", "");
    ASSERT_TRUE(write(folder_ / "empty", "table", tables()).has_value());
    EXPECT_EQ(names(), (std::vector<std::string>{"empty", "t"}));
}

TEST_F(Files, StrangersFilesAreReplacedByForceAlone) {
    const std::string thesis = put("thesis.txt", "my thesis");
    EXPECT_EQ(codeOf(write(thesis, "table", tables())), "output-exists");
    EXPECT_EQ(get(thesis), "my thesis");
    Replace force = tables();
    force.force = true;
    EXPECT_TRUE(write(thesis, "table", force).has_value());
    EXPECT_EQ(get(thesis), "table");
}

TEST_F(Files, InputsAreNeverReplaced) {
    const std::string input = put("in", "table of the user");
    fs::create_symlink(input, folder_ / "link");
    fs::create_hard_link(input, folder_ / "hard");
    Replace rule = tables();
    rule.force = true;
    for (const std::string& read : {input, folder_ / "link", folder_ / "hard"}) {
        rule.inputs = {folder_ / "none", read};
        for (const std::string& out : {input, folder_ / "link", folder_ / "hard"})
            EXPECT_EQ(codeOf(write(out, "table", rule)), "output-is-input") << read << " " << out;
    }
    EXPECT_EQ(get(input), "table of the user");
}

TEST_F(Files, ModesAndLinksOfTheTargetStay) {
    const std::string target = put("t", "table");
    fs::permissions(target, fs::perms(0640));
    fs::create_symlink("t", folder_ / "link");
    fs::create_symlink("link", folder_ / "link2");
    ASSERT_TRUE(write(folder_ / "link2", "table 2", tables()).has_value());
    EXPECT_EQ(get(target), "table 2");
    EXPECT_EQ(fs::status(target).permissions(), fs::perms(0640));
    EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
    EXPECT_TRUE(fs::is_symlink(folder_ / "link2"));
}

TEST_F(Files, TargetsThatAreNoFilesAreRefused) {
    Replace force = tables();
    force.force = true;
    fs::create_directory(folder_ / "folder");
    ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
    fs::create_symlink("nothing", folder_ / "dangling");
    fs::create_symlink("loop", folder_ / "loop");
    for (const char* name :
         {"folder", "folder/", "pipe", "dangling", "loop", "none/x", "none/../x", "folder/."})
        EXPECT_NE(codeOf(write(folder_ / name, "table", force)), "none") << name;
    EXPECT_NE(codeOf(write("", "table", force)), "none");
    EXPECT_NE(codeOf(write("/dev/null", "table", force)), "none");
    EXPECT_EQ(names(), (std::vector<std::string>{"dangling", "folder", "loop", "pipe"}));
}

TEST_F(Files, PathsAreResolvedOnce) {
    fs::create_directories(folder_ / "sub/deep");
    fs::create_directory_symlink("sub/deep", folder_ / "link");
    ASSERT_TRUE(write(folder_ / "link/../x", "table", tables()).has_value());
    EXPECT_EQ(get(folder_ / "sub/x"), "table"); // as the system resolves it, not as text
    EXPECT_FALSE(fs::exists(folder_ / "x"));
}

TEST_F(Files, LongNamesCanBeWritten) {
    const std::string name(255, 'n');
    ASSERT_TRUE(write(folder_ / name, "table", tables()).has_value());
    EXPECT_EQ(codeOf(write(folder_ / (name + "n"), "table", tables())), "output-unwritable");
}

/// Every call of a write fails in turn, once and from then on, with every cause.
TEST_F(Files, AfterAnyFaultTheOldOrTheNewVersionIsThere) {
    for (const int cause : {ENOSPC, EIO, EACCES, EMFILE, EROFS}) {
        for (const bool lasting : {false, true}) {
            if (lasting && cause != ENOSPC)
                continue;
            int failing = 0;
            for (int calls = 1; calls >= failing; ++failing) {
                put("t", "table old");
                calls = 0;
                file_system::setFault([&](std::string_view) {
                    const int call = calls++;
                    return call == failing || (lasting && call > failing) ? cause : 0;
                });
                const auto written = write(folder_ / "t", "table new", tables());
                file_system::setFault({});
                ASSERT_EQ(written.has_value(), calls <= failing) << failing;
                if (!written) {
                    EXPECT_THAT(written.error()[0].message, HasSubstr(strerror(cause)));
                }
                EXPECT_THAT(get(folder_ / "t"), ::testing::AnyOf("table old", "table new"));
                EXPECT_EQ(names(), std::vector<std::string>{"t"});
                ASSERT_TRUE(write(folder_ / "t", "table next", tables()).has_value());
                EXPECT_EQ(get(folder_ / "t"), "table next");
            }
            EXPECT_GE(failing, 4);
        }
    }
}

TEST_F(Files, LeftoversOfKilledRunsAreClearedAndReported) {
    const std::string dead = put(leftovers::freshName(), "half a tab");
    const std::string alive = put(leftovers::freshName(), "half a tab");
    const std::string stranger = put(".marquetry-tmp-notes", "mine");
    const file_system::Descriptor lock(::open(alive.c_str(), O_RDONLY | O_CLOEXEC));
    ASSERT_EQ(::flock(lock.get(), LOCK_EX), 0);
    const auto written = write(folder_ / "t", "table", tables());
    ASSERT_TRUE(written.has_value());
    ASSERT_EQ(written->warnings.size(), 1U);
    EXPECT_EQ(written->warnings[0].code, "leftover-removed");
    EXPECT_THAT(written->warnings[0].message, HasSubstr(dead));
    EXPECT_FALSE(fs::exists(dead));
    EXPECT_TRUE(fs::exists(alive));
    EXPECT_TRUE(fs::exists(stranger));
}

TEST_F(Files, MessagesHoldNoControlCharacters) {
    const auto text = read(folder_ / "a\x1b[31m\nb\xff");
    ASSERT_FALSE(text.has_value());
    EXPECT_THAT(text.error()[0].message, HasSubstr("a\\x1b[31m\\x0ab\\xff"));
}

} // namespace
} // namespace marquetry::files
