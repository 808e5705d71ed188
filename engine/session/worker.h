// Session::Worker: the engine thread — its queue, its naps, its publications.
//
// One std::jthread owns the controller and everything below it. The mutex guards the queue, the
// wish for a snapshot, the last published one, and which work is under way; it is never held while
// working, publishing or calling back.
// Thread rule: public members may be called from any thread; the rest runs on the engine thread.
#pragma once

#include "engine/session/controller.h"
#include "engine/session/session.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace marquetry::session {

class Session::Worker {
public:
    explicit Worker(Callbacks callbacks);
    ~Worker();

    Ticket post(Command command);
    void requestSnapshot();
    std::shared_ptr<const Snapshot> latest() const;

private:
    struct Posted {
        Ticket ticket = 0;
        Command command;
    };

    void run(std::stop_token stop);
    std::optional<Posted> waitForCommand(std::stop_token stop);
    void doWork(std::stop_token stop);
    void refuseRest();
    void acknowledge(Ticket ticket, const Status& status);
    void publishIfDue();
    void publish(bool watched);

    Callbacks callbacks_;

    mutable std::mutex mutex_;
    std::condition_variable_any wake_;
    std::deque<Posted> queue_;
    Ticket lastTicket_ = 0;
    bool wanted_ = false;
    std::shared_ptr<const Snapshot> latest_;
    Work work_ = Work::None;
    std::stop_source stopWork_;

    Controller controller_; ///< engine thread only, as is the rest
    std::uint64_t epoch_ = 0;
    Phase published_ = Phase::Empty;

    std::jthread thread_; ///< last: it starts when all the others are there
};

} // namespace marquetry::session
