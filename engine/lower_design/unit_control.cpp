#include "engine/lower_design/unit_control.h"

namespace marquetry::hdl {

bool UnitControl::both(std::size_t unit) const {
    return plan_.units[unit].leads && plan_.units[unit].follower;
}

Expr UnitControl::isUnit(std::size_t unit, Sequencer sequencer) const {
    const SequencerWires& wires = sequencer ? followers_[*sequencer] : leader_;
    return wires.at("unit") == static_cast<std::int64_t>(unit);
}

Expr UnitControl::isSlot(const Expr& selector, std::size_t slot) {
    return selector == static_cast<std::int64_t>(slot);
}

void UnitControl::declare(rtl::Module& m, std::size_t unit) {
    if (!both(unit))
        return;
    const UnitPlan& u = plan_.units[unit];
    const std::size_t k = *u.follower;
    follows_[unit] = m.wire(u.name + "_follows", follower(k, "active") & isUnit(unit, k));
    const auto see = [&](const std::string& signal) {
        seen_[unit][signal] = m.wire(cat(u.name, "_sees_", signal),
                                     choose(follows_[unit], follower(k, signal), leader(signal)));
    };
    see("out_slot");
    see("out_address");
    if (plan_.trims)
        see("out_beyond");
    if (plan_.choosesInput && u.inSlots.size() > 1)
        see("in_slot");
    if (!u.pass || u.lanewise()) {
        for (const char* signal : {"first", "last"})
            if (leader_.contains(signal))
                see(signal);
        if (!u.pass && leader_.contains("weight_address"))
            see("weight_address");
        if (plan_.pads)
            see("outside");
    }
    if (planEpilogue(u).pools && !u.stream) {
        see("pool_first");
        see("pool_last");
    }
    if (u.adds)
        see("addend_address");
    if (u.writeBack && u.writeBack->words > 0)
        see("scale_address");
    for (const ModePort& mode : controlModes(u))
        see(cat(u.name, "_", mode.name));
    if (u.addends.size() > 1)
        see(u.name + "_addend_source");
}

Expr UnitControl::of(std::size_t unit, const std::string& signal) const {
    if (both(unit))
        return seen_[unit].at(signal);
    const auto k = plan_.units[unit].follower;
    return k ? follower(*k, signal) : leader(signal);
}

Expr UnitControl::issue(std::size_t unit) const {
    const UnitPlan& u = plan_.units[unit];
    Expr issues = rtl::constant(0, 1);
    if (u.leads || !u.follower)
        issues = leader("issue") & isUnit(unit, {});
    if (u.follower)
        issues = issues | (follower(*u.follower, "issue") & isUnit(unit, u.follower));
    return issues;
}

Expr UnitControl::writes(std::size_t unit, std::size_t slot) const {
    if (plan_.followers() == 0 && !plan_.ordered())
        return isUnit(unit, {});
    const UnitPlan& u = plan_.units[unit];
    Expr named = rtl::constant(0, 1);
    if (u.leads)
        named = (plan_.ordered() ? leader("computes") : rtl::constant(1, 1)) & isUnit(unit, {});
    if (both(unit))
        named = follows_[unit] | named;
    else if (!u.leads)
        named = follower(*u.follower, "active") & isUnit(unit, u.follower);
    return named & isSlot(of(unit, "out_slot"), slot);
}

Expr UnitControl::resultValid(const std::vector<Expr>& valid, Sequencer sequencer) const {
    std::vector<Expr> results;
    for (std::size_t u = 0; u < plan_.units.size(); ++u) {
        const UnitPlan& unit = plan_.units[u];
        if (unit.layers.empty() || !(sequencer ? unit.follower == sequencer : unit.leads))
            continue;
        results.push_back(!both(u)    ? valid[u]
                          : sequencer ? valid[u] & follows_[u]
                                      : valid[u] & ~follows_[u]);
    }
    return eitherOf(results);
}

} // namespace marquetry::hdl
