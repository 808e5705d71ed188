// R-PAD-MV, R-PAD-MV-ROWS, R-PAD-CONV-HW (SkeleShare Fig. 10), R-PAD-CONV-ICH (Figs. 7, 8). Zero is
// neutral on a contraction axis; on an output axis the extra results are cropped.
#include "engine/rules/candidates.h"
#include "engine/rules/catalog.h"

namespace marquetry::rules {

namespace {

using ir::UnitShape;

/// Sizes above `extent`.
std::vector<std::int64_t> above(const std::set<std::int64_t>& sizes, std::int64_t extent) {
    return {sizes.upper_bound(extent), sizes.end()};
}

std::vector<Candidate> padCols(const Menu& menu, const UnitShape& shape) {
    // A stencil's vector is no stored one: its unit is as wide as its kernel, not a word.
    if (menu.policy == Policy::Cycles && shape.cols < menu.lanes)
        return {};
    std::vector<std::int64_t> sizes = above(menu.cols, shape.cols);
    std::erase_if(sizes, [&](std::int64_t size) {
        return menu.policy == Policy::Published && size - shape.cols > kCacheLine;
    });
    return resized(shape, &UnitShape::cols, sizes);
}

std::vector<Candidate> padRows(const Menu& menu, const UnitShape& shape) {
    if (menu.policy == Policy::Published)
        return {};
    return resized(shape, &UnitShape::rows, above(menu.rows, shape.rows));
}

/// Products of matrices are not padded in SkeleShare.
std::vector<Candidate> padMmCols(const Menu& menu, const UnitShape& shape) {
    return menu.policy == Policy::Published ? std::vector<Candidate>() : padCols(menu, shape);
}

std::vector<Candidate> padVectors(const Menu& menu, const UnitShape& shape) {
    if (menu.policy == Policy::Published)
        return {};
    return resized(shape, &UnitShape::height, above(menu.vectors, shape.height));
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
        candidates.push_back(withPixels(shape, height, width));
    }
    return candidates;
}

/// Bounded as the paper bounds the same pad in R-PAD-PAR-CONV (Table II). Under Cycles units meet
/// in Mv, whose columns are padded.
std::vector<Candidate> padChannels(const Menu& menu, const UnitShape& shape) {
    if (menu.policy != Policy::Published || shape.cols >= kCacheLine)
        return {};
    return withChannels(shape, above(menu.channels, shape.channels));
}

const UnitRule kPaddingRules[] = {
    {"R-PAD-MV", "padding", Skeleton::Mv, Skeleton::PaddedMv, padCols, "SkeleShare Fig. 10",
     "Mv[M, N] = PaddedMv[PN, N](Mv[M, PN])",
     "PN > N exists; under the published costs PN − N ≤ CACHELN; under cycles N fills a word"},
    {"R-PAD-MV-ROWS", "padding", Skeleton::Mv, Skeleton::PaddedMvRows, padRows,
     "EngineIR R1-pad on the output axis; not in SkeleShare",
     "Mv[M, N] = PaddedMvRows[PM, M](Mv[PM, N])", "PM > M exists; not under the published costs"},
    {"R-PAD-CONV-HW", "padding", Skeleton::Conv, Skeleton::PaddedConvHW, padPixels,
     "SkeleShare Fig. 10, which asks for PH > H and PW > W",
     "Conv[H, W, …] = PaddedConvHW[PH, PW, H, W](Conv[PH, PW, …])",
     "PH ≥ H and PW ≥ W, one strictly, (PH, PW) exists; under the published costs by at most 6"},
    {"R-PAD-CONV-ICH", "padding", Skeleton::Conv, Skeleton::PaddedConvICH, padChannels,
     "SkeleShare Figs. 7, 8, where it has no rule of its own",
     "Conv[…, ICH, OCH] = PaddedConvICH[PICH, ICH](Conv[…, PICH, OCH])",
     "PICH > ICH exists, ICH·KS² < CACHELN; under the published costs only"},
    {"R-PAD-MMH", "padding", Skeleton::Mm, Skeleton::PaddedMmH, padVectors,
     "EngineIR R1-pad on an output axis; not in SkeleShare",
     "Mm[H, W, K] = PaddedMmH[PH, H](Mm[PH, W, K])",
     "PH > H exists; not under the published costs"},
    {"R-PAD-MMW", "padding", Skeleton::Mm, Skeleton::PaddedMmW, padRows,
     "EngineIR R1-pad on an output axis; not in SkeleShare",
     "Mm[H, W, K] = PaddedMmW[PW, W](Mm[H, PW, K])",
     "PW > W exists; not under the published costs"},
    {"R-PAD-MMK", "padding", Skeleton::Mm, Skeleton::PaddedMmK, padMmCols,
     "EngineIR R1-pad on the contraction axis; not in SkeleShare",
     "Mm[H, W, K] = PaddedMmK[PK, K](Mm[H, W, PK])",
     "PK > K exists; not under the published costs"},
};

} // namespace

std::span<const UnitRule> paddingRules() {
    return kPaddingRules;
}

} // namespace marquetry::rules
