// What `--render` can draw: each view of the window by its name, from a snapshot, in a widget of
// its own that nobody sees; and the whole window (drawn_window.h).
//
// The ending of the file's name says what is written: .png, .svg, .txt, and more where the view
// exports more. Texts of views that have no mark of their own begin with "Marquetry, VIEW:".
// Errors: view-unknown, view-kind, view-subject, picture-form, and those of files::write.
// Thread rule: main thread, with a QApplication.
#pragma once

#include "engine/frontend/parser.h"
#include "engine/session/snapshot.h"

#include <QString>

#include <memory>
#include <string>
#include <string_view>

class QWidget;

namespace marquetry::app {

struct Drawn {
    std::shared_ptr<const session::Snapshot> snapshot;
    std::string subject; ///< of the view: a unit, a file, …; empty: what it shows by itself
    QString out;
};

using DrawView = Status (*)(const Drawn& drawn);

struct DrawnView {
    std::string_view name;
    bool ofDesigns;
    bool ofStreams;
    bool ofMemories;
    /// Needs what a session works out when it is asked for: Verilog, proofs, banks, a log.
    bool ofSession;
    DrawView draw; ///< null: the whole window

    bool of(frontend::ItemKind kind) const;
};

/// `view` drawn of an item of that kind.
Result<const DrawnView*> drawnView(const std::string& view, frontend::ItemKind kind);
/// "egraph, sharing, …": those of the kind.
std::string drawnViews(frontend::ItemKind kind);

/// A widget as it is on a screen, .png or .svg.
Status savePictureOf(QWidget& widget, const char* name, const QString& out);

/// Whether a text or table was written by one of them.
bool isTextOfView(std::string_view bytes);

} // namespace marquetry::app
