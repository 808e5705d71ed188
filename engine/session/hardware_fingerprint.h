// What tells one hardware of a file from another: a hash of what it is made of, the same when the
// same hardware is found again.
//
// Of the file itself nothing is in it, so two fingerprints are compared within one opened file
// alone. Complexity: linear in the schedule or the operators. Thread rule: pure.
#pragma once

#include "engine/session/hardware.h"

#include <string>

namespace marquetry::session {

/// Empty where there is no hardware.
std::string fingerprintOf(const ToBuild& hardware);

} // namespace marquetry::session
