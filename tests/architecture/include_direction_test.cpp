#include "tests/architecture/include_rules.h"
#include "tests/architecture/sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::architecture {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(IncludeDirection, NoBackEdgeInTheSources) {
    const Files files = sources({"engine", "widgets", "app"});
    EXPECT_GT(files.size(), 20U);
    EXPECT_THAT(violations(files), IsEmpty());
}

TEST(IncludeDirection, EveryFolderOfTheEngineIsInTheTable) {
    for (const auto& [path, text] : sources({"engine"}))
        EXPECT_TRUE(directEdges().contains(engineFolder(path))) << path;
}

TEST(IncludeDirection, BackEdgesAreFound) {
    EXPECT_THAT(
        violations({{"engine/ir/a.h", "#include <vector>\n#include \"engine/egraph/b.h\"\n"}}),
        ElementsAre("engine/ir/a.h:2: includes engine/egraph/b.h: a back edge: ir may not "
                    "see egraph"));
    EXPECT_EQ(violations({{"engine/design/a.h", " # include \"engine/extract/b.h\"\n"}}).size(),
              1U);
    EXPECT_EQ(violations({{"engine/artefact/a.h", "#include \"engine/extract/b.h\"\n"}}).size(),
              1U);
    EXPECT_EQ(violations({{"engine/device/a.h", "#include \"engine/ir/type.h\"\n"}}).size(), 1U);
    EXPECT_EQ(violations({{"engine/new/a.h", "#include \"engine/ir/type.h\"\n"}}).size(), 1U);
    EXPECT_EQ(violations({{"engine/session/a.h", "#include \"widgets/b.h\"\n"}}).size(), 1U);
    EXPECT_EQ(violations({{"engine/session/a.h", "#include \"app/b.h\"\n"}}).size(), 1U);
}

TEST(IncludeDirection, QtBelowTheEngineIsFound) {
    EXPECT_THAT(violations({{"engine/ir/a.h", "#include <QString>\n"}}),
                ElementsAre("engine/ir/a.h:1: includes QString: Qt is not seen here"));
    EXPECT_EQ(violations({{"app/cli/a.cpp", "#include <QtCore/QFile>\n"}}).size(), 1U);
    EXPECT_THAT(violations({{"app/main.cpp", "#include <QApplication>\n"}}), IsEmpty());
    EXPECT_THAT(violations({{"widgets/a.cpp", "#include <QWidget>\n"}}), IsEmpty());
}

TEST(IncludeDirection, HeadersWithAWrapperAreFound) {
    EXPECT_THAT(violations({{"engine/rtl/a.h", "#include <sstream>\n"}}),
                ElementsAre("engine/rtl/a.h:1: includes sstream: include "
                            "engine/support/text_stream.h"));
    EXPECT_EQ(violations({{"app/cli/a.cpp", "#include <nlohmann/json.hpp>\n"}}).size(), 1U);
    EXPECT_THAT(violations({{"engine/support/json.h", "#include <nlohmann/json.hpp>\n"},
                            {"engine/support/text_stream.h", "#include <sstream>\n"}}),
                IsEmpty());
}

TEST(IncludeDirection, WidgetsDoNotSeeTheApp) {
    EXPECT_EQ(violations({{"widgets/a.cpp", "#include \"app/b.h\"\n"}}).size(), 1U);
}

TEST(IncludeDirection, TransitiveDirectionsAreAllowed) {
    EXPECT_THAT(violations({{"engine/session/a.h", "#include \"engine/support/rng.h\"\n"
                                                   "#include \"engine/rules/catalog.h\"\n"
                                                   "#include \"engine/ir/type.h\"\n"},
                            {"app/a.h", "#include \"widgets/b.h\"\n"}}),
                IsEmpty());
}

TEST(FileLength, NoFileIsLongerThanTheLimit) {
    constexpr std::ptrdiff_t kHardLimit = 800;
    EXPECT_THAT(tooLong(sources({"engine", "widgets", "app", "tests"}), kHardLimit), IsEmpty());
}

TEST(FileLength, LongFilesAreFound) {
    EXPECT_THAT(tooLong({{"a.h", "1\n2\n3\n"}, {"b.h", "1\n2\n"}}, 2), ElementsAre("a.h: 3 lines"));
}

// A name that two tests share is a file that one reads while the other writes it.
TEST(TestFiles, AreInFoldersOfOneTest) {
    const std::string allowed = "tests/support/temporary_folder.h";
    for (const auto& [path, text] : sources({"tests"})) {
        if (path == allowed || path.starts_with("tests/architecture/"))
            continue;
        for (const char* const shared : {"temp_directory_path", "TempDir("})
            EXPECT_EQ(text.find(shared), std::string::npos) << path << ": use " << allowed;
    }
}

} // namespace
} // namespace marquetry::architecture
