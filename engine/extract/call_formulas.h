// Cycles of a call as a sum with its numbers, for whoever asks why.
//
// Each is the sum that the function of engine/cost computes. Thread rule: pure.
#pragma once

#include "engine/cost/call_timing.h"
#include "engine/cost/row_timing.h"
#include "engine/design/schedule.h"

#include <string>

namespace marquetry::extract {

/// cost::computeCycles.
std::string computeFormula(const cost::CallShape& shape);
/// cost::streamCycles, of a stream unit's step.
std::string streamFormula(const design::Schedule& schedule, const design::ComputeStep& step);
/// cost::moveCycles.
std::string moveFormula(const design::Schedule& schedule, const design::MoveStep& step);
/// cost::rowCycles.
std::string rowFormula(const cost::RowShape& shape);

} // namespace marquetry::extract
