// sweep: what it prints, what it goes on with, and wrong input.
#include "tests/cli/cli_fixture.h"

namespace marquetry::cli_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Sweep : public Cli {
protected:
    Sweep() { write("grid.json", R"({"device": "xc7z020", "limit": ["dsp=40", "dsp=1"]})"); }

    std::string command(const std::string& grid = "grid.json") const {
        return "sweep " + example("running_example") + " --grid " + path(grid) + " --out " +
               path("out");
    }
    void expectError(const std::string& arguments, const std::string& code,
                     const std::string& words) const {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 2) << arguments;
        EXPECT_THAT(outcome.err, HasSubstr("[" + code + "]")) << arguments;
        EXPECT_THAT(outcome.err, HasSubstr(words)) << arguments;
    }
};

TEST_F(Sweep, FindsWhatExploreFinds) {
    const Outcome outcome = run(command() + " --json");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const Json report = Json::parse(outcome.out);
    EXPECT_EQ(report["schema"], 1);
    EXPECT_EQ(report["points"], 2);
    EXPECT_EQ(report["done"], 2);
    EXPECT_EQ(report["computed"], 2);
    EXPECT_EQ(report["failures"], Json::array());
    EXPECT_EQ(report["table"], path("out") + "/sweep.csv");
    const std::string options = " --device xc7z020 --limit dsp=40 --json";
    const Json explored = Json::parse(run("explore " + example("running_example") + options).out);
    const std::string table = contents(path("out/sweep.csv"));
    EXPECT_THAT(table, StartsWith("point,device,clock,"));
    EXPECT_THAT(table, HasSubstr(explored["extract"]["status"].get<std::string>() + ",true," +
                                 explored["design"]["cycles"].dump() + ",1," +
                                 explored["design"]["cycles"].dump() + "," +
                                 explored["extract"]["lower_bound"].dump() + "," +
                                 explored["design"]["resources"]["dsp"].dump() + ","));
    EXPECT_THAT(table, HasSubstr("infeasible,"));
}

TEST_F(Sweep, GoesOnWithWhatIsThere) {
    ASSERT_EQ(run(command()).status, 0);
    const std::string table = contents(path("out/sweep.csv"));
    const Outcome again = run("sweep --out " + path("out"));
    EXPECT_EQ(again.status, 0) << again.err;
    EXPECT_THAT(again.out, HasSubstr("2 of 2 points of running_example have a result, 0 of them"));
    EXPECT_EQ(contents(path("out/sweep.csv")), table);
    write("more.json", R"({"device": "xc7z020", "limit": ["dsp=40", "dsp=20", "dsp=1"]})");
    EXPECT_THAT(run(command("more.json")).out, HasSubstr("3 of 3 points of running_example have a "
                                                         "result, 1 of them"));
}

TEST_F(Sweep, SaysWhatIsWrong) {
    write("unknown.json", "{\"limits\": 3}");
    expectError(command("unknown.json"), "grid-unknown", "unknown.json:1:2");
    expectError(command("none.json"), "file-missing", "none.json");
    expectError("sweep " + example("running_example") + " --out " + path("out"), "option-value",
                "--grid");
    expectError("sweep --out " + path("out"), "file-missing", "sweep.json");
    EXPECT_FALSE(fs::exists(path("out")));
    fs::create_directory(path("out"));
    write("out/mine", "mine");
    expectError(command(), "output-exists", "other things");
    EXPECT_EQ(contents(path("out/mine")), "mine");
}

TEST_F(Sweep, OfAStreamSchedulesIt) {
    const std::string stream = test::sourceFolder() + "/examples/streams/conv/conv.mq";
    write("rates.json", R"({"item": "conv_4x4", "throughput": [1, 4, "1/3", 3]})");
    const std::string command =
        "sweep " + stream + " --grid " + path("rates.json") + " --out " + path("out");
    const Outcome outcome = run(command + " --json");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const Json report = Json::parse(outcome.out);
    EXPECT_EQ(report["program"], "conv_4x4");
    EXPECT_EQ(report["points"], 4);
    EXPECT_EQ(report["done"], 4);
    EXPECT_EQ(report["failures"], Json::array()) << "that there is no circuit is a result";
    const std::string table = contents(path("out/sweep.csv"));
    for (const std::string rate : {"1", "4", "1/3"}) {
        const Json said = Json::parse(
            run("schedule " + stream + " --item conv_4x4 --throughput " + rate + " --json").out);
        const Json& hardware = said["hardware"];
        EXPECT_THAT(table, HasSubstr("xc7k160t,,,,,," + rate + ",,,,,,,,,optimal,true," +
                                     said["clocks"].dump() + ",1," + said["clocks"].dump() + ",," +
                                     hardware["dsp"].dump() + ","));
        EXPECT_THAT(table,
                    HasSubstr("," + hardware["lut"].dump() + "," + hardware["ff"].dump() + ","));
    }
    EXPECT_THAT(table, HasSubstr("infeasible"));
    fs::remove_all(path("out/points"));
    fs::create_directory(path("out/points"));
    const Outcome again = run("sweep --out " + path("out"));
    EXPECT_EQ(again.status, 0) << again.err;
    EXPECT_THAT(again.out, HasSubstr("4 of 4 points of conv_4x4 have a result, 4 of them"));
    EXPECT_EQ(contents(path("out/sweep.csv")), table);
}

TEST_F(Sweep, OfAStreamTakesOtherKeys) {
    const std::string stream = test::sourceFolder() + "/examples/streams/dot/dot.mq";
    const auto sweep = [&](const std::string& file) {
        return "sweep " + file + " --grid " + path("wrong.json") + " --out " + path("out");
    };
    write("wrong.json", "{\"throughput\": 1,\n \"objective\": \"area\"}");
    expectError(sweep(stream), "grid-unknown", "wrong.json:2:2");
    expectError(sweep(stream), "grid-unknown", "device, clock, throughput, without, time");
    write("wrong.json", "{\n \"throughput\": [1, \"1/0\"]}");
    expectError(sweep(stream), "grid-form", "wrong.json:2:2");
    expectError(sweep(example("running_example")), "grid-unknown", "wrong.json:2:2");
    expectError(sweep(example("running_example")), "grid-unknown", "'throughput' is of streams");
    EXPECT_FALSE(fs::exists(path("out"))) << "nothing is computed before";
}

TEST_F(Sweep, IsOfTheProgramItWasBegunWith) {
    const std::string text = contents(example("running_example"));
    const std::string program = write("p.mq", text);
    const std::string begin =
        "sweep " + program + " --grid " + path("grid.json") + " --out " + path("out");
    ASSERT_EQ(run(begin).status, 0);
    fs::remove_all(path("out/points"));
    fs::create_directory(path("out/points"));
    std::string changed = text;
    changed.replace(changed.find("seed: 1"), 7, "seed: 7");
    write("p.mq", changed);
    expectError("sweep --out " + path("out") + " --point 0", "sweep-program", "p.mq");
    expectError("sweep --out " + path("out") + " --point 2", "option-value", "no point 2");
    const Outcome rest = run("sweep --out " + path("out"));
    EXPECT_EQ(rest.status, 1);
    EXPECT_THAT(rest.out, HasSubstr("0 of 2 points"));
    EXPECT_THAT(rest.out, HasSubstr("has changed since the sweep was begun"));
    EXPECT_EQ(run(begin).status, 0) << "another sweep of the same folder";
}

} // namespace marquetry::cli_test
