// `bench egraph` on small workloads: the published counts, the fields of its report, its errors.
#include "tests/cli/cli_fixture.h"

namespace marquetry::cli_test {

using ::testing::HasSubstr;

class Bench : public Cli {
protected:
    Json measured(const std::string& arguments) const {
        const Outcome outcome = run("bench egraph --json " + arguments);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return Json::parse(outcome.out, nullptr, false);
    }
};

TEST_F(Bench, MathMicroHasThePublishedCounts) {
    const Json report = measured("--workload math-micro --iterations 9");
    EXPECT_EQ(report["workload"], "math-micro");
    EXPECT_EQ(report["scheduler"], "simple");
    EXPECT_EQ(report["provenance"], true);
    EXPECT_EQ(report["iterations"], 9);
    EXPECT_EQ(report["enodes"], 28303);
    EXPECT_EQ(report["eclasses"], 12445);
    EXPECT_EQ(report["stop"], "IterationLimit");
    const double partSeconds = report["search_s"].get<double>() + report["apply_s"].get<double>() +
                               report["rebuild_s"].get<double>();
    EXPECT_GT(partSeconds, 0);
    EXPECT_LE(partSeconds, report["cpu_s"].get<double>());
    EXPECT_GT(report["peak_mb"].get<double>(), 0);
}

TEST_F(Bench, SumsEndAtTheClosedForm) {
    const Json report = measured("--workload ac8 --iterations 50 --without-provenance");
    EXPECT_EQ(report["enodes"], 6561 - 512 + 1 + 8); // 3^8 - 2^9 + 1 + 8
    EXPECT_EQ(report["eclasses"], 255);
    EXPECT_EQ(report["provenance"], false);
    EXPECT_EQ(report["stop"], "Saturated");
}

TEST_F(Bench, BackoffHasThePublishedCounts) {
    const Json report = measured("--iterations 10 --scheduler backoff");
    EXPECT_EQ(report["enodes"], 13106);
    EXPECT_EQ(report["eclasses"], 7190);
}

TEST_F(Bench, ATableIsPrintedForPeople) {
    const Outcome outcome = run("bench egraph --workload ac4 --iterations 20");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("iteration   e-nodes  e-classes"));
    EXPECT_THAT(outcome.out, HasSubstr("Saturated"));
}

TEST_F(Bench, WrongArgumentsAreExplained) {
    const Outcome unknown = run("bench egraph --workload ac1");
    EXPECT_EQ(unknown.status, 2);
    EXPECT_THAT(unknown.err, HasSubstr("there is no workload 'ac1'"));
    EXPECT_EQ(run("bench egraph --scheduler sometimes").status, 2);
    EXPECT_EQ(run("bench").status, 2);
}

} // namespace marquetry::cli_test
