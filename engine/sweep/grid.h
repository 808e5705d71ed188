// The grid of a sweep: for some options of `explore`, the values to try; every combination is a
// point.
//
// A file of a grid is one JSON object. Its keys are names of options without their dashes (device,
// clock, bandwidth, limit, objective, cost, method, without, overlap, streams, time, steps, seed),
// its values what the option takes or a list of that: numbers, texts as on the command line
// ("dsp=60,bram=20"), true or false for options without a value. "item" names the item, once. Of
// the points, the options in the order above, the last one changes fastest, and each takes its
// values as they are listed.
//
// Errors, with their place in the file: json-syntax, grid-form (no object, an empty list, a value
// of the wrong kind, too many points), grid-unknown (key), and those of session/setup.h for the
// first point that has them. Complexity: linear in the points. Thread rule: pure but for reading
// files of devices.
#pragma once

#include "engine/session/snapshot.h"
#include "engine/support/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace marquetry::sweep {

inline constexpr std::size_t kMostPoints = 100'000;

struct Grid {
    std::string item;                      ///< empty: the first of the program
    std::vector<session::Settings> points; ///< at least one
};

/// `file`: for messages.
Result<Grid> parseGrid(std::string_view text, const std::string& file);

} // namespace marquetry::sweep
