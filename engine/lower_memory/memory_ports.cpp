#include "engine/lower_memory/memory_ports.h"

#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::hdl {

using banking::selectBits;
using rtl::Expr;

namespace {

LanePorts lanePorts(rtl::Module& top, const BankedMemory& memory, const BankedLane& lane) {
    LanePorts ports;
    const bool decoded = lane.hardware.mode == banking::AddressMode::Decoded;
    const rtl::SignalType word = rtl::bits(memory.pattern.bits);
    if (decoded || lane.hardware.write)
        ports.enable = top.input(lane.name + "_en");
    for (std::size_t d = 0; decoded && d < memory.pattern.dims.size(); ++d) {
        const int width = selectBits(memory.pattern.dims[d]);
        ports.at.push_back(width == 0 ? Expr()
                                      : top.input(cat(lane.name, "_x", d), rtl::bits(width)));
    }
    ports.data = lane.hardware.write ? top.input(lane.name + "_data", word)
                                     : top.output(lane.name + "_data", word);
    return ports;
}

/// Nothing of a port that the memory does not have.
std::string nameOf(const rtl::Names& names, const Expr& port) {
    return port.size() == rtl::Size(0) ? std::string() : names.of(*port.node().net);
}

} // namespace

MemoryPorts declarePorts(rtl::Module& top, const BankedMemory& memory) {
    MemoryPorts ports;
    ports.clock = top.input("aclk");
    ports.reset = top.input("aresetn");
    for (std::size_t nest = 0; nest < memory.pattern.nests.size(); ++nest)
        ports.steps.push_back(top.input(cat("step", nest)));
    for (const BankedLane& lane : memory.lanes)
        ports.lanes[lane.name] = lanePorts(top, memory, lane);
    if (memory.loadPort) {
        const auto width = [](std::int64_t words) {
            return rtl::bits(std::max(1, selectBits(words)));
        };
        ports.loadEnable = top.input("load_en");
        ports.loadBank = top.input("load_bank", width(memory.scheme.banks()));
        ports.loadOffset = top.input("load_offset", width(memory.scheme.depth));
        ports.loadData = top.input("load_data", rtl::bits(memory.pattern.bits));
    }
    ports.traffic = top.beside(memory.name + "_traffic");
    ports.bench = top.beside(memory.name + "_tb");
    return ports;
}

MemoryNames memoryNames(const BankedMemory& memory) {
    rtl::Module top(memory.name);
    const MemoryPorts ports = declarePorts(top, memory);
    const rtl::Names names(finished(std::move(top)));
    MemoryNames result;
    result.top = names.of(*names.modules().back());
    result.traffic = names.of(*ports.traffic);
    result.bench = names.of(*ports.bench);
    result.clock = nameOf(names, ports.clock);
    result.reset = nameOf(names, ports.reset);
    for (const Expr& step : ports.steps)
        result.steps.push_back(nameOf(names, step));
    for (const auto& [lane, of] : ports.lanes) {
        LaneNames& lanes = result.lanes[lane];
        lanes.enable = nameOf(names, of.enable);
        lanes.data = nameOf(names, of.data);
        for (const Expr& at : of.at)
            lanes.at.push_back(nameOf(names, at));
    }
    result.loadEnable = nameOf(names, ports.loadEnable);
    result.loadBank = nameOf(names, ports.loadBank);
    result.loadOffset = nameOf(names, ports.loadOffset);
    result.loadData = nameOf(names, ports.loadData);
    return result;
}

} // namespace marquetry::hdl
