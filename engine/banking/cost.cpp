#include "engine/banking/cost.h"

#include "engine/support/checked_math.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace marquetry::banking {

namespace {

std::string number(std::int64_t n) {
    return std::to_string(n);
}

/// Bits of an n:1 multiplexer's select; 0 when there is nothing to select.
std::int64_t selectBits(std::int64_t inputs) {
    return inputs <= 1 ? 0 : bitsFor(inputs);
}

/// LUTs of an n:1 multiplexer per bit: a 6-input LUT is a 4:1 multiplexer, so each one takes three
/// further inputs.
std::int64_t muxLuts(std::int64_t inputs) {
    return inputs <= 1 ? 0 : ceilDiv(inputs - 1, 3);
}

/// LUTs of one output that depends on `bits` bits: two 6-input LUTs and a fabric multiplexer per
/// further bit.
std::int64_t tableLuts(std::int64_t bits) {
    return bits <= 6 ? 1 : std::int64_t{1} << (bits - 6);
}

/// A bank without block RAM. LUT RAM per bit: blocks of 32 words; families without it build
/// registers.
device::Resources lutBank(std::int64_t depth, std::int64_t bits, const device::Device& device) {
    if (device.family == "ice40")
        return {0, static_cast<double>(bits * muxLuts(depth)), static_cast<double>(depth * bits),
                0};
    const std::int64_t rows = ceilDiv(depth, 32);
    return {0, static_cast<double>(bits * (rows + muxLuts(rows))), 0, 0};
}

class Pricing {
public:
    Pricing(const Pattern& pattern, const Scheme& scheme, const device::Device& device)
        : pattern_(pattern),
          scheme_(scheme),
          device_(device),
          offsetBits_(selectBits(scheme.depth)),
          bankBits_(selectBits(scheme.banks())) {}

    SchemeCost price() {
        lookAtLanes();
        priceBanks();
        priceLastWriters();
        priceReaders();
        priceBankAddresses();
        priceWriters();
        priceAddresses();
        for (const CostTerm& term : cost_.terms)
            cost_.total += term.resources;
        return std::move(cost_);
    }

private:
    struct LaneView {
        std::size_t group = 0;
        std::size_t lane = 0;
        bool write = false;
        std::int64_t copy = 0;
        std::vector<bool> banks;
        std::int64_t seen = 0;
    };

    void add(std::string name, std::string formula, device::Resources resources) {
        if (resources == device::Resources{})
            return;
        cost_.terms.push_back({std::move(name), std::move(formula), resources});
    }

    void lookAtLanes() {
        for (std::size_t g = 0; g < pattern_.groups.size(); ++g) {
            const Group& group = pattern_.groups[g];
            cost_.banksSeen.emplace_back();
            for (std::size_t k = 0; k < group.lanes.size(); ++k) {
                LaneView view{g, k, group.write, 0, {}, 0};
                if (!scheme_.copyOf.empty() && !group.write)
                    view.copy = scheme_.copyOf[g][k];
                view.banks = banksSeen(scheme_.maps, visitedBy(pattern_, g, k));
                view.seen = std::ranges::count(view.banks, true);
                cost_.banksSeen.back().push_back(view.seen);
                lanes_.push_back(std::move(view));
            }
        }
    }

    void priceBanks() {
        const std::int64_t count = scheme_.banks() * scheme_.copies * pattern_.ports * writePorts();
        const auto bits = static_cast<std::int64_t>(pattern_.bits);
        const std::string what = number(count) + " memories of " + number(scheme_.depth) +
                                 " words x " + number(bits) + " bits";
        const auto memories = static_cast<double>(count);
        if (usesBlockRam(scheme_.depth, bits, device_)) {
            const double blocks = device_.ramBlocks(scheme_.depth, bits);
            add("banks",
                what + " in " + device_.ramKind + ": " + number(count) + " x " +
                    blocksText(blocks) + " blocks",
                {0, 0, 0, memories * blocks});
            return;
        }
        const device::Resources bank = lutBank(scheme_.depth, bits, device_);
        add("banks",
            what + (bank.ff > 0 ? " in registers" : " in LUT RAM") + ": " + number(count) + " x " +
                number(static_cast<std::int64_t>(bank.lut)) + " LUT",
            memories * bank);
    }

