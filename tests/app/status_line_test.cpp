// The line that tells where an exploration stands: what is chosen, what is best, and within what
// the bound holds.
#include "app/status_line.h"
#include "engine/design/design.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace marquetry::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

design::DesignPoint pointOf(std::int64_t cycles, bool feasible) {
    design::DesignPoint point;
    point.cycles = cycles;
    point.feasible = feasible;
    return point;
}

session::Snapshot explored(std::int64_t cycles) {
    session::Snapshot snapshot;
    snapshot.phase = session::Phase::Ready;
    auto design = std::make_shared<design::Design>();
    design->cycles = cycles;
    snapshot.design = design;
    snapshot.points = std::vector{pointOf(100, false), pointOf(200, true), pointOf(800, true)};
    snapshot.outcome = egraph::StopReason::Saturated;
    return snapshot;
}

std::string lineOf(const session::Snapshot& snapshot) {
    return app::statusLine(snapshot).toStdString();
}

TEST(StatusLine, SaysBestOfWhatASearchFound) {
    const std::string line = lineOf(explored(200));
    EXPECT_THAT(line, HasSubstr("best 200 cycles"));
    EXPECT_THAT(line, Not(HasSubstr("chosen")));
}

TEST(StatusLine, SaysChosenOfAPickAndWhatIsFaster) {
    session::Snapshot snapshot = explored(800);
    snapshot.foundBy = session::FoundBy::Choice;
    EXPECT_THAT(lineOf(snapshot), HasSubstr("chosen 800 cycles · fastest 200 cycles"));
    EXPECT_THAT(lineOf(snapshot), Not(HasSubstr("best")));
    snapshot = explored(200);
    snapshot.foundBy = session::FoundBy::Choice;
    EXPECT_THAT(lineOf(snapshot), Not(HasSubstr("fastest"))) << "it is the fastest itself";
}

TEST(StatusLine, SaysWithinWhatTheBoundHolds) {
    session::Snapshot snapshot = explored(200);
    snapshot.lowerBound = 150;
    snapshot.gap = 0.25;
    EXPECT_THAT(lineOf(snapshot),
                HasSubstr("bound 150 cycles (all rules, the device's limits) · gap 25 %"));
    snapshot.pins = {{1, design::PinKind::NeverShare, "Mv 8×8", "", true},
                     {2, design::PinKind::Share, "Mv 8×8", "", false}};
    EXPECT_THAT(lineOf(snapshot), HasSubstr("(all rules, 1 pin, the device's limits)"));
    snapshot.settings.without = {"padding", "sharing"};
    snapshot.settings.limits = {{"bram", 20}, {"dsp", 32}};
    EXPECT_THAT(lineOf(snapshot),
                HasSubstr("(no padding, no sharing, 1 pin, bram ≤ 20, dsp ≤ 32)"));
    snapshot.settings.method = design::SearchMethod::Milp;
    EXPECT_THAT(lineOf(snapshot), HasSubstr("(no padding, no sharing, no overlap, no streams, 1 "));
    snapshot.settings.method = design::SearchMethod::Pool;
    snapshot.settings.batch = 4;
    EXPECT_THAT(lineOf(snapshot), HasSubstr("(no padding, no sharing, no streams, 1 pin"));
    snapshot.settings.batch.reset();
    snapshot.outcome.reset();
    EXPECT_THAT(lineOf(snapshot), HasSubstr("(the e-graph so far, no padding"));
}

} // namespace
} // namespace marquetry::test
