// Weights in external memory: where they lie, in which order they come, and when they are there.
//
// The image. A word of a unit's weights takes whole beats of the read port, its first element in
// the lowest byte of the first one. First in the image are the words that stay on the chip, unit
// after unit; they are read once. The words that every run reads follow in the order in which its
// calls need them. Both parts are filled up to whole bursts, so the hardware reads nothing but
// whole bursts one after another.
//
// The way. Beats wait in a queue of `queueBeats` for the loader, which writes them to the memory
// of their unit; a word of a run waits there until its ring has a place. A call's first pixel
// waits for each word of a block, and its last pixel frees it. Words come, are used and are freed
// in one order, and a ring holds a block at least, so no word waits for a later one: nothing
// deadlocks.
//
// Replay predicts the clocks that calls wait, on a memory that takes and gives what its figures say
// and never more. Complexity: linear in the external words. Thread rule: values; a replay belongs
// to one thread.
#pragma once

#include "engine/design/schedule.h"

#include <deque>
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
    bool operator==(const WeightRun&) const = default;
};

/// The unit's weights come from external memory, all or some of them once.
bool isLoaded(const Schedule& schedule, UnitId unit);

/// Beats of a word of a unit.
std::int64_t beatsOfWord(const Schedule& schedule, UnitId unit);

/// Those that stay on the chip; of a run, neighbours of one unit taken together.
std::vector<WeightRun> residentRuns(const Schedule& schedule);
std::vector<WeightRun> externalRuns(const Schedule& schedule);

/// Of whole bursts.
std::int64_t imageBeats(const Schedule& schedule, const std::vector<WeightRun>& runs);

/// As deep as the beats that are under way, and two bursts; a power of two.
std::int64_t queueBeats(const ExternalMemory& memory);

/// The bytes of the image. `packed`: packWeights of every unit.
std::string weightImage(const Schedule& schedule,
                        const std::vector<std::vector<std::int64_t>>& packed);

/// Clocks from the last beat that leaves the queue to the clock in which its word can be used.
inline constexpr std::int64_t kLoadLatency = 1;

class WeightReplay {
public:
    /// At the start of a run: reading begins.
    explicit WeightReplay(const Schedule& schedule);

    /// A call with external weights that is set up at `begin`: the clocks in which it waits.
    std::int64_t waits(const ComputeStep& step, std::int64_t begin);

private:
    struct Ring {
        std::vector<double> freed; ///< by word of a run, modulo its length
        std::size_t next = 0;      ///< place of the word that comes next
        std::int64_t beats = 0;    ///< of a word
    };
    static std::size_t after(const Ring& ring, std::size_t place) {
        return place + 1 == ring.freed.size() ? 0 : place + 1;
    }
    double arrive(UnitId unit);
    double leftQueue(std::int64_t beats, double place) const;

    const Schedule& schedule_;
    std::int64_t queue_;
    double beatClocks_;       ///< at least 1
    std::vector<Ring> rings_; ///< index: UnitId
    std::int64_t bursts_ = 0; ///< that are asked for
    double burst_;            ///< the last one's beats begin to come
    double left_ = 0;         ///< the last word left the queue
    std::int64_t beats_ = 0;  ///< that left it
    struct Departure {
        std::int64_t beats; ///< up to the end of the word
        double clock;
        double beatClocks; ///< in which each of its beats left
    };
    std::deque<Departure> departures_; ///< that bound what may be asked for
};

} // namespace marquetry::design
