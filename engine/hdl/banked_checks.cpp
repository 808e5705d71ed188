// The assertions of a banked memory: where every lane must go, by multiplication and division, and
// whether a bank is asked for too much. Simulation and formal proofs only.
#include "engine/hdl/banked_crossbar.h"

#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

/// Bits that hold every number of the reference, negative coordinates as large ones.
int referenceBits(const BankedMemory& memory) {
    std::int64_t most = std::max(memory.pattern.words(), memory.scheme.words);
    for (const ir::FlatMap& map : memory.scheme.maps) {
        std::int64_t u = map.banks * map.block;
        for (std::size_t d = 0; d < map.alpha.size(); ++d)
            u += map.alpha[d] % (map.banks * map.block) * memory.pattern.dims[d];
        most = std::max(most, u);
    }
    for (const ir::UnrolledNest& nest : memory.pattern.nests) {
        for (const ir::MemoryLane& lane : nest.lanes) {
            for (std::size_t d = 0; d < lane.offset.size(); ++d) {
                std::int64_t reach = std::abs(lane.offset[d]);
                for (std::size_t g = 0; g < nest.generators.size(); ++g)
                    reach += std::abs(lane.matrix[d][g]) * nest.generators[g].trips;
                most = std::max(most, reach);
            }
        }
    }
    return bitsFor(most + 1) + 1;
}

std::string extended(const std::string& text, int from, int to) {
    return from == to ? text : cat("{", literal(to - from, 0), ", ", text, "}");
}

} // namespace

/// <lane>_at<d>, _happens, _bank, _offset and _word (row-major) of the current iteration.
void Crossbar::writeReference(const BankedLane& lane, int width) {
    const banking::Scheme& scheme = memory_.scheme;
    const banking::LaneHardware& hardware = lane.hardware;
    const ir::MemoryLane& source = memory_.pattern.lane(hardware.group, hardware.lane);
    const std::size_t nest = memory_.pattern.groups[hardware.group].nest;
    const auto& generators = memory_.pattern.nests[nest].generators;
    const bool decoded = hardware.mode == banking::AddressMode::Decoded;
    const auto number = [&](std::int64_t n) { return literal(width, n); };
    std::string happens = hardware.write || decoded ? lane.name + "_en" : "1'h1";
    std::string word = number(0);
    for (std::size_t d = 0; d < memory_.pattern.dims.size(); ++d) {
        const std::int64_t extent = memory_.pattern.dims[d];
        std::string at = number(decoded ? 0 : source.offset[d]);
        if (decoded && extent > 1)
            at = extended(cat(lane.name, "_x", d), selectBits(extent), width);
        for (std::size_t g = 0; g < generators.size() && !decoded; ++g) {
            if (source.matrix[d][g] != 0 && generators[g].trips > 1)
                at += cat(" + ", number(source.matrix[d][g]), " * ",
                          extended(counterName(nest, g), selectBits(generators[g].trips), width));
        }
        body_.line("wire ", range(width), lane.name, "_at", d, " = ", at, ";");
        happens += cat(" & (", lane.name, "_at", d, " < ", number(extent), ")");
        word = cat("(", word, ") * ", number(extent), " + ", lane.name, "_at", d);
    }
    for (std::size_t g = 0; g < generators.size(); ++g) {
        if (!generators[g].unknown() && source.trips[g] != generators[g].trips)
            happens += cat(" & (", counterName(nest, g), " < ",
                           literal(selectBits(generators[g].trips), source.trips[g]), ")");
    }
    std::string bank = number(0);
    std::string offset = number(0);
    for (std::size_t d = 0; d < scheme.box.size(); ++d) {
        const std::int64_t size = scheme.box[d];
        const std::string box = quotient(
            {cat(lane.name, "_at", d), width, -1}, memory_.pattern.dims[d],
            [size](std::int64_t x) { return x / size; }, cat(" / ", number(size)));
        offset = cat("(", offset, ") * ", number(scheme.boxes[d]), " + ", box);
    }
    for (std::size_t m = 0; m < scheme.maps.size(); ++m) {
        const ir::FlatMap& map = scheme.maps[m];
        std::string u = number(0);
        std::int64_t bound = 1;
        for (std::size_t d = 0; d < map.alpha.size(); ++d) {
            u += cat(" + ", number(map.alpha[d]), " * ", lane.name, "_at", d);
            bound += map.alpha[d] * (memory_.pattern.dims[d] - 1);
        }
        const Signal sum{cat(lane.name, "_sum", m), width, -1};
        body_.line("wire ", range(width), sum.text, " = ", u, ";");
        const std::int64_t unit = scheme.units[m];
        bank = cat("(", bank, ") * ", number(map.banks), " + ",
                   quotient(
                       sum, bound, [&map](std::int64_t n) { return n / map.block % map.banks; },
                       cat(" / ", number(map.block), " % ", number(map.banks))));
        offset = cat("(", offset, ") * ", number(scheme.wordsIn[m]), " + ",
                     quotient(
                         sum, bound, [&](std::int64_t n) { return n % map.block / unit; },
                         cat(" % ", number(map.block), " / ", number(unit))));
    }
    body_.line("wire ", lane.name, "_happens = ", happens, ";");
    body_.line("wire ", range(width), lane.name, "_word = ", word, ";");
    body_.line("wire ", range(width), lane.name, "_bank = ", bank, ";");
    body_.line("wire ", range(width), lane.name, "_offset = ", offset, ";");
}

