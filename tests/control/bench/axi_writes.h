// External memory at the write channels of an AXI4 master, and what the protocol says of the
// master.
//
// What was offered stays as it is until it is taken, also behind an abort; every burst gets its
// beats and its WLAST; bursts lie behind the weights and cross no 4096 bytes. Answers come in
// order, as late as the pace says, and what was written is there with its answer, no sooner. Thread
// rule: one thread.
#pragma once

#include "axi_memory.h"

namespace bench {

struct WrittenBeat {
    Bytes data;
    std::vector<bool> lanes; ///< bytes in force
    bool last = false;
    bool operator==(const WrittenBeat& other) const {
        return data == other.data && lanes == other.lanes && last == other.last;
    }
};

struct WriteRequest {
    bool awvalid = false, wvalid = false;
    std::uint64_t address = 0;
    unsigned length = 0, size = 0, burst = 0; ///< as the bus has them
    WrittenBeat beat;
    bool ready = false; ///< of answers
};

struct WriteAnswer {
    bool awready = false, wready = false, bvalid = false;
    unsigned bresp = 0;
};

class WriteMemory {
public:
    std::uint64_t failsIn = 0; ///< the burst that is answered with an error; 0: none
    std::uint64_t bursts = 0;  ///< that were answered

    const WriteAnswer& answer() const { return now_; }

    /// After a clock in which the master asked so. `written`: the first byte that may be.
    void clock(const WriteRequest& asks, ReadMemory& memory, std::size_t written) {
        if (before_.awvalid && !now_before_.awready)
            expect(asks.awvalid && asks.address == before_.address && asks.length == before_.length,
                   "a write that was offered is gone or another");
        if (before_.wvalid && !now_before_.wready)
            expect(asks.wvalid && asks.beat == before_.beat,
                   "a beat that was offered is gone or another");
        before_ = asks;
        now_before_ = now_;
        if (asks.awvalid && now_.awready)
            take(asks, memory, written);
        if (asks.wvalid && now_.wready)
            beats_.push_back(asks.beat);
        if (now_.bvalid && asks.ready) {
            now_.bvalid = false;
            ++bursts;
        }
        gather(memory);
        offer(memory);
    }

private:
    struct Burst {
        std::uint64_t offset;
        std::size_t beats;
        std::uint64_t from; ///< clock
        bool inside;
    };

    void take(const WriteRequest& asks, const ReadMemory& memory, std::size_t written) {
        const std::uint64_t bytes = (asks.length + 1ULL) * memory.beatBytes;
        const bool inside = asks.address >= memory.base + written &&
                            asks.address + bytes <= memory.base + memory.image.size();
        expect(inside, "a write of %llx", static_cast<unsigned long long>(asks.address));
        expect(asks.address / 4096 == (asks.address + bytes - 1) / 4096, "a write crosses a page");
        expect(std::size_t{1} << asks.size == memory.beatBytes && asks.burst == 1 &&
                   asks.address % memory.beatBytes == 0,
               "a write of parts");
        bursts_.push_back({asks.address - memory.base, asks.length + 1U, 0, inside});
        expect(bursts_.size() <= 4, "%zu bursts wait for their answers", bursts_.size());
    }

    /// Of the bursts that are not whole the first one may be.
    void gather(const ReadMemory& memory) {
        if (whole_ == bursts_.size() || beats_.size() - gathered_ < bursts_[whole_].beats)
            return;
        for (std::size_t k = 1; k <= bursts_[whole_].beats; ++k)
            expect(beats_[gathered_ + k - 1].last == (k == bursts_[whole_].beats),
                   "wlast of beat %zu", k);
        gathered_ += bursts_[whole_].beats;
        bursts_[whole_++].from = clocks + below(memory.latency + 1);
    }

    void offer(ReadMemory& memory) {
        now_.awready = !memory.silent && chance(memory.pace);
        now_.wready = !memory.silent && chance(memory.pace);
        if (now_.bvalid || whole_ == 0 || memory.silent || clocks < bursts_.front().from ||
            !chance(memory.pace))
            return;
        const Burst burst = bursts_.front();
        bursts_.pop_front();
        for (std::size_t k = 0; k < burst.beats; ++k) {
            for (std::size_t i = 0; i < memory.beatBytes && burst.inside; ++i)
                if (beats_.front().lanes[i])
                    memory.image[burst.offset + k * memory.beatBytes + i] = beats_.front().data[i];
            beats_.pop_front();
        }
        --whole_;
        gathered_ -= burst.beats;
        now_.bvalid = true;
        now_.bresp = failsIn != 0 && --failsIn == 0 ? 2 : 0;
    }

    std::deque<Burst> bursts_;
    std::deque<WrittenBeat> beats_;
    std::size_t whole_ = 0, gathered_ = 0; ///< bursts that have all their beats, and those beats
    WriteAnswer now_, now_before_;
    WriteRequest before_;
};

} // namespace bench
