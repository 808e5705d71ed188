// What a step does, and what it does that to. Thread rule: pure.
#pragma once

#include "engine/design/ledger.h"
#include "engine/design/schedule.h"

namespace marquetry::design {

StepKind stepKind(const Step& step);
/// The layer, or the port of a transfer; of rows in external memory, the value.
const std::string& stepSubject(const Step& step);

} // namespace marquetry::design
