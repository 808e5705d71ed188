#include "tests/session/session_harness.h"
#include "tests/support/places.h"

namespace marquetry::session {
namespace {

TEST(Session, BeginsEmpty) {
    Harness harness;
    const auto snapshot = harness.fresh();
    EXPECT_EQ(snapshot->phase, Phase::Empty);
    EXPECT_EQ(snapshot->device.id, "arria10");
    EXPECT_EQ(harness.run(session::Run{}).diagnostics.at(0).code, "no-program");
    EXPECT_EQ(harness.run(Verify{}).diagnostics.at(0).code, "no-program");
}

TEST(Session, ExploresToTheAnswerOfTheCommandLine) {
    Harness harness;
    const auto snapshot = harness.explored(512);
    EXPECT_EQ(snapshot->phase, Phase::Ready);
    EXPECT_EQ(snapshot->outcome, egraph::StopReason::Saturated);
    ASSERT_TRUE(snapshot->design);
    const auto alone = explore(snapshot->program, snapshot->settings, {});
    ASSERT_TRUE(alone);
    EXPECT_EQ(text(*snapshot), designJson(*alone->extraction.design, *alone->program));
    EXPECT_EQ(snapshot->egraph->enodeCount(), alone->lowered->egraph->enodeCount());
    EXPECT_EQ(snapshot->iterations.size(), alone->iterations.size());
    EXPECT_EQ(snapshot->points.size(), alone->extraction.points.size());
}

TEST(Session, SnapshotsCarryEverythingTheViewsShow) {
    Harness harness;
    const auto snapshot = harness.explored(512);
    EXPECT_EQ(*snapshot->source, kTwoLayers);
    EXPECT_EQ(snapshot->file, "two_layers.mq");
    EXPECT_EQ(snapshot->limits.dsp, 512);
    EXPECT_EQ(snapshot->ruleNames.size(), snapshot->iterations.front().rules.size());
    EXPECT_EQ(snapshot->ruleGroups.size(), snapshot->ruleNames.size());
    EXPECT_GT(snapshot->lowerBound, 0);
    EXPECT_LE(snapshot->lowerBound, snapshot->design->cycles);
    ASSERT_TRUE(snapshot->hdl);
    const auto& files = *snapshot->hdl;
    EXPECT_TRUE(std::ranges::any_of(
        files, [&](const HdlFile& file) { return file.unit == snapshot->design->units[0].name; }));
    EXPECT_TRUE(std::ranges::any_of(
        files, [](const HdlFile& f) { return f.text.find("endmodule") != std::string::npos; }));
    std::string log;
    for (const LogLine& line : snapshot->log)
        log += line.text + "\n";
    EXPECT_NE(log.find("$ marquetry open two_layers.mq\n"), std::string::npos) << log;
    EXPECT_NE(log.find("$ marquetry explore two_layers.mq --device arria10 --limit dsp=512\n"),
              std::string::npos)
        << log;
    EXPECT_NE(log.find("saturated after"), std::string::npos) << log;
}

TEST(Session, EpochsGrowAndAnAcknowledgementNamesOneThatShowsIt) {
    Harness harness;
    const auto before = harness.fresh();
    const Acknowledgement opened = harness.run(OpenText{kTwoLayers, "a.mq"});
    EXPECT_GT(opened.epoch, before->epoch);
    const auto after = harness.fresh();
    EXPECT_GT(after->epoch, before->epoch);
    EXPECT_GE(after->epoch, opened.epoch);
    EXPECT_EQ(after->phase, Phase::Loaded);
    EXPECT_EQ(before->phase, Phase::Empty) << "an old snapshot stays as it was";
}

TEST(Session, StepsOneIterationAtATime) {
    Harness harness;
    ASSERT_TRUE(harness.run(OpenText{kTwoLayers, "a.mq"}).accepted);
    const auto one = harness.settle(StepOnce{});
    EXPECT_EQ(one->phase, Phase::Paused);
    EXPECT_EQ(one->iterations.size(), 1U);
    EXPECT_TRUE(one->design) << "what is there so far is extracted";
    const auto two = harness.settle(StepOnce{});
    EXPECT_EQ(two->iterations.size(), 2U);
    EXPECT_GT(two->egraph->totalEnodes(), one->egraph->totalEnodes());
    EXPECT_EQ(harness.run(Pause{}).diagnostics.at(0).code, "not-running");
    const auto end = harness.settle(session::Run{});
    EXPECT_EQ(end->phase, Phase::Ready);
    EXPECT_EQ(end->outcome, egraph::StopReason::Saturated);
    EXPECT_EQ(harness.run(session::Run{}).diagnostics.at(0).code, "already-done");
    EXPECT_EQ(harness.run(StepOnce{}).diagnostics.at(0).code, "already-done");
}

TEST(Session, PausedOrSteppedItEndsWithTheSameDesign) {
    Harness straight;
    const std::string expected = text(*straight.explored(512));
    Harness harness;
    ASSERT_TRUE(harness.run(ChangeSettings{Harness::withDsp(512)}).accepted);
    ASSERT_TRUE(harness.run(OpenText{kTwoLayers, "two_layers.mq"}).accepted);
    harness.settle(StepOnce{});
    const Ticket run = harness.session().post(session::Run{});
    const Ticket pause = harness.session().post(Pause{});
    harness.wait(run);
    harness.wait(pause);
    harness.settled();
    harness.run(session::Run{});
    const auto end = harness.settled();
    EXPECT_EQ(end->phase, Phase::Ready);
    EXPECT_EQ(text(*end), expected);
}

TEST(Session, StopKeepsWhatIsFound) {
    Harness harness;
    ASSERT_TRUE(harness.run(OpenText{kTwoLayers, "a.mq"}).accepted);
    EXPECT_EQ(harness.run(StopRun{}).diagnostics.at(0).code, "not-running");
    harness.settle(StepOnce{});
    const auto stopped = harness.settle(StopRun{});
    EXPECT_EQ(stopped->phase, Phase::Ready);
    EXPECT_EQ(stopped->outcome, egraph::StopReason::Cancelled);
    EXPECT_EQ(stopped->iterations.size(), 1U);
    EXPECT_TRUE(stopped->design);
    const auto resumed = harness.settle(session::Run{});
    EXPECT_EQ(resumed->outcome, egraph::StopReason::Saturated);
}

TEST(Session, ShowsWhatIsWrongWithAText) {
    Harness harness;
    const Acknowledgement opened =
        harness.run(OpenText{"design d {\n  output y = relu(nowhere);\n}\n", "bad.mq"});
    EXPECT_FALSE(opened.accepted);
    EXPECT_TRUE(hasCode(opened.diagnostics, "unknown-name")) << format(opened.diagnostics);
    const auto snapshot = harness.fresh();
    EXPECT_EQ(snapshot->phase, Phase::Invalid);
    EXPECT_TRUE(hasCode(snapshot->diagnostics, "unknown-name"));
    EXPECT_EQ(snapshot->diagnostics.at(0).range.line, 2);
    EXPECT_TRUE(snapshot->source->starts_with("design d"));
    EXPECT_FALSE(snapshot->egraph);
    EXPECT_EQ(harness.run(session::Run{}).diagnostics.at(0).code, "no-program");
    EXPECT_TRUE(harness.run(OpenText{kTwoLayers, "good.mq"}).accepted);
    EXPECT_TRUE(harness.fresh()->diagnostics.empty());
}

TEST(Session, ShowsThatAFileOrAnItemIsMissing) {
    Harness harness;
    EXPECT_TRUE(hasCode(harness.run(OpenFile{"/nowhere/x.mq", ""}).diagnostics, "file-missing"));
    EXPECT_EQ(harness.fresh()->phase, Phase::Invalid);
    const std::string example =
        test::sourceFolder() + "/examples/running_example/running_example.mq";
    EXPECT_TRUE(hasCode(harness.run(OpenFile{example, "other"}).diagnostics, "no-item"));
    EXPECT_TRUE(harness.run(OpenFile{example, ""}).accepted);
    EXPECT_EQ(harness.fresh()->program->name, "running_example");
}

TEST(Session, SettingsThatNeedAnotherEGraphSearchAnew) {
    Harness harness;
    const auto before = harness.explored(512);
    Settings settings = before->settings;
    settings.without = {"tiling"};
    const auto after = harness.settle(ChangeSettings{settings});
    EXPECT_EQ(after->phase, Phase::Ready) << "what is discarded is searched by itself";
    EXPECT_TRUE(after->design);
    EXPECT_EQ(after->outcome, egraph::StopReason::Saturated);
    EXPECT_LT(after->egraph->enodeCount(), before->egraph->enodeCount());
    EXPECT_LT(after->ruleNames.size(), before->ruleNames.size());
}

TEST(Session, OtherSettingsOnlyExtractAgain) {
    Harness harness;
    const auto before = harness.explored(512);
    Settings settings = before->settings;
    settings.without = {"sharing"};
    const auto unshared = harness.settle(ChangeSettings{settings});
    EXPECT_EQ(unshared->phase, Phase::Ready);
    EXPECT_FALSE(unshared->iterations.empty()) << "nothing starts over";
    ASSERT_TRUE(unshared->design);
    EXPECT_GT(unshared->design->cycles, before->design->cycles);
    const auto back = harness.settle(ChangeSettings{before->settings});
    EXPECT_EQ(text(*back), text(*before));
    settings = before->settings;
    settings.limits["cycles"] = 1e6;
    const auto again = harness.settle(ChangeSettings{settings});
    EXPECT_EQ(again->egraph, back->egraph) << "the e-graph is the same object";
}

TEST(Session, RefusesSettingsThatMakeNoSense) {
    Harness harness;
    const auto before = harness.explored(512);
    const auto refused = [&](auto change, const char* code) {
        Settings settings = before->settings;
        change(settings);
        const Acknowledgement done = harness.run(ChangeSettings{settings});
        EXPECT_FALSE(done.accepted);
        EXPECT_TRUE(hasCode(done.diagnostics, code)) << format(done.diagnostics);
    };
    refused([](Settings& s) { s.device = "nothing"; }, "device-unknown");
    refused([](Settings& s) { s.limits["gold"] = 1; }, "limit-unknown");
    refused([](Settings& s) { s.limits["dsp"] = -1; }, "limit-value");
    refused([](Settings& s) { s.clockMhz = 0; }, "option-value");
    refused([](Settings& s) { s.seconds = -1; }, "option-value");
    refused([](Settings& s) { s.maxIterations = -1; }, "option-value");
    refused([](Settings& s) { s.without = {"gravity"}; }, "group-unknown");
    const auto after = harness.fresh();
    EXPECT_EQ(after->settings, before->settings);
    EXPECT_EQ(after->design, before->design);
}

TEST(Session, AnIterationLimitEndsSaturationAndCanBeRaised) {
    Harness harness;
    Settings settings = Harness::withDsp(512);
    settings.maxIterations = 2;
    ASSERT_TRUE(harness.run(ChangeSettings{settings}).accepted);
    ASSERT_TRUE(harness.run(OpenText{kTwoLayers, "a.mq"}).accepted);
    const auto limited = harness.settle(session::Run{});
    EXPECT_EQ(limited->outcome, egraph::StopReason::IterationLimit);
    EXPECT_TRUE(limited->design);
    settings.maxIterations = 100;
    ASSERT_TRUE(harness.run(ChangeSettings{settings}).accepted);
    EXPECT_EQ(harness.settle(session::Run{})->outcome, egraph::StopReason::Saturated);
}

} // namespace
} // namespace marquetry::session
