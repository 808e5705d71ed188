// R-TILE-MV (columns and rows), R-TILE-CONV-HW / ICH / OCH (SkeleShare Fig. 10).
#include "engine/rules/catalog.h"

#include <algorithm>

namespace marquetry::rules {

namespace {

using ir::UnitShape;

std::vector<std::int64_t> properDivisors(std::int64_t n) {
    std::vector<std::int64_t> divisors;
    for (std::int64_t d = 1; d * d <= n; ++d)
        if (n % d == 0) {
            divisors.push_back(d);
            if (d != n / d)
                divisors.push_back(n / d);
        }
    std::erase(divisors, n);
    std::sort(divisors.begin(), divisors.end());
    return divisors;
}

/// Proper divisors of `whole` that the policy admits: existing sizes, or under Cycles multiples
/// of `grain` as well.
std::vector<std::int64_t> tiles(const Menu& menu, const std::set<std::int64_t>& existing,
                                std::int64_t whole, std::int64_t grain) {
    std::vector<std::int64_t> sizes = properDivisors(whole);
    std::erase_if(sizes, [&](std::int64_t size) {
        const bool exists = existing.contains(size);
        return !exists && (menu.policy == Policy::Published || size % grain != 0);
    });
    return sizes;
}

std::vector<Candidate> tileCols(const Menu& menu, const UnitShape& shape) {
    std::vector<Candidate> candidates;
    for (std::int64_t size : tiles(menu, menu.cols, shape.cols, menu.lanes)) {
        UnitShape child = shape;
        child.cols = size;
        candidates.push_back({{size, shape.cols}, child});
    }
    return candidates;
}

std::vector<Candidate> tileRows(const Menu& menu, const UnitShape& shape) {
    std::vector<Candidate> candidates;
    for (std::int64_t size : tiles(menu, menu.rows, shape.rows, 1)) {
        if (size < kMinRowTile && !menu.rows.contains(size))
            continue;
        UnitShape child = shape;
        child.rows = size;
        candidates.push_back({{size, shape.rows}, child});
    }
    return candidates;
}

std::vector<Candidate> tileChannels(const Menu& menu, const UnitShape& shape) {
    std::vector<Candidate> candidates;
    for (std::int64_t size : tiles(menu, menu.channels, shape.channels, menu.lanes)) {
        UnitShape child = shape;
        child.channels = size;
        child.cols = shape.kernel * shape.kernel * size;
        candidates.push_back({{size, shape.channels}, child});
    }
    return candidates;
}

/// Published: existing extents of at least kMinPixelTile. Cycles: both extents divided alike.
std::vector<Candidate> tilePixels(const Menu& menu, const UnitShape& shape) {
    std::set<std::pair<std::int64_t, std::int64_t>> sizes;
    for (const auto& [height, width] : menu.pixels)
        if (shape.height % height == 0 && shape.width % width == 0)
            sizes.insert({height, width});
    if (menu.policy == Policy::Cycles)
        for (std::int64_t d : properDivisors(shape.height))
            if (shape.width % (shape.height / d) == 0)
                sizes.insert({d, shape.width / (shape.height / d)});
    std::vector<Candidate> candidates;
    for (const auto& [height, width] : sizes) {
        const bool whole = height == shape.height && width == shape.width;
        const bool tiny = height < kMinPixelTile || width < kMinPixelTile;
        if (whole || (menu.policy == Policy::Published && tiny))
            continue;
        UnitShape child = shape;
        child.height = height;
        child.width = width;
        candidates.push_back({{height, width, shape.height, shape.width}, child});
    }
    return candidates;
}

const UnitRule kRules[] = {
    {"R-TILE-MV", "tiling", Skeleton::Mv, Skeleton::TiledMv, tileCols,
     "SkeleShare Fig. 10: N = 0 mod TN; partial sums are added"},
    {"R-TILE-MV-ROWS", "tiling", Skeleton::Mv, Skeleton::TiledMvRows, tileRows,
     "SkeleShare Fig. 7 (TiledMv over rows): M = 0 mod TM"},
    {"R-TILE-CONV-HW", "tiling", Skeleton::Conv, Skeleton::TiledConvHW, tilePixels,
     "SkeleShare Fig. 10, on output extents; input tiles overlap by KS − 1"},
    {"R-TILE-CONV-ICH", "tiling", Skeleton::Conv, Skeleton::TiledConvICH, tileChannels,
     "SkeleShare Fig. 10: ICH = 0 mod TICH; partial sums are added"},
    {"R-TILE-CONV-OCH", "tiling", Skeleton::Conv, Skeleton::TiledConvOCH, tileRows,
     "SkeleShare Fig. 10 with its typo mended: OCH = 0 mod TOCH"},
};

} // namespace

std::span<const UnitRule> tilingRules() {
    return kRules;
}

} // namespace marquetry::rules
