// What of a file the export dialog offers, and that its command writes the very same.
#include "export_window.h"

#include "widgets/streams/streams_view.h"

#include <QTabBar>

#include <fstream>

namespace marquetry::test {

class ExportItems : public ExportWindow {
protected:
    void exploreFile(const char* text) {
        const QString file = folder.filePath(QStringLiteral("three.mq"));
        std::ofstream(file.toStdString()) << text;
        window->openFile(file);
        ASSERT_TRUE(until([&] { return snapshot()->program != nullptr; }));
        press(Qt::Key_F5);
        ASSERT_TRUE(until([&] { return snapshot()->design && snapshot()->hdl; }));
    }

    void look(QWidget* view) {
        QTabBar* bar = window->tabs()->tabBar();
        QTest::mouseClick(bar, Qt::LeftButton, {},
                          bar->tabRect(window->tabs()->indexOf(view)).center());
        ASSERT_EQ(window->tabs()->currentWidget(), view);
    }

    QString hardware() { return part<QComboBox>("exportItem")->currentText(); }
    QString command() { return part<QLineEdit>("exportCommand")->text(); }
    QString noCommand() {
        const auto* label = part<QLabel>("exportNoCommand");
        return label->isHidden() ? QString() : label->text();
    }

    void exportTo(const QString& target) {
        typeFolder(target);
        EXPECT_EQ(problem().toStdString(), "");
        QTest::keyClick(part<QLineEdit>("exportFolder"), Qt::Key_Return);
        ASSERT_TRUE(until([&] { return snapshot()->exportedTo == target.toStdString(); }))
            << window->notice().toStdString();
        ASSERT_TRUE(until([&] { return window->findChild<app::ExportDialog*>() == nullptr; }));
    }

    /// Of the plot, with fewer multipliers than the best.
    void chooseAnotherPoint() {
        const auto best = snapshot()->design;
        const auto points = snapshot()->points;
        const auto other = std::ranges::find_if(points, [&](const design::DesignPoint& point) {
            return point.feasible && point.resources.dsp < best->resources.dsp;
        });
        ASSERT_NE(other, points.end());
        window->post(session::ChoosePoint{*other});
        ASSERT_TRUE(until([&] { return snapshot()->design != best && snapshot()->hdl; }));
    }

    /// What the line that was shown for `target` writes is the same.
    void expectTwin(QString line, const QString& target, const QString& but = {}) {
        const QString twin = target + QStringLiteral("_twin");
        ASSERT_NO_FATAL_FAILURE(
            runLine(line.replace(target, twin).remove(QStringLiteral(" --pictures"))));
        expectTwins(target, twin, but);
    }

