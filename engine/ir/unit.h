// Units: closed functions that become hardware blocks, and the shapes they are made for.
//
// A unit's shape says what function it computes, whatever it costs: two unit terms of equal shape
// are interchangeable (SkeleShare §IV-A's ParallelDotT, MvT, ConvT). H and W are *output* extents.
// Thread rule: value types.
#pragma once

#include "engine/ir/type.h"

#include <cstdint>
#include <string>

namespace marquetry::ir {

enum class UnitFunction : std::uint8_t {
    Dot,  ///< rows × cols, rows × cols → rows: row-wise dot products
    Mv,   ///< rows × cols, cols → rows
    Conv, ///< (H·s+K−1)² × ICH, rows × K × K × ICH → H × W × rows, valid convolution
    Map,  ///< tensor-wise: H × W × rows → H × W × rows
};

/// Axes a schedule loops over (`For`, `Par`: map axes; `ForR`, `ParR`: reduction axes).
enum class LoopAxis : std::uint8_t { Rows, Cols, Pixels, Channels };

struct UnitShape {
    UnitFunction function = UnitFunction::Mv;
    std::int64_t rows = 1;     ///< M; output channels of a convolution
    std::int64_t cols = 1;     ///< N = K·K·ICH
    std::int64_t height = 1;   ///< output rows (Conv, Map)
    std::int64_t width = 1;    ///< output columns
    std::int64_t channels = 0; ///< ICH (Conv)
    std::int64_t kernel = 1;
    std::int64_t stride = 1;
    Scalar operand = Scalar::I8; ///< element type of the activations
    Scalar weight = Scalar::I8;

    auto operator<=>(const UnitShape&) const = default;
};

/// "Mv 64×576", "Conv 8×8×64→64 k3".
std::string toString(const UnitShape& shape);

} // namespace marquetry::ir
