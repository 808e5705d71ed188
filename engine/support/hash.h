// Deterministic hashing: the same bytes give the same hash on every machine and in every run.
#pragma once

#include <cstdint>

namespace marquetry {

/// SplitMix64's finaliser (Steele et al., OOPSLA 2014): a good 64-bit mixer.
constexpr std::uint64_t mix(std::uint64_t x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ULL;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

constexpr std::uint64_t combine(std::uint64_t seed, std::uint64_t value) {
    return mix(seed + 0x9e3779b97f4a7c15ULL + value);
}

} // namespace marquetry
