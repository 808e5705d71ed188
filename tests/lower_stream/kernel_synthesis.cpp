#include "tests/lower_stream/kernel_synthesis.h"

#include <map>
#include <regex>

namespace marquetry::test {

double lutsOf(const std::string& cell) {
    static const std::map<std::string, double> kStores = {
        {"SRL16E", 1},    {"SRLC16E", 1},   {"SRLC32E", 1},  {"RAM32X1S", 1},
        {"RAM32X1D", 2},  {"RAM64X1S", 1},  {"RAM64X1D", 2}, {"RAM128X1S", 2},
        {"RAM128X1D", 4}, {"RAM256X1S", 4}, {"RAM32M", 4},   {"RAM64M", 4}};
    if (std::regex_match(cell, std::regex("LUT[1-6]")))
        return 1;
    const auto found = kStores.find(cell);
    return found == kStores.end() ? 0 : found->second;
}

void countCell(const std::string& line, device::Resources& area) {
    static const std::regex kCell(R"(^\s+([A-Z0-9]+)\s+(\d+)\s*$)");
    std::smatch match;
    if (!std::regex_match(line, match, kCell))
        return;
    const std::string name = match[1];
    const double count = std::stod(match[2]);
    area.lut += lutsOf(name) * count;
    area.ff += name.starts_with("FD") ? count : 0;
    area.bram += name == "RAMB36E1" ? count : name == "RAMB18E1" ? count / 2 : 0;
    area.dsp += name == "DSP48E1" ? count : 0;
}

std::optional<std::vector<device::Resources>> synthesise(const std::vector<hdl::Netlist>& netlists,
                                                         const std::string& folder) {
    std::vector<Circuit> circuits;
    for (const hdl::Netlist& netlist : netlists)
        circuits.push_back({netlist.top, netlist.modules});
    return synthesise(circuits, folder, countCell);
}

} // namespace marquetry::test
