// The scripts that quartus.h names, each by itself. Thread rule: pure.
#pragma once

#include "engine/vendor/avalon_wrapper.h"
#include "engine/vendor/project.h"

#include <string>
#include <vector>

namespace marquetry::vendor {

/// Interfaces of a component of Platform Designer.
struct ComponentPort {
    std::string name, role;
    int bits = 1;
    bool isInput = true;
};
struct ComponentInterface {
    std::string name, type, end; ///< "start" or "end"
    std::vector<std::pair<std::string, std::string>> properties;
    std::vector<ComponentPort> ports;
};

/// With AXI4-Streams, or those of the wrapper.
std::vector<ComponentInterface> componentInterfaces(const Project& project,
                                                    const AvalonWrapper* avalon);

/// "NAME_hw.tcl": a component with this top, of these files beside the project's.
std::string componentScript(const Project& project, const std::string& top,
                            const std::vector<std::string>& files,
                            const std::vector<ComponentInterface>& interfaces);

/// "Arria 10"
std::string quartusFamily(const device::Device& device);

/// "system.tcl", around the component of the wrapper.
std::string systemScript(const Project& project, const AvalonWrapper& avalon);

} // namespace marquetry::vendor
