// A session under test: waits for acknowledgements and phases, never for time.
//
// Every wait has the patience of all tests, so that a mistake fails instead of hanging.
// Thread rule: test thread; the callbacks only take the lock.
#pragma once

#include "engine/session/explore.h"
#include "engine/session/session.h"
#include "tests/support/patience.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <condition_variable>
#include <map>
#include <mutex>
#include <set>

namespace marquetry::session {

/// Two convolutions of one shape: a shared unit is the best answer to a tight DSP limit.
inline const char* const kTwoLayers = R"(design two_layers {
  input  image : i8[4, 4, 64]     = random(seed: 1);
  weight w1    : i8[64, 3, 3, 64] = random(seed: 2);
  weight w2    : i8[64, 3, 3, 64] = random(seed: 3);
  let a    = relu(requant(conv(image, w1, pad: 1), shift: 12));
  output y = requant(conv(a, w2, pad: 1), shift: 12);
}
)";

class Harness {
public:
    using Wrap = std::function<Session::Callbacks(Session::Callbacks)>;

    /// `wrap` may put something around the callbacks.
    explicit Harness(const Wrap& wrap = [](Session::Callbacks callbacks) { return callbacks; })
        : session_(std::make_unique<Session>(
              wrap({[this] { onSnapshot(); },
                    [this](const Acknowledgement& a) { onAcknowledged(a); }}))) {}

    ~Harness() { destroy(); }

    Session& session() { return *session_; }
    void destroy() {
        {
            const std::lock_guard lock(mutex_);
            closing_ = true;
        }
        session_.reset();
    }

    /// Posts and waits for the acknowledgement.
    Acknowledgement run(Command command) { return wait(session_->post(std::move(command))); }

    Acknowledgement wait(Ticket ticket) {
        std::unique_lock lock(mutex_);
        const bool came = changed_.wait_for(lock, test::kPatience,
                                            [&] { return acknowledged_.contains(ticket); });
        EXPECT_TRUE(came) << "no acknowledgement of ticket " << ticket;
        return came ? acknowledged_.at(ticket).front() : Acknowledgement{};
    }

    std::shared_ptr<const Snapshot> waitFor(Phase phase) {
        std::unique_lock lock(mutex_);
        std::shared_ptr<const Snapshot> snapshot;
        const bool came = changed_.wait_for(lock, test::kPatience, [&] {
            snapshot = session_->latest();
            return snapshot->phase == phase;
        });
        EXPECT_TRUE(came) << "phase " << toString(phase) << " never came, it is "
                          << toString(snapshot->phase);
        return snapshot;
    }

    /// Until the session has come to the phase for the first time; it may have left it since.
    void waitUntilReached(Phase phase) {
        std::unique_lock lock(mutex_);
        EXPECT_TRUE(
            changed_.wait_for(lock, test::kPatience, [&] { return reached_.contains(phase); }))
            << "phase " << toString(phase) << " never came";
    }

    /// A snapshot that shows everything acknowledged so far.
    std::shared_ptr<const Snapshot> fresh() {
        std::unique_lock lock(mutex_);
        const std::uint64_t before = session_->latest()->epoch;
        session_->requestSnapshot();
        std::shared_ptr<const Snapshot> snapshot;
        const bool came = changed_.wait_for(lock, test::kPatience, [&] {
            snapshot = session_->latest();
            return snapshot->epoch > before;
        });
        EXPECT_TRUE(came) << "the snapshot asked for never came";
        lost_ = lost_ || !came;
        return snapshot;
    }

    /// Posts a command after which the session comes to rest, and waits for that.
    std::shared_ptr<const Snapshot> settle(Command command) {
        const Acknowledgement done = run(std::move(command));
        EXPECT_TRUE(done.accepted) << format(done.diagnostics);
        return settled();
    }

    std::shared_ptr<const Snapshot> settled() {
        const test::Patience patience;
        for (;;) {
            const auto snapshot = fresh();
            const bool busy =
                snapshot->phase == Phase::Saturating || snapshot->phase == Phase::Extracting ||
                snapshot->phase == Phase::Exporting || snapshot->phase == Phase::Verifying ||
                snapshot->phase == Phase::Measuring || snapshot->phase == Phase::Planning ||
                snapshot->phase == Phase::Opening || snapshot->phase == Phase::Writing;
            const bool late = patience.over();
            EXPECT_FALSE(busy && late) << "still " << toString(snapshot->phase);
            if (!busy || lost_ || late)
                return snapshot;
        }
    }

    std::map<Ticket, std::vector<Acknowledgement>> acknowledged() {
        const std::lock_guard lock(mutex_);
        return acknowledged_;
    }

    static Settings withDsp(double dsp) {
        Settings settings;
        settings.limits["dsp"] = dsp;
        return settings;
    }

    /// Opens the program under a DSP limit and explores it to the end.
    std::shared_ptr<const Snapshot> explored(double dsp, const char* text = kTwoLayers) {
        EXPECT_TRUE(run(ChangeSettings{withDsp(dsp)}).accepted);
        EXPECT_TRUE(run(OpenText{text, "two_layers.mq"}).accepted);
        return settle(Run{});
    }

private:
    void onSnapshot() {
        const std::lock_guard lock(mutex_);
        if (!closing_)
            reached_.insert(session_->latest()->phase);
        changed_.notify_all();
    }
    void onAcknowledged(const Acknowledgement& acknowledgement) {
        const std::lock_guard lock(mutex_);
        acknowledged_[acknowledgement.ticket].push_back(acknowledgement);
        changed_.notify_all();
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<Ticket, std::vector<Acknowledgement>> acknowledged_;
    std::set<Phase> reached_;
    bool lost_ = false; ///< the session does not answer any more
    bool closing_ = false;
    std::unique_ptr<Session> session_;
};

inline std::string text(const Snapshot& snapshot) {
    return snapshot.design ? designJson(*snapshot.design, *snapshot.program) : "no design";
}

inline bool hasCode(const Diagnostics& diagnostics, const std::string& code) {
    for (const Diagnostic& diagnostic : diagnostics)
        if (diagnostic.code == code)
            return true;
    return false;
}

} // namespace marquetry::session
