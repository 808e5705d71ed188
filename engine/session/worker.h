// Session::Worker: the engine thread, with its queue of commands. It publishes snapshots, waits
// when there is nothing to do, and ends every exception that comes out of the engine.
//
// One std::jthread owns the controller and everything below it. The mutex guards the queue, the
// request for a snapshot, the last published one, and which work is under way. It is never held
// while working, publishing or calling back.
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
    void handle(const Posted& posted);
    std::stop_token startWork(Work work);
    void endWork();
    void doWork();
    /// Calls `act`. What it throws becomes a state of the session, and the command in hand, if
    /// there is one, is refused.
    template <class Act>
    void guarded(const Act& act) noexcept;
    /// In a catch block.
    void recover() noexcept;
    void refuseRest();
    /// `diagnostics` may be null; they are left out when there is no memory for them. Waits for
    /// memory when there is none to say so much, for as long as the session lives.
    void acknowledge(Ticket ticket, bool accepted, const Diagnostics* diagnostics) noexcept;
    void tell(Ticket ticket, bool accepted, const Diagnostics* diagnostics);
    /// False when the session ends.
    bool waitForMemory() noexcept;
    void publishIfDue() noexcept;
    void publishLean(bool watched) noexcept;
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

    Controller controller_;        ///< engine thread only, as is the rest
    std::optional<Ticket> inHand_; ///< handed to the controller and not acknowledged yet
    std::stop_token ending_;       ///< the session's end
    std::uint64_t epoch_ = 0;
    Phase published_ = Phase::Empty;

    std::jthread thread_; ///< last: it starts when all the others are there
};

} // namespace marquetry::session
