// Journals: whatever ends a window, the next one has its session; and a disk that is full stops
// nothing.
#include "app/offer_bar.h"
#include "app/session_keeper.h"
#include "pinning_window.h"
#include "tests/support/text_files.h"
#include "window_fixture.h"

#include <QDirIterator>
#include <QProcess>
#include <QProcessEnvironment>

#include <csignal>
#include <sys/resource.h>

namespace marquetry::test {

using session::Phase;

class Journals : public EngineWindow {
protected:
    QString journals() override { return folder.filePath(QStringLiteral("journals")); }

    QStringList files() {
        return QDir(journals()).entryList({QStringLiteral("*.mqs")}, QDir::Files);
    }

    app::OfferBar* offer() { return window->findChild<app::OfferBar*>(QStringLiteral("offer")); }

    void pin(const std::string& unit) {
        const std::size_t before = snapshot()->pins.size();
        window->post(session::AddPin{{0, design::PinKind::NeverShare, unit, "", true}});
        ASSERT_TRUE(until([&] { return snapshot()->pins.size() == before + 1; }));
    }

    /// Until the journal holds as many pins.
    bool holds(std::size_t pins) {
        return until([&] {
            for (const QString& name : files())
                if (const auto read =
                        session::readSession((journals() + u'/' + name).toStdString());
                    read && read->pins.size() == pins)
                    return true;
            return false;
        });
    }
};

/// Kills with -9 a window that is being worked in, once it has said `lines` times that all is kept,
/// pins among it. What it had kept last is the number of pins.
class KilledWindow {
public:
    KilledWindow(const QString& folder, int lines) {
        process_.setProgram(QCoreApplication::applicationFilePath());
        process_.setArguments({QLatin1String(kPinningFlag), folder});
        process_.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process_.start();
        waitFor([&] {
            read();
            return lines_ >= lines || process_.state() == QProcess::NotRunning;
        });
        EXPECT_EQ(process_.state(), QProcess::Running) << "it works until it is killed";
        process_.kill();
        process_.waitForFinished(kPatienceMs);
        read();
        EXPECT_EQ(process_.exitStatus(), QProcess::CrashExit);
    }

    std::size_t kept() const { return kept_; }

private:
    void read() {
        while (process_.canReadLine()) {
            kept_ = process_.readLine().trimmed().toULong();
            lines_ += kept_ > 0 ? 1 : 0;
        }
    }

    QProcess process_;
    int lines_ = 0;
    std::size_t kept_ = 0;
};

TEST_F(Journals, KilledWindowsAreRecoveredWithAllThatWasKept) {
    for (int lines = 1; lines <= 5; ++lines) {
        SCOPED_TRACE(lines);
        const KilledWindow killed(folder.path(), lines);
        ASSERT_GE(killed.kept(), 1U);
        ASSERT_EQ(files().size(), 1);
        makeWindow();
        EXPECT_TRUE(offer()->text().contains(QStringLiteral("running_example.mq")))
            << offer()->text().toStdString();
        clickButton("recoverSession");
        ASSERT_TRUE(reaches(Phase::Loaded));
        EXPECT_GE(snapshot()->pins.size(), killed.kept());
        for (std::size_t k = 0; k < snapshot()->pins.size(); ++k)
            EXPECT_EQ(snapshot()->pins[k].target, "unit " + std::to_string(k + 1));
        EXPECT_EQ(snapshot()->file, runningExample());
        // The program may be in sight before the answer is that tells the window what it is.
        EXPECT_TRUE(until([&] { return window->isWindowModified(); }))
            << "it is in no file of the user's";
        EXPECT_TRUE(holds(snapshot()->pins.size())) << "and is kept on";
        window->close();
        clickButton("discard");
        ASSERT_TRUE(until([&] { return files().isEmpty(); })) << "a clean end leaves nothing";
    }
}

TEST_F(Journals, TheProgramItselfIsRecoveredAfterAKill) {
    const QString data = folder.filePath(QStringLiteral("data"));
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("XDG_DATA_HOME"), data);
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), data);
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::ForwardedChannels);
    process.start(QString::fromStdString(program()),
                  {QStringLiteral("open"), QString::fromStdString(runningExample())});
    QString journal;
    ASSERT_TRUE(until([&] {
        QDirIterator all(data, {QStringLiteral("*.mqs")}, QDir::Files,
                         QDirIterator::Subdirectories);
        journal = all.hasNext() ? all.next() : QString();
        return !journal.isEmpty() || process.state() == QProcess::NotRunning;
    }));
    ASSERT_FALSE(journal.isEmpty()) << "it keeps what it shows";
    process.kill();
    process.waitForFinished(kPatienceMs);
    ASSERT_TRUE(QDir().rename(QFileInfo(journal).absolutePath(), journals()));
    makeWindow();
    clickButton("recoverSession");
    ASSERT_TRUE(reaches(Phase::Loaded));
    EXPECT_EQ(snapshot()->file, runningExample());
}

TEST_F(Journals, TakeThePlaceOfTheFileUntilItIsSaved) {
    openExample();
    pin("Mv 2×2");
    ASSERT_TRUE(holds(1));
    ASSERT_TRUE(window->keeper().save(folder.filePath(QStringLiteral("one.mqs"))));
    EXPECT_TRUE(files().isEmpty()) << "the file holds everything";
    pin("Mv 3×3");
    ASSERT_TRUE(holds(2));
    window.reset(); // not closed
    makeWindow();
    EXPECT_TRUE(offer()->text().contains(QStringLiteral("one.mqs")))
        << offer()->text().toStdString();
    clickButton("recoverSession");
    ASSERT_TRUE(until([&] { return snapshot()->pins.size() == 2; }));
    // The pins may be in sight before the answer is that tells the window what they are of.
    const auto title = [&] { return window->windowTitle().toStdString(); };
    EXPECT_TRUE(until([&] { return title() == "one.mqs[*] — Marquetry"; })) << title();
    EXPECT_TRUE(window->isWindowModified());
    trigger(app::Act::SaveSession);
    EXPECT_FALSE(window->isWindowModified());
    EXPECT_TRUE(files().isEmpty());
}

