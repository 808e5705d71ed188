#include "engine/extract/memory_plan.h"

#include "engine/cost/buffer_cost.h"
#include "engine/cost/unit_cost.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace marquetry::extract {

namespace {

constexpr std::size_t kMaxSteps = 400'000;
/// Cycles of a transfer that cannot happen; sums over every call of a program stay in range.
constexpr std::int64_t kNever = std::int64_t{1} << 42;

double weightBlocks(const device::Device& device, const WeightUnit& unit, std::int64_t words) {
    const auto apart = static_cast<double>(unit.apart);
    return apart * cost::weightMemory(device, words, unit.elements / unit.apart, unit.elementBits)
                       .resources.bram;
}

class Planner {
public:
    explicit Planner(const MemoryProblem& problem) : problem_(problem) {
        const bool memory = problem.device.memoryBytesPerCycle > 0;
        for (const WeightDemand& call : problem.calls)
            externalCycles_.push_back(
                memory ? cost::externalCallCycles(problem.device, call.computeCycles, call.bytes)
                       : kNever);
        order_.resize(problem.calls.size());
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::erase_if(order_, [&](std::size_t c) {
            return problem.calls[c].words == 0 || problem.calls[c].held;
        });
        std::ranges::stable_sort(
            order_, [&](std::size_t a, std::size_t b) { return gainPerWord(a) > gainPerWord(b); });
    }

    MemoryPlan run() {
        external_.assign(problem_.calls.size(), false);
        if (blocks(external_) <= problem_.bramLimit) {
            keep(cyclesOf(external_));
            return std::move(best_);
        }
        best_.cycles = std::numeric_limits<std::int64_t>::max();
        for (std::size_t c : order_)
            external_[c] = true;
        descend(0, cyclesOf(external_));
        best_.exact = steps_ <= kMaxSteps;
        return std::move(best_);
    }

    double blocks(const std::vector<bool>& external, std::vector<std::int64_t>* words = nullptr,
                  std::vector<double>* perUnit = nullptr) const {
        double total = 0;
        for (std::size_t u = 0; u < problem_.units.size(); ++u) {
            std::int64_t depth = 0;
            std::int64_t tile = 0;
            for (std::size_t c = 0; c < problem_.calls.size(); ++c) {
                if (problem_.calls[c].unit != u)
                    continue;
                if (external[c] && !problem_.calls[c].held)
                    tile = std::max(tile, 2 * problem_.calls[c].tileWords);
                else
                    depth += problem_.calls[c].words;
            }
            const double unitBlocks =
                weightBlocks(problem_.device, problem_.units[u], depth + tile);
            total += unitBlocks;
            if (words != nullptr)
                words->push_back(depth + tile);
            if (perUnit != nullptr)
                perUnit->push_back(unitBlocks);
        }
        return total;
    }

private:
    std::int64_t gain(std::size_t c) const {
        return externalCycles_[c] - problem_.calls[c].computeCycles;
    }
    double gainPerWord(std::size_t c) const {
        return static_cast<double>(gain(c)) / static_cast<double>(problem_.calls[c].words);
    }

    std::int64_t cyclesOf(const std::vector<bool>& external) const {
        std::int64_t cycles = 0;
        for (std::size_t c = 0; c < problem_.calls.size(); ++c)
            cycles += external[c] ? externalCycles_[c] : problem_.calls[c].computeCycles;
        return cycles;
    }

    /// Calls order_[0 … next) are decided; the rest are external in `external_`.
    void descend(std::size_t next, std::int64_t cycles) {
        if (++steps_ > kMaxSteps)
            return;
        if (cycles < best_.cycles && blocks(external_) <= problem_.bramLimit)
            keep(cycles);
        std::int64_t reachable = cycles;
        for (std::size_t k = next; k < order_.size(); ++k)
            reachable -= gain(order_[k]);
        if (next == order_.size() || reachable >= best_.cycles)
            return;
        const std::size_t call = order_[next];
        external_[call] = false;
        if (leastBlocksNow(next) <= problem_.bramLimit)
            descend(next + 1, cycles - gain(call));
        external_[call] = true;
        descend(next + 1, cycles);
    }

    /// Blocks of what is on chip already, without tiles: no completion needs fewer.
    double leastBlocksNow(std::size_t next) const {
        double total = 0;
        std::vector<std::int64_t> depth(problem_.units.size(), 0);
        for (std::size_t k = 0; k <= next; ++k)
            if (!external_[order_[k]])
                depth[problem_.calls[order_[k]].unit] += problem_.calls[order_[k]].words;
        for (std::size_t u = 0; u < depth.size(); ++u)
            total += weightBlocks(problem_.device, problem_.units[u], depth[u]);
        return total;
    }

    void keep(std::int64_t cycles) {
        best_.feasible = true;
        best_.external = external_;
        best_.cycles = cycles;
        best_.words.clear();
        best_.blocks.clear();
        best_.bram = blocks(external_, &best_.words, &best_.blocks);
    }

    const MemoryProblem& problem_;
    std::vector<std::int64_t> externalCycles_;
    std::vector<std::size_t> order_;
    std::vector<bool> external_;
    MemoryPlan best_;
    std::size_t steps_ = 0;
};

} // namespace

MemoryPlan planWeights(const MemoryProblem& problem) {
    MemoryPlan plan = Planner(problem).run();
    const bool noMemory = problem.device.memoryBytesPerCycle <= 0;
    if (plan.feasible && noMemory && std::ranges::find(plan.external, true) != plan.external.end())
        plan.feasible = false;
    return plan;
}

double leastWeightBlocks(const MemoryProblem& problem) {
    const bool memory = problem.device.memoryBytesPerCycle > 0;
    return Planner(problem).blocks(std::vector<bool>(problem.calls.size(), memory));
}

} // namespace marquetry::extract
