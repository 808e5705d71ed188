#include "engine/lower_design/sequencer_tables.h"

#include "engine/design/step_queues.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace marquetry::hdl {

const char* nameOf(Level level) {
    constexpr const char* kNames[kLevels] = {"outer_block", "frame", "py", "px", "block",
                                             "wy",          "wx",    "ky", "kx", "word"};
    return kNames[level];
}

SequencerTables::SequencerTables(const RtlPlan& plan, std::optional<std::size_t> follower)
    : plan_(plan), follower_(follower) {
    std::ranges::copy_if(plan.computes, std::back_inserter(computes_),
                         [&](const StepPlan& p) { return p.follower == follower; });
    for (const UnitPlan& unit : plan.units)
        if (follower ? unit.follower == follower : unit.leads)
            units_.push_back(&unit);
    for (std::size_t level = 0; level < kLevels; ++level) {
        std::int64_t most = 1;
        for (const StepPlan& p : computes_)
            most = std::max(most, p.bounds[level]);
        if (most > 1 || (level + 1 == kLevels && levels.empty()))
            levels.push_back({level, bitsFor(most), {}, {}, {}, {}, {}});
    }
    const auto add = [&](const char* name, int bits, Affine StepPlan::*form) {
        registers.push_back({name, bits, form, {}, {}, {}});
    };
    add("in_address", plan.inputBits, &StepPlan::input);
    if (plan.pads) {
        add("row", plan.rowBits, &StepPlan::row);
        add("column", plan.columnBits, &StepPlan::column);
    }
    if (plan.multiplies)
        add("weight_address", plan.weightBits, &StepPlan::weight);
    if (plan.adds)
        add("addend_address", plan.addendBits, &StepPlan::addend);
    if (plan.scales)
        add("scale_address", plan.scaleBits, &StepPlan::scale);
}

template <class Value>
SequencerTables::Values SequencerTables::perCompute(const Value& value) const {
    Values values(plan_.places());
    for (const StepPlan& p : computes_) {
        const std::optional<std::int64_t> own = value(p);
        std::optional<std::int64_t>& row = values[rowOf(p)];
        ENGINE_ASSERT(!row || row == own, "rounds of a loop are alike");
        row = own;
    }
    return values;
}

/// A follower looks up its step by the one that it follows, unless it was handed over.
std::size_t SequencerTables::rowOf(const StepPlan& p) const {
    return plan_.placeOf(p.step) - (follower_ && !p.beside ? 1 : 0);
}

/// A constant that only the steps of some kind of register read.
bool SequencerTables::reads(const AffineRegister& r, const StepPlan& p) const {
    if (r.form == &StepPlan::weight)
        return plan_.units[p.unit].multiplies() && !p.external;
    if (r.form == &StepPlan::scale)
        return plan_.units[p.unit].writeBack.has_value();
    return r.form != &StepPlan::addend || p.addSlot.has_value();
}

void SequencerTables::declare(StepTable& table) {
    int drainBits = 1;
    for (const StepPlan& p : computes_)
        drainBits = std::max(drainBits, bitsFor(p.drain));
    Values drains = perCompute([](const StepPlan& p) { return p.drain - 1; });
    if (!follower_)
        declareLeader(table, drains);
    else if (moves())
        declareKinds(table);
    constants.drain = table.atOnce("drain_cycles", drainBits, drains);
    if (computes())
        declareCompute(table);
}

bool SequencerTables::moves() const {
    return follower_ && *follower_ < plan_.queuesBeside &&
           plan_.movesIn(design::queueBeside(*follower_));
}

/// Of a follower whose steps are not all calls.
void SequencerTables::declareKinds(StepTable& table) {
    Values computes = perCompute([](const StepPlan&) { return 1; });
    const auto note = [&](const auto& movers) {
        for (const auto& mover : movers)
            for (const std::size_t step : mover.steps())
                if (mover.queue == design::queueBeside(*follower_))
                    computes[plan_.placeOf(step)] = 0;
    };
    note(plan_.moves);
    note(plan_.rows);
    constants.isCompute = table.atOnce("is_compute", 1, computes);
}

void SequencerTables::declareLeader(StepTable& table, Values& drains) {
    Values computes(plan_.places(), 0);
    Values stores = computes;
    Values follows = computes;
    int followBits = 2;
    const auto follow = [&](std::size_t step, std::optional<std::int64_t> delay) {
        follows[plan_.placeOf(step)] = delay.value_or(0);
        followBits = std::max(followBits, bitsFor(delay.value_or(0) + 1));
    };
    for (const StreamPlan* load : plan_.loaders()) {
        for (const StreamPart& part : load->parts) {
            if (load->queue != design::Queue::Calls)
                continue;
            drains[plan_.placeOf(part.step)] = cost::kLoadDrain - 1;
            follow(part.step, load->followedAfter);
        }
    }
    for (const StreamPlan* store : plan_.storers())
        for (const StreamPart& part : store->parts)
            stores[plan_.placeOf(part.step)] = 1;
    for (const MovePlan& move : plan_.moves)
        for (const std::size_t step : move.steps())
            stores[plan_.placeOf(step)] = 1; // it says itself when it is done
    for (const RowPlan& rows : plan_.rows)
        for (const std::size_t step : rows.steps())
            stores[plan_.placeOf(step)] = 1;
    for (const StepPlan& p : computes_) {
        computes[plan_.placeOf(p.step)] = 1;
        follow(p.step, p.followedAfter);
    }
    constants.isCompute = table.atOnce("is_compute", 1, computes);
    constants.isStore = table.atOnce("is_store", 1, stores);
    if (plan_.joins)
        constants.followedAfter = table.atOnce("followed_after", followBits, follows);
    if (plan_.ordered())
        declareOrder(table);
}

