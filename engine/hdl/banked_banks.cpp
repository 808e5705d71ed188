// The banks of a crossbar, and what leaves it.
#include "engine/hdl/banked_crossbar.h"

#include <algorithm>
#include <set>

namespace marquetry::hdl {

namespace {

std::string masked(const std::string& condition, const std::string& text, int width) {
    return width == 1 ? cat("(", condition, " & ", text, ")")
                      : cat("({", width, "{", condition, "}} & ", text, ")");
}

} // namespace

/// All that drive a port as one: at most one of them at a time, or all with one address.
Crossbar::Drive Crossbar::merged(const std::vector<Drive>& drives) {
    const int width = addressBits();
    if (drives.size() == 1)
        return {drives[0].when, logic_.fit(drives[0].offset, width), drives[0].data};
    std::string when;
    std::string offset;
    std::string data;
    for (const Drive& drive : drives) {
        const std::string bar = when.empty() ? "" : " | ";
        when += bar + drive.when;
        offset += bar + masked(drive.when, logic_.fit(drive.offset, width).text, width);
        if (!drive.data.empty())
            data += bar + masked(drive.when, drive.data, memory_.pattern.bits);
    }
    Drive result{logic_.wire(1, when).text, logic_.wire(width, offset), ""};
    if (!data.empty())
        result.data = logic_.wire(memory_.pattern.bits, data).text;
    return result;
}

void Crossbar::writeBanks() {
    for (const auto& [at, drives] : writes_)
        writePorts_[at] = merged(drives);
    for (const auto& [at, drives] : reads_)
        readPorts_[at] = merged(drives);
    std::string any;
    for (std::size_t g = 0; g < memory_.pattern.groups.size(); ++g) {
        const std::string step = stepOf(g);
        if (!memory_.pattern.groups[g].write)
            any += (any.empty() ? "" : " | ") + step;
    }
    body_.line("wire reads = ", any.empty() ? "1'h0" : any, ";");
    std::set<std::pair<std::int64_t, std::int64_t>> banks;
    for (const auto& [at, drive] : readPorts_)
        banks.emplace(at.copy, at.bank);
    for (const auto& [copy, bank] : banks)
        writeBank(copy, bank);
}

void Crossbar::writeBank(std::int64_t copy, std::int64_t bank) {
    const int bits = memory_.pattern.bits;
    const bool twoWriters = writePorts_.contains({0, bank, 1});
    for (int port = 0; port < memory_.pattern.ports; ++port) {
        const auto read = readPorts_.find({copy, bank, port});
        if (read == readPorts_.end())
            continue;
        const std::string out = q(read->first);
        for (int writer = 0; writer < (twoWriters ? 2 : 1); ++writer) {
            const std::string name = twoWriters ? cat(out, "_w", writer) : out;
            const auto write = writePorts_.find({0, bank, writer});
            const bool written = write != writePorts_.end();
            body_.line("wire ", range(bits), name, ";");
            body_.line(memory_.name, "_words #(.WIDTH(", bits, "), .DEPTH(", memory_.scheme.depth,
                       "), .ADDRESS(", addressBits(), ")) bank_", name, " (");
            body_.line("    .aclk(aclk), .re(reads), .raddr(", read->second.offset.text, "), .q(",
                       name, "),");
            body_.line("    .we(", written ? write->second.when : "1'h0", "), .waddr(",
                       written ? write->second.offset.text : literal(addressBits(), 0),
                       "), .wdata(", written ? write->second.data : literal(bits, 0), "));");
        }
        if (twoWriters) {
            const std::string last = lastWriter(copy, bank, port);
            body_.line("wire ", range(bits), out, " = ", last, " ? ", out, "_w1 : ", out, "_w0;");
        }
    }
}

/// A bit per word of a bank with two writers, written next to its first memory; what it says of
/// the word that a port reads.
std::string Crossbar::lastWriter(std::int64_t copy, std::int64_t bank, int port) {
    const std::string name = cat("last_", bank);
    if (lastWriters_.insert(bank).second) {
        const Drive& first = writePorts_.at({0, bank, 0});
        const Drive& second = writePorts_.at({0, bank, 1});
        const int width = addressBits();
        body_.line("reg  [", memory_.scheme.depth - 1, ":0] ", name, ";");
        for (std::int64_t word = 0; word < memory_.scheme.depth; ++word) {
            body_.line("always @(posedge aclk)");
            body_.line("    if (!aresetn)");
            body_.line("        ", name, "[", word, "] <= 1'h0;");
            body_.line("    else if (", second.when, " & (", second.offset.text,
                       " == ", literal(width, word), "))");
            body_.line("        ", name, "[", word, "] <= 1'h1;");
            body_.line("    else if (", first.when, " & (", first.offset.text,
                       " == ", literal(width, word), "))");
            body_.line("        ", name, "[", word, "] <= 1'h0;");
        }
    }
    const std::string bit = cat(name, "[", readPorts_.at({copy, bank, port}).offset.text, "]");
    const std::string held = cat("held_", copy, "_", bank, "_", port);
    body_.line("reg  ", held, ";");
    body_.line("always @(posedge aclk)");
    body_.line("    if (reads)");
    body_.line("        ", held, " <= ", bit, ";");
    return held;
}

void Crossbar::writeReaders() {
    const int bits = memory_.pattern.bits;
    for (const BankedLane& lane : memory_.lanes) {
        if (lane.hardware.write)
            continue;
        const Route& route = routes_.at(lane.name);
        const std::string step = stepOf(lane.hardware.group);
        std::vector<std::string> inputs;
        for (const auto& choice : route.choices)
            inputs.push_back(choice ? q(*choice) : "");
        Signal select = route.select;
        if (!select.constant()) {
            const std::string held = lane.name + "_select";
            body_.line("reg  ", range(select.width), held, ";");
            body_.line("always @(posedge aclk)");
            body_.line("    if (", step, ")");
            body_.line("        ", held, " <= ", select.text, ";");
            select = {held, select.width, -1};
        }
        const bool never = std::ranges::none_of(inputs, [](const auto& i) { return !i.empty(); });
        const std::string data =
            never ? literal(bits, 0) : logic_.select(select, inputs, bits).text;
        body_.line("assign ", lane.name, "_data = ", data, ";");
    }
}

} // namespace marquetry::hdl
