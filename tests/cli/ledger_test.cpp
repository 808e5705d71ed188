// ledger: where the clocks of a design go, as text, CSV and JSON.
#include "tests/cli/cli_fixture.h"

namespace marquetry::cli_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class LedgerCommand : public Cli {
protected:
    static std::vector<std::string> linesOf(const std::string& text) {
        std::vector<std::string> lines;
        std::istringstream in(text);
        for (std::string line; std::getline(in, line);)
            lines.push_back(line);
        return lines;
    }
};

TEST_F(LedgerCommand, AddsUpInEveryForm) {
    const std::string asked = "ledger " + example("lenet5") + " --device xc7z020 --limit dsp=64";
    const Json explored = Json::parse(
        run("explore " + example("lenet5") + " --device xc7z020 --limit dsp=64 --json").out);
    const Json report = Json::parse(run(asked + " --json").out);
    EXPECT_EQ(report["schema"], 1);
    EXPECT_EQ(report["cycles"], explored["design"]["cycles"]);
    for (const char* const rows : {"layers", "steps"}) {
        std::int64_t cycles = 0;
        for (const Json& row : report[rows])
            cycles += row["clocks"]["cycles"].get<std::int64_t>();
        EXPECT_EQ(cycles, report["cycles"]) << rows;
    }
    const Outcome text = run(asked);
    EXPECT_EQ(text.status, 0) << text.err;
    EXPECT_THAT(text.out, StartsWith("ledger of lenet5: "));
    EXPECT_THAT(text.out, HasSubstr(report["binding"]["text"].get<std::string>()));
    const auto layers = linesOf(run(asked + " --csv").out);
    const auto steps = linesOf(run(asked + " --csv --by-step").out);
    EXPECT_EQ(layers.size(), report["layers"].size() + 2);
    EXPECT_EQ(steps.size(), report["steps"].size() + 2);
    EXPECT_THAT(layers.front(), StartsWith("layer,what,unit,bound_by,cycles,"));
    EXPECT_THAT(layers.back(), StartsWith("\"total\","));
    EXPECT_THAT(layers.back(), HasSubstr("," + std::to_string(report["cycles"].get<int>()) + ","));
}

TEST_F(LedgerCommand, ListsChangesToTryNext) {
    const std::string asked =
        "ledger " + example("running_example") + " --device xc7z020 --limit dsp=16 --changes";
    const Json changes = Json::parse(run(asked + " --json").out)["changes"];
    ASSERT_GT(changes["tried"].size(), 5U);
    const Json& best = changes["tried"][0];
    EXPECT_GE(best["gain"].get<double>(), 1);
    const Json alone = Json::parse(run("explore " + example("running_example") + " " +
                                       best["options"].get<std::string>() + " --json")
                                       .out);
    EXPECT_EQ(alone["design"]["cycles"], best["then"]["cycles"]) << best["options"];
    const Outcome text = run(asked);
    EXPECT_EQ(text.status, 0) << text.err;
    EXPECT_THAT(text.out, HasSubstr("changes to try next, the best first:\n"));
    EXPECT_THAT(text.out, HasSubstr(best["change"].get<std::string>()));
    const auto lines = linesOf(run(asked + " --csv").out);
    EXPECT_EQ(lines.size(), changes["tried"].size() + 1);
    EXPECT_THAT(lines[1], StartsWith("\"" + best["change"].get<std::string>() + "\","));
}

TEST_F(LedgerCommand, SaysWhyThereIsNone) {
    const Outcome published = run("ledger " + example("running_example") + " --cost published");
    EXPECT_EQ(published.status, 1);
    EXPECT_THAT(published.err, HasSubstr("no-ledger"));
    const Outcome infeasible = run("ledger " + example("running_example") + " --limit dsp=0");
    EXPECT_EQ(infeasible.status, 1);
    EXPECT_EQ(infeasible.out, "");
    EXPECT_EQ(run("ledger " + path("missing.mq")).status, 2);
    EXPECT_EQ(run("ledger " + example("lenet5") + " --csv --json").status, 2);
}

} // namespace marquetry::cli_test
