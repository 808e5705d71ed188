// The image of external weights: where words lie in external memory, and in which order they are
// read.
//
// A word of a unit's weights takes whole beats of the read port, its first element in the lowest
// byte of the first one. First in the image are the words that stay on the chip, unit after unit;
// they are read once. The words that every run reads follow in the order in which its calls need
// them first. The hardware reads nothing but whole bursts, so both parts end with one. Where all
// calls read words of their own, a run reads its part from the first burst to the last. Where some
// are read again, as by the bands of a layer (design/row_bands.h), the words of every call end with
// a whole burst, and a run reads ranges of bursts; the beats that fill up a burst are dropped.
// Complexity: linear in the steps, the image also in its bytes. Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"

#include <string>
#include <vector>

namespace marquetry::design {

/// Of a read; at most 4096 bytes for every width of a port, and what AXI3 allows.
inline constexpr std::int64_t kBurstBeats = 16;
/// A port's widths, in bytes.
inline constexpr std::int64_t kLeastBeatBytes = 4;
inline constexpr std::int64_t kMostBeatBytes = 128;

/// Words that follow each other in the packed weights of a unit.
struct WeightRun {
    UnitId unit;
    std::int64_t first = 0; ///< of the packed weights
    std::int64_t words = 0;
    std::int64_t fill = 0; ///< beats behind them, up to a whole burst
    bool operator==(const WeightRun&) const = default;
};

/// Bursts that follow each other, the first one counted from the beginning of what runs read.
struct BurstRange {
    std::int64_t first = 0;
    std::int64_t bursts = 0;
    bool operator==(const BurstRange&) const = default;
};

/// What every run reads.
struct ExternalReads {
    std::vector<WeightRun> stored;  ///< as the image holds it
    std::vector<WeightRun> runs;    ///< as it is read
    std::vector<BurstRange> ranges; ///< likewise; one where nothing is read again

    /// Beats behind the words of a call.
    bool fillsUp() const;
};

/// The unit's weights come from external memory, all or some of them once.
bool isLoaded(const Schedule& schedule, UnitId unit);

/// Beats of a word of a unit.
std::int64_t beatsOfWord(const Schedule& schedule, UnitId unit);

/// Of a call with external weights.
WeightRun weightRun(const Schedule& schedule, const ComputeStep& step);

/// Those that stay on the chip.
std::vector<WeightRun> residentRuns(const Schedule& schedule);

ExternalReads externalReads(const Schedule& schedule);

/// Clocks in which the memory gives what a run reads, at least.
std::int64_t leastReadClocks(const Schedule& schedule);

/// Bursts of the runs, one behind the other.
std::int64_t burstsOf(const Schedule& schedule, const std::vector<WeightRun>& runs);

/// The bytes of the image, with room for external tensors behind them (external_tensors.h).
/// `packed`: packWeights of every unit.
std::string weightImage(const Schedule& schedule,
                        const std::vector<std::vector<std::int64_t>>& packed);

} // namespace marquetry::design
