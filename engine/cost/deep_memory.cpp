#include "engine/cost/deep_memory.h"

#include "engine/support/checked_math.h"

namespace marquetry::cost {

namespace {

/// Rows of blocks of the shape that `columns` stand for.
std::int64_t rowsOf(const device::Device& device, const device::RamColumns& columns,
                    std::int64_t words) {
    for (const device::RamShape& shape : device.ramShapes) {
        const std::int64_t rows = ceilDiv(words, shape.depth);
        const auto blocks = static_cast<double>(rows * columns.number);
        if (columns.width == shape.width && columns.blocks == blocks)
            return rows;
        if (device.halfRam && columns.width == shape.width / 2 && columns.blocks == blocks / 2)
            return rows;
    }
    return 1;
}

} // namespace

double choiceLuts(std::int64_t words) {
    return words <= 1 ? 0 : static_cast<double>(ceilDiv(words - 1, 3));
}

double deepMemoryLuts(const device::Device& device, std::int64_t words, std::int64_t bits) {
    if (words <= 0 || bits <= 0)
        return 0;
    const device::RamColumns columns = device.ramColumns(words, bits);
    return static_cast<double>(bits) * choiceLuts(rowsOf(device, columns, words));
}

} // namespace marquetry::cost
