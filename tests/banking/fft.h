// The accesses of an in-place radix-2 FFT.
#pragma once

#include <algorithm>
#include <string>

namespace marquetry::banking {

/// All stages, `butterflies` of each per cycle: neighbours where a block has so many.
inline std::string fft(int points, int butterflies) {
    std::string text = "array a : i32[" + std::to_string(points) + "];";
    for (int half = 1; half < points; half *= 2) {
        const int inBlock = std::min(half, butterflies);
        const std::string first = std::to_string(2 * half) + "*b + j";
        const std::string places =
            "a[" + first + "], a[" + first + " + " + std::to_string(half) + "]";
        text += "for b in 0 .. " + std::to_string(points / (2 * half)) + " par " +
                std::to_string(butterflies / inBlock) + ", j in 0 .. " + std::to_string(half) +
                " par " + std::to_string(inBlock) + " { read " + places + "; write " + places +
                "; }";
    }
    return text;
}

} // namespace marquetry::banking