void SequencerTables::declareOrder(StepTable& table) {
    const auto flag = [&](const std::string& name, auto holds) {
        Values values(plan_.places());
        for (std::size_t s = 0; s < plan_.order.size(); ++s)
            values[plan_.placeOf(s)] = holds(plan_.order[s]) ? 1 : 0;
        return table.atOnce(name, 1, values);
    };
    using design::Queue;
    using Order = design::StepOrder;
    StepConstants& c = constants;
    const std::size_t queues = indexOf(Queue::Second) + plan_.queuesBeside;
    for (std::size_t k = 0; k < queues; ++k) {
        const auto queue = static_cast<Queue>(k);
        const std::string name = signalOf(queue);
        c.isOf.push_back(flag("is_" + name, [&](const Order& o) { return o.queue == queue; }));
        c.awaits.push_back(
            flag("awaits_" + name, [&](const Order& o) { return design::awaits(o, queue); }));
    }
}

void SequencerTables::declareCompute(StepTable& table) {
    const auto of = [&](auto member) {
        return perCompute([member](const StepPlan& p) -> std::optional<std::int64_t> {
            return static_cast<std::int64_t>(p.*member);
        });
    };
    StepConstants& c = constants;
    c.unit = table.atOnce("unit_now", plan_.unitBits, of(&StepPlan::unit));
    if (plan_.choosesInput)
        c.inSlot = table.atOnce("in_slot_now", plan_.slotBits, of(&StepPlan::inSlot));
    c.outSlot = table.atOnce("out_slot_now", plan_.slotBits, of(&StepPlan::outSlot));
    for (NestLevel& l : levels)
        declareLevel(table, l);
    for (AffineRegister& r : registers)
        declareRegister(table, r);
    if (plan_.pads) {
        c.inHeight = table.registered("in_height", plan_.rowBits, of(&StepPlan::inHeight));
        c.inWidth = table.registered("in_width", plan_.columnBits, of(&StepPlan::inWidth));
        if (plan_.span > 1)
            declareWords(table);
    }
    if (fetches())
        declareExternal(table);
    declareResults(table);
    declareModes(table);
}

/// Also of steps that compute nothing: what is joined to one of them may use the same unit.
void SequencerTables::declareExternal(StepTable& table) {
    Values external(plan_.places(), 0);
    for (const StepPlan& p : computes_)
        external[rowOf(p)] = p.external ? 1 : 0;
    constants.external = table.atOnce("external_now", 1, external);
}

/// Of words that a step does not take nothing matters.
void SequencerTables::declareWords(StepTable& table) {
    StepConstants& c = constants;
    c.tail = table.registered("tail_words", static_cast<int>(plan_.span),
                              perCompute([](const StepPlan& p) { return p.tail; }));
    const auto offsets = [&](const std::string& name, int bits, auto list) {
        std::vector<Expr> words;
        for (std::size_t k = 0; k < static_cast<std::size_t>(plan_.span); ++k)
            words.push_back(table.registered(
                cat(name, "_of_word_", k), bits,
                perCompute([&](const StepPlan& p) -> std::optional<std::int64_t> {
                    return k < (p.*list).size() ? std::optional((p.*list)[k]) : std::nullopt;
                })));
        return words;
    };
    c.rowOffsets = offsets("row", plan_.rowBits, &StepPlan::rowOffsets);
    c.columnOffsets = offsets("column", plan_.columnBits, &StepPlan::columnOffsets);
}

