#include "engine/lower_stream/stream_ports.h"

namespace marquetry::hdl {

StreamPorts declarePorts(rtl::Module& top, const StreamInterface& interface) {
    StreamPorts ports;
    ports.clock = top.input("aclk");
    ports.reset = top.input("aresetn");
    for (const StreamPort& input : interface.inputs)
        ports.inputs.push_back(rtl::axisInput(top, "s_axis_" + input.name, input.tdataBits()));
    const StreamPort& output = interface.output;
    ports.output = rtl::axisOutput(top, "m_axis_" + output.name, output.tdataBits());
    ports.error = top.outputRegister("error");
    ports.bench = top.beside(interface.name + "_tb");
    return ports;
}

StreamNames namesOf(const rtl::Names& names, const StreamPorts& ports) {
    StreamNames result{rtl::topNames(names, ports), {}, {}};
    for (const rtl::AxisPorts& input : ports.inputs)
        result.inputs.push_back(rtl::namesOf(names, input));
    result.output = rtl::namesOf(names, ports.output);
    return result;
}

StreamNames streamNames(const StreamInterface& interface) {
    rtl::Module top(interface.name + "_top");
    const StreamPorts ports = declarePorts(top, interface);
    return namesOf(rtl::Names(finished(std::move(top))), ports);
}

} // namespace marquetry::hdl
