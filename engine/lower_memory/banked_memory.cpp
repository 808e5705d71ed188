#include "engine/lower_memory/banked_memory.h"

#include "engine/lower_memory/banked_crossbar.h"
#include "engine/lower_memory/memory_ports.h"
#include "engine/rtl/printed.h"
#include "engine/support/checked_math.h"

namespace marquetry::hdl {

namespace {

std::vector<std::string> commentOf(const BankedMemory& memory) {
    std::vector<std::string> comment = {
        cat("Array of ", memory.pattern.words(), " words of ", memory.pattern.bits, " bits, ",
            memory.pattern.ports, " port(s) per bank."),
        cat("Bank scheme: ", memory.scheme.text(), "; ",
            memory.scheme.banks() * memory.scheme.copies, " banks of ", memory.scheme.depth,
            " words in ", memory.plan.blockRam ? "block RAM." : "LUT RAM."),
        "Cycles: one iteration per step, read data in the clock after."};
    for (const BankedLane& lane : memory.lanes) {
        const auto& hardware = lane.hardware;
        const bool central = memory.plan.groups[hardware.group].tabulated;
        comment.push_back(cat(lane.name, ": ", hardware.write ? "write " : "read ",
                              memory.pattern.laneText(hardware.group, hardware.lane), ", ",
                              hardware.seen, " bank(s), ",
                              central ? "a table per bank" : toString(hardware.mode)));
    }
    return comment;
}

} // namespace

BankedMemory describeMemory(const std::string& name, banking::AccessPattern pattern,
                            banking::Scheme scheme, const device::Device& device) {
    BankedMemory memory;
    memory.name = rtl::identifier(name);
    memory.plan = planHardware(pattern, scheme, device);
    memory.vendor = rtl::vendorOf(device.family);
    memory.loadPort = true;
    int readers = 0;
    int writers = 0;
    for (const banking::GroupHardware& group : memory.plan.groups) {
        for (const banking::LaneHardware& lane : group.lanes) {
            memory.lanes.push_back({lane.write ? cat("w", writers++) : cat("r", readers++), lane});
            memory.loadPort = memory.loadPort && !lane.write;
        }
    }
    memory.pattern = std::move(pattern);
    memory.scheme = std::move(scheme);
    memory.name = memoryNames(memory).top;
    memory.names = memoryNames(memory);
    return memory;
}

rtl::ModulePtr memoryModule(const BankedMemory& memory) {
    rtl::Module top(memory.name);
    for (std::string& line : commentOf(memory))
        top.comment(std::move(line));
    Crossbar(memory, top).write();
    return rtl::finished(std::move(top));
}

Netlist lowerMemory(const BankedMemory& memory) {
    return printed(memoryModule(memory), memory.vendor);
}

} // namespace marquetry::hdl
