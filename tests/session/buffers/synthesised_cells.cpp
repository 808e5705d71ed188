#include "tests/session/buffers/synthesised_cells.h"

#include "engine/support/process.h"

#include <gtest/gtest.h>

#include <regex>

namespace marquetry::session {

device::Resources synthesisedCells(const std::string& folder, const std::string& read) {
    const auto ran = runProcess(
        {{"yosys", "-p", read + "; synth_xilinx -family xc7 -flatten -noiopad -noclkbuf; stat"},
         folder});
    EXPECT_TRUE(ran && ran->exitCode == 0) << (ran ? ran->output : "");
    if (!ran || ran->exitCode != 0)
        return {};
    const std::string stat = ran->output.substr(ran->output.rfind("Number of cells"));
    device::Resources cells;
    static const std::regex line(R"(\n\s+([A-Z]\w+)\s+(\d+))");
    for (std::sregex_iterator it(stat.begin(), stat.end(), line), end; it != end; ++it) {
        const std::string cell = (*it)[1];
        const double number = std::stod((*it)[2]);
        cells.dsp += cell == "DSP48E1" ? number : 0;
        cells.bram += cell == "RAMB36E1" ? number : cell == "RAMB18E1" ? number / 2 : 0;
        cells.lut += cell.starts_with("RAM32M") || cell.starts_with("RAM64M") ? 4 * number
                     : cell.starts_with("LUT") || cell == "INV"               ? number
                                                                              : 0;
        cells.ff += cell.starts_with("FD") ? number : 0;
    }
    return cells;
}

} // namespace marquetry::session
