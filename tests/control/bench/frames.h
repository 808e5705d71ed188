// Frames through the hardware: what is sent, what must come, and what the registers say of it.
// Thread rule: one thread.
#pragma once

#include "shell.h"

namespace bench {

enum Control : std::uint32_t {
    kStart = 1,
    kDone = 2,
    kIdle = 4,
    kAbort = 16,
    kReload = 32,
    kAgain = 128
};
enum Error : std::uint32_t {
    kNone = 0,
    kInputLength = 1,
    kAborted = 2,
    kMemoryResponse = 3,
    kExpired = 4
};
enum Event : std::uint32_t { kDoneEvent = 1, kErrorEvent = 2 };

/// A frame's bytes as beats, the last one padded with zeros.
inline Packet packetOf(const Bytes& frame, std::size_t beatBytes) {
    Packet packet;
    for (std::size_t at = 0; at < frame.size(); at += beatBytes) {
        Beat& beat = packet.emplace_back();
        beat.data.assign(beatBytes, 0);
        std::copy_n(frame.begin() + static_cast<std::ptrdiff_t>(at),
                    std::min(beatBytes, frame.size() - at), beat.data.begin());
    }
    packet.back().last = true;
    return packet;
}

class Frames {
public:
    Shell shell;
    long words = 0;            ///< beats that were compared
    long counted = 0;          ///< frames that the counter is known to have counted
    std::uint64_t longest = 0; ///< clocks of a frame so far

    Packet sent(std::size_t source, long frame) const {
        const StreamInfo& info = kSourceInfo[source];
        return packetOf(info.frames[index(frame)], info.beatBytes);
    }
    Packet wanted(std::size_t sink, long frame) const {
        const StreamInfo& info = kSinkInfo[sink];
        return packetOf(info.frames[index(frame)], info.beatBytes);
    }

    /// So many packets wait at every source.
    void offer(std::size_t count) {
        for (std::size_t k = 0; k < shell.sources.size(); ++k)
            for (Source& source = shell.sources[k]; source.waiting() < count;)
                source.add(sent(k, source.next() + static_cast<long>(source.waiting())));
    }

    /// The frame that comes next: all sources have given as many whole packets.
    long next() const { return shell.sources.empty() ? 0 : shell.sources[0].next(); }

    std::uint32_t control() { return shell.read(kControl); }

    void forgetCounts() {
        for (Source& source : shell.sources)
            source.stalls = 0;
        for (Sink& sink : shell.sinks)
            sink.stalls = 0;
    }

    /// Until a bit of the control register is as wanted; what it is then.
    std::uint32_t await(std::uint32_t mask, std::uint32_t value, const char* what) {
        for (std::uint64_t end = clocks + kPatience; clocks < end;) {
            const std::uint32_t now = control();
            if ((now & mask) == value)
                return now;
            shell.ticks(below(20));
        }
        giveUp(what);
    }

    void awaitIrq(const char* what) {
        for (std::uint64_t end = clocks + kPatience; !shell.irq; shell.tick())
            if (clocks > end)
                giveUp(what);
    }

    /// A whole packet at every sink, and none more.
    void compare(long frame) {
        for (std::size_t k = 0; k < shell.sinks.size(); ++k) {
            Sink& sink = shell.sinks[k];
            if (!expect(!sink.packets.empty(), "%s: frame %ld has no packet", sink.name.c_str(),
                        frame))
                continue;
            const Packet want = wanted(k, frame);
            expect(sink.packets.front() == want, "%s: frame %ld is wrong: %zu beats of %zu, %s",
                   sink.name.c_str(), frame, sink.packets.front().size(), want.size(),
                   difference(sink.packets.front(), want).c_str());
            words += static_cast<long>(want.size());
            sink.packets.pop_front();
        }
    }

    void expectNoMore() {
        for (const Sink& sink : shell.sinks)
            expect(sink.packets.empty() && !sink.amid(), "%s: more came than one frame",
                   sink.name.c_str());
    }

