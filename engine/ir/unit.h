// Units: closed functions that become hardware blocks, and the shapes they are made for.
//
// A unit's shape says what function it computes, whatever it costs: two unit terms of equal shape
// are interchangeable (the function types of background/skeleshare.md, "Skeletons"). H and W are
// *output* extents, and extents per axis are rows, then columns: K and s of windows that are not
// square are two numbers each. Thread rule: value types.
#pragma once

#include "engine/ir/op.h"

#include <cstdint>
#include <string>

namespace marquetry::ir {

enum class UnitFunction : std::uint8_t {
    Dot, ///< rows × cols, rows × cols → rows × parts: row-wise dot products
    Mv,  ///< rows × cols, cols → rows × parts
    Conv, ///< ((H−1)·s+K) × ((W−1)·s+K) × ICH, rows × K × K × ICH → H × W × rows, valid
    Map,     ///< tensor-wise: H × W × rows → H × W × rows
    Mm,      ///< H × cols, rows × cols → H × rows: the second matrix is given transposed
    Bmm,     ///< one Mm per batch: B × H × cols, B × rows × cols → B × H × rows
    Conv1DW, ///< H × (rows+K−1), K → H × rows: every line of an image filtered along it
    Conv1DH, ///< (rows+K−1) × W, K → rows × W: every column
    DwConv,  ///< as Conv of `rows` channels, rows × K × K: each channel on its own
    Lanes,   ///< rows × n, rows × n → rows for every n: each lane sums products of its own
};

/// Axes a schedule loops over (`For`, `Par`: map axes; `ForR`, `ParR`: reduction axes).
/// Vectors: rows of the left matrix of an Mm.
enum class LoopAxis : std::uint8_t { Rows, Cols, Pixels, Channels, Vectors };

struct UnitShape {
    UnitFunction function = UnitFunction::Mv;
    std::int64_t rows = 1;     ///< M; output channels of a convolution; W of an Mm
    std::int64_t cols = 1;     ///< N = K·K·ICH; K·K of a DwConv, K of a Conv1D, 1 of Lanes
    std::int64_t height = 1;   ///< output rows (Conv, DwConv, Map, Mm), lines of a Conv1DW
    std::int64_t width = 1;    ///< output columns, columns of a Conv1DH
    std::int64_t channels = 0; ///< ICH (Conv), batches (Bmm)
    PerAxis kernel{1};
    PerAxis stride{1};
    /// C of a partial product (Dot, Mv): the sums of so many equal pieces of each row, one after
    /// another. 1: the whole sum, rows results.
    std::int64_t parts = 1;
    Scalar operand = Scalar::I8; ///< element type of the activations
    Scalar weight = Scalar::I8;

    auto operator<=>(const UnitShape&) const = default;
};

/// "Mv 64×576", "Mv 64×576 c16" (16 partial sums per row), "Conv 8×8×64→64 k3".
std::string toString(const UnitShape& shape);

} // namespace marquetry::ir
