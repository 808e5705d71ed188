// Changes worth a try: which are tried, that each figure is that of an exploration of its own, and
// that a session looks for them without being in anybody's way.
#include "engine/session/controller.h"
#include "engine/session/next_changes.h"
#include "engine/session/next_changes_text.h"
#include "engine/support/json.h"
#include "tests/session/session_harness.h"

#include "engine/frontend/parser.h"

namespace marquetry::session {
namespace {

std::shared_ptr<const ir::Program> twoLayers() {
    auto parsed = frontend::parse(kTwoLayers, "two_layers.mq");
    return std::make_shared<const ir::Program>(parsed->programs.front());
}

std::vector<std::string> textsOf(const std::vector<ChangeToTry>& changes) {
    std::vector<std::string> texts;
    for (const ChangeToTry& change : changes)
        texts.push_back(change.text);
    return texts;
}

Settings limited(double dsp) {
    Settings settings = Harness::withDsp(dsp);
    settings.device = "xc7z020";
    return settings;
}

TEST(NextChanges, AreOneSettingAwayFromTheSettings) {
    design::Design design;
    design.resources.dsp = 61;
    EXPECT_EQ(textsOf(changesToTry(limited(64), design)),
              (std::vector<std::string>{
                  "Up to 128 DSP blocks", "All 220 DSP blocks of the device",
                  "At most 30 DSP blocks, half of those used", "Without the rules overlap",
                  "Without the rules streams", "Without sharing", "Objective throughput",
                  "Runs of 8 frames", "On zu3eg, AMD Zynq US+ ZU3EG (Ultra96), all of it",
                  "On lfe5u-85f, Lattice ECP5 85F, all of it"}));
    Settings odd = limited(220);
    odd.limits = {{"dsp", 220}, {"bram", 12}, {"cycles", 1e6}};
    odd.without = {"overlap", "tiling"};
    odd.objective = design::Objective::Throughput;
    odd.batch = 4;
    odd.cost = design::CostModel::Published;
    odd.method = design::SearchMethod::Milp;
    EXPECT_EQ(textsOf(changesToTry(odd, design)),
              (std::vector<std::string>{
                  "At most 30 DSP blocks, half of those used", "All block RAM of the device",
                  "Without the limit on cycles", "With the rules overlap", "With the rules tiling",
                  "Without the rules streams", "Without sharing", "Objective latency",
                  "Runs of one frame", "Costs of the hardware instead of published ones",
                  "The search by pools, which knows joined and streamed calls",
                  "On zu3eg, AMD Zynq US+ ZU3EG (Ultra96), all of it",
                  "On lfe5u-85f, Lattice ECP5 85F, all of it"}));
    odd.device = "/nowhere/device.json";
    EXPECT_TRUE(changesToTry(odd, design).empty());
}

TEST(NextChanges, AnotherDeviceIsTakenWhole) {
    Settings settings = limited(64);
    settings.clockMhz = 50;
    settings.bandwidth = 2;
    settings.limits["cycles"] = 1e6;
    const auto changes = changesToTry(settings, {});
    const Settings& other = changes.back().settings;
    EXPECT_EQ(other.device, "lfe5u-85f");
    EXPECT_EQ(other.clockMhz, std::nullopt);
    EXPECT_EQ(other.bandwidth, std::nullopt);
    EXPECT_EQ(other.limits, (std::map<std::string, double>{{"cycles", 1e6}}));
}

ChangeFigures figures(std::int64_t cycles, double dsp, double mhz = 100, std::int64_t frames = 1) {
    ChangeFigures made;
    made.cycles = cycles;
    made.frames = frames;
    made.resources.dsp = dsp;
    made.clockMhz = mhz;
    return made;
}

TEST(NextChanges, GainIsInFramesOfASecond) {
    const ChangeFigures now = figures(1000, 10);
    EXPECT_EQ(gainOf(now, figures(500, 10)), 2);
    EXPECT_EQ(gainOf(now, figures(1000, 10, 150)), 1.5);
    EXPECT_EQ(gainOf(now, figures(4000, 10, 100, 8)), 2);
    EXPECT_EQ(gainOf(now, std::nullopt), std::nullopt);
    ChangeFigures published = figures(500, 10);
    published.cost = design::CostModel::Published;
    EXPECT_EQ(gainOf(now, published), std::nullopt) << "other cycles";
}

TEST(NextChanges, TheMostGainIsFirstThenTheFewestBlocks) {
    NextChanges changes;
    changes.now = figures(1000, 10);
    const auto add = [&](const char* text, const std::optional<ChangeFigures>& then) {
        insertByGain(changes, {{text, {}}, then, {}});
    };
    add("none", std::nullopt);
    add("worse", figures(1100, 5));
    add("same", figures(1000, 10));
    add("cheaper", figures(1000, 8));
    add("better", figures(900, 20));
    add("same again", figures(1000, 10));
    add("none either", std::nullopt);
    std::vector<std::string> order;
    for (const NextChange& each : changes.tried)
        order.push_back(each.change.text);
    EXPECT_EQ(order, (std::vector<std::string>{"better", "cheaper", "same", "same again", "worse",
                                               "none", "none either"}));
}

/// Brute force: every change by an exploration of its own, and then sorted.
TEST(NextChanges, EveryFigureIsThatOfAnExplorationOfItsOwn) {
    const auto program = twoLayers();
    Settings settings = limited(64);
    const std::vector<design::Pin> pins = {
        {1, design::PinKind::NeverShare, "Conv 4×4×64→64 k3", "", false}};
    const auto found = explore(program, settings, pins);
    ASSERT_TRUE(found);
    ASSERT_TRUE(found->extraction.design);
    const NextChanges changes = nextChanges(*found);
    EXPECT_EQ(changes.tried.size(), changes.toTry);
    EXPECT_EQ(changes.toTry, changesToTry(settings, *found->extraction.design).size());
    EXPECT_EQ(changes.now.cycles, found->extraction.design->cycles);
    std::optional<double> before;
    int better = 0;
    for (const NextChange& tried : changes.tried) {
        const auto alone = explore(program, tried.change.settings, pins);
        ASSERT_TRUE(alone) << tried.change.text;
        const auto& design = alone->extraction.design;
        ASSERT_EQ(tried.then.has_value(), design != nullptr) << tried.change.text;
        if (design)
            EXPECT_EQ(*tried.then, figuresOf(*design, false)) << tried.change.text;
        else
            EXPECT_FALSE(tried.problem.empty()) << tried.change.text;
        const auto gain = gainOf(changes.now, tried.then);
        EXPECT_TRUE(!before || gain.value_or(0) <= *before) << tried.change.text;
        before = gain.value_or(0);
        better += gain && *gain > 1 ? 1 : 0;
    }
    EXPECT_GT(better, 0) << "more DSP blocks are faster";
}

TEST(NextChanges, TextsHaveALineForEachChange) {
    NextChanges changes;
    changes.now = figures(1000, 10);
    insertByGain(changes, {{"Up to 20 DSP blocks", limited(20)}, figures(500, 20), {}});
    insertByGain(changes,
                 {{"Half", limited(5)}, std::nullopt, {makeError("limit", "too \"small\"")}});
    EXPECT_EQ(changesText(changes), "changes to try next, the best first:\n"
                                    "  Change               Cycles a frame      DSP  Gain\n"
                                    "  Up to 20 DSP blocks      1000 → 500  10 → 20  ×2.00\n"
                                    "  Half                                          no design: "
                                    "too \"small\"\n");
    EXPECT_EQ(changesCsv(changes, {}),
              "change,cycles_now,frames_now,dsp_now,cycles,frames,dsp,gain,problem,options\n"
              "\"Up to 20 DSP blocks\",1000,1,10,500,1,20,2,\"\","
              "\"--device xc7z020 --limit dsp=20\"\n"
              "\"Half\",1000,1,10,,,,,\"too \"\"small\"\"\",\"--device xc7z020 --limit dsp=5\"\n");
    const auto json = nlohmann::json::parse(changesJson(changes, {}));
    EXPECT_EQ(json["now"]["cycles"], 1000);
    EXPECT_EQ(json["tried"][0]["gain"], 2);
    EXPECT_EQ(json["tried"][0]["then"]["dsp"], 20);
    EXPECT_TRUE(json["tried"][1]["then"].is_null());
    EXPECT_EQ(json["tried"][1]["problem"], "too \"small\"");
}

// ---- in a session ----

std::shared_ptr<const Snapshot> withChanges(Harness& harness) {
    std::shared_ptr<const Snapshot> snapshot;
    EXPECT_TRUE(test::comes([&] {
        snapshot = harness.session().latest(); // nobody asks: they come by themselves
        return snapshot->changes && snapshot->changes->complete();
    }));
    return snapshot;
}

std::shared_ptr<const Snapshot> searchedWith(Harness& harness, const Settings& settings) {
    EXPECT_TRUE(harness.run(ChangeSettings{settings}).accepted);
    EXPECT_TRUE(harness.run(OpenText{kTwoLayers, "two_layers.mq"}).accepted);
    return harness.settle(Run{});
}

TEST(SessionChanges, AreThoseOfTheCommandLine) {
    Harness harness;
    const Settings settings = limited(64);
    const auto found = searchedWith(harness, settings);
    EXPECT_EQ(found->changes, nullptr) << "nobody has asked";
    ASSERT_TRUE(harness.run(AskChanges{}).accepted);
    const auto shown = withChanges(harness);
    EXPECT_EQ(shown->phase, Phase::Ready);
    const auto alone = explore(twoLayers(), settings, {});
    const NextChanges expected = nextChanges(*alone);
    EXPECT_EQ(changesJson(*shown->changes, {}), changesJson(expected, {}));
    EXPECT_EQ(text(*shown), text(*found)) << "what is at hand stays";
}

TEST(SessionChanges, AreFoundAgainAfterEverySearch) {
    Harness harness;
    searchedWith(harness, limited(64));
    ASSERT_TRUE(harness.run(AskChanges{}).accepted);
    const auto first = withChanges(harness);
    const ChangeToTry best = first->changes->tried.front().change;
    ASSERT_TRUE(harness.run(ChangeSettings{best.settings}).accepted);
    const auto tried = harness.settled();
    EXPECT_EQ(figuresOf(*tried->design, false), *first->changes->tried.front().then)
        << "the figure is what one gets";
    const auto next = withChanges(harness);
    EXPECT_EQ(next->changes->settings, best.settings);
    ASSERT_TRUE(harness.run(Undo{}).accepted);
    const auto undone = harness.fresh();
    EXPECT_TRUE(!undone->changes || undone->changes->settings == undone->settings);
    harness.settled();
    EXPECT_EQ(changesJson(*withChanges(harness)->changes, {}), changesJson(*first->changes, {}));
}

struct Turns {
    Controller controller{{[](Ticket, const Status&) {}, [] {}}};
    Ticket last = 0;

