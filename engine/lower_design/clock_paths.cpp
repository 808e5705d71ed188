#include "engine/lower_design/clock_paths.h"

#include "engine/cost/buffer_cost.h"
#include "engine/cost/write_back.h"
#include "engine/lower_design/design_modules.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <bit>

namespace marquetry::hdl {

namespace {

using cost::ClockPath;
using cost::PathEnd;
using cost::PathStart;

constexpr int kSumBits = 32; ///< of accumulators, and of what LongCounter carries
/// Deeper memories of weights than a block RAM is in its widest shapes have a choice behind them.
constexpr std::int64_t kDeepWeights = 4096;
/// Deeper memories of LUTs have a choice behind them.
constexpr std::int64_t kLutRamWords = 64;

/// Inputs of a choice of one of so many words, a bit of each: its words and its selector's bits.
int choiceOf(std::int64_t words) {
    return words < 2 ? 0 : static_cast<int>(words) + bitsFor(words);
}

/// Inputs of the choices that turn a word by one of so many distances, four at a time.
std::vector<int> turning(std::int64_t distances) {
    std::vector<int> logic;
    for (; distances > 1; distances /= 4)
        logic.push_back(6);
    return logic;
}

class PathFinder {
public:
    PathFinder(const RtlPlan& plan, const UnitCircuits& circuits)
        : plan_(plan), circuits_(circuits) {}

    std::vector<ClockPath> paths() && {
        sequencer();
        for (std::size_t u = 0; u < plan_.units.size(); ++u)
            if (!plan_.units[u].layers.empty())
                unit(u);
        for (std::size_t s = 0; s < plan_.slots.size(); ++s)
            if (plan_.slots[s].used)
                slot(s);
        for (const StreamPlan* store : plan_.storers())
            storer(*store);
        for (const MovePlan& move : plan_.moves)
            mover(move);
        for (const RowPlan& rows : plan_.rows)
            functionOf(rows);
        return std::move(paths_);
    }

private:
    void add(ClockPath path) { paths_.push_back(std::move(path)); }

    static PathStart readOf(const SlotPlan& slot) {
        return slot.lutRam ? PathStart::Register : PathStart::BlockRam;
    }

    /// Loops of the nest that are there in some step.
    int levels() const {
        int count = 0;
        for (std::size_t level = 0; level < kLevels; ++level)
            count += std::ranges::any_of(plan_.computes,
                                         [&](const StepPlan& p) { return p.bounds[level] > 1; });
        return std::max(1, count);
    }

    /// The level that advances chooses what is added to an address; at set-up it is loaded.
    void sequencer() {
        add({.what = "the counter of cycles", .sums = {kSumBits}});
        const int pixelBits = 16;
        const int control = levels() + pixelBits + plan_.stepBits + 8;
        add({.what = "the end of a step", .logic = {control, 2}, .end = PathEnd::Control});
        if (plan_.computes.empty())
            return;
        const auto address = [&](const char* name, int bits) {
            add({.what = cat("the sequencer's ", name),
                 .logic = {2 * levels(), 3},
                 .sums = {bits}});
        };
        address("input address", plan_.inputBits);
        if (plan_.multiplies)
            address("weight address", plan_.weightBits);
        if (plan_.pads)
            address("row and column", std::max(plan_.rowBits, plan_.columnBits));
        if (plan_.adds)
            address("addend address", plan_.addendBits);
        add({.what = "the write-back's address", .logic = {12, 3}, .sums = {plan_.outBits}});
    }

    void unit(std::size_t u) {
        const UnitPlan& unit = plan_.units[u];
        operand(unit);
        if (unit.multiplies())
            multipliers(unit);
        else if (unit.reduces())
            add({.what = "the accumulators of " + unit.name,
                 .logic = {unit.laneFunction == design::LaneFunction::Max ? 4 : 3},
                 .sums = {unit.laneFunction == design::LaneFunction::Max ? unit.operandBits
                                                                         : kSumBits}});
        if (unit.stream)
            for (const auto& [id, circuit] : circuits_)
                if (id.index() == u)
                    add({.what = "the kernel of " + unit.name, .kernel = circuit.timed->pathDelay});
        epilogue(unit);
    }

    void operand(const UnitPlan& unit) {
        int late = 0;
        for (const std::size_t s : unit.inSlots) {
            const SlotPlan& slot = plan_.slots[s];
            add({.what = cat("the word of ", slot.name, " for ", unit.name),
                 .start = readOf(slot),
                 .logic = turning(1 << cost::earlyHalvings(slot.turns))});
            late = std::max(late, cost::lateHalvings(slot.turns));
        }
        std::vector<int> logic = turning(1 << late);
        logic.push_back(choiceOf(std::ssize(unit.inSlots)) + (plan_.pads ? 2 : 1));
        add({.what = "the operand of " + unit.name,
             .logic = logic,
             .end = unit.multiplies() ? PathEnd::Multiplier : PathEnd::Register});
    }

