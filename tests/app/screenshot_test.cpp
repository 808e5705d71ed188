// Pictures of the window in both themes, written to the build folder for a look; the test itself
// only asks that a picture is not empty and that the themes differ.
#include "app/gallery.h"
#include "tests/support/places.h"
#include "window_fixture.h"

#include <QDir>
#include <QImage>

namespace marquetry::test {

namespace {

QImage grabbed(app::MainWindow& window, const QString& name) {
    QCoreApplication::processEvents();
    const QImage image = window.grab().toImage();
    QDir().mkpath(QString::fromStdString(test::buildFolder() + "/pictures"));
    image.save(QString::fromStdString(test::buildFolder() + "/pictures/window_%1.png").arg(name));
    return image;
}

} // namespace

class WindowPictures : public WindowFixture {};

TEST_F(WindowPictures, PaintsInBothThemes) {
    ASSERT_TRUE(waitFor([&] { return window->findChild<app::Gallery*>()->list()->count() > 0; }));
    grabbed(*window, QStringLiteral("gallery"));
    runToEnd();
    const QImage light = grabbed(*window, QStringLiteral("light"));
    window->setDark(true);
    const QImage dark = grabbed(*window, QStringLiteral("dark"));
    EXPECT_EQ(light.size(), dark.size());
    EXPECT_GT(qGray(light.pixel(400, 300)), 200);
    EXPECT_LT(qGray(dark.pixel(400, 300)), 60);
    trigger(app::Act::ExportView);
    grabbed(*window, QStringLiteral("export_dark"));
    window->setDark(false);
    trigger(app::Act::Inspect);
    grabbed(*window, QStringLiteral("inspect"));
}

} // namespace marquetry::test
