// The designs of a program are those of every width of stored words that is offered: what
// exploration answers is the best of what it answers when one width is given.
#include "engine/rules/lanes.h"
#include "engine/session/explore.h"
#include "engine/session/explorer.h"
#include "tests/lower_design/random_windows.h"
#include "tests/support/programs.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace marquetry::session {
namespace {

using extract::ExtractResult;
using extract::ExtractStatus;

constexpr std::int64_t kWidths[] = {8, 16, 32, 64};

Setup setupWithin(double dsp, std::int64_t lanes = 0) {
    Settings settings;
    settings.limits["dsp"] = dsp;
    Setup setup = *makeSetup(settings, {});
    setup.lowering.lanes = lanes;
    return setup;
}

/// Grown to its end.
Explorer grown(const std::shared_ptr<const ir::Program>& program, const Setup& setup) {
    Explorer explorer;
    EXPECT_TRUE(explorer.openProgram(program, setup).has_value());
    while (!explorer.iterate({})) {
    }
    return explorer;
}

ExtractResult found(Explorer& explorer, const Setup& setup, std::vector<design::Pin> pins = {}) {
    extract::ExtractParams params = setup.extraction;
    params.pins = std::move(pins);
    auto result = explorer.search(params, {});
    EXPECT_TRUE(result.has_value());
    return result ? *std::move(result) : ExtractResult();
}

/// What each width alone has.
std::vector<ExtractResult> foundByWidth(const std::shared_ptr<const ir::Program>& program,
                                        double dsp) {
    std::vector<ExtractResult> results;
    for (const std::int64_t lanes : kWidths) {
        const session::Setup setup = setupWithin(dsp, lanes);
        Explorer explorer = grown(program, setup);
        results.push_back(found(explorer, setup));
        for (const design::DesignPoint& point : results.back().points)
            EXPECT_EQ(point.lanes, lanes);
    }
    return results;
}

/// Points of all widths that no other one covers, by cycles.
std::vector<std::int64_t> frontOf(const std::vector<ExtractResult>& results) {
    std::vector<design::DesignPoint> all;
    for (const ExtractResult& result : results)
        all.insert(all.end(), result.points.begin(), result.points.end());
    std::vector<std::int64_t> front;
    for (const design::DesignPoint& a : all) {
        const bool covered = std::ranges::any_of(all, [&](const design::DesignPoint& b) {
            return b.feasible && b.cycles <= a.cycles && b.resources.fits(a.resources) &&
                   (b.cycles < a.cycles || !(b.resources == a.resources));
        });
        if (a.feasible && !covered)
            front.push_back(a.cycles);
    }
    std::ranges::sort(front);
    return front;
}

std::set<std::int64_t> frontOf(const ExtractResult& result) {
    std::set<std::int64_t> front;
    for (const design::DesignPoint& point : result.points)
        if (point.onFront)
            front.insert(point.cycles);
    return front;
}

} // namespace

TEST(Widths, TheAnswerIsTheBestOfAll) {
    int others = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        SCOPED_TRACE(seed);
        const auto program = test::programOf(test::randomWindowsText(seed));
        const double dsp = 16.0 + 8.0 * static_cast<double>(seed);
        const session::Setup setup = setupWithin(dsp);
        Explorer explorer = grown(program, setup);
        const std::int64_t first = explorer.lowered()->menu.lanes;
        const ExtractResult answer = found(explorer, setup);
        const std::vector<ExtractResult> byWidth = foundByWidth(program, dsp);
        std::int64_t least = std::numeric_limits<std::int64_t>::max();
        for (const ExtractResult& each : byWidth)
            if (each.design)
                least = std::min(least, each.design->cycles);
        ASSERT_TRUE(answer.design);
        EXPECT_EQ(answer.design->cycles, least);
        for (const ExtractResult& each : byWidth)
            EXPECT_LE(answer.lowerBound, each.design ? each.lowerBound : each.openBound);
        EXPECT_EQ(answer.status == ExtractStatus::Optimal, answer.gap == 0);
        const std::vector<std::int64_t> front = frontOf(byWidth);
        EXPECT_EQ(frontOf(answer), std::set<std::int64_t>(front.begin(), front.end()));
        others += answer.design->lanes != first ? 1 : 0;
    }
    EXPECT_GT(others, 0) << "no program whose first guess is not the best";
}

TEST(Widths, WhatIsAdoptedBringsItsEgraph) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        const session::Setup setup = setupWithin(300);
        Explorer explorer = grown(test::programOf(test::randomWindowsText(seed)), setup);
        const ExtractResult answer = found(explorer, setup);
        ASSERT_TRUE(answer.design);
        explorer.adopt(answer);
        EXPECT_EQ(explorer.lowered()->menu.lanes, answer.design->lanes);
        EXPECT_FALSE(explorer.outdated());
        for (const design::DesignPoint& point : answer.points) {
            if (!point.onFront)
                continue;
            const auto design = explorer.searchPoint(setup.extraction, point, {});
            ASSERT_TRUE(design.has_value());
            EXPECT_EQ((*design)->lanes, point.lanes);
            EXPECT_EQ((*design)->cycles, point.cycles);
        }
        // Whichever is at hand, the answer is the same.
        const ExtractResult again = found(explorer, setup);
        ASSERT_TRUE(again.design);
        EXPECT_EQ(again.design->cycles, answer.design->cycles);
        EXPECT_EQ(again.design->lanes, answer.design->lanes);
        EXPECT_EQ(again.points.size(), answer.points.size());
    }
}

TEST(Widths, APinThatNamesATermOfOneWidthKeepsToIt) {
    const auto program = test::programOf(R"(design one {
  input  x : i8[6, 6, 40] = random(seed: 1);
  weight d : i8[40, 3, 3] = random(seed: 2);
  output y = requant(dwconv(x, d, pad: 1), shift: 6);
})");
    const session::Setup setup = setupWithin(512);
    Explorer explorer = grown(program, setup);
    for (const std::int64_t lanes : kWidths) {
        const session::Setup given = setupWithin(512, lanes);
        Explorer alone = grown(program, given);
        const ExtractResult there = found(alone, given);
        ASSERT_TRUE(there.design);
        design::Pin pin{1, design::PinKind::ForceTerm, there.design->calls[0].loops[0].term, "y",
                        true};
        const ExtractResult answer = found(explorer, setup, {pin});
        ASSERT_TRUE(answer.design) << pin.target;
        EXPECT_EQ(answer.design->lanes, lanes) << pin.target;
        pin.kind = design::PinKind::ForbidTerm;
        const ExtractResult without = found(explorer, setup, {pin});
        ASSERT_TRUE(without.design) << pin.target;
        EXPECT_NE(without.design->lanes, lanes) << pin.target;
    }
    extract::ExtractParams params = setup.extraction;
    params.pins = {{1, design::PinKind::ForbidTerm, "Nothing[1]", "", true}};
    const auto unknown = explorer.search(params, {});
    ASSERT_FALSE(unknown.has_value());
    EXPECT_EQ(unknown.error().front().code, "pin-unknown");
}

} // namespace marquetry::session
