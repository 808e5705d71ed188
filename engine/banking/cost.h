// What a bank scheme costs as built (banking draft §4; reference §E, §H6, §H7).
//
// The circuit that is priced: `copies` × N banks, each a simple dual-port memory of `depth` words;
// with two ports one such memory per read port, and per write port where two lanes write a bank,
// with a register per word that remembers who wrote it last. Per reader a data multiplexer over the
// banks it sees; per bank an address multiplexer over the lanes that see it, and enable decodes;
// per bank and writer a data multiplexer. A lane that sees one bank is a wire. Addresses are
// counted, not divided: a set of lanes in lockstep shares one set of residues u mod N·B and box
// numbers, kept in registers and stepped by one add and one conditional subtract per loop; each
// further lane adds its constant distance. Where the loops have few values a table of 6-input LUTs
// is smaller and is taken. Lanes with unknown indices decode their address: by tables when it has
// at most 12 bits, by a constant multiplication on a DSP block otherwise.
//
// Every term carries its formula with the numbers in it. The model is analytic; it is not
// calibrated on synthesis results. Units: LUTs, flip-flops, DSP blocks and block RAMs of the
// device. Complexity: O(lanes · banks). Thread rule: pure.
#pragma once

#include "engine/banking/search.h"
#include "engine/device/device.h"

#include <string>
#include <vector>

namespace marquetry::banking {

struct CostTerm {
    std::string name;    ///< "banks", "last writer", "read data", …
    std::string formula; ///< "4 banks × 16 words × 32 bits in LUTs: 4 × 32 LUT"
    device::Resources resources;
};

struct SchemeCost {
    std::vector<CostTerm> terms;
    device::Resources total;
    std::vector<std::vector<std::int64_t>> banksSeen; ///< per group and lane
};

SchemeCost costOf(const Pattern& pattern, const Scheme& scheme, const device::Device& device);

/// Whether a bank of `depth` words is built of block RAM rather than LUT RAM: what takes less of
/// the device.
bool usesBlockRam(std::int64_t depth, std::int64_t bits, const device::Device& device);

/// The largest fraction of the device's resources, then their sum: what `area` means everywhere.
std::pair<double, double> areaOf(const device::Resources& used, const device::Resources& limits);

struct PricedScheme {
    Scheme scheme;
    SchemeCost cost;
};

/// The schemes that no other one beats in LUT, FF, block RAM, DSP and words at once, cheapest area
/// first; ties in the order given.
std::vector<PricedScheme> paretoFront(const Pattern& pattern, const std::vector<Scheme>& schemes,
                                      const device::Device& device);

} // namespace marquetry::banking
