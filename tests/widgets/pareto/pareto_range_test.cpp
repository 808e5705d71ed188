// A marked range and the list of what is in it; fronts of earlier searches; labels of points.
#include "tests/support/waits.h"
#include "widgets/pareto/pareto_list_model.h"
#include "widgets/pareto/pareto_view.h"
#include "widgets/plot/label_places.h"
#include "widgets/plot/plot.h"

#include "engine/support/rng.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::test {

using ::testing::ElementsAre;
using widgets::LabelWish;
using widgets::ParetoAxis;
using widgets::ParetoHistory;
using widgets::ParetoListModel;
using widgets::ParetoView;

namespace {

design::DesignPoint found(std::int64_t cycles, double dsp, bool front) {
    design::DesignPoint point;
    point.cycles = cycles;
    point.resources.dsp = dsp;
    point.resources.bram = 100 - dsp;
    point.onFront = front;
    point.label = "d" + std::to_string(cycles);
    return point;
}

std::shared_ptr<session::Snapshot> ended(double limit, std::vector<design::DesignPoint> points) {
    auto snapshot = std::make_shared<session::Snapshot>();
    snapshot->phase = session::Phase::Ready;
    snapshot->outcome = egraph::StopReason::Saturated;
    auto program = std::make_shared<ir::Program>();
    program->name = "net";
    snapshot->program = program;
    snapshot->settings.limits["dsp"] = limit;
    snapshot->points = std::move(points);
    return snapshot;
}

std::shared_ptr<session::Snapshot> sixPoints() {
    return ended(96, {found(100, 64, true), found(200, 16, true), found(400, 4, true),
                      found(450, 8, false), found(500, 60, false), found(300, 40, false)});
}

class ParetoRange : public ::testing::Test {
protected:
    void SetUp() override {
        view.resize(1000, 420);
        view.show();
        ASSERT_TRUE(waitForExposed(&view));
        view.setSnapshot(sixPoints());
        settle();
    }
    void settle() {
        QCoreApplication::processEvents();
        view.plot()->replot();
        QCoreApplication::processEvents();
    }
    /// From one point of the plot to another, with Shift.
    void drag(QPointF from, QPointF to) {
        const QPoint a = view.plot()->toPixel(from).toPoint();
        const QPoint b = view.plot()->toPixel(to).toPoint();
        QWidget* surface = view.plot()->childAt(a);
        ASSERT_NE(surface, nullptr);
        QTest::mousePress(surface, Qt::LeftButton, Qt::ShiftModifier, a);
        QTest::mouseMove(surface, (a + b) / 2);
        QTest::mouseMove(surface, b);
        QTest::mouseRelease(surface, Qt::LeftButton, Qt::ShiftModifier, b);
        settle();
    }
    std::vector<std::string> listed() const {
        std::vector<std::string> rows;
        for (int row = 0; row < view.list()->model()->rowCount(); ++row)
            rows.push_back(view.list()
                               ->model()
                               ->index(row, ParetoListModel::Design)
                               .data()
                               .toString()
                               .toStdString());
        return rows;
    }
    /// The menu at a place of the plot, with its entries.
    QMenu* menuAt(QPointF place) {
        const QPoint at = view.plot()->mapTo(&view, view.plot()->toPixel(place).toPoint());
        QContextMenuEvent asked(QContextMenuEvent::Mouse, at, view.mapToGlobal(at));
        QCoreApplication::sendEvent(&view, &asked);
        const auto menus = view.findChildren<QMenu*>();
        return menus.isEmpty() ? nullptr : menus.back();
    }
    static QAction* entry(QMenu* menu, const QString& text) {
        for (QAction* action : menu->actions())
            if (action->text() == text)
                return action;
        return nullptr;
    }

    ParetoView view;
};

} // namespace

TEST_F(ParetoRange, ADragWithShiftListsWhatItCovers) {
    EXPECT_FALSE(view.list()->isVisible());
    drag({10, 480}, {50, 150});
    ASSERT_TRUE(view.range());
    EXPECT_TRUE(view.list()->isVisible());
    EXPECT_THAT(listed(), ElementsAre("d200", "d300"));
    EXPECT_TRUE(view.toText().contains(QStringLiteral("2 in the range")));
    EXPECT_FALSE(view.plot()->zoomed()) << "the drag moves nothing";
    QTest::keyClick(&view, Qt::Key_Escape);
    EXPECT_FALSE(view.range());
    EXPECT_EQ(listed().size(), 6U);
    EXPECT_FALSE(view.toText().contains(QStringLiteral("in the range")));
}

