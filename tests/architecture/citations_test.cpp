// Every page, heading and section that comments and pages cite can be opened in the repository.
#include "tests/architecture/citation_rules.h"
#include "tests/architecture/sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::architecture {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string> kFolders = {"engine", "app", "widgets",  "tests",
                                           "docs",   ".ci", "examples", "resources"};

/// Sources, pages and scripts; the rules themselves name what does not exist.
Files citing() {
    Files files = sources(kFolders, {".h", ".cpp", ".md", ".txt", ".sh"});
    files["README.md"] = contentOf(fs::path(test::sourceFolder()) / "README.md");
    std::erase_if(files, [](const auto& file) {
        return file.first.starts_with("tests/architecture/citation") ||
               file.first.starts_with("tests/data/");
    });
    return files;
}

std::set<std::string> everything() {
    const fs::path root = test::sourceFolder();
    std::set<std::string> paths;
    for (const auto& folder : kFolders)
        for (const auto& entry : fs::recursive_directory_iterator(root / folder))
            paths.insert(fs::relative(entry.path(), root).generic_string());
    for (const auto& entry : fs::directory_iterator(root))
        paths.insert(entry.path().filename().string());
    return paths;
}

TEST(Citations, AllCanBeOpened) {
    const Files files = citing();
    EXPECT_GT(files.size(), 500U);
    for (const std::string& finding : brokenCitations(files, everything()))
        ADD_FAILURE() << finding;
}

TEST(Citations, CommentsCitePagesOfBackground) {
    std::size_t cited = 0;
    for (const auto& [path, text] : sources({"engine"}))
        cited += text.find("background/") != std::string::npos ? 1 : 0;
    EXPECT_GT(cited, 40U);
}

const Files kPage = {{"docs/background/banking.md", "# Banking\n\n## Conflict `test`\n"},
                     {"docs/background/skeleshare.md", "# SkeleShare\n\n\xc2\xa7III-A.\n"}};

std::vector<std::string> broken(const std::string& path, const std::string& text) {
    Files files = kPage;
    files[path] = text;
    return brokenCitations(files, {"docs/picture.png"});
}

TEST(Citations, WhatIsThereIsNoFinding) {
    EXPECT_THAT(broken("engine/a.h", "// Why (background/banking.md, \"Conflict test\").\n"),
                IsEmpty());
    EXPECT_THAT(broken("engine/a.h", "int a; // (background/banking.md, \"Conflict\n/// test\")\n"),
                IsEmpty());
    EXPECT_THAT(broken("engine/a.cpp", "\"SkeleShare, in words (\xc2\xa7III-A).\"\n"), IsEmpty());
    EXPECT_THAT(broken("docs/b.md", "[x](background/banking.md#conflict-test) [y](#b)\n# b\n"
                                    "![z](picture.png) [w](https://a.b/c.md) `F[a](U)`\n"),
                IsEmpty());
}

TEST(Citations, PagesAndHeadingsThatAreMissingAreFound) {
    EXPECT_THAT(broken("engine/a.h", "\n// Why (units.md, \"Sorts\").\n"),
                ElementsAre("engine/a.h:2: no page docs/units.md"));
    EXPECT_THAT(broken("engine/a.h", "// (background/banking.md, \"Conflict test\", \"Cost\")\n"),
                ElementsAre("engine/a.h:1: no heading \"Cost\" in docs/background/banking.md"));
    EXPECT_THAT(broken("tests/CMakeLists.txt", "# as docs/none.md says\n"),
                ElementsAre("tests/CMakeLists.txt:1: no page docs/none.md"));
}

TEST(Citations, SectionsWithoutAPageAreFound) {
    EXPECT_THAT(broken("engine/a.h", "// (reference, \xc2\xa7"
                                     "B)\n"),
                ElementsAre("engine/a.h:1: \xc2\xa7"
                            "B of no paper that docs/background has"));
    EXPECT_THAT(broken("engine/a.cpp", "\"SkeleShare \xc2\xa7II\"\n"),
                ElementsAre("engine/a.cpp:1: \xc2\xa7II is not on docs/background/skeleshare.md"));
    EXPECT_THAT(broken("engine/a.cpp", "\"SkeleShare \xc2\xa7IX\"\n"),
                ElementsAre("engine/a.cpp:1: \xc2\xa7IX is not on docs/background/skeleshare.md"));
}

TEST(Citations, LinksThatLeadNowhereAreFound) {
    EXPECT_THAT(broken("docs/b.md", "[x](none.md)\n"),
                ElementsAre("docs/b.md:1: no file docs/none.md"));
    EXPECT_THAT(broken("docs/b.md", "# b\n```\n# c\n```\n[x](#c)\n"),
                ElementsAre("docs/b.md:5: no heading #c in docs/b.md"));
    EXPECT_THAT(broken("docs/b.md", "![x](none.png)\n"),
                ElementsAre("docs/b.md:1: no file docs/none.png"));
}

} // namespace
} // namespace marquetry::architecture
