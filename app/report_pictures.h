// Pictures of the views for the report of an export, each in a view of its own that nobody sees.
// Thread rule: main thread, with a QApplication.
#pragma once

#include "app/cli/report_painter.h"

namespace marquetry::app {

/// Those of the hardware at hand in the snapshot, or of the stream or memory of that name.
std::vector<hdl::ReportPicture>
reportPictures(const std::shared_ptr<const session::Snapshot>& snapshot, const std::string& item);

/// The same for the command line: begins with making an application that needs no display.
std::vector<hdl::ReportPicture>
reportPicturesOffscreen(const std::shared_ptr<const session::Snapshot>& snapshot,
                        const std::string& item);

} // namespace marquetry::app