    void hand(const Command& command) { controller.handle(++last, command); }
    void finish() {
        while (controller.nextWork() != Work::None)
            controller.work({});
    }
    void finishSearch() {
        while (controller.nextWork() != Work::None && controller.nextWork() != Work::Try)
            controller.work({});
    }
};

Turns& searched(Turns& turns) {
    turns.hand(AskChanges{});
    turns.hand(ChangeSettings{limited(64)});
    turns.hand(OpenText{kTwoLayers, "two_layers.mq"});
    EXPECT_EQ(turns.controller.nextWork(), Work::None) << "there is no design to change";
    turns.hand(session::Run{});
    turns.finishSearch();
    EXPECT_EQ(turns.controller.nextWork(), Work::Try);
    return turns;
}

TEST(SessionChanges, ComeAfterAllOtherWork) {
    Turns turns;
    searched(turns);
    EXPECT_EQ(turns.controller.phase(), Phase::Ready);
    turns.controller.work({});
    turns.hand(AskProof{"a"});
    EXPECT_EQ(turns.controller.nextWork(), Work::Extract);
    turns.controller.work({});
    turns.hand(Measure{});
    EXPECT_EQ(turns.controller.nextWork(), Work::Measure);
    turns.controller.work({});
    EXPECT_EQ(turns.controller.nextWork(), Work::Try);
    for (const Command& command : {Command(session::Run{}), Command(AskProof{"a"}), Command(Undo{}),
                                   Command(AskChanges{false}), Command(StopChanges{})})
        EXPECT_TRUE(interrupts(command, Work::Try));
}

TEST(SessionChanges, WhatIsInterruptedIsDoneAgain) {
    Turns turns;
    searched(turns);
    std::stop_source stopped;
    stopped.request_stop();
    Turns straight;
    searched(straight);
    straight.finish();
    for (int k = 0; turns.controller.nextWork() == Work::Try; ++k)
        turns.controller.work(k % 2 == 0 ? stopped.get_token() : std::stop_token());
    const auto interrupted = turns.controller.snapshot(false).changes;
    ASSERT_TRUE(interrupted);
    EXPECT_TRUE(interrupted->complete());
    EXPECT_EQ(changesJson(*interrupted, {}),
              changesJson(*straight.controller.snapshot(false).changes, {}));
}

/// Until one has been tried.
void tryOne(Turns& turns) {
    const auto tried = [&] {
        const auto changes = turns.controller.snapshot(false).changes;
        return changes ? changes->tried.size() : 0;
    };
    const std::size_t before = tried();
    while (turns.controller.nextWork() == Work::Try && tried() == before)
        turns.controller.work({});
    EXPECT_EQ(tried(), before + 1);
}

TEST(SessionChanges, StopUntilSomebodyGoesOn) {
    Turns turns;
    searched(turns);
    tryOne(turns);
    turns.hand(StopChanges{});
    EXPECT_EQ(turns.controller.nextWork(), Work::None);
    const auto stopped = turns.controller.snapshot(false).changes;
    ASSERT_TRUE(stopped);
    EXPECT_TRUE(stopped->stopped);
    turns.hand(AskChanges{false});
    turns.hand(AskChanges{});
    EXPECT_EQ(turns.controller.nextWork(), Work::None) << "the view was only away";
    turns.hand(StopChanges{false});
    EXPECT_EQ(turns.controller.nextWork(), Work::Try);
    EXPECT_EQ(turns.controller.snapshot(false).changes->tried.size(), 1U) << "what is known stays";
    turns.finish();
    EXPECT_FALSE(turns.controller.snapshot(false).changes->stopped);
    EXPECT_TRUE(turns.controller.snapshot(false).changes->complete());
}

TEST(SessionChanges, ThatWereStoppedAreTriedAfterTheNextSearch) {
    Turns turns;
    searched(turns);
    tryOne(turns);
    turns.hand(StopChanges{});
    turns.hand(ChangeSettings{limited(32)});
    turns.finishSearch();
    EXPECT_EQ(turns.controller.nextWork(), Work::Try);
    turns.controller.work({});
    EXPECT_FALSE(turns.controller.snapshot(false).changes->stopped);
}

TEST(SessionChanges, PauseWhileNobodyCanSeeThem) {
    Turns turns;
    searched(turns);
    tryOne(turns);
    turns.hand(AskChanges{false});
    EXPECT_EQ(turns.controller.nextWork(), Work::None);
    const auto paused = turns.controller.snapshot(false).changes;
    ASSERT_TRUE(paused);
    EXPECT_FALSE(paused->stopped);
    turns.hand(AskChanges{});
    tryOne(turns);
    EXPECT_EQ(turns.controller.snapshot(false).changes->tried.size(), 2U);
}

/// The settings are the same, the design is not.
TEST(SessionChanges, AreOfTheDesignThatWasFoundLast) {
    Turns turns;
    Settings settings = limited(64);
    settings.maxIterations = 2;
    turns.hand(AskChanges{});
    turns.hand(ChangeSettings{settings});
    turns.hand(OpenText{kTwoLayers, "two_layers.mq"});
    turns.hand(session::Run{});
    turns.finish();
    const auto before = turns.controller.snapshot(false).changes;
    ASSERT_TRUE(before);
    EXPECT_TRUE(before->complete());
    design::Pin pin;
    pin.target = "no such unit";
    pin.enabled = false;
    turns.hand(AddPin{pin});
    turns.hand(Undo{});
    turns.finishSearch();
    EXPECT_EQ(turns.controller.nextWork(), Work::Try);
}

/// The growth of the e-graph has the same limit as what looks for designs in it.
TEST(NextChanges, SayThatALimitOnTimeEndedTheSearch) {
    Settings settings = limited(64);
    settings.seconds = 0;
    const auto found = explore(twoLayers(), settings, {});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->outcome, egraph::StopReason::TimeLimit);
    ASSERT_TRUE(found->extraction.design);
    EXPECT_TRUE(found->outOfTime);
    const NextChanges changes = nextChanges(*found);
    EXPECT_TRUE(changes.now.outOfTime);
    EXPECT_NE(changesText(changes).find("a limit on time ended the search of the design"),
              std::string::npos);
    for (const NextChange& tried : changes.tried)
        EXPECT_TRUE(!tried.then || tried.then->outOfTime) << tried.change.text;
}

TEST(SessionChanges, AreNoneOfASearchThatWasStopped) {
    Turns turns;
    turns.hand(AskChanges{});
    turns.hand(ChangeSettings{limited(64)});
    turns.hand(OpenText{kTwoLayers, "two_layers.mq"});
    turns.hand(StepOnce{});
    turns.finish();
    turns.hand(StopRun{});
    turns.finish();
    EXPECT_TRUE(turns.controller.snapshot(false).design);
    EXPECT_EQ(turns.controller.snapshot(false).changes, nullptr);
}

TEST(SessionChanges, AFailureIsTheAnswerOfOneChange) {
    Turns turns;
    searched(turns);
    turns.controller.work({}); // which are tried
    ASSERT_EQ(turns.controller.begin(), Work::Try);
    turns.controller.recover(makeError("out-of-memory", "no memory"));
    turns.finish();
    const auto changes = turns.controller.snapshot(false).changes;
    ASSERT_TRUE(changes);
    EXPECT_TRUE(changes->complete());
    EXPECT_EQ(std::ranges::count_if(
                  changes->tried,
                  [](const NextChange& tried) { return hasCode(tried.problem, "out-of-memory"); }),
              1);
    EXPECT_TRUE(turns.controller.snapshot(false).design);
}

} // namespace
} // namespace marquetry::session
