#include "engine/hdl/banked_crossbar.h"

#include "engine/support/checked_math.h"

#include <algorithm>
#include <set>

namespace marquetry::hdl {

namespace {

std::string all(const std::vector<std::string>& conditions) {
    std::string text;
    for (const std::string& condition : conditions) {
        if (condition != "1'h1")
            text += (text.empty() ? "" : " & ") + condition;
    }
    return text.empty() ? "1'h1" : text;
}

} // namespace

const BankedLane& Crossbar::laneOf(const banking::LaneHardware& lane) const {
    return *std::ranges::find_if(memory_.lanes, [&](const BankedLane& other) {
        return other.hardware.group == lane.group && other.hardware.lane == lane.lane;
    });
}

std::string Crossbar::stepOf(std::size_t group) const {
    return cat("step", memory_.pattern.groups[group].nest);
}

/// Whether several loop nests share the ports of one kind.
bool Crossbar::gated(bool write) const {
    return std::ranges::count_if(memory_.pattern.groups, [&](const banking::Group& group) {
               return group.write == write;
           }) > 1;
}

int Crossbar::addressBits() const {
    return std::max(1, selectBits(memory_.scheme.depth));
}

std::string Crossbar::q(const BankPort& at) const {
    return cat("q_", at.copy, "_", at.bank, "_", at.port);
}

void Crossbar::addPorts(std::vector<Port>& ports) const {
    const int bits = memory_.pattern.bits;
    ports.push_back({Direction::Input, 1, "aclk"});
    ports.push_back({Direction::Input, 1, "aresetn"});
    for (std::size_t nest = 0; nest < memory_.pattern.nests.size(); ++nest)
        ports.push_back({Direction::Input, 1, cat("step", nest)});
    for (const BankedLane& lane : memory_.lanes) {
        const bool decoded = lane.hardware.mode == banking::AddressMode::Decoded;
        if (decoded || lane.hardware.write)
            ports.push_back({Direction::Input, 1, lane.name + "_en"});
        for (std::size_t d = 0; decoded && d < memory_.pattern.dims.size(); ++d) {
            if (memory_.pattern.dims[d] > 1)
                ports.push_back({Direction::Input, selectBits(memory_.pattern.dims[d]),
                                 cat(lane.name, "_x", d)});
        }
        ports.push_back({lane.hardware.write ? Direction::Input : Direction::Output, bits,
                         lane.name + "_data"});
    }
    if (!memory_.loadPort)
        return;
    ports.push_back({Direction::Input, 1, "load_en"});
    ports.push_back(
        {Direction::Input, std::max(1, selectBits(memory_.scheme.banks())), "load_bank"});
    ports.push_back({Direction::Input, addressBits(), "load_offset"});
    ports.push_back({Direction::Input, bits, "load_data"});
}

void Crossbar::write(std::vector<Port>& ports) {
    addPorts(ports);
    body_.line("// verilator lint_off UNUSEDSIGNAL");
    addresses_.writeCounters();
    for (const banking::GroupHardware& group : memory_.plan.groups) {
        if (group.tabulated)
            tabulate(group);
        else
            route(group);
    }
    if (memory_.loadPort)
        loadPort();
    writeBanks();
    writeReaders();
    body_.blank();
    writeChecks();
    body_.line("// verilator lint_on UNUSEDSIGNAL");
}

// --- tables per bank

void Crossbar::tabulate(const banking::GroupHardware& group) {
    const std::size_t g = group.lanes.front().group;
    const banking::BankTable table = bankTable(memory_.pattern, memory_.scheme, group);
    const Signal counters = addresses_.counters(memory_.pattern.groups[g].nest, group.counters);
    // Hits of each port: row and place in the row.
    std::map<BankPort, std::vector<std::pair<std::size_t, std::size_t>>> hits;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        for (std::size_t k = 0; k < table.rows[row].size(); ++k) {
            const banking::BankTable::Hit& hit = table.rows[row][k];
            hits[{std::max<std::int64_t>(0, hit.copy), hit.bank, hit.port}].emplace_back(row, k);
        }
    }
    for (const auto& [at, places] : hits)
        tabulatePort(at, g, places, table, counters);
    if (!memory_.pattern.groups[g].write)
        tabulateReads(group, table, counters);
}

