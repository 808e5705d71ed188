// The three ways a requantisation is written: a multiplication per channel, two tensors added in
// one rounding, a table. Only requantise.cpp includes this.
#pragma once

#include "engine/frontend/onnx/requantise.h"

namespace marquetry::frontend::onnx {

struct FormTarget {
    const QuantTarget& target;
    std::int64_t least, greatest; ///< with the tensor's own clamp
    ir::Scalar to;
    std::string name; ///< of the value
};

struct FormResult {
    AffineTerm term; ///< scale 1
    ExactMeaning meaning;
};

/// Of one term.
std::optional<FormResult> byFactor(const NodeUse& use, const AffineTensor& tensor,
                                   const FormTarget& form);
/// The same real values with one scale for each term and one offset, by exact integer multiples; a
/// fault where there are none of 16 bits.
std::optional<AffineTensor> withOneScale(const NodeUse& use, const AffineTensor& tensor);
/// Of two terms.
std::optional<FormResult> byPair(const NodeUse& use, const AffineTensor& tensor,
                                 const FormTarget& form);
/// Of a function of integers of at most 8 bits.
std::optional<FormResult> byTable(const NodeUse& use, const AffineTensor& tensor,
                                  const FormTarget& form);

} // namespace marquetry::frontend::onnx
