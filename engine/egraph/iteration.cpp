#include "engine/egraph/iteration.h"

namespace marquetry::egraph {

const char* toString(StopReason outcome) {
    switch (outcome) {
    case StopReason::Saturated:
        return "Saturated";
    case StopReason::IterationLimit:
        return "IterationLimit";
    case StopReason::NodeLimit:
        return "NodeLimit";
    case StopReason::TimeLimit:
        return "TimeLimit";
    case StopReason::MemoryLimit:
        return "MemoryLimit";
    case StopReason::Cancelled:
        return "Cancelled";
    }
    return "";
}

} // namespace marquetry::egraph
