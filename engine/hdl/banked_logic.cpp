#include "engine/hdl/banked_logic.h"

#include "engine/support/assert.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <bit>

namespace marquetry::hdl {

namespace {

bool isPower(std::int64_t n) {
    return (n & (n - 1)) == 0;
}

int log2Of(std::int64_t n) {
    return std::countr_zero(static_cast<std::uint64_t>(n));
}

/// Bits of a table's input up to which it is smaller than arithmetic.
constexpr int kTableBits = 6;

std::string hexOf(const std::vector<banking::Ternary>& values) {
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (std::size_t low = 0; low < values.size(); low += 4) {
        unsigned digit = 0;
        for (std::size_t k = 0; k < 4 && low + k < values.size(); ++k)
            digit |= (values[low + k] == banking::Ternary::One ? 1U : 0U) << k;
        text.insert(text.begin(), digits[digit]);
    }
    return cat(values.size(), "'h", text);
}

} // namespace

Signal Logic::constant(std::int64_t value, int width) {
    if (width == 0)
        return {"", 0, 0};
    const std::int64_t kept = width >= 63 ? value : value & ((std::int64_t{1} << width) - 1);
    return {literal(width, kept), width, kept};
}

std::string Logic::fresh() {
    return prefix_ + std::to_string(next_++);
}

Signal Logic::wire(int width, const std::string& expression) {
    ENGINE_ASSERT(width > 0, "a wire has bits");
    const std::string name = fresh();
    body_.line("wire ", range(width), name, " = ", expression, ";");
    return {name, width, -1};
}

Signal Logic::fit(const Signal& signal, int width) {
    if (signal.constant())
        return constant(signal.width == 0 ? 0 : signal.value, width);
    if (width == 0)
        return constant(0, 0);
    if (width == signal.width)
        return signal;
    if (width > signal.width)
        return wire(width, cat("{", literal(width - signal.width, 0), ", ", signal.text, "}"));
    return wire(width, slice(signal.text, signal.width, width - 1, 0));
}

Signal Logic::concat(const std::vector<Signal>& highFirst) {
    std::string parts;
    int width = 0;
    std::int64_t value = 0;
    bool known = true;
    for (const Signal& signal : highFirst) {
        if (signal.width == 0)
            continue;
        parts += (parts.empty() ? "" : ", ") + signal.text;
        width += signal.width;
        known = known && signal.constant();
        value = value << signal.width | (known ? signal.value : 0);
    }
    if (known)
        return constant(value, width);
    const bool single =
        std::ranges::count_if(highFirst, [](const Signal& s) { return s.width > 0; }) == 1;
    if (single)
        return *std::ranges::find_if(highFirst, [](const Signal& s) { return s.width > 0; });
    return wire(width, "{" + parts + "}");
}

Signal Logic::table(const Signal& input, const std::vector<std::int64_t>& rows, int width) {
    if (input.constant()) {
        const auto row = static_cast<std::size_t>(input.width == 0 ? 0 : input.value);
        const bool known = row < rows.size() && rows[row] != kAny;
        return constant(known ? rows[row] : 0, width);
    }
    std::vector<Signal> outputs;
    for (int bit = width; bit-- > 0;)
        outputs.push_back(tableBit(input, banking::TruthTable(input.width, rows, bit)));
    return concat(outputs);
}

Signal Logic::tableBit(const Signal& input, banking::TruthTable output) {
    output.dropInputs();
    if (output.inputs.empty())
        return constant(output.values[0] == banking::Ternary::One ? 1 : 0, 1);
    const auto bitOf = [&](int at) {
        return input.width == 1 ? input.text : cat(input.text, "[", at, "]");
    };
    if (std::ssize(output.inputs) > kTableBits) {
        // Two inputs at a time: a 4:1 multiplexer is one LUT.
        const int known = std::ssize(output.inputs) > kTableBits + 1 ? 2 : 1;
        std::vector<std::string> parts;
        std::string select;
        for (int k = 0; k < known; ++k)
            select += (k > 0 ? ", " : "") + bitOf(output.inputs[static_cast<std::size_t>(k)]);
        for (std::size_t part = 0; part < std::size_t{1} << known; ++part)
            parts.push_back(tableBit(input, output.part(known, part)).text);
        const Signal index = wire(2, known == 2 ? "{" + select + "}" : "{1'h0, " + select + "}");
        return wire(1, selectText(index.text, known - 1, parts));
    }
    std::string index;
    for (const int at : output.inputs)
        index += (index.empty() ? "" : ", ") + bitOf(at);
    const std::string hex = hexOf(output.values);
    const auto [entry, isNew] = tables_.try_emplace({index, hex});
    if (isNew) {
        const std::string name = fresh();
        body_.line("wire ", range(static_cast<int>(output.values.size())), name, "_table = ", hex,
                   ";");
        body_.line("wire ", name, " = ", name, "_table[{", index, "}];");
        entry->second = {name, 1, -1};
    }
    return entry->second;
}

Signal Logic::add(const Signal& a, const Signal& b, int width) {
    if (width == 0)
        return constant(0, 0);
    if (a.constant() && (a.width == 0 || a.value == 0))
        return fit(b, width);
    if (b.constant() && (b.width == 0 || b.value == 0))
        return fit(a, width);
    const Signal x = fit(a, width);
    const Signal y = fit(b, width);
    if (x.constant() && y.constant())
        return constant(x.value + y.value, width);
    return wire(width, cat(x.text, " + ", y.text));
}

Signal Logic::times(const Signal& a, std::int64_t factor, int width) {
    if (a.constant())
        return constant(a.width == 0 ? 0 : a.value * factor, width);
    Signal sum = constant(0, width);
    for (int bit = 0; bit < width; ++bit) {
        if ((factor >> bit & 1) == 0)
            continue;
        const Signal part =
            bit == 0 ? fit(a, std::min(width, a.width))
                     : fit(concat({a, constant(0, bit)}), std::min(width, a.width + bit));
        sum = add(sum, part, width);
    }
    return sum;
}

Logic::Reduced Logic::addModulo(const Signal& a, const Signal& b, std::int64_t modulus) {
    const int width = selectBits(modulus);
    if (a.constant() && b.constant()) {
        const std::int64_t sum = (a.width ? a.value : 0) + (b.width ? b.value : 0);
        return {constant(sum % modulus, width), constant(sum >= modulus ? 1 : 0, 1)};
    }
    if (a.constant())
        return addModulo(b, a, modulus);
    if (b.constant() && (b.width == 0 || b.value == 0))
        return {fit(a, width), constant(0, 1)};
    if (b.constant() && width <= kTableBits) {
        std::vector<std::int64_t> sums;
        std::vector<std::int64_t> carries;
        for (std::int64_t v = 0; v < modulus; ++v) {
            sums.push_back((v + b.value) % modulus);
            carries.push_back(v + b.value >= modulus ? 1 : 0);
        }
        return {table(a, sums, width), table(a, carries, 1)};
    }
    const Signal sum = add(a, b, width + 1);
    if (isPower(modulus))
        return {fit(sum, width), wire(1, cat(sum.text, "[", width, "]"))};
    const Signal carry = wire(1, cat(sum.text, " >= ", literal(width + 1, modulus)));
    const Signal less = wire(width + 1, cat(sum.text, " - (", literal(width + 1, modulus), " & {",
                                            width + 1, "{", carry.text, "}})"));
    return {fit(less, width), carry};
}

Logic::Division Logic::divide(const Signal& a, std::int64_t divisor, std::int64_t bound) {
    const int quotientBits = selectBits(ceilDiv(bound, divisor));
    const int remainderBits = selectBits(std::min(bound, divisor));
    if (divisor == 1)
        return {fit(a, quotientBits), constant(0, 0)};
    if (bound <= divisor)
        return {constant(0, 0), fit(a, remainderBits)};
    if (isPower(divisor) && !a.constant()) {
        const int shift = log2Of(divisor);
        const Signal high = wire(a.width - shift, slice(a.text, a.width, a.width - 1, shift));
        return {fit(high, quotientBits), fit(a, remainderBits)};
    }
    const auto tables = [&](const Signal& input, int low, int bits) {
        std::vector<std::int64_t> quotients;
        std::vector<std::int64_t> remainders;
        for (std::int64_t v = 0; v < std::int64_t{1} << bits; ++v) {
            quotients.push_back((v << low) / divisor);
            remainders.push_back((v << low) % divisor);
        }
        return Division{table(input, quotients, quotientBits),
                        table(input, remainders, selectBits(divisor))};
    };
    if (a.constant() || a.width <= kTableBits) {
        const Division whole = tables(a, 0, a.width);
        return {whole.quotient, fit(whole.remainder, remainderBits)};
    }
    // Six bits at a time: quotients add, remainders add with a carry into the quotient.
    Division sum{constant(0, quotientBits), constant(0, selectBits(divisor))};
    for (int low = 0; low < a.width; low += kTableBits) {
        const int bits = std::min(kTableBits, a.width - low);
        const Signal piece = wire(bits, slice(a.text, a.width, low + bits - 1, low));
        const Division part = tables(piece, low, bits);
        const Reduced rest = addModulo(sum.remainder, part.remainder, divisor);
        sum.quotient =
            add(add(sum.quotient, part.quotient, quotientBits), rest.carry, quotientBits);
        sum.remainder = rest.value;
    }
    return {sum.quotient, fit(sum.remainder, remainderBits)};
}

std::string Logic::selectText(const std::string& select, int bit,
                              const std::vector<std::string>& inputs) const {
    const auto used = std::ranges::find_if(inputs, [](const auto& text) { return !text.empty(); });
    if (used == inputs.end())
        return "";
    if (bit < 0)
        return *used;
    const std::size_t half = std::min(inputs.size(), std::size_t{1} << bit);
    const std::string low =
        selectText(select, bit - 1, {inputs.begin(), inputs.begin() + static_cast<long>(half)});
    const std::string high =
        selectText(select, bit - 1, {inputs.begin() + static_cast<long>(half), inputs.end()});
    if (low.empty() || high.empty() || low == high)
        return low.empty() ? high : low;
    return cat("(", select, bit < 0 ? "" : cat("[", bit, "]"), " ? ", high, " : ", low, ")");
}

Signal Logic::select(const Signal& select, const std::vector<std::string>& inputs, int width) {
    if (select.constant())
        return wire(width, inputs[static_cast<std::size_t>(select.width == 0 ? 0 : select.value)]);
    // Bits of a one-bit signal have no index.
    const Signal vector = select.width > 1 ? select : wire(2, cat("{1'b0, ", select.text, "}"));
    return wire(width, selectText(vector.text, vector.width - 1, inputs));
}

} // namespace marquetry::hdl
