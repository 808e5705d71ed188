// Streams in the window by real key and mouse events, on the real session and CAMERA: move the
// throughput slider, see circuit and front change, select an operator, pin, undo.
#include "window_fixture.h"

#include "tests/support/places.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/egraph/egraph_view.h"
#include "widgets/log/log_view.h"
#include "widgets/streams/streams_view.h"
#include "widgets/text/number_text.h"

#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QSlider>
#include <QTabWidget>
#include <QTreeView>

#include <algorithm>
#include <cmath>

namespace marquetry::test {

using session::Phase;

class StreamsWindow : public EngineWindow {
protected:
    void SetUp() override {
        EngineWindow::SetUp();
        view = window->findChild<widgets::StreamsView*>();
        ASSERT_NE(view, nullptr);
    }

    const session::StreamItem& item() { return snapshot()->streams.at(snapshot()->stream); }
    std::int64_t clocks() { return item().rates.at(item().rate).clocks; }
    bool scheduled() {
        return until([&] {
            return !snapshot()->streams.empty() && item().schedule && !item().scheduling &&
                   item().schedule->clocks == clocks();
        });
    }
    /// The view shows what the session has.
    bool shown() {
        return until([&] {
            return view->circuit()->model()->rowCount() > 0 &&
                   view->summary().contains(QStringLiteral("LUT")) &&
                   view->slider()->value() ==
                       static_cast<int>(item().rates.size() - 1 - item().rate);
        });
    }
    void openCamera(const char* name) {
        window->openItem(
            QString::fromStdString(test::sourceFolder() + "/examples/streams/camera/camera.mq"),
            QLatin1String(name));
        ASSERT_TRUE(scheduled());
        ASSERT_TRUE(until([&] { return window->tabs()->currentWidget() == view; }));
        ASSERT_TRUE(shown());
    }
    void slide(int key) {
        const std::int64_t before = clocks();
        view->slider()->setFocus();
        QTest::keyClick(view->slider(), Qt::Key(key));
        ASSERT_TRUE(until([&] { return clocks() != before; }));
        ASSERT_TRUE(scheduled());
        ASSERT_TRUE(shown());
    }
    void clickOperator(int row) {
        QTreeView* tree = view->circuit();
        const QModelIndex index = tree->model()->index(row, 0);
        tree->scrollTo(index);
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(index).center());
        ASSERT_EQ(tree->currentIndex().row(), row);
    }

    widgets::StreamsView* view = nullptr;
};

TEST_F(StreamsWindow, OperatorsOfTheDrawingAreThoseOfTheTree) {
    ASSERT_NO_FATAL_FAILURE(openCamera("camera_1080p"));
    QTabBar* const bar = view->forms()->tabBar();
    QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(1).center());
    ASSERT_TRUE(until([&] { return view->drawing()->isVisible(); }));
    const widgets::Scene& scene = view->drawing()->scene();
    EXPECT_EQ(scene.boxes.size() + scene.frames.size(), item().operators->size());
    std::size_t operands = 0;
    for (const session::StreamOperator& op : *item().operators)
        operands += op.operands.size();
    EXPECT_EQ(scene.edges.size(), operands);
    saveViewPicture(QStringLiteral("streams_drawing"));
    QTest::keyClick(view->drawing(), Qt::Key_F);
    const widgets::SceneBox& box = scene.boxes[scene.boxes.size() / 2];
    const QPointF place = view->drawing()->viewport().toScreen(box.rect.center());
    QTest::mouseClick(view->drawing(), Qt::LeftButton, {}, place.toPoint());
    EXPECT_EQ(view->drawing()->highlights().selected, box.key);
    EXPECT_EQ(view->circuit()
                  ->currentIndex()
                  .siblingAtColumn(0)
                  .data(widgets::kOperatorRole)
                  .toULongLong(),
              box.key);
    EXPECT_EQ(view->picture()->picture().bands.back().type, item().operators->at(box.key).type);
    ASSERT_NO_FATAL_FAILURE(slide(Qt::Key_Right));
    EXPECT_EQ(view->drawing()->scene().boxes.size() + view->drawing()->scene().frames.size(),
              item().operators->size())
        << "follows the throughput";
}