    void multipliers(const UnitPlan& unit) {
        ClockPath weights{.what = "the weights of " + unit.name,
                          .start = unit.lutWeights ? PathStart::Register : PathStart::BlockRam,
                          .end = PathEnd::Multiplier};
        if (unit.weightWords > kDeepWeights)
            weights.logic.push_back(6);
        add(std::move(weights));
        if (unit.lutWeights)
            add({.what = "the words of weights of " + unit.name,
                 .logic = {choiceOf(ceilDiv(unit.weightWords, kLutRamWords))},
                 .end = PathEnd::LutRamRead});
        add({.what = "the multipliers of " + unit.name, .multiplies = true});
        const int product = unit.operandBits + unit.weightBits;
        if (plan_.lanes > 1 && !unit.lanewise())
            add({.what = "the adder tree of " + unit.name,
                 .start = PathStart::Product,
                 .sums = {product + 1}});
        add({.what = "the accumulators of " + unit.name, .logic = {3}, .sums = {kSumBits}});
    }

    /// Every step of a lane stands between registers; the widest ones are the longest.
    void writeBack(const UnitPlan& unit) {
        const cost::WriteBackForm& form = unit.writeBack->form;
        const int product =
            std::max({form.sumBits + form.mulBits, form.valueBits + form.valueMulBits,
                      form.addendBits + form.addendMulBits, form.afterBits + form.afterMulBits});
        if (form.fieldBits() > 0)
            add({.what = "the numbers per channel of " + unit.name, .start = PathStart::BlockRam});
        if (form.biasBits > 0)
            add({.what = "the biases of " + unit.name, .sums = {form.sumBits}});
        if (cost::laneDsp(form) > 0)
            add({.what = "the multipliers of the write-back of " + unit.name, .multiplies = true});
        add({.what = "the rounding of " + unit.name, .logic = {6}, .sums = {product + 2}});
        add({.what = "the shift of " + unit.name, .logic = {6, 6, 6}});
        add({.what = "the clamping of " + unit.name, .logic = {std::max(2, product - 7), 4}});
        if (unit.poolsMax || unit.poolsSum)
            add({.what = "the pool of " + unit.name, .logic = {4}, .sums = {kSumBits}});
    }

    void epilogue(const UnitPlan& unit) {
        if (unit.writeBack)
            return writeBack(unit);
        const EpiloguePlan plan = planEpilogue(unit);
        requant(unit, unit.requantsBefore, unit.activationsBefore, plan.inputBits);
        int bits = std::min(plan.inputBits, kSumBits);
        if (unit.adds)
            add({.what = "the addition of " + unit.name, .logic = {}, .sums = {bits}});
        if (plan.pools)
            add({.what = "the pool of " + unit.name,
                 .logic = unit.poolsMax ? std::vector{4} : std::vector{3},
                 .sums = {bits}});
        requant(unit, unit.requantsAfter, unit.activationsAfter, bits);
    }

    /// The shift rounds, then what was shifted is clamped and activated.
    void requant(const UnitPlan& unit, const std::vector<design::RequantStage>& requants,
                 const std::vector<design::ActivationStage>& activations, int bits) {
        using Kind = design::ActivationStage::Kind;
        const auto modes = std::ssize(requants) * std::ssize(activations);
        const bool enabled =
            std::ranges::any_of(requants, [](const auto& mode) { return mode.enabled; });
        const bool offset = std::ranges::any_of(
            requants, [](const auto& mode) { return mode.enabled && mode.zero != 0; });
        if (enabled)
            add({.what = "the rounding of " + unit.name,
                 .logic = {choiceOf(std::ssize(requants))},
                 .sums = {bits}});
        ClockPath clamp{.what = "the activation of " + unit.name};
        if (enabled)
            clamp.what = "the clamping of " + unit.name;
        if (enabled && offset)
            clamp.sums.push_back(bits);
        if (enabled)
            clamp.logic = {std::max(2, bits - 7), 4};
        if (modes > 1)
            clamp.logic.push_back(6);
        for (const auto& activation : activations)
            if (activation.kind == Kind::Leaky)
                addLeaky(clamp, activation, bits);
        if (!clamp.logic.empty() || !clamp.sums.empty())
            add(std::move(clamp));
    }

    /// A sum for each bit of the factor but one.
    static void addLeaky(ClockPath& path, const design::ActivationStage& mode, int bits) {
        for (std::int64_t rest = mode.num & (mode.num - 1); rest > 0; rest &= rest - 1)
            path.sums.push_back(bits + static_cast<int>(mode.shift));
    }

