#include "tests/support/waits.h"
#include "widgets/canvas/canvas_view.h"

#include <QApplication>
#include <QFile>
#include <QPainter>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

#include <gtest/gtest.h>

#include <set>

namespace marquetry::widgets {
namespace {

std::shared_ptr<const Scene> smallScene() {
    auto scene = std::make_shared<Scene>();
    scene->frames.push_back({.rect = QRectF(0, 0, 220, 60), .caption = "c0", .key = 100});
    scene->boxes.push_back({.rect = QRectF(10, 15, 90, 30), .text = "Mv", .key = 1});
    scene->boxes.push_back({.rect = QRectF(120, 15, 90, 30),
                            .fill = Role::Chosen,
                            .line = Role::ChosenLine,
                            .text = "Conv",
                            .badge = true,
                            .key = 2});
    scene->boxes.push_back({.rect = QRectF(60, 120, 90, 30), .text = "dot", .key = 3});
    scene->edges.push_back(
        {QPolygonF({QPointF(55, 45), QPointF(55, 80), QPointF(100, 90), QPointF(100, 120)})});
    return scene;
}

class Canvas : public ::testing::Test {
protected:
    void SetUp() override {
        view.resize(400, 300);
        view.setAccessibleName(QStringLiteral("picture"));
        view.setScene(smallScene());
        view.show();
        ASSERT_TRUE(test::waitForExposed(&view));
    }
    QPoint at(std::uint32_t key) const {
        return view.viewport().toScreen(view.scene().boxOf(key)->rect.center()).toPoint();
    }
    CanvasView view;
};

TEST_F(Canvas, ClickFindsTheTopmostObject) {
    QSignalSpy clicks(&view, &CanvasView::clicked);
    QTest::mouseClick(&view, Qt::LeftButton, {}, at(2));
    QTest::mouseClick(&view, Qt::LeftButton, {}, at(100));
    QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(2, 2));
    ASSERT_EQ(clicks.size(), 3);
    EXPECT_EQ(clicks[0][0].toUInt(), 2U);
    EXPECT_EQ(clicks[1][0].toUInt(), 100U);
    EXPECT_EQ(clicks[2][0].toUInt(), kNoKey);
}

TEST_F(Canvas, WheelZoomsAtThePointer) {
    const QPoint place = at(2);
    const QPointF before = view.viewport().toScene(place);
    const double scale = view.viewport().scale;
    QWheelEvent wheel(place, view.mapToGlobal(place), {}, {0, 240}, {}, {}, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(&view, &wheel);
    EXPECT_GT(view.viewport().scale, scale * 1.2);
    const QPointF after = view.viewport().toScene(place);
    EXPECT_NEAR(before.x(), after.x(), 1e-6);
    EXPECT_NEAR(before.y(), after.y(), 1e-6);
}

TEST_F(Canvas, KeysZoomPanAndFit) {
    const Viewport fitted = view.viewport();
    QTest::keyClick(&view, Qt::Key_Plus);
    EXPECT_GT(view.viewport().scale, fitted.scale);
    QTest::keyClick(&view, Qt::Key_Right);
    EXPECT_GT(view.viewport().centre.x(), fitted.centre.x());
    QTest::keyClick(&view, Qt::Key_Minus);
    EXPECT_NEAR(view.viewport().scale, fitted.scale, 1e-9);
    EXPECT_FALSE(view.fitted());
    QTest::keyClick(&view, Qt::Key_F);
    EXPECT_TRUE(view.fitted());
    EXPECT_EQ(view.viewport().centre, fitted.centre);
}

TEST_F(Canvas, DragPansAndDoesNotClick) {
    QSignalSpy clicks(&view, &CanvasView::clicked);
    const QPointF centre = view.viewport().centre;
    QTest::mousePress(&view, Qt::LeftButton, {}, QPoint(100, 100));
    for (int step = 1; step <= 4; ++step) {
        QMouseEvent move(QEvent::MouseMove, QPointF(100 + 10 * step, 100),
                         view.mapToGlobal(QPointF(100 + 10 * step, 100)), Qt::NoButton,
                         Qt::LeftButton, {});
        QApplication::sendEvent(&view, &move);
    }
    QTest::mouseRelease(&view, Qt::LeftButton, {}, QPoint(140, 100));
    EXPECT_NEAR(view.viewport().centre.x(), centre.x() - 40 / view.viewport().scale, 1e-6);
    EXPECT_TRUE(clicks.isEmpty());
}

TEST_F(Canvas, ControlArrowsWalkFromObjectToObject) {
    QSignalSpy clicks(&view, &CanvasView::clicked);
    Highlights highlights;
    highlights.selected = 1;
    view.setHighlights(highlights);
    QTest::keyClick(&view, Qt::Key_Right, Qt::ControlModifier);
    QTest::keyClick(&view, Qt::Key_Down, Qt::ControlModifier);
    ASSERT_EQ(clicks.size(), 2);
    EXPECT_EQ(clicks[0][0].toUInt(), 2U);
    EXPECT_EQ(clicks[1][0].toUInt(), 3U);
}

TEST_F(Canvas, MinimapAppearsWhenNotEverythingIsSeen) {
    EXPECT_FALSE(view.minimapVisible());
    for (int k = 0; k < 6; ++k)
        QTest::keyClick(&view, Qt::Key_Plus);
    EXPECT_TRUE(view.minimapVisible());
    const QPointF before = view.viewport().centre;
    QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(400 - 20, 300 - 20));
    EXPECT_NE(view.viewport().centre, before);
}

TEST_F(Canvas, KeepsThePlaceWhenTheSceneChanges) {
    QTest::keyClick(&view, Qt::Key_Plus);
    const Viewport before = view.viewport();
    view.setScene(smallScene());
    EXPECT_EQ(view.viewport().centre, before.centre);
    EXPECT_EQ(view.viewport().scale, before.scale);
}

TEST_F(Canvas, ExportsPngInTwoSizesAndSvg) {
    QTemporaryDir folder;
    const QString png = folder.filePath("a.png");
    const QString big = folder.filePath("b.png");
    const QString svg = folder.filePath("c.svg");
    ASSERT_TRUE(savePng(view.picture(false), png, 1));
    ASSERT_TRUE(savePng(view.picture(false), big, 2));
    ASSERT_TRUE(saveSvg(view.picture(true), svg));
    EXPECT_EQ(QImage(png).size(), QSize(400, 300));
    EXPECT_EQ(QImage(big).size(), QSize(800, 600));
    QSvgRenderer renderer(svg);
    EXPECT_TRUE(renderer.isValid());
    QFile file(svg);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_TRUE(file.readAll().contains("Conv"));
}

TEST_F(Canvas, SaysWhenAPictureCannotBeWritten) {
    const Status saved = savePng(view.picture(false), "/nowhere/at/all.png", 1);
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error()[0].code, "output-unwritable");
    EXPECT_FALSE(saveSvg(view.picture(false), "/nowhere/at/all.svg"));
}

