// The ports of a stream's top, and what its netlist calls them.
//
// Thread rule: one builder; names are values.
#pragma once

#include "engine/lower_stream/stream_interface.h"
#include "engine/rtl/axis_ports.h"

#include <memory>
#include <string>
#include <vector>

namespace marquetry::hdl {

struct StreamPorts : rtl::TopPorts {
    std::vector<rtl::AxisPorts> inputs; ///< index: as the interface's
    rtl::AxisPorts output;
};

StreamPorts declarePorts(rtl::Module& top, const StreamInterface& interface);

/// What benches drive, watch and are called.
struct StreamNames : rtl::TopNames {
    std::vector<rtl::AxisNames> inputs; ///< index: as the interface's
    rtl::AxisNames output;
};

StreamNames namesOf(const rtl::Names& names, const StreamPorts& ports);

/// Those that every netlist of the interface gives: its ports alone decide them.
StreamNames streamNames(const StreamInterface& interface);

} // namespace marquetry::hdl