    static constexpr const char* kThree =
        "design d { input x : i8[8] = random(seed: 1); weight v : i8[4, 8] = random(seed: 5);"
        " output y = mv(v, x); }\n"
        "stream s { input x : Seq 12 u8; output y = map(fn v -> add(v, 5), x); }\n"
        "memory m { array a : i8[8, 8];"
        " for i in 0 .. 8 step 2 par 2 { read a[i, 0]; write a[0, i]; } }\n"
        "memory n { array a : i8[16]; for i in 0 .. 14 { read a[i], a[i+2]; } }\n";
};

TEST_F(ExportItems, EveryItemOfAFileIsOfferedAndTheOneInViewComesFirst) {
    ASSERT_NO_FATAL_FAILURE(exploreFile(kThree));
    ASSERT_NO_FATAL_FAILURE(openDialog());
    const auto* box = part<QComboBox>("exportItem");
    QStringList offered;
    for (int k = 0; k < box->count(); ++k)
        offered << box->itemText(k);
    EXPECT_EQ(offered.mid(0, 4).join(u'|').toStdString(), "design d|stream s|memory m|memory n");
    EXPECT_EQ(hardware().toStdString(), "design d");
    ASSERT_TRUE(isListed(QStringLiteral("rtl/d_top.v")));
    ASSERT_NO_FATAL_FAILURE(closeDialog());

    ASSERT_NO_FATAL_FAILURE(look(window->findChild<widgets::StreamsView*>()));
    ASSERT_NO_FATAL_FAILURE(openDialog());
    EXPECT_EQ(hardware().toStdString(), "stream s");
    ASSERT_TRUE(until([&] { return listed().contains(QStringLiteral("rtl/s_top.v")); }));
    const QString target = folder.filePath(QStringLiteral("stream"));
    typeFolder(target);
    const QString line = command();
    EXPECT_TRUE(line.contains(QStringLiteral(" --item s "))) << line.toStdString();
    savePictureOf(dialog, QStringLiteral("export_dialog_stream"));
    ASSERT_NO_FATAL_FAILURE(exportTo(target));
    ASSERT_NO_FATAL_FAILURE(expectTwin(line, target));
    EXPECT_TRUE(snapshot()->design) << "the design is still at hand";
}

TEST_F(ExportItems, AMemoryThatNobodyLookedAtIsPlannedWhenItIsChosen) {
    ASSERT_NO_FATAL_FAILURE(exploreFile(kThree));
    ASSERT_FALSE(snapshot()->exportedMemory("n"));
    ASSERT_NO_FATAL_FAILURE(openDialog());
    ASSERT_NO_FATAL_FAILURE(choose("exportItem", QStringLiteral("memory n")));
    ASSERT_TRUE(until([&] { return listed().contains(QStringLiteral("rtl/n.v")); }));
    EXPECT_FALSE(listed().contains(QStringLiteral("rtl/d_top.v")));
    const QString target = folder.filePath(QStringLiteral("memory"));
    typeFolder(target);
    EXPECT_TRUE(mayExport()) << problem().toStdString();
    const QString line = command();
    EXPECT_TRUE(line.contains(QStringLiteral(" --item n --map "))) << line.toStdString();
    ASSERT_NO_FATAL_FAILURE(exportTo(target));
    // The command is given the scheme, and has no others to list in DESIGN.json.
    ASSERT_NO_FATAL_FAILURE(expectTwin(line, target, QStringLiteral("DESIGN.json")));
}

/// No command finds a point of the plot again; its DESIGN.json is it, also when it is opened.
TEST_F(ExportItems, APointOfThePlotIsWrittenAgainByItsDesignFile) {
    ASSERT_NO_FATAL_FAILURE(explore(QStringLiteral("xc7z020")));
    ASSERT_NO_FATAL_FAILURE(chooseAnotherPoint());
    const std::int64_t cycles = snapshot()->design->cycles;
    ASSERT_NO_FATAL_FAILURE(openDialog());
    ASSERT_NO_FATAL_FAILURE(choose("vivado", "stream", "none"));
    EXPECT_EQ(command().toStdString(), "");
    ASSERT_TRUE(noCommand().contains(QStringLiteral("chosen from the plot")));
    const QString again = noCommand().section(u'\n', -1);
    const QString target = folder.filePath(QStringLiteral("point"));
    typeFolder(target);
    savePictureOf(dialog, QStringLiteral("export_dialog_point"));
    ASSERT_NO_FATAL_FAILURE(exportTo(target));
    QString line = again;
    line.replace(QStringLiteral("DESIGN.json"), target + QStringLiteral("/DESIGN.json"));
    line.replace(QStringLiteral("FOLDER"), target + QStringLiteral("_twin"));
    ASSERT_NO_FATAL_FAILURE(runLine(line));
    expectTwins(target, target + QStringLiteral("_twin"));

    window->openFile(target + QStringLiteral("/DESIGN.json"));
    ASSERT_TRUE(until([&] { return snapshot()->held && snapshot()->hdl; }));
    EXPECT_EQ(snapshot()->held->cycles, cycles);
    ASSERT_NO_FATAL_FAILURE(openDialog());
    EXPECT_EQ(hardware().toStdString(), "design lenet5, as DESIGN.json holds it");
    EXPECT_FALSE(mayExport());
    EXPECT_TRUE(problem().contains(QStringLiteral("of which this is made")))
        << problem().toStdString();
    const QString held = folder.filePath(QStringLiteral("held"));
    typeFolder(held);
    savePictureOf(dialog, QStringLiteral("export_dialog_held"));
    EXPECT_EQ(command(), QStringLiteral("marquetry export %1/DESIGN.json --target vivado --out %2")
                             .arg(target, held));
    ASSERT_NO_FATAL_FAILURE(exportTo(held));
    expectTwins(target, held);
}

} // namespace marquetry::test