TEST_F(ParetoRange, AClickWithShiftOrAnotherResourceTakesItAway) {
    drag({10, 480}, {50, 150});
    const QPoint at = view.plot()->toPixel({30, 400}).toPoint();
    QTest::mouseClick(view.plot()->childAt(at), Qt::LeftButton, Qt::ShiftModifier, at);
    EXPECT_FALSE(view.range());
    drag({10, 480}, {50, 150});
    view.setAxis(ParetoAxis::Bram);
    EXPECT_FALSE(view.range());
    EXPECT_EQ(listed().size(), 6U);
    const QPointF before = view.plot()->toPixel({50, 300});
    const QPoint from = before.toPoint();
    QWidget* surface = view.plot()->childAt(from);
    QTest::mousePress(surface, Qt::LeftButton, {}, from);
    QTest::mouseMove(surface, from + QPoint(40, 0));
    QTest::mouseMove(surface, from + QPoint(80, 0));
    QTest::mouseRelease(surface, Qt::LeftButton, {}, from + QPoint(80, 0));
    EXPECT_FALSE(view.range()) << "a drag alone moves the plot";
}

TEST_F(ParetoRange, WhatIsWithinIsThatOfTheCoordinates) {
    SplitMix64 rng(7);
    std::vector<design::DesignPoint> points;
    for (int k = 0; k < 400; ++k)
        points.push_back(found(rng.range(1, 1000), static_cast<double>(rng.range(0, 100)), false));
    for (int k = 0; k < 50; ++k) {
        const double x = static_cast<double>(rng.range(0, 100));
        const double y = static_cast<double>(rng.range(0, 1000));
        const QRectF range(x, y, static_cast<double>(rng.range(0, 50)),
                           static_cast<double>(rng.range(0, 500)));
        std::size_t wanted = 0;
        for (const design::DesignPoint& point : points)
            wanted += point.resources.dsp >= range.left() && point.resources.dsp <= range.right() &&
                              static_cast<double>(point.cycles) >= range.top() &&
                              static_cast<double>(point.cycles) <= range.bottom()
                          ? 1
                          : 0;
        EXPECT_EQ(widgets::pointsWithin(points, ParetoAxis::Dsp, range).size(), wanted);
    }
    EXPECT_EQ(widgets::pointsWithin(points, ParetoAxis::Dsp, {}).size(), 400U);
}

TEST_F(ParetoRange, RowsArePickedSortedAndMadeCurrent) {
    view.findChild<QToolButton*>(QString(), Qt::FindDirectChildrenOnly);
    for (QToolButton* button : view.findChildren<QToolButton*>())
        if (button->text() == QLatin1String("List"))
            QTest::mouseClick(button, Qt::LeftButton);
    ASSERT_TRUE(view.list()->isVisible());
    EXPECT_THAT(listed(), ElementsAre("d100", "d200", "d300", "d400", "d450", "d500"));
    view.list()->sortByColumn(ParetoListModel::Dsp, Qt::AscendingOrder);
    EXPECT_EQ(listed().front(), "d400");
    QSignalSpy picked(&view, &ParetoView::pointPicked);
    QSignalSpy wanted(&view, &ParetoView::designRequested);
    const QRect row = view.list()->visualRect(view.list()->model()->index(1, 0));
    QTest::mouseClick(view.list()->viewport(), Qt::LeftButton, {}, row.center());
    ASSERT_EQ(picked.size(), 1);
    EXPECT_EQ(view.picked(), 3U) << "d450, by 8 DSP";
    EXPECT_EQ(wanted.size(), 0);
    QTest::keyClick(view.list(), Qt::Key_Return);
    ASSERT_EQ(wanted.size(), 1);
    view.pick(0);
    EXPECT_EQ(view.list()->currentIndex().siblingAtColumn(ParetoListModel::Design).data(), "d100");
    view.setSnapshot(sixPoints());
    EXPECT_EQ(view.list()->currentIndex().siblingAtColumn(ParetoListModel::Design).data(), "d100")
        << "as the points come anew";
}

