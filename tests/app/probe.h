// How long events wait in the window's thread, from when they are asked for.
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

/// Events are due every few milliseconds; what counts is when each is served.
class Probe : public QObject {
public:
    static constexpr int kEveryMs = 5;

    Probe() {
        timer_.setTimerType(Qt::PreciseTimer);
        timer_.setSingleShot(true);
        connect(&timer_, &QTimer::timeout, this, [this] {
            waits_.push_back(now() - asked_);
            start();
        });
        start();
    }
    /// `share` of the events waited less.
    Span quantile(double share) {
        std::ranges::sort(waits_);
        return waits_[static_cast<std::size_t>(share * static_cast<double>(waits_.size() - 1))];
    }
    std::size_t count() const { return waits_.size(); }

private:
    void start() {
        asked_ = now();
        timer_.start(kEveryMs);
    }

    QTimer timer_;
    Span asked_ = now();
    std::vector<Span> waits_;
};

} // namespace marquetry::test
