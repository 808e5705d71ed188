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

/// The command in its report writes a placed and routed export again, bit for bit.
TEST_F(Cli, ADesignThatIsHeldIsPlacedAndRoutedAgain) {
    const std::string file = write("d.mq", R"(design d {
  input a : i8[8] = random(seed: 1);
  weight v : i8[4, 8] = random(seed: 5);
  output y = requant(mv(v, a), shift: 9);
}
)");
    const std::string form = " --target open --bitstream --out ";
    const Outcome wrong =
        run("export " + file + " --target verilog --bitstream --out " + path("v"));
    EXPECT_EQ(wrong.status, 2);
    EXPECT_THAT(wrong.err, testing::HasSubstr("[bitstream-target]"));
    const Outcome first =
        run("export " + file + " --device ice40up5k --clock 12 --json" + form + path("one"));
    ASSERT_EQ(first.status, 0) << first.err;
    EXPECT_GE(Json::parse(first.out)["placed"]["clock_reached_mhz"].get<double>(), 12);
    const Outcome second = run("export " + path("one/DESIGN.json") + form + path("two"));
    ASSERT_EQ(second.status, 0) << second.err;
    EXPECT_THAT(second.out, testing::HasSubstr("placed and routed: "));
    EXPECT_EQ(contents(path("one/bitstream/d_pins.bin")),
              contents(path("two/bitstream/d_pins.bin")));
}

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

/// Nothing is written when the clock is none.
TEST_F(Cli, TheClockOfAnExportIsAskedFor) {
    const std::string file = write("three.mq", kThree);
    for (const std::string item : {"d", "s", "m"}) {
        const std::string command =
            "export " + file + " --item " + item + " --device xcu250 --json --out " + path(item);
        const auto refused = [&](const std::string& clock, const std::string& code) {
            const Outcome outcome = run(command + " --clock " + clock);
            EXPECT_EQ(outcome.status, 2) << item << clock;
            EXPECT_THAT(outcome.err, testing::HasSubstr(code)) << item << " " << clock;
            EXPECT_FALSE(fs::exists(path(item))) << item << " " << clock;
        };
        refused("0", "[clock-range]");
        refused("-1", "[clock-range]");
        refused("2000", "[clock-range]");
        refused("nan", "[clock-range]");
        refused("inf", "[clock-range]");
        refused("fast", "--clock");
        const Outcome done = run(command + " --clock 123.5");
        ASSERT_EQ(done.status, 0) << item << done.err;
        EXPECT_EQ(Json::parse(done.out)["clock_mhz"], 123.5) << item << done.out;
    }
}

/// The command that a report states writes the same: with the type that the output was pinned to.
TEST_F(Cli, StatesTheOutputTypeOfAStream) {
    const std::string file = write("s.mq", "stream s { input x : Seq 8 u8;"
                                           " output y = map(fn v -> add(v, 5), x); }");
    const std::string type = "'TSeq 8 8 u8'";
    ASSERT_EQ(run("export " + file + " --clocks 16 --out " + path("any")).status, 0);
    ASSERT_EQ(
        run("export " + file + " --clocks 16 --output-type " + type + " --out " + path("pinned"))
            .status,
        0);
    EXPECT_THAT(contents(path("any/report.md")), testing::Not(testing::HasSubstr("output-type")));
    const std::string stated = contents(path("pinned/report.md"));
    const std::string begin = "marquetry export DESIGN.json ";
    const std::size_t at = stated.find(begin);
    ASSERT_NE(at, std::string::npos) << stated;
    std::string line = stated.substr(at, stated.find('\n', at) - at);
    EXPECT_THAT(line, testing::HasSubstr(" --output-type " + type));
    line.replace(0, 10, "");
    line.replace(line.find("DESIGN.json"), 11, path("pinned/DESIGN.json"));
    line.replace(line.find("FOLDER"), 6, path("again"));
    const Outcome again = run(line);
    ASSERT_EQ(again.status, 0) << again.err;
    const Outcome held = run("export " + path("pinned/DESIGN.json") + " --out " + path("held"));
    ASSERT_EQ(held.status, 0) << held.err;
    for (const char* const name : {"DESIGN.json", "rtl/s_top.v", "rtl/s_kernel.v", "report.html"})
        for (const char* const folder : {"again/", "held/"})
            EXPECT_EQ(contents(path(folder + std::string(name))),
                      contents(path("pinned/" + std::string(name))))
                << folder << name;
    EXPECT_NE(contents(path("any/DESIGN.json")), contents(path("pinned/DESIGN.json")));
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
