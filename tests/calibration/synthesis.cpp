#include "tests/calibration/synthesis.h"

#include "engine/support/process.h"
#include "tests/support/text_files.h"

#include <filesystem>
#include <map>
#include <sstream>

namespace marquetry::test {

std::optional<std::vector<device::Resources>> synthesise(const std::vector<Circuit>& circuits,
                                                         const std::string& folder,
                                                         const CountCell& count) {
    std::filesystem::create_directories(folder);
    std::string text;
    std::string top = "module all_circuits;\n";
    std::map<std::string, std::size_t> places;
    for (const Circuit& circuit : circuits) {
        for (const hdl::Module& module : circuit.modules)
            text += (module.name == circuit.top ? "(* keep_hierarchy *)\n" : "") + module.verilog;
        top += "    (* keep *) " + circuit.top + " its_" + circuit.top + " ();\n";
        places.emplace(circuit.top, places.size());
    }
    if (!writeText(folder + "/circuits.v", text + top + "endmodule\n"))
        return std::nullopt;
    const auto ran = runProcess(
        {{"yosys", "-q", "-p",
          "read_verilog circuits.v; synth_xilinx -family xc7 -flatten -noiopad -noclkbuf -top "
          "all_circuits; tee -o cells.txt stat"},
         folder});
    if (!ran || ran->exitCode != 0)
        return std::nullopt;
    std::vector<device::Resources> made(circuits.size());
    device::Resources* current = nullptr;
    std::istringstream cells(*readText(folder + "/cells.txt"));
    for (std::string line; std::getline(cells, line);) {
        std::istringstream words(line);
        std::string mark;
        std::string name;
        words >> mark >> name;
        if (mark == "===")
            current = places.contains(name) ? &made[places.at(name)] : nullptr;
        else if (current)
            count(line, *current);
    }
    return made;
}

} // namespace marquetry::test
