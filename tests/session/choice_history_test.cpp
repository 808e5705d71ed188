#include "engine/session/choice_history.h"

#include <gtest/gtest.h>

namespace marquetry::session {
namespace {

design::Pin historyPin(design::PinKind kind, const std::string& target) {
    design::Pin made;
    made.kind = kind;
    made.target = target;
    return made;
}

TEST(ChoiceHistory, GivesIdsAndKeepsThemThroughUndoAndRedo) {
    ChoiceHistory history;
    ASSERT_TRUE(history.add(historyPin(design::PinKind::Share, "Mv 64×576")));
    ASSERT_TRUE(history.add(historyPin(design::PinKind::NeverShare, "Mv 8×8")));
    const auto both = history.pins();
    EXPECT_NE(both[0].id, both[1].id);
    ASSERT_TRUE(history.undo());
    EXPECT_EQ(history.pins().size(), 1U);
    ASSERT_TRUE(history.redo());
    EXPECT_EQ(history.pins(), both);
    EXPECT_FALSE(history.canRedo());
}

TEST(ChoiceHistory, NeverGivesAnIdTwice) {
    ChoiceHistory history;
    ASSERT_TRUE(history.add(historyPin(design::PinKind::Share, "a")));
    const int first = history.pins().front().id;
    ASSERT_TRUE(history.undo());
    ASSERT_TRUE(history.add(historyPin(design::PinKind::Share, "b")));
    EXPECT_NE(history.pins().front().id, first);
    EXPECT_FALSE(history.canRedo()) << "a new change ends what could be redone";
}

TEST(ChoiceHistory, UndoesRemovalAndSwitching) {
    ChoiceHistory history;
    ASSERT_TRUE(history.add(historyPin(design::PinKind::ForbidTerm, "TiledMv[288]")));
    const auto before = history.pins();
    ASSERT_TRUE(history.enable(before[0].id, false));
    EXPECT_FALSE(history.pins()[0].enabled);
    ASSERT_TRUE(history.remove(before[0].id));
    EXPECT_TRUE(history.pins().empty());
    ASSERT_TRUE(history.undo());
    ASSERT_TRUE(history.undo());
    EXPECT_EQ(history.pins(), before);
}

TEST(ChoiceHistory, RefusesWhatMakesNoSenseAndChangesNothing) {
    ChoiceHistory history;
    ASSERT_TRUE(history.add(historyPin(design::PinKind::Share, "a")));
    const auto before = history.pins();
    EXPECT_EQ(history.add(historyPin(design::PinKind::Share, "")).error()[0].code, "pin-target");
    EXPECT_EQ(history.add(historyPin(design::PinKind::Share, "a")).error()[0].code, "pin-exists");
    EXPECT_EQ(history.remove(99).error()[0].code, "pin-missing");
    EXPECT_EQ(history.enable(99, false).error()[0].code, "pin-missing");
    EXPECT_EQ(history.redo().error()[0].code, "nothing-to-redo");
    EXPECT_EQ(history.pins(), before);
    history.clear();
    EXPECT_EQ(history.undo().error()[0].code, "nothing-to-undo");
}

TEST(ChoiceHistory, HasNoStepThatChangesNothing) {
    ChoiceHistory history;
    PickedDesign one;
    one.cycles = 1;
    PickedDesign other;
    other.cycles = 2;
    history.pick(one);
    history.settlePick({});
    EXPECT_FALSE(history.canUndo()) << "it was not to be had";
    history.pick(one);
    history.pick(other);
    history.settlePick(one);
    EXPECT_EQ(history.picked(), one);
    ASSERT_TRUE(history.undo());
    EXPECT_EQ(history.picked(), std::nullopt);
    EXPECT_FALSE(history.canUndo());
    ASSERT_TRUE(history.redo());
    history.pick(other);
    ASSERT_TRUE(history.undo());
    history.settlePick(other);
    EXPECT_FALSE(history.canRedo());
    EXPECT_TRUE(history.canUndo()) << "of the one that was chosen first";
}

} // namespace
} // namespace marquetry::session
