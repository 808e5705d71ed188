#include "engine/banking/truth_table.h"

namespace marquetry::banking {

std::int64_t lutsOf(TruthTable table, std::set<std::string>& built) {
    table.dropInputs();
    if (table.inputs.size() <= 1)
        return 0;
    std::string key;
    for (const int input : table.inputs)
        key += static_cast<char>('a' + input);
    for (const Ternary value : table.values)
        key += value == Ternary::One ? '1' : '0';
    if (!built.insert(std::move(key)).second)
        return 0;
    const auto inputs = static_cast<int>(table.inputs.size());
    if (inputs <= kLutInputs)
        return 1;
    const int known = inputs > kLutInputs + 1 ? 2 : 1;
    std::int64_t luts = 1;
    for (std::size_t part = 0; part < std::size_t{1} << known; ++part)
        luts += lutsOf(table.part(known, part), built);
    return luts;
}

} // namespace marquetry::banking
