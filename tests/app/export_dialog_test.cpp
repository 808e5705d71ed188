// The export dialog, by real key and mouse events: from the program to a project for a board, what
// does not go together, what is looked at before it is written, and what is remembered.
#include "window_fixture.h"

#include "app/export_dialog.h"
#include "engine/support/process.h"
#include "tests/support/text_files.h"

#include <QComboBox>
#include <QDirIterator>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>

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

/// Both folders hold the same but for what the pictures are in.
void expectTwins(const QString& one, const QString& other) {
    const QStringList files = ExportWindow::filesIn(one);
    EXPECT_EQ(ExportWindow::filesIn(other), files);
    for (const QString& path : files) {
        if (path.startsWith(QStringLiteral("report.")) || path == QStringLiteral("manifest.json"))
            continue;
        const auto text = test::readText((one + u'/' + path).toStdString());
        const auto twin = test::readText((other + u'/' + path).toStdString());
        ASSERT_TRUE(text && twin) << path.toStdString();
        EXPECT_TRUE(*text == *twin) << path.toStdString();
    }
}

/// The line as a shell runs it, with this build's program.
void runLine(const QString& line) {
    ASSERT_TRUE(line.startsWith(QStringLiteral("marquetry "))) << line.toStdString();
    ProcessParams params;
    params.arguments = {"bash", "-c", test::program() + line.mid(9).toStdString()};
    const auto ran = runProcess(params);
    ASSERT_TRUE(ran);
    ASSERT_EQ(ran->exitCode, 0) << ran->output;
}

TEST_F(ExportWindow, LeNetGoesToVivadoForPynqZ2AsTheCommandLineWritesIt) {
    ASSERT_NO_FATAL_FAILURE(explore(QStringLiteral("xc7z020")));
    ASSERT_NO_FATAL_FAILURE(openDialog());
    ASSERT_NO_FATAL_FAILURE(choose("vivado", "axi", "TUL PYNQ-Z2"));
    const QString target = folder.filePath(QStringLiteral("pynq"));
    typeFolder(target);
    EXPECT_EQ(problem().toStdString(), "");
    ASSERT_TRUE(isListed(QStringLiteral("vivado/system.tcl")));
    const QStringList promised = listed();
    savePictureOf(dialog, QStringLiteral("export_dialog"));
    QString line = part<QLineEdit>("exportCommand")->text();
    QTest::keyClick(part<QLineEdit>("exportFolder"), Qt::Key_Return);
    ASSERT_TRUE(until([&] { return snapshot()->exportedTo == target.toStdString(); }))
        << window->notice().toStdString();

    const QStringList written = filesIn(target);
    EXPECT_EQ(written, promised) << "the list is of what is written";
    for (const char* path : {"component.xml", "manifest.json", "report.html", "vivado/project.tcl"})
        EXPECT_TRUE(written.contains(QLatin1String(path))) << path;
    EXPECT_FALSE(written.filter(QRegularExpression(QStringLiteral("^sw/.*\\.h$"))).isEmpty());
    const auto page = test::readText(target.toStdString() + "/report.html");
    ASSERT_TRUE(page);
    EXPECT_NE(page->find("<img alt=\"Sharing\""), std::string::npos);

    const QString twin = folder.filePath(QStringLiteral("twin"));
    line.replace(target, twin).remove(QStringLiteral(" --pictures"));
    ASSERT_NO_FATAL_FAILURE(runLine(line));
    expectTwins(target, twin);
}

TEST_F(ExportWindow, WhatDoesNotGoTogetherIsSaidBeforeAnythingIsWritten) {
    ASSERT_NO_FATAL_FAILURE(explore({}));
    ASSERT_NO_FATAL_FAILURE(openDialog());
    typeFolder(folder.filePath(QStringLiteral("out")));
    EXPECT_TRUE(mayExport());
    const auto says = [&](const char* words) {
        EXPECT_FALSE(mayExport());
        EXPECT_TRUE(problem().contains(QLatin1String(words))) << problem().toStdString();
    };
    ASSERT_NO_FATAL_FAILURE(choose("vivado", "stream", "none"));
    says("targets that do: 'verilog' and 'quartus'");
    EXPECT_TRUE(listed().isEmpty());
    EXPECT_TRUE(part<QPushButton>("exportSettings")->isVisible());
    ASSERT_NO_FATAL_FAILURE(choose("quartus", "stream", "TUL PYNQ-Z2"));
    says("has no projects for boards");
    ASSERT_NO_FATAL_FAILURE(choose("quartus", "axi", "none"));
    EXPECT_EQ(problem().toStdString(), "");
    EXPECT_TRUE(mayExport());
    ASSERT_TRUE(isListed(QStringLiteral("quartus/lenet5.qpf")));
    typeFolder(QStringLiteral("/"));
    says("holds other files");
    typeFolder(QString());
    says("Choose a folder");
}

