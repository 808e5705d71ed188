// Rematerialisation: instead of storing a computed value for a line, its source is stored for a
// line and the value is computed again.
//
// Several values that are computed from one stream and each kept for a line need a line buffer
// each. When they are computed again from the stream, a line later, they share the line buffers of
// the stream. So CAMERA keeps four raw lines instead of two raw ones and two of each colour. A
// value of one bit is kept and not computed again. A counter that repeats is neither kept nor
// computed again: a period minus the distance is added to it.
//
// All long shifts are replaced, whether or not it pays: the caller weighs (dataflow_graph.h). The
// dataflow graph is returned as it is when something else repeats than a counter that fits its
// type. Complexity: linear in the terms, for every long distance. Thread rule: pure.
#pragma once

#include "engine/algebra/dataflow_graph.h"

namespace marquetry::algebra {

/// Shorter ones are registers, or nearly so.
inline constexpr std::int64_t kLongShift = 128;

/// How a source repeats.
struct Repetition {
    std::int64_t period = 0; ///< elements; 0: it does not
    std::int64_t step = 0;   ///< of a counter from 0 up; 0: no counter
};

/// `repetitions`: by number of the source.
DataflowGraph rematerialised(const DataflowGraph& dataflow,
                             const std::vector<Repetition>& repetitions,
                             std::int64_t longShift = kLongShift);

} // namespace marquetry::algebra
