#include "engine/support/folders.h"

#include "engine/support/file_system.h"
#include "engine/support/leftovers.h"
#include "engine/support/sha256.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace marquetry::files {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

/// A folder's kind whose marker "list" names its files with their hashes.
std::optional<OwnedFiles> listed(const std::string& folder) {
    std::ifstream list(folder + "/list");
    if (!list)
        return std::nullopt;
    OwnedFiles owned{{"list", ""}};
    for (std::string name, hash; list >> name >> hash;)
        owned[name] = hash;
    return owned;
}

FolderFiles version(const std::string& text) {
    FolderFiles files{{"a", "a " + text}, {"sub/b", "b " + text}, {"sub/deep/c", "c " + text}};
    std::string list;
    for (const auto& [name, bytes] : files)
        list += name + " " + sha256(bytes) + "\n";
    files["list"] = list;
    return files;
}

class Folders : public ::testing::Test {
protected:
    ~Folders() override { file_system::setFault({}); }

    static ReplaceFolder rule() {
        ReplaceFolder replace;
        replace.kind = "a list";
        replace.owned = listed;
        return replace;
    }
    static void put(const std::string& path, const std::string& text) {
        fs::create_directories(fs::path(path).parent_path());
        std::ofstream(path, std::ios::binary) << text;
    }
    static std::string get(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        std::ostringstream text;
        text << file.rdbuf();
        return text.str();
    }
    /// Every file below a folder with its bytes; links with what they name.
    static FolderFiles tree(const std::string& folder) {
        FolderFiles all;
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            const std::string name = entry.path().lexically_relative(folder).generic_string();
            if (entry.is_symlink())
                all[name] = "-> " + fs::read_symlink(entry.path()).string();
            else if (entry.is_regular_file())
                all[name] = get(entry.path());
        }
        return all;
    }
    static std::string codeOf(const Result<Written>& written) {
        return written ? "none" : written.error()[0].code;
    }
    std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const auto& entry : fs::directory_iterator(folder_.path()))
            all.push_back(entry.path().filename().string());
        return all;
    }
    Result<Written> replace(const std::string& text) const {
        return replaceFolder(out_, version(text), rule());
    }

    test::TemporaryFolder folder_;
    const std::string out_ = folder_ / "out";
};

TEST_F(Folders, AreMadeAndReplacedWhole) {
    ASSERT_TRUE(replace("1").has_value());
    EXPECT_EQ(tree(out_), version("1"));
    FolderFiles fewer = version("2");
    fewer.erase("sub/deep/c");
    fewer["list"] = "a " + sha256(fewer["a"]) + " sub/b " + sha256(fewer["sub/b"]);
    ASSERT_TRUE(replaceFolder(out_ + "/", fewer, rule()).has_value());
    EXPECT_EQ(tree(out_), fewer);
    EXPECT_FALSE(fs::exists(out_ + "/sub/deep"));
    EXPECT_THAT(names(), UnorderedElementsAre("out"));
}

TEST_F(Folders, MissingParentsAreMadeButNotBehindDots) {
    EXPECT_TRUE(replaceFolder(folder_ / "x/y/out", version("1"), rule()).has_value());
    put(folder_ / "precious/thesis", "mine");
    for (const char* const path : {"nope/../precious", "sub/nope/..", "nope/..", "nope/../new"})
        EXPECT_NE(codeOf(replaceFolder(folder_ / path, version("1"), rule())), "none") << path;
    EXPECT_EQ(get(folder_ / "precious/thesis"), "mine");
    EXPECT_FALSE(fs::exists(folder_ / "new"));
}

TEST_F(Folders, EmptyFoldersAreTakenAndOthersAreNot) {
    fs::create_directory(out_);
    ASSERT_TRUE(replace("1").has_value());
    put(folder_ / "home/thesis", "mine");
    put(folder_ / "file", "mine");
    EXPECT_EQ(codeOf(replaceFolder(folder_ / "home", version("1"), rule())), "output-exists");
    EXPECT_EQ(codeOf(replaceFolder(folder_ / "file", version("1"), rule())), "output-exists");
    ReplaceFolder force = rule();
    force.force = true;
    EXPECT_EQ(codeOf(replaceFolder(folder_ / "home", version("1"), force)), "output-exists");
    EXPECT_EQ(tree(folder_ / "home"), (FolderFiles{{"thesis", "mine"}}));
}

