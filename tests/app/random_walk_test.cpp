// A walk of random actions through the window, from one seed each: whatever is done in whatever
// order, nothing warns, what is shown is what is so, and what was undone comes back.
//
// A failure names its seed and the last actions; the same seed walks the same way again.
#include "message_guard.h"
#include "random_user.h"
#include "shown_fields.h"
#include "shown_figures.h"
#include "window_fixture.h"

#include "app/session_keeper.h"
#include "engine/session/session_file.h"
#include "tests/support/cases.h"
#include "tests/support/text_files.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMessageBox>
#include <QPixmapCache>

#include <malloc.h>

#include <array>
#include <set>

namespace marquetry::test {

using session::Phase;

namespace {

const char* const kSmall = "design d { input a : i8[8] = random(seed: 1);"
                           "weight v : i8[4, 8] = random(seed: 5); output y = mv(v, a); }\n";

constexpr qsizetype kActionsTold = 12; ///< before one that fails
/// Of a walk in which what one action keeps is more than what the first ones make for all.
constexpr int kActionsThatTell = 2000;

/// Small ones of every kind, so that a walk gets on.
constexpr std::array kPrograms{"running_example/running_example.mq", "streams/luma/luma.mq",
                               "streams/dot/dot.mq", "memories/memories.mq"};

/// All that undo and redo are about, and what follows from it.
struct Decided {
    session::SessionFile file;
    std::int64_t cycles = 0;
    std::string hardware;
    bool operator==(const Decided&) const = default;
};

} // namespace

class RandomWalk : public EngineWindow, public ::testing::WithParamInterface<int> {
protected:
    void SetUp() override {
        for (const char* program : kPrograms) {
            const QString from =
                QString::fromStdString(sourceFolder()) + QStringLiteral("/examples/") + program;
            if (QFileInfo::exists(from)) {
                ASSERT_TRUE(QFile::copy(from, path(QFileInfo(from).fileName())));
            }
        }
        ASSERT_TRUE(writeText(path("small.mq").toStdString(), kSmall));
        brokenProgram(folder.path().toStdString());
        before_ = QDir::currentPath();
        ASSERT_TRUE(QDir::setCurrent(folder.path())); // whatever is typed as a path stays here
        EngineWindow::SetUp();
    }
    void TearDown() override {
        window->setDark(false);
        QDir::setCurrent(before_);
    }
    app::SessionPortFactory factory() override { return fakeFactory(session); }
    QString journals() override { return path("journals"); }
    QString path(const QString& name) { return folder.filePath(name); }

    void walk(int seed, int actions);

private:
    void goOn(int actions);
    std::size_t memoryAfterwards();
    QString step();
    QString stepOfFiles();
    QString stepOfWindow();
    void begin();
    QString undoAndRedo();
    QString closeAndReopen();
    QString changeProgram();
    QString saveAndRead();
    bool rests();
    Decided decided();
    void check(const QString& done, bool resting, const MessageGuard& guard);
    void fail(const QString& done, const QStringList& faults);

