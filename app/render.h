// `explore`, `schedule` and `bank FILE … --render VIEW --out FILE` and `compare A B --render
// compare
// --out FILE`: the window's painters without a display.
//
// Views of designs, streams and memories: drawn_views.h; the ending of the file chooses the format
// (png, svg, …). Exit status as everywhere (cli.md, "Exit status"): 1 when there is no design to
// draw, 2 for wrong arguments. Thread rule: main thread; makes its own QApplication on the
// offscreen platform.
#pragma once

namespace marquetry::app {

/// True for one of those commands with --render among the arguments.
bool asksForPicture(int argc, const char* const* argv);

int runRender(int argc, char** argv);

} // namespace marquetry::app
