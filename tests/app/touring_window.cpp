#include "touring_window.h"

#include "app/application.h"
#include "app/main_window.h"
#include "app/session_keeper.h"
#include "fake_session.h"
#include "widgets/theme/theme.h"

#include <QCryptographicHash>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <optional>
#include <vector>

namespace marquetry::test {

namespace {

/// The journal's timer, which may be a twentieth late, has gone off by then.
constexpr int kDueMs = app::SessionKeeper::kJournalMs + app::SessionKeeper::kJournalMs / 8;
static_assert(kDueMs <= 1000);

class Tour {
public:
    explicit Tour(const QString& folder)
        : folder_(folder),
          window_({&app::makeEnginePort, folder + QStringLiteral("/tour.ini"), QString(),
                   folder + QStringLiteral("/journals")}) {
        window_.show();
        QObject::connect(&window_.bridge(), &app::SessionBridge::acknowledged, &window_,
                         [this](const session::Acknowledgement& acknowledgement) {
                             if (acknowledgement.ticket == ticket_)
                                 epoch_ = acknowledgement.epoch;
                         });
        // After the window, which has begun to keep it then.
        QObject::connect(&window_.bridge(), &app::SessionBridge::snapshotChanged, &window_,
                         [this] { tell(); });
        QObject::connect(&look_, &QTimer::timeout, &window_, [this] { look(); });
        begin();
        look_.start(1);
    }

private:
    using Action = std::function<std::optional<session::Command>()>;

    const session::Snapshot& shown() { return *window_.bridge().snapshot(); }
    void tell();
    void begin();
    void look();
    std::optional<session::Command> pinOf(std::size_t candidate, design::PinKind kind);
    std::optional<session::Command> limitTo(double dsp);
    std::optional<session::Command> otherPoint();
    std::vector<Action> actions();

    QString folder_;
    app::MainWindow window_;
    QTimer look_;
    std::vector<Action> actions_ = actions();
    std::size_t at_ = 0;
    session::Ticket ticket_ = 0;
    std::optional<std::uint64_t> epoch_; ///< of the answer to what was asked
    std::string state_;
    int count_ = 0; ///< of states that were told
};

void Tour::tell() {
    const std::string state = stateOf(session::sessionOf(shown()));
    if (shown().file.empty() || state == state_)
        return;
    state_ = state;
    std::printf("is %d %s\n", count_, state.c_str());
    std::fflush(stdout);
    QTimer::singleShot(kDueMs, Qt::PreciseTimer, &window_, [count = count_] {
        std::printf("due %d\n", count);
        std::fflush(stdout);
    });
    ++count_;
}

void Tour::begin() {
    window_.openFile(QString::fromStdString(runningExample()));
    session::Settings settings;
    settings.maxIterations = 4;
    ticket_ = window_.post(session::ChangeSettings{settings});
}

/// Once what was asked for is done, the next.
void Tour::look() {
    if (!epoch_ || shown().epoch < *epoch_ || app::isRunning(shown().phase))
        return;
    const auto command = actions_[at_++ % actions_.size()]();
    if (!command)
        return;
    epoch_.reset();
    ticket_ = window_.post(*command);
}

std::optional<session::Command> Tour::pinOf(std::size_t candidate, design::PinKind kind) {
    if (!shown().design || shown().design->candidates.size() <= candidate)
        return std::nullopt;
    return session::AddPin{{0, kind, shown().design->candidates[candidate].name, "", true}};
}

std::optional<session::Command> Tour::limitTo(double dsp) {
    session::Settings settings = shown().settings;
    settings.limits["dsp"] = dsp;
    return session::ChangeSettings{settings};
}

std::optional<session::Command> Tour::otherPoint() {
    const auto other = std::ranges::find_if(shown().points, [&](const design::DesignPoint& point) {
        return point.feasible && shown().design && point.cycles != shown().design->cycles;
    });
    if (other == shown().points.end())
        return std::nullopt;
    return session::ChoosePoint{*other};
}

std::vector<Tour::Action> Tour::actions() {
    const auto send = [](session::Command command) {
        return [command]() -> std::optional<session::Command> { return command; };
    };
    const auto save = [this]() -> std::optional<session::Command> {
        (void)window_.keeper().save(folder_ + QStringLiteral("/tour.mqs"), true);
        return std::nullopt;
    };
    const auto removeFirst = [this]() -> std::optional<session::Command> {
        if (shown().pins.empty())
            return std::nullopt;
        return session::RemovePin{shown().pins.front().id};
    };
    return {send(session::Run{}),
            [this] { return pinOf(0, design::PinKind::NeverShare); },
            [this] { return otherPoint(); },
            [this] { return limitTo(100 + static_cast<double>(at_)); },
            send(session::Undo{}),
            send(session::Redo{}),
            send(session::SwitchRules{"padding", false}),
            [this] { return otherPoint(); },
            save,
            removeFirst,
            [this] { return pinOf(0, design::PinKind::Share); },
            send(session::Undo{}),
            send(session::SwitchRules{"padding", true}),
            [this] { return otherPoint(); }};
}

} // namespace

std::string stateOf(session::SessionFile session) {
    session.window.clear();
    session.savedAs.clear();
    session.memory.clear();
    session.stream.clear();
    session.searched = false;
    const QByteArray bytes = QByteArray::fromStdString(printSession(session));
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex().toStdString();
}

int runTouringWindow(const char* folder) {
    int one = 1;
    char name[] = "touring";
    char* arguments[] = {name, nullptr};
    app::Application application(one, arguments);
    widgets::loadFonts();
    const Tour tour(QString::fromLocal8Bit(folder));
    return QApplication::exec();
}

} // namespace marquetry::test
