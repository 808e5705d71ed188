// What a view of an item shows, worked out by a session: the best design of a design item, the
// circuit of a stream, the banks of a memory, and of these what the view needs besides.
//
// Errors: those of the session's commands and of its work; no-design with the reasons is left to
// the caller, who sees a snapshot without one. Thread rule: main thread, with a QApplication.
#pragma once

#include "app/driven_session.h"
#include "engine/frontend/parser.h"
#include "engine/session/schedule_stream.h"

#include <optional>
#include <string>
#include <vector>

namespace marquetry::app {

struct DrawnItem {
    frontend::ItemKind kind = frontend::ItemKind::Design;
    std::string file; ///< of the program
    std::string item; ///< its name
    session::Settings settings;
    std::vector<design::Pin> pins;           ///< of a design
    std::optional<session::StreamPace> pace; ///< of a stream
    std::string outputType;                  ///< of a stream, pinned; empty: any
    banking::SchemePins banks;               ///< of a memory
    std::string view;                        ///< as --render names it
    std::string subject;                     ///< of the view
};

/// Opens the file, and does the work.
Status workOut(DrivenSession& session, const DrawnItem& item);

/// The whole window with the item at hand; in front the view that is its subject, or the one that
/// the window chooses. Nothing is drawn where the snapshot has no design for a design item.
Result<SnapshotPtr> drawWindow(const DrawnItem& item, const QString& out);

} // namespace marquetry::app