    std::unique_ptr<RandomUser> user_;
    ShownFigures figures_;
    QStringList history_;
    std::set<QString> told_;
    QString before_;
};

bool RandomWalk::rests() {
    auto& bridge = window->bridge();
    bool answered = false;
    std::uint64_t epoch = 0;
    session::Ticket ticket = 0;
    const auto connection =
        QObject::connect(&bridge, &app::SessionBridge::acknowledged, window.get(),
                         [&](const session::Acknowledgement& acknowledgement) {
                             answered = answered || acknowledgement.ticket == ticket;
                             epoch = std::max(epoch, acknowledgement.epoch);
                         });
    ticket = window->post(session::AskProof{}); // is refused, when all before it is done
    const bool done = waitFor([&] {
        if (session) // which works when it is asked
            bridge.setWatching(true);
        return answered && snapshot()->epoch >= epoch && !app::isRunning(snapshot()->phase);
    });
    QObject::disconnect(connection);
    return done;
}

Decided RandomWalk::decided() {
    Decided now;
    now.file = session::sessionOf(*snapshot());
    now.cycles = snapshot()->design ? snapshot()->design->cycles : 0;
    if (snapshot()->hdl)
        for (const session::HdlFile& file : *snapshot()->hdl)
            now.hardware += file.path + '\n' + file.text;
    return now;
}

QString RandomWalk::undoAndRedo() {
    rests();
    if (QApplication::activeModalWidget() || !snapshot()->canUndo)
        return QStringLiteral("nothing to undo");
    const Decided before = decided();
    trigger(app::Act::Undo);
    rests();
    const bool other = !(decided().file == before.file);
    if (!snapshot()->canRedo) {
        fail(QStringLiteral("undo"), {QStringLiteral("what was undone cannot be redone")});
        return {};
    }
    trigger(app::Act::Redo);
    rests();
    const Decided after = decided();
    QStringList faults;
    if (!session::sameDecisions(after.file, before.file)) // not what is shown of them
        faults << QStringLiteral("undo and redo lead elsewhere:\n%1\n%2")
                      .arg(QString::fromStdString(session::printSession(before.file)),
                           QString::fromStdString(session::printSession(after.file)));
    else if (after.cycles != before.cycles || after.hardware != before.hardware)
        faults << QStringLiteral("undo and redo lead to another design: %1, %2")
                      .arg(before.cycles)
                      .arg(after.cycles);
    if (!other)
        faults << QStringLiteral("undo undoes nothing");
    if (!faults.isEmpty())
        fail(QStringLiteral("undo, redo"), faults);
    return QStringLiteral("undo, redo");
}

/// With searches that are short, whatever is searched.
void RandomWalk::begin() {
    window->openFile(path("running_example.mq"));
    session::Settings settings = snapshot()->settings;
    settings.maxIterations = 4;
    window->post(session::ChangeSettings{settings});
}

QString RandomWalk::closeAndReopen() {
    if (QApplication::activeModalWidget())
        return QStringLiteral("a dialog is open");
    window->close();
    if (auto* const box = window->findChild<QMessageBox*>(QStringLiteral("unsavedSession")))
        QTest::mouseClick(box->findChild<QPushButton*>(QStringLiteral("discard")), Qt::LeftButton);
    QCoreApplication::processEvents();
    if (window->isVisible())
        fail(QStringLiteral("close"), {QStringLiteral("it is still there")});
    makeWindow();
    begin();
    return QStringLiteral("close, start anew");
}

QString RandomWalk::changeProgram() {
    const QString file = path("small.mq");
    const auto text = readText(file.toStdString());
    const std::string fresh = user_->chance(50) ? *text + "// changed\n" : std::string(kSmall);
    if (!writeText(file.toStdString(), fresh))
        ADD_FAILURE() << "small.mq";
    return QStringLiteral("another program writes small.mq");
}

QString RandomWalk::saveAndRead() {
    rests();
    if (snapshot()->file.empty())
        return QStringLiteral("nothing to save");
    const QString file = path(user_->chance(50) ? "one.mqs" : "two.mqs");
    const Status saved = window->keeper().save(file, true);
    const auto read = session::readSession(file.toStdString());
    QStringList faults;
    if (!saved || !read)
        faults << QStringLiteral("no session was written: ") +
                      QString::fromStdString(saved ? format(read.error()) : format(saved.error()));
    else if (window->isWindowModified())
        faults << QStringLiteral("it is still unsaved");
    else if (session::SessionFile now = session::sessionOf(*snapshot(), *read);
             read->pins != now.pins || !(read->settings == now.settings) ||
             read->picked != now.picked)
        faults << QStringLiteral("other things were saved");
    if (!faults.isEmpty())
        fail(QStringLiteral("save"), faults);
    return QStringLiteral("save ") + QFileInfo(file).fileName();
}

QString RandomWalk::stepOfFiles() {
    if (QApplication::activeModalWidget())
        return user_->act(window.get());
    switch (user_->number(8)) {
    case 0:
        return closeAndReopen();
    case 1:
        return changeProgram();
    case 2:
        return saveAndRead();
    default: {
        const QStringList files =
            QDir(folder.path()).entryList({"*.mq", "*.mqs"}, QDir::Files, QDir::Name);
        const QString file = files[user_->number(static_cast<int>(files.size()))];
        window->openFile(path(file));
        return QStringLiteral("open ") + file;
    }
    }
}

QString RandomWalk::stepOfWindow() {
    if (QApplication::activeModalWidget())
        return user_->act(window.get());
    if (user_->chance(20)) {
        const std::array sizes{QSize(1280, 800), QSize(1920, 1080), QSize(1600, 1000)};
        const QSize size = sizes[static_cast<std::size_t>(user_->number(sizes.size()))];
        window->resize(size);
        return QStringLiteral("resize to %1").arg(size.width());
    }
    QList<QAction*> enabled;
    for (QAction* const action : window->windowActions().all())
        if (action->isEnabled() && action->objectName() != QStringLiteral("quit"))
            enabled << action;
    QAction* const action = enabled[user_->number(static_cast<int>(enabled.size()))];
    action->trigger();
    return QStringLiteral("action ") + action->objectName();
}

QString RandomWalk::step() {
    const int kind = user_->number(100);
    if (kind < 4)
        return stepOfFiles();
    if (kind < 14)
        return stepOfWindow();
    if (kind < 20 && !QApplication::activeModalWidget()) {
        const app::Act act =
            std::array{app::Act::Run, app::Act::Run, app::Act::Pause, app::Act::Step,
                       app::Act::Stop}[static_cast<std::size_t>(user_->number(5))];
        QAction* const action = window->windowActions()[act];
        if (action->isEnabled())
            action->trigger();
        return QStringLiteral("action ") + action->objectName();
    }
    if (kind < 23)
        return undoAndRedo();
    return user_->act(window.get());
}

void RandomWalk::fail(const QString& done, const QStringList& faults) {
    for (const QString& fault : faults)
        if (told_.insert(fault.left(40)).second)
            ADD_FAILURE() << fault.toStdString() << "\nafter " << done.toStdString()
                          << "\nbefore that:\n"
                          << history_.join(QStringLiteral("\n")).toStdString();
}

void RandomWalk::check(const QString& done, bool resting, const MessageGuard& guard) {
    QStringList faults = figures_.faults(*window, resting);
    faults << cutFields(*window) << emptyPictures(*window);
    if (!guard.text().empty())
        faults << QString::fromStdString(guard.text());
    if (!faults.isEmpty())
        fail(done, faults);
}

void RandomWalk::walk(int seed, int actions) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    user_ = std::make_unique<RandomUser>(static_cast<std::uint64_t>(seed), folder.path());
    const std::size_t before = memoryAfterwards();
    goOn(actions / 2);
    const std::size_t middle = memoryAfterwards();
    goOn(actions - actions / 2);
    const std::size_t after = memoryAfterwards();
    RecordProperty("kilobytes_before", std::to_string(before / 1024));
    RecordProperty("kilobytes_in_the_middle", std::to_string(middle / 1024));
    RecordProperty("kilobytes_after", std::to_string(after / 1024));
    if (actions >= kActionsThatTell && after > middle) {
        EXPECT_LT(after - middle, (middle - before) / 2) << "what it takes goes on growing";
    }
}

