#include "engine/banking/truth_table.h"

#include "engine/device/lut6.h"

#include <array>
#include <bit>

namespace marquetry::banking {

namespace {

/// Rows in which an input is 0.
constexpr std::array<std::uint64_t, 6> kZeroRows = {0x5555555555555555, 0x3333333333333333,
                                                    0x0f0f0f0f0f0f0f0f, 0x00ff00ff00ff00ff,
                                                    0x0000ffff0000ffff, 0x00000000ffffffff};

} // namespace

std::int64_t TableCount::add(const std::vector<std::int64_t>& rows, std::int64_t width) {
    std::int64_t luts = 0;
    for (int bit = 0; bit < width; ++bit)
        luts += inputs_ <= device::kLutInputs ? small(rows, bit)
                                              : large(TruthTable(inputs_, rows, bit));
    return luts;
}

/// TruthTable::dropInputs on the bits of two words.
std::int64_t TableCount::small(const std::vector<std::int64_t>& rows, int bit) {
    std::uint64_t ones = 0;
    std::uint64_t known = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows[row] == kAnyValue)
            continue;
        known |= std::uint64_t{1} << row;
        ones |= static_cast<std::uint64_t>(rows[row] >> bit & 1) << row;
    }
    std::uint64_t used = 0;
    for (int input = inputs_; input-- > 0;) {
        const int weight = 1 << input;
        const std::uint64_t zero = kZeroRows[static_cast<std::size_t>(input)];
        if (((ones ^ (ones >> weight)) & known & (known >> weight) & zero) != 0) {
            used |= std::uint64_t{1} << input;
            continue;
        }
        ones = (ones | (ones >> weight)) & zero;
        known = (known | (known >> weight)) & zero;
        ones |= ones << weight;
        known |= known << weight;
    }
    return std::popcount(used) > 1 && small_.emplace(used, ones).second ? 1 : 0;
}

std::int64_t TableCount::large(TruthTable table) {
    table.dropInputs();
    if (table.inputs.size() <= 1)
        return 0;
    std::vector<bool> ones;
    for (const Ternary value : table.values)
        ones.push_back(value == Ternary::One);
    if (!large_.emplace(table.inputs, std::move(ones)).second)
        return 0;
    const auto inputs = static_cast<int>(table.inputs.size());
    if (inputs <= device::kLutInputs)
        return 1;
    const int known = inputs > device::kLutInputs + 1 ? 2 : 1;
    std::int64_t luts = 1;
    for (std::size_t part = 0; part < std::size_t{1} << known; ++part)
        luts += large(table.part(known, part));
    return luts;
}

} // namespace marquetry::banking
