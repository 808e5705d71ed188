// The testbench of a stream's hardware in plain Verilog, for Icarus and Verilator (--binary).
//
// Reads DIR/in_<input>.hex, DIR/out_<output>.hex (beats, one per line, frame after frame) and
// DIR/care_<output>.hex (a bit for each leaf of a beat: whether it is defined), drives every input,
// holds back the output, compares every defined leaf, and prints one JSON line per mismatch (the
// first kShownMismatches of them)
//   {"mismatch":{"output","vector","index","expected","got","cycle","what"}}
// `index` counts leaves in the order of the beats. At the end of each frame {"counted":N}: clocks
// from its first beat to its last result; at the very end {"pass","vectors","mismatches","error"}.
// Arguments: +dir=DIR +seed=S +gaps=0|1 +vcd=FILE, and +fault=1|2: the first frame ends early, or
// goes on for three beats without TLAST; then `error` is expected, and the others are compared.
// Parameter VECTORS: frames in the files; +frames=N sends the first N of them. Thread rule: pure.
#pragma once

#include "engine/lower_stream/stream_ports.h"

namespace marquetry::hdl {

inline constexpr const char* kStreamBench = "tb/tb_stream.v";

/// `names`: of the netlist.
std::string writeStreamTestbench(const StreamInterface& interface, const StreamNames& names);

} // namespace marquetry::hdl
