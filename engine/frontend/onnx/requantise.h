// Doing what is pending of an affine tensor: one exact requantisation to integers.
//
// Every requantisation is noted with the exact rationals it stands for. Faults go to the node's
// import. Thread rule: one import's own.
#pragma once

#include "engine/frontend/onnx/importer.h"

namespace marquetry::frontend::onnx {

struct QuantTarget {
    PerChannel scale = PerChannel::all(Rational(1));
    std::int64_t zero = 0;
    std::int64_t inside = 0; ///< zero point that is in the offset already, and is rounded with it
    std::int64_t least = -128, greatest = 127;
    quant::RoundingMode mode = quant::RoundingMode::Even;
    Element element = Element::Float; ///< of the result
    std::string name;                 ///< of the tensor of the file that it is
    bool isTensor = true;             ///< of the file
};

/// saturate(round(real ÷ scale) + zero) as integers: scale 1, offset 0, nothing pending.
std::optional<AffineTensor> quantised(const NodeUse& use, const AffineTensor& tensor,
                                      const QuantTarget& target);

/// The same real values with nothing pending, of one term: rounding steps become requantisations,
/// clamps on the grid of the integers clips.
std::optional<AffineTensor> settled(const NodeUse& use, const AffineTensor& tensor);
/// Likewise of the node's own result, which takes its name.
std::optional<AffineTensor> settledResult(const NodeUse& use, const AffineTensor& tensor);

/// Settled, the same scale for all elements, offset = −zero · scale with an integer zero.
struct GridTensor {
    AffineTerm term;
    Dims shape;
    Rational scale;
    std::int64_t zero = 0;
};
std::optional<GridTensor> onGrid(const NodeUse& use, const AffineTensor& tensor);

/// The function of a term's integers, of at most 8 bits, computed at once: functions of functions
/// then cost no more than one.
std::optional<std::function<WideReal(std::int64_t)>>
tabulated(const NodeUse& use, const AffineTerm& term,
          const std::function<WideReal(std::int64_t)>& function);

ir::Rounding roundingOf(quant::RoundingMode mode);

} // namespace marquetry::frontend::onnx
