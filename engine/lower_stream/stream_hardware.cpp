#include "engine/lower_stream/stream_hardware.h"

#include "engine/rtl/names.h"
#include "engine/rtl/printed.h"
#include "engine/support/assert.h"

namespace marquetry::hdl {

using spacetime::SeqType;

namespace {

StreamPort portOf(const std::string& name, const SeqType& type, NameTable& names) {
    StreamPort port{names.part(name), type, lanes(type), ir::leaves(atomOf(type))};
    port.beats = validClocks(type);
    return port;
}

/// Of the item: what benches and folders call the top and the bench, which have the name of no
/// port.
std::string nameOf(const ir::StreamProgram& program, NameTable kernelNames) {
    return kernelNames.uniqueModule(program.name, {"_top", "_tb"});
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

int StreamPort::tdataBits() const {
    int bits = 0;
    for (const ir::Scalar scalar : leaves)
        bits += 8 * ir::info(scalar).bytes;
    return bits * static_cast<int>(lanes);
}

int StreamPort::wordBits() const {
    int bits = 0;
    for (const ir::Scalar scalar : leaves)
        bits += ir::info(scalar).bits;
    return bits * static_cast<int>(lanes);
}

std::int64_t StreamInterface::predictedCycles() const {
    return unit * latency + lastValidClock(output.type) + 2;
}

std::int64_t lastValidClock(const SeqType& type) {
    if (type.is(SeqType::Kind::Atom))
        return 0;
    const std::int64_t before =
        type.is(SeqType::Kind::TSeq) ? (type.length - 1) * clocks(type.element()) : 0;
    return before + lastValidClock(type.element());
}

StreamHardware makeStreamHardware(const ir::StreamProgram& program,
                                  const datapath::TimedDatapath& timed) {
    StreamHardware hardware;
    StreamInterface& interface = hardware.interface;
    interface.unit = timed.datapath.unit;
    interface.latency = timed.latency;
    interface.clocks = clocks(timed.datapath.output.type);
    NameTable names;
    for (const char* taken : {"aclk", "aresetn", "error"})
        names.take(taken);
    NameTable kernelNames;
    for (const char* taken : {"in_valid", "out_valid"})
        kernelNames.take(taken);
    std::vector<std::string> inputs;
    for (std::size_t k = 0; k < timed.datapath.inputs.size(); ++k) {
        const auto& node = program.graph.node(program.graph.inputs[k]);
        interface.inputs.push_back(portOf(node.name, timed.datapath.inputs[k].type, names));
        inputs.push_back(kernelNames.unique("in_" + interface.inputs.back().name));
    }
    interface.output = portOf(program.graph.outputs[0].name, timed.datapath.output.type, names);
    const std::string output = kernelNames.unique("out_" + interface.output.name);
    interface.name = nameOf(program, kernelNames);
    StreamKernel kernel = kernelModule(timed, interface.name + "_kernel", inputs, output);
    for (std::string& line : kernelComment(program, interface, timed, kernel))
        kernel.module.comment(std::move(line));
    hardware.registerBits = kernel.registerBits;
    hardware.memoryBits = kernel.memoryBits;
    hardware.pathDelay = timed.pathDelay;
    hardware.complete = timed.complete;
    const rtl::ModulePtr module = finished(std::move(kernel.module));
    hardware.netlist = printed(streamTop(interface, kernel, module), rtl::Vendor::Xilinx);
    ENGINE_ASSERT(hardware.netlist.top == interface.top(), "the top has the name it was given");
    return hardware;
}

} // namespace marquetry::hdl
