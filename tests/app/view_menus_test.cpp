// The menus of the views by real key and mouse events: every view has one, and the command that is
// copied from it finds on the command line what the view showed.
#include "window_fixture.h"

#include "tests/support/places.h"
#include "widgets/ledger/ledger_view.h"
#include "widgets/log/log_view.h"
#include "widgets/memories/memories_view.h"
#include "widgets/pareto/pareto_view.h"
#include "widgets/pins/pins_view.h"
#include "widgets/sharing/sharing_view.h"
#include "widgets/streams/streams_view.h"
#include "widgets/text/view_menu.h"

#include <QClipboard>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QPointer>
#include <QProcess>
#include <QTabWidget>
#include <QTableView>
#include <QTreeView>

#include <algorithm>
#include <map>
#include <set>

namespace marquetry::test {

using session::Phase;

namespace {

const QString kEntry = QStringLiteral("Copy the Command That Reproduces This");

/// As a shell does it, which the quotes are for.
QJsonObject answerOf(const QString& command) {
    EXPECT_TRUE(command.startsWith(QStringLiteral("marquetry "))) << command.toStdString();
    const QString script = QStringLiteral("\"$0\"") + command.mid(9) + QStringLiteral(" --json");
    QProcess shell;
    shell.start(QStringLiteral("bash"),
                {QStringLiteral("-c"), script, QString::fromStdString(program())});
    EXPECT_TRUE(shell.waitForFinished(-1));
    EXPECT_EQ(shell.exitCode(), 0) << shell.readAllStandardError().toStdString();
    return QJsonDocument::fromJson(shell.readAllStandardOutput()).object();
}

/// By another process, which starts from the file.
void expectFinds(const QString& command, const design::Design& shown) {
    SCOPED_TRACE(command.toStdString());
    const QJsonObject found = answerOf(command).value(QStringLiteral("design")).toObject();
    EXPECT_EQ(found.value(QStringLiteral("cycles")).toInteger(), shown.cycles);
    std::map<std::string, std::pair<double, std::size_t>> units;
    for (const design::DesignUnit& unit : shown.units)
        units[unit.name] = {unit.resources.dsp, unit.callSites.size()};
    std::map<std::string, std::pair<double, std::size_t>> again;
    for (const QJsonValue& each : found.value(QStringLiteral("units")).toArray()) {
        const QJsonObject unit = each.toObject();
        const auto calls = unit.value(QStringLiteral("call_sites")).toArray().size();
        again[unit.value(QStringLiteral("id")).toString().toStdString()] = {
            unit.value(QStringLiteral("dsp")).toDouble(), static_cast<std::size_t>(calls)};
    }
    EXPECT_EQ(again, units);
}

std::int64_t cyclesOf(const QString& command) {
    const QJsonObject answer = answerOf(command);
    const QJsonObject found = answer.value(QStringLiteral("extract")).toObject();
    return (found.isEmpty() ? answer : found).value(QStringLiteral("cycles")).toInteger();
}

QAction* entry(const QMenu& menu, const QString& text = kEntry) {
    for (QAction* const action : menu.actions())
        if (action->text() == text)
            return action;
    return nullptr;
}

} // namespace

/// `Window`: with a session of one kind or the other.
template <class Window>
class MenusOf : public Window {
protected:
    template <class View>
    View* view() {
        return this->window->template findChild<View*>();
    }

    void bring(QWidget* view) {
        if (this->window->tabs()->indexOf(view) >= 0) {
            this->window->tabs()->setCurrentWidget(view);
        } else {
            auto* const dock = qobject_cast<QDockWidget*>(view->parentWidget());
            ASSERT_NE(dock, nullptr);
            this->window->setAnimated(false); // places are final at once
            dock->show();
            dock->raise();
        }
        ASSERT_TRUE(waitFor([&] {
            const QPoint centre = view->mapTo(this->window.get(), view->rect().center());
            const QWidget* const there = this->window->childAt(centre);
            return there == view || view->isAncestorOf(there);
        }));
    }