TEST_F(StreamsWindow, SlideSelectPinUndo) {
    ASSERT_NO_FATAL_FAILURE(openCamera("camera_1080p"));
    EXPECT_EQ(clocks(), 1920 * 1080) << "one element per clock to begin with";
    EXPECT_FALSE(window->windowActions()[app::Act::Run]->isEnabled());
    ASSERT_TRUE(until([&] { return !item().sweeping && view->series().size() == 4; }));
    ASSERT_TRUE(until([&] { return view->series().at(0).x.size() > 10; }));
    ASSERT_TRUE(until([&] { return !item().hardware.empty() && !view->summary().contains(u'…'); }));
    const cost::KernelEstimate& hardware = **item().hardware.at(0);
    EXPECT_TRUE(view->summary().contains(
        QStringLiteral("%1 LUT").arg(widgets::amount(std::round(hardware.area.lut)))))
        << view->summary().toStdString();
    saveViewPicture(QStringLiteral("streams_light"));
    const auto one = item().schedule->front[0].area;
    const QString oneText = view->toText();

    ASSERT_NO_FATAL_FAILURE(slide(Qt::Key_Right)); // faster
    EXPECT_EQ(clocks(), 1920 * 1080 / 2);
    EXPECT_GT(item().schedule->front[0].area.lut, one.lut);
    EXPECT_NE(view->toText(), oneText);
    EXPECT_DOUBLE_EQ(view->series().back().x.at(0), 2) << "the ring follows";
    EXPECT_DOUBLE_EQ(view->series().back().y.at(0), item().schedule->front[0].area.lut);
    EXPECT_EQ(snapshot()->egraph, item().states->egraph) << "the states of the search";
    auto* states = window->findChild<widgets::EGraphView*>();
    QTabBar* bar = window->tabs()->tabBar();
    const auto clickTab = [&](QWidget* page) {
        QTest::mouseClick(bar, Qt::LeftButton, {},
                          bar->tabRect(window->tabs()->indexOf(page)).center());
    };
    clickTab(states);
    ASSERT_TRUE(until([&] { return states->toText().contains(QStringLiteral("map2")); }));
    clickTab(view);

    const int rows = view->circuit()->model()->rowCount();
    ASSERT_GT(rows, 10);
    ASSERT_NO_FATAL_FAILURE(clickOperator(rows / 2));
    const auto place = static_cast<std::size_t>(view->circuit()
                                                    ->currentIndex()
                                                    .siblingAtColumn(0)
                                                    .data(widgets::kOperatorRole)
                                                    .toULongLong());
    const session::StreamOperator& op = item().operators->at(place);
    const auto& bands = view->picture()->picture().bands;
    ASSERT_GE(bands.size(), 2U) << "what it takes above what it gives";
    EXPECT_EQ(bands.back().type, op.type);
    EXPECT_EQ(bands.front().type, item().operators->at(op.operands.at(0)).type);
    EXPECT_EQ(spacetime::lanes(op.type) * spacetime::validClocks(op.type),
              spacetime::atomCount(op.type));
    view->picture()->setFocus();
    QTest::keyClick(view->picture(), Qt::Key_End);
    EXPECT_GT(view->picture()->picture().first, 1920 * 1080 / 2 - 100) << "any clock is near";
    QTest::keyClick(view->picture(), Qt::Key_Home);
    EXPECT_EQ(view->picture()->picture().first, 0);
    saveViewPicture(QStringLiteral("streams_operator"));
    window->setDark(true);
    saveViewPicture(QStringLiteral("streams_dark"));
    window->setDark(false);

    view->front()->setFocus();
    QTest::keyClick(view->front(), Qt::Key_Space); // pin the output type
    ASSERT_TRUE(until([&] { return item().choice.pinned() && item().schedule; }));
    EXPECT_EQ(item().schedule->outputTypes.size(), 1U);
    ASSERT_TRUE(until([&] { return view->summary().contains(u'⌾'); }));

    press(Qt::Key_Z, Qt::ControlModifier); // the pin
    ASSERT_TRUE(until([&] { return !item().choice.pinned() && item().schedule; }));
    press(Qt::Key_Z, Qt::ControlModifier); // the throughput
    ASSERT_TRUE(until([&] { return clocks() == 1920 * 1080 && item().schedule; }));
    ASSERT_TRUE(shown());
    EXPECT_EQ(item().schedule->front[0].area, one);
    EXPECT_FALSE(snapshot()->canUndo);
    const QString log = window->findChild<widgets::LogView*>()->toText();
    for (const char* line : {"$ marquetry schedule", "--throughput 2/1", "--output-type"})
        EXPECT_TRUE(log.contains(QLatin1String(line))) << line;
    EXPECT_EQ(window->notice().toStdString(), "");
}

