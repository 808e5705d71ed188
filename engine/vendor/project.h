// What projects of vendors' tools are made of: hardware by the names of its files and ports, the
// device, the clock, the board.
//
// Paths are relative to the export's folder, with "/". Thread rule: value types.
#pragma once

#include "engine/control/register_map.h"
#include "engine/device/device.h"
#include "engine/rtl/axi_lite_ports.h"
#include "engine/rtl/axis_ports.h"

#include <optional>
#include <string>
#include <vector>

namespace marquetry::vendor {

struct ProjectStream {
    std::string name; ///< of the item's input or output
    rtl::AxisNames port;
    int tdataBits = 64;
    bool isInput = true;
};

/// A port that is neither clock, reset, control nor of a stream.
struct PlainPort {
    std::string name;
    int bits = 1;
    bool isInput = true;
};

/// Of `--interface axi`.
struct ProjectControl {
    rtl::AxiLiteNames port;
    std::string interrupt;
    hdl::RegisterMap registers;
};

struct Project {
    std::string name; ///< identifier: the item's
    std::string top;
    std::string clock, reset;          ///< ports; the reset is synchronous and low
    std::vector<std::string> sources;  ///< "rtl/x.v", each before its users
    std::vector<std::string> memories; ///< "rtl/x.mem"
    std::vector<ProjectStream> streams;
    std::vector<PlainPort> plainPorts;
    std::optional<ProjectControl> control;
    device::Device device;
    double clockMhz = 100;
    std::string board;   ///< id of a preset (boards.h); empty: none
    std::string version; ///< of the program that exports
    std::string command; ///< line that exports the same
};

} // namespace marquetry::vendor