    static QMenu* opened() {
        QMenu* menu = nullptr;
        waitFor([&] {
            menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            return menu != nullptr;
        });
        return menu;
    }

    /// The platform without a screen hands the activation to a menu, and to no window once the menu
    /// is gone; Qt then closes the next menu as soon as that has got about.
    void activate() {
        this->window->activateWindow();
        QCoreApplication::processEvents();
        EXPECT_TRUE(waitForActive(this->window.get()));
    }

    QMenu* menuAt(QWidget* widget, QPoint place) {
        activate();
        QTest::mouseClick(this->window->windowHandle(), Qt::RightButton, {},
                          widget->mapTo(this->window.get(), place));
        return opened();
    }

    QMenu* menuByKeys(QWidget* widget) {
        activate();
        widget->setFocus();
        QTest::keyClick(this->window.get(), Qt::Key_F10, Qt::ShiftModifier);
        return opened();
    }

    /// What was copied by it; the menu is closed.
    static QString choose(QMenu* menu, const QString& text = kEntry) {
        QGuiApplication::clipboard()->clear();
        QAction* const action = menu ? entry(*menu, text) : nullptr;
        EXPECT_NE(action, nullptr);
        if (!action)
            return {};
        EXPECT_TRUE(action->isEnabled()) << action->toolTip().toStdString();
        const QPointer<QMenu> open(menu);
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
        EXPECT_TRUE(waitFor([&] { return !open; }));
        return QGuiApplication::clipboard()->text();
    }

    static void close(QMenu* menu) {
        const QPointer<QMenu> open(menu);
        QTest::keyClick(menu, Qt::Key_Escape);
        EXPECT_TRUE(waitFor([&] { return !open; }));
    }
};

class ViewMenus : public MenusOf<WindowFixture> {
protected:
    /// Of every ViewMenu there is.
    std::vector<QWidget*> views() {
        std::vector<QWidget*> all;
        for (const auto* const menu : window->findChildren<widgets::ViewMenu*>())
            all.push_back(qobject_cast<QWidget*>(menu->parent()));
        return all;
    }

