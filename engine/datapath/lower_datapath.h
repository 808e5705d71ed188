// From an L_st circuit to its datapath (datapath.h).
//
// The layers of the types become steps and lanes. A map in space is its function once for each
// lane, a map in time is its function once. A shift, a selection and the wait of a reduction are
// distances between steps. A reduction, a scan and a repetition in time are loops through a choice.
// A change of layout either chooses among words that came at other times, or goes through addressed
// memories (permute.h), whichever is smaller. Lanes are in the axis order of waves (wave.h): lane,
// then leaf of the atom. The FIFOs that match delays in the circuit are left out, because
// time_datapath.h matches the delays of words again.
//
// Errors: hdl-unsupported: a constant or counter that follows no rule and needs a table of more
// than kLongestTable steps; a change of layout of more than kMaxListedWords elements or
// kMostPassages. too-large: more than kMaxDatapathWords cells. cancelled.
// Complexity: linear in lanes times operators, and in the tables. Thread rule: pure.
#pragma once

#include "engine/datapath/datapath.h"
#include "engine/spacetime/operators.h"
#include "engine/support/result.h"

#include <stop_token>

namespace marquetry::datapath {

inline constexpr std::int64_t kLongestTable = 1 << 12;

/// A port: its type, with `lanes` words side by side, the first in the lowest bits.
struct DatapathPort {
    spacetime::SeqType type;
    std::vector<int> leafBits; ///< of the atom's leaves
    std::int64_t lanes = 1;

    int bits() const;
};

struct Datapath {
    std::vector<Cell> cells;
    std::vector<Fifo> fifos; ///< by the numbers of Store and Fetch
    std::vector<DatapathPort> inputs;
    DatapathPort output;
    std::vector<Tap> outputs; ///< of each lane and leaf
    std::int64_t unit = 1;    ///< clocks of a step
    std::int64_t period = 1;  ///< steps of a frame

    /// The word that a tap is a view of; a tap of another cell is itself.
    Tap source(Tap tap) const;
};

/// What permutes in changes of layout.
enum class Rearranging : std::uint8_t {
    Smaller, ///< registers or FIFOs, whichever is smaller by estimate
    Fifos,
};

/// `graph` is well-typed.
Result<Datapath> lowerDatapath(const spacetime::Graph& graph,
                               Rearranging rearranging = Rearranging::Smaller,
                               std::stop_token stop = {});

} // namespace marquetry::datapath
