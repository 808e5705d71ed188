// Hostile names: whatever a path is, nothing but the target changes and nothing is executed.
#include "tests/cli/reliability/commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sys/stat.h>

namespace marquetry::reliability {
namespace {

namespace fs = std::filesystem;

/// Names in the folder out/ of a workplace, which holds what prepare() makes.
std::vector<std::string> hostileNames() {
    std::vector<std::string> names = {"plain",
                                      "two words",
                                      " leading",
                                      "trailing ",
                                      "-leading",
                                      "--json",
                                      "-rf",
                                      "it's",
                                      "\"quoted\"",
                                      "a`id>PWNED`b",
                                      "$(id>PWNED)",
                                      "$HOME",
                                      "${IFS}",
                                      "a;id>PWNED",
                                      "a&id>PWNED&b",
                                      "a|id>PWNED",
                                      "a>PWNED",
                                      "a<in",
                                      "*",
                                      "?",
                                      "[a-z]",
                                      "{a,b}",
                                      "~",
                                      "~root",
                                      "#",
                                      "a#b",
                                      "!x",
                                      "a=b",
                                      "a:b",
                                      "a,b",
                                      "a%20b",
                                      "%s%n",
                                      "\\",
                                      "a\\nb",
                                      "back\\slash",
                                      "new\nline",
                                      "tab\there",
                                      "cr\rhere",
                                      "\x1b[31mred",
                                      "bell\a",
                                      "\x7f",
                                      "\xff\xfe",
                                      "\xc3\x28",
                                      "\xe2\x80\xae"
                                      "tfel",
                                      "größer×",
                                      "日本語",
                                      "🙂",
                                      ".",
                                      "..",
                                      "./x",
                                      "../out/x",
                                      "nope/../x",
                                      "nope/..",
                                      "sub/nope/..",
                                      "sub/../x",
                                      "link/../x",
                                      "nope/../precious",
                                      "precious",
                                      "link",
                                      "linklink",
                                      "dangling",
                                      "loop",
                                      "pipe",
                                      "file",
                                      "file/x",
                                      "/dev/null",
                                      "/dev/full",
                                      "/dev/stdin",
                                      "con",
                                      ".hidden",
                                      "...",
                                      "a/b/c",
                                      "a//b",
                                      "x/",
                                      "x//",
                                      "x/.",
                                      "",
                                      "@file",
                                      "(a)",
                                      "<a>",
                                      "a'b\"c`d$e",
                                      "make:=x",
                                      "$(shell id>PWNED)"};
    names.push_back(std::string(255, 'n'));
    names.push_back(std::string(256, 'n'));
    names.push_back(std::string(5000, 'n'));
    return names;
}

void prepare(const Workplace& place) {
    fs::remove_all(place.path("out"));
    place.put("out/precious/thesis.txt", "mine");
    place.put("out/file", "a file of somebody");
    fs::create_directory(place.path("out/sub"));
    fs::create_directory_symlink("precious", place.path("out/link"));
    fs::create_symlink("link", place.path("out/linklink"));
    fs::create_symlink("nothing", place.path("out/dangling"));
    fs::create_symlink("loop", place.path("out/loop"));
}

/// A name below out/, or an absolute path; options that begin with a dash are given as one word.
std::string pathOf(const Workplace& place, const std::string& name) {
    return name.starts_with("/") ? name : place.path("out") + "/" + name;
}

class Paths : public ::testing::Test {
protected:
    /// What lay in out/ before is there, byte for byte; below the target anything may be.
    void expectKept(const std::map<std::string, std::string>& before, const std::string& context) {
        const auto now = tree(place_.path("out"));
        for (const auto& [path, what] : before)
            EXPECT_EQ(now.contains(path) ? now.at(path) : "missing", what)
                << context << " " << path;
        EXPECT_TRUE(tree(place_.path("in")) == in_) << context;
        for (const char* const folder : {"", "out/", "in/"})
            EXPECT_FALSE(fs::exists(place_.path(std::string(folder) + "PWNED"))) << context;
        EXPECT_FALSE(fs::exists("PWNED")) << context;
    }

