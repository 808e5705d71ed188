// The testbench of a stream's hardware in plain Verilog (axis_testbench.h): frames follow each
// other, and leaves may be undefined. Thread rule: pure.
#pragma once

#include "engine/artefact/axis_testbench.h"
#include "engine/lower_stream/stream_ports.h"

namespace marquetry::hdl {

inline constexpr const char* kStreamBench = "tb/tb_stream.v";

/// `names`: of the netlist.
AxisBench streamBench(const StreamInterface& interface, const StreamNames& names);

} // namespace marquetry::hdl