void Crossbar::tabulatePort(const BankPort& at, std::size_t group,
                            const std::vector<std::pair<std::size_t, std::size_t>>& hits,
                            const banking::BankTable& table, const Signal& counters) {
    const bool write = memory_.pattern.groups[group].write;
    std::vector<std::int64_t> offsets(table.rows.size(), Logic::kAny);
    std::vector<std::int64_t> active(table.rows.size(), Logic::kAny);
    std::vector<std::int64_t> writer(table.rows.size(), Logic::kAny);
    banking::forEachRow(memory_.plan.groups[group].counters,
                        memory_.pattern.nests[memory_.pattern.groups[group].nest],
                        [&](std::size_t row, const auto&) { active[row] = 0; });
    std::vector<std::size_t> writers;
    for (const auto& [row, k] : hits) {
        const banking::BankTable::Hit& hit = table.rows[row][k];
        offsets[row] = hit.offset;
        active[row] = 1;
        auto found = std::ranges::find(writers, hit.lane);
        if (found == writers.end())
            found = writers.insert(writers.end(), hit.lane);
        writer[row] = found - writers.begin();
    }
    Drive drive;
    drive.offset = logic_.table(counters, offsets, selectBits(memory_.scheme.depth));
    if (!write) {
        drive.when = gated(false) ? stepOf(group) : "1'h1";
        reads_[at].push_back(std::move(drive));
        return;
    }
    std::vector<std::string> enables;
    std::vector<std::string> data;
    for (const std::size_t lane : writers) {
        const std::string& name = laneOf(memory_.plan.groups[group].lanes[lane]).name;
        enables.push_back(name + "_en");
        data.push_back(name + "_data");
    }
    const Signal select =
        logic_.table(counters, writer, selectBits(static_cast<std::int64_t>(writers.size())));
    const Signal happens = logic_.table(counters, active, 1);
    drive.when =
        logic_.wire(1, all({stepOf(group), happens.text, logic_.select(select, enables, 1).text}))
            .text;
    drive.data = logic_.select(select, data, memory_.pattern.bits).text;
    writes_[at].push_back(std::move(drive));
}

void Crossbar::tabulateReads(const banking::GroupHardware& group, const banking::BankTable& table,
                             const Signal& counters) {
    for (const banking::LaneHardware& lane : group.lanes) {
        Route route;
        std::vector<BankPort> used;
        std::vector<std::int64_t> select(table.rows.size(), Logic::kAny);
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            for (const banking::BankTable::Hit& hit : table.rows[row]) {
                if (hit.lane != lane.lane)
                    continue;
                const BankPort at{hit.copy, hit.bank, hit.port};
                auto found = std::ranges::find(used, at);
                if (found == used.end())
                    found = used.insert(used.end(), at);
                select[row] = found - used.begin();
            }
        }
        route.choices.assign(used.begin(), used.end());
        route.select =
            logic_.table(counters, select, selectBits(static_cast<std::int64_t>(used.size())));
        routes_[laneOf(lane).name] = std::move(route);
    }
}

// --- an address per lane

void Crossbar::route(const banking::GroupHardware& group) {
    std::vector<LaneAddress> addresses;
    for (const banking::LaneHardware& lane : group.lanes) {
        const BankedLane& named = laneOf(lane);
        LaneAddress address = addresses_.address(named);
        std::vector<std::string> conditions = {address.happens.text};
        if (lane.write || lane.mode == banking::AddressMode::Decoded)
            conditions.push_back(named.name + "_en");
        if (lane.write || gated(false))
            conditions.push_back(stepOf(lane.group));
        address.happens = {all(conditions), 1, -1};
        if (address.happens.text.find(' ') != std::string::npos)
            address.happens = logic_.wire(1, address.happens.text);
        addresses.push_back(std::move(address));
    }
    std::map<BankPort, std::vector<std::size_t>> seenBy;
    for (std::size_t k = 0; k < group.lanes.size(); ++k) {
        for (std::size_t b = 0; b < group.lanes[k].banks.size(); ++b) {
            if (group.lanes[k].banks[b])
                seenBy[{group.lanes[k].copy, static_cast<std::int64_t>(b), 0}].push_back(k);
        }
    }
    for (const auto& [bank, lanes] : seenBy) {
        std::vector<std::string> hits;
        for (const std::size_t k : lanes) {
            const LaneAddress& address = addresses[k];
            const std::int64_t code = BankCode::of(memory_.scheme, bank.bank);
            const std::string here =
                group.lanes[k].seen == 1
                    ? "1'h1"
                    : cat("(", address.code.text, " == ", literal(address.code.width, code), ")");
            const std::string hit = all({address.happens.text, here});
            hits.push_back(hit.find(' ') == std::string::npos ? hit : logic_.wire(1, hit).text);
        }
        routePort(bank, group.lanes, lanes, hits, addresses);
    }
    if (!group.lanes.front().write)
        routeReaders(group, addresses);
}

