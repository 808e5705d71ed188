#include "tests/session/session_harness.h"

namespace marquetry::session {
namespace {

using design::PinKind;

AddPin sessionPin(PinKind kind, const std::string& target) {
    AddPin command;
    command.pin.kind = kind;
    command.pin.target = target;
    return command;
}

std::string unitToPin(const Snapshot& snapshot) {
    for (const design::DesignUnit& unit : snapshot.design->units)
        if (unit.shared)
            return toString(unit.shape);
    return "";
}

TEST(SessionPins, NeverShareChangesTheDesignAndUndoRestoresIt) {
    Harness harness;
    const auto before = harness.explored(512);
    const std::string unit = unitToPin(*before);
    ASSERT_FALSE(unit.empty());
    const auto pinned = harness.settle(sessionPin(PinKind::NeverShare, unit));
    ASSERT_TRUE(pinned->design) << format(pinned->infeasible);
    EXPECT_EQ(pinned->egraph, before->egraph) << "a pin never edits the e-graph";
    EXPECT_NE(unitToPin(*pinned), unit);
    EXPECT_GE(pinned->design->cycles, before->design->cycles);
    EXPECT_NE(text(*pinned), text(*before));
    EXPECT_EQ(pinned->pins.size(), 1U);
    EXPECT_TRUE(pinned->canUndo);
    const auto undone = harness.settle(Undo{});
    EXPECT_TRUE(undone->pins.empty());
    EXPECT_TRUE(undone->canRedo);
    EXPECT_EQ(text(*undone), text(*before));
    EXPECT_EQ(text(*harness.settle(Redo{})), text(*pinned));
    const int id = pinned->pins[0].id;
    EXPECT_EQ(text(*harness.settle(EnablePin{id, false})), text(*before));
    EXPECT_EQ(text(*harness.settle(EnablePin{id, true})), text(*pinned));
    EXPECT_EQ(text(*harness.settle(RemovePin{id})), text(*before));
}

TEST(SessionPins, WhatCannotBeMetIsExplainedAndCanBeUndone) {
    Harness harness;
    const auto before = harness.explored(512);
    const std::string unit = unitToPin(*before);
    harness.settle(sessionPin(PinKind::NeverShare, unit));
    const auto conflict = harness.settle(sessionPin(PinKind::Share, unit));
    EXPECT_EQ(conflict->phase, Phase::Ready);
    EXPECT_FALSE(conflict->design);
    EXPECT_FALSE(conflict->hdl);
    ASSERT_FALSE(conflict->infeasible.empty());
    EXPECT_EQ(conflict->infeasible[0].code, "pin-conflict") << format(conflict->infeasible);
    EXPECT_EQ(conflict->infeasible[0].notes.size(), 2U) << format(conflict->infeasible);
    EXPECT_EQ(conflict->pins.size(), 2U);
    EXPECT_EQ(harness.run(Export{"/nowhere/x", "verilog"}).diagnostics.at(0).code, "no-design");
    harness.settle(Undo{});
    EXPECT_EQ(text(*harness.settle(Undo{})), text(*before));
}

TEST(SessionPins, AnUnknownTargetIsNamed) {
    Harness harness;
    harness.explored(512);
    const auto unknown = harness.settle(sessionPin(PinKind::Share, "Mv 1×1"));
    EXPECT_FALSE(unknown->design);
    EXPECT_TRUE(hasCode(unknown->infeasible, "pin-unknown")) << format(unknown->infeasible);
}

TEST(SessionPins, ALimitThatNothingFitsIsNamed) {
    Harness harness;
    const auto snapshot = harness.explored(1);
    EXPECT_EQ(snapshot->phase, Phase::Ready);
    EXPECT_FALSE(snapshot->design);
    EXPECT_TRUE(hasCode(snapshot->infeasible, "limit-dsp")) << format(snapshot->infeasible);
}

TEST(SessionPins, HoldFromTheStartAndWhilePaused) {
    Harness harness;
    const auto before = harness.explored(512);
    const std::string unit = unitToPin(*before);
    const std::string pinned = text(*harness.settle(sessionPin(PinKind::NeverShare, unit)));

    Harness other;
    ASSERT_TRUE(other.run(ChangeSettings{Harness::withDsp(512)}).accepted);
    ASSERT_TRUE(other.run(OpenText{kTwoLayers, "two_layers.mq"}).accepted);
    const auto stepped = other.settle(StepOnce{});
    ASSERT_EQ(stepped->phase, Phase::Paused);
    const auto paused = other.settle(sessionPin(PinKind::NeverShare, unit));
    EXPECT_EQ(paused->phase, Phase::Paused);
    EXPECT_EQ(paused->iterations.size(), stepped->iterations.size());
    EXPECT_TRUE(!paused->design || unitToPin(*paused) != unit);
    EXPECT_EQ(text(*other.settle(session::Run{})), pinned);
}

TEST(SessionPins, StayWhenTheSameFileIsOpenedAgainOnly) {
    Harness harness;
    harness.explored(512);
    harness.settle(sessionPin(PinKind::Share, "Conv 4×4×64→64 k3"));
    ASSERT_TRUE(harness.run(OpenText{kTwoLayers, "two_layers.mq"}).accepted);
    EXPECT_EQ(harness.fresh()->pins.size(), 1U);
    ASSERT_TRUE(harness.run(OpenText{kTwoLayers, "other.mq"}).accepted);
    EXPECT_TRUE(harness.fresh()->pins.empty());
    EXPECT_FALSE(harness.fresh()->canUndo);
}

} // namespace
} // namespace marquetry::session
