// Functional simulator: executes a schedule on integers, word by word as the hardware does.
//
// It tells where a wrong answer of the hardware comes from: if the simulator agrees with the
// interpreter, the mistake is in the generated hardware, otherwise it is in the schedule.
// O(multiplications of the schedule).
// Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"

#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace marquetry::design {

/// `values` are the interpreter's tensors (inputs and weights are read). Returns the outputs in
/// the order of the StoreSteps.
std::vector<ir::Tensor> simulate(const Schedule& schedule, const ir::Program& program,
                                 const std::vector<ir::Tensor>& values, std::stop_token stop = {});

} // namespace marquetry::design
