#include "engine/device/rom.h"

#include "engine/device/lut6.h"

namespace marquetry::device {

namespace {

/// LUTs that half a block RAM is worth.
constexpr std::int64_t kHalfBlockLuts = 150;

/// Half a block in its widest form, and in its deepest.
constexpr std::int64_t kWidestHalf = 512;
constexpr std::int64_t kWidestBits = 36;
constexpr std::int64_t kDeepestHalf = 16384;

/// Tables that a slice chooses between without a LUT.
constexpr std::int64_t kTablesOfSlice = 4;

} // namespace

std::int64_t Rom::weight() const {
    return luts + kHalfBlockLuts * halfBlocks;
}

std::int64_t romLuts(std::int64_t words) {
    const std::int64_t tables = ceilDiv(words, kLutRows);
    return tables + muxLuts(ceilDiv(tables, kTablesOfSlice));
}

std::int64_t romHalfBlocks(std::int64_t words, int bits) {
    std::int64_t width = kWidestBits;
    for (std::int64_t depth = kWidestHalf; depth < words && depth < kDeepestHalf; depth *= 2)
        width /= 2;
    return ceilDiv(words, kDeepestHalf) * ceilDiv(bits, width);
}

Rom romOf(std::int64_t words, int bits) {
    const std::int64_t luts = bits * romLuts(words);
    const std::int64_t halves = romHalfBlocks(words, bits);
    return kHalfBlockLuts * halves < luts ? Rom{0, halves} : Rom{luts, 0};
}

} // namespace marquetry::device
