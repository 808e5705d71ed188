// `export` and `verify` of designs.
#include "tests/cli/cli_fixture.h"

namespace marquetry::cli_test {
namespace {

TEST_F(Cli, PortsOfDesignsMayHaveTheNamesOfWires) {
    const std::string file = write("d.mq", R"(design d {
  input a : i8[8] = random(seed: 1);
  input a_active : i8[8] = random(seed: 2);
  input in_a : i8[8] = random(seed: 3);
  input a_next : i8[8] = random(seed: 4);
  weight v : i8[4, 8] = random(seed: 5);
  output y = mv(v, a);
  output y_active = mv(v, a_active);
  output z = mv(v, in_a);
  output error = mv(v, a_next);
}
)");
    const Outcome exported =
        run("export " + file + " --device xcu250 --steps 2 --out " + path("export"));
    ASSERT_EQ(exported.status, 0) << exported.err;
    const Outcome verified = run("verify " + path("export") + " --simulator iverilog --json");
    ASSERT_EQ(verified.status, 0) << verified.err;
    EXPECT_EQ(Json::parse(verified.out)["pass"], true);
}

constexpr const char* kThree = R"(
design d { input a : i8[8] = random(seed: 1); weight v : i8[4, 8] = random(seed: 5); output y = mv(v, a); }
stream s { input x : Seq 12 u8; output y = map(fn v -> add(v, 5), x); }
memory m { array a : i8[8, 8]; for i in 0 .. 8 step 2 par 2 { read a[i, 0]; write a[0, i]; } }
)";

/// The same pictures every time, of a build that has views; of any other it is refused.
TEST_F(Cli, DrawsPicturesIntoReports) {
    const std::string file = write("three.mq", kThree);
    for (const auto& [item, title] : std::vector<std::pair<std::string, std::string>>{
             {"d", "Front"}, {"s", "Stream circuit"}, {"m", "Banks"}}) {
        const std::string command = "export " + file + " --item " + item + " --out ";
        ASSERT_EQ(run(command + path(item)).status, 0);
        const std::string plain = contents(path(item + "/report.html"));
        EXPECT_THAT(plain, testing::HasSubstr("Left out: "));
        EXPECT_THAT(plain, testing::Not(testing::HasSubstr("<img")));
        const Outcome drawn = run(command + path(item + "1") + " --pictures");
        if (drawn.status == 2) {
            EXPECT_THAT(drawn.err, testing::HasSubstr("[option-unused]"));
            continue;
        }
        ASSERT_EQ(drawn.status, 0) << drawn.err;
        ASSERT_EQ(run(command + path(item + "2") + " --pictures").status, 0);
        const std::string page = contents(path(item + "1/report.html"));
        EXPECT_EQ(page, contents(path(item + "2/report.html")));
        EXPECT_THAT(page, testing::HasSubstr("<img alt=\"" + title + "\""));
        EXPECT_THAT(page, testing::Not(testing::HasSubstr("Left out: ")));
        EXPECT_EQ(contents(path(item + "/rtl/" + item + (item == "m" ? ".v" : "_top.v"))),
                  contents(path(item + "1/rtl/" + item + (item == "m" ? ".v" : "_top.v"))));
    }
}

/// A search that has been made has nothing to draw from.
TEST_F(Cli, PicturesOfAHeldDesignAreRefused) {
    const std::string file = write("three.mq", kThree);
    ASSERT_EQ(run("export " + file + " --item d --out " + path("d")).status, 0);
    const Outcome held =
        run("export " + path("d") + "/DESIGN.json --pictures --out " + path("again"));
    EXPECT_EQ(held.status, 2);
    EXPECT_THAT(held.err, testing::HasSubstr("[option-unused]"));
}

} // namespace
} // namespace marquetry::cli_test
