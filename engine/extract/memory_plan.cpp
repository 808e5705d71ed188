#include "engine/extract/memory_plan.h"

#include "engine/cost/buffer_cost.h"
#include "engine/design/weight_traffic.h"
#include "engine/extract/call_cycles.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

namespace marquetry::extract {

namespace {

/// Bytes a clock: what gives less is none.
constexpr double kLeastRate = 0.05;
/// Beats that are gathered before they are written, at most.
constexpr std::int64_t kMostGathered = 8;

struct Place {
    std::vector<std::int64_t> words, rings, beats;
    std::vector<double> blocks;
    std::vector<device::Resources> luts;
    double bram = 0;
};

enum class WeightRam : std::uint8_t { Blocks, BlocksAndLuts };

class Planner {
public:
    Planner(const MemoryProblem& problem, WeightRam ram)
        : problem_(problem), ram_(ram), memory_(externalMemory(problem.device)) {
        order_.resize(problem.calls.size());
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::erase_if(order_, [&](std::size_t c) {
            return problem.calls[c].words == 0 || problem.calls[c].stays;
        });
        const auto waits = [&](std::size_t c) {
            const WeightDemand& call = problem.calls[c];
            return static_cast<double>(call.computeCycles) / static_cast<double>(call.traffic());
        };
        // Those that compute least while their weights come gain most.
        std::ranges::stable_sort(order_,
                                 [&](std::size_t a, std::size_t b) { return waits(a) < waits(b); });
    }

    MemoryPlan run() {
        std::vector<bool> external(problem_.calls.size(), false);
        Place all = placeOf(external);
        if (all.bram <= problem_.bramLimit) {
            keep(external, std::move(all));
            return std::move(best_);
        }
        if (!memory_)
            return {};
        best_.cycles = std::numeric_limits<std::int64_t>::max();
        for (const std::size_t c : order_)
            external[c] = true;
        for (std::size_t u = 0; u < problem_.units.size(); ++u)
            endless_.push_back(externalWords(u));
        descend(0, external);
        best_.exact = steps_ <= kMostPlanSteps;
        if (best_.feasible)
            keepMore();
        return std::move(best_);
    }

    /// With the shortest rings.
    Place placeOf(const std::vector<bool>& external) const {
        Place place;
        const bool reads = problem_.loads || std::ranges::find(external, true) != external.end();
        if (reads)
            place.bram +=
                problem_.device.ramBlocks(design::queueBeats(*memory_), 8 * memory_->beatBytes);
        for (std::size_t u = 0; u < problem_.units.size(); ++u) {
            std::int64_t words = 0;
            std::int64_t ring = 0;
            for (std::size_t c = 0; c < problem_.calls.size(); ++c) {
                const WeightDemand& call = problem_.calls[c];
                if (call.unit != u || call.words == 0)
                    continue;
                if (external[c])
                    ring = std::max(ring, call.tileWords);
                else
                    words += call.words;
            }
            const auto [beats, blocks] = knownBlocksOf(u, words + ring, reads);
            place.words.push_back(words);
            place.rings.push_back(ring);
            place.beats.push_back(beats);
            place.blocks.push_back(blocks);
            place.bram += blocks;
        }
        place.luts.resize(problem_.units.size());
        if (ram_ == WeightRam::BlocksAndLuts)
            buildOfLuts(place);
        return place;
    }

private:
    /// A ring alone, where LUTs are the smaller part of the device.
    const device::Resources& lutsOf(std::size_t u, std::int64_t words) const {
        const auto [known, isNew] = knownLuts_.try_emplace({u, words});
        const WeightUnit& unit = problem_.units[u];
        if (!isNew || unit.apart > 1 || unit.elements == 0)
            return known->second;
        const cost::BankMemory bank = cost::activationBank(problem_.device, problem_.device.limits,
                                                           words, unit.elements * unit.elementBits);
        if (bank.lutRam)
            known->second = bank.resources;
        return known->second;
    }

    /// As many as there are LUTs for, first those that take the most blocks for a LUT.
    void buildOfLuts(Place& place) const {
        std::vector<std::size_t> units;
        for (std::size_t u = 0; u < problem_.units.size(); ++u)
            if (place.rings[u] > 0 && place.words[u] == 0 && lutsOf(u, place.rings[u]).lut > 0)
                units.push_back(u);
        const auto gain = [&](std::size_t u) {
            return place.blocks[u] / lutsOf(u, place.rings[u]).lut;
        };
        std::ranges::stable_sort(units, std::ranges::greater{}, gain);
        double left = problem_.lutLimit;
        for (const std::size_t u : units) {
            const device::Resources& luts = lutsOf(u, place.rings[u]);
            if (luts.lut > left)
                continue;
            left -= luts.lut;
            place.luts[u] = luts;
            place.bram -= place.blocks[u];
            place.blocks[u] = 0;
            place.beats[u] = 1;
        }
    }

