#include "engine/lower_stream/stream_hardware.h"

#include "engine/rtl/names.h"
#include "engine/rtl/printed.h"

namespace marquetry::hdl {

using spacetime::SeqType;

namespace {

StreamPort portOf(const std::string& name, const SeqType& type, NameTable& names) {
    StreamPort port{names.part(name), type, lanes(type), ir::leaves(atomOf(type))};
    port.beats = validClocks(type);
    return port;
}

std::vector<std::string> kernelComment(const ir::StreamProgram& program,
                                       const StreamInterface& interface,
                                       const datapath::TimedDatapath& timed,
                                       const StreamKernel& kernel) {
    std::vector<std::string> lines = {
        cat("Kernel of the stream \"", program.name, "\": ", timed.datapath.cells.size(),
            " words, ", interface.clocks, " clocks a frame."),
    };
    for (const StreamPort& input : interface.inputs)
        lines.push_back(cat("Input ", input.name, " : ", toString(input.type)));
    lines.push_back(cat("Output ", interface.output.name, " : ", toString(interface.output.type)));
    lines.push_back(cat("Cycles: ", interface.predictedCycles(),
                        " from the first beat to the last result, latency ", interface.latency,
                        " steps of ", interface.unit, " clocks."));
    lines.push_back(cat("Resources: ", kernel.registerBits, " register bits beside control, ",
                        kernel.memoryBits, " bits in line buffers; longest path ",
                        static_cast<std::int64_t>(timed.pathDelay), " ps (estimated, no wires)."));
    return lines;
}

} // namespace

StreamModules streamModules(const ir::StreamProgram& program,
                            const datapath::TimedDatapath& timed) {
    StreamModules hardware;
    StreamInterface& interface = hardware.interface;
    interface.unit = timed.datapath.unit;
    interface.latency = timed.latency;
    interface.clocks = clocks(timed.datapath.output.type);
    interface.name = identifier(program.name);
    NameTable ports;
    std::vector<std::string> inputs;
    for (std::size_t k = 0; k < timed.datapath.inputs.size(); ++k) {
        const auto& node = program.graph.node(program.graph.inputs[k]);
        interface.inputs.push_back(portOf(node.name, timed.datapath.inputs[k].type, ports));
        inputs.push_back("in_" + interface.inputs.back().name);
    }
    interface.output = portOf(program.graph.outputs[0].name, timed.datapath.output.type, ports);
    rtl::ModuleLibrary library(interface.name);
    StreamKernel kernel = kernelModule(library, timed, interface.name + "_kernel", inputs,
                                       "out_" + interface.output.name);
    for (std::string& line : kernelComment(program, interface, timed, kernel))
        kernel.module.comment(std::move(line));
    hardware.registerBits = kernel.registerBits;
    hardware.memoryBits = kernel.memoryBits;
    hardware.parts = kernel.parts;
    hardware.pathDelay = timed.pathDelay;
    hardware.complete = timed.complete;
    const rtl::ModulePtr module = finished(std::move(kernel.module));
    hardware.top = streamTop(interface, kernel, module);
    return hardware;
}

StreamHardware makeStreamHardware(const ir::StreamProgram& program,
                                  const datapath::TimedDatapath& timed, rtl::Vendor vendor) {
    StreamHardware hardware{streamModules(program, timed), {}, {}};
    const rtl::Names names(hardware.top.module);
    hardware.netlist = printed(names, vendor);
    hardware.names = namesOf(names, hardware.top.ports);
    return hardware;
}

} // namespace marquetry::hdl
