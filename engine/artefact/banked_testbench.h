// A testbench for banked memories in plain Verilog, for Verilator (--binary) and Icarus alike.
//
// Per memory a module of random legal traffic next to a flat array: in each clock no nest or one of
// them steps, writers are enabled at random, unknown indices are drawn, and what every reader gives
// is compared with the flat array a clock later. Addresses are computed from the loops; of the
// scheme only the load port's bank and offset. Prints a line per mismatch (at most kShownMismatches
// per memory)
//   {"mismatch":{"memory","lane","cycle","expected","got"}}
// and, per memory, {"memory","cycles","steps","reads","writes","mismatches"}. A failing assertion
// of the memory ends the run before that. Arguments: +cycles=N +seed=S +vcd=FILE.
// Thread rule: pure.
#pragma once

#include "engine/lower_memory/banked_memory.h"

namespace marquetry::hdl {

/// Its name in the export of a memory.
inline constexpr const char* kMemoryBench = "tb/tb.v";

/// The module `top` and one traffic module per memory, none of more than kMaxSimulatedWords words.
std::string writeMemoryTestbench(const std::string& top,
                                 const std::vector<const BankedMemory*>& memories);

} // namespace marquetry::hdl
