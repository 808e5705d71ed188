// The hardware of a bank scheme: one memory whose lanes are its ports (design, "RTL").
//
// The memory runs the loops itself. Per nest n it has `step<n>`: high in a clock, the accesses of
// the current iteration happen at its rising edge and the counters move on; after the last
// iteration they start again. Nests never step together. Per reader `r<k>_data`: valid in the clock
// after the step, and no longer. Per writer `w<k>_en` and `w<k>_data`, with the step. A lane with
// an unknown index has its coordinates as inputs, `<lane>_x<d>`, and `<lane>_en`: whether the
// access happens, which it must not outside the array. An array that no loop writes is filled
// through the load port: bank, offset, data. Reads see the old value.
//
// Banks are memories of at most 64 bits with a registered read; the crossbar is behind it. A lane
// is routed to the banks that it sees and to no others; one that sees one bank is a wire. Two
// ports: a memory per read port and, if two lanes may write a bank, per write port, with a bit per
// word for who wrote it last.
//
// Immediate assertions, in simulation and formal proofs only: no bank is asked for more addresses
// than it has ports, and every lane reaches the bank and word of the scheme, computed from the
// coordinates by division (small quotients are looked up: proofs stay short).
//
// Errors: none; the scheme may be wrong, the assertions say so. Same input, same bytes.
// Thread rule: pure.
#pragma once

#include "engine/banking/hardware_plan.h"
#include "engine/rtl/module.h"
#include "engine/rtl/netlist.h"
#include "engine/rtl/ram_style.h"

#include <map>
#include <string>
#include <vector>

namespace marquetry::hdl {

struct BankedLane {
    std::string name; ///< "r0", "w3"
    banking::LaneHardware hardware;
};

struct LaneNames {
    std::string enable, data;    ///< empty: the lane has no such port
    std::vector<std::string> at; ///< empty ones among them, too
};

/// What benches drive, watch and are called, as the netlist names it.
struct MemoryNames {
    std::string top, traffic, bench;
    std::string clock, reset;
    std::vector<std::string> steps;         ///< by nest
    std::map<std::string, LaneNames> lanes; ///< by name
    std::string loadEnable, loadBank, loadOffset, loadData;
};

struct BankedMemory {
    std::string name; ///< of the top module
    MemoryNames names;
    banking::AccessPattern pattern;
    banking::Scheme scheme;
    banking::HardwarePlan plan;
    std::vector<BankedLane> lanes; ///< group after group
    bool loadPort = false;
    rtl::Vendor vendor = rtl::Vendor::Xilinx; ///< of the device
};

/// `name`: of the item; the top's is free of reserved words.
BankedMemory describeMemory(const std::string& name, banking::AccessPattern pattern,
                            banking::Scheme scheme, const device::Device& device);

rtl::ModulePtr memoryModule(const BankedMemory& memory);
/// Its text.
Netlist lowerMemory(const BankedMemory& memory);

} // namespace marquetry::hdl
