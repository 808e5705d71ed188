// The best bank scheme of each buffer of a design, and what it costs as built.
//
// The sequencer gives a buffer one word address per direction and clock. A scheme with one copy is
// therefore of use only when every lane that reads (design/slot_accesses.h) is a wire to a bank of
// its own at that address: flat, alpha = (0, 1), one bank per word. A read takes all these banks,
// so no scheme has fewer of them. The lower bound by lanes is met, and there is nothing to search.
// A slot of several turns is as many memories of this kind, each with its own address.
// The price is that of the banks (cost/buffer_cost.h); addresses and write enables belong to the
// sequencer.
//
// Answers are kept by pattern, because the designs of one extraction ask for the same few again and
// again.
// Complexity: O(lanes) once per pattern. Thread rule: one object per thread.
#pragma once

#include "engine/banking/scheme.h"
#include "engine/cost/buffer_cost.h"
#include "engine/design/slot_accesses.h"

#include <map>
#include <optional>
#include <tuple>

namespace marquetry::extract {

struct BufferPlan {
    banking::Scheme scheme; ///< of words of `wordElements` elements
    std::int64_t wordElements = 1;
    std::int64_t turns = 1; ///< each as the scheme says
    cost::BankMemory bank;
    std::int64_t wordsTaken = 0; ///< by a unit at once, in registers
    device::Resources resources; ///< of all banks, of these registers, and of what turns the words

    std::int64_t banks() const { return turns * scheme.banks(); }

    std::string text() const;
};

/// LUTs that a slot may take in place of a block of RAM, at most. Nothing: a slot is built of LUTs
/// where these are the smaller part of the device.
using LutPrice = std::optional<double>;

struct BufferForms {
    BufferPlan usual, ofBlocks, ofLuts;
    LutPrice price; ///< the least for which it is built of LUTs; nothing where it never is

    const BufferPlan& at(LutPrice most) const;
};

class BufferPlans {
public:
    /// What counts as small: the part of `limits` that is taken.
    BufferPlans(const device::Device& device, const device::Resources& limits)
        : device_(device), limits_(limits) {}

    const BufferPlan& of(const design::Schedule& schedule, design::SlotId slot,
                         LutPrice price = {}) {
        return formsOf(schedule, slot).at(price);
    }

    /// As long as these plans live.
    const BufferForms& formsOf(const design::Schedule& schedule, design::SlotId slot);

    /// Spent on patterns not seen before; wall clock.
    double seconds() const { return seconds_; }

private:
    using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, int, std::set<std::int64_t>,
                           std::int64_t>;
    BufferPlan planOf(const design::Slot& slot, const std::set<std::int64_t>& runs,
                      std::int64_t wordsTaken, const device::Resources& limits) const;

    device::Device device_;
    device::Resources limits_;
    std::map<Key, BufferForms> forms_; ///< by depth, turns, lanes, bits, runs written, words taken
    double seconds_ = 0;
};

/// Gives the slots the memories of their plans.
void carryPlans(BufferPlans& plans, LutPrice price, design::Schedule& schedule);

} // namespace marquetry::extract
