// Schedules beside what Yosys makes of the kernels of their circuits.
#pragma once

#include "engine/lower_stream/schedule_as_built.h"
#include "tests/lower_stream/kernel_bench.h"

#include "engine/rtl/netlist.h"

#include <ostream>
#include <string>
#include <vector>

namespace marquetry::test {

/// A pipeline of tests/data/streams/pixels.
ir::StreamProgram pixelStream(const std::string& item);

/// Schedules programs, and synthesises the first circuit of each in one run.
class AsBuiltChecks {
public:
    /// At most so many LUTs by estimate are synthesised.
    explicit AsBuiltChecks(double mostLuts = 5000) : mostLuts_(mostLuts) {}

    void add(const ir::StreamProgram& program, spacetime::Throughput throughput);
    /// Block RAMs and DSP blocks are equal. Writes a row for each to `table`, if it is not null.
    void expectBlocks(std::ostream* table = nullptr) const;

private:
    struct Added {
        std::string name;
        spacetime::StreamDesign design;
    };

    double mostLuts_;
    std::vector<Added> added_;
    std::vector<hdl::Netlist> netlists_;
};

} // namespace marquetry::test
