// What the roads through the window have in common: files opened by the dialog, tabs, the table of
// shared units, buttons by their text.
#pragma once

#include "window_fixture.h"

#include "tests/support/text_files.h"
#include "widgets/log/log_view.h"
#include "widgets/models/selection_model.h"
#include "widgets/sharing/sharing_view.h"

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>

#include <algorithm>

namespace marquetry::test {

using session::Phase;

class EndToEnd : public EngineWindow {
protected:
    template <class View>
    View* view() {
        return window->findChild<View*>();
    }

    template <class Dialog>
    Dialog* dialog(const char* name) {
        Dialog* found = nullptr;
        until([&] {
            found = window->findChild<Dialog*>(QLatin1String(name));
            return found && found->isVisible();
        });
        return found;
    }

    void expectLog(const QStringList& lines) {
        const QString log = view<widgets::LogView>()->toText();
        for (const QString& line : lines)
            EXPECT_TRUE(log.contains(line)) << line.toStdString();
    }

    /// The export has the pictures of the window.
    static void expectReport(const QString& exported) {
        const auto page = test::readText(exported.toStdString() + "/report.html");
        ASSERT_TRUE(page);
        for (const char* picture : {"<img alt=\"Sharing\"", "<img alt=\"Front\""})
            EXPECT_NE(page->find(picture), std::string::npos) << picture;
    }

    void openByDialog(const std::string& path) {
        press(Qt::Key_O, Qt::ControlModifier);
        auto* files = dialog<QFileDialog>("openDialog");
        ASSERT_NE(files, nullptr);
        auto* name = files->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        ASSERT_NE(name, nullptr);
        // The popup with completions grabs the keyboard, which the offscreen platform cannot.
        name->setCompleter(nullptr);
        QTest::mouseClick(name, Qt::LeftButton);
        QTest::keyClick(name, Qt::Key_A, Qt::ControlModifier);
        // Pasted, because the dialog follows a path while it is typed.
        QGuiApplication::clipboard()->setText(QString::fromStdString(path));
        QTest::keyClick(name, Qt::Key_V, Qt::ControlModifier);
        QTest::keyClick(name, Qt::Key_Return);
        ASSERT_TRUE(until([&] { return snapshot()->phase == Phase::Loaded; }));
    }

    /// The search of a small program can be over before the second key arrives: then it is loaded
    /// anew and the keys are pressed again.
    void runAndPause() {
        for (int attempt = 0; attempt < 20; ++attempt) {
            press(Qt::Key_F5); // run
            press(Qt::Key_F6); // pause
            ASSERT_TRUE(until([&] {
                return snapshot()->phase == Phase::Paused || snapshot()->phase == Phase::Ready;
            }));
            if (snapshot()->phase == Phase::Paused && !snapshot()->outcome)
                return;
            press(Qt::Key_L, Qt::ControlModifier); // reload
            ASSERT_TRUE(until([&] { return snapshot()->phase == Phase::Loaded; }));
        }
        FAIL() << "the search was never caught running";
    }

    void showTab(const QString& text) {
        QTabBar* bar = window->tabs()->tabBar();
        for (int k = 0; k < bar->count(); ++k)
            if (bar->tabText(k) == text)
                QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(k).center());
        ASSERT_EQ(window->tabs()->tabText(window->tabs()->currentIndex()), text);
    }

    /// Clicks the name of the first shared unit in the sharing table; the name of its class, which
    /// may be built in several forms ("#2").
    std::string selectSharedUnit() {
        QTableView* table = view<widgets::SharingView>()->table();
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            const QModelIndex cell = table->model()->index(row, 0);
            QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                              table->visualRect(cell).center());
            const std::string name = cell.data().toString().toStdString();
            for (const design::UnitId unit : window->selection().linked().units)
                if (const auto& each = snapshot()->design->unit(unit);
                    each.shared && each.name == name)
                    return name.substr(0, name.rfind(" #"));
        }
        return {};
    }

    bool anyShared() {
        const auto design = snapshot()->design;
        return design && std::any_of(design->units.begin(), design->units.end(),
                                     [](const design::DesignUnit& unit) { return unit.shared; });
    }

    QPushButton* button(const QString& text) {
        for (QPushButton* each : window->findChildren<QPushButton*>())
            if (each->text() == text && each->isVisible())
                return each;
        return nullptr;
    }
};

} // namespace marquetry::test
