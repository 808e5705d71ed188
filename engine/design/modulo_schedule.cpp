#include "engine/design/modulo_schedule.h"

#include <algorithm>

namespace marquetry::design {

namespace {

/// What a queue is busy with, in clocks of a round.
class Reservations {
public:
    explicit Reservations(std::int64_t interval) : interval_(interval) {}

    /// The first clock from that one on at which so many are free in every round, or one behind it,
    /// within the patience, at which another step has just ended.
    std::optional<std::int64_t> place(std::int64_t from, std::int64_t clocks,
                                      std::int64_t patience) const {
        const auto begin = free(from, clocks);
        if (!begin)
            return begin;
        std::optional<std::int64_t> flush;
        for (const Taken& taken : taken_) {
            const std::int64_t end = (taken.begin + taken.clocks) % interval_;
            const std::int64_t wait = (end - *begin % interval_ + interval_) % interval_;
            if (wait <= patience && conflictEnd(*begin + wait, clocks) == 0)
                flush = std::min(flush.value_or(*begin + wait), *begin + wait);
        }
        return flush ? flush : begin;
    }

    void take(std::int64_t begin, std::int64_t clocks) {
        taken_.push_back({begin % interval_, clocks});
    }

private:
    struct Taken {
        std::int64_t begin = 0, clocks = 0;
    };

    std::optional<std::int64_t> free(std::int64_t from, std::int64_t clocks) const {
        if (clocks > interval_)
            return std::nullopt;
        std::int64_t begin = from;
        while (begin < from + interval_) {
            const std::int64_t late = conflictEnd(begin, clocks);
            if (late == 0)
                return begin;
            begin += late;
        }
        return std::nullopt;
    }

    /// Clocks until what is in the way has ended; 0: nothing is.
    std::int64_t conflictEnd(std::int64_t begin, std::int64_t clocks) const {
        for (const Taken& taken : taken_) {
            // From the one's begin to the other's, in the direction of time.
            const std::int64_t behind = (begin % interval_ - taken.begin + interval_) % interval_;
            if (behind < taken.clocks)
                return taken.clocks - behind;
            if (interval_ - behind < clocks)
                return interval_ - behind + taken.clocks;
        }
        return 0;
    }

    std::int64_t interval_;
    std::vector<Taken> taken_;
};

} // namespace

std::optional<std::vector<std::int64_t>> moduloSchedule(const std::vector<PeriodicStep>& steps,
                                                        std::int64_t interval,
                                                        std::int64_t patience) {
    std::size_t queues = 0;
    for (const PeriodicStep& step : steps)
        queues = std::max(queues, step.queue + 1);
    std::vector<Reservations> busy(queues, Reservations(interval));
    std::vector<std::int64_t> begins;
    std::vector<std::int64_t> latest(steps.size(), INT64_MAX);
    for (std::size_t s = 0; s < steps.size(); ++s) {
        const PeriodicStep& step = steps[s];
        std::int64_t ready = 0;
        for (const std::size_t before : step.after)
            ready = std::max(ready, begins[before] + steps[before].clocks);
        const auto begin = busy[step.queue].place(ready, step.clocks, patience);
        if (!begin || *begin > latest[s])
            return std::nullopt;
        busy[step.queue].take(*begin, step.clocks);
        begins.push_back(*begin);
        for (const std::size_t reader : step.readers)
            latest[reader] = std::min(latest[reader], *begin + step.places * interval);
    }
    return begins;
}

} // namespace marquetry::design
