// ExportWindow: the export dialog of a window on the real session, by key and mouse events.
#pragma once

#include "window_fixture.h"

#include "app/export_dialog.h"
#include "engine/support/process.h"
#include "tests/support/text_files.h"

#include <QComboBox>
#include <QDirIterator>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>

namespace marquetry::test {

using session::Phase;

class ExportWindow : public EngineWindow {
protected:
    void explore(const QString& device) {
        window->openFile(QString::fromStdString(lenet5()));
        ASSERT_TRUE(reaches(Phase::Loaded));
        if (!device.isEmpty()) {
            press(Qt::Key_Comma, Qt::ControlModifier);
            ASSERT_NO_FATAL_FAILURE(chooseDevice(device));
        }
        press(Qt::Key_F5);
        ASSERT_TRUE(reaches(Phase::Ready));
        ASSERT_NE(snapshot()->design, nullptr);
    }

    /// In the dialog of settings that opens now.
    void chooseDevice(const QString& device) {
        QDialog* settings = nullptr;
        ASSERT_TRUE(until([&] {
            settings = window->findChild<QDialog*>(QStringLiteral("settingsDialog"));
            return settings && settings->isVisible();
        }));
        for (QComboBox* each : settings->findChildren<QComboBox*>())
            if (each->accessibleName() == QStringLiteral("Device"))
                QTest::keyClicks(each, device);
        QTest::keyClick(settings, Qt::Key_Return);
        ASSERT_TRUE(until([&] { return snapshot()->device.id == device.toStdString(); }));
    }

    void openDialog() {
        press(Qt::Key_E, Qt::ControlModifier);
        ASSERT_TRUE(until([&] {
            dialog = window->findChild<app::ExportDialog*>();
            return dialog && dialog->isVisible();
        }));
    }

    void closeDialog() {
        QTest::keyClick(dialog, Qt::Key_Escape);
        ASSERT_TRUE(until([&] { return window->findChild<app::ExportDialog*>() == nullptr; }));
    }

    template <class Part>
    Part* part(const char* name) {
        return dialog->findChild<Part*>(QLatin1String(name));
    }

    /// The entry that begins so.
    void choose(const char* field, const QString& text) {
        auto* box = part<QComboBox>(field);
        ASSERT_NE(box, nullptr) << field;
        QTest::keyClick(box, Qt::Key_Home);
        for (int k = 0; k < box->count() && !box->currentText().startsWith(text); ++k)
            QTest::keyClick(box, Qt::Key_Down);
        ASSERT_TRUE(box->currentText().startsWith(text)) << field << ": no " << text.toStdString();
    }
    void choose(const char* target, const char* interface, const char* board) {
        ASSERT_NO_FATAL_FAILURE(choose("exportTarget", QLatin1String(target)));
        ASSERT_NO_FATAL_FAILURE(choose("exportInterface", QLatin1String(interface)));
        ASSERT_NO_FATAL_FAILURE(choose("exportBoard", QLatin1String(board)));
    }

    void typeFolder(const QString& path) {
        auto* place = part<QLineEdit>("exportFolder");
        QTest::mouseClick(place, Qt::LeftButton);
        QTest::keyClick(place, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(place, Qt::Key_Delete);
        QTest::keyClicks(place, path);
    }

    QString problem() {
        const auto* label = part<QLabel>("exportProblem");
        return label->isHidden() ? QString() : label->text();
    }

    bool mayExport() { return part<QPushButton>("exportAndVerify")->isEnabled(); }

    QStringList listed() {
        QStringList paths;
        const auto* list = part<QListWidget>("exportFiles");
        for (int row = 0; row < list->count(); ++row)
            paths << list->item(row)->text();
        return paths;
    }

    /// What has been asked for is there.
    bool isListed(const QString& path) {
        return until([&] { return !listed().isEmpty(); }) && listed().contains(path);
    }

    void savePictureOf(QWidget* widget, const QString& name) {
        QCoreApplication::processEvents();
        const QString pictures = QString::fromStdString(test::buildFolder() + "/pictures");
        QDir().mkpath(pictures);
        widget->grab().save(pictures + u'/' + name + QStringLiteral(".png"));
    }

public:
    static QStringList filesIn(const QString& path) {
        QStringList paths;
        QDirIterator files(path, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext())
            paths << QDir(path).relativeFilePath(files.next());
        paths.sort();
        return paths;
    }

protected:
    app::ExportDialog* dialog = nullptr;
};

/// Both folders hold the same but for what the pictures are in, and one more.
inline void expectTwins(const QString& one, const QString& other, const QString& but = {}) {
    const QStringList files = ExportWindow::filesIn(one);
    EXPECT_EQ(ExportWindow::filesIn(other), files);
    for (const QString& path : files) {
        if (path.startsWith(QStringLiteral("report.")) || path == QStringLiteral("manifest.json") ||
            path == but)
            continue;
        const auto text = test::readText((one + u'/' + path).toStdString());
        const auto twin = test::readText((other + u'/' + path).toStdString());
        ASSERT_TRUE(text && twin) << path.toStdString();
        EXPECT_TRUE(*text == *twin) << path.toStdString();
    }
}

/// The line as a shell runs it, with this build's program.
inline void runLine(const QString& line) {
    ASSERT_TRUE(line.startsWith(QStringLiteral("marquetry "))) << line.toStdString();
    ProcessParams params;
    params.arguments = {"bash", "-c", test::program() + line.mid(9).toStdString()};
    const auto ran = runProcess(params);
    ASSERT_TRUE(ran);
    ASSERT_EQ(ran->exitCode, 0) << ran->output;
}

} // namespace marquetry::test
