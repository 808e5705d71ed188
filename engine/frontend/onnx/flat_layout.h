// In which order the elements of a tensor of the file stand in a value of the program.
//
// The file numbers the elements of a tensor in row-major order of its own dimensions: their flat
// indices. A layout names the order in which the program holds them: factors, outermost first, each
// of `extent` steps of `stride` flat indices. NCHW held as H × W × C is (H, W), (W, 1), (C, H·W).
// Reshaping changes no flat index, so that the layout stays; transposing changes strides only, and
// moves nothing. Factors of extent 1 are left out, and neighbours that count on are one.
//
// Thread rule: value types; pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace marquetry::frontend::onnx {

using Dims = std::vector<std::int64_t>;

struct LayoutFactor {
    std::int64_t extent = 1;
    std::int64_t stride = 1;
    bool operator==(const LayoutFactor&) const = default;
};
using FlatLayout = std::vector<LayoutFactor>;

std::int64_t elementsOf(const Dims& shape);
/// The stride of each dimension.
Dims stridesOf(const Dims& shape);
FlatLayout normalised(FlatLayout layout);

/// As the file numbers them.
FlatLayout naturalLayout(const Dims& shape);
/// The dimensions of the shape in this order.
FlatLayout layoutOf(const Dims& shape, const std::vector<std::size_t>& order);
/// Channels last for three dimensions and more, else natural.
FlatLayout activationLayout(const Dims& shape);

/// The layout with factors cut wherever a factor of `cuts` begins or ends; nothing when one is cut
/// askew.
std::optional<FlatLayout> cutAt(const FlatLayout& layout, const FlatLayout& cuts);

/// The layout of transposed(x) for a value that holds x: result dimension k is dimension order[k]
/// of `shape`.
std::optional<FlatLayout> transposed(const FlatLayout& layout, const Dims& shape,
                                     const std::vector<std::size_t>& order);

/// The flat index of every element in the order in which it is held.
std::vector<std::int64_t> flatIndices(const FlatLayout& layout);

} // namespace marquetry::frontend::onnx