void Crossbar::routePort(const BankPort& bank, const std::vector<banking::LaneHardware>& group,
                         const std::vector<std::size_t>& lanes,
                         const std::vector<std::string>& hits,
                         const std::vector<LaneAddress>& addresses) {
    const bool write = group.front().write;
    auto& first = (write ? writes_ : reads_)[bank];
    const auto data = [&](std::size_t k) {
        return write ? laneOf(group[k]).name + "_data" : std::string();
    };
    if (memory_.pattern.ports == 1 || lanes.size() == 1) {
        for (std::size_t i = 0; i < lanes.size(); ++i)
            first.push_back({hits[i], addresses[lanes[i]].offset, data(lanes[i])});
        return;
    }
    // The first lane that hits takes port 0, with all that ask for its word; the others port 1.
    const int width = addressBits();
    std::string leader = logic_.fit(addresses[lanes.back()].offset, width).text;
    for (std::size_t i = lanes.size() - 1; i-- > 0;)
        leader = cat("(", hits[i], " ? ", logic_.fit(addresses[lanes[i]].offset, width).text, " : ",
                     leader, ")");
    const Signal word = logic_.wire(width, leader);
    auto& second = (write ? writes_ : reads_)[{bank.copy, bank.bank, 1}];
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const Signal offset = logic_.fit(addresses[lanes[i]].offset, width);
        const std::string differs = cat("(", offset.text, " != ", word.text, ")");
        const Signal late = logic_.wire(1, all({hits[i], differs}));
        const Signal early = logic_.wire(1, cat(hits[i], " & ~", late.text));
        first.push_back({early.text, offset, data(lanes[i])});
        second.push_back({late.text, offset, data(lanes[i])});
        late_[{laneOf(group[lanes[i]]).name, bank.bank}] = late.text;
    }
}

void Crossbar::routeReaders(const banking::GroupHardware& group,
                            const std::vector<LaneAddress>& addresses) {
    for (std::size_t k = 0; k < group.lanes.size(); ++k) {
        const banking::LaneHardware& lane = group.lanes[k];
        const std::string& name = laneOf(lane).name;
        const Signal& code = addresses[k].code;
        const std::size_t codes = lane.seen == 1 ? 1 : std::size_t{1} << code.width;
        Route route;
        route.select = lane.seen == 1 ? Logic::constant(0, 0) : code;
        route.choices.resize(2 * codes);
        std::string second;
        for (std::size_t b = 0; b < lane.banks.size(); ++b) {
            if (!lane.banks[b])
                continue;
            const auto bank = static_cast<std::int64_t>(b);
            const std::size_t place =
                lane.seen == 1 ? 0 : static_cast<std::size_t>(BankCode::of(memory_.scheme, bank));
            route.choices[place] = BankPort{lane.copy, bank, 0};
            const auto late = late_.find({name, bank});
            if (late == late_.end())
                continue;
            second += (second.empty() ? "" : " | ") + late->second;
            route.choices[codes + place] = BankPort{lane.copy, bank, 1};
        }
        if (second.empty())
            route.choices.resize(codes);
        else
            route.select = logic_.concat({logic_.wire(1, second), route.select});
        routes_[name] = std::move(route);
    }
}

void Crossbar::loadPort() {
    for (std::int64_t bank = 0; bank < memory_.scheme.banks(); ++bank) {
        const int width = std::max(1, selectBits(memory_.scheme.banks()));
        const std::string when =
            memory_.scheme.banks() == 1
                ? "load_en"
                : logic_.wire(1, cat("load_en & (load_bank == ", literal(width, bank), ")")).text;
        writes_[{0, bank, 0}].push_back({when, {"load_offset", addressBits(), -1}, "load_data"});
    }
}

} // namespace marquetry::hdl
