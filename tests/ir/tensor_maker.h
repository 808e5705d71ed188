// Small tensors for tests.
#pragma once

#include "engine/ir/op.h"
#include "engine/support/rng.h"

#include <gtest/gtest.h>

namespace marquetry::ir {

inline Tensor tensor(Scalar scalar, Shape dims, std::vector<std::int64_t> data) {
    return {{scalar, std::move(dims)}, std::move(data)};
}

inline Tensor randomTensor(const Type& type, SplitMix64& random) {
    Tensor result{type, std::vector<std::int64_t>(static_cast<std::size_t>(type.elements()))};
    for (std::int64_t& element : result.data)
        element = random.range(info(type.scalar).min, info(type.scalar).max);
    return result;
}

/// The result of one operator; fails the test when the operands do not fit.
inline Tensor evaluate(OpKind kind, const std::vector<Tensor>& operands,
                       const OpParams& params = {}) {
    std::vector<const Tensor*> pointers;
    for (const Tensor& operand : operands)
        pointers.push_back(&operand);
    const Result<Tensor> result = apply(kind, pointers, params);
    EXPECT_TRUE(result.has_value()) << (result ? "" : format(result.error()));
    return result ? *result : Tensor{};
}

} // namespace marquetry::ir
