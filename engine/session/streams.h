// Streams: the session's state of the `stream` items of a file. It knows which of them is at hand
// and at which throughput, its circuit, and the least areas over all throughputs on offer.
//
// Without threads, like the controller that owns it: work() does what is due, one search at a time.
// The circuits at hand come first, with the hardware of each. Then come the throughputs that nobody
// has tried, the nearest first.
//
// On offer are the throughputs of stream_rates.h and whatever the user asked for. Devices without
// 6-input LUTs cannot price streams. The areas are then those of kStreamDevice, and
// StreamItem::device says so.
//
// Errors (of the commands): no-stream, stream-unknown, stream-unscheduled (nothing to choose from
// yet), circuit-unknown (not of the front), type-unknown (no output type is written so), and those
// of spacetime::clocksFor. What is wrong with an item is an answer: StreamItem::failure.
// Cancel: that of spacetime::schedule. Thread rule: belongs to one thread.
#pragma once

#include "engine/device/device.h"
#include "engine/session/stream_rates.h"
#include "engine/support/shared.h"

#include <stop_token>

namespace marquetry::session {

class Streams {
public:
    static constexpr const char* kStreamDevice = "xc7k160t";

    /// Replaces everything. `item`: the one at hand; the first if there is none of that name.
    void open(std::vector<ir::StreamProgram> programs, const std::string& item);
    bool any() const { return !items_.empty(); }
    const std::vector<StreamItem>& items() const { return items_; }
    /// The items as they are now; made anew only after a change.
    Shared<std::vector<StreamItem>> shared();
    std::size_t current() const { return current_; }
    const StreamItem* find(const std::string& item) const;

    Status show(const std::string& item);
    /// Whether the choice can be made of the item.
    Status admit(const std::string& item, const StreamChoice& choice) const;
    void setChoices(const StreamChoices& choices);
    /// Another device or time limit: what was found may be another answer now.
    void scheduleAgain();

    /// The circuit at hand is wanted.
    bool scheduling() const;
    /// That, or throughputs nobody has tried.
    bool due() const;
    /// Ends the search under way and all that would follow it.
    void settleForLess();
    void work(const device::Device& device, double seconds, std::stop_token stop);
    /// work() has thrown: what was due has this for an answer.
    void fail(const Diagnostic& reason);
    /// Nothing is due any more, without an answer.
    void giveUp() noexcept;

    /// The id of the device that streams are priced on.
    static std::string deviceFor(const device::Device& device);

private:
    /// To be changed.
    std::vector<StreamItem>& change();
    /// The throughput that work() tries next; nothing: none.
    static std::optional<std::size_t> nextRate(const StreamItem& item);
    static void wake(StreamItem& item);
    Status admitCircuit(const StreamItem& item, std::int64_t clocks,
                        const CircuitChoice& choice) const;
    void setRate(StreamItem& item);
    static void makeSchedule(StreamItem& item, const device::Device& device, double seconds,
                             std::stop_token stop);
    static void tryRate(StreamItem& item, StreamRate& rate, const device::Device& device,
                        double seconds, std::stop_token stop);

    std::vector<StreamItem> items_;
    std::optional<Shared<std::vector<StreamItem>>> shared_;
    std::size_t current_ = 0;
};

/// What can be admitted before the fronts are known, of which circuits are chosen.
StreamChoice withoutCircuits(StreamChoice choice);

/// The operators of a circuit, functions after their operators.
std::vector<StreamOperator> operatorsOf(const spacetime::Graph& circuit);

/// The states recorded with a schedule.
StreamStates statesOf(const spacetime::StateGraph& states, const device::Device& device);

} // namespace marquetry::session
