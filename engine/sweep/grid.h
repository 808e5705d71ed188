// The grid of a sweep: for some options of `explore`, or of `schedule` where the item is a stream,
// the values to try; every combination is a point.
//
// A file of a grid is one JSON object. Its keys are names of options without their dashes, in the
// order of grid_axes.cpp: some are of designs, some of streams, some of both. Its values are what
// the option takes or a list of that: numbers, texts as on the command line ("dsp=60,bram=20"),
// true or false for options without a value. "item" names the item, once. Of the points, the
// options in that order, the last one changes fastest, and each takes its values as they are
// listed.
//
// Errors, with their place in the file: json-syntax, grid-form (no object, an empty list, a value
// of the wrong kind, too many points), grid-unknown (a key that no grid has, or none of such an
// item), unsupported-device and unknown-name of streams, and those of session/setup.h, for the
// first point that has them. Complexity: linear in the points. Thread rule: pure but for reading
// files of devices.
#pragma once

#include "engine/frontend/parser.h"
#include "engine/session/snapshot.h"
#include "engine/spacetime/seq_type.h"
#include "engine/support/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace marquetry::sweep {

inline constexpr std::size_t kMostPoints = 100'000;

struct GridPoint {
    session::Settings settings; ///< of a stream: the device, clock and time, and in `without` the
                                ///< rewrites that are switched off
    /// Elements of the output per clock, in lowest terms; nothing: the point is one of a design.
    std::optional<spacetime::Throughput> throughput;
    bool timeGiven = false; ///< of a stream: without a time the hardware has no deadline
    bool operator==(const GridPoint&) const = default;
};

struct Grid {
    std::string item;              ///< empty: the first of the program
    std::vector<GridPoint> points; ///< at least one
};

/// The item that the grid names; empty: the first. Its kind says which keys the grid may have.
Result<std::string> gridItem(std::string_view text, const std::string& file);

/// `file`: for messages. `kind`: of the item; Stream, or something else for a design.
Result<Grid> parseGrid(std::string_view text, const std::string& file,
                       frontend::ItemKind kind = frontend::ItemKind::Design);

} // namespace marquetry::sweep
