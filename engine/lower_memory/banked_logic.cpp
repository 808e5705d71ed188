#include "engine/lower_memory/banked_logic.h"

#include "engine/support/assert.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <bit>

namespace marquetry::hdl {

using rtl::choose;
using rtl::constant;
using rtl::join;

namespace {

bool isPower(std::int64_t n) {
    return (n & (n - 1)) == 0;
}

int log2Of(std::int64_t n) {
    return std::countr_zero(static_cast<std::uint64_t>(n));
}

/// Bits of a table's input up to which it is smaller than arithmetic.
constexpr int kTableBits = 6;

/// Values in a word, the first lowest; those that do not matter are 0.
std::uint64_t wordOf(const std::vector<banking::Ternary>& values) {
    ENGINE_ASSERT(values.size() <= 64, "a table of six inputs is a word");
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < values.size(); ++k)
        word |= std::uint64_t{values[k] == banking::Ternary::One} << k;
    return word;
}

} // namespace

Expr Logic::named(const Expr& value) {
    if (value.constant() || value.node().op == rtl::ExprOp::Net)
        return value;
    return module_.wire(purpose_, value);
}

Expr Logic::fit(const Expr& value, int width) {
    return width < value.width() ? bitsOf(value, 0, width) : value.extended(width);
}

Expr Logic::bitsOf(const Expr& value, int low, int count) {
    if (count == 0)
        return {};
    const bool has = value.constant() || value.node().op == rtl::ExprOp::Slice;
    return (has ? value : named(value)).slice(low, count);
}

Expr Logic::table(const Expr& input, const std::vector<std::int64_t>& rows, int width) {
    if (const auto known = input.constant()) {
        const auto row = static_cast<std::size_t>(*known);
        const bool given = row < rows.size() && rows[row] != kAny;
        return constant(given ? rows[row] : 0, width);
    }
    const Expr word = named(input);
    std::vector<Expr> outputs;
    for (int bit = width; bit-- > 0;)
        outputs.push_back(tableBit(word, banking::TruthTable(word.width(), rows, bit)));
    return outputs.size() > 1 ? named(join(outputs)) : join(outputs);
}

Expr Logic::tableBit(const Expr& input, banking::TruthTable output) {
    output.dropInputs();
    if (output.inputs.empty())
        return constant(output.values[0] == banking::Ternary::One ? 1 : 0, 1);
    if (std::ssize(output.inputs) > kTableBits)
        return tableMultiplexer(input, output);
    std::vector<Expr> places;
    for (const int at : output.inputs)
        places.push_back(input.bit(at));
    const Expr index = join(places);
    const auto size = static_cast<int>(output.values.size());
    const Expr word = constant(static_cast<std::int64_t>(wordOf(output.values)), size);
    auto& equal = tables_[{size, wordOf(output.values)}];
    for (const auto& [other, looked] : equal)
        if (other.same(index))
            return looked;
    Expr result = index;
    if (size > 2 || wordOf(output.values) != 2)
        result = size == 2
                     ? ~index
                     : module_.wire(purpose_, module_.wire(purpose_ + "_table", word).at(index));
    equal.emplace_back(index, result);
    return result;
}

/// Two inputs at a time: a 4:1 multiplexer is one LUT.
Expr Logic::tableMultiplexer(const Expr& input, const banking::TruthTable& output) {
    const int known = std::ssize(output.inputs) > kTableBits + 1 ? 2 : 1;
    std::vector<Expr> parts;
    for (std::size_t part = 0; part < std::size_t{1} << known; ++part)
        parts.push_back(tableBit(input, output.part(known, part)));
    const Expr high = input.bit(output.inputs[0]);
    if (known == 1)
        return named(choose(high, parts[1], parts[0]));
    const Expr low = input.bit(output.inputs[1]);
    return named(choose(high, choose(low, parts[3], parts[2]), choose(low, parts[1], parts[0])));
}

Expr Logic::add(const Expr& a, const Expr& b, int width) {
    if (width == 0)
        return {};
    return named(fit(a, width) + fit(b, width));
}

Expr Logic::times(const Expr& a, std::int64_t factor, int width) {
    if (a.constant())
        return constant(*a.constant() * factor, width);
    Expr sum = constant(0, width);
    for (int bit = 0; bit < width; ++bit) {
        if ((factor >> bit & 1) == 0)
            continue;
        const Expr kept = fit(a, std::min(width - bit, a.width()));
        sum = add(sum, join({kept, constant(0, bit)}), width);
    }
    return sum;
}