    /// Two if two lanes may write a bank in one cycle.
    std::int64_t writePorts() const {
        const std::vector<std::int64_t> writers = fanIns(true, 0);
        const bool several = std::ranges::any_of(writers, [](std::int64_t f) { return f > 1; });
        return pattern_.ports > 1 && several ? pattern_.ports : 1;
    }

    /// Each write port has memories of its own; a bit per word in registers says which one is
    /// right.
    void priceLastWriters() {
        if (writePorts() == 1)
            return;
        const std::int64_t banks = scheme_.banks() * scheme_.copies;
        const std::int64_t luts = pattern_.ports * muxLuts(scheme_.depth) + scheme_.depth;
        add("last writer",
            number(banks) + " banks x " + number(scheme_.depth) + " words: a register each, " +
                number(pattern_.ports) + " x " + number(scheme_.depth) +
                ":1 = " + number(banks * luts) + " LUT",
            {0, static_cast<double>(banks * luts), static_cast<double>(banks * scheme_.depth), 0});
    }

    static std::string blocksText(double blocks) {
        std::string text = std::to_string(blocks);
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.')
            text.pop_back();
        return text;
    }

    /// The data of the bank that was addressed a cycle ago.
    void priceReaders() {
        std::map<std::int64_t, std::int64_t> bySeen;
        for (const LaneView& lane : lanes_) {
            if (!lane.write && lane.seen > 1)
                ++bySeen[lane.seen];
        }
        device::Resources resources;
        std::string formula;
        for (const auto& [seen, count] : bySeen) {
            const std::int64_t luts = pattern_.bits * muxLuts(seen);
            resources.lut += static_cast<double>(count * luts);
            resources.ff += static_cast<double>(count * selectBits(seen));
            formula += (formula.empty() ? "" : ", ") + number(count) + " readers x " +
                       number(pattern_.bits) + " bits x " + number(seen) +
                       ":1 = " + number(count * luts) + " LUT";
        }
        add("read data", formula, resources);
    }

    /// Lanes that see a bank, of one kind and copy: reads and writes have ports of their own.
    std::vector<std::int64_t> fanIns(bool write, std::int64_t copy) const {
        std::vector<std::int64_t> fanIn(static_cast<std::size_t>(scheme_.banks()));
        for (const LaneView& lane : lanes_) {
            if (lane.write != write || (!write && lane.copy != copy))
                continue;
            for (std::size_t b = 0; b < fanIn.size(); ++b)
                fanIn[b] += lane.banks[b] ? 1 : 0;
        }
        return fanIn;
    }

    /// Which lane a bank listens to: a comparison of each lane's bank number, then a multiplexer.
    void priceBankAddresses() {
        device::Resources resources;
        std::map<std::int64_t, std::int64_t> banksBy;
        for (std::int64_t copy = 0; copy < scheme_.copies; ++copy) {
            for (const std::int64_t f : fanIns(false, copy)) {
                if (f > 1)
                    ++banksBy[f];
            }
        }
        std::string formula;
        for (const auto& [f, count] : banksBy) {
            const std::int64_t luts =
                offsetBits_ * muxLuts(f) + f * ceilDiv(std::max<std::int64_t>(1, bankBits_), 6);
            resources.lut += static_cast<double>(count * luts);
            formula += (formula.empty() ? "" : ", ") + number(count) + " banks x (" +
                       number(offsetBits_) + " address bits x " + number(f) + ":1 + " + number(f) +
                       " compares) = " + number(count * luts) + " LUT";
        }
        add("bank address", formula, resources);
    }

