// Why each unit of a design is what it is: its cost, the next best designs, and what the opposite
// choice would give.
//
// The opposite of a shared unit is the best design in which neither the unit nor a unit inside it
// may be outlined. It is found by another extraction under that pin, so its figures are as exact as
// the answer itself. The alternatives come from the what-if questions about sharing. Errors: none;
// what was not found is not listed.
#pragma once

#include "engine/extract/extract.h"
#include "engine/extract/pool_questions.h"

namespace marquetry::extract {

/// Fills DesignUnit::why.
void explainUnits(const rules::Lowered& lowered, const ExtractionProblem& problem,
                  const PoolSolution& chosen, const ExtractParams& params, PoolQuestions& questions,
                  design::Design& design, std::stop_token stop);

/// "Mv 64×576 P=8 ×13 + Mv 10×512 P=2 ×1".
std::string labelOf(const design::Design& design);

} // namespace marquetry::extract
