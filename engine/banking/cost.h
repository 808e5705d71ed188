// What a bank scheme costs as built (background/banking.md, "Cost").
//
// The circuit that is priced is the one that the generator builds (hardware_plan.h). It has
// `copies` × N banks. A bank is a simple dual-port memory with a registered read. With two ports it
// has one such memory per read port, and per write port where two lanes write a bank; a register
// per word then remembers which port wrote it last. Bank addresses and selects come from tables of
// the loop counters, which are counted exactly. Where tables would be large they come from residues
// that are counted along with the loops, or from decoded coordinates, and a crossbar joins the
// lanes to the banks that they see.
//
// Every term carries its formula with the numbers in it. The terms are counted from the circuit and
// multiplied by one factor each, fitted to memories synthesised for the xc7 family
// (cost_calibration.h). The last term, "mapping", is what a boosted model of the same memories adds
// to all terms together (cost_correction.h; errors in docs/banking.md). Units: LUTs, flip-flops,
// DSP blocks and block RAMs of the device. Complexity: O(lanes · iterations) for tabulated groups,
// O(lanes · banks) for others. Thread rule: pure.
#pragma once

#include "engine/banking/hardware_plan.h"
#include "engine/banking/scheme_cost.h"
#include "engine/device/device.h"

#include <utility>
#include <vector>

namespace marquetry::banking {

SchemeCost costOf(const AccessPattern& pattern, const Scheme& scheme, const device::Device& device);
/// Of a circuit planned before.
SchemeCost costOf(const AccessPattern& pattern, const Scheme& scheme, const HardwarePlan& plan,
                  const device::Device& device);

/// Whether a bank of `depth` words is built of block RAM rather than LUT RAM: what takes less of
/// the device.
bool usesBlockRam(std::int64_t depth, std::int64_t bits, const device::Device& device);

/// The largest fraction of the device's resources, then their sum: what `area` means everywhere.
std::pair<double, double> areaOf(const device::Resources& used, const device::Resources& limits);

/// The schemes that no other one beats in LUT, FF, block RAM, DSP and words at once, cheapest area
/// first; ties in the order given.
std::vector<PricedScheme> paretoFront(const AccessPattern& pattern,
                                      const std::vector<Scheme>& schemes,
                                      const device::Device& device);

} // namespace marquetry::banking