/// The window of before is gone, and another has written the file since.
TEST_F(Journals, AFileThatIsLaterThanTheJournalIsNotReplacedUnasked) {
    openExample();
    pin("Mv 2×2");
    ASSERT_TRUE(holds(1));
    const QString saved = folder.filePath(QStringLiteral("one.mqs"));
    ASSERT_TRUE(window->keeper().save(saved));
    pin("Mv 3×3");
    ASSERT_TRUE(holds(2));
    window.reset(); // not closed
    QFile file(saved);
    ASSERT_TRUE(file.open(QIODevice::ReadWrite));
    ASSERT_TRUE(file.setFileTime(QDateTime::currentDateTime().addSecs(9),
                                 QFileDevice::FileModificationTime));
    file.close();
    makeWindow();
    clickButton("recoverSession");
    ASSERT_TRUE(until([&] { return window->keeper().path() == saved; }));
    const Status refused = window->keeper().save(saved);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().front().code, "output-changed");
    EXPECT_TRUE(window->keeper().save(saved, true));
}

TEST_F(Journals, AreWrittenAgainWhenTheirFolderWasRemoved) {
    openExample();
    pin("Mv 2×2");
    ASSERT_TRUE(holds(1));
    ASSERT_TRUE(QDir(journals()).removeRecursively());
    pin("Mv 3×3");
    EXPECT_TRUE(holds(2));
}

TEST_F(Journals, LocksThatWereLeftAloneAreRemoved) {
    const KilledWindow killed(folder.path(), 1);
    for (const QString& name : files())
        ASSERT_TRUE(QFile::remove(journals() + u'/' + name));
    const auto locks = [this] {
        return QDir(journals()).entryList({QStringLiteral("*.lock")}, QDir::Files).size();
    };
    ASSERT_EQ(locks(), 1);
    makeWindow();
    EXPECT_EQ(locks(), 0);
}

TEST_F(Journals, OfAProgramThatCouldNeverBeReadAreNotKept) {
    bool kept = false;
    QObject::connect(window->findChild<app::SessionKeeper*>(), &app::SessionKeeper::kept,
                     [&] { kept = !snapshot()->diagnostics.empty(); });
    window->openFile(folder.filePath(QStringLiteral("--help")));
    ASSERT_TRUE(until([&] { return kept; }));
    EXPECT_TRUE(files().isEmpty());
    makeWindow();
    EXPECT_EQ(offer()->text().toStdString(), "") << "there is nothing to recover";
    openExample();
    EXPECT_TRUE(holds(0)) << "a program that was read is kept";
}

TEST_F(Journals, OfAnotherWindowAreNotOffered) {
    openExample();
    pin("Mv 2×2");
    ASSERT_TRUE(holds(1));
    const auto other = std::move(window); // it lives on
    makeWindow();
    EXPECT_EQ(offer()->text().toStdString(), "");
    EXPECT_FALSE(window->windowActions()[app::Act::Recover]->isEnabled());
    EXPECT_EQ(files().size(), 1);
}

TEST_F(Journals, AreOfferedAgainUntilTheyAreDiscarded) {
    openExample();
    pin("Mv 2×2");
    ASSERT_TRUE(holds(1));
    makeWindow();
    clickButton("recoverLater");
    EXPECT_EQ(offer()->text().toStdString(), "");
    trigger(app::Act::Recover);
    EXPECT_FALSE(offer()->text().isEmpty());
    makeWindow();
    clickButton("recoverNever");
    EXPECT_EQ(offer()->text().toStdString(), "");
    EXPECT_TRUE(files().isEmpty());
    EXPECT_FALSE(window->windowActions()[app::Act::Recover]->isEnabled());
}

TEST_F(Journals, ThatAreNoSessionsAreToldAndKept) {
    ASSERT_TRUE(QDir().mkpath(journals()));
    ASSERT_TRUE(writeText((journals() + QStringLiteral("/bad.mqs")).toStdString(), "{\"a\""));
    makeWindow();
    clickButton("recoverSession");
    EXPECT_TRUE(window->notice().contains(QStringLiteral("bad.mqs:1:")))
        << window->notice().toStdString();
    EXPECT_FALSE(offer()->text().isEmpty());
    EXPECT_EQ(files().size(), 1);
}

/// No file may grow, as on a disk that is full.
class FullDisk {
public:
    FullDisk() {
        before_ = std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &limit_);
        rlimit none = limit_;
        none.rlim_cur = 16;
        setrlimit(RLIMIT_FSIZE, &none);
    }
    ~FullDisk() {
        setrlimit(RLIMIT_FSIZE, &limit_);
        std::signal(SIGXFSZ, before_);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    rlimit limit_{};
    void (*before_)(int) = nullptr;
};

TEST_F(Journals, AFullDiskIsToldAndWorkGoesOn) {
    openExample();
    pin("Mv 2×2");
    ASSERT_TRUE(holds(1));
    bool told = false;
    {
        const FullDisk full;
        pin("Mv 3×3");
        told =
            until([&] { return window->notice().contains(QStringLiteral("cannot be kept safe")); });
    }
    EXPECT_TRUE(told) << window->notice().toStdString();
    EXPECT_EQ(snapshot()->pins.size(), 2U);
    EXPECT_EQ(files().size(), 1) << "the state of before is whole";
    EXPECT_TRUE(holds(2)) << "there is room again";
}

} // namespace marquetry::test