Logic::Reduced Logic::addModulo(const Expr& a, const Expr& b, std::int64_t modulus) {
    const int width = selectBits(modulus);
    if (a.constant() && b.constant()) {
        const std::int64_t sum = *a.constant() + *b.constant();
        return {constant(sum % modulus, width), constant(sum >= modulus ? 1 : 0, 1)};
    }
    if (a.constant())
        return addModulo(b, a, modulus);
    if (b.constant() == 0)
        return {fit(a, width), constant(0, 1)};
    if (b.constant() && width <= kTableBits) {
        std::vector<std::int64_t> sums;
        std::vector<std::int64_t> carries;
        for (std::int64_t v = 0; v < modulus; ++v) {
            sums.push_back((v + *b.constant()) % modulus);
            carries.push_back(v + *b.constant() >= modulus ? 1 : 0);
        }
        return {table(a, sums, width), table(a, carries, 1)};
    }
    const Expr sum = add(a, b, width + 1);
    if (isPower(modulus))
        return {sum.slice(0, width), sum.bit(width)};
    const Expr limit = constant(modulus, width + 1);
    const Expr carry = named(sum >= limit);
    const Expr less = named(sum - (limit & carry.repeated(width + 1)));
    return {less.slice(0, width), carry};
}

Logic::Division Logic::divide(const Expr& a, std::int64_t divisor, std::int64_t bound) {
    const int quotientBits = selectBits(ceilDiv(bound, divisor));
    const int remainderBits = selectBits(std::min(bound, divisor));
    if (divisor == 1)
        return {fit(a, quotientBits), {}};
    if (bound <= divisor)
        return {{}, fit(a, remainderBits)};
    if (isPower(divisor) && !a.constant()) {
        const int shift = log2Of(divisor);
        return {fit(bitsOf(a, shift, a.width() - shift), quotientBits), fit(a, remainderBits)};
    }
    const Division whole = divideByTables(a, divisor, quotientBits);
    return {whole.quotient, fit(whole.remainder, remainderBits)};
}

/// Six bits at a time: quotients add, remainders add with a carry into the quotient.
Logic::Division Logic::divideByTables(const Expr& a, std::int64_t divisor, int quotientBits) {
    const auto tables = [&](const Expr& input, int low, int bits) {
        std::vector<std::int64_t> quotients;
        std::vector<std::int64_t> remainders;
        for (std::int64_t v = 0; v < std::int64_t{1} << bits; ++v) {
            quotients.push_back((v << low) / divisor);
            remainders.push_back((v << low) % divisor);
        }
        return Division{table(input, quotients, quotientBits),
                        table(input, remainders, selectBits(divisor))};
    };
    if (a.constant() || a.width() <= kTableBits)
        return tables(a, 0, a.width());
    Division sum{constant(0, quotientBits), constant(0, selectBits(divisor))};
    for (int low = 0; low < a.width(); low += kTableBits) {
        const int count = std::min(kTableBits, a.width() - low);
        const Division part = tables(named(bitsOf(a, low, count)), low, count);
        const Reduced rest = addModulo(sum.remainder, part.remainder, divisor);
        sum.quotient =
            add(add(sum.quotient, part.quotient, quotientBits), rest.carry, quotientBits);
        sum.remainder = rest.value;
    }
    return sum;
}

std::optional<Expr> Logic::chosen(const Expr& select, int bit,
                                  const std::vector<std::optional<Expr>>& inputs) const {
    const auto used = std::ranges::find_if(inputs, [](const auto& e) { return e.has_value(); });
    if (used == inputs.end())
        return std::nullopt;
    if (bit < 0)
        return *used;
    const auto half = static_cast<std::ptrdiff_t>(std::min(inputs.size(), std::size_t{1} << bit));
    const auto low = chosen(select, bit - 1, {inputs.begin(), inputs.begin() + half});
    const auto high = chosen(select, bit - 1, {inputs.begin() + half, inputs.end()});
    if (!low || !high || low->same(*high))
        return low ? low : high;
    return choose(select.bit(bit), *high, *low);
}

Expr Logic::select(const Expr& select, const std::vector<std::optional<Expr>>& inputs) {
    if (const auto known = select.constant())
        return *inputs[static_cast<std::size_t>(*known)];
    const Expr word = named(select);
    return named(*chosen(word, word.width() - 1, inputs));
}

} // namespace marquetry::hdl
