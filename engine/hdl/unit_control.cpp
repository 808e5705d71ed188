#include "engine/hdl/unit_control.h"

namespace marquetry::hdl {

bool UnitControl::both(std::size_t unit) const {
    return plan_.units[unit].leads && plan_.units[unit].follows;
}

std::string UnitControl::follows(std::size_t unit) const {
    return plan_.units[unit].name + "_follows";
}

std::string UnitControl::isUnit(std::size_t unit, bool follower) const {
    const char* selector = follower ? "f_unit" : "unit";
    return cat("(", selector, " == ", literal(plan_.unitBits, static_cast<std::int64_t>(unit)),
               ")");
}

std::string UnitControl::isSlot(const std::string& selector, std::size_t slot) const {
    return cat("(", selector, " == ", literal(plan_.slotBits, static_cast<std::int64_t>(slot)),
               ")");
}

void UnitControl::declare(Body& body, std::size_t unit) const {
    if (!both(unit))
        return;
    const UnitPlan& u = plan_.units[unit];
    body.line("wire ", follows(unit), " = f_active & ", isUnit(unit, true), ";");
    const auto choose = [&](int width, const std::string& signal) {
        body.line("wire ", range(width), of(unit, signal), " = ", follows(unit), " ? f_", signal,
                  " : ", signal, ";");
    };
    choose(plan_.slotBits, "out_slot");
    choose(plan_.outBits, "out_address");
    if (plan_.choosesInput && u.inSlots.size() > 1)
        choose(plan_.slotBits, "in_slot");
    if (!u.pass) {
        choose(1, "first");
        choose(1, "last");
        choose(plan_.weightBits, "weight_address");
        if (plan_.pads)
            choose(1, "outside");
    }
    if (planEpilogue(u).pools) {
        choose(1, "pool_first");
        choose(1, "pool_last");
    }
    if (u.adds)
        choose(plan_.addendBits, "addend_address");
    for (const ModePort& mode : modePorts(u))
        choose(mode.width, u.name + "_" + mode.name);
    if (u.addends.size() > 1)
        choose(addendSourceBits(u), u.name + "_addend_source");
}

std::string UnitControl::of(std::size_t unit, const std::string& signal) const {
    const UnitPlan& u = plan_.units[unit];
    if (both(unit))
        return u.name + "_sees_" + signal;
    return (u.follows ? "f_" : "") + signal;
}

std::string UnitControl::issue(std::size_t unit) const {
    const UnitPlan& u = plan_.units[unit];
    const std::string leading = cat("issue & ", isUnit(unit, false));
    const std::string following = cat("f_issue & ", isUnit(unit, true));
    if (both(unit))
        return cat("(", leading, ") | (", following, ")");
    return u.follows ? following : leading;
}

std::string UnitControl::writes(std::size_t unit, std::size_t slot) const {
    if (!plan_.joins)
        return isUnit(unit, false);
    const UnitPlan& u = plan_.units[unit];
    const std::string named =
        u.leads ? both(unit) ? cat("(", follows(unit), " | ", isUnit(unit, false), ")")
                             : isUnit(unit, false)
                : cat("(f_active & ", isUnit(unit, true), ")");
    return cat("(", named, " & ", isSlot(of(unit, "out_slot"), slot), ")");
}

std::string UnitControl::resultValid(bool follower) const {
    std::string text;
    for (std::size_t u = 0; u < plan_.units.size(); ++u) {
        const UnitPlan& unit = plan_.units[u];
        if (unit.layers.empty() || !(follower ? unit.follows : unit.leads))
            continue;
        const std::string valid = unit.name + "_valid";
        const std::string mine =
            both(u) ? cat("(", valid, " & ", follower ? "" : "~", follows(u), ")") : valid;
        text += (text.empty() ? "" : " | ") + mine;
    }
    return text;
}

} // namespace marquetry::hdl
