#include "engine/design/move.h"

#include "engine/support/checked_math.h"

namespace marquetry::design {

std::int64_t Walk::iterations() const {
    std::int64_t count = 1;
    for (const WalkLoop& loop : loops)
        count = saturatingMul(count, loop.count);
    return count;
}

std::int64_t Walk::last() const {
    std::int64_t lane = start;
    for (const WalkLoop& loop : loops)
        lane = saturatingAdd(lane, saturatingMul(loop.count - 1, loop.stride));
    return lane;
}

std::int64_t Walk::at(std::int64_t k) const {
    std::int64_t lane = start;
    for (std::size_t l = loops.size(); l-- > 0; k /= loops[l].count)
        lane += k % loops[l].count * loops[l].stride;
    return lane;
}

PixelLayout layoutOf(std::int64_t channels, std::int64_t lanes) {
    return {channels, roundUp(channels, lanes)};
}

} // namespace marquetry::design
