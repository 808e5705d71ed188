#include "engine/hdl/stream_control.h"

#include "engine/support/checked_math.h"
#include "engine/support/text_stream.h"

#include <algorithm>

namespace marquetry::hdl {

using spacetime::Cell;
using spacetime::CellKind;

namespace {

/// Phases of longer periods have a register of their own, so that mapping for depth does not copy
/// the decoder of a counter into every bit that depends on it.
constexpr std::int64_t kDecodedPeriod = 4;
/// Steps of one bit of a table in a LUT.
constexpr std::int64_t kTableOfLut = 64;
constexpr std::int64_t kLutInputs = 6;

std::int64_t modulo(std::int64_t a, std::int64_t m) {
    const std::int64_t r = a % m;
    return r < 0 ? r + m : r;
}

/// Bits [low, high] of a name of `width` bits, zeros above.
std::string fitted(const std::string& name, int width, int high, int low) {
    if (low >= width)
        return literal(high - low + 1, 0);
    if (high >= width)
        return cat("{", literal(high - width + 1, 0), ", ", slice(name, width, width - 1, low),
                   "}");
    return slice(name, width, high, low);
}

/// 1 while a counter of a period is in [from, to), or wraps from `from` to `to`.
std::string within(const std::string& name, std::int64_t period, std::int64_t from,
                   std::int64_t to) {
    const int bits = bitsFor(period);
    if (to == modulo(from + 1, period))
        return cat(name, " == ", literal(bits, from));
    if (from == 0)
        return cat(name, " < ", literal(bits, to));
    if (to == 0)
        return cat(name, " >= ", literal(bits, from));
    return cat("(", name, " >= ", literal(bits, from), ") ", from < to ? "&" : "|", " (", name,
               " < ", literal(bits, to), ")");
}

} // namespace

std::string StreamControl::wireOf(const std::string& condition) {
    const auto [wire, isNew] = wires_.emplace(condition, cat("condition_", wires_.size()));
    if (isNew)
        lines_.push_back(cat("wire ", wire->second, " = ", condition, ";"));
    return wire->second;
}

std::string StreamControl::counter(const Counter& key) {
    const auto [entry, isNew] = counters_.emplace(key, "");
    if (isNew) {
        entry->second = cat("step_", key.period);
        if (key.spread > 1)
            entry->second += cat("_by_", key.spread);
        if (key.within > 0)
            entry->second += cat("_in_", key.within);
        if (key.offset > 0)
            entry->second += cat("_at_", key.offset);
    }
    return entry->second;
}

std::string StreamControl::phase(std::int64_t period, std::int64_t first, std::int64_t end,
                                 std::int64_t offset) {
    if (end - first >= period)
        return "1'b1";
    const std::string name = counter({period, 1, 0});
    const std::int64_t from = modulo(first + offset, period);
    const std::int64_t to = modulo(end + offset, period);
    if (period <= kDecodedPeriod)
        return wireOf(within(name, period, from, to));
    const bool atReset = from < to ? from == 0 : to > 0;
    const std::string before =
        within(name, period, modulo(from - 1, period), modulo(to - 1, period));
    const Phase phase{cat("phase_", phases_.size()), atReset};
    return phases_.emplace(before, phase).first->second.name;
}

std::string StreamControl::started(std::int64_t steps) {
    if (steps == 0)
        return "1'b1";
    starts_.insert(steps);
    return cat("started_", steps);
}

std::string StreamControl::word(const Cell& generator, int high, int low, std::int64_t offset) {
    switch (generator.kind) {
    case CellKind::Phase: {
        const std::string text =
            generator.restart ? countedAnew(generator, offset)
                              : phase(generator.period, generator.first, generator.end, offset);
        return high == 0 ? text : fitted(text, 1, high, low);
    }
    case CellKind::Index: {
        const Counter key{generator.period, generator.number, modulo(offset, generator.period)};
        return fitted(counter(key), bitsFor(generator.period / generator.number), high, low);
    }
    case CellKind::Pattern:
        return fitted(wireOf(condition(generator, offset)), 1, high, low);
    case CellKind::Table:
        return fitted(generator.restart
                          ? countedAnew(generator, offset)
                          : table(generator, counter({generator.period, 1, 0}), offset),
                      generator.bits(), high, low);
    default:
        return literal(high - low + 1,
                       generator.kind == CellKind::Undefined ? 0 : generator.number >> low);
    }
}

std::string StreamControl::condition(const Cell& pattern, std::int64_t offset) {
    const char* const join = pattern.number == spacetime::kAllParts ? " & " : " | ";
    std::string text;
    for (const Cell& part : pattern.parts)
        text += (text.empty() ? "" : join) + word(part, 0, 0, offset);
    return pattern.number == spacetime::kNoPart ? "~(" + text + ")" : text;
}

std::string StreamControl::countedAnew(const Cell& generator, std::int64_t offset) {
    const spacetime::Restart& restart = *generator.restart;
    const std::int64_t start = modulo(offset + restart.first, restart.period);
    const Counter key{generator.period, 1, start, restart.period};
    restarts_.emplace(key, phase(restart.period, 0, 1, start - 1));
    Cell own = generator;
    own.restart.reset();
    if (own.kind == CellKind::Table)
        return table(own, counter(key), 0);
    return wireOf(within(counter(key), own.period, own.first, own.end % own.period));
}

std::string StreamControl::table(const Cell& generator, const std::string& name,
                                 std::int64_t offset) {
    const int indexBits = bitsFor(generator.period);
    std::string text = "case (" + name + ")";
    for (std::int64_t step = 0; step < generator.period; ++step)
        text += cat(" ", literal(indexBits, step), ": @ = ",
                    literal(generator.bits(), spacetime::valueAt(generator, step - offset)), ";");
    text += cat(" default: @ = ", literal(generator.bits(), 0), "; endcase");
    const auto [wire, isNew] = wires_.emplace(text, cat("table_", wires_.size()));
    if (isNew) {
        tableLuts_ += generator.bits() * ceilDiv(generator.period, kTableOfLut);
        lines_.push_back(cat("reg ", range(generator.bits()), wire->second, ";"));
        std::string filled;
        for (const char c : text)
            filled += c == '@' ? wire->second : std::string(1, c);
        lines_.push_back("always @* " + filled);
    }
    return wire->second;
}

StreamControl::Size StreamControl::size() const {
    Size size;
    const auto add = [&](std::int64_t values) {
        const int bits = bitsFor(values);
        size.counterBits += bits;
        size.decoderLuts += ceilDiv(bits, kLutInputs);
    };
    for (const auto& [key, name] : counters_) {
        add(key.period / key.spread);
        if (key.spread > 1)
            add(key.spread);
    }
    for (const std::int64_t steps : starts_)
        add(steps + 1);
    size.phases = std::ssize(phases_);
    size.decoderLuts += 2 * size.phases + std::ssize(wires_);
    size.tableLuts = tableLuts_;
    return size;
}

void StreamControl::declare(Body& body) const {
    for (const auto& [before, phase] : phases_)
        body.line("reg ", phase.name, ";");
    for (const auto& [key, name] : counters_) {
        body.line("reg ", range(bitsFor(key.period / key.spread)), name, ";");
        if (key.spread > 1)
            body.line("reg ", range(bitsFor(key.spread)), name, "_low;");
    }
    for (const std::int64_t steps : starts_)
        body.line("reg ", range(bitsFor(steps + 1)), "wait_", steps, ";");
    for (const std::string& line : lines_)
        body.line(line);
    for (const std::int64_t steps : starts_)
        body.line("wire started_", steps, " = wait_", steps, " == ", literal(bitsFor(steps + 1), 0),
                  ";");
}

void StreamControl::runCounter(Body& body, const Counter& key, const std::string& name) const {
    const std::int64_t values = key.period / key.spread;
    const std::int64_t start =
        modulo(modulo(-key.offset, std::max(key.within, key.period)), key.period);
    const int bits = bitsFor(values);
    const int lowBits = bitsFor(key.spread);
    const std::string low = name + "_low";
    const std::string lowEnd = low + " == " + literal(lowBits, key.spread - 1);
    std::string end = name + " == " + literal(bits, values - 1);
    if (key.within > 0)
        end = cat("(", end, ") | ", restarts_.at(key));
    const bool wraps = key.within > 0 || values != std::int64_t{1} << bits;
    if (wraps && start == 0 && key.spread == 1) { // one synchronous reset for both
        body.line("if (!", reset_, " | (enable & (", end, ")))");
        body.line("    ", name, " <= ", literal(bits, 0), ";");
        body.line("else if (enable)");
        body.line("    ", name, " <= ", name, " + ", literal(bits, 1), ";");
        return;
    }
    body.line("if (!", reset_, ") begin");
    body.line("    ", name, " <= ", literal(bits, start / key.spread), ";");
    if (key.spread > 1)
        body.line("    ", low, " <= ", literal(lowBits, start % key.spread), ";");
    body.line("end else if (enable) begin");
    const std::string next =
        wraps ? cat("(", end, ") ? ", literal(bits, 0), " : ", name, " + ", literal(bits, 1))
              : cat(name, " + ", literal(bits, 1));
    if (key.spread > 1) {
        body.line("    ", low, " <= (", lowEnd, ") ? ", literal(lowBits, 0), " : ", low, " + ",
                  literal(lowBits, 1), ";");
        body.line("    if (", lowEnd, ")");
        body.line("        ", name, " <= ", next, ";");
    } else {
        body.line("    ", name, " <= ", next, ";");
    }
    body.line("end");
}

void StreamControl::run(Body& body) const {
    if (empty())
        return;
    body.line("always @(posedge aclk) begin");
    Body inner;
    for (const auto& [key, name] : counters_)
        runCounter(inner, key, name);
    for (const auto& [before, phase] : phases_) {
        inner.line("if (!", reset_, ")");
        inner.line("    ", phase.name, " <= 1'b", phase.atReset ? 1 : 0, ";");
        inner.line("else if (enable)");
        inner.line("    ", phase.name, " <= ", before, ";");
    }
    for (const std::int64_t steps : starts_) {
        const int bits = bitsFor(steps + 1);
        inner.line("if (!", reset_, ")");
        inner.line("    wait_", steps, " <= ", literal(bits, steps), ";");
        inner.line("else if (enable & ~started_", steps, ")");
        inner.line("    wait_", steps, " <= wait_", steps, " - ", literal(bits, 1), ";");
    }
    TextIn lines(inner.text());
    for (std::string line; std::getline(lines, line);)
        body.line(line.substr(4));
    body.line("end");
}

} // namespace marquetry::hdl
