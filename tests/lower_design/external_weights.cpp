#include "tests/lower_design/external_weights.h"

#include "engine/design/windows.h"

#include <algorithm>
#include <map>

namespace marquetry::test {

using design::ComputeStep;

namespace {

bool mayBeExternal(const design::Schedule& schedule, std::size_t index) {
    const auto* step = std::get_if<ComputeStep>(&schedule.steps[index]);
    if (step == nullptr || !step->weight || step->joinedAfter)
        return false;
    const design::ScheduleUnit& unit = schedule.unit(step->unit);
    const auto* next = index + 1 < schedule.steps.size()
                           ? std::get_if<ComputeStep>(&schedule.steps[index + 1])
                           : nullptr;
    return !unit.holds && !unit.stream && !(next != nullptr && next->joinedAfter);
}

/// What is written apart is slow to simulate: words of more beats come in wider ones.
constexpr std::int64_t kMostBeats = 24;
constexpr std::int64_t kMostBeat = 128;

std::int64_t widestWord(const design::Schedule& schedule) {
    std::int64_t bytes = 0;
    for (const design::ScheduleUnit& unit : schedule.units)
        if (!unit.pass && !unit.stream)
            bytes = std::max(bytes, unit.weightElements(schedule.lanes) *
                                        (ir::storedBits(unit.weight) / 8));
    return bytes;
}

/// The unit's words in the order of the steps, the external ones behind the others; its ring.
void placeWords(design::Schedule& schedule, design::ScheduleUnit& unit, SplitMix64& rng) {
    std::int64_t words[2] = {0, 0};
    std::int64_t block = 0;
    std::map<std::string, std::int64_t> known; // the first word of a layer in bands
    for (design::Step& step : schedule.steps) {
        auto* compute = std::get_if<ComputeStep>(&step);
        if (compute == nullptr || compute->unit != unit.id || !compute->weight)
            continue;
        const std::int64_t reduction = design::reductionWords(schedule, *compute);
        std::int64_t& end = words[compute->external ? 1 : 0];
        const bool banded = schedule.tensor(compute->output).firstRow.has_value();
        const auto [first, isNew] = known.try_emplace(compute->layer, end);
        compute->weightBase = banded ? first->second : end;
        if (isNew || !banded)
            end += compute->rowBlocks * reduction;
        if (compute->external)
            block = std::max(block, reduction);
    }
    unit.weightWords = words[0];
    unit.externalWords = words[1];
    unit.ringWords = block == 0 ? 0 : block + rng.range(0, 1) * rng.range(0, 2 * block);
    unit.loadBeats = rng.range(1, 4);
    unit.lutWeights = unit.ringWords > 0 && unit.loadBeats % 2 == 0;
    const bool reverse = unit.loadBeats % 2 == 1; // the first layer's need not come first
    for (design::Step& step : schedule.steps)
        if (auto* compute = std::get_if<ComputeStep>(&step);
            compute != nullptr && compute->unit == unit.id && compute->external) {
            const std::int64_t end =
                compute->weightBase +
                compute->rowBlocks * design::reductionWords(schedule, *compute);
            compute->weightBase =
                unit.weightWords + (reverse ? unit.externalWords - end : compute->weightBase);
        }
}

} // namespace

namespace {

/// All bands of a layer alike.
int chooseExternal(design::Schedule& schedule, SplitMix64& rng) {
    int external = 0;
    std::map<std::string, bool> banded;
    for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
        if (!mayBeExternal(schedule, s))
            continue;
        auto& step = std::get<ComputeStep>(schedule.steps[s]);
        const auto known = banded.find(step.layer);
        step.external =
            known != banded.end() ? known->second : external == 0 || rng.range(0, 3) != 0;
        if (schedule.tensor(step.output).firstRow)
            banded[step.layer] = step.external;
        external += step.external ? 1 : 0;
    }
    return external;
}

} // namespace

int makeExternal(design::Schedule& schedule, SplitMix64& rng) {
    const int external = chooseExternal(schedule, rng);
    if (external == 0)
        return 0;
    std::int64_t beat = std::int64_t{4} << rng.range(0, 3);
    while (beat < kMostBeat && widestWord(schedule) > kMostBeats * beat)
        beat *= 2;
    const double share = static_cast<double>(rng.range(2, 10)) / 10;
    schedule.memory =
        design::ExternalMemory{beat, static_cast<double>(beat) * share, rng.range(0, 80)};
    for (design::ScheduleUnit& unit : schedule.units) {
        if (unit.pass || unit.stream || unit.holds)
            continue;
        placeWords(schedule, unit, rng);
    }
    return external;
}

} // namespace marquetry::test