    /// Many choices of what stays leave a unit with as many words.
    std::pair<std::int64_t, double> knownBlocksOf(std::size_t u, std::int64_t words,
                                                  bool loaded) const {
        auto [known, isNew] = known_.try_emplace({u, words, loaded});
        if (isNew)
            known->second = blocksOf(u, words, loaded);
        return known->second;
    }

    /// Beats at once and blocks of a unit's memory. `loaded`: its words come from external memory.
    std::pair<std::int64_t, double> blocksOf(std::size_t u, std::int64_t words, bool loaded) const {
        const WeightUnit& unit = problem_.units[u];
        const std::int64_t bits = unit.elements * unit.elementBits;
        if (!loaded || bits == 0 || unit.apart > 1) {
            const auto apart = static_cast<double>(unit.apart);
            return {1, apart * cost::weightMemory(problem_.device, words,
                                                  unit.elements / unit.apart, unit.elementBits)
                                   .resources.bram};
        }
        const std::int64_t beat = 8 * memory_->beatBytes;
        const std::int64_t most = std::min(kMostGathered, ceilDiv(bits, beat));
        std::pair<std::int64_t, double> best{1, std::numeric_limits<double>::infinity()};
        for (std::int64_t beats = 1; beats <= most; ++beats)
            if (const double blocks = partBlocks(words, bits, beats * beat); blocks < best.second)
                best = {beats, blocks};
        return best;
    }

    /// Of words that are written in parts of so many bits.
    double partBlocks(std::int64_t words, std::int64_t bits, std::int64_t part) const {
        return static_cast<double>(bits / part) * problem_.device.ramBlocks(words, part) +
               problem_.device.ramBlocks(words, bits % part);
    }

    /// Longer rings, as far as the blocks reach with as many beats at once.
    void lengthen(Place& place) {
        for (std::size_t u = 0; u < problem_.units.size(); ++u) {
            if (place.rings[u] == 0 || place.luts[u].lut > 0)
                continue;
            const double left = problem_.bramLimit - place.bram + place.blocks[u];
            const std::int64_t bits = problem_.units[u].elements * problem_.units[u].elementBits;
            const std::int64_t part = 8 * memory_->beatBytes * place.beats[u];
            const std::int64_t fits = knownMostWords(u, place.beats[u], left) - place.words[u];
            place.rings[u] = std::max(place.rings[u], std::min(fits, endless_[u]));
            place.bram -= place.blocks[u];
            place.blocks[u] = partBlocks(place.words[u] + place.rings[u], bits, part);
            place.bram += place.blocks[u];
        }
    }

    /// Many choices of what stays leave a unit as many blocks.
    std::int64_t knownMostWords(std::size_t u, std::int64_t beats, double left) {
        auto [known, isNew] = mostWords_.try_emplace({u, beats, left});
        if (isNew)
            known->second = mostWords(u, beats, left);
        return known->second;
    }

    /// Words of the unit for which so many blocks are enough; −1: not even for none.
    std::int64_t mostWords(std::size_t u, std::int64_t beats, double left) const {
        const std::int64_t bits = problem_.units[u].elements * problem_.units[u].elementBits;
        std::int64_t fits = -1;
        std::int64_t most = endless_[u] + 1; // that are asked for: all words, and as long a ring
        for (const WeightDemand& call : problem_.calls)
            most += call.unit == u ? call.words : 0;
        while (fits + 1 < most) {
            const std::int64_t middle = fits + (most - fits) / 2;
            const double blocks = partBlocks(middle, bits, 8 * memory_->beatBytes * beats);
            (blocks <= left ? fits : most) = middle;
        }
        return fits;
    }

    /// That may come through the ring of a unit in a run.
    std::int64_t externalWords(std::size_t unit) const {
        std::int64_t words = 0;
        for (const WeightDemand& call : problem_.calls)
            words += call.unit == unit && !call.stays ? call.traffic() : 0;
        return words;
    }

    /// Calls order_[0 … next) are decided; the rest are external.
    void descend(std::size_t next, std::vector<bool>& external) {
        if (++steps_ > kMostPlanSteps)
            return;
        if (!best_.feasible || leastOf(order_.size(), external) < static_cast<double>(best_.cycles))
            if (Place place = placeOf(external); place.bram <= problem_.bramLimit)
                keep(external, std::move(place));
        if (next == order_.size() || leastOf(next, external) >= static_cast<double>(best_.cycles))
            return;
        const std::size_t call = order_[next];
        external[call] = false;
        if (residentBlocks(next, external) <= problem_.bramLimit)
            descend(next + 1, external);
        external[call] = true;
        descend(next + 1, external);
    }

    /// With all that is not decided on the chip, and rings without end.
    double leastOf(std::size_t next, std::vector<bool> external) const {
        for (std::size_t k = next; k < order_.size(); ++k)
            external[order_[k]] = false;
        return callCycles(problem_, external, endless_);
    }

