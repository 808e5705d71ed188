// Exact numbers of a tensor that are the same for all elements, or one for each channel.
//
// The number of the element with flat index f is values[(f / stride) % extent]: reshaping the
// tensor does not change that. Thread rule: value types; pure.
#pragma once

#include "engine/frontend/onnx/flat_layout.h"
#include "engine/quant/rational.h"

#include <functional>
#include <optional>
#include <vector>

namespace marquetry::frontend::onnx {

using quant::Rational;

struct PerChannel {
    std::int64_t extent = 1;
    std::int64_t stride = 1;
    std::vector<Rational> values{Rational(0)};

    static PerChannel all(Rational value) { return {1, 1, {std::move(value)}}; }
    bool isUniform() const { return extent == 1; }
    /// The one value; of a uniform one.
    const Rational& value() const { return values.front(); }
    const Rational& at(std::int64_t flat) const {
        return values[static_cast<std::size_t>(flat / stride % extent)];
    }
    LayoutFactor factor() const { return {extent, stride}; }
    bool operator==(const PerChannel&) const = default;
};

/// One number for all when all are equal.
PerChannel simplified(PerChannel numbers);

/// f of each pair; of a tensor with `elements` elements. Nothing when the two have different
/// channels and the tensor is too large to have a number for each element.
std::optional<PerChannel>
combined(const PerChannel& a, const PerChannel& b, std::int64_t elements,
         const std::function<Rational(const Rational&, const Rational&)>& f);

/// Those of the transposed tensor (flat_layout.h).
std::optional<PerChannel> transposed(const PerChannel& numbers, const Dims& shape,
                                     const std::vector<std::size_t>& order);

} // namespace marquetry::frontend::onnx
