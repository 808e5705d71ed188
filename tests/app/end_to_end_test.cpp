// The whole road in the window, by real key and mouse events: open, run, pause, step, select a
// shared unit, pin "never share", watch the new design arrive, undo, export, verify.
//
// The session is the real one with its engine thread; verification runs Verilator.
#include "end_to_end.h"

#include "app/gallery.h"
#include "tests/support/places.h"
#include "tests/support/text_files.h"
#include "widgets/hdl/hdl_view.h"
#include "widgets/hdl/verify_panel.h"
#include "widgets/inspector/inspector_view.h"
#include "widgets/log/log_view.h"
#include "widgets/models/selection_model.h"
#include "widgets/pareto/pareto_view.h"
#include "widgets/rules/rules_view.h"
#include "widgets/sharing/sharing_view.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTreeView>

#include <algorithm>

namespace marquetry::test {

using session::Phase;

TEST_F(EndToEnd, OpenRunPauseStepPinUndoExportVerify) {
    ASSERT_NO_FATAL_FAILURE(openByDialog(lenet5()));
    ASSERT_NO_FATAL_FAILURE(runAndPause());
    const std::size_t iterations = snapshot()->iterations.size();
    EXPECT_FALSE(snapshot()->outcome.has_value());
    press(Qt::Key_F10); // step
    ASSERT_TRUE(until([&] { return snapshot()->iterations.size() == iterations + 1; }));
    ASSERT_TRUE(until([&] { return snapshot()->phase == Phase::Paused; }));
    press(Qt::Key_F5);
    ASSERT_TRUE(until([&] { return snapshot()->phase == Phase::Ready; }));
    ASSERT_TRUE(anyShared());
    const auto sharedDesign = snapshot()->design;

    showTab(QStringLiteral("Sharing"));
    const std::string unit = selectSharedUnit();
    ASSERT_FALSE(unit.empty());
    QPushButton* never = button(QStringLiteral("Never share"));
    ASSERT_NE(never, nullptr);
    QTest::mouseClick(never, Qt::LeftButton);
    ASSERT_TRUE(until([&] { return snapshot()->pins.size() == 1; }));
    EXPECT_EQ(snapshot()->pins[0].kind, design::PinKind::NeverShare);
    EXPECT_EQ(snapshot()->pins[0].target, unit);
    ASSERT_TRUE(until(
        [&] { return snapshot()->design != sharedDesign && snapshot()->phase == Phase::Ready; }));
    if (snapshot()->design) {
        for (const design::DesignUnit& each : snapshot()->design->units)
            EXPECT_FALSE(each.shared && each.name == unit);
    }

    press(Qt::Key_Z, Qt::ControlModifier); // undo
    ASSERT_TRUE(until([&] {
        return snapshot()->pins.empty() && snapshot()->phase == Phase::Ready && anyShared();
    }));
    EXPECT_EQ(snapshot()->design->cycles, sharedDesign->cycles);

    press(Qt::Key_E, Qt::ControlModifier);
    ASSERT_NO_FATAL_FAILURE(fillExportDialog(folder.filePath(QStringLiteral("out"))));
    expectReport(folder.filePath(QStringLiteral("out")));

    press(Qt::Key_F9); // verify
    ASSERT_TRUE(until([&] { return snapshot()->verify.done; }));
    EXPECT_TRUE(snapshot()->verify.pass) << snapshot()->verify.message;
    const QString verdict = view<widgets::HdlView>()->verifyPanel()->verdict();
    EXPECT_TRUE(verdict.startsWith(QStringLiteral("✓"))) << verdict.toStdString();

    expectLog({"$ marquetry open", "$ marquetry explore", "--pins '{", "$ marquetry export",
               " --pictures --out ", "$ marquetry verify"});
    EXPECT_EQ(window->notice().toStdString(), "");
}

TEST_F(EndToEnd, OnVggASharedUnitIsExplainedQuestionedPinnedAndReleased) {
    window->openFile(
        QString::fromStdString(test::sourceFolder() + "/examples/vgg_cifar/vgg_cifar.mq"));
    ASSERT_TRUE(until([&] { return snapshot()->phase == Phase::Loaded; }));
    press(Qt::Key_F5);
    ASSERT_TRUE(until([&] { return snapshot()->phase == Phase::Ready; }));
    ASSERT_TRUE(anyShared());
    const auto before = snapshot()->design;

    showTab(QStringLiteral("Sharing"));
    const std::string unit = selectSharedUnit();
    ASSERT_FALSE(unit.empty());
    auto* inspector = view<widgets::InspectorView>();
    ASSERT_TRUE(until([&] { return !snapshot()->proofs.empty(); }));
    ASSERT_TRUE(until([&] { return inspector->toText().contains(QStringLiteral("Proof")); }));
    for (const char* section : {"What", "Cost", "Why", "Proof", "Layers"})
        EXPECT_TRUE(inspector->toText().contains(QLatin1String(section))) << section;

    QPushButton* unshared = button(QStringLiteral("What if unshared"));
    ASSERT_NE(unshared, nullptr);
    QTest::mouseClick(unshared, Qt::LeftButton);
    ASSERT_TRUE(until([&] { return snapshot()->whatIf && !snapshot()->whatIf->running; }));
    EXPECT_EQ(snapshot()->design, before) << "a question changes nothing";
    auto* panel = view<widgets::WhatIfPanel>();
    ASSERT_TRUE(until([&] { return panel->isVisible(); }));
    const QString answer = panel->toText();
    EXPECT_TRUE(answer.contains(QStringLiteral("cycles")) ||
                answer.contains(QStringLiteral("no design")))
        << answer.toStdString();

    QTest::mouseClick(panel->pinButton(), Qt::LeftButton);
    ASSERT_TRUE(
        until([&] { return snapshot()->pins.size() == 1 && snapshot()->phase == Phase::Ready; }));
    EXPECT_FALSE(snapshot()->whatIf);
    EXPECT_EQ(snapshot()->pins[0].target, unit);
    if (snapshot()->design) {
        EXPECT_GE(snapshot()->design->cycles, before->cycles);
    }
    press(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(
        until([&] { return snapshot()->pins.empty() && snapshot()->phase == Phase::Ready; }));
    EXPECT_EQ(snapshot()->design->cycles, before->cycles);
}

TEST_F(EndToEnd, RulesAreSwitchedOffByAClickAndOnByUndo) {
    runToEnd();
    const std::size_t enodes = snapshot()->egraph->enodeCount();
    QTreeView* tree = view<widgets::RulesView>()->tree();
    QModelIndex tiling;
    for (int row = 0; row < tree->model()->rowCount(); ++row)
        if (tree->model()->index(row, 0).data().toString() == QLatin1String("tiling"))
            tiling = tree->model()->index(row, 0);
    ASSERT_TRUE(tiling.isValid());
    tree->scrollTo(tiling);
    const QRect row = tree->visualRect(tiling);
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {},
                      QPoint(row.left() + 9, row.center().y()));
    ASSERT_TRUE(until([&] {
        return snapshot()->phase == Phase::Ready && !snapshot()->settings.without.empty();
    }));
    EXPECT_LT(snapshot()->egraph->enodeCount(), enodes);
    press(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(until(
        [&] { return snapshot()->phase == Phase::Ready && snapshot()->settings.without.empty(); }));
    EXPECT_EQ(snapshot()->egraph->enodeCount(), enodes);
}

TEST_F(EndToEnd, ConvolutionsAreStreamedWhenTheSettingsAllow) {
    window->openFile(QString::fromStdString(lenet5()));
    ASSERT_TRUE(until([&] { return snapshot()->phase == Phase::Loaded; }));
    press(Qt::Key_Comma, Qt::ControlModifier);
    auto* settings = dialog<QDialog>("settingsDialog");
    ASSERT_NE(settings, nullptr);
    const auto field = [&]<class Field>(const char* name, Field*& found) {
        for (Field* each : settings->findChildren<Field*>())
            if (each->accessibleName() == QLatin1String(name))
                found = each;
        ASSERT_NE(found, nullptr) << name;
    };
    QComboBox* device = nullptr;
    QDoubleSpinBox* dsp = nullptr;
    ASSERT_NO_FATAL_FAILURE(field("Device", device));
    ASSERT_NO_FATAL_FAILURE(field("Limit on DSP blocks", dsp));
    QTest::keyClicks(device, QStringLiteral("xc7k160t"));
    dsp->selectAll();
    QTest::keyClicks(dsp, QStringLiteral("64"));
    QTest::keyClick(settings, Qt::Key_Return);
    ASSERT_TRUE(until([&] { return snapshot()->device.id == "xc7k160t"; }));
    press(Qt::Key_F5);
    ASSERT_TRUE(until([&] { return snapshot()->phase == Phase::Ready; }));

    showTab(QStringLiteral("Sharing"));
    QTableView* table = view<widgets::SharingView>()->table();
    const design::DesignUnit* stream = nullptr;
    for (int row = 0; row < table->model()->rowCount() && !stream; ++row) {
        const QModelIndex cell = table->model()->index(row, 0);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(cell).center());
        for (const design::UnitId id : window->selection().linked().units)
            if (snapshot()->design->unit(id).streams)
                stream = &snapshot()->design->unit(id);
    }
    ASSERT_NE(stream, nullptr) << "a row of the table is the streamed layer";
    auto* inspector = view<widgets::InspectorView>();
    ASSERT_TRUE(until([&] {
        return inspector->toText().contains(QStringLiteral("its weights are part of its logic")) &&
               inspector->toText().contains(QString::fromStdString(stream->name));
    })) << inspector->toText().toStdString();
    savePicture(QStringLiteral("stream_unit"));
    press(Qt::Key_Z, Qt::ControlModifier); // the settings
    ASSERT_TRUE(until([&] { return snapshot()->device.id != "xc7k160t"; }));
}

TEST_F(EndToEnd, AClickOnThePlotMakesThatDesignCurrent) {
    runToEnd();
    auto* pareto = view<widgets::ParetoView>();
    const auto before = snapshot()->design;
    const auto& points = snapshot()->points;
    const design::DesignPoint* other = nullptr; // the slowest, which is far from all others
    for (const design::DesignPoint& point : points)
        if (point.onFront && point.cycles != before->cycles)
            other = &point;
    ASSERT_NE(other, nullptr);
    const std::int64_t cycles = other->cycles;
    const QPointF at =
        pareto->plot()->toPixel({other->resources.dsp, static_cast<double>(other->cycles)});
    QWidget* surface = pareto->plot()->childAt(at.toPoint());
    ASSERT_NE(surface, nullptr);
    QTest::mouseClick(surface, Qt::LeftButton, {}, at.toPoint());
    ASSERT_TRUE(until([&] { return snapshot()->design && snapshot()->design != before; }));
    EXPECT_EQ(snapshot()->design->cycles, cycles);
}

TEST_F(EndToEnd, AClickOnACardOpensItsExample) {
    QListWidget* cards = view<app::Gallery>()->list();
    ASSERT_TRUE(until([&] { return cards->count() > 1; }));
    const auto named = cards->findItems(QStringLiteral("running_example"), Qt::MatchExactly);
    ASSERT_EQ(named.size(), 1);
    QListWidgetItem* card = named.front();
    QTest::mouseClick(cards->viewport(), Qt::LeftButton, {}, cards->visualItemRect(card).center());
    ASSERT_TRUE(until([&] { return snapshot()->phase == Phase::Loaded; }));
    EXPECT_TRUE(window->tabs()->isVisible());
    EXPECT_EQ(card->text().toStdString(), snapshot()->program->name);
}

TEST_F(EndToEnd, KeysOpenAndCloseTheFileDialog) {
    press(Qt::Key_O, Qt::ControlModifier);
    auto* files = dialog<QFileDialog>("openDialog");
    ASSERT_NE(files, nullptr);
    QTest::keyClick(files, Qt::Key_Escape);
    ASSERT_TRUE(
        until([&] { return !window->findChild<QFileDialog*>(QStringLiteral("openDialog")); }));
    EXPECT_EQ(snapshot()->phase, Phase::Empty);
}

TEST_F(EndToEnd, AProgramWithMistakesIsShownWithThem) {
    window->openFile(QString::fromStdString(brokenProgram(folder.path().toStdString())));
    ASSERT_TRUE(until([&] { return snapshot()->phase == Phase::Invalid; }));
    ASSERT_TRUE(until([&] { return !window->notice().isEmpty(); }));
    EXPECT_FALSE(window->windowActions()[app::Act::Run]->isEnabled());
    EXPECT_GE(snapshot()->diagnostics.size(), 2u);
}

TEST_F(EndToEnd, ARefusedCommandIsExplained) {
    openExample();
    window->post(session::Export{"nowhere", "verilog"});
    ASSERT_TRUE(until([&] { return !window->notice().isEmpty(); }));
    ASSERT_TRUE(until(
        [&] { return view<widgets::LogView>()->toText().contains(QStringLiteral("! not done")); }));
}

TEST_F(EndToEnd, SelectingALayerLightsItsUnitsFile) {
    runToEnd();
    showTab(QStringLiteral("HDL"));
    window->selection().select(widgets::LayerName{"c"});
    ASSERT_EQ(window->selection().linked().units.size(), 1u);
    const QString shownFile = view<widgets::HdlView>()->currentFile();
    const auto& files = *snapshot()->hdl;
    const std::string unit = snapshot()->design->unit(window->selection().linked().units[0]).name;
    EXPECT_TRUE(std::any_of(files.begin(), files.end(), [&](const session::HdlFile& file) {
        return file.path == shownFile.toStdString() && file.unit == unit;
    })) << shownFile.toStdString();
}

} // namespace marquetry::test
