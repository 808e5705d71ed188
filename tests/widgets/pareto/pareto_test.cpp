#include "tests/support/waits.h"
#include "widgets/pareto/pareto_view.h"
#include "widgets/plot/plot.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

namespace marquetry::test {

using widgets::ParetoAxis;
using widgets::ParetoView;

namespace {

design::DesignPoint point(std::int64_t cycles, double dsp, double bram, bool front,
                          bool feasible = true) {
    design::DesignPoint p;
    p.cycles = cycles;
    p.resources.dsp = dsp;
    p.resources.bram = bram;
    p.onFront = front;
    p.feasible = feasible;
    p.label = "d" + std::to_string(cycles);
    return p;
}

/// Three designs on the front by DSP, one only by block RAM, one dominated, one over a limit.
std::shared_ptr<session::Snapshot> snapshotWithPoints() {
    auto snapshot = std::make_shared<session::Snapshot>();
    snapshot->points = {point(100, 64, 9, true),  point(200, 16, 8, true),
                        point(400, 4, 7, true),   point(450, 8, 1, true),
                        point(500, 60, 9, false), point(50, 500, 9, false, false)};
    snapshot->limits.dsp = 96;
    auto design = std::make_shared<design::Design>();
    design->cycles = 200;
    design->resources.dsp = 16;
    snapshot->design = design;
    return snapshot;
}

std::unique_ptr<ParetoView> shown(const std::shared_ptr<const session::Snapshot>& snapshot) {
    auto view = std::make_unique<ParetoView>();
    view->resize(640, 400);
    view->show();
    EXPECT_TRUE(waitForExposed(view.get()));
    view->setSnapshot(snapshot);
    QCoreApplication::processEvents();
    return view;
}

} // namespace

TEST(ParetoData, StairFallsAndLeavesOutFrontsOfOtherResources) {
    const auto snapshot = snapshotWithPoints();
    const auto data = widgets::paretoData(snapshot->points, ParetoAxis::Dsp);
    ASSERT_EQ(data.front.size(), 4u);
    ASSERT_EQ(data.stair.size(), 3u);
    for (std::size_t k = 1; k < data.stair.size(); ++k) {
        EXPECT_GT(data.stair[k].x, data.stair[k - 1].x);
        EXPECT_LT(data.stair[k].y, data.stair[k - 1].y);
    }
    EXPECT_EQ(data.dominated.size(), 1u);
    EXPECT_EQ(data.infeasible.size(), 1u);
}

TEST(ParetoData, DrawsAtMostTheCapAndKeepsTheWholeFront) {
    std::vector<design::DesignPoint> points;
    for (int k = 0; k < 20000; ++k)
        points.push_back(point(k + 1000, k, 1, false));
    points.push_back(point(1, 1, 1, true));
    const auto data = widgets::paretoData(points, ParetoAxis::Dsp);
    EXPECT_EQ(data.dominated.size(), widgets::kMaxDrawnPoints);
    EXPECT_EQ(data.front.size(), 1u);
    EXPECT_EQ(data.total, 20001u);
}

TEST(ParetoData, CsvHasARowPerPointAndQuotesLabels) {
    auto points = snapshotWithPoints()->points;
    points.edit()[0].label = "a,\"b\"";
    const QStringList rows = widgets::paretoCsv(points).split(u'\n', Qt::SkipEmptyParts);
    ASSERT_EQ(rows.size(), 7);
    EXPECT_EQ(rows[0].toStdString(), "cycles,frames,dsp,lut,ff,bram,front,feasible,label");
    EXPECT_EQ(rows[1].toStdString(), "100,1,64,0,0,9,1,1,\"a,\"\"b\"\"\"");
}

TEST(ParetoView, DumpFollowsTheAxis) {
    const auto view = shown(snapshotWithPoints());
    EXPECT_EQ(view->toText().toStdString(),
              "axis DSP blocks\nfront 4 400\nfront 8 450\nfront 16 200\nfront 64 100\n"
              "current 16 200\nshowing 6 of 6 designs · 4 on the front\n");
    view->setAxis(ParetoAxis::Bram);
    EXPECT_TRUE(view->toText().startsWith(QStringLiteral("axis block RAM\nfront 1 450\n")));
}

TEST(ParetoView, SaysWhatALogAxisCannotShow) {
    auto snapshot = snapshotWithPoints();
    snapshot->points.edit()[0].resources.dsp = 0;
    const auto view = shown(snapshot);
    view->setLogarithmic(true, false);
    EXPECT_TRUE(view->toText().contains(QStringLiteral("not on a log axis")));
}

TEST(ParetoView, AClickPicksTheDesignUnderIt) {
    const auto snapshot = snapshotWithPoints();
    const auto view = shown(snapshot);
    QSignalSpy picked(view.get(), &ParetoView::pointPicked);
    QSignalSpy asked(view.get(), &ParetoView::designRequested);
    const QPointF at = view->plot()->toPixel({16, 200});
    QWidget* surface = view->plot()->childAt(at.toPoint());
    ASSERT_NE(surface, nullptr);
    QTest::mouseClick(surface, Qt::LeftButton, {}, at.toPoint());
    ASSERT_EQ(picked.size(), 1);
    EXPECT_EQ(picked[0][0].value<std::size_t>(), 1u);
    ASSERT_EQ(asked.size(), 1);
    EXPECT_EQ(asked[0][0].value<design::DesignPoint>().cycles, 200);
    EXPECT_EQ(view->pointAt(view->plot()->toPixel({30, 430})), std::nullopt);
}

TEST(ParetoView, KeysWalkTheFrontAndAskForDesignsAndLimits) {
    const auto view = shown(snapshotWithPoints());
    QSignalSpy designs(view.get(), &ParetoView::designRequested);
    QSignalSpy asked(view.get(), &ParetoView::limitsRequested);
    QTest::keyClick(view.get(), Qt::Key_Right);
    EXPECT_EQ(view->picked(), 2u); // the smallest
    QTest::keyClick(view.get(), Qt::Key_Right);
    QTest::keyClick(view.get(), Qt::Key_Right);
    EXPECT_EQ(view->picked(), 1u);
    QTest::keyClick(view.get(), Qt::Key_Return);
    ASSERT_EQ(designs.size(), 1);
    EXPECT_EQ(designs[0][0].value<design::DesignPoint>().resources.dsp, 16);
    QTest::keyClick(view.get(), Qt::Key_Return, Qt::ShiftModifier);
    ASSERT_EQ(asked.size(), 1);
    EXPECT_EQ(asked[0][0].value<device::Resources>().dsp, 16);
}

TEST(ParetoView, ASweepIsDrawnBesideTheDesigns) {
    auto view = shown(snapshotWithPoints());
    widgets::SweepPoint far{QStringLiteral("zu3eg, dsp=60"), 900, {}};
    far.resources.dsp = 300;
    far.resources.bram = 2.5;
    view->setSweep(QStringLiteral("net"), {far});
    EXPECT_TRUE(view->toText().contains(QStringLiteral("sweep 300 900\n")));
    view->plot()->fit();
    view->plot()->replot();
    const QString text = view->textAt(view->plot()->toPixel({300, 900}));
    EXPECT_TRUE(text.startsWith(QStringLiteral("zu3eg, dsp=60\n"))) << text.toStdString();
    EXPECT_TRUE(view->textAt(view->plot()->toPixel({64, 100})).startsWith(QStringLiteral("d100")))
        << "a design that is as near comes first";
    view->setAxis(ParetoAxis::Bram);
    EXPECT_TRUE(view->toText().contains(QStringLiteral("sweep 2.50 900\n")));

    view->setSweep({}, {});
    EXPECT_FALSE(view->toText().contains(QStringLiteral("sweep")));
}

TEST(ParetoView, APickThatIsGoneIsForgotten) {
    const auto view = shown(snapshotWithPoints());
    view->pick(5);
    auto fewer = snapshotWithPoints();
    fewer->points.edit().resize(2);
    view->setSnapshot(fewer);
    EXPECT_EQ(view->picked(), std::nullopt);
}

TEST(ParetoView, ExportsEveryFormat) {
    const auto view = shown(snapshotWithPoints());
    QTemporaryDir folder;
    const std::pair<const char*, QByteArray> kinds[] = {
        {"png", "\x89PNG"}, {"svg", "<?xml"}, {"pdf", "%PDF"}, {"csv", "cycles,"}};
    for (const auto& [suffix, magic] : kinds) {
        const QString path = folder.filePath(QStringLiteral("p.") + QLatin1String(suffix));
        ASSERT_TRUE(view->exportTo(path)) << suffix;
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        EXPECT_TRUE(file.readAll().startsWith(magic)) << suffix;
    }
    EXPECT_FALSE(view->exportTo(folder.filePath(QStringLiteral("missing/p.csv"))));
}

// One that is cut off names what is not there.
TEST(ParetoView, ItsLegendIsWholeOrAway) {
    ParetoView view;
    view.setSnapshot(snapshotWithPoints());
    view.show();
    auto* plot = view.findChild<widgets::Plot*>();
    ASSERT_NE(plot, nullptr);
    int whole = 0;
    for (const QSize size : {QSize(800, 500), QSize(450, 160), QSize(300, 140), QSize(250, 110)}) {
        view.resize(size);
        QCoreApplication::processEvents();
        plot->replot();
        if (plot->legendPlace().isEmpty())
            continue;
        ++whole;
        EXPECT_TRUE(plot->axesPlace().contains(plot->legendPlace()))
            << size.width() << "×" << size.height();
    }
    EXPECT_GE(whole, 1);
}

} // namespace marquetry::test
