// Simulators and layout workers that are not there, refuse, die or never end: the window says so
// where one looks, and all else goes on.
#include "window_fixture.h"

#include "widgets/egraph/egraph_view.h"
#include "widgets/graph_layout/layout_worker.h"
#include "widgets/hdl/hdl_view.h"
#include "widgets/hdl/verify_panel.h"

#include <QFile>
#include <QStatusBar>
#include <QTabWidget>

namespace marquetry::test {

using session::Phase;

namespace {

/// While it lives, the first "verilator" of PATH is this script; without a script PATH has none.
class SimulatorInPath {
public:
    explicit SimulatorInPath(const QByteArray& script) {
        QByteArray path = folder_.path().toLocal8Bit();
        if (!script.isEmpty()) {
            QFile file(folder_.filePath(QStringLiteral("verilator")));
            EXPECT_TRUE(file.open(QIODevice::WriteOnly));
            file.write("#!/bin/sh\n" + script + '\n');
            file.setPermissions(QFileDevice::ReadOwner | QFileDevice::ExeOwner);
            path += ':' + before_;
        }
        qputenv("PATH", path);
    }
    ~SimulatorInPath() { qputenv("PATH", before_); }
    SimulatorInPath(const SimulatorInPath&) = delete;
    SimulatorInPath& operator=(const SimulatorInPath&) = delete;

private:
    QTemporaryDir folder_;
    QByteArray before_ = qgetenv("PATH");
};

} // namespace

class BadSimulators : public EngineWindow {
protected:
    QString verdict() { return window->findChild<widgets::HdlView*>()->verifyPanel()->verdict(); }

    /// The design is there as before, is verified by nobody, and can be worked on.
    void expectAllElseGoesOn(std::int64_t cycles) {
        ASSERT_TRUE(until([&] { return snapshot()->phase == Phase::Ready; }));
        ASSERT_NE(snapshot()->design, nullptr);
        EXPECT_EQ(snapshot()->design->cycles, cycles);
        EXPECT_FALSE(verdict().startsWith(u'✓')) << verdict().toStdString();
        EXPECT_TRUE(window->windowActions()[app::Act::Verify]->isEnabled());
        const std::size_t pins = snapshot()->pins.size();
        const std::string another = "Mv 2×" + std::to_string(pins);
        window->post(session::AddPin{{0, design::PinKind::NeverShare, another, "", false}});
        EXPECT_TRUE(until([&] { return snapshot()->pins.size() == pins + 1; }));
        EXPECT_TRUE(until([&] { return window->notice().isEmpty(); })) << "that is done";
        EXPECT_TRUE(until([&] { return snapshot()->phase == Phase::Ready; }));
    }
};

TEST_F(BadSimulators, AreToldOfAndStopNothing) {
    runToEnd();
    const std::int64_t cycles = snapshot()->design->cycles;
    for (const char* script : {"", "echo gone wrong >&2; exit 7", "kill -9 $$", "kill -SEGV $$"}) {
        SCOPED_TRACE(script);
        const SimulatorInPath simulator(script);
        trigger(app::Act::Verify);
        ASSERT_TRUE(until([&] { return !window->notice().isEmpty(); }));
        EXPECT_TRUE(window->notice().contains(QStringLiteral("verilator")))
            << window->notice().toStdString();
        expectAllElseGoesOn(cycles);
    }
}

TEST_F(BadSimulators, ThatNeverEndAreStopped) {
    runToEnd();
    const std::int64_t cycles = snapshot()->design->cycles;
    const SimulatorInPath simulator("exec sleep 3600");
    trigger(app::Act::Verify);
    ASSERT_TRUE(until([&] { return snapshot()->phase == Phase::Verifying; }));
    EXPECT_TRUE(until([&] { return verdict().startsWith(QStringLiteral("Verifying")); }));
    trigger(app::Act::Stop);
    ASSERT_TRUE(until([&] { return snapshot()->phase == Phase::Ready; }));
    expectAllElseGoesOn(cycles);
}

class BadLayoutWorkers : public EngineWindow {
protected:
    widgets::EGraphView* view() { return window->findChild<widgets::EGraphView*>(); }

    void work(const QString& program, const QStringList& arguments) {
        view()->layoutClient()->setProgram(program, arguments);
        view()->layoutClient()->setTimeout(200);
        window->statusBar()->clearMessage();
        view()->setHops(view()->hops() == 1 ? 2 : 1);
    }

    void expectTold(const QString& text) {
        EXPECT_TRUE(until([&] { return window->statusBar()->currentMessage().contains(text); }))
            << window->statusBar()->currentMessage().toStdString();
        EXPECT_FALSE(view()->layoutClient()->busy()) << "nobody waits for it any more";
        EXPECT_GT(view()->canvas()->scene().boxes.size(), 0U) << "a simpler picture is shown";
        EXPECT_EQ(snapshot()->phase, Phase::Ready);
        EXPECT_NE(snapshot()->design, nullptr);
    }
};

TEST_F(BadLayoutWorkers, AreToldOfAndLeaveASimplerPicture) {
    runToEnd();
    window->tabs()->setCurrentWidget(view());
    view()->setMode(widgets::EGraphView::Mode::Focus);
    ASSERT_TRUE(until([&] { return !view()->layoutClient()->busy(); }));
    work(QStringLiteral("sleep"), {QStringLiteral("3600")});
    expectTold(QStringLiteral("the layout took longer than 200 ms"));
    work(QStringLiteral("sh"), {QStringLiteral("-c"), QStringLiteral("kill -9 $$")});
    expectTold(QStringLiteral("the layout worker crashed"));
    work(folder.filePath(QStringLiteral("nobody")), {});
    expectTold(QStringLiteral("cannot run"));
    QSignalSpy laidOut(view()->layoutClient(), &widgets::LayoutClient::finished);
    view()->layoutClient()->setProgram(QCoreApplication::applicationFilePath(),
                                       {QLatin1String(widgets::kLayoutWorkerFlag)});
    view()->layoutClient()->setTimeout(kPatienceMs);
    view()->setHops(3);
    EXPECT_TRUE(until([&] { return laidOut.count() > 0; })) << "the next one is asked as ever";
}

} // namespace marquetry::test
