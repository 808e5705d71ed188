#include "engine/hdl/plan_names.h"

namespace marquetry::hdl {

namespace {

/// Of the signals of a slot at the top, and its instance.
const NameEndings kSlotEndings = {"", "_q", "_raddr", "_we", "_waddr", "_wdata"};

/// Of the modules of a unit.
const NameEndings kUnitModules = {"", "_weights", "_row", "_epilogue", "_kernel"};

/// Of the modules of a unit, its signals at the top and in the sequencers.
NameEndings unitEndings() {
    NameEndings endings = kUnitModules;
    for (const char* signal :
         {"valid", "result", "operand", "follows", "addend_word", "addend_read_address",
          "addend_source", "adds", "pool_sum", "requant_before", "activation_before",
          "requant_after", "activation_after"})
        endings.push_back(std::string("_") + signal);
    for (const char* seen : {"out_slot", "out_address", "in_slot", "first", "last", "outside",
                             "weight_address", "pool_first", "pool_last", "addend_address"})
        endings.push_back(std::string("_sees_") + seen);
    return endings;
}

/// Of all modules of the design, behind the design's name.
NameEndings moduleEndings(const RtlPlan& plan) {
    NameEndings endings = {"_top",      "_tb",           "_sequencer",
                           "_follower", "_block_memory", "_lut_memory"};
    for (const SlotPlan& slot : plan.slots)
        if (slot.used)
            endings.push_back("_" + slot.name);
    for (const UnitPlan& unit : plan.units)
        for (const std::string& ending : kUnitModules)
            endings.push_back("_" + unit.name + ending);
    for (const StreamPlan& load : plan.loads)
        endings.push_back("_load_" + load.name);
    for (const StreamPlan& store : plan.stores)
        endings.push_back("_store_" + store.name);
    return endings;
}

} // namespace

void takeStreamSignals(const RtlPlan& plan, NameTable& names) {
    for (const StreamPlan& load : plan.loads)
        for (const char* wire : {"active", "advance", "finished", "bad", "we", "waddr", "wdata"})
            names.take("load_" + load.name + "_" + wire);
    for (const StreamPlan& store : plan.stores)
        for (const char* wire : {"active", "advance", "finished", "raddr"})
            names.take("store_" + store.name + "_" + wire);
}

void namePlan(const design::Schedule& schedule, RtlPlan& plan) {
    NameTable names;
    for (std::size_t s = 0; s < plan.slots.size(); ++s)
        if (plan.slots[s].used)
            plan.slots[s].name =
                names.unique("slot_" + identifier(schedule.slots[s].name), kSlotEndings);
    const NameEndings ofUnits = unitEndings();
    for (std::size_t u = 0; u < plan.units.size(); ++u)
        plan.units[u].name = names.unique("unit_" + identifier(schedule.units[u].name), ofUnits);
    NameTable ports;
    for (auto* streams : {&plan.loads, &plan.stores})
        for (StreamPlan& p : *streams)
            p.name = ports.part(p.port);
    takeStreamSignals(plan, names);
    plan.name = names.uniqueModule(schedule.name, moduleEndings(plan));
    for (SlotPlan& slot : plan.slots)
        if (slot.used)
            slot.module = plan.name + "_" + slot.name;
    for (UnitPlan& unit : plan.units)
        unit.module = plan.name + "_" + unit.name;
    for (StreamPlan& load : plan.loads)
        load.module = plan.name + "_load_" + load.name;
    for (StreamPlan& store : plan.stores)
        store.module = plan.name + "_store_" + store.name;
}

} // namespace marquetry::hdl
