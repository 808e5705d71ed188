#include "engine/lower_design/part_wires.h"

namespace marquetry::hdl {

SequencerWires outputsOf(rtl::Module& m, const rtl::Module& module, const std::string& prefix,
                         const SequencerWires& others) {
    SequencerWires wires;
    for (const rtl::NetPtr& port : module.ports())
        if (port->kind != rtl::Net::Kind::Input && !others.contains(port->wanted))
            wires[port->wanted] = m.wire(prefix + port->wanted, rtl::bits(port->type.width));
    return wires;
}

rtl::Module::Connections wired(const rtl::Module& module,
                               std::initializer_list<const SequencerWires*> sources) {
    rtl::Module::Connections ports;
    for (const rtl::NetPtr& port : module.ports())
        for (const SequencerWires* source : sources)
            if (const auto found = source->find(port->wanted); found != source->end()) {
                ports.emplace_back(port->wanted, found->second);
                break;
            }
    return ports;
}

} // namespace marquetry::hdl
