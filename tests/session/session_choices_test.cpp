// Settings and their undo, rule groups, other points of the plot, "what if?".
#include "tests/session/session_harness.h"
#include "tests/support/places.h"

namespace marquetry::session {
namespace {

using design::PinKind;

AskWhatIf whatIf(PinKind kind, const std::string& target) {
    design::Pin pin;
    pin.kind = kind;
    pin.target = target;
    return {pin};
}

const design::DesignUnit* sharedUnit(const Snapshot& snapshot) {
    for (const design::DesignUnit& unit : snapshot.design->units)
        if (unit.shared)
            return &unit;
    return nullptr;
}

TEST(SessionChoices, SettingsCanBeUndone) {
    Harness harness;
    const auto before = harness.explored(512);
    Settings settings = before->settings;
    settings.limits["dsp"] = 256;
    const auto narrow = harness.settle(ChangeSettings{settings});
    ASSERT_TRUE(narrow->design);
    EXPECT_LE(narrow->design->resources.dsp, 256);
    const auto undone = harness.settle(Undo{});
    EXPECT_EQ(undone->settings, before->settings);
    EXPECT_EQ(text(*undone), text(*before));
    EXPECT_EQ(text(*harness.settle(Redo{})), text(*narrow));
}

TEST(SessionChoices, ARuleGroupIsSwitchedOffAndOnAgainByUndo) {
    Harness harness;
    const auto before = harness.explored(512);
    const auto off = harness.settle(SwitchRules{"tiling", false});
    EXPECT_EQ(off->phase, Phase::Ready) << "what had been searched is searched anew";
    EXPECT_EQ(off->settings.without, std::vector<std::string>{"tiling"});
    EXPECT_EQ(std::ranges::count(off->ruleGroups, "tiling"), 0);
    EXPECT_LT(off->egraph->enodeCount(), before->egraph->enodeCount());
    const auto undone = harness.settle(Undo{});
    EXPECT_EQ(undone->phase, Phase::Ready);
    EXPECT_EQ(text(*undone), text(*before));
    EXPECT_EQ(text(*harness.settle(Redo{})), text(*off));
    EXPECT_EQ(text(*harness.settle(SwitchRules{"tiling", true})), text(*before));
    const Acknowledgement unknown = harness.run(SwitchRules{"gravity", false});
    EXPECT_TRUE(hasCode(unknown.diagnostics, "group-unknown")) << format(unknown.diagnostics);
}

TEST(SessionChoices, CallsAreApartWhereTheirGroupIsOffAndJoinedAgainByUndo) {
    Harness harness;
    const auto before = harness.explored(512);
    const auto apart = harness.settle(SwitchRules{"overlap", false});
    ASSERT_TRUE(apart->design);
    EXPECT_LT(apart->egraph->enodeCount(), before->egraph->enodeCount());
    EXPECT_GE(apart->design->cycles, before->design->cycles);
    EXPECT_EQ(text(*harness.settle(Undo{})), text(*before));
}

TEST(SessionChoices, BeforeARunARuleGroupIsOnlySwitched) {
    Harness harness;
    ASSERT_TRUE(harness.run(OpenText{kTwoLayers, "a.mq"}).accepted);
    const auto off = harness.settle(SwitchRules{"tiling", false});
    EXPECT_EQ(off->phase, Phase::Loaded);
    EXPECT_EQ(std::ranges::count(off->ruleGroups, "tiling"), 0);
}

TEST(SessionChoices, EveryPointThatFitsCanBeMadeCurrent) {
    Harness harness;
    const auto before = harness.explored(512);
    int chosen = 0;
    std::string last;
    for (const design::DesignPoint& point : before->points) {
        if (!point.feasible || !point.onFront)
            continue;
        const auto after = harness.settle(ChoosePoint{point});
        ASSERT_TRUE(after->design) << point.label;
        EXPECT_EQ(after->design->cycles, point.cycles) << point.label;
        EXPECT_EQ(after->design->resources, point.resources) << point.label;
        EXPECT_EQ(after->points.size(), before->points.size()) << "the plot stays";
        EXPECT_EQ(after->phase, Phase::Ready);
        last = text(*after);
        ++chosen;
    }
    EXPECT_GT(chosen, 1);
    Settings same = before->settings;
    same.limits["dsp"] = 511;
    const auto changed = harness.settle(ChangeSettings{same});
    EXPECT_NE(changed->foundBy, FoundBy::Choice) << "a change asks for the best again";
    EXPECT_EQ(text(*harness.settle(Undo{})), last) << "and undone for what was chosen";
    for (; chosen > 0; --chosen)
        harness.settle(Undo{});
    EXPECT_EQ(text(*harness.fresh()), text(*before));
}

TEST(SessionChoices, APointThatIsNotThereIsRefused) {
    Harness harness;
    EXPECT_TRUE(hasCode(harness.run(ChoosePoint{}).diagnostics, "no-program"));
    const auto before = harness.explored(512);
    EXPECT_TRUE(hasCode(harness.run(ChoosePoint{}).diagnostics, "point-unknown"));
    EXPECT_EQ(harness.fresh()->design, before->design);
}

TEST(SessionChoices, WhatIfAnswersBesideTheDesign) {
    Harness harness;
    const auto before = harness.explored(512);
    const design::DesignUnit* unit = sharedUnit(*before);
    ASSERT_NE(unit, nullptr);
    const auto asked = harness.settle(whatIf(PinKind::NeverShare, toString(unit->shape)));
    EXPECT_EQ(asked->design, before->design) << "the current design stays";
    EXPECT_TRUE(asked->pins.empty());
    EXPECT_EQ(asked->canUndo, before->canUndo);
    ASSERT_TRUE(asked->whatIf);
    EXPECT_FALSE(asked->whatIf->running);
    ASSERT_TRUE(asked->whatIf->design) << format(asked->whatIf->infeasible);
    EXPECT_GE(asked->whatIf->design->cycles, before->design->cycles);
    const auto pinned = harness.settle(AddPin{asked->whatIf->pin});
    EXPECT_FALSE(pinned->whatIf) << "a pin is a change, and ends the question";
    EXPECT_EQ(designJson(*pinned->design, *pinned->program),
              designJson(*asked->whatIf->design, *asked->program));
}

TEST(SessionChoices, WhatIfPutsAContradictingPinAside) {
    Harness harness;
    const auto before = harness.explored(512);
    const std::string unit = toString(sharedUnit(*before)->shape);
    const AskWhatIf never = whatIf(PinKind::NeverShare, unit);
    const auto pinned = harness.settle(AddPin{*never.pin});
    const auto asked = harness.settle(whatIf(PinKind::Share, unit));
    EXPECT_EQ(asked->design, pinned->design);
    ASSERT_TRUE(asked->whatIf && asked->whatIf->design);
    EXPECT_EQ(asked->whatIf->design->cycles, before->design->cycles);
    EXPECT_FALSE(harness.settle(AskWhatIf{})->whatIf);
}

TEST(SessionChoices, WhatIfSaysWhyThereIsNoDesign) {
    Harness harness;
    const auto before = harness.explored(512);
    const auto asked = harness.settle(whatIf(PinKind::Share, "Mv 1×1"));
    ASSERT_TRUE(asked->whatIf);
    EXPECT_FALSE(asked->whatIf->design);
    EXPECT_TRUE(hasCode(asked->whatIf->infeasible, "pin-unknown"));
    EXPECT_EQ(asked->design, before->design);
}

TEST(SessionChoices, TheTimeLimitAlsoEndsExtraction) {
    Harness harness;
    Settings settings = Harness::withDsp(512);
    settings.seconds = 0;
    ASSERT_TRUE(harness.run(ChangeSettings{settings}).accepted);
    ASSERT_TRUE(harness.run(OpenText{kTwoLayers, "a.mq"}).accepted);
    const auto none = harness.settle(session::Run{});
    EXPECT_EQ(none->phase, Phase::Ready);
    EXPECT_EQ(none->outcome, egraph::StopReason::TimeLimit);
    EXPECT_TRUE(none->design || hasCode(none->infeasible, "limit-time"))
        << format(none->infeasible);
    settings.seconds = 86'400;
    ASSERT_TRUE(harness.run(ChangeSettings{settings}).accepted);
    const auto all = harness.settle(session::Run{});
    EXPECT_EQ(all->outcome, egraph::StopReason::Saturated);
    EXPECT_TRUE(all->design);
}

TEST(SessionChoices, ProvesTheTermOfEveryLayer) {
    Harness harness;
    const auto before = harness.explored(256);
    ASSERT_TRUE(before->design);
    for (const design::DesignCall& call : before->design->calls) {
        ASSERT_TRUE(harness.run(AskProof{call.layer}).accepted);
        auto snapshot = harness.fresh();
        while (!snapshot->proofs.contains(call.layer))
            snapshot = harness.fresh();
        const LayerProof& proof = *snapshot->proofs.at(call.layer);
        EXPECT_TRUE(proof.failure.empty()) << format(proof.failure);
        EXPECT_FALSE(proof.from.empty());
        EXPECT_EQ(proof.lines.empty(), proof.from == proof.to);
        for (const ProofLine& line : proof.lines)
            EXPECT_NE(std::ranges::find(snapshot->ruleNames, line.rule), snapshot->ruleNames.end());
        EXPECT_EQ(snapshot->design, before->design);
        EXPECT_EQ(snapshot->phase, Phase::Ready);
    }
    EXPECT_TRUE(hasCode(harness.run(AskProof{"nowhere"}).diagnostics, "layer-unknown"));
    EXPECT_TRUE(harness.settle(SwitchRules{"sharing", false})->proofs.empty());
}

TEST(SessionChoices, TheItemAskedForIsShown) {
    Harness harness;
    const std::string example =
        test::sourceFolder() + "/examples/running_example/running_example.mq";
    harness.run(OpenFile{example, "running_example"});
    EXPECT_EQ(harness.fresh()->item, "running_example");
    harness.run(OpenFile{example, ""});
    EXPECT_EQ(harness.fresh()->item, "");
}

} // namespace
} // namespace marquetry::session