    Workplace place_;
    std::map<std::string, std::string> in_ = tree(place_.path("in"));
};

TEST_F(Paths, ThereAreManyNames) {
    EXPECT_GE(hostileNames().size(), 60U);
}

TEST_F(Paths, NothingButTheTargetChanges) {
    std::size_t written = 0;
    for (const std::string& name : hostileNames()) {
        for (const Writer& writer : place_.writers()) {
            prepare(place_);
            const auto before = tree(place_.path("out"));
            const Outcome outcome = place_.write(writer, pathOf(place_, name));
            const std::string context = writer.name + " to '" + name + "'";
            EXPECT_THAT(outcome.status, ::testing::AnyOf(0, 2)) << context << outcome.err;
            EXPECT_EQ(outcome.err.find('\x1b'), std::string::npos) << context;
            expectKept(before, context);
            written += outcome.status == 0 ? 1 : 0;
        }
        if (HasFailure())
            return;
    }
    EXPECT_GE(written, 500U);
}

TEST_F(Paths, WhatIsWrittenCanBeWrittenAgain) {
    for (const char* const name : {"two words", "it's", "$(id>PWNED)", "new\nline", "\xff\xfe"}) {
        for (const Writer& writer : place_.writers()) {
            prepare(place_);
            ASSERT_EQ(place_.write(writer, pathOf(place_, name)).status, 0) << writer.name << name;
            const Outcome again = place_.write(writer, pathOf(place_, name), true);
            EXPECT_EQ(again.status, 0) << writer.name << again.err;
        }
    }
}

/// Every file that a command reads, given as its output too.
TEST_F(Paths, InputsAreNeverOutputs) {
    place_.put("in/p.json", "[]");
    in_ = tree(place_.path("in"));
    for (const Writer& writer : place_.writers()) {
        for (const auto& [input, bytes] : in_) {
            prepare(place_);
            std::vector<std::string> forced = writer.arguments;
            forced.insert(forced.end(), {"--force"});
            if (writer.arguments[0] == "schedule")
                forced.insert(forced.end(), {"--throughput", "1"});
            forced.push_back(writer.option + "=" + place_.file(input));
            const bool reads = std::ranges::any_of(
                writer.arguments, [&](const std::string& a) { return a.ends_with("/" + input); });
            if (!reads)
                continue;
            EXPECT_EQ(runHere(forced).status, 2) << writer.name << " " << input;
            expectKept({}, writer.name + " over " + input);
        }
    }
    const std::string pins = place_.file("p.json");
    EXPECT_EQ(
        runHere({"explore", place_.file("d.mq"), "--pins", pins, "--out", pins, "--force"}).status,
        2);
    expectKept({}, "pins");
}

TEST_F(Paths, InputsThatNeverEndAreRefused) {
    ASSERT_EQ(::mkfifo(place_.path("pipe").c_str(), 0600), 0);
    const std::string design = place_.file("d.mq");
    for (const std::string& input :
         {place_.path("pipe"), std::string("/dev/zero"), place_.path("in"), std::string("/dev/tty"),
          place_.path("none")}) {
        const std::vector<std::vector<std::string>> commands = {
            {"check", input},
            {"run", input, "--out", place_.path("r")},
            {"run", design, "--input", "x=" + input, "--out", place_.path("r")},
            {"explore", input},
            {"explore", design, "--pins", input},
            {"explore", design, "--device", input},
            {"schedule", input, "--throughput", "1"},
            {"bank", input},
            {"count", input},
            {"export", input, "--out", place_.path("e")},
            {"verify", input},
            {"egraph", input, "--export", place_.path("g")},
            {"extract", input},
        };
        for (const auto& command : commands)
            EXPECT_EQ(runHere(command).status, 2) << command[0] << " " << input;
    }
    EXPECT_FALSE(fs::exists(place_.path("r")));
    EXPECT_FALSE(fs::exists(place_.path("e")));
}

/// Exports in folders of every name verify where they are, also when they may not be written.
TEST_F(Paths, ExportsOfAnyNameVerify) {
    for (const std::string& name : hostileNames()) {
        prepare(place_);
        const std::string target = pathOf(place_, name);
        const Writer& writer = place_.writers()[7];
        if (place_.write(writer, target).status != 0)
            continue;
        const auto before = tree(place_.path("out"));
        fs::permissions(target, fs::perms(0555));
        const Outcome verified =
            runHere({"verify", "--simulator", "iverilog", "--vectors", "1", "--", target});
        fs::permissions(target, fs::perms(0755));
        EXPECT_EQ(verified.status, 0) << name << verified.err;
        EXPECT_TRUE(tree(place_.path("out")) == before) << name;
        expectKept({}, "verify of '" + name + "'");
    }
}

} // namespace
} // namespace marquetry::reliability
