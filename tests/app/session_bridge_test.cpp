#include "app/session_bridge.h"
#include "engine/device/device_file.h"
#include "tests/support/waits.h"

#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include <mutex>
#include <thread>

namespace marquetry::test {

namespace {

using app::SessionBridge;
using session::Phase;

/// A port whose callbacks come from another thread and whose snapshots are set by the test.
class ThreadedPort : public app::SessionPort {
public:
    explicit ThreadedPort(session::Session::Callbacks callbacks)
        : callbacks_(std::move(callbacks)),
          snapshot_(std::make_shared<const session::Snapshot>()) {}

    session::Ticket post(session::Command) override {
        const session::Ticket ticket = ++tickets_;
        onThread([this, ticket] {
            session::Acknowledgement acknowledgement;
            acknowledgement.ticket = ticket;
            acknowledgement.epoch = latest()->epoch + 1;
            callbacks_.acknowledged(acknowledgement);
        });
        return ticket;
    }
    void requestSnapshot() override {
        ++requests;
        if (answer)
            publish(phase);
    }
    std::shared_ptr<const session::Snapshot> latest() const override {
        const std::scoped_lock lock(mutex_);
        return snapshot_;
    }

    void publish(Phase now, int announcements = 1) {
        auto fresh = std::make_shared<session::Snapshot>();
        fresh->phase = now;
        {
            const std::scoped_lock lock(mutex_);
            fresh->epoch = snapshot_->epoch + 1;
            snapshot_ = fresh;
        }
        onThread([this, announcements] {
            for (int k = 0; k < announcements; ++k)
                callbacks_.snapshotReady();
        });
    }

    std::atomic<int> requests = 0;
    bool answer = true;
    Phase phase = Phase::Loaded;

private:
    template <class Work>
    static void onThread(Work work) {
        std::jthread thread(work);
    }

    session::Session::Callbacks callbacks_;
    mutable std::mutex mutex_;
    std::shared_ptr<const session::Snapshot> snapshot_;
    session::Ticket tickets_ = 0;
};

struct Bridged {
    ThreadedPort* port = nullptr;
    std::unique_ptr<SessionBridge> bridge;

    Bridged() {
        bridge = std::make_unique<SessionBridge>([this](session::Session::Callbacks callbacks) {
            auto made = std::make_unique<ThreadedPort>(std::move(callbacks));
            port = made.get();
            return made;
        });
    }
};

} // namespace

TEST(SessionBridge, AsksForNothingWhileNobodyLooks) {
    Bridged b;
    QSignalSpy acknowledged(b.bridge.get(), &SessionBridge::acknowledged);
    b.bridge->post(session::Run{});
    ASSERT_TRUE(waitForNext(acknowledged));
    EXPECT_EQ(b.port->requests, 0);
}

TEST(SessionBridge, BringsAcknowledgementsAndTheSnapshotThatShowsThem) {
    Bridged b;
    QSignalSpy acknowledged(b.bridge.get(), &SessionBridge::acknowledged);
    QSignalSpy changed(b.bridge.get(), &SessionBridge::snapshotChanged);
    b.bridge->setWatching(true);
    const session::Ticket ticket = b.bridge->post(session::Run{});
    EXPECT_TRUE(acknowledged.empty()) << "acknowledgements are queued, never nested in post";
    ASSERT_TRUE(waitFor([&] { return !acknowledged.empty(); }));
    const auto answer = acknowledged[0][0].value<session::Acknowledgement>();
    EXPECT_EQ(answer.ticket, ticket);
    ASSERT_TRUE(waitFor([&] { return b.bridge->snapshot()->epoch >= answer.epoch; }));
    EXPECT_FALSE(changed.empty());
}

TEST(SessionBridge, KeepsAskingWhileSomethingRunsAndStopsAfterwards) {
    Bridged b;
    b.port->phase = Phase::Saturating;
    b.bridge->setWatching(true);
    ASSERT_TRUE(waitFor([&] { return b.bridge->snapshot()->epoch >= 4; }));
    b.port->phase = Phase::Ready;
    ASSERT_TRUE(waitFor([&] { return b.bridge->snapshot()->phase == Phase::Ready; }));
    // At rest the timer is off: a request from then on can only come from a new command.
    ASSERT_TRUE(waitFor([&] { return !b.bridge->asking(); }));
    const int requests = b.port->requests;
    QSignalSpy acknowledged(b.bridge.get(), &SessionBridge::acknowledged);
    b.bridge->post(session::Pause{});
    ASSERT_TRUE(waitForNext(acknowledged));
    EXPECT_EQ(b.port->requests, requests + 1);
}

TEST(SessionBridge, HasOneRequestUnderWayAtMost) {
    Bridged b;
    b.port->answer = false;
    b.port->phase = Phase::Saturating;
    b.bridge->setWatching(true);
    QSignalSpy acknowledged(b.bridge.get(), &SessionBridge::acknowledged);
    b.bridge->post(session::Run{});
    b.bridge->post(session::StepOnce{});
    ASSERT_TRUE(waitFor([&] { return acknowledged.size() == 2; }));
    EXPECT_EQ(b.port->requests, 1);
}

TEST(SessionBridge, AnnouncesAFloodOnce) {
    Bridged b;
    QSignalSpy changed(b.bridge.get(), &SessionBridge::snapshotChanged);
    b.port->publish(Phase::Loaded, 1000);
    ASSERT_TRUE(waitForNext(changed));
    QCoreApplication::processEvents();
    EXPECT_EQ(changed.size(), 1);
}

TEST(SessionBridge, IgnoresWhatArrivesAfterItsEnd) {
    auto b = std::make_unique<Bridged>();
    b->port->publish(Phase::Loaded);
    b.reset();
    QCoreApplication::processEvents();
    SUCCEED();
}

} // namespace marquetry::test
