// The circuits of a stream program at one throughput, as data; schedule.h finds them and says what
// the front holds. Thread rule: value types.
#pragma once

#include "engine/device/resources.h"
#include "engine/spacetime/operators.h"
#include "engine/spacetime/state_graph.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace marquetry::spacetime {

/// One circuit; operands meet at equal delays.
struct StreamDesign {
    Graph circuit;
    /// As counted; of the kernel where it was priced (lower_stream/schedule_as_built.h).
    device::Resources area;
    device::Resources counted;  ///< by the search (area.h), with the registers that match delays
    device::Resources matching; ///< the part of `counted` that matches delays
    std::int64_t delay = 0;     ///< clocks from the first slot of the inputs to that of the output
};

struct StreamSchedule {
    Throughput throughput;
    std::int64_t clocks = 0;
    std::vector<SeqType> outputTypes;     ///< candidates, before search
    std::vector<StreamDesign> front;      ///< the chosen one first
    std::vector<StreamDesign> behind;     ///< the next by what is counted, when asked for
    bool complete = true;                 ///< false: the time ended, a smaller design may exist
    double leastFraction = 0;             ///< no design's counted sum of fractions is below it
    std::optional<StateGraph> stateGraph; ///< when asked for
    std::int64_t states = 0;
    double seconds = 0;
};

} // namespace marquetry::spacetime
