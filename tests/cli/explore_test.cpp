// explore: the answers of the published examples, exit status, and JSON that scripts rely on.
#include "tests/cli/cli_fixture.h"

namespace marquetry::cli_test {

using ::testing::HasSubstr;

class Explore : public Cli {
protected:
    Json explore(const std::string& arguments, int status = 0) const {
        const Outcome outcome = run("explore " + arguments + " --json");
        EXPECT_EQ(outcome.status, status) << arguments << "\n" << outcome.err;
        return Json::parse(outcome.out, nullptr, false);
    }
};

TEST_F(Explore, SharesOneMvInTheRunningExampleAtEveryBudgetOfThePaper) {
    for (int dsp = 64; dsp <= 127; ++dsp) {
        const Json report = explore(example("running_example") +
                                    " --cost published --limit dsp=" + std::to_string(dsp));
        EXPECT_EQ(report["extract"]["status"], "optimal");
        const Json& units = report["design"]["units"];
        ASSERT_EQ(units.size(), 1U) << dsp;
        EXPECT_EQ(units[0]["skeleton"], "Mv");
        EXPECT_EQ(units[0]["dims"], Json({64, 576}));
        EXPECT_EQ(units[0]["shared"], true);
        EXPECT_EQ(units[0]["call_sites"].size(), 2U);
        EXPECT_EQ(units[0]["dsp"], 64);
        // Fig. 14 by hand: four windows and one product, each 64·576/64 + 5.
        EXPECT_EQ(report["design"]["cycles"], 5 * (64 * 576 / 64 + 5));
    }
}

TEST_F(Explore, GivesTheReasonsOfAUnitAsData) {
    const Json report = explore(example("running_example") + " --cost published --limit dsp=100");
    const Json& design = report["design"];
    const Json& why = design["units"][0]["why"];
    std::int64_t cycles = 0;
    for (const Json& call : design["calls"])
        cycles += call["cycles"].get<std::int64_t>();
    EXPECT_EQ(why["terms"][0]["name"], "time");
    EXPECT_EQ(why["terms"][0]["value"], cycles);
    EXPECT_EQ(why["terms"][1]["value"], design["units"][0]["dsp"]);
    EXPECT_THAT(why["counterfactual"].get<std::string>(), HasSubstr("DSP 64 → 128 of 100"));
    EXPECT_EQ(why["opposite"], Json());
}

TEST_F(Explore, GivesTheNextBestDesignsAsData) {
    const Json report = explore(example("vgg_cifar") + " --cost published-open --limit dsp=1518");
    const Json& design = report["design"];
    const auto cycles = design["cycles"].get<std::int64_t>();
    std::size_t alternatives = 0;
    for (const Json& unit : design["units"])
        for (const Json& other : unit["why"]["alternatives"]) {
            ++alternatives;
            EXPECT_EQ(other["cycles_more"], other["cycles"].get<std::int64_t>() - cycles);
            EXPECT_EQ(other.contains("breaks"), other["dsp"].get<double>() > 1518) << other;
        }
    EXPECT_GE(alternatives, 3U);
}

TEST_F(Explore, SaysWhyTheRunningExampleNeedsSharingAndPadding) {
    for (const char* group : {"sharing", "padding"})
        for (int dsp : {64, 100, 127}) {
            const Json report = explore(example("running_example") +
                                            " --cost published --limit dsp=" + std::to_string(dsp) +
                                            " --without " + group,
                                        1);
            EXPECT_EQ(report["extract"]["status"], "infeasible");
            ASSERT_EQ(report["infeasible_because"].size(), 1U);
            const Json& why = report["infeasible_because"][0];
            EXPECT_EQ(why["code"], "limit-dsp");
            EXPECT_THAT(why["message"], HasSubstr("the smallest needs 128 DSP"));
            ASSERT_FALSE(why["notes"].empty());
            EXPECT_THAT(why["notes"][0], HasSubstr(group));
        }
}

TEST_F(Explore, SaysThatAnEGraphCutShortMayLackDesigns) {
    const Json report = explore(example("vgg_cifar") + " --steps 1 --limit dsp=4", 1);
    EXPECT_EQ(report["egraph"]["stop"], "iterations");
    ASSERT_EQ(report["infeasible_because"].size(), 1U);
    const Json& notes = report["infeasible_because"][0]["notes"];
    ASSERT_FALSE(notes.empty());
    EXPECT_THAT(notes.back(), HasSubstr("not complete (IterationLimit)"));
}

TEST_F(Explore, FusionSavesPasses) {
    const Json fused = explore(example("lenet5"));
    const Json separate = explore(example("lenet5") + " --without fusion");
    EXPECT_GT(separate["design"]["calls"].size(), fused["design"]["calls"].size());
    EXPECT_GT(separate["design"]["cycles"], fused["design"]["cycles"]);
}

TEST_F(Explore, StreamsAConvolutionWhereThatIsFaster) {
    const std::string arguments = example("lenet5") + " --device xc7k160t --limit dsp=16";
    const Json plain = explore(arguments + " --without streams");
    const Json streamed = explore(arguments);
    EXPECT_EQ(explore(arguments + " --without streams --streams")["design"], streamed["design"])
        << "once it was an option of its own";
    for (const Json& unit : plain["design"]["units"])
        EXPECT_FALSE(unit.contains("streams")) << unit;
    EXPECT_LT(4 * streamed["design"]["cycles"].get<std::int64_t>(),
              3 * plain["design"]["cycles"].get<std::int64_t>());
    EXPECT_LE(streamed["design"]["resources"]["dsp"], 16);
    const Json& units = streamed["design"]["units"];
    const auto stream =
        std::ranges::find_if(units, [](const Json& unit) { return unit.value("streams", false); });
    ASSERT_NE(stream, units.end());
    EXPECT_EQ((*stream)["call_sites"], Json({"s2"}));
    EXPECT_EQ((*stream)["dsp"], 0) << "its weights are constants";
    for (const Json& call : streamed["design"]["calls"]) {
        if (call["unit"] == (*stream)["id"]) {
            EXPECT_GE(call["cycles"], 32 * 32) << "a pixel of the image per clock";
        }
    }
    EXPECT_THAT((*stream)["why"]["counterfactual"].get<std::string>(),
                HasSubstr("without it the best design takes"));
    const Outcome why = run("explore " + arguments + " --why 'Stream[s2, 1]'");
    EXPECT_EQ(why.status, 0) << why.err;
    EXPECT_THAT(why.out, HasSubstr("1 clocks per pixel"));
}

TEST_F(Explore, JoinsCallsUnlessTheirGroupIsOff) {
    const Json joined = explore(example("lenet5"))["design"];
    const Json apart = explore(example("lenet5") + " --without overlap")["design"];
    EXPECT_LT(joined["cycles"].get<std::int64_t>(), apart["cycles"].get<std::int64_t>());
    for (const Json& call : apart["calls"])
        EXPECT_EQ(call["overlap"], 0);
    EXPECT_EQ(explore(example("lenet5") + " --without overlap --overlap")["design"], joined);
}

TEST_F(Explore, ReportsAreTheSameBytesButForTimes) {
    const auto strip = [](Json report) {
        report["egraph"].erase("saturate_ms");
        report["extract"].erase("ms");
        return report.dump();
    };
    const std::string arguments = example("vgg_cifar");
    EXPECT_EQ(strip(explore(arguments)), strip(explore(arguments)));
}

TEST_F(Explore, UsesTheDeviceOnWholeVgg) {
    const Json report = explore(example("vgg_cifar") + " --device arria10");
    const Json& design = report["design"];
    const double dsp = design["resources"]["dsp"];
    EXPECT_GE(dsp, 1518 / 2.0);
    EXPECT_LE(dsp, 1518);
    EXPECT_LE(design["resources"]["bram"].get<double>(), 2713);
    // 14 715 584 weight bytes at 24.3 bytes per cycle bound the time from below when nothing is on
    // chip; the program has 313 201 664 multiply–accumulates.
    const double bound = std::max(313201664.0 / (2 * dsp), 14715584 / 24.3);
    EXPECT_LE(design["cycles"].get<double>(), 1.5 * bound);
    EXPECT_NEAR(design["gops"].get<double>(),
                2 * 313201664.0 * 200e6 / design["cycles"].get<double>() / 1e9, 1e-6);
}

// Weights that come from outside are read once for all frames of a run.
TEST_F(Explore, RunsOfFramesAreAskedForAndChosen) {
    const std::string vgg = example("vgg_cifar") + " --device arria10 --limit dsp=1152";
    const Json one = explore(vgg)["design"];
    EXPECT_EQ(one["frames"], 1);
    EXPECT_EQ(one["cycles_per_frame"], one["cycles"]);
    const Json eight = explore(vgg + " --batch 8")["design"];
    EXPECT_EQ(eight["frames"], 8);
    EXPECT_EQ(eight["cycles_per_frame"].get<double>(), eight["cycles"].get<double>() / 8);
    EXPECT_LE(eight["cycles_per_frame"].get<double>(), 153'300);
    EXPECT_TRUE(eight["exportable"]);
    // A run of one frame may stream a layer; that longer ones cannot does not end the search.
    const std::string lenet = example("lenet5") + " --device xc7k160t --limit dsp=16,bram=10 "
                                                  "--bandwidth 3 --objective throughput";
    EXPECT_LE(explore(lenet)["design"]["cycles_per_frame"].get<double>(),
              explore(lenet + " --without streams")["design"]["cycles_per_frame"].get<double>());
    const std::string apart = vgg + " --without overlap"; // with it there are many more runs to try
    const Json chosen = explore(apart + " --objective throughput");
    EXPECT_LE(chosen["design"]["cycles_per_frame"].get<double>(),
              explore(apart + " --batch 8")["design"]["cycles_per_frame"].get<double>());
    EXPECT_EQ(chosen["extract"]["status"], "feasible");
}

TEST_F(Explore, RejectsWrongOptionsWithTheirNames) {
    const std::string file = example("running_example");
    const std::pair<const char*, const char*> cases[] = {
        {" --device nope", "device-unknown"},
        {" --batch 0", "option-value"},
        {" --batch 257", "option-value"},
        {" --limit foo=1", "limit-unknown"},
        {" --limit dsp=x", "limit-value"},
        {" --limit dsp=-1", "limit-value"},
        {" --without xyz", "group-unknown"},
        {" --objective fast", "option-value"},
        {" --cost cheap", "option-value"},
        {" --method guess", "option-value"},
        {" --pins nowhere.json", "file-missing"},
        {" --why Nothing", "unit-unknown"},
        {" --item nothing", "no-item"},
        {" --out /nowhere/design.json", "output-unwritable"},
    };
    for (const auto& [option, code] : cases) {
        const Outcome outcome = run("explore " + file + option);
        EXPECT_EQ(outcome.status, 2) << option;
        EXPECT_THAT(outcome.err, HasSubstr(code)) << option;
        EXPECT_THAT(outcome.err, HasSubstr("hint:")) << option;
    }
}

TEST_F(Explore, ObeysPinsAndNamesAMinimalConflict) {
    const std::string file = example("running_example");
    const std::string never = R"({"pins":[{"kind":"never-share","target":"Mv 64×576"}]})";
    const Json free = explore(file + " --pins " + write("never.json", never));
    for (const Json& unit : free["design"]["units"])
        EXPECT_FALSE(unit["id"] == "Mv 64×576" && unit["shared"] == true);
    EXPECT_EQ(explore(file + " --pins ' " + never + "'")["design"], free["design"]);
    const std::string both = write(
        "both.json",
        R"({"pins":[{"kind":"share","target":"Mv 64×576"},{"kind":"never-share","target":"Mv 64×576"},
                    {"kind":"forbid","target":"TiledMv[64, 576]"}]})");
    const Json conflict = explore(file + " --pins " + both, 1);
    EXPECT_EQ(conflict["infeasible_because"][0]["code"], "pin-conflict");
    EXPECT_EQ(conflict["infeasible_because"][0]["notes"].size(), 2U);
    const std::string unknown =
        write("unknown.json", R"({"pins":[{"kind":"share","target":"Mv 1×1"}]})");
    EXPECT_EQ(run("explore " + file + " --pins " + unknown).status, 2);
}

TEST_F(Explore, ForcesATermInOneLayer) {
    const std::string file = example("running_example");
    const std::string pins = write(
        "force.json", R"({"pins":[{"kind":"force","target":"TiledMv[192, 576]","layer":"c"}]})");
    const Json report = explore(file + " --pins " + pins);
    bool found = false;
    for (const Json& call : report["design"]["calls"])
        if (call["layer"] == "c")
            for (const Json& loop : call["loops"])
                found = found || loop["term"] == "TiledMv[192, 576]";
    for (const Json& unit : report["design"]["units"])
        if (unit["call_sites"][0] == "c")
            found = found ||
                    unit["term"].get<std::string>().find("TiledMv[192, 576]") != std::string::npos;
    EXPECT_TRUE(found);
}

} // namespace marquetry::cli_test