    void priceWriters() {
        device::Resources resources;
        std::map<std::int64_t, std::int64_t> banksBy;
        for (const std::int64_t f : fanIns(true, 0)) {
            if (f > 0)
                ++banksBy[f];
        }
        std::string formula;
        for (const auto& [f, count] : banksBy) {
            const std::int64_t width = pattern_.bits + offsetBits_;
            const std::int64_t enables =
                anyWriterSeesMore() ? f * ceilDiv(std::max<std::int64_t>(1, bankBits_), 6) : 0;
            const std::int64_t luts = width * muxLuts(f) + enables;
            if (luts == 0)
                continue;
            resources.lut += static_cast<double>(count * scheme_.copies * luts);
            formula += (formula.empty() ? "" : ", ") + number(count * scheme_.copies) +
                       " banks x (" + number(width) + " bits x " + number(f) + ":1 + " + number(f) +
                       " enables) = " + number(count * scheme_.copies * luts) + " LUT";
        }
        add("write data", formula, resources);
    }

    bool anyWriterSeesMore() const {
        return std::ranges::any_of(
            lanes_, [](const LaneView& lane) { return lane.write && lane.seen > 1; });
    }

    // --- address logic

    /// Bits of a lane's state: the residues of all maps and the box numbers per dimension.
    std::int64_t stateBits() const {
        std::int64_t bits = 0;
        for (const ir::FlatMap& map : scheme_.maps)
            bits += selectBits(map.banks * map.block);
        for (std::size_t d = 0; d < pattern_.dims.size(); ++d)
            bits += selectBits(scheme_.boxes[d]) + selectBits(scheme_.box[d]);
        return bits;
    }

    void priceAddresses() {
        for (std::size_t g = 0; g < pattern_.groups.size(); ++g) {
            std::map<std::vector<std::vector<std::int64_t>>, std::vector<std::size_t>> sets;
            for (std::size_t k = 0; k < pattern_.groups[g].lanes.size(); ++k)
                sets[pattern_.lane(g, k).matrix].push_back(k);
            for (const auto& [matrix, lanes] : sets)
                priceLockstep(g, lanes);
        }
    }

    /// One set of lanes that move alike.
    void priceLockstep(std::size_t g, const std::vector<std::size_t>& lanes) {
        const ir::UnrolledNest& nest = pattern_.nests[pattern_.groups[g].nest];
        const auto count = static_cast<std::int64_t>(lanes.size());
        const ir::MemoryLane& first = pattern_.lane(g, lanes[0]);
        std::int64_t counters = 0;
        std::int64_t counterBits = 0;
        bool unknown = false;
        for (std::size_t j = 0; j < nest.generators.size(); ++j) {
            if (std::ranges::none_of(first.matrix, [&](const auto& row) { return row[j] != 0; }))
                continue;
            ++counters;
            unknown = unknown || nest.generators[j].unknown();
            counterBits += selectBits(nest.generators[j].trips);
        }
        if (counters == 0)
            return; // constants
        if (unknown)
            return priceDecode(count);
        const std::int64_t bits = stateBits();
        // Step the shared state in every loop; move it by a constant for every further lane.
        const std::int64_t stepLuts = 2 * bits * counters;
        const std::int64_t moveLuts = 2 * bits;
        const std::int64_t counting = stepLuts + (count - 1) * moveLuts;
        const std::int64_t outputs = offsetBits_ + bankBits_;
        const std::int64_t table =
            counterBits <= 12 ? count * outputs * tableLuts(counterBits) : counting + 1;
        if (table <= counting) {
            add("addresses",
                number(count) + " lanes x " + number(outputs) + " bits from " +
                    number(counterBits) + " counter bits = " + number(table) + " LUT",
                {0, static_cast<double>(table), static_cast<double>(counterBits), 0});
            return;
        }
        add("addresses",
            number(counters) + " loops x 2 x " + number(bits) + " state bits + " +
                number(count - 1) + " further lanes x 2 x " + number(bits) + " = " +
                number(counting) + " LUT",
            {0, static_cast<double>(counting), static_cast<double>(bits), 0});
    }

