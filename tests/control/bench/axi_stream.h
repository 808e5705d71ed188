// Both ends of AXI4-Streams, and what the protocol says of the hardware's outputs.
//
// A beat that was offered stays as it is until it is taken; it is offered though ready is low.
// Thread rule: one thread.
#pragma once

#include "checks.h"

#include <deque>
#include <string>
#include <vector>

namespace bench {

using Bytes = std::vector<std::uint8_t>;

struct Beat {
    Bytes data;
    bool last = false;
    bool operator==(const Beat& other) const { return data == other.data && last == other.last; }
    bool operator!=(const Beat& other) const { return !(*this == other); }
};
using Packet = std::vector<Beat>;

/// How a side of a stream behaves: percent of clocks in which it goes on.
struct Pace {
    unsigned goes = 100;
    /// The sink waits for a valid beat before it is ready.
    bool afterValid = false;
};

/// Drives an input of the hardware.
class Source {
public:
    std::string name;
    Pace pace;
    bool paused = false;      ///< offers no new beat
    long ended = 0;           ///< packets
    long skipped = 0;         ///< packets that were given up
    std::uint64_t stalls = 0; ///< clocks in which the hardware waited
    std::uint64_t beats = 0;

    long next() const { return ended + skipped; }
    void add(Packet packet) { packets_.push_back(std::move(packet)); }
    std::size_t waiting() const { return packets_.size(); }
    bool amid() const { return at_ > 0; }
    bool offers() const { return valid_; }
    /// The packets of which nothing was offered.
    void dropWaiting() {
        while (packets_.size() > (valid_ || at_ > 0 ? 1U : 0U))
            packets_.pop_back();
    }

    bool valid() const { return valid_; }
    const Beat& beat() const { return packets_.front()[at_]; }

    /// After a clock in which ready was so.
    void clock(bool ready) {
        stalls += ready && !valid_ ? 1 : 0;
        if (valid_ && ready)
            taken();
        if (!valid_)
            valid_ = !packets_.empty() && !paused && chance(pace.goes);
    }

private:
    void taken() {
        valid_ = false;
        ++beats;
        if (++at_ < packets_.front().size())
            return;
        packets_.pop_front();
        at_ = 0;
        ++ended;
    }

    std::deque<Packet> packets_;
    std::size_t at_ = 0;
    bool valid_ = false;
};

/// Takes an output of the hardware.
class Sink {
public:
    std::string name;
    Pace pace;
    bool stuck = false; ///< takes nothing
    std::deque<Packet> packets;
    std::uint64_t stalls = 0; ///< clocks in which the hardware waited
    std::uint64_t beats = 0;

    bool ready() const { return ready_; }
    bool amid() const { return !open_.empty(); }

    /// After a clock in which the hardware offered that.
    void clock(bool valid, const Beat& beat) {
        if (offered_) {
            expect(valid, "%s: tvalid fell before tready", name.c_str());
            expect(!valid || beat == held_, "%s: a beat changed before it was taken", name.c_str());
        }
        offered_ = valid && !ready_;
        held_ = beat;
        stalls += offered_ ? 1 : 0;
        if (valid && ready_)
            take(beat);
        ready_ = !stuck && (!pace.afterValid || (offered_ && !ready_)) && chance(pace.goes);
    }

private:
    void take(const Beat& beat) {
        ++beats;
        open_.push_back(beat);
        if (!beat.last)
            return;
        packets.push_back(std::move(open_));
        open_.clear();
    }

    Packet open_;
    bool ready_ = false, offered_ = false;
    Beat held_;
};

} // namespace bench
