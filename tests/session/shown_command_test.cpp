#include "engine/session/shown_command.h"

#include <gtest/gtest.h>

namespace marquetry::session {
namespace {

Snapshot searchEnded() {
    Snapshot snapshot;
    snapshot.file = "a.mq";
    snapshot.settings.limits["dsp"] = 100;
    snapshot.outcome = egraph::StopReason::Saturated;
    snapshot.design = std::make_shared<const design::Design>();
    return snapshot;
}

PickedDesign picked(const design::DesignPoint& point) {
    return {point.cycles, point.frames, point.resources, point.label};
}

design::DesignPoint point(std::int64_t cycles, double dsp) {
    design::DesignPoint point;
    point.cycles = cycles;
    point.resources.dsp = dsp;
    return point;
}

TEST(ShownCommand, OfADesignIsTheSearchThatFindsIt) {
    Snapshot snapshot = searchEnded();
    EXPECT_EQ(designCommand(snapshot), "marquetry explore a.mq --device arria10 --limit dsp=100");
    EXPECT_EQ(designCommand(snapshot, "ledger"),
              "marquetry ledger a.mq --device arria10 --limit dsp=100");
    snapshot.foundBy = FoundBy::Part;
    EXPECT_EQ(designCommand(snapshot), "");
    snapshot.foundBy = FoundBy::Search;
    snapshot.design = nullptr;
    EXPECT_EQ(designCommand(snapshot), "") << "nothing is found yet";
}

TEST(ShownCommand, OfAPointLimitsTheSearchToWhatItTakes) {
    Snapshot snapshot = searchEnded();
    snapshot.points = std::vector{point(10, 64), point(20, 32), point(30, 48)};
    const PickedDesign fast = picked(point(20, 32));
    EXPECT_EQ(pointCommand(snapshot, fast),
              "marquetry explore a.mq --device arria10 --limit dsp=32");
    const PickedDesign slow = picked(point(30, 48));
    EXPECT_EQ(pointCommand(snapshot, slow), "") << "the search finds the faster one";
    snapshot.picked = fast;
    snapshot.foundBy = FoundBy::Choice;
    EXPECT_EQ(designCommand(snapshot), pointCommand(snapshot, fast));
    snapshot.outcome = egraph::StopReason::TimeLimit;
    EXPECT_EQ(designCommand(snapshot), "") << "another time may end it elsewhere";
}

TEST(ShownCommand, OfStreamsAndMemoriesThatAreNotThereIsNone) {
    EXPECT_EQ(circuitCommand(searchEnded()), "");
    EXPECT_EQ(banksCommand(searchEnded()), "");
}

} // namespace
} // namespace marquetry::session
