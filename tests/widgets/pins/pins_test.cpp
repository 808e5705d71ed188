#include "engine/support/rng.h"
#include "tests/support/waits.h"
#include "widgets/pins/pins_view.h"

#include <QAbstractItemModelTester>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

#include <gtest/gtest.h>

namespace marquetry::test {

using widgets::PinModel;
using widgets::PinsView;

namespace {

design::Pin pin(int id, bool enabled = true) {
    design::Pin p;
    p.id = id;
    p.kind = design::PinKind::NeverShare;
    p.target = "Mv " + std::to_string(id);
    p.enabled = enabled;
    return p;
}

std::shared_ptr<session::Snapshot> withPins(std::vector<design::Pin> pins) {
    auto snapshot = std::make_shared<session::Snapshot>();
    snapshot->pins = std::move(pins);
    return snapshot;
}

} // namespace

TEST(PinModel, KeepsTheModelContractThroughRandomChanges) {
    PinModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    SplitMix64 random(11);
    std::vector<design::Pin> pins;
    int next = 1;
    for (int round = 0; round < 400; ++round) {
        const std::uint64_t what = random.next() % 4;
        const std::size_t at = pins.empty() ? 0 : random.next() % pins.size();
        if (what == 0 || pins.empty())
            pins.push_back(pin(next++));
        else if (what == 1)
            pins.erase(pins.begin() + static_cast<std::ptrdiff_t>(at));
        else if (what == 2)
            pins[at].enabled = !pins[at].enabled;
        else
            std::swap(pins[at], pins.back());
        model.setPins(pins);
        ASSERT_EQ(model.rowCount(), static_cast<int>(pins.size()));
        for (std::size_t k = 0; k < pins.size(); ++k)
            ASSERT_EQ(model.pin(static_cast<int>(k)), pins[k]);
    }
}

TEST(PinModel, TickingAsksAndChangesNothingItself) {
    PinModel model;
    model.setPins({pin(7)});
    QSignalSpy asked(&model, &PinModel::enableRequested);
    EXPECT_TRUE(model.setData(model.index(0, 0), Qt::Unchecked, Qt::CheckStateRole));
    ASSERT_EQ(asked.size(), 1);
    EXPECT_EQ(asked[0][0].toInt(), 7);
    EXPECT_FALSE(asked[0][1].toBool());
    EXPECT_TRUE(model.pin(0).enabled);
}

TEST(PinsView, DeleteAsksToRemoveTheSelectedPins) {
    PinsView view;
    view.resize(400, 300);
    view.show();
    ASSERT_TRUE(waitForExposed(&view));
    view.setSnapshot(withPins({pin(1), pin(2), pin(3)}));
    QSignalSpy asked(&view, &PinsView::removeRequested);
    view.list()->setFocus();
    const QModelIndex second = view.model()->index(1, 1);
    QTest::mouseClick(view.list()->viewport(), Qt::LeftButton, {},
                      view.list()->visualRect(second).center());
    QTest::keyClick(view.list(), Qt::Key_Delete);
    ASSERT_EQ(asked.size(), 1);
    EXPECT_EQ(asked[0][0].toInt(), 2);
}

TEST(PinsView, SelectionStaysWithItsPinWhenAnotherGoes) {
    PinsView view;
    view.setSnapshot(withPins({pin(1), pin(2), pin(3)}));
    view.list()->setCurrentIndex(view.model()->index(2, 0));
    view.setSnapshot(withPins({pin(2), pin(3)}));
    EXPECT_EQ(view.model()->pin(view.list()->currentIndex().row()).id, 3);
}

TEST(PinsView, ShowsWhyThereIsNoDesign) {
    PinsView view;
    auto snapshot = withPins({pin(1)});
    EXPECT_EQ(view.conflictText().toStdString(), "");
    Diagnostic why = makeError("limit-dsp", "limit dsp = 96 is too small", "raise it to 128");
    why.notes = {"pin 1: never share Mv 1"};
    snapshot->infeasible = {why};
    view.setSnapshot(snapshot);
    EXPECT_EQ(view.toText().toStdString(), "[x] never share Mv 1\n"
                                           "No design fits:\n✕ limit dsp = 96 is too small\n"
                                           "    pin 1: never share Mv 1\n"
                                           "    Try: raise it to 128");
}

TEST(PinsView, EveryPinOfAConflictGoesByOneClick) {
    PinsView view;
    view.resize(400, 300);
    view.show();
    ASSERT_TRUE(waitForExposed(&view));
    auto snapshot = withPins({pin(1), pin(2), pin(3)});
    snapshot->pins[2].enabled = false;
    Diagnostic why = makeError("pin-conflict", "these pins cannot be met together", "");
    why.notes = {"pin: " + toString(pin(1)), "pin: " + toString(pin(2)),
                 "pin: " + toString(pin(3))};
    snapshot->infeasible = {why};
    view.setSnapshot(snapshot);
    ASSERT_EQ(view.conflictButtons().size(), 2u) << "a pin that is off conflicts with nothing";
    QSignalSpy asked(&view, &PinsView::removeRequested);
    QTest::mouseClick(view.conflictButtons()[1], Qt::LeftButton);
    ASSERT_EQ(asked.size(), 1);
    EXPECT_EQ(asked[0][0].toInt(), 2);
    view.setSnapshot(withPins({pin(1)}));
    EXPECT_TRUE(view.conflictButtons().empty());
}

TEST(PinsView, ListsThePinsOnBanksAndFreesThem) {
    PinsView view;
    auto snapshot = withPins({});
    session::MemoryItem item;
    auto program = std::make_shared<ir::MemoryProgram>();
    program->name = "sobel";
    item.program = program;
    snapshot->memories.edit().push_back(item);
    view.setSnapshot(snapshot);
    EXPECT_TRUE(view.bankButtons().empty());
    auto pinned = std::make_shared<session::Snapshot>(*snapshot);
    pinned->memories.edit()[0].choice.pins.banks = 9;
    view.setSnapshot(pinned);
    view.show();
    ASSERT_EQ(view.bankButtons().size(), 1u);
    EXPECT_EQ(view.bankButtons()[0]->text(), QStringLiteral("Remove: banks of sobel: N = 9"));
    EXPECT_TRUE(view.toText().contains(QStringLiteral("banks of sobel: N = 9")));
    QSignalSpy freed(&view, &PinsView::banksFreed);
    QTest::mouseClick(view.bankButtons()[0], Qt::LeftButton);
    ASSERT_EQ(freed.count(), 1);
    EXPECT_EQ(freed.at(0).at(0).toString(), QStringLiteral("sobel"));
    view.setSnapshot(snapshot);
    EXPECT_TRUE(view.bankButtons().empty());
}

} // namespace marquetry::test
