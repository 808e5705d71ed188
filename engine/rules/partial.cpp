// R-PAR-CONV, R-PAD-PAR-CONV and the laws of partial sums (background/skeleshare.md, "Partial sums
// and parallel convolution"), which let layers of different channel counts meet in one
// matrix–vector product:
//
//   Conv(U) = ParallelConv[C](Mv of OCH × C·K·K·ICH with C sums per row)    C divides H·W
//   Mv(U)   = MergePartialSum(the same Mv)                                  C divides N
//
// A group of C windows is laid end to end; every row of the matrix repeats its filter C times, so
// the C pieces of a row's product are the results of the C windows.
//
// Which C: the packed width C·K·K·PICH must be the N of a product that is there. The paper takes
// PICH from the existing ICH, which would leave 3 channels among 64 and more alone; the least PICH
// that fills an existing N is a candidate too. Under Cycles a packed group fills the words of one
// window: channels that leave part of a word empty grow to a power of two below `lanes`; lowering
// has padded them to a word, and there the convolution is found. (Fig. 11 passes [C, M] to
// ParallelPartialDot[P, C] and drops K·K.)
#include "engine/rules/catalog.h"

namespace marquetry::rules {

namespace {

using ir::UnitFunction;
using ir::UnitShape;

std::int64_t leastDivisor(std::int64_t whole, std::int64_t atLeast) {
    while (whole % atLeast != 0)
        ++atLeast;
    return atLeast;
}

/// Fills the existing widths `cols`: pads to existing channels, and the least pad that fits.
void packPublished(const Menu& menu, std::int64_t kernel, std::int64_t channels,
                   std::vector<Packing>& packings) {
    const std::int64_t area = kernel * kernel;
    if (channels * area >= kCacheLine)
        return;
    for (std::int64_t cols : menu.cols) {
        const std::int64_t word = cols / area;
        if (cols % area != 0 || word <= channels)
            continue;
        std::set<std::int64_t> sizes = menu.channels;
        sizes.insert(leastDivisor(word, channels));
        for (std::int64_t size : sizes)
            if (size >= channels && size < word && word % size == 0)
                packings.push_back({size, word / size, cols});
    }
}

void packCycles(const Menu& menu, std::int64_t kernel, std::int64_t channels,
                std::vector<Packing>& packings) {
    for (std::int64_t size = 1; size < menu.lanes; size *= 2)
        if (size >= channels)
            packings.push_back({size, menu.lanes / size, kernel * kernel * menu.lanes});
}

std::vector<Candidate> pack(const Menu& menu, const UnitShape& shape, bool padded) {
    std::vector<Candidate> candidates;
    for (const Packing& packing : packings(menu, shape.kernel.vertical, shape.channels)) {
        const bool grows = packing.channels > shape.channels;
        if (grows != padded || shape.height * shape.width % packing.windows != 0)
            continue;
        UnitShape child;
        child.rows = shape.rows;
        child.cols = packing.cols;
        child.parts = packing.windows;
        child.operand = shape.operand;
        child.weight = shape.weight;
        const std::vector<egraph::Param> packed = {packing.windows,       shape.height,
                                                   shape.width,           packing.channels,
                                                   shape.kernel.vertical, shape.stride.vertical};
        if (padded)
            candidates.push_back({{packing.channels, shape.channels}, child, packed});
        else
            candidates.push_back({packed, child, {}});
    }
    return candidates;
}

std::vector<Candidate> packChannels(const Menu& menu, const UnitShape& shape) {
    return pack(menu, shape, false);
}

std::vector<Candidate> padAndPackChannels(const Menu& menu, const UnitShape& shape) {
    return pack(menu, shape, true);
}

std::vector<Candidate> mergeSums(const Menu& menu, const UnitShape& shape) {
    std::set<std::int64_t> counts;
    for (std::int64_t kernel : menu.kernels)
        for (const auto& sizes : {menu.channels, menu.narrowChannels})
            for (std::int64_t channels : sizes)
                for (const Packing& packing : packings(menu, kernel, channels))
                    if (packing.cols == shape.cols)
                        counts.insert(packing.windows);
    std::vector<Candidate> candidates;
    for (std::int64_t count : counts) {
        UnitShape child = shape;
        child.parts = count;
        candidates.push_back({{}, child, {}});
    }
    return candidates;
}

constexpr const char* kMergeCondition =
    "N = 0 mod C; C and N are those of a parallel convolution of the program";

const UnitRule kPartialRules[] = {
    {"R-PAR-CONV", "partial", Skeleton::Conv, Skeleton::ParallelConv, packChannels,
     "SkeleShare Figs. 9, 11 without the pad",
     "Conv[H, W, ICH, …] = ParallelConv[C, H, W, ICH, …](Mv of C sums [OCH, C·KS²·ICH])",
     "H·W = 0 mod C, C·KS²·ICH an existing N; under the published costs ICH·KS² < CACHELN"},
    {"R-PAD-PAR-CONV", "partial", Skeleton::Conv, Skeleton::PaddedConvICH, padAndPackChannels,
     "SkeleShare Fig. 11, which drops KS² and never finds 16 windows of 4 channels",
     "Conv[…, ICH, …] = PaddedConvICH[PICH, ICH](ParallelConv[C, …, PICH, …](Mv of C sums [OCH, "
     "C·KS²·PICH]))",
     "as R-PAR-CONV with PICH > ICH: an existing ICH, or the least that fills an existing N; needs "
     "padding too",
     "padding"},
    {"R-MERGE-PARTIAL-MV", "partial", Skeleton::Mv, Skeleton::MergePartialSum, mergeSums,
     "SkeleShare §IV-B3, in words", "Mv[M, N] = MergePartialSum(Mv of C sums [M, N])",
     kMergeCondition},
    {"R-MERGE-PARTIAL-DOT", "partial", Skeleton::ParallelDot, Skeleton::MergePartialSum, mergeSums,
     "SkeleShare §IV-B3", "ParallelDot[P](a, b) = MergePartialSum(ParallelPartialDot[P, C](a, b))",
     kMergeCondition},
};

} // namespace

std::vector<Packing> packings(const Menu& menu, std::int64_t kernel, std::int64_t channels) {
    std::vector<Packing> packings;
    if (menu.policy == Policy::Published)
        packPublished(menu, kernel, channels, packings);
    else if (menu.policy == Policy::Cycles)
        packCycles(menu, kernel, channels, packings);
    return packings;
}

std::span<const UnitRule> partialRules(Policy policy) {
    static const std::vector<UnitRule> cycles = [] {
        std::vector<UnitRule> rules(std::begin(kPartialRules), std::end(kPartialRules));
        for (UnitRule& rule : rules)
            if (rule.matches == Skeleton::Conv)
                rule.matches = Skeleton::PaddedConvICH;
        return rules;
    }();
    return policy == Policy::Cycles ? std::span<const UnitRule>(cycles) : kPartialRules;
}

} // namespace marquetry::rules
