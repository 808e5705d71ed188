// What work takes, comparable only with other work of the same run.
//
// An Effort is processor time, which other programs on the machine do not lengthen; a Span is time
// on the wall, for what has to wait for others. Neither has a conversion to or from seconds: the
// only bound a test can put on them is a multiple of what other work took a moment ago on the same
// machine. A bound in seconds says as much about the machine as about the program; figures in
// seconds and their goals are printed by tests/bench.
// Thread rule: effortOf measures the calling thread, effortOfProcess all threads together.
#pragma once

#include "tests/support/patience.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <compare>
#include <ctime>
#include <latch>
#include <optional>
#include <ostream>
#include <stop_token>
#include <thread>

#include <pthread.h>

namespace marquetry::bench {
struct Figures;
}

namespace marquetry::test {

struct ProcessorTime;
struct WallTime;

template <class Kind>
class Measured {
public:
    /// What a clock shows; only differences mean something.
    static Measured ofClock(clockid_t clock) {
        timespec t{};
        clock_gettime(clock, &t);
        return Measured(static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec));
    }

    friend auto operator<=>(const Measured&, const Measured&) = default;
    friend Measured operator-(Measured a, Measured b) { return Measured(a.amount_ - b.amount_); }
    friend Measured operator*(double factor, Measured m) { return Measured(factor * m.amount_); }
    friend std::ostream& operator<<(std::ostream& out, Measured m) {
        return out << 1e3 * m.amount_ << " ms";
    }

private:
    friend struct bench::Figures; // which alone may name amounts
    friend void letPass(Measured<WallTime> span);
    explicit Measured(double amount) : amount_(amount) {}
    double amount_;
};

using Effort = Measured<ProcessorTime>;
using Span = Measured<WallTime>;

/// For moments that are to differ; never for something to have happened meanwhile.
inline void letPass(Span span) {
    std::this_thread::sleep_for(std::chrono::duration<double>(span.amount_));
}

template <class Work>
Span spanOf(Work work) {
    const Span begin = Span::ofClock(CLOCK_MONOTONIC);
    work();
    return Span::ofClock(CLOCK_MONOTONIC) - begin;
}

template <class Work>
Effort effortOf(Work work) {
    const Effort begin = Effort::ofClock(CLOCK_THREAD_CPUTIME_ID);
    work();
    return Effort::ofClock(CLOCK_THREAD_CPUTIME_ID) - begin;
}

template <class Work>
Effort effortOfProcess(Work work) {
    const Effort begin = Effort::ofClock(CLOCK_PROCESS_CPUTIME_ID);
    work();
    return Effort::ofClock(CLOCK_PROCESS_CPUTIME_ID) - begin;
}

/// The run that was disturbed least.
template <class Work>
Effort leastEffortOf(int runs, Work work) {
    Effort least = effortOf(work);
    for (int run = 1; run < runs; ++run)
        least = std::min(least, effortOf(work));
    return least;
}

/// Runs `work(stop_token)` on a thread of its own, requests the stop once it has taken `before`,
/// and says what it took from then on; nothing when it ended by itself before that.
template <class Work>
std::optional<Effort> effortAfterStop(Effort before, Work work) {
    std::stop_source source;
    std::atomic<bool> ended = false;
    std::latch looked(1); // the clock of a thread goes with it
    std::optional<Effort> begin, request, end;
    std::latch started(1);
    std::jthread worker([&] {
        begin = Effort::ofClock(CLOCK_THREAD_CPUTIME_ID);
        started.count_down();
        work(source.get_token());
        end = Effort::ofClock(CLOCK_THREAD_CPUTIME_ID);
        ended = true;
        looked.wait();
    });
    started.wait();
    clockid_t clock{};
    pthread_getcpuclockid(worker.native_handle(), &clock);
    while (!ended && Effort::ofClock(clock) - *begin < before)
        breathe();
    const bool early = ended;
    request = Effort::ofClock(clock);
    source.request_stop();
    looked.count_down();
    worker.join();
    return early ? std::nullopt : std::optional(*end - *request);
}

/// The least over some attempts, each of which starts the work anew: between the look at the clock
/// and the request this thread may have waited for its turn.
template <class Work>
std::optional<Effort> leastEffortAfterStop(int attempts, Effort before, Work work) {
    std::optional<Effort> least;
    for (int k = 0; k < attempts; ++k)
        if (const auto after = effortAfterStop(before, work); after && (!least || *after < *least))
            least = after;
    return least;
}

} // namespace marquetry::test
