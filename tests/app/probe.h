// How long events wait in the window's thread, from when they are asked for: on the wall, and by
// what the thread itself does meanwhile, which other programs on the machine do not lengthen.
#pragma once

#include "tests/support/effort.h"

#include <QObject>
#include <QTimer>

#include <algorithm>
#include <vector>

namespace marquetry::test {

inline Span now() {
    return Span::ofClock(CLOCK_MONOTONIC);
}

inline Effort ownEffort() {
    return Effort::ofClock(CLOCK_THREAD_CPUTIME_ID);
}

/// Events are due every few milliseconds; what counts is when each is served.
class Probe : public QObject {
public:
    static constexpr int kEveryMs = 5;

    Probe() {
        timer_.setTimerType(Qt::PreciseTimer);
        timer_.setSingleShot(true);
        connect(&timer_, &QTimer::timeout, this, [this] {
            waits_.push_back(now() - asked_);
            efforts_.push_back(ownEffort() - before_);
            start();
        });
        start();
    }
    /// `share` of the events waited less.
    Span quantile(double share) {
        std::ranges::sort(waits_);
        return waits_[static_cast<std::size_t>(share * static_cast<double>(waits_.size() - 1))];
    }
    /// The most that the thread did between asking for an event and serving it.
    Effort mostEffort() const { return *std::ranges::max_element(efforts_); }
    std::size_t count() const { return waits_.size(); }

private:
    void start() {
        asked_ = now();
        before_ = ownEffort();
        timer_.start(kEveryMs);
    }

    QTimer timer_;
    Span asked_ = now();
    Effort before_ = ownEffort();
    std::vector<Span> waits_;
    std::vector<Effort> efforts_;
};

} // namespace marquetry::test
