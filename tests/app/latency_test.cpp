// The latency probe: how long an event waits in the window while the engine works flat out.
#include "probe.h"
#include "tests/support/places.h"
#include "window_fixture.h"

#include <algorithm>

namespace marquetry::test {

using session::Phase;

class Latency : public WindowFixture {
protected:
    app::SessionPortFactory factory() override { return &app::makeEnginePort; }

    /// What all threads together do for an exploration.
    Effort explore() {
        return effortOfProcess([&] {
            trigger(app::Act::Run);
            EXPECT_TRUE(reaches(Phase::Ready));
        });
    }
};

TEST_F(Latency, EventsAreServedWhileTheEngineExploresVgg) {
    window->openFile(
        QString::fromStdString(test::sourceFolder() + "/examples/vgg_cifar/vgg_cifar.mq"));
    ASSERT_TRUE(reaches(Phase::Loaded));
    // If the window's thread did the work, an event would wait for most of an exploration.
    Probe probe;
    const Effort exploration = explore();
    ASSERT_TRUE(waitFor([&] { return probe.count() >= 100; }));
    EXPECT_LT(probe.mostEffort(), 0.5 * exploration);
}

} // namespace marquetry::test
