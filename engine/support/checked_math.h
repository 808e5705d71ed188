// Integer helpers with overflow made visible: products of dimensions come from users.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace marquetry {

inline std::optional<std::int64_t> checkedMul(std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product))
        return std::nullopt;
    return product;
}

inline std::optional<std::int64_t> checkedAdd(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum))
        return std::nullopt;
    return sum;
}

inline std::optional<std::int64_t> checkedProduct(const std::vector<std::int64_t>& factors) {
    std::int64_t product = 1;
    for (std::int64_t factor : factors) {
        const auto next = checkedMul(product, factor);
        if (!next)
            return std::nullopt;
        product = *next;
    }
    return product;
}

/// Ceiling of a / b; a ≥ 0, b > 0.
constexpr std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
    return a / b + (a % b != 0 ? 1 : 0);
}

constexpr std::int64_t roundUp(std::int64_t a, std::int64_t multiple) {
    return ceilDiv(a, multiple) * multiple;
}

/// The product, or the largest number when it is larger; a, b ≥ 0.
inline std::int64_t saturatingMul(std::int64_t a, std::int64_t b) {
    return checkedMul(a, b).value_or(INT64_MAX);
}

/// Likewise the sum.
inline std::int64_t saturatingAdd(std::int64_t a, std::int64_t b) {
    return checkedAdd(a, b).value_or(INT64_MAX);
}

/// Bits needed to hold values 0 … n−1; at least 1.
constexpr int bitsFor(std::int64_t n) {
    int bits = 1;
    while (bits < 63 && (std::int64_t{1} << bits) < n)
        ++bits;
    return bits;
}

} // namespace marquetry
