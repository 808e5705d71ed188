// A sweep: one item of a program, many settings, and the folder in which the results of its points
// gather.
//
// The folder holds `sweep.json` (the program's file and hash, the settings of each point),
// `points/KEY.json` for each point that has a result, and the table `sweep.csv`. A point's key is a
// hash of all that its result depends on: the version of the program that explores, the design with
// its weights or the stream, the settings, and what a file of a device holds. So a result is never
// taken for that of something else, and a sweep over more points of the same folder computes the
// new ones alone. Files are written whole or not at all (engine/support/files.h); whoever is killed
// leaves results that hold. The table has the points that have a result, in the order of the grid:
// when all have, its bytes do not depend on how often the sweep was broken off, unless a limit of
// time ended an exploration.
//
// Errors: those of files::read and files::write, sweep-form (no sweep.json of a sweep),
// sweep-program (the program is not the one the sweep was begun with), output-exists (the folder
// holds other things). Thread rule: any thread; one writer per point.
#pragma once

#include "engine/sweep/grid.h"
#include "engine/sweep/item.h"
#include "engine/sweep/outcome.h"

#include <optional>
#include <string>
#include <vector>

namespace marquetry::sweep {

struct Point : GridPoint {
    std::string key;
};

struct Sweep {
    std::string file; ///< of the program, as it was given
    std::string item; ///< its name
    std::string programHash;
    std::vector<Point> points;
};

/// Errors: those of reading files of devices.
Result<Sweep> makeSweep(const Grid& grid, const std::string& file, const SweptItem& item);

/// Makes the folder where there is none, and writes what describes the sweep.
Status begin(const std::string& folder, const Sweep& sweep);
/// What begin() wrote. Keys are as they were then.
Result<Sweep> readSweep(const std::string& folder);

Status writeOutcome(const std::string& folder, const Point& point, const Outcome& outcome);
/// Nothing where there is no result, or none that can be read.
std::optional<Outcome> outcomeOf(const std::string& folder, const Point& point);

/// Of every point, in order.
std::vector<std::optional<Outcome>> outcomesOf(const std::string& folder, const Sweep& sweep);

/// The numbers of those that have none.
std::vector<std::size_t> openPoints(const std::vector<std::optional<Outcome>>& outcomes);

/// The table as CSV (RFC 4180): a line of names, then a line for each point that has a result. That
/// of a stream has two columns more, of its hardware.
std::string table(const Sweep& sweep, const std::vector<std::optional<Outcome>>& outcomes);
Status writeTable(const std::string& folder, std::string_view csv);

} // namespace marquetry::sweep
