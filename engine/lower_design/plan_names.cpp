#include "engine/lower_design/plan_names.h"

#include "engine/rtl/names.h"

namespace marquetry::hdl {

void namePlan(const design::Schedule& schedule, RtlPlan& plan) {
    NameTable slots;
    for (std::size_t s = 0; s < plan.slots.size(); ++s)
        if (plan.slots[s].used)
            plan.slots[s].name = slots.part("slot_" + identifier(schedule.slots[s].name));
    NameTable units;
    for (std::size_t u = 0; u < plan.units.size(); ++u)
        plan.units[u].name = units.part("unit_" + identifier(schedule.units[u].name));
    NameTable ports;
    for (auto* streams : {&plan.loads, &plan.stores})
        for (StreamPlan& p : *streams)
            p.name = ports.part(p.port);
    NameTable externals;
    for (auto* streams : {&plan.externalLoads, &plan.externalStores})
        for (StreamPlan& p : *streams) {
            p.name = externals.part("memory_" + p.port);
            const char* what = streams == &plan.externalLoads ? "_load_" : "_store_";
            p.module = identifier(schedule.name) + what + p.name;
        }
    NameTable moves;
    for (MovePlan& move : plan.moves)
        move.name = moves.part(move.layer);
    for (RowPlan& rows : plan.rows)
        rows.name = moves.part(rows.layer);
    plan.name = identifier(schedule.name);
    for (UnitPlan& unit : plan.units)
        unit.module = plan.name + "_" + unit.name;
    for (MovePlan& move : plan.moves)
        move.module = plan.name + "_move_" + move.name;
    for (RowPlan& rows : plan.rows)
        rows.module = plan.name + "_rows_" + rows.name;
    for (StreamPlan& load : plan.loads)
        load.module = plan.name + "_load_" + load.name;
    for (StreamPlan& store : plan.stores)
        store.module = plan.name + "_store_" + store.name;
}

} // namespace marquetry::hdl
