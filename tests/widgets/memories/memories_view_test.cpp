// The Memories view: its answers to what a person does.
#include "tests/support/waits.h"
#include "tests/widgets/memories/rooms.h"
#include "widgets/memories/memories_view.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::widgets {
namespace {

using session::SchemeName;

class MemoriesPanel : public ::testing::Test {
protected:
    void SetUp() override {
        view.resize(1100, 760);
        view.show();
        ASSERT_TRUE(test::waitForExposed(&view));
        QObject::connect(&view, &MemoriesView::tryRequested,
                         [this](const QString& item, const SchemeName& scheme) {
                             ASSERT_TRUE(
                                 rooms.memories.attempt(item.toStdString(), scheme).has_value());
                             show();
                         });
        show();
    }
    void show() { view.setSnapshot(rooms.snapshot()); }

    void type(QLineEdit* field, const QString& text) {
        QTest::mouseClick(field, Qt::LeftButton);
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(field, text);
    }
    void tryFlat(const QString& banks, const QString& blocks, const QString& alpha) {
        view.pages()->setCurrentWidget(view.tryPanel());
        view.tryPanel()->kind()->setCurrentIndex(0);
        type(view.tryPanel()->banks(), banks);
        type(view.tryPanel()->blocks(), blocks);
        type(view.tryPanel()->alpha(), alpha);
        view.tryPanel()->copies()->setValue(1);
        QTest::keyClick(view.tryPanel()->alpha(), Qt::Key_Return);
    }
    int rings() const {
        int count = 0;
        for (const banking::LaneAt& lane : view.grid()->picture().window.lanes)
            count += lane.conflict ? 1 : 0;
        return count;
    }

    Rooms rooms{shipped(), "sobel"};
    MemoriesView view;
};

TEST_F(MemoriesPanel, ShowsTheChosenSchemeItsProofAndItsCost) {
    EXPECT_EQ(view.items()->count(), 23);
    EXPECT_EQ(view.items()->currentText(), QStringLiteral("sobel"));
    EXPECT_EQ(view.summary(), QStringLiteral("a : i32[8, 8] · fewest 9 banks, proven: 9 addresses "
                                             "in one cycle"));
    EXPECT_TRUE(
        view.verdict().startsWith(QStringLiteral("flat N=3 B=1 alpha=(0, 1) x 3 copies ·")));
    EXPECT_EQ(view.front()->model()->rowCount(), static_cast<int>(rooms.item().plan->front.size()));
    const QString text = view.toText();
    EXPECT_TRUE(text.contains(QStringLiteral("1 of 36: i = 0, j = 0")));
    for (int bank = 0; bank < 3; ++bank)
        EXPECT_TRUE(text.contains(QStringLiteral("\nbank %1: ").arg(bank)));
    double lut = 0;
    for (const banking::SchemeCostTerm& term : rooms.item().detail->priced.cost.terms)
        lut += term.resources.lut;
    EXPECT_EQ(lut, rooms.item().detail->priced.cost.total.lut);
    EXPECT_TRUE(text.contains(QStringLiteral("read a[2, 2]: bank")));
    const QAbstractItemModelTester tester(view.front()->model());
}

TEST_F(MemoriesPanel, TheWindowMovesWithTheSlider) {
    const auto first = [&] { return view.grid()->picture().window.lanes.at(0).address; };
    EXPECT_EQ(first(), (banking::Address{0, 0}));
    QSlider* slider = view.iterations()->slider();
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Right);
    EXPECT_EQ(first(), (banking::Address{0, 1}));
    QTest::keyClick(slider, Qt::Key_End);
    EXPECT_EQ(first(), (banking::Address{5, 5}));
    EXPECT_TRUE(view.iterations()->text().startsWith(QStringLiteral("36 of 36")));
    QTest::mouseClick(view.iterations()->nextButton(), Qt::LeftButton);
    EXPECT_EQ(first(), (banking::Address{5, 5})) << "the last one stays";
    QSignalSpy picked(view.iterations(), &IterationBar::iterationPicked);
    QTest::mouseClick(view.iterations()->playButton(), Qt::LeftButton);
    ASSERT_TRUE(test::waitFor([&] { return picked.size() >= 2; }));
    QTest::mouseClick(view.iterations()->playButton(), Qt::LeftButton);
    EXPECT_EQ(picked[0][0].toLongLong(), 0) << "playing goes on at the beginning";
    EXPECT_EQ(picked[1][0].toLongLong(), 1);
    EXPECT_LT(first(), (banking::Address{5, 5}));
    EXPECT_EQ(rings(), 0);
}