TEST(ParetoListModel, KeepsTheModelContract) {
    ParetoListModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    for (const std::size_t rows : {0U, 6U, 2U}) {
        std::vector<std::size_t> shown(rows);
        for (std::size_t k = 0; k < rows; ++k)
            shown[k] = rows - 1 - k;
        model.setPoints(sixPoints()->points, shown);
        EXPECT_EQ(model.rowCount(), static_cast<int>(rows));
    }
    EXPECT_EQ(model.rowOf(0), 1);
    EXPECT_EQ(model.rowOf(5), -1);
}

TEST_F(ParetoRange, TheMenuCopiesFiguresAndTakesTheRangeAway) {
    drag({10, 480}, {50, 150});
    QMenu* menu = menuAt({16, 200});
    ASSERT_NE(menu, nullptr);
    QAction* copy = entry(menu, QStringLiteral("Copy its figures"));
    ASSERT_TRUE(copy && copy->isEnabled());
    copy->trigger();
    EXPECT_TRUE(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("d200\n")));
    entry(menu, QStringLiteral("Take the range away"))->trigger();
    EXPECT_FALSE(view.range());
    menu->close();
}

// ---- earlier fronts ----

TEST(ParetoHistory, KeepsTheFrontsOfOtherSettings) {
    ParetoHistory history;
    EXPECT_FALSE(history.follow(*ended(64, {found(10, 60, true), found(20, 61, false)})));
    EXPECT_TRUE(history.earlier().empty()) << "it is at hand";
    auto running = ended(32, {});
    running->phase = session::Phase::Saturating;
    EXPECT_TRUE(history.follow(*running));
    ASSERT_EQ(history.earlier().size(), 1U);
    EXPECT_EQ(history.earlier()[0].points.size(), 1U) << "of the front alone";
    EXPECT_EQ(settingsThen(history.earlier()[0], *running), "dsp ≤ 64");
    history.follow(*ended(32, {found(30, 30, true)}));
    EXPECT_EQ(history.earlier().size(), 1U);
    EXPECT_TRUE(history.follow(*ended(64, {found(10, 60, true)}))) << "undone";
    ASSERT_EQ(history.earlier().size(), 1U);
    EXPECT_EQ(history.earlier()[0].settings.limits.at("dsp"), 32);
    for (int limit = 1; limit < 20; ++limit)
        history.follow(*ended(limit, {found(limit, 1, true)}));
    EXPECT_EQ(history.earlier().size(), ParetoHistory::kMostFronts);
    EXPECT_EQ(history.earlier().back().settings.limits.at("dsp"), 18) << "the newest";
    auto other = ended(64, {});
    other->file = "other.mq";
    EXPECT_TRUE(history.follow(*other));
    EXPECT_TRUE(history.earlier().empty()) << "another program";
}

TEST(ParetoHistory, SaysWhatWasDifferent) {
    const auto now = ended(64, {});
    widgets::EarlierFront then{now->settings, {}, {}};
    EXPECT_EQ(settingsThen(then, *now), "other stops of the search");
    then.settings.device = "xc7z020";
    then.settings.limits = {{"bram", 12}};
    then.settings.without = {"padding"};
    then.settings.batch = 8;
    then.settings.objective = design::Objective::Throughput;
    then.pins = {{1, design::PinKind::NeverShare, "Mv 64×576", "", true}};
    EXPECT_EQ(settingsThen(then, *now),
              "xc7z020, any dsp, bram ≤ 12, throughput, runs of 8, no padding, 1 pin");
}

TEST_F(ParetoRange, EarlierFrontsAreDrawnReadAndSearchedAgain) {
    auto next = ended(32, {found(250, 30, true)});
    view.setSnapshot(next);
    settle();
    EXPECT_TRUE(view.toText().contains(QStringLiteral("before dsp ≤ 96: 3 designs")));
    EXPECT_EQ(view.textAt(view.plot()->toPixel({64, 100})).section(u'\n', 0, 1),
              QStringLiteral("before: dsp ≤ 96\nd100"));
    QSignalSpy wanted(&view, &ParetoView::settingsRequested);
    QMenu* menu = menuAt({64, 100});
    ASSERT_NE(menu, nullptr);
    QAction* again = entry(menu, QStringLiteral("Search again with dsp ≤ 96"));
    ASSERT_TRUE(again && again->isEnabled());
    again->trigger();
    ASSERT_EQ(wanted.size(), 1);
    EXPECT_EQ(wanted[0][0].value<session::Settings>().limits.at("dsp"), 96);
    menu->close();
    for (QCheckBox* box : view.findChildren<QCheckBox*>())
        if (box->text() == QLatin1String("earlier fronts"))
            QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
    EXPECT_EQ(view.textAt(view.plot()->toPixel({64, 100})), QString()) << "not drawn";
    menu = menuAt({30, 250});
    entry(menu, QStringLiteral("Forget the earlier fronts"))->trigger();
    EXPECT_TRUE(view.history().earlier().empty());
    menu->close();
}

