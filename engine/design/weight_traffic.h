// Weights in external memory: when they are there. Where they lie and in which order they come:
// design/weight_image.h.
//
// Beats wait in a queue of `queueBeats` for the loader, which writes them to the memory
// of their unit; a word of a run waits there until its ring has a place. A call's first pixel
// waits for each word of a block, and its last pixel frees it. Words come, are used and are freed
// in one order, and a ring holds a block at least, so no word waits for a later one: nothing
// deadlocks.
//
// Replay predicts the clocks that calls wait, on a memory that takes and gives what its figures say
// and never more. Complexity: linear in the external words. Thread rule: values; a replay belongs
// to one thread.
#pragma once

#include "engine/design/weight_image.h"

#include <deque>
#include <utility>
#include <vector>

namespace marquetry::design {

/// As deep as the beats that are under way, and two bursts; a power of two.
std::int64_t queueBeats(const ExternalMemory& memory);

/// Clocks from the last beat that leaves the queue to the clock in which its word can be used.
inline constexpr std::int64_t kLoadLatency = 1;

class WeightReplay {
public:
    /// At the start of a run: reading begins.
    explicit WeightReplay(const Schedule& schedule);

    /// Rows of an external tensor move: nothing is asked for meanwhile. In the order of time.
    void pause(std::int64_t begin, std::int64_t end) { pauses_.push_back({begin, end}); }

    /// A call with external weights that is set up at `begin`: the clocks in which it waits.
    std::int64_t waits(const ComputeStep& step, std::int64_t begin);

    /// Clocks in which some call has waited, whichever.
    std::int64_t clocksOfWaits() const;

private:
    struct Ring {
        /// By word of a run, modulo its length: the clock that takes it for the last time. The next
        /// word may come in the clock behind.
        std::vector<double> freed;
        std::size_t next = 0;   ///< place of the word that comes next
        std::int64_t beats = 0; ///< of a word
    };
    static std::size_t after(const Ring& ring, std::size_t place) {
        return place + 1 == ring.freed.size() ? 0 : place + 1;
    }
    double arrive(UnitId unit);
    double leave(std::int64_t beats, double place);
    double behindPauses(double clock);
    double leftQueue(std::int64_t beats, double place);

    const Schedule& schedule_;
    bool fillsUp_; ///< beats behind the words of a call fill up a burst
    std::int64_t queue_;
    double beatClocks_;                             ///< at least 1
    std::vector<Ring> rings_;                       ///< index: UnitId
    std::int64_t bursts_ = 0;                       ///< that are asked for
    double burst_;                                  ///< the last one's beats begin to come
    std::vector<std::pair<double, double>> waited_; ///< from and until when
    double left_ = 0;                               ///< the last word left the queue
    std::int64_t beats_ = 0;                        ///< that left it
    struct Departure {
        std::int64_t beats;  ///< up to the end of the word
        std::int64_t ofWord; ///< beats
        double begun, clock; ///< when they left, one after the other
    };
    struct Pause {
        std::int64_t begin, end;
    };
    std::deque<Pause> pauses_;
    std::deque<Departure> departures_; ///< that bound what may be asked for, the earliest first
};

} // namespace marquetry::design
