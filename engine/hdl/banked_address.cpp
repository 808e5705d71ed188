#include "engine/hdl/banked_address.h"

#include "engine/support/checked_math.h"

namespace marquetry::hdl {

using banking::Address;

std::string counterName(std::size_t nest, std::size_t generator) {
    return cat("n", nest, "_k", generator);
}

int BankCode::width(const banking::Scheme& scheme) {
    int bits = 0;
    for (const ir::FlatMap& map : scheme.maps)
        bits += selectBits(map.banks);
    return bits;
}

std::int64_t BankCode::of(const banking::Scheme& scheme, std::int64_t bank) {
    std::int64_t code = 0;
    int shift = 0;
    for (std::size_t m = scheme.maps.size(); m-- > 0;) {
        code |= bank % scheme.maps[m].banks << shift;
        bank /= scheme.maps[m].banks;
        shift += selectBits(scheme.maps[m].banks);
    }
    return code;
}

const ir::MemoryLane& AddressLogic::source(const BankedLane& lane) const {
    return memory_.pattern.lane(lane.hardware.group, lane.hardware.lane);
}

std::size_t AddressLogic::nestOf(const BankedLane& lane) const {
    return memory_.pattern.groups[lane.hardware.group].nest;
}

std::vector<std::size_t> AddressLogic::loopsOf(std::size_t nest) const {
    std::vector<std::size_t> loops;
    const auto& generators = memory_.pattern.nests[nest].generators;
    for (std::size_t g = 0; g < generators.size(); ++g) {
        if (generators[g].trips > 1)
            loops.push_back(g);
    }
    return loops;
}

std::int64_t AddressLogic::modulus(std::size_t map) const {
    return memory_.scheme.maps[map].banks * memory_.scheme.maps[map].block;
}

int AddressLogic::offsetBits() const {
    return selectBits(memory_.scheme.depth);
}

std::int64_t AddressLogic::stride(std::size_t dim) const {
    std::int64_t words = 1;
    for (const std::int64_t w : memory_.scheme.wordsIn)
        words *= w;
    for (std::size_t d = dim + 1; d < memory_.scheme.boxes.size(); ++d)
        words *= memory_.scheme.boxes[d];
    return words;
}

// --- counters

void AddressLogic::writeCounters() {
    Body& body = logic_.body();
    for (std::size_t nest = 0; nest < memory_.pattern.nests.size(); ++nest) {
        const std::vector<std::size_t> loops = loopsOf(nest);
        for (const std::size_t g : loops) {
            const std::int64_t trips = memory_.pattern.nests[nest].generators[g].trips;
            const std::string name = counterName(nest, g);
            const int width = selectBits(trips);
            body.line("reg  ", range(width), name, "; // ",
                      memory_.pattern.nests[nest].generators[g].name, ": ", trips, " trips");
            body.line("wire ", name, "_last = ", name, " == ", literal(width, trips - 1), ";");
        }
        std::string moves = cat("step", nest);
        for (std::size_t k = loops.size(); k-- > 0;) {
            const std::string name = counterName(nest, loops[k]);
            body.line("wire ", name, "_moves = ", moves, ";");
            moves = cat(name, "_moves & ", name, "_last");
        }
        body.line("wire n", nest, "_wraps = ", moves, ";");
        for (const std::size_t g : loops) {
            const std::string name = counterName(nest, g);
            const std::int64_t trips = memory_.pattern.nests[nest].generators[g].trips;
            const int width = selectBits(trips);
            const Signal next =
                logic_.addModulo({name, width, -1}, Logic::constant(1, width), trips).value;
            body.line("always @(posedge aclk)");
            body.line("    if (!aresetn)");
            body.line("        ", name, " <= ", literal(width, 0), ";");
            body.line("    else if (", name, "_moves)");
            body.line("        ", name, " <= ", next.text, ";");
        }
    }
}

Signal AddressLogic::counters(std::size_t nest, const std::vector<banking::CounterUse>& uses) {
    std::vector<Signal> parts;
    std::string key;
    for (const banking::CounterUse& use : uses) {
        parts.push_back({counterName(nest, use.generator), use.bits, -1});
        key += parts.back().text + ",";
    }
    const auto [entry, isNew] = counterSets_.try_emplace(key);
    if (isNew)
        entry->second = logic_.concat(parts);
    return entry->second;
}

// --- lanes

LaneAddress AddressLogic::address(const BankedLane& lane) {
    if (lane.hardware.mode == banking::AddressMode::Table)
        return tabulated(lane);
    if (lane.hardware.mode == banking::AddressMode::Decoded)
        return finish(decoded(lane), Logic::constant(1, 1));
    const State& base = counted(lane);
    const std::size_t first = sets_.at({lane.hardware.group, source(lane).matrix}).second;
    const ir::MemoryLane& from = memory_.pattern.lane(lane.hardware.group, first);
    Address distance;
    for (std::size_t d = 0; d < from.offset.size(); ++d)
        distance.push_back(source(lane).offset[d] - from.offset[d]);
    return finish(moved(base, moveBy(distance)), happens(lane));
}

LaneAddress AddressLogic::tabulated(const BankedLane& lane) {
    const Signal index = counters(nestOf(lane), lane.hardware.counters);
    const std::size_t rows = std::size_t{1} << index.width;
    std::vector<std::int64_t> codes(rows, Logic::kAny);
    std::vector<std::int64_t> offsets(rows, Logic::kAny);
    std::vector<std::int64_t> active(rows, Logic::kAny);
    banking::forEachRow(lane.hardware.counters, memory_.pattern.nests[nestOf(lane)],
                        [&](std::size_t row, const std::vector<std::int64_t>& point) {
                            const Address x = addressAt(source(lane), point);
                            active[row] = 0;
                            if (!isRunning(source(lane), point) ||
                                !ir::isInside(x, memory_.pattern.dims))
                                return;
                            active[row] = 1;
                            codes[row] = BankCode::of(memory_.scheme, memory_.scheme.bank(x));
                            offsets[row] = memory_.scheme.offset(x);
                        });
    LaneAddress address;
    address.happens = lane.hardware.always ? Logic::constant(1, 1) : logic_.table(index, active, 1);
    address.code = logic_.table(index, codes, BankCode::width(memory_.scheme));
    address.offset = logic_.table(index, offsets, offsetBits());
    return address;
}

LaneAddress AddressLogic::finish(const State& state, Signal happens) {
    const banking::Scheme& scheme = memory_.scheme;
    std::vector<Signal> numbers;
    Signal offset = state.chunk;
    std::int64_t weight = 1;
    for (const std::int64_t words : scheme.wordsIn)
        weight *= words;
    for (std::size_t m = 0; m < scheme.maps.size(); ++m) {
        weight /= scheme.wordsIn[m];
        const auto inBlock = logic_.divide(state.residues[m], scheme.maps[m].block, modulus(m));
        numbers.push_back(logic_.fit(inBlock.quotient, selectBits(scheme.maps[m].banks)));
        const auto rank =
            logic_.divide(inBlock.remainder, std::min(scheme.units[m], scheme.maps[m].block),
                          scheme.maps[m].block);
        if (scheme.wordsIn[m] > 1)
            offset =
                logic_.add(offset, logic_.times(rank.quotient, weight, offsetBits()), offsetBits());
    }
    return {std::move(happens), logic_.concat(numbers), logic_.fit(offset, offsetBits())};
}

Signal AddressLogic::happens(const BankedLane& lane) {
    if (lane.hardware.always)
        return Logic::constant(1, 1);
    const std::size_t nest = nestOf(lane);
    const auto& generators = memory_.pattern.nests[nest].generators;
    std::string conditions = "1'b1";
    for (std::size_t g = 0; g < source(lane).trips.size(); ++g) {
        if (source(lane).trips[g] != generators[g].trips)
            conditions += cat(" & ", counterName(nest, g), " < ",
                              literal(selectBits(generators[g].trips), source(lane).trips[g]));
    }
    for (std::size_t d = 0; d < memory_.pattern.dims.size(); ++d) {
        std::int64_t low = source(lane).offset[d];
        std::int64_t high = low;
        for (std::size_t g = 0; g < generators.size(); ++g) {
            const std::int64_t span = source(lane).matrix[d][g] * (generators[g].trips - 1);
            (span < 0 ? low : high) += span;
        }
        if (low >= 0 && high < memory_.pattern.dims[d])
            continue;
        const int width = 1 + bitsFor(std::max({-low, high + 1, memory_.pattern.dims[d]}));
        Signal x = Logic::constant(source(lane).offset[d], width);
        for (std::size_t g = 0; g < generators.size(); ++g) {
            const std::int64_t factor = source(lane).matrix[d][g];
            if (factor == 0 || generators[g].trips == 1)
                continue;
            const Signal counter{counterName(nest, g), selectBits(generators[g].trips), -1};
            x = logic_.add(x, logic_.times(counter, factor, width), width);
        }
        // Negative ones are large without their sign.
        conditions += cat(" & ", x.text, " < ", literal(width, memory_.pattern.dims[d]));
    }
    return logic_.wire(1, conditions);
}

} // namespace marquetry::hdl