// ---- labels ----

TEST(LabelPlaces, NoneHidesAnotherAPointOrLeaves) {
    SplitMix64 rng(3);
    for (int round = 0; round < 40; ++round) {
        const QRectF within(0, 0, 500, 300);
        std::vector<LabelWish> wishes;
        std::vector<QRectF> marks;
        for (int k = 0; k < 30; ++k) {
            const QPointF at(static_cast<double>(rng.range(0, 500)),
                             static_cast<double>(rng.range(0, 300)));
            wishes.push_back({at, QSizeF(static_cast<double>(rng.range(20, 120)), 14)});
            marks.emplace_back(at - QPointF(4, 4), QSizeF(8, 8));
        }
        const auto places = widgets::placeLabels(wishes, marks, within);
        ASSERT_EQ(places.size(), wishes.size());
        std::size_t shown = 0;
        for (std::size_t k = 0; k < places.size(); ++k) {
            if (!places[k])
                continue;
            ++shown;
            EXPECT_EQ(places[k]->size(), wishes[k].size);
            EXPECT_TRUE(within.contains(*places[k]));
            for (const QRectF& mark : marks)
                EXPECT_FALSE(places[k]->intersects(mark));
            for (std::size_t other = 0; other < k; ++other)
                EXPECT_FALSE(places[other] && places[other]->intersects(*places[k]));
        }
        EXPECT_GT(shown, 5U);
    }
    const auto alone = widgets::placeLabels({{{50, 50}, {60, 14}}}, {}, {0, 0, 200, 100});
    EXPECT_TRUE(alone[0]) << "there is room";
}

TEST_F(ParetoRange, LabelsLeaveTheLineOfTheFrontFree) {
    // Long steps: most of a label would lie on the line after its point, or before it.
    std::vector<design::DesignPoint> points;
    for (int k = 1; k <= 12; ++k)
        points.push_back(found(1300 - 100 * k, 8 * k, true));
    view.setSnapshot(ended(96, points));
    for (const QSize size : {QSize(1000, 500), QSize(700, 300), QSize(500, 220)}) {
        view.resize(size);
        settle();
        const auto places = view.plot()->labelPlaces();
        EXPECT_FALSE(places.empty()) << size.width();
        for (int k = 1; k < 12; ++k) {
            const QPointF from = view.plot()->toPixel(QPointF(8 * k, 1300 - 100 * k));
            const QPointF to = view.plot()->toPixel(QPointF(8 * (k + 1), 1200 - 100 * k));
            const QRectF level(QPointF(from.x(), from.y() - 0.5), QPointF(to.x(), from.y() + 0.5));
            const QRectF upright(QPointF(to.x() - 0.5, from.y()), QPointF(to.x() + 0.5, to.y()));
            for (const QRectF& place : places) {
                EXPECT_FALSE(place.intersects(level)) << size.width() << " after " << k;
                EXPECT_FALSE(place.intersects(upright)) << size.width() << " after " << k;
            }
        }
    }
}

TEST_F(ParetoRange, LabelsOfTheFrontAreApartAtEverySize) {
    std::vector<design::DesignPoint> points;
    for (int k = 1; k <= 40; ++k)
        points.push_back(found(10000 / k, 2 * k, true));
    view.setSnapshot(ended(96, points));
    for (const QSize size : {QSize(1000, 500), QSize(500, 220), QSize(360, 160)}) {
        view.resize(size);
        settle();
        const auto places = view.plot()->labelPlaces();
        EXPECT_GT(places.size(), size.width() > 600 ? 5U : 0U);
        for (std::size_t k = 0; k < places.size(); ++k)
            for (std::size_t other = 0; other < k; ++other)
                EXPECT_FALSE(places[k].adjusted(1, 1, -1, -1).intersects(places[other]))
                    << size.width();
        for (const QRectF& place : places)
            EXPECT_TRUE(QRectF(view.plot()->axesPlace()).adjusted(-1, -1, 1, 1).contains(place));
    }
}

} // namespace marquetry::test