TEST_F(MemoriesPanel, AConflictIsDrawnAndSaid) {
    tryFlat(QStringLiteral("9"), QStringLiteral("1"), QStringLiteral("1, 1"));
    ASSERT_TRUE(rooms.item().attempt && rooms.item().attempt->witness);
    EXPECT_TRUE(view.verdict().contains(QStringLiteral("both hit bank")))
        << view.verdict().toStdString();
    EXPECT_GE(rings(), 2) << "rings around the accesses that meet";
    const banking::Witness& witness = *rooms.item().attempt->witness;
    for (const banking::Address& address : witness.addresses)
        EXPECT_TRUE(std::ranges::any_of(
            view.grid()->picture().window.lanes, [&](const banking::LaneAt& lane) {
                return lane.conflict && lane.address == address && lane.bank == witness.bank;
            }));
    const std::vector<std::int64_t>& words = view.crossbar()->crossbar().words;
    ASSERT_EQ(words.size(), 9U) << "what its banks would hold";
    EXPECT_EQ(std::accumulate(words.begin(), words.end(), std::int64_t{0}), 64);
    EXPECT_EQ(words[7], 8) << "i + j is 7 in eight words, any other residue in seven";
    EXPECT_FALSE(view.tryPanel()->pinButton()->isEnabled());
    EXPECT_TRUE(view.grid()->picture().proof.empty());
    QTest::keyClick(view.tryPanel()->alpha(), Qt::Key_Escape);
    EXPECT_EQ(rings(), 0);
    EXPECT_TRUE(
        view.verdict().startsWith(QStringLiteral("flat N=3 B=1 alpha=(0, 1) x 3 copies ·")));
}

TEST_F(MemoriesPanel, TooFewBanksShowWhoNeedsThem) {
    tryFlat(QStringLiteral("8"), QStringLiteral("1"), QStringLiteral("3, 1"));
    EXPECT_TRUE(view.verdict().contains(QStringLiteral("No scheme of any form has 8 banks")))
        << view.verdict().toStdString();
    EXPECT_EQ(view.grid()->picture().proof.size(), 9U);
}

TEST_F(MemoriesPanel, TheBoundIsMarkedOnRequest) {
    EXPECT_TRUE(view.grid()->picture().proof.empty());
    QTest::mouseClick(view.boundButton(), Qt::LeftButton);
    EXPECT_EQ(view.grid()->picture().proof.size(), 9U);
    QTest::mouseClick(view.boundButton(), Qt::LeftButton);
    EXPECT_TRUE(view.grid()->picture().proof.empty());
}

TEST_F(MemoriesPanel, ASchemeThatWorksIsComparedAndCanBePinned) {
    QSignalSpy pinned(&view, &MemoriesView::pinRequested);
    tryFlat(QStringLiteral("11"), QStringLiteral("1"), QStringLiteral("3, 1"));
    EXPECT_TRUE(view.verdict().startsWith(QStringLiteral("✓ flat N=11 B=1 alpha=(3, 1) serves")))
        << view.verdict().toStdString();
    EXPECT_EQ(rings(), 0);
    ASSERT_TRUE(view.tryPanel()->pinButton()->isEnabled());
    QTest::mouseClick(view.tryPanel()->pinButton(), Qt::LeftButton);
    ASSERT_EQ(pinned.count(), 1);
    const auto pins = pinned.at(0).at(1).value<banking::SchemePins>();
    EXPECT_EQ(pins.maps, (std::vector{ir::FlatMap{{3, 1}, 1, 11}}));
}

TEST_F(MemoriesPanel, MistypedFieldsAreExplained) {
    QSignalSpy tried(&view, &MemoriesView::tryRequested);
    tryFlat(QStringLiteral("x"), QStringLiteral("1"), QStringLiteral("3, 1"));
    EXPECT_EQ(tried.count(), 0);
    EXPECT_TRUE(view.tryPanel()->verdict().contains(QStringLiteral("is no number")));
}

TEST_F(MemoriesPanel, RowsOfTheFrontAreChosenAndPinned) {
    QSignalSpy chosen(&view, &MemoriesView::chooseRequested);
    QSignalSpy pinned(&view, &MemoriesView::pinRequested);
    ASSERT_GT(view.front()->model()->rowCount(), 1);
    const QModelIndex second = view.front()->model()->index(1, 1);
    view.front()->setFocus();
    QTest::mouseClick(view.front()->viewport(), Qt::LeftButton, {},
                      view.front()->visualRect(second).center());
    QTest::keyClick(view.front(), Qt::Key_Return);
    ASSERT_EQ(chosen.count(), 1);
    const auto name = chosen.at(0).at(1).value<SchemeName>();
    EXPECT_EQ(name.maps, rooms.item().plan->front[1].scheme.maps);
    QTest::keyClick(view.front(), Qt::Key_Space);
    ASSERT_EQ(pinned.count(), 1);
    EXPECT_EQ(pinned.at(0).at(1).value<banking::SchemePins>().maps, name.maps);
}

