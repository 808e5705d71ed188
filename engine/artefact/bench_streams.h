// AXI4-Streams in Verilog testbenches: what drives them with random gaps, holds them back at
// random, and tells what came otherwise.
//
// The wires of a stream in a bench are "<name>_tdata" and so on. The bench has `aclk`, `gaps` (0:
// none), `seed`, `moved`, `mismatches` and the parameter VECTORS. Thread rule: one writer.
#pragma once

#include "engine/artefact/bench_text.h"
#include "engine/rtl/axis_ports.h"

#include <cstdint>
#include <string>
#include <vector>

namespace marquetry::hdl {

struct BenchStream {
    std::string name;
    int tdataBits = 64;
    std::int64_t beats = 1; ///< of a vector
};

/// ".s_axis_x_tdata(x_tdata)" and so on, each with a comma behind it.
void connect(BenchText& body, const BenchStream& stream, const rtl::AxisNames& port);

/// Beats come from the array "<name>_sent"; "<name>_next" counts them.
struct BenchSource {
    BenchStream stream;
    std::string wants;  ///< condition: there is another beat
    std::string vector; ///< the number of the vector that it is in
    std::string last;   ///< condition: it is the last one
};
void declareSource(BenchText& body, const BenchStream& stream);
/// `taken`: what happens beside when a beat is taken.
void driveSource(BenchText& body, const BenchSource& source, const std::vector<std::string>& taken);
void startSource(BenchText& body, const BenchStream& stream);

/// What is expected is in the array "<name>_wanted".
void declareSink(BenchText& body, const BenchStream& stream);

/// The expressions of what a mismatch says.
struct Complaint {
    std::string output; ///< its name
    std::string vector;
    std::string cycle;
};
/// Counts a mismatch and prints it; `values`: index, expected, got.
void complain(BenchText& body, const std::string& indent, const Complaint& of, const char* what,
              const std::string& values);

/// Opens the process that takes beats, held back at random, up to the statements about one beat:
/// three blocks that are not closed.
void openSink(BenchText& body, const BenchStream& stream, const Complaint& of);

} // namespace marquetry::hdl
