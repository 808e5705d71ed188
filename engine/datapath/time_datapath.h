// In which step each word of a datapath is computed, so that the registers have the fewest bits and
// the clock is met (exact retiming: background/aetherling.md, "Matching delays").
//
// Cell v starts at step times[v]. An operand u at distance d waits times[v] + d − times[u] ≥ 0
// steps, and one chain of registers serves all users of u. A word that is used only in every s-th
// step is held: one register for s steps. Where users are far apart, the chain goes through a
// memory. The bits of all registers together are the least under which no estimated delay between
// registers exceeds the limit asked for; bits in memories are not counted. This is a linear
// programme of difference constraints, so its optimum is integral. Constraints for paths are added
// as long as a path is too slow.
//
// Path delays are those of Yosys' cell library for the 7 series, without wires. In: a datapath of
// lowerDatapath. Where a loop of the circuit cannot keep to the limit, its delay is accepted. At
// the deadline the last programme that was solved is the result; one is always solved.
// Errors: cancelled; no-timing (a loop without any step in it); too-large (a word that waits more
// than kMaxWaitedSteps).
// Complexity: a linear programme with a variable for each cell, a few dozen times, 200 at most.
// Thread rule: pure.
#pragma once

#include "engine/datapath/lower_datapath.h"
#include "engine/spacetime/path_table.h"

#include <chrono>
#include <stop_token>

namespace marquetry::datapath {

inline constexpr double kPathLimit = spacetime::kPathLimit; ///< ps; unless another is asked for
/// Lower ones cannot be met: a product by itself, from register to register.
inline constexpr double kLeastPathLimit = 2900;

/// What stores the words of one cell. Stage m holds the word that was there last when m · stride
/// steps have gone, or up to stride − 1 less.
struct DelayLine {
    /// From stage `from`, which is there, to stage `to`.
    struct Part {
        std::int64_t from = 0;
        std::int64_t to = 0;
        bool operator==(const Part&) const = default;
    };
    std::vector<Part> registers{}; ///< one for each stage behind `from`
    std::vector<Part> memories{};  ///< `to` is the memory's output, `to` − `from` ≥ 2
};

struct TimedDatapath {
    Datapath datapath;
    std::vector<std::int64_t> times; ///< of each cell; those of generators mean nothing
    std::vector<DelayLine> lines;    ///< of each cell
    /// Of each sum: the operand that is a sum in the same step and shares its carry chain, or −1.
    /// At most three operands share one; longer sums in one chain take twice the LUTs.
    std::vector<int> sharedChain;
    std::int64_t latency = 0; ///< steps from the first of the inputs to the first of the output
    double pathDelay = 0;     ///< ps, estimated
    bool complete = true;     ///< false: the time ended with paths that are longer than need be
    bool pipelined = true;    ///< false: a loop had no time for the registers of ownStages

    /// Whether a cell's word is first there in the register of a block RAM.
    bool isInBlockRam(std::size_t cell) const {
        return pipelined && datapath.cells[cell].isBlockRom();
    }

    /// Steps that operand `tap` of a user at `time` waits.
    std::int64_t waitOf(const Tap& tap, std::int64_t time) const;
    /// The register that the operand is in then; 0: none.
    std::int64_t stageOf(const Tap& tap, std::int64_t time) const;
};

using Deadline = std::chrono::steady_clock::time_point;
inline constexpr Deadline kNoDeadline = Deadline::max();

Result<TimedDatapath> timeDatapath(Datapath datapath, std::stop_token stop = {},
                                   Deadline deadline = kNoDeadline, double pathLimit = kPathLimit);

/// Registers that a cell has behind it whatever else waits: those of a product, and the one at the
/// output of a block RAM.
std::int64_t ownStages(const Cell& cell);
/// Clocks of a product in registers behind it.
std::int64_t productStages(const Cell& cell);

} // namespace marquetry::datapath