void SequencerTables::declareResults(StepTable& table) {
    const auto of = [&](auto value) {
        return perCompute([value](const StepPlan& p) -> std::optional<std::int64_t> {
            return std::invoke(value, p);
        });
    };
    int groupBits = 1, waitBits = 1, rowBits = 1;
    int pixelBits = 1, blockBits = 1;
    for (const StepPlan& p : computes_) {
        pixelBits = std::max(pixelBits, bitsFor(p.outPixels));
        blockBits = std::max(blockBits, bitsFor(p.outBlocks));
        groupBits = std::max(groupBits, bitsFor(p.outLast + 1));
        waitBits = std::max(waitBits, bitsFor(p.wait));
        rowBits = std::max(rowBits, bitsFor(p.outWidth));
    }
    StepConstants& c = constants;
    c.outStart = table.atOnce("out_start", plan_.outBits, of(&StepPlan::outStart));
    c.outPixelStep = table.registered("out_pixel_step", plan_.outBits, of(&StepPlan::outPixel));
    c.outGroupEnd = table.registered("out_group_end", groupBits, of(&StepPlan::outLast));
    if (plan_.spreads) {
        c.outRowStep = table.registered("out_row_step", plan_.outBits, of(&StepPlan::outRow));
        c.outRowEnd = table.registered("out_row_end", rowBits,
                                       of([](const StepPlan& p) { return p.outWidth - 1; }));
    }
    if (blocksOutside()) {
        c.outBlockStep = table.registered("out_block_step", plan_.outBits, of(&StepPlan::outBlock));
        c.outPixelEnd = table.registered("out_pixel_end", pixelBits,
                                         of([](const StepPlan& p) { return p.outPixels - 1; }));
        c.outBlockEnd = table.registered("out_block_end", blockBits,
                                         of([](const StepPlan& p) { return p.outBlocks - 1; }));
    }
    if (plan_.trims)
        c.outKeptEnd = table.registered("out_kept_end", groupBits, of(&StepPlan::outKept));
    if (!waits())
        return;
    c.waits = table.registered("waits_behind", 1, of([](const StepPlan& p) { return p.wait > 0; }));
    c.waitClocks = table.registered("wait_clocks", waitBits, of([](const StepPlan& p) {
                                        return std::max<std::int64_t>(p.wait - 1, 0);
                                    }));
}

bool SequencerTables::fetches() const {
    return std::ranges::any_of(computes_, &StepPlan::external) ||
           (!follower_ && std::ranges::any_of(units_, [](const UnitPlan* unit) {
               return unit->loaded && unit->loaded->ringWords > 0;
           }));
}

bool SequencerTables::blocksOutside() const {
    return std::ranges::any_of(computes_, [](const StepPlan& p) { return p.outBlocks > 1; });
}

bool SequencerTables::waits() const {
    return std::ranges::any_of(computes_, [](const StepPlan& p) { return p.wait > 0; });
}

void SequencerTables::declareLevel(StepTable& table, NestLevel& l) {
    using Value = std::optional<std::int64_t>;
    const std::string name = nameOf(static_cast<Level>(l.level));
    l.beforeEnd = table.registered(name + "_before_end", l.bits, perCompute([&](const StepPlan& p) {
                                       const std::int64_t bound = p.bounds[l.level];
                                       return bound > 1 ? Value(bound - 2) : Value();
                                   }));
    l.once = table.atOnce(name + "_once", 1, perCompute([&](const StepPlan& p) -> std::int64_t {
                              return p.bounds[l.level] == 1;
                          }));
}

void SequencerTables::declareRegister(StepTable& table, AffineRegister& r) {
    using Value = std::optional<std::int64_t>;
    r.start = table.atOnce(r.name + "_start", r.bits, perCompute([&](const StepPlan& p) {
                               return reads(r, p) ? Value((p.*r.form).start) : Value();
                           }));
    for (const NestLevel& l : levels)
        r.deltas.push_back(
            table.registered(cat(r.name, "_", nameOf(static_cast<Level>(l.level))), r.bits,
                             perCompute([&](const StepPlan& p) {
                                 // A level of bound 1 never advances: its constant does not matter.
                                 const bool matters = reads(r, p) && p.bounds[l.level] > 1;
                                 return matters ? Value((p.*r.form).delta[l.level]) : Value();
                             })));
}

void SequencerTables::declareModes(StepTable& table) {
    using Value = std::optional<std::int64_t>;
    if (plan_.choosesAddend) {
        Values adding = perCompute([](const StepPlan& p) { return p.addSlot ? 1 : 0; });
        for (auto& value : adding)
            value = value.value_or(0);
        constants.addSlot = table.atOnce(
            "add_slot_now", plan_.slotBits,
            perCompute([](const StepPlan& p) { return p.addSlot ? Value(*p.addSlot) : Value(); }));
        constants.adding = table.atOnce("adding_now", 1, adding);
    }
    const auto runsOn = [&](const StepPlan& p, const UnitPlan& unit) {
        return &plan_.units[p.unit] == &unit;
    };
    for (const UnitPlan* unit : units_)
        for (const ModePort& mode : controlModes(*unit))
            constants.ofModes.push_back(
                table.atOnce(cat(unit->name, "_", mode.name, "_now"), mode.width,
                             perCompute([&](const StepPlan& p) -> Value {
                                 if (!runsOn(p, *unit))
                                     return std::nullopt;
                                 if (mode.value)
                                     return static_cast<std::int64_t>(p.*mode.value);
                                 return mode.name == "adds" ? p.addSlot.has_value() : p.poolSum;
                             })));
    for (const UnitPlan* unit : units_)
        if (unit->addends.size() > 1)
            constants.ofModes.push_back(table.atOnce(
                unit->name + "_addend_source_now", addendSourceBits(*unit),
                perCompute([&](const StepPlan& p) {
                    return runsOn(p, *unit) && p.addSlot ? Value(p.addendMode) : Value();
                })));
}

} // namespace marquetry::hdl
