// Who draws the pictures of a report: the command line knows no Qt.
// Thread rule: main thread.
#pragma once

#include "engine/artefact/report_page.h"
#include "engine/session/snapshot.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace marquetry::cli {

/// Of the hardware at hand in the snapshot, or of the memory of that name. Empty: nobody draws.
using ReportPainter = std::function<std::vector<hdl::ReportPicture>(
    const std::shared_ptr<const session::Snapshot>& snapshot, const std::string& memory)>;

} // namespace marquetry::cli
