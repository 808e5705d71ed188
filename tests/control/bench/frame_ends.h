// Frames that are ended before their end: what must come of them, and how all is even again.
// Thread rule: one thread.
#pragma once

#include "frames.h"

namespace bench {

inline void randomPaces(Shell& shell) {
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

/// What came of frames that were ended: whole packets, and at most one that was cut.
inline void checkEnded(Frames& f, long frame) {
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
inline void countEnded(Frames& f, long most) {
    const long more =
        static_cast<long>(f.shell.read(kFrames) - static_cast<std::uint32_t>(f.counted));
    expect(more >= 0 && more <= most, "%ld frames of %ld ended well", more, most);
    f.counted += more;
}

/// A frame that failed says why, in the register and by its interrupt.
inline void checkFailed(Frames& f, std::uint32_t code, const char* what) {
    const std::uint32_t error = f.shell.read(kError);
    expect(error == code, "error %u of %s", error, what);
    f.shell.ticks(4);
    expect(f.shell.irq && (f.shell.read(kInterruptStatus) & kErrorEvent) != 0, "no interrupt of %s",
           what);
}

/// The rest of a packet that was given up is one of the wrong length, and packets of one frame may
/// have been given up by some sources only: whatever comes of it, then all are even again.
inline void realign(Frames& f) {
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

} // namespace bench
