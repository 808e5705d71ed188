#include "engine/design/weight_traffic.h"

#include "engine/design/cycle_model.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace marquetry::design {

namespace {

/// The clock in which a queue hands over its first beat, after the memory gave it.
constexpr double kQueueLatency = 1;
/// From the clock in which there is room for a burst to the one in which the memory takes it.
constexpr double kRequestLatency = 1;

} // namespace

std::int64_t queueBeats(const ExternalMemory& memory) {
    const double underWay = static_cast<double>(memory.latencyCycles) * memory.bytesPerCycle /
                            static_cast<double>(memory.beatBytes);
    const auto beats = static_cast<std::uint64_t>(std::ceil(underWay)) + 2 * kBurstBeats;
    return static_cast<std::int64_t>(std::bit_ceil(beats));
}

WeightReplay::WeightReplay(const Schedule& schedule)
    : schedule_(schedule),
      fillsUp_(externalReads(schedule).fillsUp()),
      queue_(queueBeats(*schedule.memory)),
      beatClocks_(std::max(1.0, static_cast<double>(schedule.memory->beatBytes) /
                                    schedule.memory->bytesPerCycle)),
      burst_(-static_cast<double>(kBurstBeats) * beatClocks_) {
    for (const ScheduleUnit& unit : schedule.units)
        rings_.push_back({std::vector<double>(static_cast<std::size_t>(unit.ringWords), 0.0), 0,
                          unit.ringWords > 0 ? beatsOfWord(schedule, unit.id) : 0});
}

/// When that many beats had left the queue, those of the next word as soon as `place` is free. From
/// one burst to the next they become more, so what left earlier is never asked for again.
double WeightReplay::leftQueue(std::int64_t beats, double place) {
    while (!departures_.empty() && departures_.front().beats < beats)
        departures_.pop_front();
    if (beats <= 0)
        return 0;
    if (beats > beats_)
        return std::max(left_, place) + static_cast<double>(beats - beats_);
    const Departure& word = departures_.front();
    const double beatClocks = (word.clock - word.begun) / static_cast<double>(word.ofWord);
    return word.clock - static_cast<double>(word.beats - beats) * beatClocks;
}

/// The first clock from this one on in which weights are asked for. Clocks never become less.
double WeightReplay::behindPauses(double clock) {
    while (!pauses_.empty() && static_cast<double>(pauses_.front().end) <= clock)
        pauses_.pop_front();
    const bool within = !pauses_.empty() && static_cast<double>(pauses_.front().begin) <= clock;
    return within ? behindPauses(static_cast<double>(pauses_.front().end)) : clock;
}

/// The clock in which the next beats are out of the queue, which leave it from `place` on.
double WeightReplay::leave(std::int64_t beats, double place) {
    const std::int64_t end = beats_ + beats;
    // A burst is asked for when there is room for all of it.
    while (bursts_ * kBurstBeats < end) {
        ++bursts_;
        const double asked =
            behindPauses(leftQueue(bursts_ * kBurstBeats - queue_, place) + kRequestLatency);
        burst_ = std::max(burst_ + static_cast<double>(kBurstBeats) * beatClocks_,
                          asked + static_cast<double>(schedule_.memory->latencyCycles));
    }
    const std::int64_t ofBurst = end - (bursts_ - 1) * kBurstBeats;
    const double read = burst_ + static_cast<double>(ofBurst) * beatClocks_;
    const double begun = std::max({left_, place, read - static_cast<double>(beats) * beatClocks_});
    left_ = std::max({left_ + static_cast<double>(beats), read + kQueueLatency,
                      place + static_cast<double>(beats)});
    beats_ = end;
    departures_.push_back({end, beats, begun, left_});
    return left_;
}

/// The clock in which the next word of a run, of this unit, can be used.
double WeightReplay::arrive(UnitId unit) {
    Ring& ring = rings_[unit.index()];
    const double place = ring.freed[ring.next];
    ring.next = after(ring, ring.next);
    return leave(ring.beats, place) + kLoadLatency;
}

std::int64_t WeightReplay::waits(const ComputeStep& step, std::int64_t begin) {
    const cost::CallShape shape = callShape(schedule_, step);
    const std::int64_t wait = cost::reductionWait(shape);
    const std::int64_t reductionsMore = shape.pixels - 1; // of a block, behind the first one
    double clock = static_cast<double>(begin + cost::kSetupCycles);
    double waited = 0;
    Ring& ring = rings_[step.unit.index()];
    for (std::int64_t block = 0; block < step.rowBlocks; ++block) {
        const std::size_t first = ring.next;
        for (std::int64_t word = 0; word < shape.reductionWords; ++word) {
            const std::size_t place = ring.next;
            const double there = std::ceil(arrive(step.unit));
            if (there > clock) {
                waited += there - clock;
                waited_.emplace_back(clock, there);
            }
            clock = std::max(clock, there);
            ring.freed[place] = clock;
            ++clock;
        }
        const auto more = static_cast<double>(reductionsMore * (shape.reductionWords + wait));
        const double last = clock + more - static_cast<double>(shape.reductionWords);
        std::size_t place = first;
        for (std::int64_t word = 0; word < shape.reductionWords && reductionsMore > 0; ++word) {
            ring.freed[place] = last + static_cast<double>(word);
            place = after(ring, place);
        }
        clock += more + static_cast<double>(wait);
    }
    if (const std::int64_t ofBurst = beats_ % kBurstBeats; fillsUp_ && ofBurst > 0)
        leave(kBurstBeats - ofBurst, 0);
    return static_cast<std::int64_t>(waited);
}

std::int64_t WeightReplay::clocksOfWaits() const {
    std::vector<std::pair<double, double>> spans = waited_;
    std::ranges::sort(spans);
    double clocks = 0, end = 0;
    for (const auto& [from, until] : spans) {
        clocks += std::max(0.0, until - std::max(from, end));
        end = std::max(end, until);
    }
    return static_cast<std::int64_t>(clocks);
}

} // namespace marquetry::design
