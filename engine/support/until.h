// When work has to end early: when a stop is requested, or at a given time. Loops whose length
// depends on a number in the program check it. Thread rule: value type; the request may come from
// any thread.
#pragma once

#include <chrono>
#include <stop_token>

namespace marquetry {

struct Until {
    using Moment = std::chrono::steady_clock::time_point;

    std::stop_token stop{};
    Moment deadline = Moment::max();

    /// Once true it stays true.
    bool isReached() const {
        return stop.stop_requested() ||
               (deadline != Moment::max() && Moment::clock::now() > deadline);
    }
};

} // namespace marquetry
