// `marquetry bank` on what is no memory item: the arrays of a stream and of a design.
#include "tests/cli/cli_fixture.h"
#include "tests/support/places.h"

#include <map>

namespace marquetry::cli_test {
namespace {

using ::testing::HasSubstr;

std::string stream(const std::string& name) {
    return test::sourceFolder() + "/examples/streams/" + name + "/" + name + ".mq";
}

// Two earlier lines are read at each pixel, the column sums at two earlier pixels.
TEST_F(Cli, BankTakesEveryArrayOfAStream) {
    for (const auto& [throughput, banks] : std::map<std::string, std::pair<int, int>>{
             {"1/3", {2, 2}}, {"1", {2, 2}}, {"2", {4, 2}}, {"4", {8, 4}}}) {
        const Outcome done = run("bank " + stream("conv") + " --item conv_1080p --throughput " +
                                 throughput + " --json");
        ASSERT_EQ(done.status, 0) << done.err;
        const Json report = Json::parse(done.out);
        EXPECT_EQ(report["stream"], "conv_1080p");
        EXPECT_EQ(report["throughput"], throughput);
        ASSERT_EQ(report["memories"].size(), 2U);
        const Json& lines = report["memories"][0];
        EXPECT_EQ(lines["memory"], "x");
        EXPECT_EQ(lines["dims"], Json::array({2, 1920}));
        EXPECT_EQ(lines["min_banks"], banks.first) << throughput;
        EXPECT_EQ(report["memories"][1]["min_banks"], banks.second) << throughput;
        for (const Json& memory : report["memories"])
            EXPECT_EQ(memory["proved_minimal"], true) << memory["memory"];
    }
    const Outcome camera = run("bank " + stream("camera") + " --json");
    ASSERT_EQ(camera.status, 0) << camera.err;
    const Json bayer = Json::parse(camera.out)["memories"][0];
    EXPECT_EQ(bayer["dims"], Json::array({4, 1920}));
    EXPECT_EQ(bayer["min_banks"], 12);
    EXPECT_EQ(bayer["proof"], "clique");
}

TEST_F(Cli, BankTakesOneArrayByName) {
    const std::string conv = "bank " + stream("conv") + " --item conv_4x4";
    const std::string table = path("table.csv");
    const Outcome one = run(conv + " --array x --max-copies 1 --banks 4 --table " + table);
    ASSERT_EQ(one.status, 0) << one.err;
    EXPECT_THAT(one.out, HasSubstr("stream conv_4x4: 1 array, 1 elements per clock"));
    EXPECT_THAT(one.out, HasSubstr("memory x: x : u8[2, 4]"));
    EXPECT_EQ(contents(table).substr(0, 17), "x0,x1,bank,offset");
    EXPECT_EQ(run(conv + " --array x --kind flat --banks 1 --max-copies 1").status, 1);
    const Outcome other = run(conv + " --array z");
    EXPECT_EQ(other.status, 2);
    EXPECT_THAT(other.err, HasSubstr("[no-array]"));
    EXPECT_THAT(other.err, HasSubstr("it has x, v4"));
    for (const std::string& options : {" --table " + table, std::string(" --banks 4")}) {
        const Outcome many = run(conv + options);
        EXPECT_EQ(many.status, 2);
        EXPECT_THAT(many.err, HasSubstr("--array x"));
    }
    EXPECT_THAT(run("bank " + stream("box2")).err, HasSubstr("[no-array]"));
    const Outcome nobody = run("bank " + stream("conv") + " --item nobody");
    EXPECT_EQ(nobody.status, 2);
    EXPECT_THAT(nobody.err, HasSubstr("the file has no item 'nobody'"));
    EXPECT_THAT(nobody.err, HasSubstr("conv_1080p, conv_4x4"));
    EXPECT_THAT(run(conv + " --throughput 5").err, HasSubstr("[infeasible-throughput]"));
    EXPECT_EQ(run(conv + " --throughput x").status, 2);
}

TEST_F(Cli, BankTakesTheBuffersOfADesign) {
    const Outcome done = run("bank " + example("lenet5") + " --array image --json");
    ASSERT_EQ(done.status, 0) << done.err;
    const Json report = Json::parse(done.out);
    ASSERT_EQ(report["memories"].size(), 1U);
    EXPECT_EQ(report["memories"][0]["memory"], "image");
    EXPECT_EQ(report["memories"][0]["proved_minimal"], true);
}

TEST_F(Cli, BankRefusesOptionsOfOtherItems) {
    const std::string memories = example("memories");
    for (const std::string option : {" --array zzz", " --throughput 7", " --clocks 4"}) {
        const Outcome done = run("bank " + memories + option);
        EXPECT_EQ(done.status, 2);
        EXPECT_THAT(done.err, HasSubstr("[option-value]")) << option;
    }
    EXPECT_EQ(run("bank " + stream("conv") + " --item conv_4x4 --clocks 0").status, 2);
}

} // namespace
} // namespace marquetry::cli_test
