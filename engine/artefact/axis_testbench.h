// The testbench of hardware with AXI4-Streams in plain Verilog, for Icarus and Verilator
// (--binary): of designs and of streams.
//
// Reads DIR/in_<source>.hex and DIR/out_<sink>.hex (beats, one per line, frame after frame) and
// DIR/care_<sink>.hex of a sink that says so (a bit for each leaf of a beat: whether it is
// defined). Drives every source with random gaps, holds back every sink at random, compares every
// leaf and every TLAST, and prints one JSON line per mismatch (the first kShownMismatches of them)
//   {"mismatch":{"output","vector","index","expected","got","cycle","what"}}
// `index` counts leaves in the order of the beats. Without progress for `patience` clocks the run
// ends with "what":"timeout". At the very end {"pass","vectors","mismatches"}.
//
// Hardware with a start and a done, or with registers, takes one frame of each stream at a time,
// and {"counted":N} is what its counter of cycles says then, {"counted":N,"stalled":M} where it has
// a memory (memory_bench.h). Registers are used as a driver does: the identity is compared, each
// frame is started and waited for by its interrupt, which is cleared. Of other hardware frames
// follow each other, and N are the clocks from a frame's first beat to the last one of its result.
// Arguments: +dir=DIR +seed=S +gaps=0|1 +vcd=FILE, and +fault=1|2: the first frame ends early, or
// goes on for three beats without TLAST; then `error` is expected, and the others are compared.
// Parameter VECTORS: frames in the files; +frames=N sends the first N of them. Thread rule: pure.
#pragma once

#include "engine/artefact/bench_text.h"
#include "engine/artefact/memory_bench.h"
#include "engine/control/register_map.h"
#include "engine/rtl/axi_lite_ports.h"
#include "engine/rtl/axis_ports.h"

#include <optional>
#include <vector>

namespace marquetry::hdl {

struct BenchStream {
    std::string name; ///< identifier, no other stream's in any case of letters
    rtl::AxisNames port;
    int tdataBits = 64;
    std::int64_t beats = 1; ///< of a frame
};

/// What a beat holds, from the lowest bit.
struct BenchLeaf {
    int bits = 8;
    bool isSigned = false;
};

struct BenchSink {
    BenchStream stream;
    std::vector<BenchLeaf> leaves;
    bool cares = false; ///< some leaves may be undefined
};

/// Names of ports.
struct BenchControl {
    std::string start, done, busy, cycles;
    std::int64_t clocks = 0; ///< of a run; the streams may be still in all of them
};

/// Registers behind an AXI4-Lite slave, and what they must say of the hardware.
struct BenchRegisters {
    rtl::AxiLiteNames port;
    std::string interrupt;
    RegisterMap map;
};

struct AxisBench {
    std::string title;   ///< a comment
    rtl::TopNames names; ///< without `error` where there are registers
    std::vector<BenchStream> sources;
    std::vector<BenchSink> sinks; ///< one at least
    std::optional<BenchControl> control;
    std::optional<BenchRegisters> registers; ///< instead of `control` and of the port `error`
    std::optional<BenchMemory> memory;
    std::int64_t clocks = 1; ///< of a frame
    std::int64_t patience = 10000;
};

std::string writeAxisTestbench(const AxisBench& bench);

} // namespace marquetry::hdl