TEST(Painting, ThemesDifferAndShowTheSameThings) {
    const auto scene = smallScene();
    std::set<QRgb> corners;
    for (const Theme* theme : {&lightTheme(), &darkTheme()}) {
        QImage image(300, 200, QImage::Format_RGB32);
        QPainter painter(&image);
        const PaintStats stats =
            paint(painter, *scene, Viewport::fitting(scene->bounds(), image.size()), *theme);
        EXPECT_EQ(stats.boxes, 4U);
        EXPECT_EQ(stats.edges, 1U);
        corners.insert(image.pixel(1, 1));
        EXPECT_EQ(image.pixelColor(1, 1), (*theme)[Role::Background]);
    }
    EXPECT_EQ(corners.size(), 2U);
}

TEST(Painting, CountsTheEdgesItLeavesOut) {
    Scene scene = *smallScene();
    for (int k = 0; k < 50; ++k)
        scene.edges.push_back(scene.edges[0]);
    QImage image(300, 200, QImage::Format_RGB32);
    QPainter painter(&image);
    const PaintStats stats = paint(painter, scene, Viewport::fitting(scene.bounds(), image.size()),
                                   lightTheme(), {.edgeBudget = 20});
    EXPECT_EQ(stats.edges, 20U);
    EXPECT_EQ(stats.edgesLeftOut, 31U);
}

double contrast(const QColor& a, const QColor& b) {
    const auto linear = [](double c) {
        return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    const auto luminance = [&](const QColor& c) {
        return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
    };
    const double high = std::max(luminance(a), luminance(b));
    const double low = std::min(luminance(a), luminance(b));
    return (high + 0.05) / (low + 0.05);
}

TEST(Themes, TextReadsOnItsBackground) {
    for (const Theme* theme : {&lightTheme(), &darkTheme()}) {
        for (const Role paper : {Role::Background, Role::Paper, Role::Raised, Role::UnitTint,
                                 Role::ValueTint, Role::StoredTint})
            EXPECT_GE(contrast((*theme)[Role::Ink], (*theme)[paper]), 4.5)
                << theme->dark << " " << static_cast<int>(paper);
        EXPECT_GE(contrast((*theme)[Role::Muted], (*theme)[Role::Background]), 4.5);
        EXPECT_GE(contrast((*theme)[Role::InkOfA], (*theme)[Role::Background]), 4.5);
        EXPECT_GE(contrast((*theme)[Role::InkOfB], (*theme)[Role::Background]), 4.5);
        EXPECT_GE(contrast((*theme)[Role::ChosenInk], (*theme)[Role::Chosen]), 4.5);
    }
    for (std::size_t k = 0; k < 24; ++k)
        EXPECT_GE(contrast(inkOn(categoryColour(k)), categoryColour(k)), 3.0) << k;
}

TEST(Themes, FollowThePalette) {
    EXPECT_FALSE(themeOf(lightTheme().palette).dark);
    EXPECT_TRUE(themeOf(darkTheme().palette).dark);
}

} // namespace
} // namespace marquetry::widgets
