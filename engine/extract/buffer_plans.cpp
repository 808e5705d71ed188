#include "engine/extract/buffer_plans.h"

#include "engine/banking/derive.h"
#include "engine/cost/deep_memory.h"
#include "engine/ir/memory_lanes.h"
#include "engine/support/assert.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace marquetry::extract {

namespace {

/// Word l of address w is word w of bank l.
bool isWired(const banking::Scheme& scheme, const ir::Shape& dims) {
    for (std::int64_t l = 0; l < dims[1]; ++l) {
        const banking::Address last = {dims[0] - 1, l};
        if (scheme.bank(last) != l || scheme.offset(last) != dims[0] - 1)
            return false;
    }
    return scheme.depth == dims[0];
}

/// No scheme with one copy has fewer banks than a cycle has accesses.
std::int64_t laneBound(const ir::MemoryProgram& memory) {
    std::int64_t most = 0;
    for (const ir::MemoryNest& nest : memory.nests)
        most = std::max(most, ir::laneCount(nest));
    return most;
}

/// Of a bank of so many words of `bits` bits.
double deepLuts(const device::Device& device, const cost::BankMemory& bank, std::int64_t words,
                std::int64_t bits) {
    const std::int64_t last = bits - (bank.memories - 1) * bank.memoryBits;
    return static_cast<double>(bank.memories - 1) *
               cost::deepMemoryLuts(device, words, bank.memoryBits) +
           cost::deepMemoryLuts(device, words, last);
}

} // namespace

std::string BufferPlan::text() const {
    return (turns == 1 ? "" : std::to_string(turns) + " turns of ") + scheme.text() +
           (wordElements == 1 ? "" : ", words of " + std::to_string(wordElements) + " elements");
}

BufferPlan BufferPlans::planOf(const design::Slot& slot, const std::set<std::int64_t>& runs,
                               std::int64_t wordsTaken, const device::Resources& limits) const {
    design::Slot turn = slot;
    turn.depth = slot.bankDepth();
    const ir::MemoryProgram memory = design::slotAccesses(turn, runs);
    BufferPlan plan;
    plan.wordElements = design::wordElements(slot, runs);
    const std::int64_t bits = plan.wordElements * slot.elementBits;
    const ir::Shape& dims = memory.type.dims;
    plan.scheme = banking::derive({ir::FlatMap{{0, 1}, 1, dims[1]}}, dims);
    ENGINE_ASSERT(isWired(plan.scheme, dims) && plan.scheme.banks() == laneBound(memory),
                  "a bank per word serves a slot, and fewer do not");
    plan.bank = cost::activationBank(device_, limits, plan.scheme.depth, bits);
    plan.turns = slot.turns;
    plan.resources = static_cast<double>(plan.banks()) * plan.bank.resources;
    const std::int64_t wordBits = slot.storedLanes * slot.elementBits;
    if (!plan.bank.lutRam)
        plan.resources.lut += static_cast<double>(plan.banks()) *
                              deepLuts(device_, plan.bank, plan.scheme.depth, bits);
    plan.resources.lut += cost::turnLuts(slot.turns, wordBits);
    plan.wordsTaken = wordsTaken;
    plan.resources.ff += static_cast<double>(cost::turnedWords(slot.turns, wordsTaken) * wordBits);
    return plan;
}

const BufferForms& BufferPlans::formsOf(const design::Schedule& schedule, design::SlotId id) {
    const design::Slot& slot = schedule.slot(id);
    Key key{slot.depth,
            slot.turns,
            slot.storedLanes,
            slot.elementBits,
            design::writtenRuns(schedule, id),
            design::wordsTaken(schedule, id)};
    const auto known = forms_.find(key);
    if (known != forms_.end())
        return known->second;
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    constexpr double kEndless = std::numeric_limits<double>::infinity();
    const auto within = [&](double luts, double blocks) {
        device::Resources limits = limits_;
        limits.lut = luts;
        limits.bram = blocks;
        return planOf(slot, std::get<4>(key), std::get<5>(key), limits);
    };
    BufferForms forms{within(limits_.lut, limits_.bram),
                      within(limits_.lut, kEndless),
                      within(kEndless, limits_.bram),
                      {}};
    if (forms.ofLuts.bank.lutRam && forms.ofBlocks.resources.bram > 0)
        forms.price = (forms.ofLuts.resources.lut - forms.ofBlocks.resources.lut) /
                      forms.ofBlocks.resources.bram;
    seconds_ += std::chrono::duration<double>(Clock::now() - begin).count();
    return forms_.emplace(std::move(key), std::move(forms)).first->second;
}

const BufferPlan& BufferForms::at(LutPrice most) const {
    if (!most)
        return usual;
    return price && *price <= *most ? ofLuts : ofBlocks;
}

void carryPlans(BufferPlans& plans, LutPrice price, design::Schedule& schedule) {
    for (design::Slot& slot : schedule.slots) {
        const BufferPlan& plan = plans.of(schedule, slot.id, price);
        slot.writeLanes = plan.wordElements;
        slot.memoryBits = plan.bank.memoryBits;
        slot.lutRam = plan.bank.lutRam;
    }
}

} // namespace marquetry::extract