/// What a division leaves of a signal below `bound`: looked up, or divided when there are too many
/// values. A table keeps proofs short.
std::string Crossbar::quotient(const Signal& of, std::int64_t bound,
                               const std::function<std::int64_t(std::int64_t)>& value,
                               const std::string& division) {
    constexpr std::int64_t kMostLookedUp = 1024;
    if (bound > kMostLookedUp)
        return of.text + division;
    std::vector<std::int64_t> rows;
    for (std::int64_t n = 0; n < bound; ++n)
        rows.push_back(value(n));
    const int width = selectBits(*std::ranges::max_element(rows) + 1);
    return logic_.fit(logic_.table(logic_.fit(of, selectBits(bound)), rows, width), of.width).text;
}

/// g<group>_conflict: a bank is asked for more different words than it has ports.
void Crossbar::writeConflict(std::size_t group, int width) {
    std::string happens;
    std::string banks;
    std::string words;
    int lanes = 0;
    for (const BankedLane& lane : memory_.lanes) {
        if (lane.hardware.group != group)
            continue;
        const std::string comma = lanes++ == 0 ? "" : ", ";
        const std::int64_t copy = lane.hardware.copy * memory_.scheme.banks();
        happens = lane.name + "_happens" + comma + happens;
        banks = cat(lane.name, "_bank + ", literal(width, copy)) + comma + banks;
        words = lane.name + "_word" + comma + words;
    }
    const std::string g = cat("g", group);
    body_.line("wire [", lanes - 1, ":0] ", g, "_happens = {", happens, "};");
    body_.line("wire [", lanes * width - 1, ":0] ", g, "_banks = {", banks, "};");
    body_.line("wire [", lanes * width - 1, ":0] ", g, "_words = {", words, "};");
    body_.line("reg  [", lanes - 1, ":0] ", g, "_first; // to ask for this word");
    body_.line("reg  ", g, "_conflict;");
    body_.line("integer ", g, "_i, ", g, "_j, ", g, "_load;");
    const std::string i = cat(g, "_i * ", width, " +: ", width);
    const std::string j = cat(g, "_j * ", width, " +: ", width);
    const std::string same = cat(g, "_banks[", i, "] == ", g, "_banks[", j, "]");
    body_.line("always @* begin");
    body_.line("    ", g, "_conflict = 1'b0;");
    body_.line("    for (", g, "_i = 0; ", g, "_i < ", lanes, "; ", g, "_i = ", g, "_i + 1) begin");
    body_.line("        ", g, "_first[", g, "_i] = ", g, "_happens[", g, "_i];");
    body_.line("        ", g, "_load = 1;");
    body_.line("        for (", g, "_j = 0; ", g, "_j < ", g, "_i; ", g, "_j = ", g, "_j + 1)");
    body_.line("            if (", g, "_happens[", g, "_j] && ", same, ") begin");
    body_.line("                if (", g, "_words[", i, "] == ", g, "_words[", j, "])");
    body_.line("                    ", g, "_first[", g, "_i] = 1'b0;");
    body_.line("                if (", g, "_first[", g, "_j])");
    body_.line("                    ", g, "_load = ", g, "_load + 1;");
    body_.line("            end");
    body_.line("        if (", g, "_first[", g, "_i] && ", g, "_load > ", memory_.pattern.ports,
               ")");
    body_.line("            ", g, "_conflict = 1'b1;");
    body_.line("    end");
    body_.line("end");
}