void RandomWalk::goOn(int actions) {
    begin();
    for (int k = 0; k < actions; ++k) {
        const MessageGuard guard;
        const QString done = step();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        const bool resting = user_->chance(70);
        if (resting) {
            ASSERT_TRUE(rests()) << done.toStdString();
        }
        QCoreApplication::processEvents(); // lays out what is new,
        QCoreApplication::processEvents(); // and what follows from that
        check(done, resting, guard);
        history_ << done;
        if (history_.size() > kActionsTold)
            history_.removeFirst();
    }
}

/// In use when a window that nobody has touched has taken the place of the one that was walked in:
/// without what that one left to be shown again, and without the picture that was copied last.
std::size_t RandomWalk::memoryAfterwards() {
    window.reset();
    QFile::remove(path(QStringLiteral("settings.ini")));
    makeWindow();
    QGuiApplication::clipboard()->clear();
    QPixmapCache::clear();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCoreApplication::processEvents();
    const struct mallinfo2 use = mallinfo2();
    return use.uordblks + use.hblkhd;
}

TEST_P(RandomWalk, BreaksNothing) {
    walk(GetParam(), cases(150, 10'000));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomWalk, ::testing::Values(1, 2));

/// On the engine's own thread.
class RandomEngineWalk : public RandomWalk {
protected:
    app::SessionPortFactory factory() override { return EngineWindow::factory(); }
};

TEST_P(RandomEngineWalk, BreaksNothing) {
    walk(GetParam(), cases(100, 10'000));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomEngineWalk, ::testing::Values(4));

} // namespace marquetry::test
