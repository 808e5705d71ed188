// The shell's way from a core that reads external memory, and may write it, to the bus.
//
// Thread rule: one builder.
#pragma once

#include "engine/control/control_shell.h"

#include <string>

namespace marquetry::hdl {

/// What it is joined to.
struct MemoryJoints {
    std::string name; ///< of the request: the beginning of modules' names
    rtl::ModulePtr buffer;
    rtl::Expr clock, reset, coreReset;
};

struct ShellMemory {
    rtl::Expr bad;                 ///< a beat or a burst of the core's is answered with an error
    rtl::Expr owes;                ///< an answer is still to come
    rtl::Module::Connections core; ///< of the core's side of the bus
};

/// `ports`: those of `m`, with a memory.
ShellMemory joinMemory(rtl::Module& m, const CoreMemory& core, const ShellPorts& ports,
                       const MemoryJoints& joints);

} // namespace marquetry::hdl
