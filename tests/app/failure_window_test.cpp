// What the window makes of a session that broke off, and of an event handler of its own that does.
#include "app/application.h"
#include "app/status_line.h"
#include "window_fixture.h"

#include <new>

namespace marquetry::test {
namespace {

const Diagnostic kMemory =
    makeError("out-of-memory", "this ran out of memory while growing the e-graph", "ask for less");

class FailureWindow : public WindowFixture {};

TEST_F(FailureWindow, SaysWhatTheSessionRanOutOfUntilTheNextCommand) {
    window->openFile(QString::fromStdString(runningExample()));
    ASSERT_TRUE(reaches(session::Phase::Loaded));
    session->fail(kMemory);
    ASSERT_TRUE(waitFor([&] { return !snapshot()->failure.empty(); }));
    EXPECT_TRUE(window->notice().contains(QStringLiteral("ran out of memory while growing")));
    EXPECT_TRUE(window->notice().contains(QStringLiteral("ask for less")));
    EXPECT_TRUE(app::statusLine(*snapshot()).startsWith(QString::fromStdString(kMemory.message)))
        << app::statusLine(*snapshot()).toStdString();
    trigger(app::Act::Run);
    ASSERT_TRUE(reaches(session::Phase::Ready));
    EXPECT_TRUE(window->notice().isEmpty());
    EXPECT_FALSE(app::statusLine(*snapshot()).contains(QStringLiteral("memory")));
}

class Failing : public QObject {
public:
    bool event(QEvent* event) override {
        if (event->type() == QEvent::User)
            throw std::bad_alloc();
        return QObject::event(event);
    }
};

TEST_F(FailureWindow, AnEventHandlerThatThrowsEndsInANotice) {
    auto* application = dynamic_cast<app::Application*>(QCoreApplication::instance());
    ASSERT_NE(application, nullptr);
    application->onFailure([this](const Diagnostic& failure) { window->report({failure}); });
    Failing failing;
    QCoreApplication::postEvent(&failing, new QEvent(QEvent::User));
    QCoreApplication::processEvents();
    application->onFailure({});
    EXPECT_TRUE(window->notice().contains(QStringLiteral("ran out of memory")));
    window->openFile(QString::fromStdString(runningExample()));
    EXPECT_TRUE(reaches(session::Phase::Loaded)) << "the next event is handled as ever";
}

} // namespace
} // namespace marquetry::test
