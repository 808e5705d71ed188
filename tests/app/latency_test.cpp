// The latency probe: how long an event waits in the window while the engine works flat out.
#include "probe.h"
#include "window_fixture.h"

#include <algorithm>

namespace marquetry::test {

using session::Phase;

class Latency : public WindowFixture {
protected:
    app::SessionPortFactory factory() override { return &app::makeEnginePort; }

    /// Whether events wait for a small part of an exploration only.
    bool isServed() {
        auto idle = std::make_unique<Probe>();
        EXPECT_TRUE(waitFor([&] { return idle->count() >= 200; }));
        const Span whileIdle = idle->quantile(0.95);
        idle.reset();
        Probe probe;
        std::optional<Span> exploration;
        while (probe.count() < 400) {
            const Span begin = now();
            trigger(app::Act::Run);
            EXPECT_TRUE(reaches(Phase::Ready));
            const Span took = now() - begin;
            exploration = std::min(exploration.value_or(took), took);
            trigger(app::Act::Reload);
            EXPECT_TRUE(reaches(Phase::Loaded));
        }
        return probe.quantile(0.95) - whileIdle < 0.2 * *exploration;
    }
};

TEST_F(Latency, EventsAreServedWhileTheEngineExploresVgg) {
    window->openFile(QStringLiteral(MARQUETRY_SOURCE_DIR "/examples/vgg_cifar/vgg_cifar.mq"));
    ASSERT_TRUE(reaches(Phase::Loaded));
    // Other processes make events wait too, now and then: once undisturbed is enough. If the
    // window's thread did the work, an event would wait for a whole exploration every time.
    constexpr int kRounds = 10;
    bool served = false;
    for (int round = 0; round < kRounds && !served; ++round)
        served = isServed();
    EXPECT_TRUE(served);
}

} // namespace marquetry::test
