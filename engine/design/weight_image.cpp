#include "engine/design/weight_image.h"

#include "engine/design/external_tensors.h"
#include "engine/design/windows.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace marquetry::design {

namespace {

int bytesOfWeight(const ScheduleUnit& unit) {
    return ir::storedBits(unit.weight) / 8;
}

std::int64_t beatsOf(const Schedule& schedule, const WeightRun& run) {
    return run.words * beatsOfWord(schedule, run.unit) + run.fill;
}

void fillUp(std::string& image, std::int64_t whole) {
    image.resize(static_cast<std::size_t>(roundUp(std::ssize(image), whole)), '\0');
}

void append(std::string& image, const Schedule& schedule, const WeightRun& run,
            const std::vector<std::int64_t>& packed) {
    const ScheduleUnit& unit = schedule.unit(run.unit);
    const std::int64_t elements = unit.weightElements(schedule.lanes);
    const int bytes = bytesOfWeight(unit);
    for (std::int64_t word = run.first; word < run.first + run.words; ++word) {
        for (std::int64_t e = 0; e < elements; ++e) {
            const auto value =
                static_cast<std::uint64_t>(packed[static_cast<std::size_t>(word * elements + e)]);
            for (int byte = 0; byte < bytes; ++byte)
                image += static_cast<char>(value >> (8 * byte) & 0xff);
        }
        fillUp(image, schedule.memory->beatBytes);
    }
    if (run.fill > 0)
        fillUp(image, kBurstBeats * schedule.memory->beatBytes);
}

/// Neighbours of one unit taken together.
std::vector<WeightRun> joinedRuns(const std::vector<WeightRun>& runs) {
    std::vector<WeightRun> all;
    for (const WeightRun& run : runs)
        if (!all.empty() && all.back().unit == run.unit &&
            all.back().first + all.back().words == run.first)
            all.back().words += run.words;
        else
            all.push_back(run);
    return all;
}

/// Of runs some of which are read again.
ExternalReads readsAgain(const Schedule& schedule, std::vector<WeightRun> runs) {
    ExternalReads reads;
    std::map<std::pair<UnitId, std::int64_t>, std::int64_t> begins; // bursts
    std::int64_t end = 0;
    for (WeightRun& run : runs) {
        const std::int64_t beats = beatsOf(schedule, run);
        run.fill = roundUp(beats, kBurstBeats) - beats;
        const std::int64_t bursts = beatsOf(schedule, run) / kBurstBeats;
        const auto [begin, isNew] = begins.try_emplace({run.unit, run.first}, end);
        if (isNew) {
            reads.stored.push_back(run);
            end += bursts;
        }
        const bool goesOn = !reads.ranges.empty() &&
                            reads.ranges.back().first + reads.ranges.back().bursts == begin->second;
        if (goesOn)
            reads.ranges.back().bursts += bursts;
        else
            reads.ranges.push_back({begin->second, bursts});
    }
    reads.runs = std::move(runs);
    return reads;
}

} // namespace

bool ExternalReads::fillsUp() const {
    return std::ranges::any_of(runs, [](const WeightRun& run) { return run.fill > 0; });
}

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

WeightRun weightRun(const Schedule& schedule, const ComputeStep& step) {
    return {step.unit, step.weightBase, step.rowBlocks * reductionWords(schedule, step)};
}

std::vector<WeightRun> residentRuns(const Schedule& schedule) {
    std::vector<WeightRun> runs;
    for (const ScheduleUnit& unit : schedule.units)
        if (isLoaded(schedule, unit.id) && unit.weightWords > 0)
            runs.push_back({unit.id, 0, unit.weightWords});
    return runs;
}

ExternalReads externalReads(const Schedule& schedule) {
    std::vector<WeightRun> runs;
    std::set<std::pair<UnitId, std::int64_t>> words;
    for (const Step& step : schedule.steps)
        if (const auto* compute = std::get_if<ComputeStep>(&step);
            compute != nullptr && compute->external) {
            runs.push_back(weightRun(schedule, *compute));
            words.emplace(compute->unit, compute->weightBase);
        }
    if (words.size() < runs.size())
        return readsAgain(schedule, std::move(runs));
    ExternalReads reads;
    reads.stored = reads.runs = joinedRuns(runs);
    reads.ranges = {{0, burstsOf(schedule, reads.runs)}};
    return reads;
}

std::int64_t leastReadClocks(const Schedule& schedule) {
    std::int64_t beats = 0;
    for (const Step& step : schedule.steps)
        if (const auto* call = std::get_if<ComputeStep>(&step); call != nullptr && call->external)
            beats += beatsOf(schedule, weightRun(schedule, *call));
    if (beats == 0)
        return 0;
    const double beatClocks = std::max(1.0, static_cast<double>(schedule.memory->beatBytes) /
                                                schedule.memory->bytesPerCycle);
    return static_cast<std::int64_t>(static_cast<double>(beats) * beatClocks);
}

std::int64_t burstsOf(const Schedule& schedule, const std::vector<WeightRun>& runs) {
    std::int64_t beats = 0;
    for (const WeightRun& run : runs)
        beats += beatsOf(schedule, run);
    return ceilDiv(beats, kBurstBeats);
}

std::string weightImage(const Schedule& schedule,
                        const std::vector<std::vector<std::int64_t>>& packed) {
    std::string image;
    for (const auto& runs : {residentRuns(schedule), externalReads(schedule).stored}) {
        for (const WeightRun& run : runs)
            append(image, schedule, run, packed[run.unit.index()]);
        fillUp(image, kBurstBeats * schedule.memory->beatBytes);
    }
    image.resize(static_cast<std::size_t>(imageBytes(schedule)), '\0');
    return image;
}

} // namespace marquetry::design
