// Sharing candidates with what became of them, and the next best designs: the material of "why?".
#pragma once

#include "engine/extract/extract.h"
#include "engine/extract/problem.h"

namespace marquetry::extract {

/// Shared units first, then by DSP saved.
std::vector<design::SharingCandidate> sharingCandidates(const ExtractionProblem& problem,
                                                        const PoolResult& pools,
                                                        const PoolSolution& chosen,
                                                        const design::Design& design,
                                                        const ExtractParams& params);

/// By unit name: up to five other choices with their cycles, best first.
std::map<std::string, std::vector<std::string>> alternativesOf(const ExtractionProblem& problem,
                                                               const PoolResult& pools,
                                                               const design::Design& design,
                                                               const ExtractParams& params);

} // namespace marquetry::extract
