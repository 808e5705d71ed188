// R-TILE-MV (columns and rows), R-TILE-CONV-HW / ICH / OCH (SkeleShare Fig. 10), and the same loops
// over a tensor-wise pass (EngineIR Fig. 2).
#include "engine/rules/candidates.h"
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

/// Proper divisors of `whole` that the policy admits: existing sizes, under Cycles multiples of
/// `grain` as well, under Toy all.
std::vector<std::int64_t> tiles(const Menu& menu, const std::set<std::int64_t>& existing,
                                std::int64_t whole, std::int64_t grain) {
    std::vector<std::int64_t> sizes = properDivisors(whole);
    std::erase_if(sizes, [&](std::int64_t size) {
        const bool exists = existing.contains(size);
        const bool words = size % grain == 0;
        return !exists && menu.policy != Policy::Toy &&
               (menu.policy == Policy::Published || !words);
    });
    return sizes;
}

std::vector<Candidate> tileCols(const Menu& menu, const UnitShape& shape) {
    return resized(shape, &UnitShape::cols, tiles(menu, menu.cols, shape.cols, menu.lanes));
}

std::vector<Candidate> tileRows(const Menu& menu, const UnitShape& shape) {
    std::vector<std::int64_t> sizes = tiles(menu, menu.rows, shape.rows, 1);
    std::erase_if(sizes, [&](std::int64_t size) {
        const bool tiny = size < kMinRowTile && !menu.rows.contains(size);
        return tiny && menu.policy != Policy::Toy;
    });
    return resized(shape, &UnitShape::rows, sizes);
}

std::vector<Candidate> tileChannels(const Menu& menu, const UnitShape& shape) {
    return withChannels(shape, tiles(menu, menu.channels, shape.channels, menu.lanes));
}

/// Rows of the left matrix only meet other products' sizes: one row after another costs nothing.
std::vector<Candidate> tileVectors(const Menu& menu, const UnitShape& shape) {
    return resized(shape, &UnitShape::height,
                   tiles(menu, menu.vectors, shape.height, shape.height));
}

/// Published: existing extents of at least kMinPixelTile. Otherwise both extents divided alike.
std::vector<Candidate> tilePixels(const Menu& menu, const UnitShape& shape) {
    std::set<std::pair<std::int64_t, std::int64_t>> sizes;
    for (const auto& [height, width] : menu.pixels)
        if (shape.height % height == 0 && shape.width % width == 0)
            sizes.insert({height, width});
    if (menu.policy != Policy::Published)
        for (std::int64_t d : properDivisors(shape.height))
            if (shape.width % (shape.height / d) == 0)
                sizes.insert({d, shape.width / (shape.height / d)});
    std::vector<Candidate> candidates;
    for (const auto& [height, width] : sizes) {
        const bool whole = height == shape.height && width == shape.width;
        const bool tiny = height < kMinPixelTile || width < kMinPixelTile;
        if (whole || (menu.policy == Policy::Published && tiny))
            continue;
        candidates.push_back(withPixels(shape, height, width));
    }
    return candidates;
}

/// Passes are not in SkeleShare: no tiles under Published.
std::vector<Candidate> tileMapPixels(const Menu& menu, const UnitShape& shape) {
    return menu.policy == Policy::Published ? std::vector<Candidate>() : tilePixels(menu, shape);
}

std::vector<Candidate> tileMapChannels(const Menu& menu, const UnitShape& shape) {
    if (menu.policy == Policy::Published)
        return {};
    return resized(shape, &UnitShape::rows, tiles(menu, {}, shape.rows, menu.lanes));
}

