// The correction of LUT counts: what the counted terms of a memory's cost do not explain of its
// synthesised LUTs (background/banking.md, "Cost").
//
// It is the logarithm of the ratio of synthesised to counted LUTs, as a sum of gradient-boosted
// trees of depth one (*steps*), learnt from the memories to which the factors are fitted
// (cost_steps.h). It is used because it predicts memories that are held out better than the terms
// alone. For flip-flops it does not, so they have none; docs/banking.md has all errors.
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
CostFeatures costFeatures(const AccessPattern& pattern, const Scheme& scheme,
                          const HardwarePlan& plan, const CountedAmounts& counted);

struct CostStep {
    std::size_t feature = 0;
    double threshold = 0;
    double rise = 0; ///< of the logarithm, for features above the threshold
};

/// By what the counted amount is multiplied: between a half and two.
double correction(double base, std::span<const CostStep> steps, const CostFeatures& features);

} // namespace marquetry::banking
