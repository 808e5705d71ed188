#include "engine/rtl/axis_ports.h"

#include "engine/support/assert.h"

namespace marquetry::rtl {

namespace {

using Declare = Expr (Module::*)(const std::string&, SignalType);

AxisPorts declare(Module& m, const std::string& prefix, int tdataBits, Declare ahead,
                  Declare back) {
    const auto name = [&](const char* wire) { return prefix.empty() ? wire : prefix + "_" + wire; };
    AxisPorts ports;
    ports.tdata = (m.*ahead)(name("tdata"), bits(tdataBits));
    ports.tvalid = (m.*ahead)(name("tvalid"), {});
    ports.tlast = (m.*ahead)(name("tlast"), {});
    ports.tready = (m.*back)(name("tready"), {});
    return ports;
}

} // namespace

AxisPorts axisInput(Module& module, const std::string& prefix, int tdataBits) {
    return declare(module, prefix, tdataBits, &Module::input, &Module::output);
}

AxisPorts axisOutput(Module& module, const std::string& prefix, int tdataBits) {
    return declare(module, prefix, tdataBits, &Module::output, &Module::input);
}

AxisPorts axisOutputRegisters(Module& module, const std::string& prefix, int tdataBits) {
    return declare(module, prefix, tdataBits, &Module::outputRegister, &Module::input);
}

const std::string& nameOf(const Names& names, const Expr& net) {
    ENGINE_ASSERT(net.node().op == ExprOp::Net, "a port is a net");
    return names.of(*net.node().net);
}

AxisNames namesOf(const Names& names, const AxisPorts& ports) {
    return {nameOf(names, ports.tdata), nameOf(names, ports.tvalid), nameOf(names, ports.tlast),
            nameOf(names, ports.tready)};
}

TopNames topNames(const Names& names, const TopPorts& ports) {
    return {names.of(*names.modules().back()), names.of(*ports.bench), nameOf(names, ports.clock),
            nameOf(names, ports.reset), nameOf(names, ports.error)};
}

} // namespace marquetry::rtl