TEST_F(Folders, FilesOfTheUserAreKept) {
    ASSERT_TRUE(replace("1").has_value());
    put(out_ + "/notes.txt", "mine");
    put(out_ + "/sub/notes.txt", "mine too");
    put(out_ + "/vivado/run/log", "long");
    fs::create_directories(out_ + "/empty");
    fs::create_symlink("../elsewhere", out_ + "/link");
    ASSERT_TRUE(replace("2").has_value());
    FolderFiles expected = version("2");
    expected["notes.txt"] = "mine";
    expected["sub/notes.txt"] = "mine too";
    expected["vivado/run/log"] = "long";
    expected["link"] = "-> ../elsewhere";
    EXPECT_EQ(tree(out_), expected);
    EXPECT_TRUE(fs::is_directory(out_ + "/empty"));
}

TEST_F(Folders, EditedFilesOfOursAreReplacedByForceAlone) {
    ASSERT_TRUE(replace("1").has_value());
    put(out_ + "/sub/b", "edited");
    const auto refused = replace("2");
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error()[0].code, "output-exists");
    EXPECT_THAT(refused.error()[0].message, HasSubstr("'sub/b'"));
    EXPECT_EQ(get(out_ + "/sub/b"), "edited");
    ReplaceFolder force = rule();
    force.force = true;
    ASSERT_TRUE(replaceFolder(out_, version("2"), force).has_value());
    EXPECT_EQ(tree(out_), version("2"));
}

TEST_F(Folders, NamesOfTheUserAreNotTaken) {
    ASSERT_TRUE(replace("1").has_value());
    put(out_ + "/mine", "mine");
    FolderFiles files = version("2");
    files["mine"] = "ours";
    EXPECT_EQ(codeOf(replaceFolder(out_, files, rule())), "output-exists");
    files.erase("mine");
    files["mine/below"] = "ours";
    EXPECT_EQ(codeOf(replaceFolder(out_, files, rule())), "output-exists");
    EXPECT_EQ(get(out_ + "/mine"), "mine");
    EXPECT_EQ(get(out_ + "/a"), "a 1");
}

TEST_F(Folders, LinksToFoldersStayLinks) {
    ASSERT_TRUE(replaceFolder(folder_ / "real", version("1"), rule()).has_value());
    fs::create_directory_symlink("real", folder_ / "link");
    ASSERT_TRUE(replaceFolder(folder_ / "link", version("2"), rule()).has_value());
    EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
    EXPECT_EQ(tree(folder_ / "real"), version("2"));
    put(folder_ / "keep/thesis", "mine");
    fs::create_directory_symlink("keep", folder_ / "other");
    EXPECT_EQ(codeOf(replaceFolder(folder_ / "other", version("1"), rule())), "output-exists");
    EXPECT_EQ(tree(folder_ / "keep"), (FolderFiles{{"thesis", "mine"}}));
}

TEST_F(Folders, InputsInTheFolderAreNotReplaced) {
    ASSERT_TRUE(replace("1").has_value());
    ReplaceFolder replace = rule();
    replace.inputs = {out_ + "/sub/b"};
    EXPECT_EQ(codeOf(replaceFolder(out_, version("2"), replace)), "output-is-input");
    EXPECT_EQ(tree(out_), version("1"));
}

TEST_F(Folders, AfterAnyFaultTheOldOrTheNewVersionIsThere) {
    for (const int cause : {ENOSPC, EIO, EACCES, EMFILE, EROFS}) {
        for (const bool lasting : {false, true}) {
            if (lasting && cause != ENOSPC)
                continue;
            int failing = 0;
            for (int calls = 1; calls >= failing; ++failing) {
                ReplaceFolder force = rule();
                force.force = true;
                ASSERT_TRUE(replaceFolder(out_, version("old"), force).has_value());
                put(out_ + "/notes", "mine");
                FolderFiles before = version("old");
                FolderFiles after = version("new");
                before["notes"] = after["notes"] = "mine";
                calls = 0;
                file_system::setFault([&](std::string_view) {
                    const int call = calls++;
                    return call == failing || (lasting && call > failing) ? cause : 0;
                });
                const auto written = replace("new");
                file_system::setFault({});
                ASSERT_EQ(written.has_value(), calls <= failing) << failing;
                if (!written) {
                    EXPECT_THAT(written.error()[0].message, HasSubstr(strerror(cause)));
                }
                EXPECT_THAT(tree(out_), ::testing::AnyOf(before, after));
                EXPECT_THAT(names(), UnorderedElementsAre("out"));
            }
            EXPECT_GE(failing, 10);
        }
    }
}

