// Pictures of the views in both themes, written to <build>/pictures for people to look at.
#include "snapshot_fixture.h"
#include "tests/support/places.h"
#include "tests/support/waits.h"

#include "widgets/egraph/egraph_view.h"
#include "widgets/graph_layout/layout_worker.h"
#include "widgets/inspector/inspector_view.h"
#include "widgets/sharing/sharing_view.h"

#include <QApplication>
#include <QDir>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include <set>

namespace marquetry::widgets {
namespace {

class Pictures : public ::testing::TestWithParam<bool> {
protected:
    void SetUp() override { use(GetParam() ? darkTheme() : lightTheme()); }
    void TearDown() override { use(lightTheme()); }

    static void use(const Theme& theme) {
        applyTheme(*static_cast<QApplication*>(QCoreApplication::instance()), theme);
    }

    /// Painted: the theme's own background, and more than a handful of colours on it.
    void keep(QWidget& widget, const QString& name) {
        const QImage image = widget.grab().toImage().convertToFormat(QImage::Format_RGB32);
        const QString folder = QString::fromStdString(test::buildFolder() + "/pictures");
        ASSERT_TRUE(QDir().mkpath(folder));
        ASSERT_TRUE(image.save(
            QStringLiteral("%1/%2_%3.png").arg(folder, name, GetParam() ? "dark" : "light")));
        std::set<QRgb> colours;
        bool background = false;
        const QRgb wanted = (GetParam() ? darkTheme() : lightTheme())[Role::Background].rgb();
        for (int y = 0; y < image.height(); y += 2)
            for (int x = 0; x < image.width(); x += 2) {
                colours.insert(image.pixel(x, y));
                background |= image.pixel(x, y) == wanted;
            }
        EXPECT_TRUE(background) << name.toStdString();
        EXPECT_GT(colours.size(), 20U) << name.toStdString();
    }

    void keepEGraph(EGraphView::Mode mode, const std::shared_ptr<session::Snapshot>& snapshot,
                    const QString& name, int hops = 2) {
        SelectionModel selection;
        EGraphView view(&selection);
        view.layoutClient()->setProgram(QCoreApplication::applicationFilePath(),
                                        {QString::fromLatin1(kLayoutWorkerFlag)});
        view.resize(1240, 820);
        view.setHops(hops);
        view.setMode(mode);
        QSignalSpy laidOut(&view, &EGraphView::layoutChanged);
        view.setSnapshot(snapshot);
        view.setMode(mode);
        view.show();
        ASSERT_TRUE(test::waitForNext(laidOut));
        for (int k = 0; k < 3; ++k) // paint, count what was painted, lay out the count
            QCoreApplication::processEvents();
        keep(view, name);
    }

    test::SnapshotParts parts = test::makeSnapshot();
};

TEST_P(Pictures, Focus) {
    parts.snapshot->pins = {{1, design::PinKind::Share, "Mv 64×576", "", true}};
    keepEGraph(EGraphView::Mode::Focus, parts.snapshot, QStringLiteral("egraph_focus"));
}

TEST_P(Pictures, Design) {
    keepEGraph(EGraphView::Mode::Focus, parts.snapshot, QStringLiteral("egraph_design"), 1);
}

TEST_P(Pictures, Overview) {
    keepEGraph(EGraphView::Mode::Overview, parts.snapshot, QStringLiteral("egraph_overview"));
}

TEST_P(Pictures, LargeOverview) {
    keepEGraph(EGraphView::Mode::Overview, test::bigSnapshot(5000),
               QStringLiteral("egraph_overview_large"));
}

TEST_P(Pictures, Sharing) {
    SelectionModel selection;
    SharingView view(&selection);
    view.resize(1100, 560);
    view.setSnapshot(parts.snapshot);
    selection.select(LayerName{"fc"});
    view.show();
    keep(view, QStringLiteral("sharing"));
}

TEST_P(Pictures, Inspector) {
    SelectionModel selection;
    InspectorView view(&selection);
    view.resize(360, 820);
    view.setSnapshot(parts.snapshot);
    selection.select(design::CallId{2});
    view.show();
    keep(view, QStringLiteral("inspector"));
}

INSTANTIATE_TEST_SUITE_P(Themes, Pictures, ::testing::Bool(),
                         [](const auto& parameter) { return parameter.param ? "Dark" : "Light"; });

} // namespace
} // namespace marquetry::widgets
