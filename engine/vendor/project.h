// What projects of vendors' tools are made of: hardware by the names of its files and ports, the
// device, the clock, the board.
//
// Paths are relative to the export's folder, with "/". Thread rule: value types.
#pragma once

#include "engine/control/register_map.h"
#include "engine/device/device.h"
#include "engine/rtl/axi_lite_ports.h"
#include "engine/rtl/axi_write_ports.h"
#include "engine/rtl/axis_ports.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::vendor {

struct ProjectStream {
    std::string name; ///< of the item's input or output
    rtl::AxisNames port;
    int tdataBits = 64;
    bool isInput = true;
    std::int64_t frameBits = 0; ///< of a frame, without what pads its last beat; 0: not known
    std::string vectors = {};   ///< "in_x.hex": frames, each from a new line; empty: none
    int vectorBits = 64;        ///< of a line there, in hex: as many as the core's tdata has
};

/// A port that is neither clock, reset, control nor of a stream.
struct PlainPort {
    std::string name;
    int bits = 1;
    bool isInput = true;
};

/// A bench that the export has.
struct ProjectBench {
    std::string file; ///< "tb/x.v", or "tb/x.cpp" for Verilator
    std::string top;  ///< module: the bench's, of a bench in C++ the hardware's
    int vectors = 0;  ///< golden vectors; 0: it makes its own
};

/// Of `--interface axi`.
struct ProjectControl {
    rtl::AxiLiteNames port;
    std::string interrupt;
    hdl::RegisterMap registers;
};

/// External memory that the hardware reads its weights from, as an AXI4 master; it may keep
/// activations there, too.
struct ProjectMemory {
    rtl::AxiReadNames port;
    int dataBits = 64;
    int burstBeats = 16;         ///< of every read; where it writes, of the longest burst
    int mostReads = 1;           ///< that wait for their answers
    double bytesPerClock = 8;    ///< that the prediction counts on
    std::int64_t imageBytes = 0; ///< from an address on that is a multiple of 4096
    std::string image;           ///< "memory/weights.bin"
    std::optional<rtl::AxiWriteNames> write{}; ///< where it keeps activations behind the weights
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
    std::optional<ProjectMemory> memory;
    std::vector<ProjectBench> benches;
    device::Device device;
    double clockMhz = 100;
    std::string board;   ///< id of a preset (boards.h); empty: none
    std::string version; ///< of the program that exports
    std::string command; ///< line that exports the same; empty: none does
};

} // namespace marquetry::vendor
