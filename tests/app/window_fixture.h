// WindowFixture: a main window on a scripted session with settings of its own, shown offscreen.
// Waits end on facts (a phase, an acknowledgement), never on time.
#pragma once

#include "app/main_window.h"
#include "fake_session.h"
#include "tests/support/places.h"
#include "tests/support/waits.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

namespace marquetry::test {

class WindowFixture : public ::testing::Test {
protected:
    void SetUp() override { makeWindow(); }

    void makeWindow() {
        window.reset();
        app::WindowParams params;
        params.port = factory();
        params.settingsFile = folder.filePath(QStringLiteral("settings.ini"));
        params.journalFolder = journals();
        params.examplesFolder = QString::fromStdString(test::sourceFolder() + "/examples");
        window = std::make_unique<app::MainWindow>(params);
        window->resize(1600, 1000);
        window->show();
        ASSERT_TRUE(waitForExposed(window.get()));
    }

    /// Another factory runs the same window on another session; `session` is then null.
    virtual app::SessionPortFactory factory() { return fakeFactory(session); }

    /// Where sessions are kept that are not saved; empty: nowhere.
    virtual QString journals() { return {}; }

    app::SnapshotPtr snapshot() { return window->bridge().snapshot(); }

    bool reaches(session::Phase phase) {
        return waitFor([&] { return snapshot()->phase == phase; });
    }

    void trigger(app::Act act) {
        QAction* action = window->windowActions()[act];
        ASSERT_TRUE(action->isEnabled()) << action->objectName().toStdString();
        action->trigger();
    }

    /// By keys and the mouse, in the export dialog that opens now.
    void fillExportDialog(const QString& target, bool thenVerify = false) {
        QDialog* dialog = nullptr;
        ASSERT_TRUE(waitFor([&] {
            dialog = window->findChild<QDialog*>(QStringLiteral("exportDialog"));
            return dialog && dialog->isVisible();
        }));
        auto* place = dialog->findChild<QLineEdit*>(QStringLiteral("exportFolder"));
        QTest::keyClick(place, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(place, target);
        if (thenVerify)
            QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("exportAndVerify")),
                              Qt::LeftButton);
        else
            QTest::keyClick(place, Qt::Key_Return);
        ASSERT_TRUE(waitFor([&] { return snapshot()->exportedTo == target.toStdString(); }))
            << window->notice().toStdString();
        EXPECT_TRUE(QFileInfo::exists(target + QStringLiteral("/manifest.json")));
    }

    template <class Dialog>
    Dialog* shownDialog(const char* name) {
        Dialog* found = nullptr;
        waitFor([&] {
            found = window->findChild<Dialog*>(QLatin1String(name));
            return found && found->isVisible();
        });
        return found;
    }

    /// A button of the dialog or bar that is shown now, or comes.
    void clickButton(const char* name) {
        QPushButton* const button = shownDialog<QPushButton>(name);
        ASSERT_NE(button, nullptr) << name;
        QTest::mouseClick(button, Qt::LeftButton);
    }

    void openExample() {
        window->openFile(QString::fromStdString(runningExample()));
        ASSERT_TRUE(reaches(session::Phase::Loaded));
    }

    void runToEnd() {
        openExample();
        trigger(app::Act::Run);
        ASSERT_TRUE(reaches(session::Phase::Ready));
        ASSERT_NE(snapshot()->design, nullptr);
    }

    QTemporaryDir folder;
    FakeSession* session = nullptr;
    std::unique_ptr<app::MainWindow> window;
};

/// The same window on the real session with its engine thread.
class EngineWindow : public WindowFixture {
protected:
    app::SessionPortFactory factory() override { return &app::makeEnginePort; }

    template <class Condition>
    bool until(Condition condition) {
        return waitFor(condition);
    }

    void press(int key, Qt::KeyboardModifiers modifiers = {}) {
        // Shortcuts belong to the active window, which a dialog has just been.
        window->activateWindow();
        ASSERT_TRUE(waitForActive(window.get()));
        QTest::keyClick(window.get(), Qt::Key(key), modifiers);
    }

    /// A picture for a look, in `pictures` of the build folder.
    void savePicture(const QString& name) {
        QCoreApplication::processEvents();
        const QString pictures = QString::fromStdString(test::buildFolder() + "/pictures");
        QDir().mkpath(pictures);
        window->grab().save(pictures + u'/' + name + QStringLiteral(".png"));
    }
    /// Of a view with the docks it is worked with.
    void saveViewPicture(const QString& name) {
        for (QDockWidget* dock : {window->docks().pareto, window->docks().progress,
                                  window->docks().rules, window->docks().inspector})
            dock->hide();
        savePicture(name);
    }
};

} // namespace marquetry::test
