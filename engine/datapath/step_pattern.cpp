#include "engine/datapath/step_pattern.h"

#include "engine/datapath/lower_datapath.h"

#include <algorithm>

namespace marquetry::datapath {

namespace {

/// Written one by one before a table is made, and where no table would do.
constexpr std::size_t kFewRuns = 3;
constexpr std::size_t kMostRuns = 32;
constexpr std::size_t kMostBlocks = 5;
/// A table of so many steps is less than a counter.
constexpr std::int64_t kShortTable = 256;

std::vector<std::size_t> primesOf(std::size_t n) {
    std::vector<std::size_t> primes;
    for (std::size_t p = 2; p * p <= n; ++p) {
        if (n % p == 0)
            primes.push_back(p);
        while (n % p == 0)
            n /= p;
    }
    if (n > 1)
        primes.push_back(n);
    return primes;
}

/// The bits over `period` steps, when they repeat.
std::optional<StepBits> folded(const StepBits& bits, std::size_t period) {
    StepBits one(bits.begin(), bits.begin() + static_cast<std::ptrdiff_t>(period));
    for (std::size_t k = period, at = 0; k < bits.size(); ++k, at = at + 1 == period ? 0 : at + 1) {
        if (bits[k] == kAnyBit || bits[k] == one[at])
            continue;
        if (one[at] != kAnyBit)
            return std::nullopt;
        one[at] = bits[k];
    }
    return one;
}

StepBits shortest(StepBits bits) {
    for (const std::size_t prime : primesOf(bits.size())) {
        while (bits.size() % prime == 0) {
            auto fewer = folded(bits, bits.size() / prime);
            if (!fewer)
                break;
            bits = *std::move(fewer);
        }
    }
    return bits;
}

Cell phase(std::size_t period, std::size_t first, std::size_t end) {
    Cell cell{CellKind::Phase, 1};
    cell.periodic = true;
    cell.period = static_cast<std::int64_t>(period);
    cell.first = static_cast<std::int64_t>(first);
    cell.end = static_cast<std::int64_t>(end);
    return cell;
}

Cell pattern(std::int64_t rule, std::size_t period, std::vector<Cell> parts) {
    Cell cell{CellKind::Pattern, 1};
    cell.periodic = true;
    cell.number = rule;
    cell.period = static_cast<std::int64_t>(period);
    cell.parts = std::move(parts);
    return cell;
}

struct Run {
    std::size_t first = 0;
    std::size_t end = 0;
};

/// The runs in which the bits are `value` or do not matter, each from a step to a step where they
/// are; at most one more than kMostRuns.
std::vector<Run> runsOf(const StepBits& bits, std::int8_t value) {
    std::vector<Run> runs;
    bool inside = false;
    for (std::size_t k = 0; k < bits.size() && runs.size() <= kMostRuns; ++k) {
        if (bits[k] == kAnyBit)
            continue;
        if (bits[k] == value && !inside)
            runs.push_back({k, k + 1});
        inside = bits[k] == value;
        if (inside)
            runs.back().end = k + 1;
    }
    return runs;
}

/// What else is tried than runs that repeat inside runs, and tables.
enum class PeriodSearch : std::uint8_t {
    Nested,
    Anew,   ///< periods that are counted anew
    Blocks, ///< and parts by themselves
};

struct Looking {
    PeriodSearch search;
    const std::stop_token& stop;
};

std::optional<Cell> find(const StepBits& bits, const Looking& looking);

/// One of the runs of `value`, in the steps of few periods that are not all: 1 there.
Cell anyOf(const std::vector<Run>& runs, std::int8_t value, std::size_t period) {
    std::vector<Cell> parts;
    for (const Run& run : runs)
        parts.push_back(phase(period, run.first, run.end));
    if (parts.size() == 1 && value == 1)
        return parts[0];
    return pattern(value == 1 ? kAnyPart : kNoPart, period, std::move(parts));
}

/// `repeated` in the steps [first, end) of a period, elsewhere what is not `value`.
Cell onlyWithin(const Run& run, std::int8_t value, std::size_t period, Cell repeated) {
    Cell part = phase(period, run.first, run.end);
    if (value == 1)
        return pattern(kAllParts, period, {std::move(part), std::move(repeated)});
    return pattern(kAnyPart, period,
                   {pattern(kNoPart, period, {std::move(part)}), std::move(repeated)});
}

/// From the first to the last bit that is `value`.
Run spanOf(const StepBits& bits, std::int8_t value) {
    const auto first = std::ranges::find(bits, value) - bits.begin();
    const auto end = std::find(bits.rbegin(), bits.rend(), value).base() - bits.begin();
    return {static_cast<std::size_t>(first), static_cast<std::size_t>(end)};
}

/// What is `value` only inside a part of the period, where it repeats sooner.
std::optional<Cell> insidePart(const StepBits& bits, std::int8_t value, const Looking& looking) {
    const Run run = spanOf(bits, value);
    StepBits inner = bits;
    std::fill(inner.begin(), inner.begin() + static_cast<std::ptrdiff_t>(run.first), kAnyBit);
    std::fill(inner.begin() + static_cast<std::ptrdiff_t>(run.end), inner.end(), kAnyBit);
    inner = shortest(std::move(inner));
    if (inner.size() == bits.size())
        return std::nullopt;
    auto repeated = find(inner, looking);
    if (!repeated)
        return std::nullopt;
    return onlyWithin(run, value, bits.size(), *std::move(repeated));
}

/// Between bits that matter, those that do not as the one before.
StepBits held(StepBits bits) {
    std::size_t last = bits.size();
    while (last > 0 && bits[last - 1] == kAnyBit)
        --last;
    for (std::size_t k = 1; k < last; ++k)
        bits[k] = bits[k] == kAnyBit ? bits[k - 1] : bits[k];
    return bits;
}

/// The least number of steps after which the bits repeat, whether or not it divides their number
/// (Knuth, Morris and Pratt 1977).
std::size_t borderPeriod(const StepBits& bits) {
    std::vector<std::uint32_t> border(bits.size() + 1, 0);
    std::uint32_t length = 0;
    for (std::size_t k = 1; k < bits.size(); ++k) {
        while (length > 0 && bits[k] != bits[length])
            length = border[length];
        length += bits[k] == bits[length] ? 1 : 0;
        border[k + 1] = length;
    }
    return bits.size() - border[bits.size()];
}

Cell restarted(Cell cell, const Restart& restart) {
    for (Cell& part : cell.parts)
        part = restarted(std::move(part), restart);
    if (cell.kind == CellKind::Phase || cell.kind == CellKind::Table)
        cell.restart = restart;
    return cell;
}

/// The same where the shorter period does not divide the longer one: it is counted anew in each.
std::optional<Cell> insideAnew(const StepBits& bits, std::int8_t value, const Looking& looking) {
    const Run run = spanOf(bits, value);
    StepBits inner(bits.begin() + static_cast<std::ptrdiff_t>(run.first),
                   bits.begin() + static_cast<std::ptrdiff_t>(run.end));
    inner = held(std::move(inner));
    const std::size_t period = borderPeriod(inner);
    if (2 * period > inner.size())
        return std::nullopt;
    inner.resize(period);
    auto repeated = find(shortest(std::move(inner)), {PeriodSearch::Nested, looking.stop});
    if (!repeated)
        return std::nullopt;
    const Restart restart{std::ssize(bits), static_cast<std::int64_t>(run.first)};
    return onlyWithin(run, value, bits.size(), restarted(*std::move(repeated), restart));
}

std::optional<Cell> fewRuns(const StepBits& bits, std::size_t most) {
    for (const std::int8_t value : {std::int8_t{1}, std::int8_t{0}}) {
        const std::vector<Run> runs = runsOf(bits, value);
        if (runs.size() <= most)
            return anyOf(runs, value, bits.size());
    }
    return std::nullopt;
}

Cell table(const StepBits& bits) {
    Cell cell{CellKind::Table, 1};
    cell.periodic = true;
    cell.period = std::ssize(bits);
    for (const std::int8_t bit : bits)
        cell.table.push_back(bit == 1 ? 1 : 0);
    return cell;
}

/// Each of a few parts of equal length by itself.
std::optional<Cell> inBlocks(const StepBits& bits, const Looking& looking) {
    for (const std::size_t count : primesOf(bits.size())) {
        if (count > kMostBlocks)
            return std::nullopt;
        const std::size_t length = bits.size() / count;
        std::vector<Cell> parts;
        for (std::size_t first = 0; first < bits.size(); first += length) {
            const auto begin = bits.begin() + static_cast<std::ptrdiff_t>(first);
            auto part = find(shortest({begin, begin + static_cast<std::ptrdiff_t>(length)}),
                             {PeriodSearch::Anew, looking.stop});
            if (!part)
                break;
            parts.push_back(onlyWithin({first, first + length}, 1, bits.size(), *std::move(part)));
        }
        if (parts.size() == count)
            return pattern(kAnyPart, bits.size(), std::move(parts));
    }
    return std::nullopt;
}

std::optional<Cell> constantCell(const StepBits& bits) {
    for (const std::int8_t value : {std::int8_t{1}, std::int8_t{0}}) {
        if (std::ranges::find(bits, static_cast<std::int8_t>(1 - value)) != bits.end())
            continue;
        Cell cell{CellKind::Constant, 1};
        cell.periodic = true;
        cell.number = value;
        cell.most = static_cast<std::uint64_t>(value);
        return cell;
    }
    return std::nullopt;
}

/// `bits` do not repeat sooner.
std::optional<Cell> find(const StepBits& bits, const Looking& looking) {
    if (looking.stop.stop_requested())
        return std::nullopt;
    if (auto same = constantCell(bits))
        return same;
    if (auto run = fewRuns(bits, 1))
        return run;
    for (const std::int8_t value : {std::int8_t{1}, std::int8_t{0}}) {
        if (auto nested = insidePart(bits, value, looking))
            return nested;
    }
    if (auto runs = fewRuns(bits, kFewRuns))
        return runs;
    if (std::ssize(bits) <= kShortTable)
        return table(bits);
    for (const std::int8_t value : {std::int8_t{1}, std::int8_t{0}}) {
        auto nested = looking.search != PeriodSearch::Nested ? insideAnew(bits, value, looking)
                                                             : std::nullopt;
        if (nested)
            return nested;
    }
    if (std::ssize(bits) <= kLongestTable)
        return table(bits);
    auto parts = looking.search == PeriodSearch::Blocks ? inBlocks(bits, looking) : std::nullopt;
    return parts ? parts : fewRuns(bits, kMostRuns);
}

} // namespace

std::optional<Cell> stepPattern(const StepBits& bits, const std::stop_token& stop) {
    const Looking looking{PeriodSearch::Blocks, stop};
    // Bits that do not matter may repeat in a way that leads nowhere.
    auto found = find(shortest(bits), looking);
    return found ? found : find(shortest(held(bits)), looking);
}

} // namespace marquetry::datapath
