// What the write-backs of units cannot do of an epilogue.
//
// Errors (code hdl-unsupported, naming the layer). Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"
#include "engine/support/diagnostic.h"

namespace marquetry::hdl {

/// Element types that memories hold.
bool storable(ir::Scalar scalar);

/// A lane per row, which only shifts.
Diagnostics whyNoEpilogue(const std::string& layer, const design::Epilogue& epilogue);

/// Lanes that scale (design/write_back.h).
Diagnostics whyNoScaledEpilogue(const design::ComputeStep& step, const design::ScheduleUnit& unit);

} // namespace marquetry::hdl
