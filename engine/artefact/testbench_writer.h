// Testbenches of a design: one in C++ for Verilator, and that of all hardware with AXI4-Streams in
// plain Verilog for Icarus (axis_testbench.h).
//
// The one in C++ reads DIR/in_<port>.hex and DIR/out_<port>.hex (64-bit beats, one per line, all
// vectors one after another), drives every input, holds back every output, compares every element,
// and prints one JSON line per mismatch (the first kShownMismatches of them)
//   {"mismatch":{"output","vector","index","expected","got","cycle"}}
// and at the end {"pass","vectors","mismatches","cycles":[…],"error"}, of a design with external
// weights also "stalls":[…] (memory_bench.h).
// A beat whose padding differs, or a wrong or missing TLAST, is a mismatch too, with "what".
// Arguments: +dir=DIR +vectors=N +seed=S +gaps=0|1 (random gaps and back-pressure), +vcd=FILE
// (waveforms: VCD with MARQUETRY_TRACE defined, FST with MARQUETRY_FST).
// A run that makes no progress ends with "what":"timeout". Thread rule: pure.
#pragma once

#include "engine/artefact/axis_testbench.h"
#include "engine/lower_design/design_ports.h"
#include "engine/lower_design/plan.h"
#include "engine/support/folders.h"

#include <string>

namespace marquetry::hdl {

inline constexpr int kShownMismatches = 20;

inline constexpr const char* kDesignVerilatorBench = "tb/tb_verilator.cpp";
inline constexpr const char* kDesignVerilogBench = "tb/tb_icarus.v";

/// `names`: of the plan's netlist.
std::string writeVerilatorTestbench(const RtlPlan& plan, const DesignNames& names);
/// The memory that a plan with external weights is given.
BenchMemory benchMemory(const RtlPlan& plan, const WeightPorts<std::string>& names);
AxisBench designBench(const RtlPlan& plan, const DesignNames& names);

} // namespace marquetry::hdl
