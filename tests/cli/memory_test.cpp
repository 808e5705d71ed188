// `check` on memory items.
#include "tests/cli/cli_fixture.h"

namespace marquetry::cli_test {
namespace {

using ::testing::HasSubstr;

TEST_F(Cli, CheckListsMemories) {
    const std::string file = write("m.mq", "memory m { array a : i8[8, 8] ports 2;\n"
                                           "for i in 0 .. 8 step 2 par 2 { read a[i, 0], a[i, 1]; "
                                           "write a[0, i]; } }\n");
    const Outcome all = run("check " + file + " --json");
    ASSERT_EQ(all.status, 0) << all.err;
    const Json item = Json::parse(all.out)["items"][0];
    EXPECT_EQ(item["kind"], "memory");
    EXPECT_EQ(item["name"], "m");
    EXPECT_EQ(item["inputs"], Json::array({{{"name", "a"}, {"type", "i8[8, 8]"}}}));
    EXPECT_EQ(item["ports"], 2);
    EXPECT_EQ(item["nests"][0]["lanes"], 6);
    EXPECT_EQ(item["nests"][0]["accesses"][2], (Json{{"kind", "write"}, {"access", "a[0, i]"}}));
    const Outcome one = run("check " + file + " --item m");
    EXPECT_EQ(one.status, 0) << one.err;
    EXPECT_THAT(one.out, HasSubstr("for i in 0 .. 8 step 2 par 2: 6 accesses per cycle"));
}

TEST_F(Cli, CheckShowsTwoWritesToOneAddress) {
    const std::string file = write(
        "m.mq", "memory m { array a : i8[8]; for i in 0 .. 8 { write a[i], a[7 - i + 1]; } }");
    const Outcome refused = run("check " + file);
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, HasSubstr("[double-write]"));
    EXPECT_THAT(refused.err, HasSubstr("note: 'a[i]' at i = 4"));
}

} // namespace
} // namespace marquetry::cli_test