/// A file system that cannot exchange: two renames, each of which may fail.
TEST_F(Folders, WithoutExchangeTheOldVersionIsPutAsideFirst) {
    int calls = 1;
    for (int failing = 0; failing <= calls; ++failing) {
        fs::remove_all(out_);
        ASSERT_TRUE(replace("old").has_value());
        calls = 0;
        bool failed = false;
        file_system::setFault([&](std::string_view call) {
            if (call == "exchange")
                return EINVAL;
            if (calls++ != failing)
                return 0;
            failed = true;
            return EIO;
        });
        const auto written = replace("new");
        file_system::setFault({});
        EXPECT_EQ(written.has_value(), !failed) << failing;
        EXPECT_THAT(tree(out_), ::testing::AnyOf(version("old"), version("new")));
        EXPECT_THAT(names(), UnorderedElementsAre("out"));
    }
}

/// As a killed run leaves them: the old version aside, or the new one half made.
TEST_F(Folders, WhatAKilledRunPutAsideIsPutBack) {
    const std::string container = folder_ / leftovers::freshName();
    ASSERT_TRUE(replaceFolder(container + "/old", version("old"), rule()).has_value());
    put(container + "/name", "out");
    put(container + "/new/a", "half");
    const auto written = replaceFolder(folder_ / "other", version("1"), rule());
    ASSERT_TRUE(written.has_value());
    ASSERT_EQ(written->warnings.size(), 1U);
    EXPECT_EQ(written->warnings[0].code, "leftover-restored");
    EXPECT_EQ(tree(out_), version("old"));
    EXPECT_THAT(names(), UnorderedElementsAre("out", "other"));
}

TEST_F(Folders, ALeftoverNamesNothingOutside) {
    const std::string container = folder_ / "in" + ("/" + leftovers::freshName());
    put(container + "/old/a", "a");
    put(container + "/name", "../stolen");
    ASSERT_TRUE(replaceFolder(folder_ / "in/out", version("1"), rule()).has_value());
    EXPECT_FALSE(fs::exists(folder_ / "stolen"));
    EXPECT_FALSE(fs::exists(container));
}

/// The kill may come at any call.
TEST_F(Folders, AKillAtAnyCallLeavesTheOldOrTheNewVersion) {
    for (int last = 0;; ++last) {
        ReplaceFolder force = rule();
        force.force = true;
        ASSERT_TRUE(replaceFolder(out_, version("old"), force).has_value());
        const pid_t child = fork();
        if (child == 0) {
            int calls = 0;
            file_system::setFault([&](std::string_view) {
                if (calls++ == last)
                    ::kill(::getpid(), SIGKILL);
                return 0;
            });
            _exit(replace("new").has_value() ? 0 : 1);
        }
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_THAT(tree(out_), ::testing::AnyOf(version("old"), version("new"))) << last;
        ASSERT_TRUE(replace("next").has_value());
        EXPECT_EQ(tree(out_), version("next"));
        EXPECT_THAT(names(), UnorderedElementsAre("out"));
        if (WIFEXITED(status)) {
            EXPECT_EQ(WEXITSTATUS(status), 0);
            EXPECT_GE(last, 10);
            break;
        }
    }
}

TEST(PrivateFolders, HavePlainPathsAndAreRemoved) {
    std::string path;
    {
        const auto folder = PrivateFolder::make();
        ASSERT_TRUE(folder.has_value());
        path = folder->path();
        EXPECT_EQ(path.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                         "0123456789/_.-"),
                  std::string::npos);
        ASSERT_TRUE(folder->write("a/b/c", "text").has_value());
        EXPECT_TRUE(fs::exists(path + "/a/b/c"));
        EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    }
    EXPECT_FALSE(fs::exists(path));
}

TEST(PrivateFolders, AHostileTemporaryFolderIsNotUsed) {
    const test::TemporaryFolder root;
    fs::create_directory(root / "a b;`id`");
    const char* const before = std::getenv("TMPDIR");
    const std::string saved = before != nullptr ? before : "";
    ::setenv("TMPDIR", (root / "a b;`id`").c_str(), 1);
    const auto folder = PrivateFolder::make();
    if (before != nullptr)
        ::setenv("TMPDIR", saved.c_str(), 1);
    else
        ::unsetenv("TMPDIR");
    ASSERT_TRUE(folder.has_value());
    EXPECT_TRUE(folder->path().starts_with("/tmp/"));
}

} // namespace
} // namespace marquetry::files
