// A memory that fails, falls silent, and has the weights elsewhere.
// Thread rule: one thread.
#pragma once

#include "frame_ends.h"

namespace bench {

/// An answer that is an error ends its frame, and no later one.
inline void memoryFails(Frames& f) {
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
    checkFailed(f, kMemoryResponse, "a wrong answer");
    countEnded(f, 0);
    checkEnded(f, frame);
    f.single();
}

/// The same of an answer to what was written.
inline void writesFail(Frames& f) {
    randomPaces(f.shell);
    const std::uint64_t before = f.shell.writes.bursts;
    f.single();
    const std::uint64_t bursts = f.shell.writes.bursts - before;
    expect(bursts > 0, "a frame writes nothing");
    const long frame = f.next();
    f.shell.write(kInterruptStatus, 3);
    f.offer(1);
    f.shell.writes.failsIn = 1 + below(bursts);
    f.shell.write(kControl, kStart);
    f.await(kIdle, kIdle, "a frame with a wrong answer does not end");
    checkFailed(f, kMemoryResponse, "a wrong answer to a write");
    countEnded(f, 0);
    checkEnded(f, frame);
    f.single();
}

/// Weights that lie elsewhere, and such that are read again where they are.
inline void otherPlaces(Frames& f) {
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
    // What is kept behind the weights is read in frames alone.
    expect(kWrites ||
               f.shell.memory.beats - before - ofRun == kImage.size() / f.shell.memory.beatBytes,
           "a frame behind a reload reads %llu beats",
           static_cast<unsigned long long>(f.shell.memory.beats - before - ofRun));
}

/// A memory that answers nothing keeps no abort from its end; what it then answers is lost.
inline void silentMemory(Frames& f) {
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

} // namespace bench
