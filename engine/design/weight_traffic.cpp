#include "engine/design/weight_traffic.h"

#include "engine/design/cycle_model.h"
#include "engine/design/windows.h"
#include "engine/support/assert.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace marquetry::design {

namespace {

/// The clock in which a queue hands over its first beat, after the memory gave it.
constexpr double kQueueLatency = 1;
/// From the clock in which there is room for a burst to the one in which the memory takes it.
constexpr double kRequestLatency = 1;

int bytesOfWeight(const ScheduleUnit& unit) {
    return ir::storedBits(unit.weight) / 8;
}

void append(std::string& image, const ScheduleUnit& unit, std::int64_t elements,
            std::int64_t beatBytes, const WeightRun& run, const std::vector<std::int64_t>& packed) {
    const int bytes = bytesOfWeight(unit);
    for (std::int64_t word = run.first; word < run.first + run.words; ++word) {
        for (std::int64_t e = 0; e < elements; ++e) {
            const auto value =
                static_cast<std::uint64_t>(packed[static_cast<std::size_t>(word * elements + e)]);
            for (int byte = 0; byte < bytes; ++byte)
                image += static_cast<char>(value >> (8 * byte) & 0xff);
        }
        image.resize(
            static_cast<std::size_t>(roundUp(static_cast<std::int64_t>(image.size()), beatBytes)),
            '\0');
    }
}

} // namespace

bool isLoaded(const Schedule& schedule, UnitId id) {
    const ScheduleUnit& unit = schedule.unit(id);
    return schedule.memory && !unit.pass && !unit.stream && !unit.holds &&
           unit.weightWords + unit.externalWords > 0;
}

std::int64_t beatsOfWord(const Schedule& schedule, UnitId id) {
    const ScheduleUnit& unit = schedule.unit(id);
    return ceilDiv(unit.weightElements(schedule.lanes) * bytesOfWeight(unit),
                   schedule.memory->beatBytes);
}

std::vector<WeightRun> residentRuns(const Schedule& schedule) {
    std::vector<WeightRun> runs;
    for (const ScheduleUnit& unit : schedule.units)
        if (isLoaded(schedule, unit.id) && unit.weightWords > 0)
            runs.push_back({unit.id, 0, unit.weightWords});
    return runs;
}

std::vector<WeightRun> externalRuns(const Schedule& schedule) {
    std::vector<WeightRun> runs;
    for (const Step& step : schedule.steps) {
        const auto* compute = std::get_if<ComputeStep>(&step);
        if (compute == nullptr || !compute->external)
            continue;
        const std::int64_t words = compute->rowBlocks * reductionWords(schedule, *compute);
        if (!runs.empty() && runs.back().unit == compute->unit)
            runs.back().words += words;
        else
            runs.push_back({compute->unit, compute->weightBase, words});
    }
    return runs;
}

std::int64_t imageBeats(const Schedule& schedule, const std::vector<WeightRun>& runs) {
    std::int64_t beats = 0;
    for (const WeightRun& run : runs)
        beats += run.words * beatsOfWord(schedule, run.unit);
    return roundUp(beats, kBurstBeats);
}

std::int64_t queueBeats(const ExternalMemory& memory) {
    const double underWay = static_cast<double>(memory.latencyCycles) * memory.bytesPerCycle /
                            static_cast<double>(memory.beatBytes);
    const auto beats = static_cast<std::uint64_t>(std::ceil(underWay)) + 2 * kBurstBeats;
    return static_cast<std::int64_t>(std::bit_ceil(beats));
}

std::string weightImage(const Schedule& schedule,
                        const std::vector<std::vector<std::int64_t>>& packed) {
    const std::int64_t beatBytes = schedule.memory->beatBytes;
    std::string image;
    for (const auto& runs : {residentRuns(schedule), externalRuns(schedule)}) {
        for (const WeightRun& run : runs) {
            const ScheduleUnit& unit = schedule.unit(run.unit);
            append(image, unit, unit.weightElements(schedule.lanes), beatBytes, run,
                   packed[run.unit.index()]);
        }
        image.resize(static_cast<std::size_t>(
                         roundUp(static_cast<std::int64_t>(image.size()), kBurstBeats * beatBytes)),
                     '\0');
    }
    return image;
}

WeightReplay::WeightReplay(const Schedule& schedule)
    : schedule_(schedule),
      queue_(queueBeats(*schedule.memory)),
      beatClocks_(std::max(1.0, static_cast<double>(schedule.memory->beatBytes) /
                                    schedule.memory->bytesPerCycle)),
      burst_(-static_cast<double>(kBurstBeats) * beatClocks_) {
    for (const ScheduleUnit& unit : schedule.units)
        rings_.push_back({std::vector<double>(static_cast<std::size_t>(unit.ringWords), 0.0), 0,
                          unit.ringWords > 0 ? beatsOfWord(schedule, unit.id) : 0});
}

/// When that many beats had left the queue, those of the next word as soon as `place` is free.
double WeightReplay::leftQueue(std::int64_t beats, double place) const {
    if (beats <= 0)
        return 0;
    if (beats > beats_)
        return std::max(left_, place) + static_cast<double>(beats - beats_);
    const Departure& word = *std::ranges::lower_bound(departures_, beats, {}, &Departure::beats);
    return word.clock - static_cast<double>(word.beats - beats) * word.beatClocks;
}

/// The clock in which the next word of a run, of this unit, can be used.
double WeightReplay::arrive(UnitId unit) {
    Ring& ring = rings_[unit.index()];
    const std::int64_t beats = ring.beats;
    const std::int64_t end = beats_ + beats;
    const double place = ring.freed[ring.next];
    // A burst is asked for when there is room for all of it.
    while (bursts_ * kBurstBeats < end) {
        ++bursts_;
        const double asked = leftQueue(bursts_ * kBurstBeats - queue_, place) + kRequestLatency;
        burst_ = std::max(burst_ + static_cast<double>(kBurstBeats) * beatClocks_,
                          asked + static_cast<double>(schedule_.memory->latencyCycles));
    }
    const std::int64_t ofBurst = end - (bursts_ - 1) * kBurstBeats;
    const double read = burst_ + static_cast<double>(ofBurst) * beatClocks_;
    const double begun = std::max({left_, place, read - static_cast<double>(beats) * beatClocks_});
    left_ = std::max({left_ + static_cast<double>(beats), read + kQueueLatency,
                      place + static_cast<double>(beats)});
    beats_ = end;
    departures_.push_back({end, left_, (left_ - begun) / static_cast<double>(beats)});
    while (departures_.front().beats < end - queue_)
        departures_.pop_front();
    ring.next = after(ring, ring.next);
    return left_ + kLoadLatency;
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
            waited += std::max(0.0, there - clock);
            clock = std::max(clock, there) + 1;
            ring.freed[place] = clock;
        }
        const auto more = static_cast<double>(reductionsMore * (shape.reductionWords + wait));
        const double last = clock + more - static_cast<double>(shape.reductionWords);
        std::size_t place = first;
        for (std::int64_t word = 0; word < shape.reductionWords && reductionsMore > 0; ++word) {
            ring.freed[place] = last + static_cast<double>(word) + 1;
            place = after(ring, place);
        }
        clock += more + static_cast<double>(wait);
    }
    return static_cast<std::int64_t>(waited);
}

} // namespace marquetry::design
