// Denotation: the exact meaning of a unit term on integer tensors.
//
// A unit term is a chain of skeletons from the outermost loop to its leaf. Each skeleton is
// evaluated by its own definition (background/skeleshare.md, "Skeletons"; background/engineir.md,
// "Sorts and terms"), never by the operator it came from, so that "the rewrite is an equality" is a
// statement that can be tested:
//   ParallelDot[P]   P of the rows at a time, each a dot product; rows × cols, rows × cols → rows
//   ParallelPartialDot[P, C]  each the dot products of C equal pieces; → rows × C
//   MergePartialSum  the C sums of each row added; rows × C → rows
//   Mv               the leaf on the matrix and the repeated vector; cols, rows × cols → rows
//   Conv             one Mv per window; h × w × ICH → H × W × rows
//   ParallelConv     one Mv per C windows end to end, against every filter C times end to end
//   For, Par         slices of both operands, results concatenated
//   ForR, ParR       slices of both operands, results added
//   Pad              zeros around the operands, result cropped
//   Map              the identity (what a pass computes is its layer's write-back)
//   Mm, Bmm          one Mv per row of the left matrix; one Mm per batch
//   Conv1D_W, _H     per line (column) one Mv: its windows are the matrix, the kernel the vector
//   DwConv           per window one ParallelDot of its channels' windows and kernels
//   LaneDwConv       per window and L channels a sum of products in each lane
//   TransposedConv1D_W, Im2colConv  the body on the transposed image, on the matrix of all windows
// with h = (H − 1)·stride + K. Operands and results of each function: ir/unit.h. Results are i32
// modulo 2^32.
//
// Errors: operands that do not have the term's shape are our own mistake (ENGINE_ASSERT).
// Complexity: O(multiplications of the padded term). Recursion: as deep as the chain is long.
// Thread rule: pure.
#pragma once

#include "engine/ir/conv_stream.h"
#include "engine/ir/op.h"
#include "engine/rules/skeletons.h"

namespace marquetry::rules {

struct TermNode {
    Skeleton skeleton;
    std::vector<egraph::Param> params;
};

/// Outermost first; the last node is a leaf.
using UnitTerm = std::vector<TermNode>;

/// Shape of a whole term; nullopt when its parts do not fit.
std::optional<ir::UnitShape> shapeOf(const UnitTerm& term);

/// "TiledMv[4, 8](Mv(ParallelDot[2, 2, 4, 0, 0]))".
std::string print(const UnitTerm& term);

struct UnitOperands {
    ir::Tensor data;   ///< the activations; for a Dot its first matrix
    ir::Tensor weight; ///< ignored by Map
};

/// Dimensions a term of this shape takes: {data, weight}.
std::array<ir::Shape, 2> operandDims(const ir::UnitShape& shape);

ir::Tensor denote(const UnitTerm& term, const UnitOperands& operands);

/// What a streamed convolution's unit computes: the stream program on the padded image, its whole
/// windows kept. Operands as of a Conv, the image without padding.
ir::Tensor denoteStream(const ir::ConvStream& conv, const UnitOperands& operands);

} // namespace marquetry::rules
