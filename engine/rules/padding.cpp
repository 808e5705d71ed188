// R-PAD-MV, R-PAD-MV-ROWS, R-PAD-CONV-HW (SkeleShare Fig. 10). Zero is neutral on a contraction
// axis; on an output axis the extra results are cropped.
#include "engine/rules/catalog.h"

namespace marquetry::rules {

namespace {

using ir::UnitShape;

std::vector<Candidate> padCols(const Menu& menu, const UnitShape& shape) {
    std::vector<Candidate> candidates;
    for (std::int64_t size : menu.cols) {
        const bool far = menu.policy == Policy::Published && size - shape.cols > kCacheLine;
        if (size <= shape.cols || far)
            continue;
        UnitShape child = shape;
        child.cols = size;
        candidates.push_back({{size, shape.cols}, child});
    }
    return candidates;
}

std::vector<Candidate> padRows(const Menu& menu, const UnitShape& shape) {
    std::vector<Candidate> candidates;
    if (menu.policy == Policy::Published)
        return candidates;
    for (std::int64_t size : menu.rows) {
        if (size <= shape.rows)
            continue;
        UnitShape child = shape;
        child.rows = size;
        candidates.push_back({{size, shape.rows}, child});
    }
    return candidates;
}

std::vector<Candidate> padPixels(const Menu& menu, const UnitShape& shape) {
    std::vector<Candidate> candidates;
    for (const auto& [height, width] : menu.pixels) {
        const bool covers = height >= shape.height && width >= shape.width;
        const bool grows = height > shape.height || width > shape.width;
        const bool far =
            menu.policy == Policy::Published &&
            (height - shape.height > kMaxPixelPad || width - shape.width > kMaxPixelPad);
        if (!covers || !grows || far)
            continue;
        UnitShape child = shape;
        child.height = height;
        child.width = width;
        candidates.push_back({{height, width, shape.height, shape.width}, child});
    }
    return candidates;
}

const UnitRule kRules[] = {
    {"R-PAD-MV", "padding", Skeleton::Mv, Skeleton::PaddedMv, padCols, "SkeleShare Fig. 10",
     "Mv[M, N] = PaddedMv[PN, N](Mv[M, PN])",
     "PN > N exists; under the published costs PN − N ≤ CACHELN"},
    {"R-PAD-MV-ROWS", "padding", Skeleton::Mv, Skeleton::PaddedMvRows, padRows,
     "EngineIR R1-pad on the output axis; not in SkeleShare",
     "Mv[M, N] = PaddedMvRows[PM, M](Mv[PM, N])", "PM > M exists; not under the published costs"},
    {"R-PAD-CONV-HW", "padding", Skeleton::Conv, Skeleton::PaddedConvHW, padPixels,
     "SkeleShare Fig. 10, which asks for PH > H and PW > W",
     "Conv[H, W, …] = PaddedConvHW[PH, PW, H, W](Conv[PH, PW, …])",
     "PH ≥ H and PW ≥ W, one strictly, (PH, PW) exists; under the published costs by at most 6"},
};

} // namespace

std::span<const UnitRule> paddingRules() {
    return kRules;
}

} // namespace marquetry::rules
