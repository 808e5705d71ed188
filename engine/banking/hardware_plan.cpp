#include "engine/banking/hardware_plan.h"

#include "engine/banking/conflict.h"
#include "engine/banking/cost.h"
#include "engine/banking/flat_maps.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

namespace marquetry::banking {

namespace {

/// Whether the address of the lane, or its end, depends on the generator.
bool uses(const ir::MemoryLane& lane, const ir::Generator& generator, std::size_t g) {
    if (!generator.unknown() && lane.trips[g] != generator.trips)
        return true;
    return std::ranges::any_of(lane.matrix, [&](const auto& row) { return row[g] != 0; });
}

/// Whether every iteration of the nest has the lane inside the array; unknown values: no.
bool happensAlways(const ir::MemoryLane& lane, const ir::UnrolledNest& nest,
                   const ir::Shape& dims) {
    if (!nest.counted)
        return false;
    for (std::size_t g = 0; g < nest.generators.size(); ++g) {
        if (nest.generators[g].unknown() ? uses(lane, nest.generators[g], g)
                                         : lane.trips[g] != nest.generators[g].trips)
            return false;
    }
    for (std::size_t d = 0; d < dims.size(); ++d) {
        std::int64_t low = lane.offset[d];
        std::int64_t high = lane.offset[d];
        for (std::size_t g = 0; g < nest.generators.size(); ++g) {
            const std::int64_t span = lane.matrix[d][g] * (nest.generators[g].trips - 1);
            (span < 0 ? low : high) += span;
        }
        if (low < 0 || high >= dims[d])
            return false;
    }
    return true;
}

std::int64_t rowsOf(const std::vector<CounterUse>& counters) {
    const int bits = bitsOf(counters);
    return bits > 30 ? INT64_MAX : std::int64_t{1} << bits;
}

LaneHardware planLane(const AccessPattern& pattern, const Scheme& scheme, std::size_t g,
                      std::size_t k) {
    const ir::UnrolledNest& nest = pattern.nests[pattern.groups[g].nest];
    const ir::MemoryLane& source = pattern.lane(g, k);
    LaneHardware lane;
    lane.group = g;
    lane.lane = k;
    lane.write = pattern.groups[g].write;
    if (!scheme.copyOf.empty() && !lane.write)
        lane.copy = scheme.copyOf[g][k];
    lane.always = happensAlways(source, nest, pattern.dims);
    for (std::size_t j = 0; j < nest.generators.size(); ++j) {
        const ir::Generator& generator = nest.generators[j];
        if (!uses(source, generator, j))
            continue;
        if (generator.unknown())
            lane.mode = AddressMode::Decoded;
        else if (generator.trips > 1)
            lane.counters.push_back({j, selectBits(generator.trips)});
    }
    if (!nest.counted) // the loops run outside: only there it is known when they end
        lane.mode = AddressMode::Decoded;
    if (lane.mode != AddressMode::Decoded && rowsOf(lane.counters) > kMostTableRows)
        lane.mode = AddressMode::Counted;
    lane.banks = banksSeen(scheme.maps, visitedBy(pattern, g, k));
    lane.seen = std::ranges::count(lane.banks, true);
    return lane;
}

/// LUTs of one output of a table.
std::int64_t tableLuts(int bits) {
    return bits <= 6 ? 1 : std::int64_t{1} << (bits - 6);
}

/// Whether a table per bank is smaller than an address per lane and its routing.
bool worthTabulating(const GroupHardware& group, const Scheme& scheme) {
    const int offsetBits = selectBits(scheme.depth);
    const int bankBits = selectBits(scheme.banks());
    std::int64_t outputs = 0;
    std::int64_t routed = 0;
    std::set<std::pair<std::int64_t, std::size_t>> banks;
    for (const LaneHardware& lane : group.lanes) {
        outputs += selectBits(lane.seen);
        routed += lane.seen * (offsetBits / 3 + 1) + bankBits;
        for (std::size_t b = 0; b < lane.banks.size(); ++b) {
            if (lane.banks[b])
                banks.emplace(lane.copy, b);
        }
    }
    outputs += static_cast<std::int64_t>(banks.size()) * offsetBits;
    const auto lanes = static_cast<std::int64_t>(group.lanes.size());
    return outputs * tableLuts(group.counterBits) <= routed + (lanes + 2) * stateBits(scheme);
}

GroupHardware planGroup(const AccessPattern& pattern, const Scheme& scheme, std::size_t g) {
    GroupHardware group;
    std::map<std::size_t, int> counters;
    bool known = true;
    for (std::size_t k = 0; k < pattern.groups[g].lanes.size(); ++k) {
        group.lanes.push_back(planLane(pattern, scheme, g, k));
        known = known && group.lanes.back().mode != AddressMode::Decoded;
        for (const CounterUse& use : group.lanes.back().counters)
            counters[use.generator] = use.bits;
    }
    for (const auto& [generator, bits] : counters)
        group.counters.push_back({generator, bits});
    group.counterBits = bitsOf(group.counters);
    group.tabulated =
        known && rowsOf(group.counters) <= kMostTableRows && worthTabulating(group, scheme);
    for (LaneHardware& lane : group.lanes) {
        const bool small = bitsOf(lane.counters) <= 8;
        if (!group.tabulated && lane.mode == AddressMode::Table && !small)
            lane.mode = AddressMode::Counted;
    }
    return group;
}

} // namespace

std::vector<std::size_t> indexTerms(const ir::MemoryLane& lane, const ir::UnrolledNest& nest,
                                    std::size_t dim) {
    std::vector<std::size_t> terms;
    for (std::size_t g = 0; g < nest.generators.size(); ++g) {
        if (lane.matrix[dim][g] != 0 && nest.generators[g].trips > 1)
            terms.push_back(g);
    }
    std::ranges::stable_sort(terms, {},
                             [&](std::size_t g) { return std::abs(lane.matrix[dim][g]); });
    return terms;
}

int bitsOf(const std::vector<CounterUse>& counters) {
    int bits = 0;
    for (const CounterUse& use : counters)
        bits += use.bits;
    return bits;
}

std::int64_t stateBits(const Scheme& scheme) {
    if (isParity(scheme.maps)) // counters only
        return 0;
    std::int64_t bits = 0;
    for (const ir::FlatMap& map : scheme.maps)
        bits += selectBits(map.banks * map.block);
    std::int64_t boxes = 1;
    for (std::size_t d = 0; d < scheme.box.size(); ++d) {
        bits += scheme.boxes[d] > 1 ? selectBits(scheme.box[d]) : 0;
        boxes *= scheme.boxes[d];
    }
    return bits + selectBits(boxes);
}

std::string toString(AddressMode mode) {
    return mode == AddressMode::Table     ? "a table of its counters"
           : mode == AddressMode::Counted ? "counted residues"
                                          : "decoded coordinates";
}

int selectBits(std::int64_t n) {
    return n <= 1 ? 0 : bitsFor(n);
}

HardwarePlan planHardware(const AccessPattern& pattern, const Scheme& scheme,
                          const device::Device& device) {
    HardwarePlan plan;
    for (std::size_t g = 0; g < pattern.groups.size(); ++g)
        plan.groups.push_back(planGroup(pattern, scheme, g));
    plan.blockRam = usesBlockRam(scheme.depth, pattern.bits, device);
    return plan;
}

BankTable bankTable(const AccessPattern& pattern, const Scheme& scheme,
                    const GroupHardware& group) {
    BankTable table;
    table.rows.resize(static_cast<std::size_t>(rowsOf(group.counters)));
    const std::size_t g = group.lanes.front().group;
    const ir::UnrolledNest& nest = pattern.nests[pattern.groups[g].nest];
    // Offsets that a bank serves already in a row, in the order of its ports.
    std::vector<std::vector<std::int64_t>> served(
        static_cast<std::size_t>(scheme.copies * scheme.banks()));
    forEachRow(group.counters, nest, [&](std::size_t row, const std::vector<std::int64_t>& point) {
        for (std::vector<std::int64_t>& offsets : served)
            offsets.clear();
        for (const LaneHardware& lane : group.lanes) {
            const ir::MemoryLane& source = pattern.lane(g, lane.lane);
            const Address x = addressAt(source, point);
            if (!isRunning(source, point) || !ir::isInside(x, pattern.dims))
                continue;
            const std::int64_t copy = lane.write ? -1 : lane.copy;
            const std::int64_t bank = scheme.bank(x);
            const std::int64_t offset = scheme.offset(x);
            std::vector<std::int64_t>& offsets =
                served[static_cast<std::size_t>(lane.copy * scheme.banks() + bank)];
            auto port = std::ranges::find(offsets, offset) - offsets.begin();
            if (port == std::ssize(offsets))
                offsets.push_back(offset);
            if (port < pattern.ports)
                table.rows[row].push_back({lane.lane, copy, bank, static_cast<int>(port), offset});
        }
    });
    return table;
}

} // namespace marquetry::banking
