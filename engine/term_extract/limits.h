// When an anytime search has to end. Thread rule: pure.
#pragma once

#include <chrono>
#include <stop_token>

namespace marquetry::term_extract {

struct Limits {
    using Clock = std::chrono::steady_clock;

    std::stop_token stop;
    Clock::time_point deadline = Clock::time_point::max();

    bool reached() const { return stop.stop_requested() || Clock::now() >= deadline; }
    double secondsLeft() const {
        return deadline == Clock::time_point::max()
                   ? 1e9
                   : std::chrono::duration<double>(deadline - Clock::now()).count();
    }
    /// No later than `seconds` from now.
    Limits within(double seconds) const {
        if (seconds >= secondsLeft())
            return *this;
        return {stop, Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                         std::chrono::duration<double>(seconds))};
    }
};

} // namespace marquetry::term_extract
