// Values that are computed from weights alone are weights to hardware, which holds them as it holds
// others.
//
// Errors: those of the interpreter, of which too-large is one. Cancel: as the interpreter's.
// Complexity: that of interpreting these values, once. Thread rule: pure.
#pragma once

#include "engine/ir/program.h"

#include <memory>
#include <stop_token>

namespace marquetry::ir {

/// The program with those values as weights, whose sources hold what they are; every value keeps
/// its id. The very same program where it has none of them.
Result<std::shared_ptr<const Program>> foldConstants(std::shared_ptr<const Program> program,
                                                     std::stop_token stop = {});

} // namespace marquetry::ir
