// The assertions of a banked memory: where every lane must go, by multiplication and division, and
// whether a bank is asked for too much. Simulation and formal proofs only.
#include "engine/banking/flat_maps.h"
#include "engine/lower_memory/banked_crossbar.h"
#include "engine/rtl/library.h"

#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

/// Bits that hold every number of the reference, negative coordinates as large ones.
int referenceBits(const BankedMemory& memory) {
    std::int64_t most = std::max(memory.pattern.words(), memory.scheme.words);
    for (const ir::FlatMap& map : memory.scheme.maps) {
        std::int64_t u = map.banks * map.block;
        if (map.form == ir::MapForm::Parity)
            continue;
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

} // namespace

/// A coordinate of the current iteration.
Expr Crossbar::referenceAt(const BankedLane& lane, std::size_t dim, int width) {
    const ir::MemoryLane& source = memory_.pattern.lane(lane.hardware.group, lane.hardware.lane);
    const std::size_t nest = memory_.pattern.groups[lane.hardware.group].nest;
    const auto& generators = memory_.pattern.nests[nest].generators;
    if (lane.hardware.mode == banking::AddressMode::Decoded)
        return ports_.lanes.at(lane.name).at[dim].extended(width);
    Expr at = rtl::constant(source.offset[dim], width);
    for (std::size_t g = 0; g < generators.size(); ++g) {
        if (source.matrix[dim][g] != 0 && generators[g].trips > 1)
            at = at + rtl::constant(source.matrix[dim][g], width) *
                          addresses_.counter(nest, g).extended(width);
    }
    return at;
}

/// <lane>_at<d>, _happens, _bank, _offset and _word (row-major) of the current iteration.
Crossbar::Reference Crossbar::writeReference(const BankedLane& lane, int width) {
    const banking::Scheme& scheme = memory_.scheme;
    const banking::LaneHardware& hardware = lane.hardware;
    const ir::MemoryLane& source = memory_.pattern.lane(hardware.group, hardware.lane);
    const std::size_t nest = memory_.pattern.groups[hardware.group].nest;
    const auto& generators = memory_.pattern.nests[nest].generators;
    const auto number = [&](std::int64_t n) { return rtl::constant(n, width); };
    logic_.serve(lane.name + "_check");
    const Expr& enable = ports_.lanes.at(lane.name).enable;
    Reference reference{enable.width() == 0 ? rtl::constant(1, 1) : enable, number(0), number(0),
                        number(0)};
    std::vector<Expr> at;
    for (std::size_t d = 0; d < memory_.pattern.dims.size(); ++d) {
        const std::int64_t extent = memory_.pattern.dims[d];
        at.push_back(module_.wire(cat(lane.name, "_at", d), referenceAt(lane, d, width)));
        reference.happens = reference.happens & (at[d] < extent);
        reference.word = reference.word * number(extent) + at[d];
    }
    for (std::size_t g = 0; g < generators.size(); ++g) {
        if (!generators[g].unknown() && source.trips[g] != generators[g].trips)
            reference.happens = reference.happens & (addresses_.counter(nest, g) < source.trips[g]);
    }
    if (banking::isParity(scheme.maps))
        writeParityReference(at, width, reference);
    else
        writeModularReference(lane, at, width, reference);
    return {module_.wire(lane.name + "_happens", reference.happens),
            module_.wire(lane.name + "_word", reference.word),
            module_.wire(lane.name + "_bank", reference.bank),
            module_.wire(lane.name + "_offset", reference.offset)};
}

void Crossbar::writeModularReference(const BankedLane& lane, const std::vector<Expr>& at, int width,
                                     Reference& reference) {
    const banking::Scheme& scheme = memory_.scheme;
    const auto number = [&](std::int64_t n) { return rtl::constant(n, width); };
    for (std::size_t d = 0; d < scheme.box.size(); ++d) {
        const std::int64_t size = scheme.box[d];
        const Expr box = quotient(
            at[d], memory_.pattern.dims[d], [size](std::int64_t x) { return x / size; },
            at[d] / number(size));
        reference.offset = reference.offset * number(scheme.boxes[d]) + box;
    }
    for (std::size_t m = 0; m < scheme.maps.size(); ++m) {
        const ir::FlatMap& map = scheme.maps[m];
        Expr u = number(0);
        std::int64_t bound = 1;
        for (std::size_t d = 0; d < map.alpha.size(); ++d) {
            u = u + number(map.alpha[d]) * at[d];
            bound += map.alpha[d] * (memory_.pattern.dims[d] - 1);
        }
        const Expr sum = module_.wire(cat(lane.name, "_sum", m), u);
        const std::int64_t unit = scheme.units[m];
        const Expr bank = quotient(
            sum, bound, [&map](std::int64_t n) { return n / map.block % map.banks; },
            sum / number(map.block) % number(map.banks));
        const Expr offset = quotient(
            sum, bound, [&](std::int64_t n) { return n % map.block / unit; },
            sum % number(map.block) / number(unit));
        reference.bank = reference.bank * number(map.banks) + bank;
        reference.offset = reference.offset * number(scheme.wordsIn[m]) + offset;
    }
}

/// The ones under each mask, counted; the offset bit by bit.
void Crossbar::writeParityReference(const std::vector<Expr>& at, int width, Reference& reference) {
    const banking::Scheme& scheme = memory_.scheme;
    const auto number = [&](std::int64_t n) { return rtl::constant(n, width); };
    const auto bit = [&](std::size_t dim, int place) { return at[dim].bit(place).extended(width); };
    for (std::size_t d = 0; d < at.size(); ++d) {
        Expr rest = number(0);
        std::int64_t weight = 1;
        for (int place = 0; place < selectBits(memory_.pattern.dims[d]); ++place) {
            if ((scheme.replaced[d] >> place & 1) != 0)
                continue;
            rest = rest + number(weight) * bit(d, place);
            weight *= 2;
        }
        reference.offset = reference.offset * number(scheme.boxes[d]) + rest;
    }
    for (const ir::FlatMap& map : scheme.maps) {
        Expr ones = number(0);
        for (std::size_t d = 0; d < at.size(); ++d) {
            for (int place = 0; place < selectBits(memory_.pattern.dims[d]); ++place) {
                if ((map.alpha[d] >> place & 1) != 0)
                    ones = ones + bit(d, place);
            }
        }
        reference.bank = reference.bank * number(2) + (ones & number(1));
    }
}

/// What a division leaves of a signal below `bound`: looked up, or divided when there are too many
/// values. A table keeps proofs short.
Expr Crossbar::quotient(const Expr& of, std::int64_t bound,
                        const std::function<std::int64_t(std::int64_t)>& value,
                        const Expr& division) {
    constexpr std::int64_t kMostLookedUp = 1024;
    if (bound > kMostLookedUp)
        return division;
    std::vector<std::int64_t> rows;
    for (std::int64_t n = 0; n < bound; ++n)
        rows.push_back(value(n));
    const int width = selectBits(*std::ranges::max_element(rows) + 1);
    return logic_.table(logic_.fit(of, selectBits(bound)), rows, width).extended(of.width());
}

/// A bank is asked for more different words than it has ports.
Expr Crossbar::writeConflict(std::size_t group, int width,
                             const std::map<std::string, Reference>& references) {
    std::vector<Expr> asks;
    std::vector<Expr> banks;
    std::vector<Expr> words;
    for (const BankedLane& lane : memory_.lanes) {
        if (lane.hardware.group != group)
            continue;
        const Reference& reference = references.at(lane.name);
        asks.insert(asks.begin(), reference.happens);
        banks.insert(banks.begin(), reference.bank + lane.hardware.copy * memory_.scheme.banks());
        words.insert(words.begin(), reference.word);
    }
    if (!conflicts_)
        conflicts_ = rtl::bankConflict(memory_.name + "_conflict");
    const Expr conflict = module_.wire(cat("g", group, "_conflict"), rtl::bits(1));
    module_.instance(
        conflicts_, cat("g", group, "_banks"),
        {{"asks", rtl::join(asks)},
         {"banks", rtl::join(banks)},
         {"words", rtl::join(words)},
         {"conflict", conflict}},
        {{"LANES", std::ssize(asks)}, {"WIDTH", width}, {"PORTS", memory_.pattern.ports}});
    return conflict;
}

/// The lane's bank, and the address on that bank's port, are the reference's.
Expr Crossbar::routeCheck(const BankedLane& lane, int width, const Reference& reference) {
    const bool write = lane.hardware.write;
    const auto reaches = [&](const BankPort& at) {
        const Drive& drive = (write ? writePorts_ : readPorts_).at(at);
        Expr right =
            (reference.bank == at.bank) & (reference.offset == drive.offset.extended(width));
        if (write)
            right = right & drive.when & (ports_.lanes.at(lane.name).data == drive.data);
        return right;
    };
    Expr any = rtl::constant(0, 1);
    if (!write) {
        const Route& route = routes_.at(lane.name);
        for (std::size_t k = 0; k < route.choices.size(); ++k) {
            if (!route.choices[k])
                continue;
            const Expr here = reaches(*route.choices[k]);
            const bool known = route.select.constant().has_value();
            any = any | (known ? here : (route.select == static_cast<std::int64_t>(k)) & here);
        }
        return any;
    }
    for (std::size_t b = 0; b < lane.hardware.banks.size(); ++b) {
        for (int port = 0; port < memory_.pattern.ports; ++port) {
            const BankPort at{0, static_cast<std::int64_t>(b), port};
            if (lane.hardware.banks[b] && writePorts_.contains(at))
                any = any | reaches(at);
        }
    }
    return any;
}

void Crossbar::writeChecks() {
    const int width = referenceBits(memory_);
    module_.note("Where each lane must go, by division, and whether a bank is asked for too much.");
    std::map<std::string, Reference> references;
    for (const BankedLane& lane : memory_.lanes)
        references[lane.name] = writeReference(lane, width);
    std::vector<Expr> conflicts;
    for (std::size_t g = 0; g < memory_.pattern.groups.size(); ++g)
        conflicts.push_back(writeConflict(g, width, references));
    assertAll(references, conflicts, width);
}

void Crossbar::assertAll(const std::map<std::string, Reference>& references,
                         const std::vector<Expr>& conflicts, int width) {
    rtl::Assertions all{ports_.clock, ports_.reset, {}, {}, nullptr};
    for (std::size_t g = 0; g < conflicts.size(); ++g)
        all.wrong.push_back({stepOf(g) & conflicts[g],
                             memory_.name + ": a bank is asked for more words than it has ports"});
    for (const BankedLane& lane : memory_.lanes) {
        const Reference& reference = references.at(lane.name);
        const Expr right = module_.wire(lane.name + "_right", routeCheck(lane, width, reference));
        all.wrong.push_back({stepOf(lane.hardware.group) & reference.happens & ~right,
                             memory_.name + ": " + lane.name + " does not reach its word"});
    }
    for (std::size_t nest = 0; nest < memory_.pattern.nests.size(); ++nest) {
        const auto& generators = memory_.pattern.nests[nest].generators;
        for (std::size_t g = 0; g < generators.size(); ++g) {
            if (generators[g].trips > 1)
                all.invariants.push_back(
                    addresses_.counter(nest, g) <=
                    rtl::constantLike(addresses_.counter(nest, g), generators[g].trips - 1));
        }
    }
    module_.assertions(std::move(all));
}

} // namespace marquetry::hdl
