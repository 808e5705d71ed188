#include "snapshot_fixture.h"

#include "widgets/models/pin_choices.h"
#include "widgets/models/selection_model.h"

#include <QSignalSpy>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::widgets {
namespace {

using design::BufferId;
using design::CallId;
using design::UnitId;
using test::makeSnapshot;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(Subject, LinksComeBack) {
    const std::vector<Subject> subjects{LayerName{"conv:1 x"}, UnitId{3},           CallId{0},
                                        egraph::EClassId{12},  egraph::ENodeId{40}, BufferId{2}};
    for (const Subject& subject : subjects) {
        const auto back = parseLink(toLink(subject));
        ASSERT_TRUE(back) << toLink(subject).toStdString();
        EXPECT_EQ(*back, subject);
    }
}

TEST(Subject, OtherTextIsNoLink) {
    for (const char* text :
         {"", "unit", "unit:", "unit:x", "unit:-1", "layer:", "http://a", "tree:3"})
        EXPECT_FALSE(parseLink(QString::fromLatin1(text))) << text;
}

TEST(SnapshotIndex, KnowsChosenAndShared) {
    const auto parts = makeSnapshot();
    const SnapshotIndex index(parts.snapshot);
    EXPECT_TRUE(index.shared(parts.sharedClass));
    EXPECT_FALSE(index.shared(parts.convClass));
    EXPECT_TRUE(index.chosen(parts.sharedMv));
    EXPECT_FALSE(index.chosen(parts.tiledMv));
    EXPECT_TRUE(index.chosen(parts.convClass));
    EXPECT_EQ(index.unitName(parts.convClass), "Conv 8×8×64→64 k3");
}

TEST(SnapshotIndex, LayerLightsItsClassesUnitCallsAndBuffers) {
    const auto parts = makeSnapshot();
    const SnapshotIndex index(parts.snapshot);
    const Linked linked = index.linked(LayerName{"conv"});
    EXPECT_THAT(linked.layers, ElementsAre("conv"));
    EXPECT_THAT(linked.units, ElementsAre(UnitId{0}));
    EXPECT_THAT(linked.calls, ElementsAre(CallId{0}));
    EXPECT_THAT(linked.eclasses, Contains(parts.sharedClass));
    EXPECT_THAT(linked.eclasses, Contains(parts.convClass));
    EXPECT_THAT(linked.buffers, ElementsAre(BufferId{0}, BufferId{2}));
}

TEST(SnapshotIndex, UnitLightsAllItsCalls) {
    const SnapshotIndex index(makeSnapshot().snapshot);
    const Linked linked = index.linked(UnitId{0});
    EXPECT_THAT(linked.layers, ElementsAre("conv", "fc"));
    EXPECT_THAT(linked.calls, ElementsAre(CallId{0}, CallId{2}));
    EXPECT_THAT(linked.buffers, ElementsAre(BufferId{0}, BufferId{1}, BufferId{2}));
}

TEST(SnapshotIndex, ClassLightsTheUnitItIsPartOf) {
    const auto parts = makeSnapshot();
    const SnapshotIndex index(parts.snapshot);
    EXPECT_THAT(index.linked(parts.sharedClass).units, ElementsAre(UnitId{0}));
    EXPECT_THAT(index.linked(parts.tiledMv).enodes, ElementsAre(parts.tiledMv));
    EXPECT_THAT(index.linked(BufferId{1}).layers, ElementsAre("fc"));
}

TEST(SnapshotIndex, KnowsWhichLayersReachAClass) {
    const auto parts = makeSnapshot();
    const SnapshotIndex index(parts.snapshot);
    EXPECT_THAT(index.layersReaching(parts.sharedClass), ElementsAre("conv", "fc"));
    EXPECT_THAT(index.layersReaching(parts.convClass), ElementsAre("conv"));
}

TEST(SnapshotIndex, IdsThatAreNotThereLightNothing) {
    const SnapshotIndex index(makeSnapshot(false).snapshot);
    EXPECT_FALSE(index.exists(UnitId{0}));
    EXPECT_FALSE(index.exists(egraph::ENodeId{100'000}));
    EXPECT_FALSE(index.exists(LayerName{"nothing"}));
    EXPECT_THAT(index.linked(UnitId{0}).eclasses, IsEmpty());
    EXPECT_THAT(index.linked(egraph::EClassId{}).eclasses, IsEmpty());
}

TEST(SnapshotIndex, LayerIsLinkedBeforeThereIsADesign) {
    const SnapshotIndex index(makeSnapshot(false).snapshot);
    EXPECT_EQ(index.linked(LayerName{"fc"}).eclasses.size(), 1U);
}

TEST(SelectionModel, TellsOnlyOfChanges) {
    SelectionModel model;
    model.setSnapshot(makeSnapshot().snapshot);
    QSignalSpy changes(&model, &SelectionModel::changed);
    model.select(UnitId{0});
    model.select(UnitId{0});
    EXPECT_EQ(changes.size(), 1);
    model.select(UnitId{99});
    EXPECT_TRUE(isEmpty(model.subject()));
}

TEST(SelectionModel, CarriesUnitsOverByName) {
    const auto parts = makeSnapshot();
    SelectionModel model;
    model.setSnapshot(parts.snapshot);
    model.select(CallId{2});
    EXPECT_THAT(model.linked().units, ElementsAre(UnitId{0}));
    model.setSnapshot(test::unshared(parts));
    EXPECT_EQ(model.subject(), Subject(CallId{2}));
    EXPECT_THAT(model.linked().units, ElementsAre(UnitId{2}));
    model.select(CallId{2});
    auto without = std::make_shared<session::Snapshot>(*parts.snapshot);
    without->design = nullptr;
    model.setSnapshot(without);
    EXPECT_TRUE(isEmpty(model.subject()));
}

TEST(SelectionModel, ForgetsTheIdsOfAnotherEGraph) {
    const auto parts = makeSnapshot();
    SelectionModel model;
    model.setSnapshot(parts.snapshot);
    model.select(parts.sharedClass);
    model.select(parts.tiledMv);
    auto again = makeSnapshot().snapshot; // the same program and ids, lowered anew
    again->program = parts.snapshot->program;
    model.setSnapshot(again);
    EXPECT_TRUE(isEmpty(model.subject()));
    model.back();
    EXPECT_TRUE(isEmpty(model.subject()));
}

TEST(SelectionModel, WalksItsHistory) {
    const auto parts = makeSnapshot();
    SelectionModel model;
    model.setSnapshot(parts.snapshot);
    model.select(UnitId{0});
    model.select(parts.convClass);
    model.back();
    EXPECT_EQ(model.subject(), Subject(UnitId{0}));
    model.forward();
    EXPECT_EQ(model.subject(), Subject(parts.convClass));
    EXPECT_FALSE(model.canGoForward());
    model.back();
    model.select(CallId{1});
    EXPECT_FALSE(model.canGoForward());
}

TEST(PinChoices, ENodeIsForcedPerLayerAndForbiddenEverywhere) {
    const auto parts = makeSnapshot();
    const SnapshotIndex index(parts.snapshot);
    std::vector<std::string> texts;
    for (const PinChoice& choice : pinChoices(index, parts.tiledMv))
        texts.push_back(toString(choice.pin));
    EXPECT_THAT(texts, ElementsAre("force TiledMv[288, 576] in conv",
                                   "force TiledMv[288, 576] in fc", "forbid TiledMv[288, 576]",
                                   "share Mv 64×576", "never-share Mv 64×576"));
}

TEST(PinChoices, PinnedChoiceTakesThePinAway) {
    const auto snapshot = test::unshared(makeSnapshot());
    const SnapshotIndex index(snapshot);
    const auto choices = pinChoices(index, UnitId{0});
    ASSERT_EQ(choices.size(), 2U);
    EXPECT_FALSE(choices[0].pinned());
    EXPECT_TRUE(choices[1].pinned());
    EXPECT_EQ(choices[1].pin.id, 3);
}

TEST(PinChoices, BuffersAndValuesHaveNone) {
    const auto parts = makeSnapshot();
    const SnapshotIndex index(parts.snapshot);
    EXPECT_TRUE(pinChoices(index, *index.callNode("fc")).empty());
    EXPECT_TRUE(pinChoices(index, BufferId{0}).empty());
    EXPECT_TRUE(pinChoices(index, Subject{}).empty());
}

} // namespace
} // namespace marquetry::widgets
