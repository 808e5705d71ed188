// An export beside what Verilator and Yosys make of it.
//
// Cells of the 7 series: DSP48E1, RAMB36E1 (a RAMB18E1 is a half), LUTs with those of LUT RAM and
// shift registers but no inverters, which are part of other LUTs; flip-flops; the longest path
// through cells without wires. Errors: export-failed, not-verified (a word is wrong), yosys-failed,
// not-synthesised (latches, or Yosys warns of widths). Each program is a process of its own. Thread
// rule: any thread, with a folder of its own.
#pragma once

#include "engine/device/resources.h"
#include "engine/support/result.h"

#include <string>
#include <vector>

namespace marquetry::test {

struct DesignFigures {
    double cycles = 0;
    device::Resources area;
};

struct DesignCommand {
    std::string program;                   ///< the command line, an absolute path
    std::string file;                      ///< an absolute path
    std::vector<std::string> options = {}; ///< of `export`
};

struct SynthesisedDesign {
    DesignFigures predicted;
    DesignFigures made; ///< cycles in simulation
    double pathPs = 0;
};

/// The whole way, in `folder`, which is empty.
Result<SynthesisedDesign> synthesiseDesign(const DesignCommand& command, const std::string& folder);

/// What an exploration with the options of the export predicts.
Result<DesignFigures> predictedFigures(const DesignCommand& command);

/// The cells that `stat` lists.
device::Resources countedCells(const std::string& stat);

} // namespace marquetry::test
