// count: the golden numbers of EngineIR's example, other costs, and wrong arguments.
#include "tests/cli/cli_fixture.h"
#include "tests/support/places.h"

namespace marquetry::cli_test {

using ::testing::HasSubstr;

namespace {

const std::string kPlain = " --cost toy --without storage,padding,partial,fusion,skeletons";

std::string split(const std::string& name) {
    return test::sourceFolder() + "/examples/splits/" + name + "/" + name + ".mq";
}

} // namespace

class Count : public Cli {
protected:
    Json count(const std::string& arguments) const {
        const Outcome outcome = run("count " + arguments + " --json");
        EXPECT_EQ(outcome.status, 0) << arguments << "\n" << outcome.err;
        return Json::parse(outcome.out, nullptr, false);
    }
};

TEST_F(Count, HasTheGoldenNumbersOfRelu128) {
    const Json report = count(split("relu128") + kPlain);
    EXPECT_EQ(report["schema"], 1);
    EXPECT_EQ(report["egraph"]["unit_eclasses"], 8);
    EXPECT_EQ(report["egraph"]["unit_enodes"], 64);
    EXPECT_EQ(report["terms"], 2187);
    EXPECT_EQ(report["normal_forms"], 255);
    EXPECT_EQ(report["unit_sets"], 36);
    EXPECT_EQ(report["pareto_size"], 8);
    EXPECT_EQ(report["pareto"], Json::parse("[[6,129],[7,65],[9,33],[13,17],[21,9],[37,5],[69,3],"
                                            "[132,1]]"));
    EXPECT_EQ(report["density_samples"], 1000);
    const Outcome text = run("count " + split("relu128") + kPlain);
    EXPECT_THAT(text.out, HasSubstr("terms: 2187; normal forms: 255"));
    EXPECT_THAT(text.out, HasSubstr("unit sets: 36"));
    EXPECT_THAT(text.out, ::testing::Not(HasSubstr("2187 designs")));
}

TEST_F(Count, FollowsTheItemAndTheGroupsSwitchedOff) {
    const std::string file =
        write("two.mq", "design a { input x : i8[16] = zeros; output y = relu(x); }\n"
                        "design b { input x : i8[64] = zeros; output y = relu(x); }\n");
    EXPECT_EQ(count(file + kPlain)["terms"], 81);
    const Json second = count(file + kPlain + " --item b");
    EXPECT_EQ(second["terms"], 729);
    EXPECT_EQ(second["normal_forms"], 127);
    EXPECT_EQ(second["unit_sets"], 28);
    EXPECT_EQ(second["pareto_size"], 7);
    EXPECT_EQ(count(file + " --cost toy --without parallelism --item b")["unit_sets"], 7);
    EXPECT_EQ(count(file + " --cost toy --without tiling --item b")["terms"], 1);
}

TEST_F(Count, MeasuresDesignsOfTheOtherCosts) {
    for (const char* cost : {"cycles", "published", "published-open"}) {
        const Json report = count(example("running_example") + " --cost " + cost);
        EXPECT_EQ(report["cost"], cost);
        EXPECT_GT(report["pareto_size"], 1);
        EXPECT_GT(report["hypervolume"], 0.0);
        EXPECT_GT(report["terms"], report["unit_sets"]);
        EXPECT_GE(report["terms"], report["normal_forms"]);
    }
}

TEST_F(Count, WritesNumbersOfAnySize) {
    const Json report = count(example("vgg_cifar"));
    ASSERT_TRUE(report["terms"].is_string());
    EXPECT_GT(report["terms"].get<std::string>().size(), 40U);
    EXPECT_NEAR(report["terms_log10"],
                static_cast<double>(report["terms"].get<std::string>().size()) - 0.5, 0.51);
    EXPECT_EQ(report["unit_sets_exact"], false);
}

TEST_F(Count, GivesTheSameBytesForTheSameSeed) {
    const std::string arguments = "count " + split("mlp") + " --json --seed ";
    EXPECT_EQ(run(arguments + "7").out, run(arguments + "7").out);
}

TEST_F(Count, RefusesWhatExploreRefuses) {
    EXPECT_EQ(run("count " + path("missing.mq")).status, 2);
    const Outcome unknown = run("count " + split("relu128") + " --cost pretty");
    EXPECT_EQ(unknown.status, 2);
    EXPECT_THAT(unknown.err, HasSubstr("pretty"));
    EXPECT_EQ(run("count " + split("relu128") + " --cost toy --without everything").status, 2);
}

} // namespace marquetry::cli_test
