// The sharing candidates of a design: units that two or more calls could use, and for each whether
// it is shared, and why or why not.
#pragma once

#include "engine/extract/extract.h"
#include "engine/extract/pool_questions.h"

namespace marquetry::extract {

/// Shared units first, then by DSP saved.
std::vector<design::SharingCandidate> sharingCandidates(const ExtractionProblem& problem,
                                                        const PoolResult& pools,
                                                        const design::Design& design,
                                                        const ExtractParams& params,
                                                        PoolQuestions& questions);

} // namespace marquetry::extract
