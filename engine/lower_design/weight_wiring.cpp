#include "engine/lower_design/weight_wiring.h"

#include "engine/lower_design/weight_modules.h"

namespace marquetry::hdl {

using rtl::bits;

WeightWiring::WeightWiring(rtl::Module& m, const RtlPlan& plan, const DesignParts& parts,
                           const DesignPorts& ports, SequencerWires& common)
    : m_(m), plan_(plan), parts_(parts), ports_(ports) {
    for (const char* name : {"go", "runs", "ran", "waits", "begin_read", "resident", "idle",
                             "loaded", "beat_valid", "beat_taken", "bad"})
        wires_[name] = m.wire(std::string("weights_") + name, bits(1));
    ready_ = m.wire("weights_ready", bits(1));
    bad_ = wires_.at("bad");
    m.assign(ports.busy, wires_.at("runs") | wires_.at("waits"));
    m.assign(ports.done, wires_.at("ran") & ~wires_.at("waits"));
    wires_["aclk"] = ports.clock;
    wires_["aresetn"] = ports.reset;
    wires_["start"] = ports.start;
    wires_["reload_weights"] = ports.memory->reload;
    wires_["weights_base"] = ports.memory->base;
    common["start"] = wires_.at("go");
    common["busy"] = wires_.at("runs");
    common["done"] = wires_.at("ran");
    common["stalls"] = ports.memory->stalls;
}

SequencerWires WeightWiring::ofAxi() const {
    const rtl::AxiReadPorts& p = ports_.memory->axi;
    return {{"m_axi_araddr", p.araddr},   {"m_axi_arlen", p.arlen},     {"m_axi_arsize", p.arsize},
            {"m_axi_arburst", p.arburst}, {"m_axi_arcache", p.arcache}, {"m_axi_arprot", p.arprot},
            {"m_axi_arvalid", p.arvalid}, {"m_axi_arready", p.arready}, {"m_axi_rdata", p.rdata},
            {"m_axi_rresp", p.rresp},     {"m_axi_rlast", p.rlast},     {"m_axi_rvalid", p.rvalid},
            {"m_axi_rready", p.rready}};
}

void WeightWiring::instances(const Expr& unit) {
    wires_["beat"] = m_.wire("weights_beat", bits(plan_.memory->beatBits));
    std::vector<Expr> ready;
    for (std::size_t u = 0; u < plan_.units.size(); ++u) {
        const UnitPlan& plan = plan_.units[u];
        if (!plan.loaded || plan.loaded->ringWords == 0)
            continue;
        const auto declare = [&](const char* what, int width) {
            const std::string name = loaderPort(plan, what);
            return wires_[name] = m_.wire(name, bits(width));
        };
        declare("space", 1);
        declare("place", plan.weightAddressBits);
        ready.push_back((unit == static_cast<std::int64_t>(u)) & declare("ready", 1));
    }
    m_.assign(ready_, eitherOf(ready));
    wires_.merge(outputsOf(m_, *parts_.weightLoader, "load_", wires_));
    const SequencerWires axi = ofAxi();
    m_.instance(parts_.weightControl, "weight_control", wired(*parts_.weightControl, {&wires_}));
    m_.instance(parts_.weightReader, "weight_reader", wired(*parts_.weightReader, {&wires_, &axi}));
    m_.instance(parts_.weightLoader, "weight_loader", wired(*parts_.weightLoader, {&wires_}));
}

void WeightWiring::connect(std::size_t index, const UnitControl& control, SequencerWires& wires) {
    const UnitPlan& unit = plan_.units[index];
    const LoadedWeights& loaded = *unit.loaded;
    wires["load_we"] = wires_.at(loaderPort(unit, "we"));
    wires["load_address"] = wires_.at("address").slice(0, unit.weightAddressBits);
    const std::int64_t wordBits = unit.multipliers(plan_.lanes) * unit.weightBits;
    wires["load_data"] =
        wires_.at("data").slice(0, std::min(wordBits, loaded.together * loaded.beatBits));
    if (loaded.ringWords == 0)
        return;
    wires["ring_clear"] = wires_.at("begin_read");
    for (const char* name : {"external", "first_pass", "last_pass"})
        wires[name] = control.leader(name);
    wires["ring_taken"] = wires_.at(loaderPort(unit, "taken"));
    wires["ring_ready"] = wires_.at(loaderPort(unit, "ready"));
    wires["ring_space"] = wires_.at(loaderPort(unit, "space"));
    wires["ring_place"] = wires_.at(loaderPort(unit, "place"));
}

} // namespace marquetry::hdl