TEST_F(MemoriesPanel, PartsOfTheSchemeArePinnedFromTheMenu) {
    QSignalSpy pinned(&view, &MemoriesView::pinRequested);
    Q_EMIT view.pinMenu()->aboutToShow();
    QStringList texts;
    for (QAction* action : view.pinMenu()->actions())
        texts << action->text();
    EXPECT_TRUE(texts.contains(QStringLiteral("N = 3 banks"))) << texts.join(u'\n').toStdString();
    for (QAction* action : view.pinMenu()->actions())
        if (action->text() == QStringLiteral("N = 3 banks"))
            action->trigger();
    ASSERT_EQ(pinned.count(), 1);
    EXPECT_EQ(pinned.at(0).at(1).value<banking::SchemePins>().banks, 3);
    session::BankChoice choice;
    choice.pins.banks = 3;
    rooms.memories.setChoices({{"sobel", choice}});
    show();
    EXPECT_TRUE(view.summary().endsWith(QStringLiteral("⌾ N = 3")));
    Q_EMIT view.pinMenu()->aboutToShow();
    for (QAction* action : view.pinMenu()->actions())
        if (action->text() == QStringLiteral("Clear the pins"))
            action->trigger();
    ASSERT_EQ(pinned.count(), 2);
    EXPECT_TRUE(pinned.at(1).at(1).value<banking::SchemePins>().free());
}

TEST_F(MemoriesPanel, KeysReachEveryWord) {
    BankGrid* grid = view.grid();
    grid->setFocus();
    QSignalSpy told(&view, &MemoriesView::message);
    QTest::keyClick(grid, Qt::Key_Right);
    QTest::keyClick(grid, Qt::Key_Right);
    QTest::keyClick(grid, Qt::Key_Down);
    ASSERT_EQ(told.count(), 3);
    EXPECT_TRUE(told.at(2).at(0).toString().startsWith(QStringLiteral("a[1, 1]: bank 1")))
        << told.at(2).at(0).toString().toStdString();
    EXPECT_EQ(grid->accessibleDescription(), told.at(2).at(0).toString());
    EXPECT_TRUE(grid->tipOf({1, 1}).contains(QStringLiteral("⌊1 / 1⌋ mod 3 = 1")));
    const double before = grid->view().cell;
    QTest::keyClick(grid, Qt::Key_Plus);
    EXPECT_GT(grid->view().cell, before);
    QTest::keyClick(grid, Qt::Key_F);
    EXPECT_EQ(grid->view().cell, before);
}

TEST_F(MemoriesPanel, EveryItemOfTheExamplesIsShown) {
    for (const ir::MemoryProgram& program : shipped()) {
        ASSERT_TRUE(rooms.memories.show(program.name).has_value());
        show();
        EXPECT_EQ(view.items()->currentText().toStdString(), program.name);
        EXPECT_FALSE(view.grid()->picture().empty()) << program.name;
        EXPECT_FALSE(view.grid()->grab().isNull());
        EXPECT_EQ(rings(), 0) << program.name;
    }
}

TEST_F(MemoriesPanel, TheTipOfALaneSaysWhatBrokeLockstep) {
    Rooms ragged(parsed("memory ragged { array a : i32[64, 4]; for i in 0 .. 64 par 2,"
                        " j in 0 .. ?n(i) { read a[j, 0], a[j, 1]; } }"),
                 "ragged");
    view.setSnapshot(ragged.snapshot());
    const QString tip = view.crossbar()->tipAt({20, 34});
    EXPECT_TRUE(tip.startsWith(QStringLiteral("read a[j, 0] (i lane 0)"))) << tip.toStdString();
    EXPECT_TRUE(tip.contains(QStringLiteral("`j in 0 .. ?n(i)` ends differently")));
    EXPECT_TRUE(tip.contains(QStringLiteral("write `j in 0 .. 64`")));
    const QString text = view.toText();
    EXPECT_TRUE(text.contains(QStringLiteral("1 of 32: i = 0, j@i=0 = "))) << text.toStdString();
    EXPECT_FALSE(text.contains(QStringLiteral(", j = ")));
}

TEST_F(MemoriesPanel, WhatCannotBeIsExplained) {
    session::BankChoice choice;
    choice.pins.banks = 4;
    choice.pins.copies = 1;
    rooms.memories.setChoices({{"sobel", choice}});
    show();
    EXPECT_TRUE(view.verdict().startsWith(QStringLiteral("✕ no scheme found with N = 4")));
    EXPECT_TRUE(view.verdict().contains(QStringLiteral("at least 9 banks are needed")));
    EXPECT_TRUE(view.grid()->picture().empty());
    EXPECT_EQ(view.front()->model()->rowCount(), 0);
}

TEST_F(MemoriesPanel, ExportsWhatItShows) {
    QTemporaryDir folder;
    for (const char* suffix : {"png", "svg", "csv", "md", "txt"}) {
        const QString path = folder.filePath(QStringLiteral("banks.") + QLatin1String(suffix));
        ASSERT_TRUE(view.exportTo(path).has_value());
        EXPECT_GT(QFile(path).size(), 100) << suffix;
    }
    EXPECT_FALSE(view.exportTo(QStringLiteral("/nowhere/banks.png")).has_value());
}

TEST(MemoriesEmpty, SaysWhatToOpen) {
    MemoriesView view;
    view.setSnapshot(std::make_shared<session::Snapshot>());
    EXPECT_TRUE(view.grid()->picture().message.contains(QStringLiteral("memory item")));
    EXPECT_FALSE(view.items()->isEnabled());
    EXPECT_FALSE(view.grab().isNull());
}

} // namespace
} // namespace marquetry::widgets
