// The netlist of the control shell; control_shell.h says what it does.
// Thread rule: pure.
#pragma once

#include "engine/control/control_shell.h"

namespace marquetry::hdl {

/// Of streams that fit. `registers`: those of the core and the request.
ControlShell shellTop(const ShellCore& core, const ShellRequest& request, RegisterMap registers);

} // namespace marquetry::hdl
