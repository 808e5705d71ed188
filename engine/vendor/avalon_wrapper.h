// A module around a project's top whose streams are Avalon streaming interfaces, for the DMAs of
// Platform Designer.
//
// Both handshakes are one (Avalon with readyLatency 0). Avalon has the first byte in the highest
// bits, so bytes are swapped; it has a start of packet, which our hardware does not need and the
// wrapper makes; every beat is full, so `empty` is 0. Reads of AXI4 become Avalon's, which have no
// last beat: the wrapper counts them; all bursts are as long as each other, or their lengths wait
// in a queue, and the hardware takes every beat at once. Avalon has one channel for commands: a
// burst that is written has it from its request to its last beat, and its one response is that of
// AXI4. Other ports are the top's.
// Facts: Intel 683091 (Avalon interfaces), 683130 (modular scatter-gather DMA).
// Complexity: linear in the bits of streams. Thread rule: pure.
#pragma once

#include "engine/vendor/project.h"

#include <optional>
#include <string>
#include <vector>

namespace marquetry::vendor {

struct AvalonStream {
    std::string data, valid, ready, startofpacket, endofpacket;
    std::string empty; ///< none of one byte
    int emptyBits = 0;
};

/// Of an Avalon memory-mapped host that reads in bursts, and may write in bursts.
struct AvalonMemory {
    std::string address, read, burstcount, waitrequest, readdata, readdatavalid, response;
    int burstBits = 1;
    std::string write{}, writedata{}, byteenable{}, writeresponsevalid{}; ///< empty: it only reads
};

struct AvalonWrapper {
    std::string module;
    std::vector<AvalonStream> streams; ///< index: as the project's
    std::optional<AvalonMemory> memory;
    std::string verilog;
};

AvalonWrapper avalonWrapper(const Project& project);

} // namespace marquetry::vendor
