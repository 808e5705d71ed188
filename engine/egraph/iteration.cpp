#include "engine/egraph/iteration.h"

namespace marquetry::egraph {

const char* toString(Outcome outcome) {
    switch (outcome) {
    case Outcome::Saturated:
        return "Saturated";
    case Outcome::IterationLimit:
        return "IterationLimit";
    case Outcome::NodeLimit:
        return "NodeLimit";
    case Outcome::TimeLimit:
        return "TimeLimit";
    case Outcome::MemoryLimit:
        return "MemoryLimit";
    case Outcome::Cancelled:
        return "Cancelled";
    }
    return "";
}

} // namespace marquetry::egraph
