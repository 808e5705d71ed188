// A network in ONNX in the window, by real events: opened by the dialog or dropped, its layers read
// with the nodes of the file and their multipliers' proofs, run, questioned, pinned, exported, and
// verified.
#include "end_to_end.h"

#include "tests/support/places.h"
#include "widgets/hdl/hdl_view.h"
#include "widgets/hdl/verify_panel.h"
#include "widgets/inspector/inspector_view.h"
#include "widgets/program/program_view.h"

#include <QDropEvent>
#include <QMimeData>
#include <QTreeView>

namespace marquetry::test {

class NetworkWindow : public EndToEnd {
protected:
    static std::string network(const std::string& name) {
        return test::sourceFolder() + "/examples/networks/" + name + ".onnx";
    }

    /// Clicks a layer in the table of the Program view.
    void clickLayer(int row) {
        QTreeView* table = view<widgets::ProgramView>()->layerTable();
        const QModelIndex cell = table->model()->index(row, widgets::LayerTableModel::Name);
        table->scrollTo(cell);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(cell).center());
    }

    void expectImportedLayers() {
        auto* program = view<widgets::ProgramView>();
        ASSERT_TRUE(program->layers()->isImported());
        for (const widgets::LayerTableModel::Row& row : program->layers()->rows()) {
            EXPECT_FALSE(row.node.isEmpty()) << row.name.toStdString();
            EXPECT_TRUE(row.imported.contains(QStringLiteral("real value = ")));
            EXPECT_TRUE(row.imported.contains(QStringLiteral("exact for ")))
                << row.name.toStdString();
        }
    }
};

TEST_F(NetworkWindow, IsOpenedRunQuestionedPinnedExportedAndVerified) {
    ASSERT_NO_FATAL_FAILURE(openByDialog(network("autoencoder")));
    expectImportedLayers();
    press(Qt::Key_F5);
    ASSERT_TRUE(until([&] { return snapshot()->phase == Phase::Ready; }));
    ASSERT_TRUE(anyShared());
    const auto before = snapshot()->design;

    clickLayer(3);
    auto* inspector = view<widgets::InspectorView>();
    ASSERT_TRUE(until([&] { return inspector->toText().contains(QStringLiteral("Proof for")); }));
    for (const char* part : {"In the imported file", "Multiplier", "exact for", "Why"})
        EXPECT_TRUE(inspector->toText().contains(QLatin1String(part))) << part;

    showTab(QStringLiteral("Sharing"));
    ASSERT_FALSE(selectSharedUnit().empty());
    QPushButton* never = button(QStringLiteral("Never share"));
    ASSERT_NE(never, nullptr);
    QTest::mouseClick(never, Qt::LeftButton);
    ASSERT_TRUE(until([&] {
        return snapshot()->pins.size() == 1 && snapshot()->design != before &&
               snapshot()->phase == Phase::Ready;
    }));
    press(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(until([&] {
        return snapshot()->pins.empty() && snapshot()->phase == Phase::Ready && anyShared();
    }));

    press(Qt::Key_E, Qt::ControlModifier);
    ASSERT_NO_FATAL_FAILURE(fillExportDialog(folder.filePath(QStringLiteral("out"))));
    press(Qt::Key_F9);
    ASSERT_TRUE(until([&] { return snapshot()->verify.done; }));
    EXPECT_TRUE(snapshot()->verify.pass) << snapshot()->verify.message;
    EXPECT_EQ(snapshot()->verify.cycles, snapshot()->design->cycles);
    const QString verdict = view<widgets::HdlView>()->verifyPanel()->verdict();
    EXPECT_TRUE(verdict.startsWith(QStringLiteral("✓"))) << verdict.toStdString();
}

TEST_F(NetworkWindow, IsDropped) {
    QMimeData dropped;
    dropped.setUrls({QUrl::fromLocalFile(QString::fromStdString(network("ds_cnn")))});
    QDragEnterEvent enter({9, 9}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window.get(), &enter);
    ASSERT_TRUE(enter.isAccepted());
    QDropEvent event({9, 9}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window.get(), &event);
    ASSERT_TRUE(until([&] { return snapshot()->phase == Phase::Loaded; }));
    expectImportedLayers();
    press(Qt::Key_F5);
    ASSERT_TRUE(until([&] { return snapshot()->phase == Phase::Ready; }));
    ASSERT_TRUE(snapshot()->design);
    EXPECT_EQ(snapshot()->design->notExportable, "");
}

} // namespace marquetry::test
