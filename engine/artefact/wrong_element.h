// The first wrong element of a run, as verification reports it.
//
// Thread rule: value types, pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::hdl {

struct WrongElement {
    std::string layer; ///< that computed it; of an input the name of its port
    bool input = false;
    std::string tensor;
    std::size_t step = 0; ///< index in the schedule, of that which went wrong
    std::int64_t vector = 0;
    std::int64_t frame = 0;            ///< of the vector: of a run of several
    std::int64_t index = 0;            ///< row-major
    std::vector<std::int64_t> element; ///< index in each dimension
    std::int64_t expected = 0;
    std::optional<std::int64_t> got; ///< none: unknown bits
    /// It was right when its layer ended, and is wrong where this one reads it; or empty.
    std::string overwrittenBefore;
};

/// What the checkpoints of a run tell.
struct CheckpointReport {
    std::int64_t compared = 0; ///< checkpoints
    std::optional<WrongElement> wrong;
    std::string note; ///< why no element is named; or empty
};

/// "h", "w", "c" of three dimensions, "row", "column" of two, "i" of one, or "i0", "i1", ….
std::vector<std::string> axisNames(std::size_t dimensions);

/// "layer conv2: element [h=3, w=4, c=7] is 12, expected 13 (vector 0)".
std::string toText(const WrongElement& wrong);
/// "first wrong: layer conv2: …", or how many checkpoints are right, or the note.
std::string toText(const CheckpointReport& report);

} // namespace marquetry::hdl
