// Boards with a processor beside the fabric, and what a system around our hardware has of it.
//
// Facts of boards: PYNQ-Z2 (TUL, board files tul.com.tw:pynq-z2), ZCU104 (AMD UG1267). Of
// processors: UG585 (Zynq-7000), UG1085 (Zynq UltraScale+). Thread rule: immutable values.
#pragma once

#include "engine/support/result.h"
#include "engine/vendor/project.h"

#include <cstdint>
#include <string>
#include <vector>

namespace marquetry::vendor {

enum class Processor { None, Zynq7000, ZynqUltraScale };

/// By the part: "xc7z…" and "xczu…".
Processor processorOf(const device::Device& device);

/// What a processor gives to hardware.
struct ProcessorFacts {
    std::string title;
    int interrupts = 0;       ///< lines from the fabric that we use
    std::uint64_t window = 0; ///< first address of the port for registers
    double mostClockMhz = 0;  ///< of the clock it gives to the fabric
    int memoryPortBytes = 0;  ///< that a port to its memory moves in a clock, at most
};
const ProcessorFacts& factsOf(Processor processor); ///< not None

struct Board {
    std::string id;
    std::string title;
    std::string device;    ///< id of a shipped device
    std::string boardPart; ///< pattern of the board's files in Vivado
    std::string filesFrom; ///< where those come from, a sentence for the user
};

const std::vector<Board>& boards();
/// Null when there is none of this id.
const Board* findBoard(const std::string& id);

/// One DMA of the system: it feeds an input, drains an output, or both.
struct SystemDma {
    std::string name; ///< of the block
    int input = -1;   ///< index of the project's stream; -1: none
    int output = -1;
    std::uint64_t address = 0; ///< of its registers
};

/// What the block design has around the hardware; drivers rely on names and addresses.
struct System {
    Processor processor = Processor::None;
    std::string block;                  ///< our hardware's block
    std::uint64_t controlAddress = 0;   ///< of our registers
    std::uint64_t windowBytes = 0x1000; ///< of each block of registers
    std::vector<SystemDma> dmas;
    std::vector<std::string> interrupts; ///< "block/pin", by line from 0
};

/// Inputs and outputs are paired in their order. Of a project with control on a device with a
/// processor; checkSystem says whether it can be built.
System systemOf(const Project& project);

/// Why no system can be built around the project: board-control (no registers), board-device (no
/// processor), board-streams (none, or more than it has ports and interrupts for), stream-width (a
/// DMA has no words of this width), board-clock.
Status checkSystem(const Project& project);

} // namespace marquetry::vendor
