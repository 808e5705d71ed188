#include "engine/rules/candidates.h"

namespace marquetry::rules {

using ir::UnitShape;

std::vector<Candidate> resized(const UnitShape& shape, std::int64_t UnitShape::*extent,
                               const std::vector<std::int64_t>& sizes) {
    std::vector<Candidate> candidates;
    for (std::int64_t size : sizes) {
        UnitShape child = shape;
        child.*extent = size;
        candidates.push_back({{size, shape.*extent}, child});
    }
    return candidates;
}

std::vector<Candidate> withChannels(const UnitShape& shape,
                                    const std::vector<std::int64_t>& sizes) {
    std::vector<Candidate> candidates = resized(shape, &UnitShape::channels, sizes);
    for (Candidate& candidate : candidates)
        candidate.child.cols = shape.kernel.area() * candidate.child.channels;
    return candidates;
}

Candidate withPixels(const UnitShape& shape, std::int64_t height, std::int64_t width) {
    UnitShape child = shape;
    child.height = height;
    child.width = width;
    return {{height, width, shape.height, shape.width}, child};
}

} // namespace marquetry::rules
