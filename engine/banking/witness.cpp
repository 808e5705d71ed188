#include "engine/banking/witness.h"

namespace marquetry::banking {

bool concerns(const Witness& witness, const AccessPattern& pattern, std::size_t g) {
    const ir::Generator& generator =
        pattern.nests[pattern.groups[witness.group].nest].generators[g];
    if (!generator.unknown())
        return !generator.split;
    return std::ranges::any_of(
        witness.lanes, [&](std::size_t k) { return dependsOn(pattern.lane(witness.group, k), g); });
}

std::string text(const Witness& witness, const AccessPattern& pattern) {
    std::string result;
    for (std::size_t k = 0; k < witness.lanes.size(); ++k)
        result += (k == 0                          ? ""
                   : k + 1 == witness.lanes.size() ? " and "
                                                   : ", ") +
                  pattern.laneText(witness.group, witness.lanes[k]);
    result += witness.lanes.size() == 2 ? " both" : " all";
    result += " hit bank " + std::to_string(witness.bank);
    const std::size_t nest = pattern.groups[witness.group].nest;
    std::string moment;
    for (std::size_t g = 0; g < witness.iteration.size(); ++g) {
        const ir::Generator& generator = pattern.nests[nest].generators[g];
        if (!concerns(witness, pattern, g))
            continue;
        moment += (moment.empty() ? " at " : ", ") + generator.name + " = " +
                  std::to_string(generator.valueAt(witness.iteration[g]));
    }
    return result + moment;
}

} // namespace marquetry::banking
