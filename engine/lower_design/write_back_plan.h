// What the plan says of write-backs that scale (design/write_back.h).
//
// Thread rule: pure.
#pragma once

#include "engine/design/write_back.h"
#include "engine/lower_design/plan.h"

namespace marquetry::hdl {

WriteBackPlan planWriteBack(const design::ScheduleUnit& unit);

/// The modes of a step among those of its unit.
void planScaledModes(const design::Epilogue& epilogue, UnitPlan& unit, StepPlan& step);

/// Where the numbers of its blocks lie. The step's bounds are known.
void planScales(const design::ComputeStep& step, const UnitPlan& unit, StepPlan& plan);

/// A line for each word of the numbers per channel: fields from the lowest bits up, bias, mul, add
/// and shift, the first lane in the lowest digits.
std::string scaleText(const UnitPlan& unit, const std::vector<design::ScaleFields>& packed);

/// A line for each entry of the tables.
std::string tableText(const UnitPlan& unit, const std::vector<std::int64_t>& packed);

} // namespace marquetry::hdl
