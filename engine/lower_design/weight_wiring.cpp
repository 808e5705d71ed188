#include "engine/lower_design/weight_wiring.h"

#include "engine/lower_design/weight_modules.h"

namespace marquetry::hdl {

using rtl::bits;
using rtl::constant;

WeightWiring::WeightWiring(rtl::Module& m, const RtlPlan& plan, const DesignParts& parts,
                           const DesignPorts& ports, SequencerWires& common)
    : m_(m), plan_(plan), parts_(parts), ports_(ports) {
    for (const char* name : {"go", "runs", "ran", "waits", "begin_read", "resident", "idle",
                             "loaded", "beat_valid", "beat_taken", "bad"})
        wires_[name] = m.wire(std::string("weights_") + name, bits(1));
    bad_ = wires_.at("bad");
    if (parts.transfer)
        transfer_ = {{"loaded", m.wire("memory_loaded", bits(kMovedBits))},
                     {"loaded_valid", m.wire("memory_loaded_valid", bits(1))},
                     {"loaded_taken", m.wire("memory_loaded_taken", bits(1))},
                     {"stored", m.wire("memory_stored", bits(kMovedBits))},
                     {"stored_valid", m.wire("memory_stored_valid", bits(1))},
                     {"stored_taken", m.wire("memory_stored_taken", bits(1))},
                     {"bad", m.wire("memory_write_bad", bits(1))}};
    // A run has ended when what it wrote is answered.
    const Expr moved = parts.transfer ? m.wire("memory_moved_all", bits(1)) : constant(1, 1);
    wires_["moved_all"] = moved;
    m.assign(ports.busy, wires_.at("runs") | wires_.at("waits") | ~moved);
    m.assign(ports.done, wires_.at("ran") & ~wires_.at("waits") & moved);
    wires_["aclk"] = ports.clock;
    wires_["aresetn"] = ports.reset;
    wires_["start"] = ports.start;
    wires_["reload_weights"] = ports.memory->reload;
    wires_["weights_base"] = ports.memory->base;
    common["start"] = wires_.at("go");
    common["busy"] = wires_.at("runs");
    common["done"] = wires_.at("ran");
    common["stalls"] = ports.memory->stalls;
    if (ports.memory->write) {
        common["stalls_loads"] = ports.memory->stallsLoads;
        common["stalls_stores"] = ports.memory->stallsStores;
    }
}

SequencerWires WeightWiring::ofAxi() const {
    const rtl::AxiReadPorts& p = ports_.memory->axi;
    return {{"m_axi_araddr", p.araddr},   {"m_axi_arlen", p.arlen},     {"m_axi_arsize", p.arsize},
            {"m_axi_arburst", p.arburst}, {"m_axi_arcache", p.arcache}, {"m_axi_arprot", p.arprot},
            {"m_axi_arvalid", p.arvalid}, {"m_axi_arready", p.arready}, {"m_axi_rdata", p.rdata},
            {"m_axi_rresp", p.rresp},     {"m_axi_rlast", p.rlast},     {"m_axi_rvalid", p.rvalid},
            {"m_axi_rready", p.rready}};
}

/// Where the transfer asks over the same wires, the reader has some of its own.
SequencerWires WeightWiring::ofReader() {
    SequencerWires axi = ofAxi();
    if (!parts_.transfer)
        return axi;
    const rtl::AxiReadPorts& p = ports_.memory->axi;
    axi["m_axi_araddr"] = m_.wire("reader_araddr", p.araddr.type());
    axi["m_axi_arlen"] = m_.wire("reader_arlen", p.arlen.type());
    axi["m_axi_arvalid"] = m_.wire("reader_arvalid", bits(1));
    for (const char* name : {"pauses", "reading", "quiet"})
        wires_[name] = m_.wire(std::string("weights_") + name, bits(1));
    return axi;
}

/// It asks for nothing while the reader does, and the other way round.
void WeightWiring::instanceTransfer(const SequencerWires& machine, const SequencerWires& reader) {
    const rtl::AxiReadPorts& r = ports_.memory->axi;
    const rtl::AxiWritePorts& w = *ports_.memory->write;
    const Expr address = m_.wire("memory_address", r.araddr.type());
    const Expr length = m_.wire("memory_length", r.arlen.type());
    const Expr asks = m_.wire("memory_asks", bits(1));
    m_.assign(r.araddr, choose(asks, address, reader.at("m_axi_araddr")));
    m_.assign(r.arlen, choose(asks, length, reader.at("m_axi_arlen")));
    m_.assign(r.arvalid, asks | reader.at("m_axi_arvalid"));
    m_.assign(w.awaddr, address);
    m_.assign(w.awlen, length);
    m_.assign(w.awsize, constant(bitsFor(plan_.memory->beatBits / 8), 3));
    m_.assign(w.awburst, constant(1, 2)); // incrementing
    m_.assign(w.awcache, constant(3, 4)); // bufferable, modifiable
    m_.assign(w.awprot, constant(0, 3));
    m_.assign(w.bready, constant(1, 1));
    const SequencerWires axi = {
        {"address", address},      {"length", length},         {"asks_read", asks},
        {"read_taken", r.arready}, {"rdata", r.rdata},         {"rvalid", r.rvalid},
        {"asks_write", w.awvalid}, {"write_taken", w.awready}, {"wdata", w.wdata},
        {"wstrb", w.wstrb},        {"wlast", w.wlast},         {"wvalid", w.wvalid},
        {"wready", w.wready},      {"bvalid", w.bvalid},       {"bresp", w.bresp}};
    const SequencerWires steps = {{"setup", machine.at("setup")}, {"step", machine.at("step")}};
    m_.instance(parts_.transfer, "transfer",
                wired(*parts_.transfer, {&transfer_, &steps, &axi, &wires_}));
}

Expr WeightWiring::ready(UnitControl::Sequencer sequencer) {
    const auto [known, fresh] = ready_.try_emplace(sequencer);
    if (fresh)
        known->second =
            m_.wire(cat(sequencer ? followerName(*sequencer) + "_" : "", "weights_ready"), bits(1));
    return known->second;
}

void WeightWiring::instances(const UnitControl& control, const SequencerWires& transfers) {
    wires_["beat"] = m_.wire("weights_beat", bits(plan_.memory->beatBits));
    std::map<UnitControl::Sequencer, std::vector<Expr>> ready;
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
        const UnitControl::Sequencer fetcher = control.fetcherOf(u);
        ready[fetcher].push_back(control.isUnit(u, fetcher) & declare("ready", 1));
    }
    for (const auto& [sequencer, wire] : ready_)
        m_.assign(wire, eitherOf(ready[sequencer]));
    wires_.merge(outputsOf(m_, *parts_.weightLoader, "load_", wires_));
    const SequencerWires axi = ofReader();
    if (parts_.transfer)
        instanceTransfer(transfers, axi);
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
        wires[name] = control.signalOf(control.fetcherOf(index), name);
    wires["ring_taken"] = wires_.at(loaderPort(unit, "taken"));
    wires["ring_ready"] = wires_.at(loaderPort(unit, "ready"));
    wires["ring_space"] = wires_.at(loaderPort(unit, "space"));
    wires["ring_place"] = wires_.at(loaderPort(unit, "place"));
}

} // namespace marquetry::hdl
