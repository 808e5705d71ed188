#include "app/window_actions.h"

#include "app/export_item.h"
#include "app/session_bridge.h"

#include <QAction>
#include <QActionGroup>
#include <QWidget>

#include <array>

namespace marquetry::app {

namespace {

struct ActionSpec {
    Act act;
    const char* name; ///< object name: tests and saved settings rely on it
    const char* text;
    const char* shortcut;
    const char* tip;
    std::optional<Icon> icon;
    bool checkable;
};

const std::array kSpecs{
    ActionSpec{Act::Open, "open", QT_TR_NOOP("&Open…"), "Ctrl+O",
               QT_TR_NOOP("Open a program (.mq), a network (.onnx), a design (.json) or a session "
                          "(.mqs)"),
               Icon::Open, false},
    ActionSpec{Act::Gallery, "gallery", QT_TR_NOOP("Open E&xample…"), "Ctrl+Shift+O",
               QT_TR_NOOP("Choose one of the shipped examples"), Icon::Gallery, false},
    ActionSpec{Act::Reload,
               "reload",
               QT_TR_NOOP("Re&load"),
               "Ctrl+L",
               QT_TR_NOOP("Read the program's file again"),
               {},
               false},
    ActionSpec{Act::SaveSession,
               "saveSession",
               QT_TR_NOOP("&Save Session"),
               "Ctrl+S",
               QT_TR_NOOP("Write the program, settings, pins and choices to the session file"),
               {},
               false},
    ActionSpec{Act::SaveSessionAs,
               "saveSessionAs",
               QT_TR_NOOP("Save Session &As…"),
               "Ctrl+Shift+S",
               QT_TR_NOOP("Write the program, settings, pins and choices to a new session file"),
               {},
               false},
    ActionSpec{Act::Recover,
               "recover",
               QT_TR_NOOP("Re&cover Session…"),
               "",
               QT_TR_NOOP("Bring back a session that ended without being saved"),
               {},
               false},
    ActionSpec{Act::Export, "export", QT_TR_NOOP("&Export…"), "Ctrl+E",
               QT_TR_NOOP("Write the hardware as a project for a tool, with a testbench"),
               Icon::Export, false},
    ActionSpec{
        Act::Quit, "quit", QT_TR_NOOP("&Quit"), "Ctrl+Q", QT_TR_NOOP("Leave Marquetry"), {}, false},
    ActionSpec{Act::Undo, "undo", QT_TR_NOOP("&Undo"), "Ctrl+Z",
               QT_TR_NOOP("Take the last change of pins, settings, banks or streams, or the last "
                          "choice of a design, back"),
               Icon::Undo, false},
    ActionSpec{Act::Redo, "redo", QT_TR_NOOP("&Redo"), "Ctrl+Shift+Z",
               QT_TR_NOOP("Make the undone change again"), Icon::Redo, false},
    ActionSpec{Act::FindInHdl,
               "findInHdl",
               QT_TR_NOOP("&Find in HDL"),
               "Ctrl+F",
               QT_TR_NOOP("Find text in the generated file"),
               {},
               false},
    ActionSpec{Act::CopyCommand,
               "copyCommand",
               QT_TR_NOOP("Copy the &Command That Reproduces This"),
               "Ctrl+Shift+C",
               QT_TR_NOOP("Copy the command line that finds again what the view shows"),
               {},
               false},
    ActionSpec{Act::ContextMenu,
               "contextMenu",
               QT_TR_NOOP("&Menu of the View"),
               "Shift+F10",
               QT_TR_NOOP("Open the menu of what has the focus, as the menu key does"),
               {},
               false},
    ActionSpec{Act::Settings, "settings", QT_TR_NOOP("E&xploration Settings…"), "Ctrl+,",
               QT_TR_NOOP("Device, limits, cost model, rule groups, seed and stops"),
               Icon::Settings, false},
    ActionSpec{Act::Run, "run", QT_TR_NOOP("&Run"), "F5",
               QT_TR_NOOP("Grow the e-graph and extract the best design"), Icon::Run, false},
    ActionSpec{Act::Pause, "pause", QT_TR_NOOP("&Pause"), "F6",
               QT_TR_NOOP("Pause the search; everything found stays"), Icon::Pause, false},
    ActionSpec{Act::Step, "step", QT_TR_NOOP("&Step"), "F10",
               QT_TR_NOOP("One iteration of saturation, then pause"), Icon::Step, false},
    ActionSpec{Act::Stop, "stop", QT_TR_NOOP("S&top"), "Shift+F5",
               QT_TR_NOOP("End the search here and extract from what is found"), Icon::Stop, false},
    ActionSpec{Act::Verify, "verify", QT_TR_NOOP("&Verify"), "F9",
               QT_TR_NOOP("Simulate the Verilog and compare it bit for bit with the program"),
               Icon::Verify, false},
    ActionSpec{Act::VerifyVerilator,
               "verifyVerilator",
               QT_TR_NOOP("Simulate with Ver&ilator"),
               "",
               QT_TR_NOOP("Use Verilator for verification"),
               {},
               true},
    ActionSpec{Act::VerifyIcarus,
               "verifyIcarus",
               QT_TR_NOOP("Simulate with I&carus Verilog"),
               "",
               QT_TR_NOOP("Use Icarus Verilog for verification"),
               {},
               true},
    ActionSpec{Act::Explore,
               "perspectiveExplore",
               QT_TR_NOOP("&Explore"),
               "Ctrl+1",
               QT_TR_NOOP("Arrange the window for watching the search"),
               {},
               true},
    ActionSpec{Act::Inspect,
               "perspectiveInspect",
               QT_TR_NOOP("&Inspect"),
               "Ctrl+2",
               QT_TR_NOOP("Arrange the window for asking why"),
               {},
               true},
    ActionSpec{Act::ExportView,
               "perspectiveExport",
               QT_TR_NOOP("E&xport"),
               "Ctrl+3",
               QT_TR_NOOP("Arrange the window for reading and verifying the HDL"),
               {},
               true},
    ActionSpec{Act::ResetLayout,
               "resetLayout",
               QT_TR_NOOP("&Reset Layout"),
               "Ctrl+0",
               QT_TR_NOOP("Put the docks of this perspective back where they were"),
               {},
               false},
    ActionSpec{Act::Dark,
               "dark",
               QT_TR_NOOP("&Dark Colours"),
               "Ctrl+Shift+D",
               QT_TR_NOOP("Switch between light and dark"),
               {},
               true},
    ActionSpec{Act::Palette,
               "commandPalette",
               QT_TR_NOOP("&Commands…"),
               "Ctrl+Shift+P",
               QT_TR_NOOP("Find a command by its name, and do it"),
               {},
               false},
    ActionSpec{Act::Shortcuts,
               "shortcuts",
               QT_TR_NOOP("&Keyboard Shortcuts"),
               "F1",
               QT_TR_NOOP("List every shortcut"),
               {},
               false},
    ActionSpec{Act::About,
               "about",
               QT_TR_NOOP("&About Marquetry"),
               "",
               QT_TR_NOOP("Version and licence"),
               {},
               false},
};

} // namespace

WindowActions::WindowActions(QWidget* window) : QObject(window), window_(window) {
    for (const ActionSpec& spec : kSpecs) {
        auto* action = new QAction(tr(spec.text), window);
        action->setObjectName(QLatin1String(spec.name));
        action->setShortcut(QKeySequence(QLatin1String(spec.shortcut)));
        action->setStatusTip(tr(spec.tip));
        action->setCheckable(spec.checkable);
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        action->setToolTip(keys.isEmpty() ? tr(spec.tip) : tr("%1 (%2)").arg(tr(spec.tip), keys));
        if (spec.icon)
            icons_[spec.act] = *spec.icon;
        actions_[spec.act] = action;
        window->addAction(action);
    }
    for (const auto& group : {std::vector{Act::Explore, Act::Inspect, Act::ExportView},
                              std::vector{Act::VerifyVerilator, Act::VerifyIcarus}}) {
        auto* exclusive = new QActionGroup(this);
        for (const Act act : group)
            exclusive->addAction(actions_[act]);
        actions_[group.front()]->setChecked(true);
    }
    updateIcons();
}

QList<QAction*> WindowActions::all() const {
    QList<QAction*> list;
    for (const auto& [act, action] : actions_)
        list.append(action);
    return list;
}

void WindowActions::updateIcons() {
    for (const auto& [act, icon] : icons_)
        actions_[act]->setIcon(drawnIcon(icon, window_->palette()));
}

void WindowActions::updateEnabled(const session::Snapshot& s, bool searchAsked) {
    using session::Phase;
    const bool program = s.program != nullptr;
    const bool searching =
        searchAsked || s.phase == Phase::Saturating || s.phase == Phase::Extracting;
    const bool planning = s.phase == Phase::Planning;
    const bool outside =
        s.phase == Phase::Exporting || s.phase == Phase::Verifying || s.phase == Phase::Measuring;
    const bool opening = s.phase == Phase::Opening;
    const bool over = s.outcome == egraph::StopReason::Saturated;
    const bool done = s.phase == Phase::Ready || s.phase == Phase::Writing;
    const bool mayRun = program && !searching && !outside;
    actions_[Act::Run]->setEnabled(mayRun && !(over && done));
    actions_[Act::Step]->setEnabled(mayRun && !over);
    actions_[Act::Pause]->setEnabled(searching || planning);
    actions_[Act::Stop]->setEnabled(searching || planning || outside || opening ||
                                    s.phase == Phase::Paused);
    actions_[Act::Reload]->setEnabled(!s.file.empty());
    actions_[Act::SaveSession]->setEnabled(!s.file.empty());
    actions_[Act::SaveSessionAs]->setEnabled(!s.file.empty());
    actions_[Act::Undo]->setEnabled(s.canUndo);
    actions_[Act::Redo]->setEnabled(s.canRedo);
    actions_[Act::Export]->setEnabled(hasExportItems(s) && !outside);
    actions_[Act::Verify]->setEnabled(hasHardware(s) && !outside);
    actions_[Act::FindInHdl]->setEnabled(s.hdl != nullptr);
    actions_[Act::CopyCommand]->setEnabled(!s.file.empty());
    actions_[Act::Settings]->setEnabled(!outside);
}

void WindowActions::setRecoverable(bool recoverable) {
    actions_[Act::Recover]->setEnabled(recoverable);
}

} // namespace marquetry::app
