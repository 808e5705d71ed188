// The bank schemes that Spatial's search accepts first (its ExhaustiveBanking, as read from the
// source): per view, rule for N and rule for α, N in ascending order, α as listed, B = 1 first and
// then the first block of its list that is conflict-free. Conflict freedom is decided by
// enumerating the cycles, not by the engine.
#pragma once

#include "engine/ir/memory_program.h"

#include <string>
#include <vector>

namespace marquetry::hdl {

struct FirstAccepted {
    std::string view;      ///< "flat" or "hierarchical"
    std::string numbers;   ///< rule for N: "best", "pow2", "relaxed"
    std::string constants; ///< rule for α: "best", "relaxed"
    std::vector<ir::FlatMap> maps;
};

/// At most 2 views × 3 × 2; those that find nothing are left out.
std::vector<FirstAccepted> firstAccepted(const ir::MemoryProgram& item);

} // namespace marquetry::hdl
