#include "engine/banking/search_result.h"

namespace marquetry::banking {

std::string toString(Proof proof) {
    switch (proof) {
    case Proof::None:
        return "";
    case Proof::Lanes:
        return "lanes";
    case Proof::Clique:
        return "clique";
    case Proof::Colouring:
        return "colouring";
    case Proof::Exhausted:
        return "exhausted:flat,hierarchical,lattice";
    }
    return "";
}

std::string toString(Outcome outcome) {
    switch (outcome) {
    case Outcome::Complete:
        return "complete";
    case Outcome::StepLimit:
        return "steps";
    case Outcome::TimeLimit:
        return "time";
    case Outcome::MemoryLimit:
        return "memory";
    case Outcome::Cancelled:
        return "cancelled";
    }
    return "";
}

} // namespace marquetry::banking