const UnitRule kTilingRules[] = {
    {"R-TILE-MV", "tiling", Skeleton::Mv, Skeleton::TiledMv, tileCols,
     "SkeleShare Fig. 10; partial sums are added", "Mv[M, N] = TiledMv[TN, N](Mv[M, TN])",
     "N = 0 mod TN, TN < N"},
    {"R-TILE-MV-ROWS", "tiling", Skeleton::Mv, Skeleton::TiledMvRows, tileRows,
     "SkeleShare Fig. 7 types TiledMv over rows, Fig. 10 over columns: both, under two names",
     "Mv[M, N] = TiledMvRows[TM, M](Mv[TM, N])", "M = 0 mod TM, TM < M"},
    {"R-TILE-CONV-HW", "tiling", Skeleton::Conv, Skeleton::TiledConvHW, tilePixels,
     "SkeleShare Fig. 10, whose condition on the input's extents is no equality (EngineIR R1-halo)",
     "Conv[H, W, …] = TiledConvHW[TH, TW, H, W](Conv[TH, TW, …])",
     "H = 0 mod TH, W = 0 mod TW, of outputs; input tiles overlap by KS − 1"},
    {"R-TILE-CONV-ICH", "tiling", Skeleton::Conv, Skeleton::TiledConvICH, tileChannels,
     "SkeleShare Fig. 10; partial sums are added",
     "Conv[…, ICH, OCH] = TiledConvICH[TICH, ICH](Conv[…, TICH, OCH])", "ICH = 0 mod TICH"},
    {"R-TILE-CONV-OCH", "tiling", Skeleton::Conv, Skeleton::TiledConvOCH, tileRows,
     "SkeleShare Fig. 10, which prints OCH = 0 mod TICH",
     "Conv[…, ICH, OCH] = TiledConvOCH[TOCH, OCH](Conv[…, ICH, TOCH])", "OCH = 0 mod TOCH"},
    {"R-TILE-MAP-HW", "tiling", Skeleton::Map, Skeleton::TiledMapHW, tileMapPixels,
     "EngineIR R1-map", "Map[H, W, C] = TiledMapHW[TH, TW, H, W](Map[TH, TW, C])",
     "H = 0 mod TH, W = 0 mod TW; not under the published costs"},
    {"R-TILE-MAP-C", "tiling", Skeleton::Map, Skeleton::TiledMapC, tileMapChannels,
     "EngineIR R1-map (Fig. 2, ReLU[128])", "Map[H, W, C] = TiledMapC[TC, C](Map[H, W, TC])",
     "C = 0 mod TC; not under the published costs"},
    {"R-TILE-MMH", "tiling", Skeleton::Mm, Skeleton::TiledMmH, tileVectors, "SkeleShare Fig. 10",
     "Mm[H, W, K] = TiledMmH[TH, H](Mm[TH, W, K])", "H = 0 mod TH, TH exists"},
    {"R-TILE-MMW", "tiling", Skeleton::Mm, Skeleton::TiledMmW, tileRows, "SkeleShare Fig. 10",
     "Mm[H, W, K] = TiledMmW[TW, W](Mm[H, TW, K])", "W = 0 mod TW"},
    {"R-TILE-MMK", "tiling", Skeleton::Mm, Skeleton::TiledMmK, tileCols,
     "SkeleShare Fig. 10; partial sums are added", "Mm[H, W, K] = TiledMmK[TK, K](Mm[H, W, TK])",
     "K = 0 mod TK"},
    {"R-TILE-DWCONV-HW", "tiling", Skeleton::DwConv, Skeleton::TiledDwConvHW, tileMapPixels,
     "EngineIR R1-halo; not in SkeleShare",
     "DwConv[H, W, C] = TiledDwConvHW[TH, TW, H, W](DwConv[TH, TW, C])",
     "H = 0 mod TH, W = 0 mod TW, of outputs; not under the published costs"},
    {"R-TILE-DWCONV-C", "tiling", Skeleton::DwConv, Skeleton::TiledDwConvC, tileMapChannels,
     "EngineIR R1-map; not in SkeleShare",
     "DwConv[H, W, C] = TiledDwConvC[TC, C](DwConv[H, W, TC])",
     "C = 0 mod TC; not under the published costs"},
};

} // namespace

std::span<const UnitRule> tilingRules() {
    return kTilingRules;
}

} // namespace marquetry::rules
