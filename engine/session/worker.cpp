#include "engine/session/worker.h"

#include "engine/support/failure.h"

#include <algorithm>
#include <chrono>
#include <new>

namespace marquetry::session {

namespace {

/// Until memory is asked for again that there was none of.
constexpr std::chrono::milliseconds kNap{10};

} // namespace

Session::Worker::Worker(Callbacks callbacks)
    : callbacks_(std::move(callbacks)),
      controller_({[this](Ticket ticket, const Status& status) {
                       acknowledge(ticket, status.has_value(), status ? nullptr : &status.error());
                   },
                   [this] { publishIfDue(); }}) {
    latest_ = std::make_shared<const Snapshot>(controller_.snapshot(false));
    thread_ = std::jthread([this](std::stop_token stop) { run(std::move(stop)); });
}

Session::Worker::~Worker() {
    thread_.request_stop();
    {
        const std::lock_guard lock(mutex_);
        stopWork_.request_stop();
    }
    thread_.join();
}

Ticket Session::Worker::post(Command command) {
    Ticket ticket = 0;
    {
        const std::lock_guard lock(mutex_);
        ticket = ++lastTicket_;
        if (interrupts(command, work_))
            stopWork_.request_stop();
        queue_.push_back({ticket, std::move(command)});
    }
    wake_.notify_one();
    return ticket;
}

void Session::Worker::requestSnapshot() {
    {
        const std::lock_guard lock(mutex_);
        wanted_ = true;
    }
    wake_.notify_one();
}

std::shared_ptr<const Snapshot> Session::Worker::latest() const {
    const std::lock_guard lock(mutex_);
    return latest_;
}

void Session::Worker::run(std::stop_token stop) {
    ending_ = stop;
    while (!stop.stop_requested()) {
        const auto posted = waitForCommand(stop);
        if (posted)
            handle(*posted);
        publishIfDue();
        if (!posted && !stop.stop_requested()) {
            guarded([&] { doWork(); });
            publishIfDue(); // nothing may come that would do it
        }
    }
    guarded([&] { controller_.close(); });
    refuseRest();
}

void Session::Worker::handle(const Posted& posted) {
    inHand_ = posted.ticket;
    guarded([&] {
        const bool opens = std::holds_alternative<OpenFile>(posted.command) ||
                           std::holds_alternative<OpenSession>(posted.command);
        controller_.handle(posted.ticket, posted.command,
                           opens ? startWork(Work::Open) : std::stop_token());
    });
    endWork();
}

/// The token of what is under way from here on; a command that waits already may end it.
std::stop_token Session::Worker::startWork(Work work) {
    const std::lock_guard lock(mutex_);
    work_ = work;
    stopWork_ = std::stop_source();
    const bool late = std::ranges::any_of(
        queue_, [this](const Posted& posted) { return interrupts(posted.command, work_); });
    if (late || ending_.stop_requested())
        stopWork_.request_stop();
    return stopWork_.get_token();
}

void Session::Worker::endWork() {
    const std::lock_guard lock(mutex_);
    work_ = Work::None;
}

template <class Act>
void Session::Worker::guarded(const Act& act) noexcept {
    try {
        act();
    } catch (...) {
        recover();
    }
}

void Session::Worker::recover() noexcept {
    try {
        controller_.recover(failureOf(controller_.doing()));
    } catch (...) {
        controller_.giveUp();
    }
    {
        const std::lock_guard lock(mutex_);
        work_ = Work::None;
    }
    if (inHand_ && !controller_.hasJob())
        acknowledge(*inHand_, false, &controller_.failure());
}

/// The next command, or nothing when there is other work, a snapshot is wanted, or all is over.
std::optional<Session::Worker::Posted> Session::Worker::waitForCommand(std::stop_token stop) {
    std::unique_lock lock(mutex_);
    const auto handsFull = [this] { return wanted_ || controller_.nextWork() != Work::None; };
    wake_.wait(lock, stop, [&] { return !queue_.empty() || handsFull(); });
    if (stop.stop_requested() || queue_.empty() || controller_.hasJob())
        return std::nullopt;
    Posted posted = std::move(queue_.front());
    queue_.pop_front();
    return posted;
}

void Session::Worker::doWork() {
    controller_.work(startWork(controller_.begin()));
    endWork();
}

void Session::Worker::refuseRest() {
    Diagnostics ended;
    guarded([&] { ended = {makeError("session-ended", "the session has ended")}; });
    std::unique_lock lock(mutex_);
    while (!queue_.empty()) {
        const Ticket ticket = queue_.front().ticket;
        queue_.pop_front();
        lock.unlock();
        acknowledge(ticket, false, &ended);
        lock.lock();
    }
}

void Session::Worker::acknowledge(Ticket ticket, bool accepted,
                                  const Diagnostics* diagnostics) noexcept {
    if (inHand_ == ticket)
        inHand_.reset();
    for (bool again = true; again; diagnostics = nullptr) { // once more with less to say
        try {
            return tell(ticket, accepted, diagnostics);
        } catch (const std::bad_alloc&) { // whoever waits for this has nothing else to go by
            again = diagnostics || waitForMemory();
        } catch (...) { // the receiver cannot be told
            again = diagnostics;
        }
    }
}

bool Session::Worker::waitForMemory() noexcept {
    std::this_thread::sleep_for(kNap);
    return !ending_.stop_requested();
}

void Session::Worker::tell(Ticket ticket, bool accepted, const Diagnostics* diagnostics) {
    if (!callbacks_.acknowledged)
        return;
    Acknowledgement acknowledgement;
    acknowledgement.ticket = ticket;
    acknowledgement.accepted = accepted;
    if (diagnostics)
        acknowledgement.diagnostics = *diagnostics;
    acknowledgement.epoch = epoch_ + 1;
    callbacks_.acknowledged(acknowledgement);
}

void Session::Worker::publishIfDue() noexcept {
    bool watched = false;
    {
        const std::lock_guard lock(mutex_);
        watched = std::exchange(wanted_, false);
    }
    if (!watched && controller_.phase() == published_ && !controller_.hasNews())
        return;
    try {
        return publish(watched);
    } catch (...) {
        publishLean(watched);
    }
}

/// In a catch block, maybe within work that goes on.
void Session::Worker::publishLean(bool watched) noexcept {
    try {
        controller_.snapshotFailed(failureOf("showing the results"));
        return publish(watched);
    } catch (const std::bad_alloc&) {
        waitForMemory();
        const std::lock_guard lock(mutex_);
        wanted_ = true; // whoever waits for it still does
    } catch (...) {     // the receiver cannot be told
    }
}

void Session::Worker::publish(bool watched) {
    auto fresh = std::make_shared<Snapshot>(controller_.snapshot(watched));
    fresh->epoch = ++epoch_;
    published_ = fresh->phase;
    std::shared_ptr<const Snapshot> old = std::move(fresh);
    {
        const std::lock_guard lock(mutex_);
        latest_.swap(old);
    }
    if (callbacks_.snapshotReady)
        callbacks_.snapshotReady();
}

} // namespace marquetry::session
