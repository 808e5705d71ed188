// The export dialog, by real key and mouse events: from the program to a project for a board, what
// does not go together, what is looked at before it is written, and what is remembered.
#include "export_window.h"

#include <QPlainTextEdit>
#include <QRegularExpression>

namespace marquetry::test {

using session::Phase;

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