    void slot(std::size_t s) {
        const SlotPlan& slot = plan_.slots[s];
        std::int64_t readers = (slot.computeReads ? 1 : 0) + std::ssize(slot.followerReads);
        std::int64_t writers = 0;
        for (const StreamPlan* store : plan_.storers())
            readers += store->slot == s;
        for (const StreamPlan* load : plan_.loaders())
            writers += load->slot == s;
        for (const MovePlan& move : plan_.moves) {
            readers += move.from.slot == design::SlotId(s);
            writers += move.to.side.slot == design::SlotId(s);
        }
        for (const UnitPlan& unit : plan_.units) {
            readers += std::ranges::any_of(
                unit.addends, [&](const AddendSource& source) { return source.slot == s; });
            writers += std::ranges::count(unit.outSlots, s);
        }
        for (const RowPlan& rows : plan_.rows) {
            readers += rows.from.slot == design::SlotId(s);
            readers += rows.other && rows.other->from.slot == design::SlotId(s);
            writers += rows.to.side.slot == design::SlotId(s);
        }
        const int deciding = readers > 1 ? plan_.stepBits + 2 : 0;
        slotAddresses(slot, choiceOf(readers) + deciding, choiceOf(writers) + plan_.slotBits);
        add({.what = "what is written to " + slot.name,
             .logic = {choiceOf(writers) + plan_.unitBits + plan_.slotBits},
             .end = PathEnd::RamData});
    }

    /// With what chooses among the readers and writers; a ring compares its highest bits.
    void slotAddresses(const SlotPlan& slot, int reads, int writes) {
        std::vector<int> wraps;
        if (slot.wraps > 0)
            wraps.push_back(slot.addressBits -
                            std::countr_zero(static_cast<std::uint64_t>(slot.wraps)));
        add({.what = "the read address of " + slot.name,
             .logic = {reads, slot.wraps > 0 ? 3 : 0},
             .sums = slot.turns > 1 ? std::vector{slot.addressBits} : wraps,
             .end = PathEnd::RamAddress});
        if (slot.wraps > 0)
            add({.what = "the write address of " + slot.name,
                 .logic = {writes, 3},
                 .sums = wraps,
                 .end = PathEnd::RamAddress});
    }

    void storer(const StreamPlan& store) {
        const SlotPlan& slot = plan_.slots[store.slot];
        const std::int64_t chunks = slot.storedLanes / std::max<std::int64_t>(1, store.perCycle);
        const bool single = store.perCycle == 1 && store.perBeat > 1;
        add({.what = "the word read for " + store.name,
             .start = readOf(slot),
             .logic = turning(slot.turns)});
        add({.what = "the storer of " + store.name, .logic = {choiceOf(chunks), single ? 5 : 1}});
    }

    /// A bit of a quotient, which is compared and chosen; of layernorm also its products.
    void functionOf(const RowPlan& rows) {
        const cost::RowShape& shape = rows.shape;
        if (shape.ofElements()) {
            const bool multiplies = shape.function == cost::RowFunction::Multiply;
            add({.what = "the elements of " + rows.name,
                 .sums = {multiplies ? shape.firstFactor + shape.secondFactor : 32},
                 .multiplies = multiplies});
            return;
        }
        const bool softmax = shape.function == cost::RowFunction::Softmax;
        const int divisor =
            softmax ? bitsFor(shape.columns * 255 + 1) : cost::normWidths(shape).root;
        add({.what = "the divider of " + rows.name,
             .logic = {3},
             .sums = {divisor + shape.resultBits}});
        if (!softmax)
            add({.what = "the squares of " + rows.name, .multiplies = true});
    }

    /// A run of the word read, and addresses as the sequencer's.
    void mover(const MovePlan& move) {
        add({.what = "the words copied by " + move.name,
             .start = readOf(plan_.slots[move.from.slot->index()]),
             .logic = {choiceOf(move.from.runs)}});
        if (move.beginsApart)
            add({.what = "where copies by " + move.name + " begin",
                 .logic = {choiceOf(std::min<std::int64_t>(
                               std::ssize(move.parts), static_cast<std::int64_t>(plan_.places()))),
                           3}});
        for (const design::MoveSide* side : {&move.from, &move.to.side})
            add({.what = "the addresses of " + move.name,
                 .logic = {2 * static_cast<int>(std::ssize(side->walk.loops)), 3},
                 .sums = {side->addressBits()}});
    }

    const RtlPlan& plan_;
    const UnitCircuits& circuits_;
    std::vector<ClockPath> paths_;
};

} // namespace

std::vector<ClockPath> clockPaths(const RtlPlan& plan, const UnitCircuits& circuits) {
    return PathFinder(plan, circuits).paths();
}

} // namespace marquetry::hdl
