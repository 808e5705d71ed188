#include "engine/lower_stream/stream_control.h"

#include "engine/datapath/cell_value.h"
#include "engine/device/lut6.h"
#include "engine/support/checked_math.h"
#include "engine/support/text_stream.h"

#include <algorithm>

namespace marquetry::hdl {

using datapath::Cell;
using datapath::CellKind;

namespace {

/// Phases of longer periods have a register of their own, so that mapping for depth does not copy
/// the decoder of a counter into every bit that depends on it.
constexpr std::int64_t kDecodedPeriod = 4;

using datapath::modulo;

/// Bits [low, high] of a word, zeros above it.
Expr fitted(const Expr& word, int high, int low) {
    const int count = high - low + 1;
    const int kept = std::clamp(word.width() - low, 0, count);
    return word.slice(low, kept).extended(count);
}

/// 1 while a counter of a period is in [from, to), or wraps from `from` to `to`.
Expr within(const Expr& counter, std::int64_t period, std::int64_t from, std::int64_t to) {
    if (to == modulo(from + 1, period))
        return counter == from;
    if (from == 0)
        return counter < to;
    if (to == 0)
        return counter >= from;
    return from < to ? (counter >= from) & (counter < to) : (counter >= from) | (counter < to);
}

} // namespace

StreamControl::StreamControl(rtl::Module& module, ControlSignals signals)
    : module_(module),
      signals_(std::move(signals)),
      section_(module.section("Control: a counter for each period of steps.")) {}

std::string StreamControl::Counter::name() const {
    std::string name = "step_" + std::to_string(period);
    if (spread > 1)
        name += "_by_" + std::to_string(spread);
    if (within > 0)
        name += "_in_" + std::to_string(within);
    if (offset > 0)
        name += "_at_" + std::to_string(offset);
    return name;
}

/// A condition that is a signal needs no other name for it; it is counted all the same.
Expr StreamControl::wireOf(const Expr& condition) {
    for (const Named& named : conditions_)
        if (named.condition.same(condition))
            return named.wire;
    Named named{condition, condition};
    if (!condition.constant() && condition.node().op != rtl::ExprOp::Net)
        module_.in(section_, [&] {
            named.wire = module_.wire("condition_" + std::to_string(wires_), condition);
        });
    ++wires_;
    conditions_.push_back(named);
    return named.wire;
}

Expr StreamControl::counter(const Counter& key) {
    const auto [entry, isNew] = counters_.try_emplace(key);
    CounterRegisters& registers = entry->second;
    if (isNew) {
        module_.in(section_, [&] {
            registers.value = module_.reg(key.name(), rtl::bits(bitsFor(key.period / key.spread)));
            if (key.spread > 1)
                registers.low = module_.reg(key.name() + "_low", rtl::bits(bitsFor(key.spread)));
        });
    }
    return registers.value;
}

Expr StreamControl::phase(std::int64_t period, std::int64_t first, std::int64_t end,
                          std::int64_t offset) {
    if (end - first >= period)
        return rtl::constant(1, 1);
    const Expr at = counter({period, 1, 0});
    const std::int64_t from = modulo(first + offset, period);
    const std::int64_t to = modulo(end + offset, period);
    if (period <= kDecodedPeriod)
        return wireOf(within(at, period, from, to));
    const Expr before = within(at, period, modulo(from - 1, period), modulo(to - 1, period));
    for (const Phase& phase : phases_)
        if (phase.before.same(before))
            return phase.value;
    Phase phase{before, {}, from < to ? from == 0 : to > 0};
    module_.in(section_,
               [&] { phase.value = module_.reg("phase_" + std::to_string(phases_.size())); });
    phases_.push_back(phase);
    return phase.value;
}

Expr StreamControl::started(std::int64_t steps) {
    if (steps == 0)
        return rtl::constant(1, 1);
    const auto [entry, isNew] = starts_.try_emplace(steps);
    if (isNew)
        module_.in(section_, [&] {
            entry->second =
                module_.reg("wait_" + std::to_string(steps), rtl::bits(bitsFor(steps + 1)));
        });
    return entry->second == 0;
}

Expr StreamControl::word(const Cell& generator, int high, int low, std::int64_t offset) {
    switch (generator.kind) {
    case CellKind::Phase: {
        const Expr word = generator.restart
                              ? countedAnew(generator, offset)
                              : phase(generator.period, generator.first, generator.end, offset);
        return high == 0 ? word : fitted(word, high, low);
    }
    case CellKind::Index:
        return fitted(
            counter({generator.period, generator.number, modulo(offset, generator.period)}), high,
            low);
    case CellKind::Pattern:
        return fitted(wireOf(condition(generator, offset)), high, low);
    case CellKind::Table:
        return fitted(generator.restart
                          ? countedAnew(generator, offset)
                          : table(generator, counter({generator.period, 1, 0}), offset),
                      high, low);
    default:
        return rtl::constant(generator.kind == CellKind::Undefined ? 0 : generator.number >> low,
                             high - low + 1);
    }
}

Expr StreamControl::condition(const Cell& pattern, std::int64_t offset) {
    const bool every = pattern.number == datapath::kAllParts;
    Expr all = rtl::constant(every ? 1 : 0, 1);
    for (const Cell& part : pattern.parts) {
        const Expr one = word(part, 0, 0, offset);
        all = every ? all & one : all | one;
    }
    return pattern.number == datapath::kNoPart ? ~all : all;
}

Expr StreamControl::countedAnew(const Cell& generator, std::int64_t offset) {
    const datapath::Restart& restart = *generator.restart;
    const std::int64_t start = modulo(offset + restart.first, restart.period);
    const Counter key{generator.period, 1, start, restart.period};
    const Expr restarts = phase(restart.period, 0, 1, start - 1);
    const Expr at = counter(key);
    counters_.at(key).restarts = restarts;
    Cell own = generator;
    own.restart.reset();
    if (own.kind == CellKind::Table)
        return table(own, at, 0);
    return wireOf(within(at, own.period, own.first, own.end % own.period));
}

Expr StreamControl::table(const Cell& generator, const Expr& at, std::int64_t offset) {
    std::vector<std::int64_t> values;
    for (std::int64_t step = 0; step < generator.period; ++step)
        values.push_back(datapath::valueAt(generator, step - offset));
    values.push_back(generator.bits());
    const auto [entry, isNew] = tables_.try_emplace({&at.node(), values});
    if (!isNew)
        return entry->second;
    Expr& word = entry->second;
    tableLuts_ += generator.bits() * ceilDiv(generator.period, device::kLutRows);
    module_.in(section_, [&] {
        word = module_.reg("table_" + std::to_string(wires_), rtl::bits(generator.bits()));
        module_.combinational([&](rtl::Block& block) {
            std::vector<std::pair<std::int64_t, rtl::Block::Body>> cases;
            for (std::int64_t step = 0; step < generator.period; ++step)
                cases.emplace_back(step, [&, step](rtl::Block& then) {
                    then.set(word, rtl::constant(values[static_cast<std::size_t>(step)],
                                                 generator.bits()));
                });
            block.select(at, cases,
                         [&](rtl::Block& rest) { rest.set(word, rtl::zeros(generator.bits())); });
        });
    });
    ++wires_;
    return word;
}

cost::KernelControl StreamControl::size() const {
    cost::KernelControl size;
    const auto add = [&](std::int64_t values) {
        const int bits = bitsFor(values);
        size.counterBits += bits;
        size.decoderLuts += ceilDiv(bits, device::kLutInputs);
    };
    for (const auto& [key, registers] : counters_) {
        add(key.period / key.spread);
        if (key.spread > 1)
            add(key.spread);
    }
    for (const auto& [steps, left] : starts_)
        add(steps + 1);
    size.phases = std::ssize(phases_);
    size.decoderLuts += 2 * size.phases + wires_;
    size.tableLuts = tableLuts_;
    return size;
}

void StreamControl::runCounter(rtl::Block& block, const Counter& key,
                               const CounterRegisters& registers) const {
    const auto& [value, low, restarts] = registers;
    const std::int64_t values = key.period / key.spread;
    const std::int64_t start =
        modulo(modulo(-key.offset, std::max(key.within, key.period)), key.period);
    const int bits = bitsFor(values);
    const Expr zero = rtl::zeros(bits);
    Expr end = value == values - 1;
    if (key.within > 0)
        end = end | restarts;
    const bool wraps = key.within > 0 || values != std::int64_t{1} << bits;
    const Expr next = wraps ? choose(end, zero, value + 1) : value + 1;
    if (wraps && start == 0 && key.spread == 1) { // one synchronous reset for both
        block.when(~signals_.reset | (signals_.enable & end),
                   [&](rtl::Block& then) { then.set(value, zero); });
        block.orWhen(signals_.enable, [&](rtl::Block& then) { then.set(value, value + 1); });
        return;
    }
    block.when(~signals_.reset, [&](rtl::Block& then) {
        then.set(value, rtl::constant(start / key.spread, bits));
        then.set(low, rtl::constant(start % key.spread, low.width()));
    });
    block.orWhen(signals_.enable, [&](rtl::Block& then) {
        if (key.spread == 1)
            return then.set(value, next);
        const Expr lowEnd = low == key.spread - 1;
        then.set(low, choose(lowEnd, rtl::zeros(low.size()), low + 1));
        then.when(lowEnd, [&](rtl::Block& moves) { moves.set(value, next); });
    });
}

void StreamControl::runPhases(rtl::Block& block) const {
    if (phases_.empty())
        return;
    block.when(~signals_.reset, [&](rtl::Block& then) {
        for (const Phase& phase : phases_)
            then.set(phase.value, rtl::constant(phase.atReset ? 1 : 0, 1));
    });
    block.orWhen(signals_.enable, [&](rtl::Block& then) {
        for (const Phase& phase : phases_)
            then.set(phase.value, phase.before);
    });
}

void StreamControl::runStarts(rtl::Block& block) const {
    for (const auto& [steps, left] : starts_) {
        block.when(~signals_.reset,
                   [&](rtl::Block& then) { then.set(left, rtl::constant(steps, left.width())); });
        block.orWhen(signals_.enable & (left != 0),
                     [&](rtl::Block& then) { then.set(left, left - 1); });
    }
}

void StreamControl::run() {
    if (counters_.empty() && starts_.empty())
        return;
    module_.clocked(signals_.clock, [this](rtl::Block& block) {
        for (const auto& [key, registers] : counters_)
            runCounter(block, key, registers);
        runPhases(block);
        runStarts(block);
    });
}

} // namespace marquetry::hdl