    /// Addresses that are not counted: residues and quotients of what arrives.
    void priceDecode(std::int64_t lanes) {
        std::int64_t addressBits = 0;
        for (const std::int64_t d : pattern_.dims)
            addressBits += selectBits(d);
        const std::int64_t outputs = offsetBits_ + bankBits_;
        if (addressBits <= 12) {
            const std::int64_t luts = lanes * outputs * tableLuts(addressBits);
            add("addresses",
                number(lanes) + " lanes x " + number(outputs) + " bits from " +
                    number(addressBits) + " address bits = " + number(luts) + " LUT",
                {0, static_cast<double>(luts), 0, 0});
            return;
        }
        // One multiplication by a constant and one multiply-subtract per division that is no shift.
        std::int64_t divisions = 0;
        const auto isPower = [](std::int64_t n) { return (n & (n - 1)) == 0; };
        for (const ir::FlatMap& map : scheme_.maps)
            divisions += (isPower(map.block) ? 0 : 1) + (isPower(map.banks) ? 0 : 1);
        for (const std::int64_t p : scheme_.box)
            divisions += isPower(p) ? 0 : 1;
        const std::int64_t sums = addressBits * static_cast<std::int64_t>(scheme_.maps.size());
        add("addresses",
            number(lanes) + " lanes x (" + number(divisions) +
                " divisions by constants x 2 DSP + " + number(sums) + " LUT of sums)",
            {static_cast<double>(2 * lanes * divisions), static_cast<double>(lanes * sums),
             static_cast<double>(lanes * addressBits), 0});
    }

    const Pattern& pattern_;
    const Scheme& scheme_;
    const device::Device& device_;
    std::int64_t offsetBits_;
    std::int64_t bankBits_;
    std::vector<LaneView> lanes_;
    SchemeCost cost_;
};

bool noWorse(const PricedScheme& a, const PricedScheme& b) {
    const device::Resources& x = a.cost.total;
    const device::Resources& y = b.cost.total;
    return x.lut <= y.lut && x.ff <= y.ff && x.bram <= y.bram && x.dsp <= y.dsp &&
           a.scheme.words <= b.scheme.words;
}

} // namespace

SchemeCost costOf(const Pattern& pattern, const Scheme& scheme, const device::Device& device) {
    return Pricing(pattern, scheme, device).price();
}

bool usesBlockRam(std::int64_t depth, std::int64_t bits, const device::Device& device) {
    const device::Resources block{0, 0, 0, device.ramBlocks(depth, bits)};
    return areaOf(block, device.limits) < areaOf(lutBank(depth, bits, device), device.limits);
}

std::pair<double, double> areaOf(const device::Resources& used, const device::Resources& limits) {
    double largest = 0;
    double sum = 0;
    const auto part = [&](double amount, double limit) {
        const double fraction = amount == 0 ? 0 : limit > 0 ? amount / limit : 1e9;
        largest = std::max(largest, fraction);
        sum += fraction;
    };
    part(used.dsp, limits.dsp);
    part(used.lut, limits.lut);
    part(used.ff, limits.ff);
    part(used.bram, limits.bram);
    return {largest, sum};
}

std::vector<PricedScheme> paretoFront(const Pattern& pattern, const std::vector<Scheme>& schemes,
                                      const device::Device& device) {
    std::vector<PricedScheme> priced;
    for (const Scheme& scheme : schemes)
        priced.push_back({scheme, costOf(pattern, scheme, device)});
    std::ranges::stable_sort(priced, {}, [&](const PricedScheme& p) {
        return std::tuple(areaOf(p.cost.total, device.limits), p.scheme.words);
    });
    std::vector<PricedScheme> front;
    for (PricedScheme& candidate : priced) {
        const bool beaten =
            std::ranges::any_of(front, [&](const auto& f) { return noWorse(f, candidate); });
        if (!beaten)
            front.push_back(std::move(candidate));
    }
    return front;
}

} // namespace marquetry::banking