TEST_F(ExportWindow, AnotherDeviceIsChosenFromTheDialog) {
    ASSERT_NO_FATAL_FAILURE(explore(QStringLiteral("zu7ev")));
    ASSERT_NO_FATAL_FAILURE(openDialog());
    typeFolder(folder.filePath(QStringLiteral("out")));
    ASSERT_NO_FATAL_FAILURE(choose("vivado", "axi", "TUL PYNQ-Z2"));
    EXPECT_FALSE(mayExport());
    EXPECT_TRUE(problem().contains(QStringLiteral("'xc7z020'"))) << problem().toStdString();
    QTest::mouseClick(part<QPushButton>("exportSettings"), Qt::LeftButton);
    ASSERT_NO_FATAL_FAILURE(chooseDevice(QStringLiteral("xc7z020")));
}

TEST_F(ExportWindow, FilesAreLookedAtBeforeTheyAreWritten) {
    ASSERT_NO_FATAL_FAILURE(explore(QStringLiteral("xc7z020")));
    ASSERT_NO_FATAL_FAILURE(openDialog());
    typeFolder(folder.filePath(QStringLiteral("out")));
    ASSERT_TRUE(isListed(QStringLiteral("rtl/lenet5_top.v")));
    EXPECT_FALSE(listed().contains(QStringLiteral("component.xml")));
    auto* list = part<QListWidget>("exportFiles");
    QListWidgetItem* top = list->findItems(QStringLiteral("rtl/lenet5_top.v"), Qt::MatchExactly)[0];
    list->scrollToItem(top);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(top).center());
    const auto text = [&] { return part<QPlainTextEdit>("exportText")->toPlainText(); };
    EXPECT_TRUE(text().contains(QStringLiteral("module lenet5_top"))) << text().toStdString();
    EXPECT_FALSE(text().contains(QStringLiteral("s_axi_awaddr")));
    ASSERT_NO_FATAL_FAILURE(choose("vivado", "axi", "none"));
    ASSERT_TRUE(isListed(QStringLiteral("component.xml")));
    EXPECT_FALSE(QFileInfo::exists(folder.filePath(QStringLiteral("out"))));
    ASSERT_NO_FATAL_FAILURE(choose("exportStreamBits", QStringLiteral("512")));
    EXPECT_TRUE(part<QLineEdit>("exportCommand")->text().contains("--stream-bits 512"));
    ASSERT_TRUE(isListed(QStringLiteral("component.xml")));
    ASSERT_NO_FATAL_FAILURE(closeDialog());
    EXPECT_TRUE(until([&] { return snapshot()->listing == nullptr; }));
}

TEST_F(ExportWindow, TheFormOfAnItemIsRememberedAndMemoriesHaveNoRegisters) {
    window->openItem(
        QString::fromStdString(test::sourceFolder() + "/examples/memories/memories.mq"),
        QStringLiteral("sobel"));
    ASSERT_TRUE(until([&] { return snapshot()->exportedMemory() != nullptr; }));
    trigger(app::Act::ExportView);
    ASSERT_NO_FATAL_FAILURE(openDialog());
    EXPECT_EQ(part<QComboBox>("exportItem")->currentText().toStdString(), "memory sobel");
    ASSERT_NO_FATAL_FAILURE(choose("exportInterface", QStringLiteral("axi")));
    EXPECT_TRUE(problem().contains(QStringLiteral("a memory has no streams")));
    EXPECT_FALSE(mayExport());
    ASSERT_NO_FATAL_FAILURE(choose("quartus", "stream", "none"));
    const QString target = folder.filePath(QStringLiteral("sobel"));
    typeFolder(target);
    QTest::mouseClick(part<QPushButton>("exportAndVerify"), Qt::LeftButton);
    ASSERT_TRUE(until([&] { return snapshot()->verify.done; })) << window->notice().toStdString();
    EXPECT_TRUE(snapshot()->verify.pass) << snapshot()->verify.message;
    EXPECT_TRUE(QFileInfo::exists(target + QStringLiteral("/quartus/sobel.qpf")));

    makeWindow();
    window->openItem(
        QString::fromStdString(test::sourceFolder() + "/examples/memories/memories.mq"),
        QStringLiteral("sobel"));
    ASSERT_TRUE(until([&] { return snapshot()->exportedMemory() != nullptr; }));
    ASSERT_NO_FATAL_FAILURE(openDialog());
    EXPECT_TRUE(part<QComboBox>("exportTarget")->currentText().startsWith("quartus"));
    EXPECT_EQ(part<QLineEdit>("exportFolder")->text(), target);
}

} // namespace marquetry::test
