// R-TRANSPOSE-1D (SkeleShare Fig. 11), R-IM2COL and R-MAP-ROWS (EngineIR S2 and S1:
// background/engineir.md, "Rules and their conditions"): the same function by another skeleton.
#include "engine/rules/catalog.h"

#include <utility>

namespace marquetry::rules {

namespace {

using ir::UnitFunction;
using ir::UnitShape;

/// A filter along the columns is one along the lines of the transposed image.
std::vector<Candidate> transpose(const Menu&, const UnitShape& shape) {
    UnitShape child = shape;
    child.function = UnitFunction::Conv1DW;
    std::swap(child.height, child.width);
    return {{{}, child}};
}

/// Only where the program has a product of matrices to meet. SkeleShare has no such rule.
std::vector<Candidate> imageToColumns(const Menu& menu, const UnitShape& shape) {
    if (menu.policy == Policy::Published || menu.vectors.empty())
        return {};
    ENGINE_ASSERT(isPlain(shape), "Conv has square windows");
    UnitShape child;
    child.function = UnitFunction::Mm;
    child.height = shape.height * shape.width;
    child.rows = shape.rows;
    child.cols = shape.cols;
    child.operand = shape.operand;
    child.weight = shape.weight;
    return {
        {{shape.height, shape.width, shape.channels, shape.kernel.vertical, shape.stride.vertical},
         child}};
}

/// SkeleShare's Mm calls an Mv already: not under Published.
std::vector<Candidate> mapRows(const Menu& menu, const UnitShape& shape) {
    if (menu.policy == Policy::Published)
        return {};
    UnitShape child = shape;
    child.function = UnitFunction::Mv;
    child.height = 1;
    return {{{1, shape.height}, child}};
}

const UnitRule kConversionRules[] = {
    {"R-TRANSPOSE-1D", "skeletons", Skeleton::Conv1DH, Skeleton::TransposedConv1DW, transpose,
     "SkeleShare Fig. 11 (§V)", "Conv1D_H[H×W, K] = TransposedConv1D_W(Conv1D_W[W×H, K])", "none"},
    {"R-IM2COL", "skeletons", Skeleton::Conv, Skeleton::Im2colConv, imageToColumns, "EngineIR S2",
     "Conv[H, W, ICH, KS](Mv) = Im2colConv[H, W, ICH, KS](Mm[H·W](Mv))",
     "the program has a product of matrices to meet; not under the published costs"},
    {"R-MAP-ROWS", "skeletons", Skeleton::Mm, Skeleton::MappedRows, mapRows, "EngineIR S1",
     "Mm[H](Mv) = MappedRows[1, H](Mv)", "not under the published costs"},
};

} // namespace

std::span<const UnitRule> conversionRules() {
    return kConversionRules;
}

} // namespace marquetry::rules