    void checkStalls() {
        for (std::size_t k = 0; k < shell.sources.size(); ++k)
            expectStalls(kSourceInfo[k], shell.sources[k].stalls);
        for (std::size_t k = 0; k < shell.sinks.size(); ++k)
            expectStalls(kSinkInfo[k], shell.sinks[k].stalls);
    }

    void checkFrames() {
        const std::uint32_t said = shell.read(kFrames);
        expect(said == static_cast<std::uint32_t>(counted), "frames are %u, not %ld", said,
               counted);
    }

    /// Where the weights are: there from the next frame on, which reads all of them.
    void place(std::uint64_t address) {
        if (kMemoryBytes == 0)
            return;
        shell.memory.base = address;
        shell.write(kWeightsLow, static_cast<std::uint32_t>(address));
        shell.write(kWeightsHigh, static_cast<std::uint32_t>(address >> 32));
        shell.write(kControl, kReload);
    }

    std::uint64_t cycles() {
        const std::uint64_t low = shell.read(kCyclesLow);
        return low | static_cast<std::uint64_t>(shell.read(kCyclesHigh)) << 32;
    }

    /// One frame with interrupts, from start to the last counter.
    void single() {
        const long frame = next();
        shell.write(kInterruptStatus, 3);
        shell.write(kInterruptEnable, 3);
        shell.write(kGlobalInterrupt, 1);
        const bool before = chance(50);
        if (before)
            offer(1);
        forgetCounts();
        shell.write(kControl, kStart);
        const std::uint64_t started = shell.bus.lastWrite;
        if (!before) {
            shell.ticks(below(30));
            offer(1);
        }
        awaitIrq("a frame does not end");
        const std::uint64_t ended = shell.rose;
        longest = std::max(longest, ended - started);
        ++counted;
        // Two clocks from the write to the frame, two from its end to the line.
        await(kIdle, kIdle, "the hardware stays busy behind a frame");
        const std::uint64_t said = cycles();
        expect(said + 4 == ended - started, "cycles are %llu between a write at %llu and %llu",
               static_cast<unsigned long long>(said), static_cast<unsigned long long>(started),
               static_cast<unsigned long long>(ended));
        const std::uint32_t error = shell.read(kError);
        expect(error == kNone, "error %u of a good frame", error);
        checkFrames();
        checkStalls();
        compare(frame);
        expectNoMore();
        finishInterrupt(kDoneEvent);
    }

    /// The line falls when the event is cleared, not before.
    void finishInterrupt(std::uint32_t event) {
        const std::uint32_t status = shell.read(kInterruptStatus);
        expect(status == event, "interrupt status %u, not %u", status, event);
        shell.write(kInterruptStatus, ~event);
        shell.ticks(4);
        expect(shell.irq, "the interrupt fell though its event was not cleared");
        shell.write(kInterruptStatus, event);
        shell.ticks(4);
        expect(!shell.irq, "the interrupt stays though its event was cleared");
        if (event != kDoneEvent)
            return;
        expect((control() & kDone) != 0, "done is 0 behind a frame");
        shell.write(kControl, kDone);
        expect((control() & kDone) == 0, "done cannot be cleared");
    }

private:
    static std::size_t index(long frame) {
        return static_cast<std::size_t>(frame % static_cast<long>(kFrameCount));
    }

    static std::string difference(const Packet& got, const Packet& want) {
        for (std::size_t k = 0; k < std::min(got.size(), want.size()); ++k)
            if (got[k] != want[k])
                return "first at beat " + std::to_string(k);
        return "equal as far as they go";
    }

    void expectStalls(const StreamInfo& info, std::uint64_t counts) {
        const std::uint32_t said = shell.read(info.stallRegister);
        expect(said == static_cast<std::uint32_t>(counts), "%s: stalls are %u, not %llu", info.name,
               said, static_cast<unsigned long long>(counts));
    }
};

} // namespace bench
