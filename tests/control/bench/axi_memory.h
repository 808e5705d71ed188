// External memory at an AXI4 master that only reads, and what the protocol says of the master.
//
// A request that was offered stays as it is until it is taken, also behind an abort; bursts are
// whole, within the image and cross no 4096 bytes. Answers come in order, as late as the pace says.
// Thread rule: one thread.
#pragma once

#include "axi_stream.h"

namespace bench {

struct ReadRequest {
    bool valid = false;
    std::uint64_t address = 0;
    unsigned length = 0, size = 0, burst = 0; ///< as the bus has them: one less, 2 to it, the kind
    bool ready = false;                       ///< of answers
    bool operator==(const ReadRequest& other) const {
        return valid == other.valid && address == other.address && length == other.length &&
               size == other.size && burst == other.burst;
    }
};

struct ReadAnswer {
    bool arready = false, rvalid = false, rlast = false;
    unsigned rresp = 0;
    Bytes data;
};

class ReadMemory {
public:
    Bytes image;
    std::size_t beatBytes = 1;
    std::uint64_t base = 0;
    unsigned pace = 100;       ///< percent of clocks in which it goes on
    std::uint64_t latency = 0; ///< clocks, at most
    bool silent = false;       ///< answers nothing
    std::uint64_t failsIn = 0; ///< the beat that is answered with an error; 0: none
    std::uint64_t beats = 0;   ///< that were given

    const ReadAnswer& answer() const { return now_; }
    bool owes() const { return !bursts_.empty(); }

    /// After a clock in which the master asked so.
    void clock(const ReadRequest& asks) {
        if (image.empty())
            return;
        if (offered_.valid && !takenBefore_)
            expect(asks == offered_, "a read that was offered is gone or another");
        offered_ = asks;
        takenBefore_ = now_.arready;
        if (asks.valid && now_.arready)
            take(asks);
        if (now_.rvalid && asks.ready)
            given();
        offer();
    }

private:
    struct Burst {
        std::uint64_t offset;
        std::size_t beats;
        std::uint64_t from; ///< clock
    };

    void take(const ReadRequest& asks) {
        const std::uint64_t bytes = (asks.length + 1ULL) * beatBytes;
        const bool inside = asks.address >= base && asks.address + bytes <= base + image.size();
        expect(inside, "a read of %llx", static_cast<unsigned long long>(asks.address));
        expect(asks.address / 4096 == (asks.address + bytes - 1) / 4096, "a read crosses a page");
        expect(std::size_t{1} << asks.size == beatBytes && asks.burst == 1, "a read of parts");
        bursts_.push_back(
            {inside ? asks.address - base : 0, asks.length + 1U, clocks + below(latency + 1)});
    }

    void given() {
        ++beats;
        now_.rvalid = false;
        bursts_.front().offset += beatBytes;
        if (--bursts_.front().beats == 0)
            bursts_.pop_front();
    }

    void offer() {
        now_.arready = !silent && chance(pace);
        if (now_.rvalid || bursts_.empty() || silent || clocks < bursts_.front().from ||
            !chance(pace))
            return;
        const Burst& burst = bursts_.front();
        now_.rvalid = true;
        now_.rlast = burst.beats == 1;
        now_.rresp = failsIn != 0 && --failsIn == 0 ? 2 : 0;
        now_.data.assign(image.begin() + static_cast<std::ptrdiff_t>(burst.offset),
                         image.begin() + static_cast<std::ptrdiff_t>(burst.offset + beatBytes));
    }

    std::deque<Burst> bursts_;
    ReadAnswer now_;
    ReadRequest offered_;
    bool takenBefore_ = true;
};

} // namespace bench
