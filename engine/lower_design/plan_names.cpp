#include "engine/lower_design/plan_names.h"

namespace marquetry::hdl {

namespace {

constexpr const char* kTopPorts[] = {"aclk", "aresetn", "start", "done", "busy", "cycles", "error"};

/// What the ports of the streams are called.
void takePorts(const RtlPlan& plan, NameTable& names) {
    for (const char* port : kTopPorts)
        names.take(port);
    for (const char* end : {"tdata", "tvalid", "tlast", "tready"}) {
        for (const StreamPlan& load : plan.loads)
            names.take("s_axis_" + load.name + "_" + end);
        for (const StreamPlan& store : plan.stores)
            names.take("m_axis_" + store.name + "_" + end);
    }
}

} // namespace

void namePlan(const design::Schedule& schedule, RtlPlan& plan) {
    NameTable slots;
    for (std::size_t s = 0; s < plan.slots.size(); ++s)
        if (plan.slots[s].used)
            plan.slots[s].name = slots.unique("slot_" + identifier(schedule.slots[s].name));
    NameTable units;
    for (std::size_t u = 0; u < plan.units.size(); ++u)
        plan.units[u].name = units.unique("unit_" + identifier(schedule.units[u].name));
    NameTable ports;
    for (auto* streams : {&plan.loads, &plan.stores})
        for (StreamPlan& p : *streams)
            p.name = ports.part(p.port);
    NameTable modules;
    takePorts(plan, modules);
    plan.name = modules.uniqueModule(schedule.name, {"_top", "_tb"});
    for (UnitPlan& unit : plan.units)
        unit.module = plan.name + "_" + unit.name;
    for (StreamPlan& load : plan.loads)
        load.module = plan.name + "_load_" + load.name;
    for (StreamPlan& store : plan.stores)
        store.module = plan.name + "_store_" + store.name;
}

} // namespace marquetry::hdl
