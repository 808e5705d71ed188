// The banks of a crossbar, and what leaves it.
#include "engine/lower_memory/banked_crossbar.h"
#include "engine/rtl/library.h"

#include <algorithm>
#include <set>

namespace marquetry::hdl {

/// All that drive a port as one: at most one of them at a time, or all with one address.
Crossbar::Drive Crossbar::merged(const std::vector<Drive>& drives) {
    const int width = addressBits();
    if (drives.size() == 1)
        return {drives[0].when, logic_.fit(drives[0].offset, width), drives[0].data};
    Expr when = rtl::constant(0, 1);
    Expr offset = rtl::zeros(width);
    Expr data = rtl::zeros(drives[0].data.size());
    for (const Drive& drive : drives) {
        when = when | drive.when;
        offset = offset | (drive.when.repeated(width) & logic_.fit(drive.offset, width));
        data = data | (drive.when.repeated(drive.data.size()) & drive.data);
    }
    return {logic_.named(when), logic_.named(offset), logic_.named(data)};
}

void Crossbar::writeBanks() {
    for (const auto& [at, drives] : writes_) {
        logic_.serve(cat("write", at.bank, at.port > 0 ? "_b" : ""));
        writePorts_[at] = merged(drives);
    }
    for (const auto& [at, drives] : reads_) {
        logic_.serve(cat("read", at.bank, at.port > 0 ? "_b" : ""));
        readPorts_[at] = merged(drives);
    }
    Expr any = rtl::constant(0, 1);
    for (std::size_t g = 0; g < memory_.pattern.groups.size(); ++g) {
        if (!memory_.pattern.groups[g].write)
            any = any | stepOf(g);
    }
    reading_ = module_.wire("reads", any);
    words_ = rtl::dualPortMemory(memory_.name + "_words", memory_.plan.blockRam
                                                              ? rtl::RamStyle::Block
                                                              : rtl::RamStyle::Distributed);
    std::set<std::pair<std::int64_t, std::int64_t>> banks;
    for (const auto& [at, drive] : readPorts_)
        banks.emplace(at.copy, at.bank);
    for (const auto& [copy, bank] : banks)
        writeBank(copy, bank);
}

void Crossbar::writeBank(std::int64_t copy, std::int64_t bank) {
    const int bits = memory_.pattern.bits;
    const int writers = writePorts_.contains({0, bank, 1}) ? 2 : 1;
    for (int port = 0; port < memory_.pattern.ports; ++port) {
        const auto read = readPorts_.find({copy, bank, port});
        if (read == readPorts_.end())
            continue;
        const std::string name = cat("q_", copy, "_", bank, "_", port);
        Expr out;
        for (int writer = 0; writer < writers; ++writer) {
            const std::string own = writers == 2 ? cat(name, "_w", writer) : name;
            const auto write = writePorts_.find({0, bank, writer});
            const Drive drive =
                write != writePorts_.end()
                    ? write->second
                    : Drive{rtl::constant(0, 1), rtl::zeros(addressBits()), rtl::zeros(bits)};
            const Expr q = module_.wire(own, rtl::bits(bits));
            module_.instance(
                words_, "bank_" + own,
                {{"aclk", ports_.clock},
                 {"re", reading_},
                 {"raddr", read->second.offset},
                 {"q", q},
                 {"we", drive.when},
                 {"waddr", drive.offset},
                 {"wdata", drive.data}},
                {{"WIDTH", bits}, {"DEPTH", memory_.scheme.depth}, {"ADDRESS", addressBits()}});
            out = writer == 0 ? q : choose(lastWriter(read->first), q, out);
        }
        q_[read->first] = writers == 2 ? module_.wire(name, out) : out;
    }
}

/// Of a bank with two writers: whether the second one wrote the word that a port reads.
Expr Crossbar::lastWriter(const BankPort& at) {
    if (!lastWriters_)
        lastWriters_ = rtl::lastWriter(memory_.name + "_writers");
    const Drive& first = writePorts_.at({0, at.bank, 0});
    const Drive& second = writePorts_.at({0, at.bank, 1});
    const std::string place = cat(at.copy, "_", at.bank, "_", at.port);
    const Expr held = module_.wire("held_" + place, rtl::bits(1));
    module_.instance(lastWriters_, "last_" + place,
                     {{"aclk", ports_.clock},
                      {"aresetn", ports_.reset},
                      {"we0", first.when},
                      {"waddr0", first.offset},
                      {"we1", second.when},
                      {"waddr1", second.offset},
                      {"re", reading_},
                      {"raddr", readPorts_.at(at).offset},
                      {"second", held}},
                     {{"DEPTH", memory_.scheme.depth}, {"ADDRESS", addressBits()}});
    return held;
}

void Crossbar::writeReaders() {
    for (const BankedLane& lane : memory_.lanes) {
        if (lane.hardware.write)
            continue;
        const Route& route = routes_.at(lane.name);
        std::vector<std::optional<Expr>> inputs;
        for (const auto& choice : route.choices)
            inputs.push_back(choice ? std::optional(q_.at(*choice)) : std::nullopt);
        Expr select = route.select;
        if (!select.constant()) {
            const Expr now = select;
            select = module_.reg(lane.name + "_select", rtl::bits(now.size()));
            module_.clocked(ports_.clock, [&](rtl::Block& block) {
                block.when(stepOf(lane.hardware.group),
                           [&](rtl::Block& then) { then.set(select, now); });
            });
        }
        logic_.serve(lane.name + "_word");
        const bool never =
            std::ranges::none_of(inputs, [](const auto& i) { return i.has_value(); });
        module_.assign(ports_.lanes.at(lane.name).data,
                       never ? rtl::zeros(memory_.pattern.bits) : logic_.select(select, inputs));
    }
}

} // namespace marquetry::hdl