    std::int64_t cycles() { return snapshot()->design->cycles; }
};

TEST_F(ViewMenus, AreOfAllViewsAndDocks) {
    std::set<QWidget*> with;
    for (QWidget* const view : views())
        with.insert(view);
    for (int k = 0; k < window->tabs()->count(); ++k)
        EXPECT_TRUE(with.contains(window->tabs()->widget(k)))
            << window->tabs()->tabText(k).toStdString();
    for (const QDockWidget* const dock : window->findChildren<QDockWidget*>())
        EXPECT_TRUE(with.contains(dock->widget())) << dock->windowTitle().toStdString();
}

TEST_F(ViewMenus, OpenEverywhereByMouseAndByKeysWithTheCommand) {
    runToEnd();
    for (QWidget* const view : views()) {
        SCOPED_TRACE(view->metaObject()->className());
        ASSERT_NO_FATAL_FAILURE(bring(view));
        for (const bool byMouse : {true, false}) {
            QMenu* const menu = byMouse ? menuAt(view, view->rect().center()) : menuByKeys(view);
            ASSERT_NE(menu, nullptr) << byMouse;
            EXPECT_NE(entry(*menu), nullptr) << byMouse;
            close(menu);
        }
    }
}

TEST_F(ViewMenus, TheCommandFindsTheDesignAgain) {
    runToEnd();
    for (QWidget* const view : {static_cast<QWidget*>(this->view<widgets::LedgerView>()),
                                static_cast<QWidget*>(this->view<widgets::LogView>())}) {
        ASSERT_NO_FATAL_FAILURE(bring(view));
        const QString command = choose(menuByKeys(view));
        EXPECT_EQ(cyclesOf(command), cycles()) << command.toStdString();
    }
    activate();
    QGuiApplication::clipboard()->clear();
    QTest::keyClick(window.get(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(cyclesOf(QGuiApplication::clipboard()->text()), cycles());
}

TEST_F(ViewMenus, TheCommandHasLimitsAndPins) {
    runToEnd();
    const std::int64_t free = cycles();
    session::Settings settings = snapshot()->settings;
    settings.limits["dsp"] = snapshot()->design->resources.dsp / 2;
    window->post(session::ChangeSettings{settings});
    ASSERT_TRUE(waitFor([&] {
        return snapshot()->phase == Phase::Ready && snapshot()->settings == settings &&
               snapshot()->design;
    }));
    const std::string unit = snapshot()->design->units.front().name;
    window->post(session::AddPin{{0, design::PinKind::NeverShare, unit, "", true}});
    ASSERT_TRUE(waitFor([&] {
        return snapshot()->phase == Phase::Ready && !snapshot()->pins.empty() && snapshot()->design;
    }));
    EXPECT_GT(cycles(), free);
    auto* const sharing = view<widgets::SharingView>();
    ASSERT_NO_FATAL_FAILURE(bring(sharing));
    const QString command = choose(menuByKeys(sharing->table()));
    EXPECT_TRUE(command.contains(QStringLiteral("--pins"))) << command.toStdString();
    expectFinds(command, *snapshot()->design);
}

TEST_F(ViewMenus, ThePlotHasTheCommandOfThePointAndOfTheDesignThatWasChosen) {
    runToEnd();
    const app::SnapshotPtr best = snapshot();
    const auto other = std::ranges::find_if(best->points, [&](const design::DesignPoint& point) {
        return point.onFront && point.feasible && point.cycles != best->design->cycles;
    });
    ASSERT_NE(other, best->points.end());
    const design::DesignPoint point = *other;
    auto* const pareto = view<widgets::ParetoView>();
    ASSERT_NO_FATAL_FAILURE(bring(pareto));
    pareto->pick(static_cast<std::size_t>(other - best->points.begin()));
    const QString command = choose(menuByKeys(pareto));
    EXPECT_EQ(cyclesOf(command), point.cycles) << command.toStdString();
    window->post(session::ChoosePoint{point});
    ASSERT_TRUE(waitFor([&] {
        return snapshot()->foundBy == session::FoundBy::Choice && snapshot()->design &&
               cycles() == point.cycles;
    }));
    auto* const ledger = view<widgets::LedgerView>();
    ASSERT_NO_FATAL_FAILURE(bring(ledger));
    const QString chosen = choose(menuByKeys(ledger));
    EXPECT_EQ(cyclesOf(chosen), point.cycles) << chosen.toStdString();
}

TEST_F(ViewMenus, WithoutACommandSayWhy) {
    openExample();
    auto* const ledger = view<widgets::LedgerView>();
    ASSERT_NO_FATAL_FAILURE(bring(ledger));
    QMenu* const menu = menuByKeys(ledger);
    ASSERT_NE(menu, nullptr);
    const QAction* const command = entry(*menu);
    ASSERT_NE(command, nullptr);
    EXPECT_FALSE(command->isEnabled());
    EXPECT_TRUE(command->toolTip().contains(QStringLiteral("nothing is found yet")));
    close(menu);
}

/// A command would read what the file holds now.
TEST_F(ViewMenus, OfAProgramThatIsNoMoreInItsFileHaveNoCommand) {
    const QString file = this->folder.filePath(QStringLiteral("changing.mq"));
    ASSERT_TRUE(QFile::copy(QString::fromStdString(runningExample()), file));
    window->openFile(file);
    ASSERT_TRUE(reaches(Phase::Loaded));
    trigger(app::Act::Run);
    ASSERT_TRUE(reaches(Phase::Ready));
    auto* const ledger = view<widgets::LedgerView>();
    ASSERT_NO_FATAL_FAILURE(bring(ledger));
    EXPECT_EQ(cyclesOf(choose(menuByKeys(ledger))), cycles());
    QFile changed(file);
    ASSERT_TRUE(changed.open(QIODevice::Append) && changed.write("\n") == 1);
    changed.close();
    QMenu* const menu = menuByKeys(ledger);
    ASSERT_NE(menu, nullptr);
    const QAction* const command = entry(*menu);
    ASSERT_NE(command, nullptr);
    EXPECT_FALSE(command->isEnabled());
    EXPECT_TRUE(command->toolTip().contains(QStringLiteral("another program now")));
    close(menu);
}

TEST_F(ViewMenus, CopyTheSelectedRowsOfATable) {
    runToEnd();
    auto* const ledger = view<widgets::LedgerView>();
    ASSERT_NO_FATAL_FAILURE(bring(ledger));
    auto* const table = ledger->findChild<QTableView*>();
    ASSERT_NE(table, nullptr);
    ASSERT_TRUE(waitFor([&] { return table->model()->rowCount() > 1; }));
    const QRect cell = table->visualRect(table->model()->index(1, 0));
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell.center());
    const QString text = choose(menuAt(table->viewport(), cell.center()), QStringLiteral("Copy"));
    const QString name = table->model()->index(1, 0).data().toString();
    EXPECT_TRUE(text.startsWith(name + u'\t')) << text.toStdString();
    EXPECT_EQ(text.count(u'\n'), 1);
    EXPECT_EQ(text, widgets::selectedRows(*table));
}

/// What Qt's menu of its actions did.
TEST_F(ViewMenus, OfThePinsTakeThemAway) {
    openExample();
    window->post(session::AddPin{{0, design::PinKind::NeverShare, "Mv 4×8", "", true}});
    ASSERT_TRUE(waitFor([&] { return snapshot()->pins.size() == 1; }));
    auto* const pins = view<widgets::PinsView>();
    ASSERT_NO_FATAL_FAILURE(bring(pins));
    QTreeView* const list = pins->list();
    ASSERT_TRUE(waitFor([&] { return list->model()->rowCount() == 1; }));
    const QRect row = list->visualRect(list->model()->index(0, 0));
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, row.center());
    choose(menuAt(list->viewport(), row.center()), QStringLiteral("Remove pin"));
    EXPECT_TRUE(waitFor([&] { return snapshot()->pins.empty(); }));
}

class HardwareMenus : public MenusOf<EngineWindow> {
protected:
    void open(const char* file, const char* item) {
        window->openItem(QString::fromStdString(test::sourceFolder() + "/examples/" + file),
                         QLatin1String(item));
    }
};

TEST_F(HardwareMenus, TheCommandFindsTheBanksAgain) {
    open("memories/memories.mq", "sobel");
    ASSERT_TRUE(until([&] {
        return !snapshot()->memories.empty() && snapshot()->memories[snapshot()->memory].ready();
    }));
    auto* const memories = view<widgets::MemoriesView>();
    ASSERT_NO_FATAL_FAILURE(bring(memories));
    const QString command = choose(menuByKeys(memories));
    const QJsonObject answer = answerOf(command);
    const banking::Scheme& scheme = snapshot()->memories[snapshot()->memory].detail->priced.scheme;
    EXPECT_EQ(answer.value(QStringLiteral("copies")).toInteger(), scheme.copies);
    EXPECT_EQ(answer.value(QStringLiteral("banks")).toInteger(), scheme.maps.front().banks);
}

TEST_F(HardwareMenus, TheCommandFindsTheCircuitAgain) {
    open("streams/tone/tone.mq", "");
    ASSERT_TRUE(until([&] {
        return !snapshot()->streams.empty() && snapshot()->streams[snapshot()->stream].schedule;
    }));
    auto* const streams = view<widgets::StreamsView>();
    ASSERT_NO_FATAL_FAILURE(bring(streams));
    const QString command = choose(menuByKeys(streams));
    const QJsonObject answer = answerOf(command);
    EXPECT_EQ(answer.value(QStringLiteral("clocks")).toInteger(),
              snapshot()->streams[snapshot()->stream].schedule->clocks)
        << command.toStdString();
}

} // namespace marquetry::test
