#include "engine/lower_design/design_ports.h"

namespace marquetry::hdl {

DesignPorts declarePorts(rtl::Module& top, const RtlPlan& plan) {
    DesignPorts ports;
    ports.clock = top.input("aclk");
    ports.reset = top.input("aresetn");
    ports.start = top.input("start");
    ports.done = top.output("done");
    ports.busy = top.output("busy");
    ports.cycles = top.output("cycles", rtl::bits(64));
    ports.error = top.outputRegister("error");
    for (const StreamPlan& load : plan.loads)
        ports.loads.push_back(rtl::axisInput(top, "s_axis_" + load.name, 64));
    for (const StreamPlan& store : plan.stores)
        ports.stores.push_back(rtl::axisOutput(top, "m_axis_" + store.name, 64));
    if (plan.memory)
        ports.memory = {rtl::axiReadMaster(top, "m_axi", plan.memory->beatBits),
                        top.input("weights_base", rtl::bits(64)), top.input("reload_weights"),
                        top.output("stalls", rtl::bits(64))};
    if (plan.memory && plan.memory->writes) {
        ports.memory->write = rtl::axiWriteMaster(top, "m_axi", plan.memory->beatBits);
        ports.memory->stallsLoads = top.output("stalls_loads", rtl::bits(64));
        ports.memory->stallsStores = top.output("stalls_stores", rtl::bits(64));
    }
    ports.bench = top.beside(plan.name + "_tb");
    return ports;
}

DesignNames namesOf(const rtl::Names& names, const DesignPorts& ports) {
    DesignNames result{rtl::topNames(names, ports), {}, {}, {}, {}, {}, {}, {}};
    result.start = nameOf(names, ports.start);
    result.done = nameOf(names, ports.done);
    result.busy = nameOf(names, ports.busy);
    result.cycles = nameOf(names, ports.cycles);
    for (const rtl::AxisPorts& load : ports.loads)
        result.loads.push_back(rtl::namesOf(names, load));
    for (const rtl::AxisPorts& store : ports.stores)
        result.stores.push_back(rtl::namesOf(names, store));
    if (ports.memory)
        result.memory = {rtl::namesOf(names, ports.memory->axi), nameOf(names, ports.memory->base),
                         nameOf(names, ports.memory->reload), nameOf(names, ports.memory->stalls)};
    if (ports.memory && ports.memory->write) {
        result.memory->write = rtl::namesOf(names, *ports.memory->write);
        result.memory->stallsLoads = nameOf(names, ports.memory->stallsLoads);
        result.memory->stallsStores = nameOf(names, ports.memory->stallsStores);
    }
    return result;
}

DesignNames designNames(const RtlPlan& plan) {
    rtl::Module top(plan.name + "_top");
    const DesignPorts ports = declarePorts(top, plan);
    return namesOf(rtl::Names(finished(std::move(top))), ports);
}

} // namespace marquetry::hdl
