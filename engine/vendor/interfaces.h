// The ports of a project's top, one by one and as interfaces with the names buses give them.
//
// Thread rule: values, pure functions. Complexity: linear in the ports.
#pragma once

#include "engine/vendor/project.h"

#include <string>
#include <vector>

namespace marquetry::vendor {

/// A port and its name in the definition of the bus: "TDATA", "AWADDR".
struct SignalPort {
    std::string signal;
    PlainPort port;
};

/// In the order of AMBA; directions as the top has them.
std::vector<SignalPort> axisSignals(const ProjectStream& stream);
std::vector<SignalPort> axiLiteSignals(const ProjectControl& control);
std::vector<SignalPort> axiReadSignals(const ProjectMemory& memory);
/// Those it writes with; none of hardware that only reads.
std::vector<SignalPort> axiWriteSignals(const ProjectMemory& memory);
/// Both.
std::vector<SignalPort> axiMasterSignals(const ProjectMemory& memory);

/// All ports of the top: clock, reset, streams, control and interrupt, memory, plain ports.
std::vector<PlainPort> portsOf(const Project& project);

/// What tools call the interfaces of the top: letters, digits and "_", apart in any case.
struct InterfaceNames {
    std::vector<std::string> streams; ///< index: as the project's
    std::string control;              ///< empty without
    std::string memory;               ///< empty without
};

/// Of streams what is before "_tdata", so that what is seen in a block design is what the Verilog
/// says; s_axis and m_axis where nothing is before it.
InterfaceNames interfaceNames(const Project& project);

} // namespace marquetry::vendor
