// Operators against definitions of one element at a time, on random tensors, and every value
// against the range that the analysis gives.
#pragma once

#include "tests/ir/tensor_maker.h"

#include <gtest/gtest.h>

#include <functional>

namespace marquetry::ir {

inline constexpr int kCases = 300;

using Index = std::vector<std::int64_t>;

/// Element at an index; zero outside (the meaning of zero padding).
inline std::int64_t at(const Tensor& t, const Index& index) {
    std::int64_t k = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
        if (index[axis] < 0 || index[axis] >= t.type.dims[axis])
            return 0;
        k = k * t.type.dims[axis] + index[axis];
    }
    return t.data[static_cast<std::size_t>(k)];
}

inline void forEachIndex(const Shape& dims, const std::function<void(const Index&)>& visit) {
    Index index(dims.size(), 0);
    while (true) {
        visit(index);
        std::size_t axis = dims.size();
        while (axis > 0 && ++index[axis - 1] == dims[axis - 1])
            index[--axis] = 0;
        if (axis == 0)
            return;
    }
}

inline std::int64_t mod32(std::int64_t value) {
    const std::int64_t low = value & 0xffffffffLL;
    return low >= 0x80000000LL ? low - 0x100000000LL : low;
}

inline Scalar narrow(SplitMix64& random) {
    return static_cast<Scalar>(random.range(0, 1) ? random.range(0, 3) : random.range(7, 18));
}

inline Tensor draw(SplitMix64& random, Shape dims) {
    return randomTensor({narrow(random), std::move(dims)}, random);
}

/// Ranges of random tensors are those of their scalars.
inline void expectInRange(OpKind kind, const std::vector<Tensor>& operands, const OpParams& params,
                          const Tensor& result) {
    std::vector<Type> types;
    std::vector<Range> ranges;
    for (const Tensor& operand : operands) {
        types.push_back(operand.type);
        const auto [lo, hi] = std::minmax_element(operand.data.begin(), operand.data.end());
        ranges.push_back({*lo, *hi});
    }
    const Range exact = info(kind).range(types, ranges, params);
    const Range full = fullRange(result.type.scalar);
    if (exact.lo < full.lo || exact.hi > full.hi)
        return;
    for (const std::int64_t value : result.data) {
        ASSERT_GE(value, exact.lo) << info(kind).name;
        ASSERT_LE(value, exact.hi) << info(kind).name;
    }
}

using Element = std::function<std::int64_t(const Index&)>;

inline void expectElements(OpKind kind, const std::vector<Tensor>& operands, const OpParams& params,
                           const Element& element) {
    const Tensor result = evaluate(kind, operands, params);
    ASSERT_EQ(std::ssize(result.data), result.type.elements());
    std::size_t k = 0;
    forEachIndex(result.type.dims, [&](const Index& index) {
        EXPECT_EQ(result.data[k++], element(index)) << info(kind).name;
    });
    expectInRange(kind, operands, params, result);
}

} // namespace marquetry::ir
