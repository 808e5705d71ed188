// Kernels of streams against the interpreter in Icarus: many circuits in one simulation.
//
// Every kernel gets random frames one after the other, in clocks of its own: without enable in some
// of them, with X on every input that is not valid, and random words in all others. Each bit of
// the output is compared where the interpreter defines it, out_valid in every step.
#pragma once

#include "engine/lower_stream/stream_kernel.h"
#include "engine/spacetime/schedule.h"

#include <string>
#include <vector>

namespace marquetry::test {

struct KernelCase {
    std::string name; ///< an identifier
    ir::StreamProgram program;
    spacetime::Graph circuit;
    datapath::Rearranging rearranging = datapath::Rearranging::Smaller;
};

struct KernelRun {
    std::string log;                   ///< of the tools, when they failed
    std::vector<std::string> failures; ///< "name: output at step …"
    std::int64_t comparedSteps = 0;
    std::int64_t comparedBits = 0;
};

struct BenchParams {
    int frames = 3;
    bool gaps = true;
    std::uint64_t seed = 1;
};

KernelRun runKernels(const std::vector<KernelCase>& cases, const BenchParams& params);

/// Lowered and timed; a failure is a failure of the test.
datapath::TimedDatapath timed(const spacetime::Graph& circuit,
                              datapath::Rearranging rearranging = datapath::Rearranging::Smaller);

/// An example under examples/streams, by name and item.
ir::StreamProgram exampleStream(const std::string& name, const std::string& item);
/// The best circuit of a program at a throughput.
spacetime::StreamDesign designAt(const ir::StreamProgram& program, spacetime::Throughput t);

} // namespace marquetry::test
