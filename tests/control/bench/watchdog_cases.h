// The watchdog: it ends frames in which something does not move, and leaves others alone.
// Thread rule: one thread.
#pragma once

#include "frame_ends.h"

namespace bench {

/// What a frame is starved of: the only bit of `waiting` that is then 1.
enum Starved : std::uint32_t { kOfWeights = 1, kOfInputs = 2, kOfOutputs = 4 };

inline void starve(Frames& f, std::uint32_t of, bool on) {
    for (Source& source : f.shell.sources)
        source.paused = on && of == kOfInputs;
    for (Sink& sink : f.shell.sinks)
        sink.stuck = on && of == kOfOutputs;
    f.shell.memory.silent = on && of == kOfWeights;
}

/// Until the watchdog has ended a frame that is starved: not before the limit, and soon behind it.
/// A limit that is lowered to less than what has passed ends it at once.
inline void awaitExpiry(Frames& f, std::uint32_t of) {
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
inline void watchdogBites(Frames& f, std::uint32_t of) {
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
inline void watchdogSleeps(Frames& f) {
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

} // namespace bench
