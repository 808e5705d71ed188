// The control shell clock by clock: registers, frames, auto-restart, packets of the wrong length,
// aborts at random clocks. "+seed=N", "+aborts=N"; prints what is wrong, then a line of figures.
#include "frame_ends.h"
#include "memory_cases.h"
#include "watchdog_cases.h"

#include <cstring>

namespace bench {
namespace {

/// What every register holds behind the reset, and words that are none.
void resets(Frames& f) {
    for (const RegisterInfo& info : kRegisters) {
        const std::uint32_t said = f.shell.read(info.offset);
        expect(said == info.reset, "%s is %08x behind the reset, not %08x", info.name, said,
               info.reset);
    }
    for (int k = 0; k < 40; ++k) {
        const auto address = static_cast<std::uint32_t>(below(kAddressEnd)) & ~3U;
        const bool known = std::any_of(std::begin(kRegisters), std::end(kRegisters),
                                       [&](const auto& r) { return r.offset == address; });
        if (known)
            continue;
        f.shell.write(address, static_cast<std::uint32_t>(draw()));
        expect(f.shell.read(address) == 0, "%x is no register and not 0", address);
    }
}

/// Writes of some bytes, many at once; only what may be written changes.
void writes(Frames& f) {
    std::uint32_t model[std::size(kRegisters)] = {};
    for (int round = 0; round < 30; ++round) {
        randomPaces(f.shell);
        for (std::uint64_t k = below(5); k-- > 0;) {
            const std::size_t at = below(std::size(kRegisters));
            const RegisterInfo& info = kRegisters[at];
            if (info.offset == kControl)
                continue;
            const auto data = static_cast<std::uint32_t>(draw());
            const auto bytes = static_cast<std::uint32_t>(below(16));
            f.shell.bus.write(info.offset | static_cast<std::uint32_t>(below(4)), data, bytes);
            for (std::uint32_t byte = 0; byte < 4; ++byte) {
                const std::uint32_t mask = (bytes >> byte & 1) * info.writable & 0xffU << 8 * byte;
                model[at] = (model[at] & ~mask) | (data & mask);
            }
        }
        f.shell.bus.read(kRegisters[std::size(kRegisters) - 1].offset);
        f.shell.settle();
        f.shell.bus.result();
        for (std::size_t at = 0; at < std::size(kRegisters); ++at)
            if (kRegisters[at].offset != kControl)
                f.shell.bus.read(kRegisters[at].offset);
        f.shell.settle();
        for (std::size_t at = 0; at < std::size(kRegisters); ++at)
            if (kRegisters[at].offset != kControl) {
                const std::uint32_t want = kRegisters[at].reset | model[at];
                const std::uint32_t said = f.shell.bus.result();
                expect(said == want, "%s is %08x, not %08x", kRegisters[at].name, said, want);
            }
    }
    expect(!f.shell.irq, "an interrupt without an event");
}

/// Events interrupt where they are enabled, and are kept where they are.
void maskedInterrupts(Frames& f) {
    for (const std::uint32_t global : {0U, 1U})
        for (const std::uint32_t enable : {0U, 1U, 2U}) {
            f.shell.write(kInterruptStatus, 3);
            f.shell.write(kInterruptEnable, enable);
            f.shell.write(kGlobalInterrupt, global);
            const long frame = f.next();
            f.offer(1);
            f.shell.write(kControl, kStart);
            f.await(kIdle | kDone, kIdle | kDone, "a frame does not end without interrupts");
            ++f.counted;
            f.compare(frame);
            f.shell.write(kControl, kDone);
            const std::uint32_t want = enable & kDoneEvent;
            const std::uint32_t said = f.shell.read(kInterruptStatus);
            expect(said == want, "interrupt status %u of enabled %u", said, enable);
            expect(f.shell.irq == (want != 0 && global == 1), "the interrupt line is %d",
                   f.shell.irq);
        }
    f.shell.write(kInterruptStatus, 3);
    f.shell.write(kGlobalInterrupt, 0);
}

/// A start that is written while a frame is under way begins the next one.
void queuedStart(Frames& f) {
    const long frame = f.next();
    f.offer(2);
    f.shell.write(kControl, kStart);
    f.await(kStart, 0, "a start stays pending");
    f.shell.write(kControl, kStart);
    f.await(kIdle, kIdle, "two frames do not end");
    f.counted += 2;
    f.checkFrames();
    f.compare(frame);
    f.compare(frame + 1);
    f.expectNoMore();
}

/// Frames follow each other until auto-restart ends; the last one still comes.
void following(Frames& f, long count, bool fast) {
    const long frame = f.next();
    f.offer(static_cast<std::size_t>(count));
    f.forgetCounts();
    f.shell.write(kControl, kStart | kAgain);
    const std::uint64_t began = clocks;
    const auto came = [&] {
        return std::all_of(f.shell.sinks.begin(), f.shell.sinks.end(), [&](const Sink& sink) {
            return static_cast<long>(sink.packets.size()) >= count;
        });
    };
    while (!came()) {
        if (clocks > began + kPatience)
            giveUp("frames do not follow");
        f.shell.tick();
    }
    const std::uint64_t took = clocks - began;
    expect(!fast || took <= static_cast<std::uint64_t>(count) * kFlowClocks + 16,
           "%ld frames took %llu clocks of %ld each", count, static_cast<unsigned long long>(took),
           static_cast<long>(kFlowClocks));
    f.shell.write(kControl, 0);
    f.await(kIdle, kIdle, "the hardware stays busy behind auto-restart");
    const std::uint32_t more = f.shell.read(kFrames) - static_cast<std::uint32_t>(f.counted);
    if (f.shell.sources.empty()) // they come by themselves
        count = more;
    f.counted += count;
    f.checkFrames();
    f.checkStalls();
    for (long k = 0; k < count; ++k)
        f.compare(frame + k);
    f.expectNoMore();
    f.shell.write(kControl, kDone);
}

/// An abort in some clock of a frame or of frames that follow each other, then a whole frame.
void abortAnywhere(Frames& f, std::uint64_t within) {
    randomPaces(f.shell);
    const bool again = chance(30);
    const long frame = f.next();
    f.shell.write(kInterruptStatus, 3);
    f.shell.write(kInterruptEnable, kErrorEvent);
    f.shell.write(kGlobalInterrupt, 1);
    for (Source& source : f.shell.sources)
        source.paused = chance(20);
    f.offer(again ? 6 : 1);
    f.shell.write(kControl, again ? kStart | kAgain : kStart);
    f.shell.ticks(below(within));
    f.shell.write(kControl, kAbort | (again && chance(50) ? std::uint32_t{kAgain} : 0U));
    f.offer(1); // what a driver would have sent anyway
    for (Source& source : f.shell.sources)
        source.paused = false;
    f.await(kAbort | kIdle, kIdle, "an abort does not end");
    f.shell.write(kControl, kDone);
    const std::uint32_t error = f.shell.read(kError);
    expect(error == kAborted || (error == kNone && !again), "error %u of an abort", error);
    f.shell.ticks(4);
    expect(f.shell.irq == (error == kAborted), "the interrupt line is %d behind an abort",
           f.shell.irq);
    const long most = f.shell.sources.empty() ? 1'000'000 : f.next() - frame;
    countEnded(f, most);
    checkEnded(f, frame);
    f.single();
}

/// A packet of the wrong length ends its frame with an error, and no later one.
void wrongLength(Frames& f) {
    randomPaces(f.shell);
    const long frame = f.next();
    const std::size_t bad = below(f.shell.sources.size());
    Packet packet = f.sent(bad, frame);
    if (packet.size() > 1 && chance(50)) {
        packet.resize(1 + below(packet.size() - 1));
    } else {
        packet.back().last = false;
        for (std::uint64_t more = 1 + below(3); more-- > 0;)
            packet.push_back(packet.front());
        packet.back().last = false;
    }
    packet.back().last = true;
    f.shell.write(kInterruptStatus, 3);
    f.shell.write(kInterruptEnable, 3);
    f.shell.write(kGlobalInterrupt, 1);
    f.shell.sources[bad].dropWaiting();
    f.shell.sources[bad].add(packet);
    f.offer(1);
    f.shell.write(kControl, kStart);
    f.await(kIdle, kIdle, "a frame of the wrong length does not end");
    checkFailed(f, kInputLength, "a packet of the wrong length");
    countEnded(f, 1);
    f.shell.write(kControl, kDone);
    checkEnded(f, frame);
    f.single();
}

/// Nothing comes and nothing is taken any more: the second abort ends all the same.
void abortTwice(Frames& f) {
    randomPaces(f.shell);
    f.offer(1);
    f.shell.write(kControl, kStart);
    f.shell.ticks(below(f.longest));
    for (Source& source : f.shell.sources)
        source.paused = true;
    for (Sink& sink : f.shell.sinks)
        sink.stuck = true;
    f.shell.ticks(40);
    f.shell.write(kControl, kAbort);
    f.shell.ticks(100);
    const bool waits = (f.control() & kAbort) != 0;
    f.shell.write(kControl, kAbort);
    f.await(kAbort | kIdle, kIdle, "the second abort waits, too");
    for (const Source& source : f.shell.sources)
        expect(waits || !source.amid(), "%s: an abort left a packet half read",
               source.name.c_str());
    realign(f);
    f.shell.ticks(100);
    for (Sink& sink : f.shell.sinks) {
        expect(!sink.amid(), "%s: a packet stays open that was given up", sink.name.c_str());
        sink.packets.clear();
    }
    f.counted = f.shell.read(kFrames);
    f.shell.write(kControl, kDone);
    f.single();
}

/// `tries`: of what happens at random clocks.
void directed(Frames& f, long tries) {
    resets(f);
    writes(f);
    f.shell.write(kWatchdog, 0);
    f.place(1 << 20);
    for (int k = 0; k < 5; ++k) {
        randomPaces(f.shell);
        f.single();
    }
    maskedInterrupts(f);
    for (int k = 0; k < 3; ++k) {
        randomPaces(f.shell);
        queuedStart(f);
        following(f, 5, false);
    }
    for (Source& source : f.shell.sources)
        source.pace = {};
    for (Sink& sink : f.shell.sinks)
        sink.pace = {};
    following(f, 5, kFlows);
    following(f, 10, kFlows);
    following(f, 20, kFlows);
    for (int k = 0; k < 10 && !f.shell.sources.empty(); ++k)
        wrongLength(f);
    for (long k = 0; k < tries && !f.shell.sources.empty(); ++k) {
        watchdogBites(f, kOfInputs);
        watchdogBites(f, kOfOutputs);
        watchdogSleeps(f);
    }
    if (kMemoryBytes == 0)
        return;
    for (long k = 0; k < tries; ++k) {
        memoryFails(f);
        silentMemory(f);
        watchdogBites(f, kOfWeights);
        if (kWrites)
            writesFail(f);
    }
    otherPlaces(f);
}

long argument(int count, char** values, const char* name, long otherwise) {
    for (int k = 1; k < count; ++k)
        if (std::strncmp(values[k], name, std::strlen(name)) == 0)
            return std::atol(values[k] + std::strlen(name));
    return otherwise;
}

} // namespace
} // namespace bench

int main(int count, char** values) {
    using namespace bench;
    randomState = static_cast<std::uint64_t>(argument(count, values, "+seed=", 1));
    const long aborts = argument(count, values, "+aborts=", 20);
    Frames f;
    directed(f, 5 + aborts / 4);
    for (long k = 0; k < aborts; ++k) {
        abortAnywhere(f, f.longest + 20);
        if (k % 10 == 0)
            abortTwice(f);
    }
    std::printf("%s frames=%ld beats=%ld aborts=%ld answers=%ld clocks=%llu\n",
                complaints == 0 ? "right" : "wrong", f.counted, f.words, aborts,
                f.shell.bus.answers, static_cast<unsigned long long>(clocks));
    return complaints == 0 ? 0 : 1;
}
