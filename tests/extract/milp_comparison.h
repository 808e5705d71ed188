// The pool search against CBC on the same e-graphs: random programs by their seeds.
//
// Thread rule: pure.
#pragma once

#include "engine/extract/problem.h"
#include "engine/rules/lowering.h"

#include <cstdint>
#include <string>

namespace marquetry::test {

struct Tally {
    int compared = 0;
    int feasible = 0;
};

std::string describe(std::uint64_t seed, const extract::ProblemParams& params);

/// Both find the same optimum, or that there is none.
void compareWithMilp(const rules::Lowered& lowered, const extract::ProblemParams& params,
                     const std::string& what, Tally& tally);

device::Device deviceOf(std::uint64_t seed);

inline constexpr design::CostModel kModels[] = {
    design::CostModel::Cycles, design::CostModel::Published, design::CostModel::PublishedOpen};

/// Programs of the seeds from `first` up to `end`, with units of so many stored words at most:
/// under all costs, and under one of them with one or two pins. CBC takes minutes where the words
/// are many.
Tally compareRandomPrograms(std::uint64_t first, std::uint64_t end, std::int64_t mostSpan);
Tally comparePinnedPrograms(std::uint64_t first, std::uint64_t end, std::int64_t mostSpan);

} // namespace marquetry::test
