#include "engine/lower_memory/banked_address.h"

#include "engine/banking/flat_maps.h"
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

const Expr& AddressLogic::counter(std::size_t nest, std::size_t generator) const {
    return counters_.at({nest, generator}).value;
}

void AddressLogic::writeCounters() {
    for (std::size_t nest = 0; nest < memory_.pattern.nests.size(); ++nest)
        writeNest(nest);
}

void AddressLogic::writeNest(std::size_t nest) {
    rtl::Module& module = logic_.module();
    const auto& generators = memory_.pattern.nests[nest].generators;
    const std::vector<std::size_t> loops = loopsOf(nest);
    for (const std::size_t g : loops) {
        const std::string name = counterName(nest, g);
        const std::int64_t trips = generators[g].trips;
        module.note(cat(name, ": loop ", generators[g].name, " of ", trips, " trips"));
        const Expr value = module.reg(name, rtl::bits(selectBits(trips)));
        const Expr last = module.wire(name + "_last", value == trips - 1);
        counters_[{nest, g}] = {value, last, {}};
    }
    Expr moves = ports_.steps[nest];
    for (std::size_t k = loops.size(); k-- > 0;) {
        Counter& counter = counters_.at({nest, loops[k]});
        counter.moves = module.wire(counterName(nest, loops[k]) + "_moves", moves);
        moves = counter.moves & counter.last;
    }
    wraps_.push_back(module.wire(cat("n", nest, "_wraps"), moves));
    std::vector<Expr> nexts;
    for (const std::size_t g : loops) {
        logic_.serve(counterName(nest, g) + "_next");
        const Expr& value = counter(nest, g);
        nexts.push_back(
            logic_.addModulo(value, rtl::constant(1, value.width()), generators[g].trips).value);
    }
    if (loops.empty())
        return;
    module.clocked(ports_.clock, [&](rtl::Block& block) {
        block.when(~ports_.reset, [&](rtl::Block& then) {
            for (const std::size_t g : loops)
                then.set(counter(nest, g), rtl::zeros(counter(nest, g).size()));
        });
        block.otherwise([&](rtl::Block& runs) {
            for (std::size_t k = 0; k < loops.size(); ++k)
                runs.when(counters_.at({nest, loops[k]}).moves,
                          [&](rtl::Block& then) { then.set(counter(nest, loops[k]), nexts[k]); });
        });
    });
}

Expr AddressLogic::counters(std::size_t nest, const std::vector<banking::CounterUse>& uses) {
    std::vector<Expr> parts;
    for (const banking::CounterUse& use : uses)
        parts.push_back(logic_.bitsOf(counter(nest, use.generator), 0, use.bits));
    return rtl::join(parts);
}

// --- lanes

LaneAddress AddressLogic::address(const BankedLane& lane) {
    if (lane.hardware.mode == banking::AddressMode::Table)
        return tabulated(lane);
    if (banking::isParity(memory_.scheme.maps))
        return parity(lane);
    if (lane.hardware.mode == banking::AddressMode::Decoded)
        return finish(decoded(lane), rtl::constant(1, 1));
    const State& base = counted(lane);
    const std::size_t first = sets_.at({lane.hardware.group, source(lane).matrix}).second;
    const ir::MemoryLane& from = memory_.pattern.lane(lane.hardware.group, first);
    Address distance;
    for (std::size_t d = 0; d < from.offset.size(); ++d)
        distance.push_back(source(lane).offset[d] - from.offset[d]);
    return finish(moved(base, moveBy(distance)), happens(lane));
}

LaneAddress AddressLogic::tabulated(const BankedLane& lane) {
    const Expr index = counters(nestOf(lane), lane.hardware.counters);
    const std::size_t rows = std::size_t{1} << index.width();
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
    address.happens = lane.hardware.always ? rtl::constant(1, 1) : logic_.table(index, active, 1);
    address.code = logic_.table(index, codes, BankCode::width(memory_.scheme));
    address.offset = logic_.table(index, offsets, offsetBits());
    return address;
}

LaneAddress AddressLogic::finish(const State& state, Expr happens) {
    const banking::Scheme& scheme = memory_.scheme;
    std::vector<Expr> numbers;
    Expr offset = state.chunk;
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
    return {std::move(happens), logic_.named(rtl::join(numbers)), logic_.fit(offset, offsetBits())};
}

Expr AddressLogic::happens(const BankedLane& lane) {
    Expr happens = rtl::constant(1, 1);
    if (lane.hardware.always)
        return happens;
    const std::size_t nest = nestOf(lane);
    const auto& generators = memory_.pattern.nests[nest].generators;
    for (std::size_t g = 0; g < source(lane).trips.size(); ++g) {
        if (source(lane).trips[g] != generators[g].trips)
            happens = happens & (counter(nest, g) < source(lane).trips[g]);
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
        // Negative ones are large without their sign.
        happens = happens & (coordinate(lane, d, width) < memory_.pattern.dims[d]);
    }
    return logic_.named(happens);
}

Expr AddressLogic::coordinate(const BankedLane& lane, std::size_t dim, int width) {
    const std::size_t nest = nestOf(lane);
    const auto& generators = memory_.pattern.nests[nest].generators;
    Expr x = rtl::constant(source(lane).offset[dim], width);
    for (std::size_t g = 0; g < generators.size(); ++g) {
        const std::int64_t factor = source(lane).matrix[dim][g];
        if (factor != 0 && generators[g].trips > 1)
            x = logic_.add(x, logic_.times(counter(nest, g), factor, width), width);
    }
    return x;
}

} // namespace marquetry::hdl