TEST_F(StreamsWindow, ATypePinnedFromTheMenuIsTheOutputs) {
    ASSERT_NO_FATAL_FAILURE(openCamera("camera_8x8"));
    ASSERT_NO_FATAL_FAILURE(slide(Qt::Key_Left)); // slower: several types
    QMenu* menu = view->pinMenu();
    menu->popup(QPoint(10, 10));
    ASSERT_TRUE(waitForExposed(menu));
    ASSERT_GT(menu->actions().size(), 3);
    QAction* last = menu->actions().back();
    const QString type = last->text();
    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(last).center());
    ASSERT_TRUE(until([&] { return item().scheduledType == type.toStdString(); }));
    ASSERT_TRUE(scheduled());
    EXPECT_EQ(item().frontTypes.front(), type.toStdString());
}

TEST_F(StreamsWindow, AThroughputIsTypedAndAnImpossibleOneIsTold) {
    ASSERT_NO_FATAL_FAILURE(openCamera("camera_8x8"));
    QTest::mouseClick(view->other(), Qt::LeftButton);
    QTest::keyClicks(view->other(), QStringLiteral("1/5"));
    QTest::keyClick(view->other(), Qt::Key_Return);
    ASSERT_TRUE(until([&] { return clocks() == 320; }));
    ASSERT_TRUE(scheduled());
    view->other()->selectAll();
    QTest::keyClicks(view->other(), QStringLiteral("3"));
    QTest::keyClick(view->other(), Qt::Key_Return);
    ASSERT_TRUE(until([&] { return window->notice().contains(QStringLiteral("64")); }))
        << window->notice().toStdString();
    EXPECT_EQ(clocks(), 320);
}

TEST_F(StreamsWindow, TheCircuitIsExportedAndVerified) {
    ASSERT_NO_FATAL_FAILURE(openCamera("camera_8x8"));
    ASSERT_NO_FATAL_FAILURE(slide(Qt::Key_Left));
    view->front()->setFocus();
    QTest::keyClick(view->front(), Qt::Key_Space); // pin the output type
    ASSERT_TRUE(until([&] { return item().choice.pinned(); }));
    ASSERT_TRUE(scheduled());
    ASSERT_TRUE(until([&] { return snapshot()->phase == Phase::Loaded; }));
    trigger(app::Act::VerifyIcarus);
    ASSERT_TRUE(until([&] { return window->windowActions()[app::Act::Export]->isEnabled(); }));
    press(Qt::Key_E, Qt::ControlModifier);
    ASSERT_NO_FATAL_FAILURE(fillExportDialog(folder.filePath(QStringLiteral("camera"))));
    const QString log = window->findChild<widgets::LogView*>()->toText();
    EXPECT_TRUE(log.contains(QStringLiteral("$ marquetry export"))) << log.toStdString();
    EXPECT_TRUE(log.contains(QStringLiteral("--output-type"))) << log.toStdString();
    ASSERT_TRUE(until([&] { return window->windowActions()[app::Act::Verify]->isEnabled(); }));
    trigger(app::Act::Verify);
    ASSERT_TRUE(until([&] { return snapshot()->verify.done; })) << window->notice().toStdString();
    EXPECT_TRUE(snapshot()->verify.pass) << snapshot()->verify.message;
    EXPECT_EQ(snapshot()->verify.cycles, snapshot()->verify.predictedCycles);
}

TEST_F(StreamsWindow, AnotherItemIsChosenFromTheList) {
    ASSERT_NO_FATAL_FAILURE(openCamera("camera_8x8"));
    view->items()->setFocus();
    QTest::keyClick(view->items(), Qt::Key_Up);
    ASSERT_TRUE(until([&] { return item().program->name == "camera_1080p"; }));
    ASSERT_TRUE(scheduled());
    EXPECT_TRUE(shown());
}

} // namespace marquetry::test
