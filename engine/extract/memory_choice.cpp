#include "engine/extract/memory_choice.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace marquetry::extract {

namespace {

/// Estimates of what waits for memory may be a few clocks too low.
bool isBetter(const MemoryPlan& plan, const MemoryPlan& than) {
    return std::pair(plan.cycles, plan.readsMemory()) < std::pair(than.cycles, than.readsMemory());
}

} // namespace

bool MemoryChoice::isSparing() const {
    return price.value_or(0) > 0 || plan.ringLuts() > 0;
}

/// What units, sequencer and streams take may not be known yet: half is left for them.
double MemoryChooser::lutsForRings(const device::Resources& slots) const {
    return (otherLuts_ ? 1 : 0.5) * (lutLimit() - slots.lut);
}

bool MemoryChooser::hasRoom(const MemoryChoice& choice) const {
    return choice.plan.feasible && hasLuts(choice.demands.slots.lut);
}

/// Demands with slots of more and more LUTs, as long as there are some; true ends it.
void MemoryChooser::eachPrice(const design::Schedule& schedule, From from, WeightDemands& demands,
                              const std::function<bool(LutPrice)>& visit) const {
    std::vector<const BufferForms*> forms;
    std::set<LutPrice> prices = {from == From::None ? LutPrice(0.0) : std::nullopt};
    for (const design::Slot& slot : schedule.slots) {
        forms.push_back(&unplaced_.buffers.formsOf(schedule, slot.id));
        if (forms.back()->price && (from == From::None || !forms.back()->usual.bank.lutRam))
            prices.insert(forms.back()->price);
    }
    bool first = true;
    for (const LutPrice price : prices) {
        device::Resources slots;
        for (const BufferForms* form : forms)
            slots += form->at(price).resources;
        if (!std::exchange(first, false) && slots.lut > lutLimit())
            return;
        demands.rebuildSlots(slots, lutsForRings(slots));
        if (visit(price))
            return;
    }
}

WeightBlocks MemoryChooser::blocks(const design::Schedule& schedule, WeightDemands demands) const {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    WeightBlocks fewest{kNone, kNone};
    eachPrice(schedule, From::None, demands, [&](LutPrice /*price*/) {
        if (demands.slots.lut > lutLimit())
            return false;
        const WeightBlocks blocks = demands.blocks(unplaced_.params.limits.bram);
        fewest = {std::min(fewest.onChip, blocks.onChip), std::min(fewest.least, blocks.least)};
        return false;
    });
    return fewest;
}

MemoryChoice MemoryChooser::best(const design::Schedule& schedule,
                                 const std::vector<design::LayerBands>& bands) const {
    if (bands.empty() && !otherLuts_)
        if (MemoryChoice usual = bestFrom(From::Usual, schedule, bands); hasRoom(usual))
            return usual;
    return bestFrom(From::None, schedule, bands);
}

MemoryChoice MemoryChooser::bestFrom(From from, const design::Schedule& schedule,
                                     const std::vector<design::LayerBands>& bands) const {
    WeightDemands demands = weightDemands(unplaced_, schedule, bands);
    std::optional<MemoryChoice> best;
    eachPrice(schedule, from, demands, [&](LutPrice price) {
        if (best && bands.empty() && hasRoom(*best) &&
            weightBlocks(demands.memory).onChip > demands.memory.bramLimit)
            return false;
        MemoryChoice choice{demands, planWeights(demands.memory), price};
        if (!best || (hasRoom(choice) && (!hasRoom(*best) || isBetter(choice.plan, best->plan))))
            best = std::move(choice);
        return hasRoom(*best) && !best->plan.readsMemory();
    });
    return *std::move(best);
}

} // namespace marquetry::extract
