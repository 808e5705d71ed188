#include "engine/session/streams.h"

#include "engine/algebra/join_outputs.h"
#include "engine/device/device_file.h"
#include "engine/device/lut6.h"
#include "engine/lower_stream/schedule_as_built.h"
#include "engine/spacetime/typing.h"
#include "engine/support/assert.h"

#include <algorithm>

namespace marquetry::session {

namespace {

using spacetime::StreamSchedule;

/// For each throughput that is not at hand.
constexpr double kSweepSeconds = 2;
/// Recording states farther above the least circuit would take longer than the search.
constexpr double kStatesWithin = 0.05;

/// The circuit of the front that the user chose; the first when that is not there (any more).
void chooseCircuit(StreamItem& item) {
    const std::vector<spacetime::StreamDesign>& front = item.schedule->front;
    const auto choice = item.choice.circuits.find(item.schedule->clocks);
    item.chosen = 0;
    for (std::size_t k = 0; k < front.size() && choice != item.choice.circuits.end(); ++k)
        if (choice->second.chosen == CircuitName{front[k].area, front[k].delay})
            item.chosen = k;
    item.operators = std::make_shared<const std::vector<StreamOperator>>(
        operatorsOf(front[item.chosen].circuit));
}

void forgetSchedule(StreamItem& item) {
    item.schedule.reset();
    item.operators.reset();
    item.hardware.clear();
    item.failure.clear();
}

/// The candidate that the circuit's output is.
std::string typeOf(const spacetime::StreamDesign& design, const StreamSchedule& schedule) {
    const auto types = spacetime::check(design.circuit);
    ENGINE_ASSERT(types, "a schedule is a circuit");
    const spacetime::SeqType& type = (*types)[design.circuit.output.index()];
    for (const spacetime::SeqType& candidate : schedule.outputTypes)
        if (equivalent(candidate, type))
            return toString(candidate);
    return toString(type);
}

} // namespace

StreamChoice withoutCircuits(StreamChoice choice) {
    for (auto& [clocks, circuit] : choice.circuits)
        circuit.chosen.reset();
    return choice;
}

void Streams::open(std::vector<ir::StreamProgram> programs, const std::string& item) {
    *this = {};
    for (ir::StreamProgram& program : programs) {
        StreamItem& made = items_.emplace_back();
        auto one = algebra::withJoinedOutputs(program);
        if (program.name == item)
            current_ = items_.size() - 1;
        made.program = std::make_shared<const ir::StreamProgram>(one ? *one : program);
        if (one)
            made.rates = ratesOf(*made.program);
        else
            made.failure = one.error();
        setRate(made);
    }
    if (any())
        wake(items_[current_]);
}

Shared<std::vector<StreamItem>> Streams::shared() {
    if (!shared_)
        shared_ = items_;
    return *shared_;
}

std::vector<StreamItem>& Streams::change() {
    shared_.reset();
    return items_;
}

const StreamItem* Streams::find(const std::string& item) const {
    const auto found = std::ranges::find_if(
        items_, [&](const StreamItem& each) { return each.program->name == item; });
    return found == items_.end() ? nullptr : &*found;
}

/// Items are scheduled when they are first looked at.
void Streams::wake(StreamItem& item) {
    if (item.rates.empty())
        return;
    item.scheduling = item.scheduling || (!item.schedule && item.failure.empty());
    item.sweeping = std::ranges::any_of(item.rates, [](const auto& rate) { return !rate.tried; });
}

Status Streams::show(const std::string& name) {
    if (!any())
        return makeError("no-stream", "the file has no stream item", "open one that has");
    const StreamItem* wanted = find(name);
    if (!wanted)
        return makeError("stream-unknown", "there is no stream item \"" + name + "\"");
    current_ = static_cast<std::size_t>(wanted - items_.data());
    wake(change()[current_]);
    return ok();
}

Status Streams::admit(const std::string& name, const StreamChoice& choice) const {
    const StreamItem* wanted = find(name);
    if (!wanted)
        return makeError("stream-unknown", "there is no stream item \"" + name + "\"");
    if (wanted->rates.empty())
        return wanted->failure;
    if (choice.clocks != 0 && choice.clocks != wanted->choice.clocks)
        if (const Status feasible = checkThroughput(*wanted, choice.clocks); !feasible)
            return feasible;
    for (const auto& [clocks, circuit] : choice.circuits) {
        const auto before = wanted->choice.circuits.find(clocks);
        if (before != wanted->choice.circuits.end() && before->second == circuit)
            continue;
        if (const Status known = admitCircuit(*wanted, clocks, circuit); !known)
            return known;
    }
    return ok();
}

Status Streams::admitCircuit(const StreamItem& item, std::int64_t clocks,
                             const CircuitChoice& choice) const {
    if (const Status feasible = checkThroughput(item, clocks); !feasible)
        return feasible;
    if (const Status known = checkType(item, clocks, choice.outputType); !known)
        return known;
    if (!choice.chosen)
        return ok();
    if (!item.schedule || item.scheduling || item.schedule->clocks != clocks)
        return makeError("stream-unscheduled",
                         "the circuits of \"" + item.program->name + "\" are not known yet",
                         "wait for its schedule");
    const bool known = std::ranges::any_of(item.schedule->front, [&](const auto& design) {
        return CircuitName{design.area, design.delay} == *choice.chosen;
    });
    return known ? ok() : Status(makeError("circuit-unknown", "this circuit is not on the front"));
}

void Streams::setChoices(const StreamChoices& choices) {
    for (StreamItem& each : change()) {
        const auto found = choices.find(each.program->name);
        const StreamChoice asked = found == choices.end() ? StreamChoice() : found->second;
        if (asked == each.choice || each.rates.empty())
            continue;
        // The item may be another than the one that the choice was made for.
        const bool fits = admit(each.program->name, withoutCircuits(asked)).has_value();
        each.choice = fits ? asked : StreamChoice();
        setRate(each);
    }
}

/// Follows the choice to its throughput; what is known there already stays.
void Streams::setRate(StreamItem& item) {
    if (item.rates.empty())
        return;
    const std::int64_t all = outputElements(*item.program);
    const std::int64_t wanted = item.choice.clocks != 0 ? item.choice.clocks : all;
    auto at = std::ranges::lower_bound(item.rates, wanted, {}, &StreamRate::clocks);
    const bool there = at != item.rates.end() && at->clocks == wanted;
    if (!there && item.choice.clocks != 0)
        at = item.rates.insert(at, rateOf(*item.program, wanted));
    if (at == item.rates.end())
        --at;
    item.rate = static_cast<std::size_t>(at - item.rates.begin());
    const auto pin = item.choice.circuits.find(at->clocks);
    const std::string type = pin == item.choice.circuits.end() ? "" : pin->second.outputType;
    if (item.schedule && item.schedule->clocks == at->clocks && item.scheduledType == type)
        return chooseCircuit(item);
    item.scheduledType = type;
    forgetSchedule(item);
    // Those nobody looked at wait until somebody does.
    item.scheduling = &item == items_.data() + current_;
}

void Streams::scheduleAgain() {
    for (StreamItem& each : change()) {
        if (each.rates.empty())
            continue;
        for (StreamRate& rate : each.rates) {
            rate.tried = rate.proved = false;
            rate.area.reset();
        }
        forgetSchedule(each);
        each.states.reset();
    }
    if (any())
        wake(items_[current_]);
}

bool Streams::scheduling() const {
    return any() && items_[current_].scheduling;
}

bool Streams::due() const {
    if (!any())
        return false;
    const StreamItem& now = items_[current_];
    return now.scheduling || now.sweeping;
}

void Streams::settleForLess() {
    StreamItem& now = change()[current_];
    if (now.scheduling)
        now.failure = {makeError("search-stopped",
                                 "the search was stopped before it found a circuit",
                                 "choose the throughput again")};
    now.scheduling = now.sweeping = false;
}

std::string Streams::deviceFor(const device::Device& device) {
    return device::hasLut6(device) ? device.id : kStreamDevice;
}

void Streams::work(const device::Device& device, double seconds, std::stop_token stop) {
    StreamItem& now = change()[current_];
    now.device = deviceFor(device);
    const auto other = device::findDevice(kStreamDevice);
    ENGINE_ASSERT(other, "the device of streams is among ours");
    const device::Device& priced = now.device == device.id ? device : *other;
    if (now.scheduling)
        return makeSchedule(now, priced, seconds, std::move(stop));
    if (const auto nearest = nextRate(now))
        tryRate(now, now.rates[*nearest], priced, std::min(seconds, kSweepSeconds),
                std::move(stop));
    now.sweeping = std::ranges::any_of(now.rates, [](const auto& rate) { return !rate.tried; });
}

std::optional<std::size_t> Streams::nextRate(const StreamItem& item) {
    std::optional<std::size_t> nearest;
    const auto distance = [&](std::size_t k) {
        return k > item.rate ? k - item.rate : item.rate - k;
    };
    for (std::size_t k = 0; k < item.rates.size(); ++k)
        if (!item.rates[k].tried && (!nearest || distance(k) < distance(*nearest)))
            nearest = k;
    return nearest;
}

/// Follows the order of work().
void Streams::fail(const Diagnostic& reason) {
    if (!any())
        return;
    StreamItem& now = change()[current_];
    if (now.scheduling) {
        Diagnostics failure{reason};
        forgetSchedule(now);
        now.failure = std::move(failure);
        now.scheduling = false;
        return;
    }
    if (const auto rate = nextRate(now))
        now.rates[*rate].tried = true;
    now.sweeping = nextRate(now).has_value();
}

void Streams::giveUp() noexcept {
    if (!any())
        return;
    StreamItem& now = change()[current_];
    now.scheduling = now.sweeping = false;
}

namespace {

void note(StreamRate& rate, const Result<hdl::BuiltSchedule>& found) {
    rate.tried = true;
    rate.area.reset();
    if (!found)
        return;
    rate.area = found->schedule.front[0].area;
    rate.delay = found->schedule.front[0].delay;
    rate.proved = found->schedule.complete;
}

void adopt(StreamItem& item, hdl::BuiltSchedule built, const device::Device& device) {
    item.schedule = std::make_shared<const StreamSchedule>(std::move(built.schedule));
    item.hardware = std::move(built.hardware);
    item.frontTypes.clear();
    for (const spacetime::StreamDesign& design : item.schedule->front)
        item.frontTypes.push_back(typeOf(design, *item.schedule));
    ENGINE_ASSERT(item.schedule->stateGraph, "states were asked for");
    item.states =
        std::make_shared<const StreamStates>(statesOf(*item.schedule->stateGraph, device));
    chooseCircuit(item);
}

} // namespace

void Streams::makeSchedule(StreamItem& item, const device::Device& device, double seconds,
                           std::stop_token stop) {
    spacetime::ScheduleParams params;
    params.seconds = seconds;
    params.outputType = item.scheduledType;
    params.statesWithin = kStatesWithin;
    auto found =
        hdl::scheduleAsBuilt(*item.program, item.rates[item.rate].clocks, device, params, stop);
    if (stop.stop_requested() && !found)
        return;
    StreamItem next = item; // all at the end
    next.scheduling = false;
    if (params.outputType.empty())
        note(next.rates[next.rate], found);
    if (found) {
        adopt(next, *std::move(found), device);
    } else {
        next.failure = found.error();
        for (Diagnostic& diagnostic : next.failure)
            if (diagnostic.file.empty() && diagnostic.range.known())
                diagnostic.file = next.program->file;
    }
    item = std::move(next);
}

void Streams::tryRate(StreamItem& item, StreamRate& rate, const device::Device& device,
                      double seconds, std::stop_token stop) {
    spacetime::ScheduleParams params;
    params.seconds = seconds;
    const auto found = hdl::scheduleAsBuilt(*item.program, rate.clocks, device, params, stop);
    if (found || !stop.stop_requested())
        note(rate, found);
}

} // namespace marquetry::session
