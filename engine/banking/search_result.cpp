#include "engine/banking/search_result.h"

namespace marquetry::banking {

std::string toString(BoundProof proof) {
    switch (proof) {
    case BoundProof::None:
        return "";
    case BoundProof::Lanes:
        return "lanes";
    case BoundProof::Clique:
        return "clique";
    case BoundProof::Colouring:
        return "colouring";
    case BoundProof::Exhausted:
        return "exhausted";
    }
    return "";
}

std::string proofName(const SearchResult& found) {
    if (found.proof != BoundProof::Exhausted)
        return toString(found.proof);
    return std::string("exhausted:flat,hierarchical,lattice") +
           (found.parityExhausted ? ",xor" : "");
}

std::string provedAmong(const SearchResult& found) {
    if (!found.proved())
        return "";
    if (found.proof != BoundProof::Exhausted)
        return "any scheme";
    return found.parityExhausted ? "flat, hierarchical, lattice and xor schemes"
                                 : "flat, hierarchical and lattice schemes";
}

std::string toString(SearchOutcome outcome) {
    switch (outcome) {
    case SearchOutcome::Complete:
        return "complete";
    case SearchOutcome::StepLimit:
        return "steps";
    case SearchOutcome::TimeLimit:
        return "time";
    case SearchOutcome::MemoryLimit:
        return "memory";
    case SearchOutcome::Cancelled:
        return "cancelled";
    }
    return "";
}

} // namespace marquetry::banking