/// The lane's bank, and the address on that bank's port, are the reference's.
std::vector<std::string> Crossbar::routeChecks(const BankedLane& lane, int width) {
    const bool write = lane.hardware.write;
    std::vector<std::string> right;
    const auto reaches = [&](const BankPort& at) {
        const Drive& drive = (write ? writePorts_ : readPorts_).at(at);
        const std::string address = extended(drive.offset.text, addressBits(), width);
        std::string text = cat("(", lane.name, "_bank == ", literal(width, at.bank), " & ",
                               lane.name, "_offset == ", address);
        if (write)
            text += cat(" & ", drive.when, " & ", lane.name, "_data == ", drive.data);
        return text + ")";
    };
    std::string any;
    if (!write) {
        const Route& route = routes_.at(lane.name);
        for (std::size_t k = 0; k < route.choices.size(); ++k) {
            if (!route.choices[k])
                continue;
            std::string here = reaches(*route.choices[k]);
            if (!route.select.constant())
                here = cat("(", route.select.text,
                           " == ", literal(route.select.width, static_cast<std::int64_t>(k)), " & ",
                           here, ")");
            any += (any.empty() ? "" : " | ") + here;
        }
    } else {
        for (std::size_t b = 0; b < lane.hardware.banks.size(); ++b) {
            for (int port = 0; port < memory_.pattern.ports; ++port) {
                const BankPort at{0, static_cast<std::int64_t>(b), port};
                if (lane.hardware.banks[b] && writePorts_.contains(at))
                    any += (any.empty() ? "" : " | ") + reaches(at);
            }
        }
    }
    right.push_back(any.empty() ? "1'h0" : any);
    return right;
}

void Crossbar::writeChecks() {
    const int width = referenceBits(memory_);
    body_.line("`ifndef SYNTHESIS");
    for (const BankedLane& lane : memory_.lanes)
        writeReference(lane, width);
    for (std::size_t g = 0; g < memory_.pattern.groups.size(); ++g)
        writeConflict(g, width);
    std::vector<std::pair<std::string, std::string>> checks; // what, when it is wrong
    for (std::size_t g = 0; g < memory_.pattern.groups.size(); ++g)
        checks.emplace_back("a bank is asked for more words than it has ports",
                            cat(stepOf(g), " & g", g, "_conflict"));
    for (const BankedLane& lane : memory_.lanes) {
        for (const std::string& right : routeChecks(lane, width))
            checks.emplace_back(
                lane.name + " does not reach its word",
                cat(stepOf(lane.hardware.group), " & ", lane.name, "_happens & ~(", right, ")"));
    }
    for (std::size_t k = 0; k < checks.size(); ++k)
        body_.line("wire wrong", k, " = ", checks[k].second, ";");
    body_.line("`ifdef FORMAL");
    body_.line("reg started = 1'b0;");
    body_.line("always @(posedge aclk) started <= 1'b1;");
    body_.line("always @* if (!started) assume (!aresetn);");
    body_.line("always @* if (started) begin");
    for (std::size_t nest = 0; nest < memory_.pattern.nests.size(); ++nest) {
        const auto& generators = memory_.pattern.nests[nest].generators;
        for (std::size_t g = 0; g < generators.size(); ++g) {
            if (generators[g].trips > 1)
                body_.line("    assert (", counterName(nest, g), " <= ",
                           literal(selectBits(generators[g].trips), generators[g].trips - 1), ");");
        }
    }
    for (std::size_t k = 0; k < checks.size(); ++k)
        body_.line("    assert (!wrong", k, ");");
    body_.line("end");
    body_.line("`else");
    body_.line("always @(posedge aclk) if (aresetn) begin");
    for (std::size_t k = 0; k < checks.size(); ++k) {
        body_.line("    if (wrong", k, ") begin");
        body_.line("        $display(\"", memory_.name, ": ", checks[k].first, "\");");
        body_.line("        $stop;");
        body_.line("    end");
    }
    body_.line("end");
    body_.line("`endif");
    body_.line("`endif");
}

} // namespace marquetry::hdl
