#include "engine/device/device.h"

#include "engine/support/checked_math.h"

#include <algorithm>
#include <limits>

namespace marquetry::device {

double Device::ramBlocks(std::int64_t words, std::int64_t width) const {
    if (words <= 0 || width <= 0)
        return 0;
    double best = std::numeric_limits<double>::infinity();
    for (const RamShape& shape : ramShapes) {
        const auto rows = static_cast<double>(ceilDiv(words, shape.depth));
        best = std::min(best, rows * static_cast<double>(ceilDiv(width, shape.width)));
        if (halfRam && shape.width >= 2)
            best = std::min(best, rows * static_cast<double>(ceilDiv(width, shape.width / 2)) / 2);
    }
    return best;
}

} // namespace marquetry::device
