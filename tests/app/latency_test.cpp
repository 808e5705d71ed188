// The latency probe: how long an event waits in the window while the engine works flat out.
#include "window_fixture.h"

#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>

namespace marquetry::test {

using session::Phase;

class Latency : public WindowFixture {
protected:
    app::SessionPortFactory factory() override { return &app::makeEnginePort; }
};

/// Events are due every few milliseconds; what counts is how much later each is served.
class Probe : public QObject {
public:
    Probe() {
        timer_.setTimerType(Qt::PreciseTimer);
        timer_.setSingleShot(true);
        connect(&timer_, &QTimer::timeout, this, [this] {
            late_.push_back(static_cast<double>(clock_.nsecsElapsed()) / 1e6 - kEveryMs);
            start();
        });
        start();
    }
    /// Milliseconds that at least `share` of the events waited less than.
    double quantile(double share) {
        std::ranges::sort(late_);
        return late_[static_cast<std::size_t>(share * static_cast<double>(late_.size() - 1))];
    }
    std::size_t count() const { return late_.size(); }

private:
    static constexpr int kEveryMs = 5;
    void start() {
        clock_.start();
        timer_.start(kEveryMs);
    }

    QTimer timer_;
    QElapsedTimer clock_;
    std::vector<double> late_;
};

TEST_F(Latency, EventsAreServedWhileTheEngineExploresVgg) {
    window->openFile(QStringLiteral(MARQUETRY_SOURCE_DIR "/examples/vgg_cifar/vgg_cifar.mq"));
    ASSERT_TRUE(reaches(Phase::Loaded));
    Probe probe;
    while (probe.count() < 400) {
        trigger(app::Act::Run);
        ASSERT_TRUE(reaches(Phase::Ready));
        trigger(app::Act::Reload);
        ASSERT_TRUE(reaches(Phase::Loaded));
    }
    std::printf("%zu events: p50 %.1f ms, p95 %.1f ms, most %.1f ms late\n", probe.count(),
                probe.quantile(0.5), probe.quantile(0.95), probe.quantile(1));
    EXPECT_LT(probe.quantile(0.95), 50);
}

} // namespace marquetry::test
