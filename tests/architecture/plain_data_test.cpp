#include "tests/architecture/plain_data.h"
#include "tests/architecture/sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::architecture {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(WidgetsSeePlainData, AndReachNoSolver) {
    const Files files = sources({"engine", "widgets"});
    EXPECT_GT(files.size(), 300U);
    EXPECT_THAT(solversSeen(files), IsEmpty());
}

TEST(WidgetsSeePlainData, ThatDeclaresNothingElse) {
    const Files files = sources({"engine"});
    for (const auto& [path, functions] : plainData()) {
        ASSERT_TRUE(files.contains(path)) << path;
        EXPECT_THAT(notPlain(path, files.at(path)), IsEmpty());
        for (const std::string& name : functions)
            EXPECT_NE(files.at(path).find(" " + name + "("), std::string::npos)
                << path << " has no " << name;
    }
}

TEST(WidgetsSeePlainData, SolversAreFoundThroughHeaders) {
    EXPECT_THAT(
        solversSeen({{"widgets/a.cpp", "#include \"widgets/b.h\"\n"},
                     {"widgets/b.h", "#include \"engine/session/snapshot.h\"\n"},
                     {"engine/session/snapshot.h",
                      "#include \"engine/ir/type.h\"\n#include \"engine/egraph/ematch.h\"\n"},
                     {"engine/egraph/ematch.h", ""},
                     {"engine/ir/type.h", ""}}),
        ElementsAre("widgets/b.h > engine/session/snapshot.h > engine/egraph/ematch.h: no "
                    "plain data"));
    EXPECT_THAT(solversSeen({{"app/a.cpp", "#include \"engine/egraph/ematch.h\"\n"},
                             {"engine/egraph/ematch.h", ""}}),
                IsEmpty());
    for (const char* const solver : {"engine/session/session.h", "engine/egraph/egraph.h"})
        EXPECT_THAT(solversSeen({{"widgets/a.cpp", "#include \"" + std::string(solver) + "\"\n"},
                                 {solver, ""}}),
                    ElementsAre("widgets/a.cpp > " + std::string(solver) + ": no plain data"));
    EXPECT_THAT(solversSeen({{"widgets/a.cpp", "#include \"engine/session/snapshot.h\"\n"
                                               "#include \"engine/design/design.h\"\n"
                                               "#include \"engine/ir/program.h\"\n"},
                             {"engine/session/snapshot.h", ""},
                             {"engine/design/design.h", ""},
                             {"engine/ir/program.h", ""}}),
                IsEmpty());
}

TEST(WidgetsSeePlainData, SearchesInItAreFound) {
    const std::string path = "engine/banking/witness.h";
    const auto in = [&](const std::string& body) {
        return notPlain(path, "namespace marquetry::banking {\n" + body + "\n}\n");
    };
    EXPECT_THAT(in("struct Witness { int bank = 0; };\nstd::string text(const Witness& w);"),
                IsEmpty());
    EXPECT_THAT(in("bool collides(Maps maps);"),
                ElementsAre(path + ":2: collides is a function of no plain data"));
    EXPECT_THAT(in("class Search { void run(std::stop_token stop); };"),
                ElementsAre(path + ":2: what can be stopped is work"));
}

} // namespace
} // namespace marquetry::architecture
