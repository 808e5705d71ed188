// The longest path that Yosys' static timing analysis finds in an export's sources: cells of the
// 7 series without wires, in ps.
#pragma once

#include "engine/support/process.h"
#include "tests/support/text_files.h"

#include <optional>
#include <regex>
#include <string>

namespace marquetry::test {

/// Of `top` among the sources in a folder; nothing when Yosys fails.
inline std::optional<double> analysedPath(const std::string& folder, const std::string& top) {
    const auto run = runProcess(
        {{"yosys", "-q", "-p",
          "read_verilog *.v; synth_xilinx -family xc7 -flatten -noiopad -noclkbuf -top " + top +
              "; read_verilog -lib -specify +/xilinx/cells_sim.v; tee -q -o sta.txt sta"},
         folder});
    if (!run || run->exitCode != 0)
        return std::nullopt;
    const auto text = readText(folder + "/sta.txt");
    std::smatch match;
    if (!text ||
        !std::regex_search(*text, match, std::regex(R"(Latest arrival time in '\w+' is (\d+))")))
        return std::nullopt;
    return std::stod(match[1]);
}

} // namespace marquetry::test
