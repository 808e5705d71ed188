#include "engine/hdl/verilog_writer.h"

namespace marquetry::hdl {

namespace {

const char* keyword(Direction direction) {
    switch (direction) {
    case Direction::Input:
        return "input  wire ";
    case Direction::Output:
        return "output wire ";
    case Direction::OutputReg:
        return "output reg  ";
    }
    return "";
}

} // namespace

std::string writeVerilog(const Module& module) {
    if (!module.verilog.empty())
        return module.verilog;
    std::string text;
    for (const std::string& line : module.comment)
        text += line.empty() ? "//\n" : cat("// ", commentLine(line), "\n");
    text += cat("module ", module.name);
    for (std::size_t i = 0; i < module.parameters.size(); ++i)
        text += cat(i == 0 ? " #(\n" : ",\n", "    parameter ", module.parameters[i]);
    text += module.parameters.empty() ? " (\n" : "\n) (\n";
    for (std::size_t i = 0; i < module.ports.size(); ++i) {
        const Port& port = module.ports[i];
        text += cat("    ", keyword(port.direction), range(port.width), port.name,
                    i + 1 < module.ports.size() ? ",\n" : "\n");
    }
    if (!module.ports.empty())
        text += ");\n";
    return text + module.body + "endmodule\n";
}

} // namespace marquetry::hdl
