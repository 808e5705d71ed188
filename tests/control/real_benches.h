// Benches of shells around hardware of designs and streams, with frames of the interpreter.
#pragma once

#include "tests/control/shell_bench.h"
#include "tests/lower_design/schedule_builder.h"

#include "engine/ir/stream_program.h"
#include "engine/spacetime/schedule.h"

namespace marquetry::test {

ShellBench designBench(const TestDesign& design, int streamBits, std::uint64_t seed);

/// Of a stream all of whose output is defined.
ShellBench streamBench(const ir::StreamProgram& program, spacetime::Throughput throughput,
                       int streamBits, std::uint64_t seed);

} // namespace marquetry::test
