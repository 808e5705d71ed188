#include "engine/banking/pattern.h"

namespace marquetry::banking {

std::int64_t AccessPattern::words() const {
    std::int64_t product = 1;
    for (const std::int64_t d : dims)
        product *= d;
    return product;
}

std::string AccessPattern::laneText(std::size_t group, std::size_t k) const {
    const ir::MemoryLane& l = lane(group, k);
    const std::size_t nest = groups[group].nest;
    std::string text = texts[nest][l.reference];
    std::string ids;
    for (std::size_t j = 0; j < l.ids.size(); ++j) {
        if (loops[nest][j].parallel > 1)
            ids += (ids.empty() ? "" : ", ") + loops[nest][j].name + " lane " +
                   std::to_string(l.ids[j]);
    }
    return ids.empty() ? text : text + " (" + ids + ")";
}

} // namespace marquetry::banking
