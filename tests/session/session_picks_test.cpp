// The design that is chosen from the plot: undone, done again, and kept in session files.
#include "engine/session/controller.h"
#include "engine/session/session_file.h"
#include "tests/session/session_harness.h"

#include <filesystem>
#include <fstream>

namespace marquetry::session {
namespace {

/// Points of the front that are not the design at hand.
std::vector<design::DesignPoint> others(const Snapshot& snapshot) {
    std::vector<design::DesignPoint> points;
    for (const design::DesignPoint& point : snapshot.points)
        if (point.onFront && point.feasible && point.cycles != snapshot.design->cycles)
            points.push_back(point);
    return points;
}

TEST(SessionPicks, AreUndoneAndDoneAgain) {
    Harness harness;
    const auto best = harness.explored(512);
    const auto points = others(*best);
    ASSERT_GE(points.size(), 2U);
    const auto one = harness.settle(ChoosePoint{points[0]});
    EXPECT_EQ(one->foundBy, FoundBy::Choice);
    EXPECT_EQ(one->picked->cycles, points[0].cycles);
    EXPECT_TRUE(one->canUndo);
    const auto other = harness.settle(ChoosePoint{points[1]});
    EXPECT_NE(text(*other), text(*one));
    const auto back = harness.settle(Undo{});
    EXPECT_EQ(text(*back), text(*one));
    EXPECT_EQ(back->foundBy, FoundBy::Choice);
    const auto first = harness.settle(Undo{});
    EXPECT_EQ(text(*first), text(*best));
    EXPECT_EQ(first->foundBy, best->foundBy);
    EXPECT_EQ(first->gap, best->gap);
    EXPECT_EQ(first->lowerBound, best->lowerBound);
    EXPECT_EQ(first->picked, std::nullopt);
    EXPECT_EQ(text(*harness.settle(Redo{})), text(*one));
    EXPECT_EQ(text(*harness.settle(Redo{})), text(*other));
}

TEST(SessionPicks, EndWithTheSettingsAndComeBackWithThem) {
    Harness harness;
    const auto best = harness.explored(512);
    const auto chosen = harness.settle(ChoosePoint{others(*best).front()});
    Settings settings = best->settings;
    settings.limits["dsp"] = 256;
    const auto narrow = harness.settle(ChangeSettings{settings});
    EXPECT_EQ(narrow->picked, std::nullopt);
    EXPECT_NE(narrow->foundBy, FoundBy::Choice);
    const auto undone = harness.settle(Undo{});
    EXPECT_EQ(text(*undone), text(*chosen));
    EXPECT_EQ(undone->foundBy, FoundBy::Choice);
    EXPECT_EQ(text(*harness.settle(Undo{})), text(*best));
}

TEST(SessionPicks, EndWithAPinAndComeBackWithoutIt) {
    Harness harness;
    const auto best = harness.explored(512);
    const auto chosen = harness.settle(ChoosePoint{others(*best).front()});
    design::Pin pin;
    pin.kind = design::PinKind::NeverShare;
    pin.target = best->design->units.front().name;
    EXPECT_EQ(harness.settle(AddPin{pin})->picked, std::nullopt);
    EXPECT_EQ(text(*harness.settle(Undo{})), text(*chosen));
}

/// A limit on time alone needs no other search, but takes back what was chosen.
TEST(SessionPicks, EndWithSettingsThatNeedNoSearch) {
    Harness harness;
    const auto best = harness.explored(512);
    harness.settle(ChoosePoint{others(*best).front()});
    Settings settings = best->settings;
    settings.seed += 1;
    const auto changed = harness.settle(ChangeSettings{settings});
    EXPECT_EQ(text(*changed), text(*best));
    EXPECT_NE(changed->foundBy, FoundBy::Choice);
}

TEST(SessionPicks, AreFoundAgainByASessionFile) {
    Harness harness;
    const auto best = harness.explored(512);
    const auto chosen = harness.settle(ChoosePoint{others(*best).front()});
    const SessionFile file = sessionOf(*chosen);
    ASSERT_TRUE(file.picked);
    const auto read = parseSession(printSession(file), "a.mqs");
    ASSERT_TRUE(read) << format(read.error());
    EXPECT_EQ(read->picked, file.picked);
    EXPECT_FALSE(sameDecisions(file, sessionOf(*best)));

    Harness again;
    const auto opened = again.settle(
        OpenSession{"", std::make_shared<const SessionFile>(*read), SessionProgram::Held});
    EXPECT_EQ(text(*opened), text(*chosen));
    EXPECT_EQ(opened->foundBy, FoundBy::Choice);
    EXPECT_EQ(opened->picked, chosen->picked);
}

TEST(SessionPicks, ThatAreGoneLeaveTheBest) {
    Harness harness;
    const auto best = harness.explored(512);
    SessionFile file = sessionOf(*harness.settle(ChoosePoint{others(*best).front()}));
    file.picked->cycles += 1;
    Harness again;
    const auto opened = again.settle(
        OpenSession{"", std::make_shared<const SessionFile>(file), SessionProgram::Held});
    EXPECT_EQ(text(*opened), text(*best));
    EXPECT_EQ(opened->picked, std::nullopt);
    EXPECT_TRUE(std::ranges::any_of(opened->log, [](const LogLine& line) {
        return line.text.find("chosen is not among those found") != std::string::npos;
    }));
}

TEST(SessionPicks, EndWithAnotherRun) {
    Harness harness;
    EXPECT_TRUE(harness.run(ChangeSettings{Harness::withDsp(512)}).accepted);
    EXPECT_TRUE(harness.run(OpenText{kTwoLayers, "two_layers.mq"}).accepted);
    harness.settle(StepOnce{});
    const auto paused = harness.settle(StepOnce{});
    const auto points = others(*paused);
    ASSERT_FALSE(points.empty());
    harness.settle(ChoosePoint{points.front()});
    const auto ended = harness.settle(session::Run{});
    EXPECT_EQ(ended->picked, std::nullopt);
    EXPECT_NE(ended->foundBy, FoundBy::Choice);
}

/// Opens it, and lets it take this many iterations and an extraction each.
void openInSteps(Controller& controller, const SessionFile& file, int steps) {
    const auto finish = [&] {
        while (controller.nextWork() != Work::None)
            controller.work({});
    };
    SessionFile unsearched = file;
    unsearched.searched = false;
    controller.handle(
        1, OpenSession{"", std::make_shared<const SessionFile>(unsearched), SessionProgram::Held});
    for (int k = 0; k < steps; ++k) {
        controller.handle(2, StepOnce{});
        finish();
    }
    controller.handle(3, session::Run{});
    finish();
}

TEST(SessionPicks, OfASessionFileAreFoundThoughTheSearchIsPaused) {
    Harness harness;
    const auto best = harness.explored(512);
    const auto chosen = harness.settle(ChoosePoint{others(*best).front()});
    for (const int steps : {1, 2, 3}) {
        Controller controller{{[](Ticket, const Status&) {}, [] {}}};
        openInSteps(controller, sessionOf(*chosen), steps);
        const Snapshot shown = controller.snapshot(true);
        EXPECT_EQ(text(shown), text(*chosen)) << steps;
        EXPECT_EQ(shown.foundBy, FoundBy::Choice) << steps;
        EXPECT_EQ(shown.picked, chosen->picked) << steps;
    }
}

TEST(SessionPicks, ThatAreGoneAreKeptUntilTheSearchHasEnded) {
    Harness harness;
    const auto best = harness.explored(512);
    SessionFile file = sessionOf(*harness.settle(ChoosePoint{others(*best).front()}));
    file.picked->cycles += 1;
    file.searched = false;
    Harness again;
    EXPECT_TRUE(
        again.run(OpenSession{"", std::make_shared<const SessionFile>(file), SessionProgram::Held})
            .accepted);
    const auto paused = again.settle(StepOnce{});
    EXPECT_EQ(paused->phase, Phase::Paused);
    EXPECT_EQ(paused->picked, file.picked) << "it may come yet";
    const auto ended = again.settle(session::Run{});
    EXPECT_EQ(ended->picked, std::nullopt);
    EXPECT_FALSE(ended->canUndo) << "nothing was changed";
}

/// No iteration is left, so that the run changes nothing but what is at hand.
TEST(SessionPicks, EndWithARunThatHasNothingToDo) {
    Harness harness;
    Settings settings = Harness::withDsp(512);
    settings.maxIterations = 3;
    EXPECT_TRUE(harness.run(ChangeSettings{settings}).accepted);
    EXPECT_TRUE(harness.run(OpenText{kTwoLayers, "two_layers.mq"}).accepted);
    const auto best = harness.settle(session::Run{});
    ASSERT_EQ(best->outcome, egraph::StopReason::IterationLimit);
    ASSERT_FALSE(others(*best).empty());
    const bool could = best->canUndo;
    harness.settle(ChoosePoint{others(*best).front()});
    const auto ended = harness.settle(session::Run{});
    EXPECT_EQ(ended->picked, std::nullopt);
    EXPECT_EQ(text(*ended), text(*best));
    EXPECT_EQ(ended->foundBy, best->foundBy);
    EXPECT_EQ(ended->gap, best->gap);
    EXPECT_EQ(ended->canUndo, could) << "there is nothing to undo";
}

TEST(SessionPicks, EndWithARunRightAfterTheClick) {
    for (const int iterations : {3, 1000}) {
        Controller controller{{[](Ticket, const Status&) {}, [] {}}};
        const auto finish = [&] {
            while (controller.nextWork() != Work::None)
                controller.work({});
        };
        Settings settings = Harness::withDsp(512);
        settings.maxIterations = iterations;
        controller.handle(1, ChangeSettings{settings});
        controller.handle(2, OpenText{kTwoLayers, "two_layers.mq"});
        controller.handle(3, session::Run{});
        finish();
        const Snapshot best = controller.snapshot(true);
        controller.handle(4, ChoosePoint{others(best).front()});
        controller.handle(5, session::Run{}); // the design of the point is not there yet
        finish();
        const Snapshot shown = controller.snapshot(true);
        const bool grows = best.outcome == egraph::StopReason::IterationLimit;
        EXPECT_EQ(shown.picked.has_value(), !grows) << "a run that is refused changes nothing";
        EXPECT_EQ(shown.foundBy == FoundBy::Choice, !grows);
        EXPECT_EQ(text(shown) == text(best), grows);
    }
}

TEST(SessionPicks, ThatAreStoppedLeaveWhatWasAtHand) {
    Controller controller{{[](Ticket, const Status&) {}, [] {}}};
    const auto finish = [&] {
        while (controller.nextWork() != Work::None)
            controller.work({});
    };
    controller.handle(1, ChangeSettings{Harness::withDsp(512)});
    controller.handle(2, OpenText{kTwoLayers, "two_layers.mq"});
    controller.handle(3, session::Run{});
    finish();
    const auto points = others(controller.snapshot(true));
    ASSERT_GE(points.size(), 2U);
    controller.handle(4, ChoosePoint{points[0]});
    finish();
    const Snapshot one = controller.snapshot(true);
    controller.handle(5, ChoosePoint{points[1]});
    controller.handle(6, StopRun{});
    finish();
    const Snapshot shown = controller.snapshot(true);
    EXPECT_EQ(text(shown), text(one));
    EXPECT_EQ(shown.picked, one.picked);
    EXPECT_EQ(shown.foundBy, FoundBy::Choice);
}

} // namespace
} // namespace marquetry::session
