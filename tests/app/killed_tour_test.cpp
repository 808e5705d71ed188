// A tour of everything that a session holds, killed at moments that no two runs share: what comes
// back is one of its last states, and none is lost that is older than one interval of the journal.
#include "app/offer_bar.h"
#include "app/session_keeper.h"
#include "tests/support/cases.h"
#include "touring_window.h"
#include "window_fixture.h"

#include <QProcess>

#include <map>
#include <random>

namespace marquetry::test {

using session::Phase;

namespace {

/// What the process said until it was killed with -9.
class KilledTour {
public:
    /// After so many lines, and so many milliseconds more.
    KilledTour(const QString& folder, int lines, int milliseconds) {
        process_.setProgram(QCoreApplication::applicationFilePath());
        process_.setArguments({QLatin1String(kTourFlag), folder});
        process_.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process_.start();
        waitFor([&] {
            read();
            return lines_ >= lines || process_.state() == QProcess::NotRunning;
        });
        passTimersOf(milliseconds);
        EXPECT_EQ(process_.state(), QProcess::Running) << "it goes on until it is killed";
        process_.kill();
        process_.waitForFinished(kPatienceMs);
        read();
        EXPECT_EQ(process_.exitStatus(), QProcess::CrashExit);
    }

    /// The last state that must not be lost; −1: none.
    int due() const { return due_; }
    /// The last time that there was this state; −1: never.
    int lastTimeOf(const std::string& state) const {
        const auto at = states_.find(state);
        return at == states_.end() ? -1 : at->second;
    }

private:
    void read() {
        while (process_.canReadLine()) {
            const QList<QByteArray> words = process_.readLine().trimmed().split(' ');
            const int number = words.value(1).toInt();
            ++lines_;
            if (words[0] == "due")
                due_ = number;
            if (words[0] == "is")
                states_[words.value(2).toStdString()] = number;
        }
    }

    QProcess process_;
    std::map<std::string, int> states_;
    int lines_ = 0;
    int due_ = -1;
};

} // namespace

class KilledTours : public EngineWindow {
protected:
    QString journals() override { return folder.filePath(QStringLiteral("journals")); }

    /// As a user brings it back: from the offer, or where all was saved from the file.
    void bringBack() {
        makeWindow();
        if (!window->findChild<app::OfferBar*>(QStringLiteral("offer"))->text().isEmpty())
            clickButton("recoverSession");
        else
            window->openFile(folder.filePath(QStringLiteral("tour.mqs")));
        ASSERT_TRUE(until([&] {
            return snapshot()->file == runningExample() && !app::isRunning(snapshot()->phase) &&
                   !window->keeper().path().isNull();
        })) << window->notice().toStdString();
    }

    void leave() {
        window->close();
        if (window->isVisible())
            clickButton("discard");
        ASSERT_TRUE(until([&] { return !window->isVisible(); }));
        QFile::remove(folder.filePath(QStringLiteral("tour.mqs")));
    }
};

TEST_F(KilledTours, LoseNothingOlderThanAnIntervalOfTheJournal) {
    const int kills = cases(3, 50);
    std::mt19937 random(std::random_device{}());
    for (int kill = 0; kill < kills; ++kill) {
        const int lines = std::uniform_int_distribution(3, 60)(random);
        const int more = std::uniform_int_distribution(0, app::SessionKeeper::kJournalMs)(random);
        SCOPED_TRACE(std::to_string(lines) + " lines and " + std::to_string(more) + " ms");
        const KilledTour tour(folder.path(), lines, more);
        bringBack();
        const int back = tour.lastTimeOf(stateOf(session::sessionOf(*snapshot())));
        EXPECT_GE(back, 0) << "there never was such a state";
        EXPECT_GE(back, tour.due()) << "what is back is older than what was due";
        leave();
    }
}

} // namespace marquetry::test
