// The control shell clock by clock: registers, frames, auto-restart, packets of the wrong length,
// aborts at random clocks. "+seed=N", "+aborts=N"; prints what is wrong, then a line of figures.
#include "frames.h"

#include <cstring>

namespace bench {
namespace {

void randomPaces(Shell& shell) {
    static constexpr unsigned kPaces[] = {100, 100, 80, 50, 20};
    const auto pace = [] { return kPaces[below(std::size(kPaces))]; };
    for (Source& source : shell.sources)
        source.pace = {pace(), false};
    for (Sink& sink : shell.sinks)
        sink.pace = {pace(), chance(25)};
    shell.bus.pace = pace();
    shell.memory.pace = pace();
    shell.memory.latency = chance(50) ? below(40) : below(600);
    shell.bus.afterValid = chance(25);
}

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

/// What came of frames that were ended: whole packets, and at most one that was cut.
void checkEnded(Frames& f, long frame) {
    for (std::size_t k = 0; k < f.shell.sinks.size(); ++k) {
        Sink& sink = f.shell.sinks[k];
        expect(!sink.amid(), "%s: a packet stays open", sink.name.c_str());
        for (long at = frame; !sink.packets.empty(); ++at) {
            const Packet got = sink.packets.front();
            sink.packets.pop_front();
            const Packet want = f.wanted(k, at);
            f.words += static_cast<long>(got.size());
            if (got == want)
                continue;
            const Bytes zeros(want[0].data.size(), 0);
            bool cut =
                sink.packets.empty() && got.size() <= want.size() && got.back().data == zeros;
            for (std::size_t beat = 0; cut && beat + 1 < got.size(); ++beat)
                cut = got[beat] == want[beat];
            expect(cut, "%s: frame %ld is neither whole nor cut", sink.name.c_str(), at);
        }
    }
    for (Source& source : f.shell.sources) {
        expect(!source.amid() && source.next() == f.next(), "%s: %ld packets are given, not %ld",
               source.name.c_str(), source.next(), f.next());
        source.dropWaiting();
    }
}

/// The counter says which of the frames that were ended had ended well by then.
void countEnded(Frames& f, long most) {
    const long more =
        static_cast<long>(f.shell.read(kFrames) - static_cast<std::uint32_t>(f.counted));
    expect(more >= 0 && more <= most, "%ld frames of %ld ended well", more, most);
    f.counted += more;
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
    const std::uint32_t error = f.shell.read(kError);
    expect(error == kInputLength, "error %u of a packet of the wrong length", error);
    f.shell.ticks(4);
    expect(f.shell.irq && (f.shell.read(kInterruptStatus) & kErrorEvent) != 0,
           "no interrupt of a packet of the wrong length");
    countEnded(f, 1);
    f.shell.write(kControl, kDone);
    checkEnded(f, frame);
    f.single();
}

/// An answer that is an error ends its frame, and no later one.
void memoryFails(Frames& f) {
    randomPaces(f.shell);
    f.single();
    const std::uint64_t before = f.shell.memory.beats;
    f.single();
    const std::uint64_t beats = f.shell.memory.beats - before;
    expect(beats > 0, "a frame reads no weights");
    const long frame = f.next();
    f.shell.write(kInterruptStatus, 3);
    f.offer(1);
    f.shell.memory.failsIn = 1 + below(beats);
    f.shell.write(kControl, kStart);
    f.await(kIdle, kIdle, "a frame with a wrong answer does not end");
    const std::uint32_t error = f.shell.read(kError);
    expect(error == kMemoryResponse, "error %u of a wrong answer", error);
    f.shell.ticks(4);
    expect(f.shell.irq && (f.shell.read(kInterruptStatus) & kErrorEvent) != 0,
           "no interrupt of a wrong answer");
    countEnded(f, 0);
    checkEnded(f, frame);
    f.single();
}

/// Weights that lie elsewhere, and such that are read again where they are.
void otherPlaces(Frames& f) {
    for (const std::uint64_t page :
         std::vector<std::uint64_t>{1, below(1 << 20), (std::uint64_t{1} << 28) - 64}) {
        f.place(page * 4096);
        randomPaces(f.shell);
        f.single();
    }
    const std::uint64_t before = f.shell.memory.beats;
    f.single();
    const std::uint64_t ofRun = f.shell.memory.beats - before;
    f.shell.write(kControl, kReload);
    f.single();
    expect(f.shell.memory.beats - before - ofRun == kImage.size() / f.shell.memory.beatBytes,
           "a frame behind a reload reads %llu beats",
           static_cast<unsigned long long>(f.shell.memory.beats - before - ofRun));
}

/// A memory that answers nothing keeps no abort from its end; what it then answers is lost.
void silentMemory(Frames& f) {
    randomPaces(f.shell);
    const long frame = f.next();
    f.offer(1);
    f.shell.memory.latency = 1000;
    f.shell.write(kControl, kStart);
    f.shell.ticks(below(100));
    f.shell.memory.silent = true;
    f.shell.ticks(below(3000));
    f.shell.write(kControl, kAbort);
    f.offer(1);
    f.await(kAbort | kIdle, kIdle, "an abort waits for a memory that is silent");
    f.shell.write(kControl, kDone);
    countEnded(f, 1);
    checkEnded(f, frame);
    const long next = f.next();
    f.shell.write(kControl, kStart);
    f.shell.ticks(below(200));
    f.shell.memory.silent = false;
    f.shell.memory.latency = below(100);
    f.offer(1);
    f.await(kIdle, kIdle, "a frame behind a silent memory does not end");
    ++f.counted;
    f.checkFrames();
    f.compare(next);
    f.shell.write(kControl, kDone);
    f.single();
}

/// The rest of a packet that was given up is one of the wrong length, and packets of one frame may
/// have been given up by some sources only: whatever comes of it, then all are even again.
void realign(Frames& f) {
    std::vector<Source>& sources = f.shell.sources;
    for (Source& source : sources)
        source.paused = false;
    for (Sink& sink : f.shell.sinks)
        sink.stuck = false;
    const bool amid = std::any_of(sources.begin(), sources.end(),
                                  [](const Source& source) { return source.amid(); });
    const bool uneven = std::any_of(sources.begin(), sources.end(), [&](const Source& source) {
        return source.next() != f.next();
    });
    if (!amid && !uneven)
        return;
    f.offer(1);
    f.shell.write(kControl, kStart);
    f.await(kIdle, kIdle, "a frame of what was given up does not end");
    expect(!amid || f.shell.read(kError) == kInputLength, "the rest of a packet is no error");
    long most = 0;
    for (const Source& source : sources) {
        expect(!source.amid(), "%s: a packet stays half read", source.name.c_str());
        most = std::max(most, source.next());
    }
    for (Source& source : sources) {
        source.dropWaiting();
        source.skipped += most - source.next();
    }
}

/// What a frame is starved of: the only bit of `waiting` that is then 1.
enum Starved : std::uint32_t { kOfWeights = 1, kOfInputs = 2, kOfOutputs = 4 };

void starve(Frames& f, std::uint32_t of, bool on) {
    for (Source& source : f.shell.sources)
        source.paused = on && of == kOfInputs;
    for (Sink& sink : f.shell.sinks)
        sink.stuck = on && of == kOfOutputs;
    f.shell.memory.silent = on && of == kOfWeights;
}

/// Until the watchdog has ended a frame that is starved: not before the limit, and soon behind it.
/// A limit that is lowered to less than what has passed ends it at once.
void awaitExpiry(Frames& f, std::uint32_t of) {
    const auto limit = static_cast<std::uint32_t>(100 + below(200));
    const bool lowers = chance(50);
    if (lowers) {
        f.shell.write(kWatchdog, 1'000'000);
        f.shell.ticks(1000);
    }
    const std::uint64_t began = clocks;
    f.shell.write(kWatchdog, limit);
    f.await(kIdle, kIdle, "the watchdog lets a frame wait for ever");
    const std::uint64_t took = clocks - began;
    expect((lowers || took >= limit) && took < limit + 2000,
           "the watchdog ends a frame after %llu clocks of %u",
           static_cast<unsigned long long>(took), limit);
    const std::uint32_t error = f.shell.read(kError);
    expect(error == kExpired, "error %u of a frame in which nothing moves", error);
    const std::uint32_t waiting = f.shell.read(kWaiting);
    expect(waiting == of, "the hardware waits for %u, not %u", waiting, of);
    expect((f.shell.read(kInterruptStatus) & kErrorEvent) != 0, "no interrupt of the watchdog");
}

/// Something does not move any more: the watchdog ends the frame.
void watchdogBites(Frames& f, std::uint32_t of) {
    randomPaces(f.shell);
    f.shell.memory.latency = 0;
    f.shell.memory.pace = 100; // so that what can go on has ended before the watchdog is asked
    f.shell.write(kInterruptStatus, 3);
    f.shell.write(kInterruptEnable, 3);
    f.offer(1);
    if (of == kOfWeights && chance(50))
        f.shell.write(kControl, kReload); // those that stay are waited for, too
    f.shell.write(kControl, kStart);
    f.shell.ticks(below(f.longest));
    starve(f, of, true);
    f.shell.ticks(4000);
    if ((f.control() & kIdle) == 0)
        awaitExpiry(f, of);
    starve(f, of, false);
    realign(f);
    f.shell.ticks(100);
    for (Sink& sink : f.shell.sinks) {
        expect(!sink.amid(), "%s: a packet stays open that was given up", sink.name.c_str());
        sink.packets.clear();
    }
    f.counted = f.shell.read(kFrames);
    f.shell.write(kControl, kDone);
    f.shell.write(kWatchdog, 0);
    f.single();
}

/// Frames that move are left alone, however long they are, and so is the time between them.
void watchdogSleeps(Frames& f) {
    for (Source& source : f.shell.sources)
        source.pace = {};
    for (Sink& sink : f.shell.sinks)
        sink.pace = {};
    f.shell.memory.pace = 100;
    f.shell.memory.latency = 0;
    f.shell.write(kWatchdog, 40);
    f.single();
    const long frame = f.next();
    f.offer(1);
    f.shell.write(kControl, kStart | kAgain);
    f.await(kDone, kDone, "a frame that is watched does not end");
    f.shell.ticks(500);
    f.shell.write(kControl, 0);
    f.await(kIdle, kIdle, "the hardware stays busy between frames that are watched");
    expect(f.shell.read(kError) == kNone && f.shell.read(kWaiting) == 0,
           "the watchdog ends what moves");
    ++f.counted;
    f.checkFrames();
    f.compare(frame);
    f.shell.write(kControl, kDone);
    f.shell.write(kWatchdog, 0);
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
