// A lane of a write-back that scales (design/write_back.h), in registers behind every step.
//
// Ports: aclk, x (the sum), fields (its numbers per channel, at the same clock), addend at
// `beforeAdd`, pool_valid, pool_first and pool_index at `beforePool`, what its modes choose
// (constant while a step runs), y. Thread rule: pure.
#pragma once

#include "engine/lower_design/plan.h"
#include "engine/rtl/module.h"

#include <memory>
#include <string>
#include <vector>

namespace marquetry::hdl {

/// A constant of the step that runs: a port of each lane where its modes differ in it.
struct ModeNumber {
    std::string name;
    int width = 1;
    std::string mode; ///< the port with the mode's number
    std::vector<std::int64_t> values;
};

struct WriteBackLane {
    rtl::ModulePtr module;
    std::vector<ModeNumber> numbers; ///< ports to drive
    int beforeAdd = 0;               ///< clocks from the lane's input
    int beforePool = 0;
    int stages = 0;
};

/// `tables`: the text of their file, for units that look up.
WriteBackLane writeBackLane(const UnitPlan& unit, int addendBits,
                            std::shared_ptr<const std::string> tables);

} // namespace marquetry::hdl
