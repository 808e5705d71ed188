// The command line: one sub-command per file, all on the same library as the window.
//
// Text for people goes to standard output, or one JSON object with --json; diagnostics go to
// standard error. Exit status: 0 done; 1 the answer is "no"; 2 the input or the arguments are
// wrong; 3 an internal error. Knows no Qt and needs no display.
// Thread rule: call from the main thread, once.
#pragma once

#include "app/cli/report_painter.h"

namespace marquetry::cli {

enum ExitStatus : int { kDone = 0, kAnswerIsNo = 1, kInputError = 2, kInternalError = 3 };

/// True when the arguments ask for the window: none at all, `open`, or a file to open.
bool asksForWindow(int argc, const char* const* argv);

/// `painter`: of the pictures of reports.
int runCli(int argc, char** argv, const ReportPainter& painter = {});

} // namespace marquetry::cli
