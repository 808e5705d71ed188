#include "engine/device/device.h"

#include "engine/support/checked_math.h"

#include <limits>

namespace marquetry::device {

RamColumns Device::ramColumns(std::int64_t words, std::int64_t width) const {
    if (words <= 0 || width <= 0)
        return {};
    RamColumns best{0, 0, std::numeric_limits<double>::infinity(), 0};
    const auto consider = [&](std::int64_t column, std::int64_t depth, double block) {
        const std::int64_t number = ceilDiv(width, column);
        const std::int64_t rows = ceilDiv(words, depth);
        const double blocks = static_cast<double>(rows * number) * block;
        if (blocks < best.blocks)
            best = {column, number, blocks, rows};
    };
    for (const RamShape& shape : ramShapes) {
        consider(shape.width, shape.depth, 1);
        if (halfRam && shape.width >= 2)
            consider(shape.width / 2, shape.depth, 0.5);
    }
    return best;
}

} // namespace marquetry::device
