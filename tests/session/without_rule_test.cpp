// The best design without one rule: that of a search of its own, found in nobody's way.
#include "engine/session/controller.h"
#include "engine/session/next_changes.h"
#include "tests/session/session_harness.h"

#include "engine/frontend/parser.h"

namespace marquetry::session {
namespace {

constexpr const char* kTiling = "R-TILE-CONV-OCH";

Settings onSmallDevice() {
    Settings settings = Harness::withDsp(16);
    settings.device = "xc7z020";
    return settings;
}

std::shared_ptr<const Snapshot> searchedSmall(Harness& harness) {
    EXPECT_TRUE(harness.run(ChangeSettings{onSmallDevice()}).accepted);
    EXPECT_TRUE(harness.run(OpenText{kTwoLayers, "two_layers.mq"}).accepted);
    return harness.settle(session::Run{});
}

std::shared_ptr<const WithoutRule> answerOf(Harness& harness, const std::string& rule) {
    EXPECT_TRUE(harness.run(AskWithoutRule{rule}).accepted);
    std::shared_ptr<const WithoutRule> answer;
    EXPECT_TRUE(test::comes([&] {
        answer = harness.session().latest()->withoutRule;
        return answer && answer->rule == rule && !answer->running;
    }));
    return answer;
}

/// Nothing: there is no design.
std::optional<ChangeFigures> foundWith(const Settings& settings) {
    auto parsed = frontend::parse(kTwoLayers, "two_layers.mq");
    const auto program = std::make_shared<const ir::Program>(parsed->programs.front());
    const auto found = explore(program, settings, {});
    EXPECT_TRUE(found);
    if (!found->extraction.design)
        return std::nullopt;
    return figuresOf(*found->extraction.design, found->outOfTime);
}

TEST(WithoutRule, IsTheBestDesignOfASearchWithoutIt) {
    Harness harness;
    const auto found = searchedSmall(harness);
    EXPECT_EQ(found->withoutRule, nullptr) << "nobody has asked";
    std::set<double> cycles;
    for (const std::string& rule : found->ruleNames) {
        const auto answer = answerOf(harness, rule);
        Settings without = onSmallDevice();
        without.without = {rule};
        ASSERT_TRUE(answer) << rule;
        EXPECT_EQ(answer->then, foundWith(without)) << rule;
        EXPECT_EQ(answer->problem.empty(), answer->then.has_value()) << rule;
        EXPECT_EQ(answer->now, foundWith(onSmallDevice()));
        cycles.insert(answer->then ? answer->then->cyclesPerFrame() : 0);
    }
    EXPECT_GT(cycles.size(), 1U) << "some rule is worth something";
    EXPECT_EQ(text(*harness.fresh()), text(*found)) << "what is at hand stays";
}

TEST(WithoutRule, ASearchWithoutARuleHasNoENodeOfIt) {
    Harness harness;
    searchedSmall(harness);
    ASSERT_TRUE(harness.run(SwitchRules{kTiling, false}).accepted);
    const auto off = harness.settled();
    EXPECT_EQ(off->settings.without, std::vector<std::string>{kTiling});
    EXPECT_EQ(std::ranges::count(off->ruleNames, kTiling), 0);
    ASSERT_EQ(off->ruleTexts.size(), off->ruleNames.size() + 1);
    EXPECT_EQ(off->ruleTexts.back().name, kTiling);
    for (std::size_t k = 0; k < off->ruleNames.size(); ++k)
        EXPECT_EQ(off->ruleTexts[k].name, off->ruleNames[k]);
    ASSERT_TRUE(off->design);
    EXPECT_EQ(figuresOf(*off->design, false), foundWith(off->settings));
    ASSERT_TRUE(harness.run(Undo{}).accepted);
    EXPECT_EQ(std::ranges::count(harness.settled()->ruleNames, kTiling), 1);
}

TEST(WithoutRule, IsForgottenWithWhatItIsOf) {
    Harness harness;
    searchedSmall(harness);
    ASSERT_TRUE(answerOf(harness, kTiling));
    ASSERT_TRUE(harness.run(AskWithoutRule{}).accepted);
    EXPECT_EQ(harness.fresh()->withoutRule, nullptr);
    ASSERT_TRUE(answerOf(harness, kTiling));
    ASSERT_TRUE(harness.run(ChangeSettings{Harness::withDsp(512)}).accepted);
    EXPECT_EQ(harness.settled()->withoutRule, nullptr);
}

TEST(WithoutRule, SaysWhatItCannotBeAskedOf) {
    Harness harness;
    EXPECT_FALSE(harness.run(AskWithoutRule{kTiling}).accepted) << "there is no program";
    searchedSmall(harness);
    const Acknowledgement unknown = harness.run(AskWithoutRule{"R-GRAVITY"});
    EXPECT_TRUE(hasCode(unknown.diagnostics, "rule-unknown")) << format(unknown.diagnostics);
    Settings settings = onSmallDevice();
    for (const char* const made : {"R3-FUSE", "R-GROUP", "R-GRAVITY"}) {
        settings.without = {made};
        const auto refused = harness.run(ChangeSettings{settings});
        EXPECT_TRUE(hasCode(refused.diagnostics, "group-unknown")) << made;
    }
}

TEST(WithoutRule, WhatIsInterruptedIsDoneAgainAndWhatFailsIsAnAnswer) {
    Controller controller{{[](Ticket, const Status&) {}, [] {}}};
    Ticket last = 0;
    controller.handle(++last, ChangeSettings{onSmallDevice()});
    controller.handle(++last, OpenText{kTwoLayers, "two_layers.mq"});
    controller.handle(++last, session::Run{});
    while (controller.nextWork() != Work::None)
        controller.work({});
    controller.handle(++last, AskWithoutRule{kTiling});
    EXPECT_EQ(controller.phase(), Phase::Ready) << "nobody is told that it runs";
    std::stop_source stopped;
    stopped.request_stop();
    for (int k = 0; controller.nextWork() == Work::Try; ++k)
        controller.work(k % 2 == 0 ? stopped.get_token() : std::stop_token());
    const auto answer = controller.snapshot(false).withoutRule;
    ASSERT_TRUE(answer && answer->then);
    Settings without = onSmallDevice();
    without.without = {kTiling};
    EXPECT_EQ(*answer->then, foundWith(without));

    controller.handle(++last, AskWithoutRule{"R-TILE-MV"});
    ASSERT_EQ(controller.begin(), Work::Try);
    controller.recover(makeError("out-of-memory", "no memory"));
    EXPECT_EQ(controller.nextWork(), Work::None);
    EXPECT_TRUE(hasCode(controller.snapshot(false).withoutRule->problem, "out-of-memory"));
}

} // namespace
} // namespace marquetry::session
