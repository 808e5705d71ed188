#include "app/drawn_item.h"

#include "app/drawn_views.h"
#include "app/main_window.h"
#include "engine/session/next_change.h"
#include "engine/session/stream_rates.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>

namespace marquetry::app {

namespace {

using frontend::ItemKind;
using session::Phase;
using session::Snapshot;

bool atRest(const Snapshot& snapshot) {
    return snapshot.phase == Phase::Ready || snapshot.phase == Phase::Writing;
}

Status open(DrivenSession& session, const DrawnItem& item) {
    if (const Status opened = session.done(session::OpenFile{item.file, item.item}); !opened)
        return opened;
    const auto read = session.until([](const Snapshot& snapshot) {
        return snapshot.phase != Phase::Empty && snapshot.phase != Phase::Opening;
    });
    if (!read)
        return read.error();
    if ((*read)->settings == item.settings)
        return ok();
    return session.done(session::ChangeSettings{item.settings});
}

Status search(DrivenSession& session, const DrawnItem& item) {
    for (const design::Pin& pin : item.pins) {
        if (const Status added = session.done(session::AddPin{pin}); !added)
            return added;
        const int id = session.snapshot()->pins.back().id;
        if (const Status off = pin.enabled ? ok() : session.done(session::EnablePin{id, false});
            !off)
            return off;
    }
    if (const Status running = session.done(session::Run{}); !running)
        return running;
    const auto found = session.until(
        [](const Snapshot& snapshot) { return atRest(snapshot) && snapshot.outcome; });
    return found ? ok() : Status(found.error());
}

Status schedule(DrivenSession& session, const DrawnItem& item) {
    if (const Status shown = session.done(session::ShowStream{item.item}); !shown)
        return shown;
    const auto stream = [&](const Snapshot& snapshot) -> const session::StreamItem& {
        return snapshot.streams[snapshot.stream];
    };
    if (item.pace) {
        const auto* clocks = std::get_if<std::int64_t>(&*item.pace);
        const spacetime::Throughput throughput =
            clocks ? session::rateOf(*stream(*session.snapshot()).program, *clocks).throughput
                   : std::get<spacetime::Throughput>(*item.pace);
        if (const Status set = session.done(session::SetThroughput{item.item, throughput}); !set)
            return set;
    }
    if (!item.outputType.empty()) {
        const SnapshotPtr now = session.snapshot();
        const std::int64_t clocks = stream(*now).rates[stream(*now).rate].clocks;
        if (const Status pinned =
                session.done(session::PinOutputType{item.item, clocks, item.outputType});
            !pinned)
            return pinned;
    }
    const bool all = item.view == "window"; // has the plot of all throughputs
    const auto found = session.until([&](const Snapshot& snapshot) {
        const session::StreamItem& at = stream(snapshot);
        const bool there = at.schedule && at.operators && !at.scheduling && !(all && at.sweeping) &&
                           (item.view != "egraph" || at.states);
        return there || !at.failure.empty();
    });
    if (!found)
        return found.error();
    const Diagnostics& failure = stream(**found).failure;
    return failure.empty() ? ok() : Status(failure);
}

/// `name` empty: the memory at hand.
Status bank(DrivenSession& session, const std::string& name, const banking::SchemePins& pins) {
    const SnapshotPtr before = session.snapshot();
    const std::string wanted = name.empty() ? before->memories[before->memory].program->name : name;
    if (const Status shown = session.done(session::ShowMemory{wanted}); !shown)
        return shown;
    if (pins != banking::SchemePins())
        if (const Status pinned = session.done(session::PinBanks{wanted, pins}); !pinned)
            return pinned;
    const auto memory = [](const Snapshot& snapshot) -> const session::MemoryItem& {
        return snapshot.memories[snapshot.memory];
    };
    const auto found = session.until([&](const Snapshot& snapshot) {
        return memory(snapshot).ready() || !memory(snapshot).failure.empty();
    });
    if (!found)
        return found.error();
    const Diagnostics& failure = memory(**found).failure;
    return failure.empty() ? ok() : Status(failure);
}

/// The buffers of a design or a circuit.
Status bankBuffers(DrivenSession& session, const DrawnItem& item) {
    if (session.snapshot()->memories.empty())
        return makeError("no-array", "there is no buffer whose banks could be shown",
                         "other views: " + drawnViews(item.kind));
    return bank(session, item.subject, {});
}

/// The session writes it by itself; where it cannot, a listing of an export says why.
Status writeHdl(DrivenSession& session) {
    if (const Status listed = session.done(session::ListExport{hdl::ExportForm()}); !listed)
        return listed;
    const auto written = session.until([](const Snapshot& snapshot) {
        return snapshot.hdl || (snapshot.listing && !snapshot.listing->problem.empty());
    });
    if (!written)
        return written.error();
    return (*written)->hdl ? ok() : Status((*written)->listing->problem);
}

/// Of the layer that the Inspector shows first.
Status prove(DrivenSession& session, const std::string& subject) {
    const std::shared_ptr<const design::Design> held = session.snapshot()->design;
    const design::Design& design = *held;
    const auto call = std::ranges::find_if(design.calls, [&](const design::DesignCall& each) {
        return subject.empty() || each.layer == subject || design.unit(each.unit).name == subject;
    });
    if (call == design.calls.end())
        return ok(); // a rule, or what there is not
    const std::string layer = call->layer;
    if (const Status asked = session.done(session::AskProof{layer}); !asked)
        return asked;
    const auto proved =
        session.until([&](const Snapshot& snapshot) { return snapshot.proofs.contains(layer); });
    return proved ? ok() : Status(proved.error());
}

Status workOutKind(DrivenSession& session, const DrawnItem& item) {
    if (item.kind == ItemKind::Stream)
        return schedule(session, item);
    if (item.kind == ItemKind::Memory)
        return bank(session, item.item, item.banks);
    return search(session, item);
}

constexpr QSize kWindow(1600, 1000);
constexpr int kChangesMs = 60'000;
constexpr int kApartMs = 300;
constexpr int kMostLooks = 100;

void pass(int milliseconds) {
    QEventLoop loop;
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
}

/// Until two looks at it, a while apart, are equal.
void settle(MainWindow& window) {
    QElapsedTimer since;
    since.start();
    const auto changing = [&] {
        const SnapshotPtr snapshot = window.bridge().snapshot();
        return snapshot->changes && !snapshot->changes->complete();
    };
    QImage before;
    for (int look = 0; look < kMostLooks || (changing() && since.elapsed() < kChangesMs); ++look) {
        if (QWidget* const focus = QApplication::focusWidget())
            focus->clearFocus(); // its cursor blinks
        pass(kApartMs);
        QImage now = window.grab().toImage();
        if (now == before && !(changing() && since.elapsed() < kChangesMs))
            return;
        before = std::move(now);
    }
}

/// "E-graph" is egraph.
std::string nameOfTab(const QString& title) {
    QString name = title.toLower();
    return name.remove(u'-').toStdString();
}

Status bringToFront(QTabWidget& tabs, const std::string& view) {
    std::string all;
    for (int tab = 0; tab < tabs.count(); ++tab) {
        const std::string name = nameOfTab(tabs.tabText(tab));
        if (name == view) {
            tabs.setCurrentIndex(tab);
            return ok();
        }
        all += (all.empty() ? "" : ", ") + name;
    }
    return makeError("view-subject", "the window has no view '" + view + "' to bring to the front",
                     "it has: " + all);
}

} // namespace

Status workOut(DrivenSession& session, const DrawnItem& item) {
    if (const Status opened = open(session, item); !opened)
        return opened;
    if (const Status worked = workOutKind(session, item); !worked)
        return worked;
    const SnapshotPtr found = session.snapshot();
    if (item.kind == ItemKind::Design && !found->design)
        return ok();
    if (item.view == "memories" && item.kind != ItemKind::Memory)
        return bankBuffers(session, item);
    if (item.view == "hdl")
        return writeHdl(session);
    if (item.view == "inspector")
        return prove(session, item.subject);
    // The views that say what goes on say that it is over.
    const auto rest =
        session.until([](const Snapshot& snapshot) { return !isRunning(snapshot.phase); });
    return rest ? ok() : Status(rest.error());
}

Result<SnapshotPtr> drawWindow(const DrawnItem& item, const QString& out) {
    const QTemporaryDir folder;
    WindowParams params;
    params.port = &makeEnginePort;
    params.settingsFile = folder.filePath(QStringLiteral("settings.ini"));
    MainWindow window(params);
    window.resize(kWindow);
    window.show();
    if (const Status front =
            item.subject.empty() ? ok() : bringToFront(*window.tabs(), item.subject);
        !front)
        return front.error();
    DrivenSession session(window.bridge(),
                          [&](const session::Command& command) { return window.post(command); });
    if (const Status worked = workOut(session, item); !worked)
        return worked.error();
    if (item.kind == ItemKind::Design && !session.snapshot()->design)
        return session.snapshot();
    if (!item.subject.empty())
        (void)bringToFront(*window.tabs(), item.subject);
    settle(window);
    if (const Status saved = savePictureOf(window, "window", out); !saved)
        return saved.error();
    return session.snapshot();
}

} // namespace marquetry::app
