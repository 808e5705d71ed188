// What the counted terms leave of synthesised LUTs (background/banking.md, "Cost"): the logarithm
// of made ÷ counted as a sum of steps, each a gradient-boosted tree of depth one, learnt from the
// memories that the factors are fitted to (cost_steps.h). In use because it predicts memories that
// are held out better than the terms alone, which it does not for flip-flops; docs/banking.md has
// all errors.
//
// Internal to the module and its calibration. Complexity: O(lanes + steps). Thread rule: pure.
#pragma once

#include "engine/banking/cost_terms.h"

#include <array>
#include <span>

namespace marquetry::banking {

/// After the shares of each of kCostTerms in the counted amount.
inline constexpr std::array<const char*, 18> kMemoryFeatures = {"bits",
                                                                "ports",
                                                                "banks that are used",
                                                                "copies",
                                                                "words of a bank",
                                                                "block RAM",
                                                                "dimensions",
                                                                "bits of counted residues",
                                                                "these are no power of two",
                                                                "LUT RAM, words of a bank / 64",
                                                                "counted amount",
                                                                "lanes",
                                                                "lanes that write",
                                                                "banks that lanes see",
                                                                "lanes by a table",
                                                                "lanes by counted residues",
                                                                "lanes by decoded coordinates",
                                                                "lanes by tables per bank"};
inline constexpr std::size_t kCostFeatures = kCostTerms.size() + kMemoryFeatures.size();
using CostFeatures = std::array<double, kCostFeatures>;

/// LUTs, or flip-flops, of each of kCostTerms after its factor.
using CountedAmounts = std::array<double, kCostTerms.size()>;
CostFeatures costFeatures(const Pattern& pattern, const Scheme& scheme, const HardwarePlan& plan,
                          const CountedAmounts& counted);

struct CostStep {
    std::size_t feature = 0;
    double threshold = 0;
    double rise = 0; ///< of the logarithm, for features above the threshold
};

/// By what the counted amount is multiplied: between a half and two.
double correction(double base, std::span<const CostStep> steps, const CostFeatures& features);

} // namespace marquetry::banking