    /// Of what is decided to stay.
    double residentBlocks(std::size_t next, const std::vector<bool>& external) const {
        std::vector<std::int64_t> words(problem_.units.size(), 0);
        for (std::size_t k = 0; k <= next; ++k)
            if (!external[order_[k]])
                words[problem_.calls[order_[k]].unit] += problem_.calls[order_[k]].words;
        double blocks = 0;
        for (std::size_t u = 0; u < words.size(); ++u) {
            auto [known, isNew] = resident_.try_emplace({u, words[u]});
            if (isNew)
                known->second = problem_.device.ramBlocks(
                    words[u], problem_.units[u].elements * problem_.units[u].elementBits);
            blocks += known->second;
        }
        return blocks;
    }

    /// What may stay on the chip without costing time is not read in every run; first what takes
    /// the least room.
    void keepMore() {
        std::vector<std::size_t> smallest = order_;
        std::ranges::stable_sort(smallest, {}, [&](std::size_t c) {
            const WeightUnit& unit = problem_.units[problem_.calls[c].unit];
            return problem_.calls[c].words * unit.elements;
        });
        for (const std::size_t c : smallest) {
            std::vector<bool> external = best_.external;
            external[c] = false;
            if (!best_.external[c] || std::ranges::find(external, true) == external.end())
                continue;
            if (Place place = placeOf(external); place.bram <= problem_.bramLimit)
                keep(external, std::move(place), true);
        }
    }

    /// `asGood`: as good as the best is good enough.
    void keep(const std::vector<bool>& external, Place place, bool asGood = false) {
        lengthen(place);
        const auto cycles =
            static_cast<std::int64_t>(std::ceil(callCycles(problem_, external, place.rings)));
        if (best_.feasible && (asGood ? cycles > best_.cycles : cycles >= best_.cycles))
            return;
        best_.feasible = true;
        best_.external = external;
        best_.cycles = cycles;
        best_.words = std::move(place.words);
        best_.rings = std::move(place.rings);
        best_.beats = std::move(place.beats);
        best_.blocks = std::move(place.blocks);
        best_.luts = std::move(place.luts);
        best_.bram = place.bram;
    }

    const MemoryProblem& problem_;
    WeightRam ram_;
    std::optional<design::ExternalMemory> memory_;
    std::vector<std::size_t> order_;
    std::vector<std::int64_t> endless_; ///< rings that hold everything
    mutable std::map<std::tuple<std::size_t, std::int64_t, bool>, std::pair<std::int64_t, double>>
        known_;
    mutable std::map<std::pair<std::size_t, std::int64_t>, double> resident_;
    std::map<std::tuple<std::size_t, std::int64_t, double>, std::int64_t> mostWords_;
    mutable std::map<std::pair<std::size_t, std::int64_t>, device::Resources> knownLuts_;
    MemoryPlan best_;
    std::size_t steps_ = 0;
};

} // namespace

bool MemoryPlan::readsMemory() const {
    return std::ranges::find(external, true) != external.end();
}

double MemoryPlan::ringLuts() const {
    double all = 0;
    for (const device::Resources& ring : luts)
        all += ring.lut;
    return all;
}

std::optional<design::ExternalMemory> externalMemory(const device::Device& device) {
    if (device.memoryBytesPerCycle < kLeastRate)
        return std::nullopt;
    std::int64_t beat = design::kLeastBeatBytes;
    while (beat < design::kMostBeatBytes && static_cast<double>(beat) < device.memoryBytesPerCycle)
        beat *= 2;
    return design::ExternalMemory{beat,
                                  std::min(device.memoryBytesPerCycle, static_cast<double>(beat)),
                                  device.memoryLatencyCycles};
}

namespace {

MemoryProblem oneGroup(MemoryProblem problem) {
    for (WeightDemand& call : problem.calls) {
        call.computeCycles = ceilDiv(call.computeCycles, problem.groups);
        call.reads = ceilDiv(call.reads, problem.groups);
    }
    problem.groups = 1;
    return problem;
}

} // namespace

MemoryPlan planWeights(const MemoryProblem& problem) {
    if (problem.groups > 1) {
        MemoryPlan plan = planWeights(oneGroup(problem));
        if (plan.feasible)
            plan.cycles *= problem.groups;
        return plan;
    }
    MemoryPlan plan = Planner(problem, WeightRam::Blocks).run();
    if (plan.feasible || problem.lutLimit <= 0)
        return plan;
    return Planner(problem, WeightRam::BlocksAndLuts).run();
}

WeightBlocks weightBlocks(const MemoryProblem& problem) {
    std::vector<bool> external(problem.calls.size(), false);
    if (externalMemory(problem.device))
        for (std::size_t c = 0; c < external.size(); ++c)
            external[c] = problem.calls[c].words > 0 && !problem.calls[c].stays;
    const Planner planner(problem, WeightRam::BlocksAndLuts);
    const std::vector<bool> none(problem.calls.size(), false);
    const double onChip = planner.placeOf(none).bram;
    return {onChip, std::min(planner.placeOf(external).bram, onChip)};
}

} // namespace marquetry::extract
