#include "engine/quant/rounded_table.h"

#include <algorithm>

namespace marquetry::quant {
namespace {

constexpr unsigned kScaleBits = 1100;
/// Steps beyond which a value saturates, whatever the zero point is.
constexpr unsigned kFarSteps = 70;

/// A rounded value, and how far its real one is from where rounding changes.
struct TableEntry {
    Integer steps;
    bool rational = false, tie = false;
    double margin = 1;
};

bool badScale(const Rational& scale) {
    static const Rational kMost(powerOfTwo(kScaleBits));
    return scale.sign() <= 0 || scale > kMost || scale * kMost < Rational(1);
}

std::optional<TableEntry> entryOf(const Rational& steps, int nudge, RoundingMode mode) {
    const Rational place = mode == RoundingMode::Down ? steps : steps + Rational(1, 2);
    TableEntry entry{rounded(steps, mode), nudge == 0, place.isInteger()};
    if (place.isInteger() && nudge != 0) {
        entry.steps = nudge > 0 ? place.floor() : Integer(place.floor() - 1);
        entry.tie = false;
        entry.margin = 0;
    }
    if (place.isInteger() || steps.abs() > Rational(powerOfTwo(kFarSteps)))
        return entry;
    const Rational above = place - Rational(place.floor());
    const Rational off = std::min(above, Rational(1) - above);
    static const Rational kNudge(Integer(1), boost::multiprecision::pow(Integer(10), 38));
    if (nudge != 0 && off <= steps.abs() * kNudge)
        return std::nullopt;
    entry.margin = off.toDouble();
    return entry;
}

std::optional<TableEntry> entryOf(const Digits120& steps, RoundingMode mode) {
    static const Digits120 kError = pow(Digits120(10), -60);
    static const Digits120 kFar = ldexp(Digits120(1), static_cast<int>(kFarSteps));
    if (abs(steps) > kFar)
        return TableEntry{steps < 0 ? Integer(-powerOfTwo(kFarSteps)) : powerOfTwo(kFarSteps)};
    const Digits120 place = mode == RoundingMode::Down ? steps : Digits120(steps + 0.5);
    const Digits120 below = floor(place);
    const Digits120 off = std::min(Digits120(place - below), Digits120(below + 1 - place));
    if (off <= abs(steps) * kError)
        return std::nullopt;
    return TableEntry{static_cast<Integer>(below), false, false, static_cast<double>(off)};
}

std::optional<TableEntry> entryOf(const RealValue& value, const TableRequest& request) {
    if (!value.digits)
        return entryOf(value.rational / request.outputScale, value.nudge, request.mode);
    const Digits120 scale =
        Digits120(request.outputScale.numerator()) / Digits120(request.outputScale.denominator());
    return entryOf(Digits120(*value.digits / scale), request.mode);
}

Diagnostic undecided(const TableRequest& request, std::int64_t q) {
    return makeAnswer("table-undecided",
                      std::string(toString(request.function)) + " of the input " +
                          std::to_string(q) +
                          " is too near the middle between two results for a "
                          "proof of its rounding",
                      "change a scale by one unit in the last place");
}

} // namespace

Status check(const TableRequest& request) {
    if (badScale(request.inputScale) || badScale(request.outputScale))
        return makeError("quant-scale",
                         "the scales of a table must be positive and finite, not " +
                             std::to_string(request.inputScale.toDouble()) + " and " +
                             std::to_string(request.outputScale.toDouble()),
                         "take the scales from the quantised tensors");
    // Taken as unsigned, for the difference may exceed 63 bits.
    const auto values =
        static_cast<std::uint64_t>(request.last) - static_cast<std::uint64_t>(request.first);
    if (request.last < request.first || values >= static_cast<std::uint64_t>(kMaxTableValues))
        return makeError("requant-range",
                         "a table has 1 to " + std::to_string(kMaxTableValues) +
                             " inputs, not those of " + std::to_string(request.first) + " … " +
                             std::to_string(request.last),
                         "tables are for inputs of few bits");
    if (request.greatest <= request.least)
        return makeError("requant-range", "the results of a table must be two values or more",
                         "the least result must be below the greatest");
    return ok();
}

Result<RoundedTable> roundedTable(const TableRequest& request) {
    if (const Status status = check(request); !status)
        return status.error();
    RoundedTable table;
    for (std::int64_t i = 0; i <= request.last - request.first; ++i) {
        const std::int64_t q = request.first + i;
        const Rational x = request.inputScale * Rational(Integer(q) - request.inputZero);
        const RealValue value = evaluate(request.function, request.params, x);
        const std::optional<TableEntry> entry = entryOf(value, request);
        if (!entry)
            return undecided(request, q);
        table.rational += entry->rational ? 1 : 0;
        table.ties += entry->tie ? 1 : 0;
        if (!entry->tie)
            table.margin = std::min(table.margin, entry->margin);
        table.values.push_back(
            toInt64(std::clamp(Integer(entry->steps + request.outputZero), Integer(request.least),
                               Integer(request.greatest))));
    }
    return table;
}

} // namespace marquetry::quant
