#include "engine/lower_memory/banked_crossbar.h"

#include "engine/support/checked_math.h"

#include <algorithm>
#include <set>

namespace marquetry::hdl {

const BankedLane& Crossbar::laneOf(const banking::LaneHardware& lane) const {
    return *std::ranges::find_if(memory_.lanes, [&](const BankedLane& other) {
        return other.hardware.group == lane.group && other.hardware.lane == lane.lane;
    });
}

const Expr& Crossbar::stepOf(std::size_t group) const {
    return ports_.steps[memory_.pattern.groups[group].nest];
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

void Crossbar::write() {
    ports_ = declarePorts(module_, memory_);
    module_.lint("lint_off UNUSEDSIGNAL");
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
    module_.blank();
    module_.simulationOnly([this] { writeChecks(); });
    module_.lint("lint_on UNUSEDSIGNAL");
}

// --- tables per bank

void Crossbar::tabulate(const banking::GroupHardware& group) {
    const std::size_t g = group.lanes.front().group;
    const banking::BankTable table = bankTable(memory_.pattern, memory_.scheme, group);
    const Expr counters = addresses_.counters(memory_.pattern.groups[g].nest, group.counters);
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
                            const banking::BankTable& table, const Expr& counters) {
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
    logic_.serve(cat("bank", at.bank, at.port > 0 ? "_b" : ""));
    Drive drive;
    drive.offset = logic_.table(counters, offsets, selectBits(memory_.scheme.depth));
    if (!write) {
        drive.when = gated(false) ? stepOf(group) : rtl::constant(1, 1);
        reads_[at].push_back(std::move(drive));
        return;
    }
    std::vector<std::optional<Expr>> enables;
    std::vector<std::optional<Expr>> data;
    for (const std::size_t lane : writers) {
        const LanePorts& ports =
            ports_.lanes.at(laneOf(memory_.plan.groups[group].lanes[lane]).name);
        enables.emplace_back(ports.enable);
        data.emplace_back(ports.data);
    }
    const Expr select =
        logic_.table(counters, writer, selectBits(static_cast<std::int64_t>(writers.size())));
    const Expr happens = logic_.table(counters, active, 1);
    drive.when = logic_.named(stepOf(group) & happens & logic_.select(select, enables));
    drive.data = logic_.select(select, data);
    writes_[at].push_back(std::move(drive));
}

void Crossbar::tabulateReads(const banking::GroupHardware& group, const banking::BankTable& table,
                             const Expr& counters) {
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
        logic_.serve(laneOf(lane).name + "_from");
        route.select =
            logic_.table(counters, select, selectBits(static_cast<std::int64_t>(used.size())));
        routes_[laneOf(lane).name] = std::move(route);
    }
}

// --- an address per lane

/// The lane's address; it happens when the lane is asked to, too.
LaneAddress Crossbar::reached(const banking::LaneHardware& lane) {
    const BankedLane& named = laneOf(lane);
    logic_.serve(named.name + "_part");
    LaneAddress address = addresses_.address(named);
    if (lane.write || lane.mode == banking::AddressMode::Decoded)
        address.happens = address.happens & ports_.lanes.at(named.name).enable;
    if (lane.write || gated(false))
        address.happens = address.happens & stepOf(lane.group);
    address.happens = logic_.named(address.happens);
    return address;
}

void Crossbar::route(const banking::GroupHardware& group) {
    std::vector<LaneAddress> addresses;
    for (const banking::LaneHardware& lane : group.lanes)
        addresses.push_back(reached(lane));
    std::map<BankPort, std::vector<std::size_t>> seenBy;
    for (std::size_t k = 0; k < group.lanes.size(); ++k) {
        for (std::size_t b = 0; b < group.lanes[k].banks.size(); ++b) {
            if (group.lanes[k].banks[b])
                seenBy[{group.lanes[k].copy, static_cast<std::int64_t>(b), 0}].push_back(k);
        }
    }
    for (const auto& [bank, lanes] : seenBy) {
        std::vector<Expr> hits;
        for (const std::size_t k : lanes) {
            const LaneAddress& address = addresses[k];
            Expr hit = address.happens;
            if (group.lanes[k].seen > 1)
                hit = hit & (address.code == BankCode::of(memory_.scheme, bank.bank));
            logic_.serve(cat(laneOf(group.lanes[k]).name, "_hits", bank.bank));
            hits.push_back(logic_.named(hit));
        }
        logic_.serve(cat("bank", bank.bank));
        routePort(bank, group.lanes, lanes, hits, addresses);
    }
    if (!group.lanes.front().write)
        routeReaders(group, addresses);
}

void Crossbar::routePort(const BankPort& bank, const std::vector<banking::LaneHardware>& group,
                         const std::vector<std::size_t>& lanes, const std::vector<Expr>& hits,
                         const std::vector<LaneAddress>& addresses) {
    const bool write = group.front().write;
    auto& first = (write ? writes_ : reads_)[bank];
    const auto data = [&](std::size_t k) {
        return write ? ports_.lanes.at(laneOf(group[k]).name).data : Expr();
    };
    if (memory_.pattern.ports == 1 || lanes.size() == 1) {
        for (std::size_t i = 0; i < lanes.size(); ++i)
            first.push_back({hits[i], addresses[lanes[i]].offset, data(lanes[i])});
        return;
    }
    // The first lane that hits takes port 0, with all that ask for its word; the others port 1.
    const int width = addressBits();
    std::vector<Expr> offsets;
    for (const std::size_t k : lanes)
        offsets.push_back(logic_.fit(addresses[k].offset, width));
    Expr word = offsets.back();
    for (std::size_t i = lanes.size() - 1; i-- > 0;)
        word = choose(hits[i], offsets[i], word);
    word = logic_.named(word);
    auto& second = (write ? writes_ : reads_)[{bank.copy, bank.bank, 1}];
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const Expr late = logic_.named(hits[i] & (offsets[i] != word));
        const Expr early = logic_.named(hits[i] & ~late);
        first.push_back({early, offsets[i], data(lanes[i])});
        second.push_back({late, offsets[i], data(lanes[i])});
        late_[{laneOf(group[lanes[i]]).name, bank.bank}] = late;
    }
}

void Crossbar::routeReaders(const banking::GroupHardware& group,
                            const std::vector<LaneAddress>& addresses) {
    for (std::size_t k = 0; k < group.lanes.size(); ++k) {
        const banking::LaneHardware& lane = group.lanes[k];
        const std::string& name = laneOf(lane).name;
        const Expr& code = addresses[k].code;
        const std::size_t codes = lane.seen == 1 ? 1 : std::size_t{1} << code.width();
        Route route;
        route.select = lane.seen == 1 ? Expr() : code;
        route.choices.resize(2 * codes);
        std::optional<Expr> second;
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
            second = second ? *second | late->second : late->second;
            route.choices[codes + place] = BankPort{lane.copy, bank, 1};
        }
        logic_.serve(name + "_from");
        if (!second)
            route.choices.resize(codes);
        else
            route.select = rtl::join({logic_.named(*second), route.select});
        routes_[name] = std::move(route);
    }
}

void Crossbar::loadPort() {
    for (std::int64_t bank = 0; bank < memory_.scheme.banks(); ++bank) {
        logic_.serve(cat("load_hits", bank));
        Expr when = ports_.loadEnable;
        if (memory_.scheme.banks() > 1)
            when = logic_.named(when & (ports_.loadBank == bank));
        writes_[{0, bank, 0}].push_back({when, ports_.loadOffset, ports_.loadData});
    }
}

} // namespace marquetry::hdl
