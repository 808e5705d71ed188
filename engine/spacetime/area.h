// Area of L_st programs on a device with 6-input LUTs: LUTs, flip-flops, block RAMs, DSP blocks.
//
// The figures are in one table (area_table.h). Every operator has the area of its own hardware;
// functions of maps in space are there once for each lane, in time once. An operand that is a
// steady constant makes the operator cheaper (constants.h). A store takes registers, LUT memory or
// block RAM, whichever weighs least (area_table.h). Not counted: the control that the parts of a
// circuit share, one counter for each clock signature.
//
// Units: those of device::Resources. Complexity: linear in the graph with its functions, but for
// the reshapes (regroup.h). Thread rule: pure.
#pragma once

#include "engine/device/device.h"
#include "engine/spacetime/constants.h"
#include "engine/spacetime/regroup.h"

namespace marquetry::spacetime {

/// Area of a well-typed program, delays as they are in it.
device::Resources area(const Graph& graph, const device::Device& device);

/// Area of `copies` of a function whose inputs carry constants (those of all copies).
device::Resources area(const Graph& function, const device::Device& device, std::int64_t copies,
                       const std::vector<MaybeConstants>& inputs);

/// Area of a change of layout.
device::Resources reshapeArea(const SeqType& from, const SeqType& to, const device::Device& device);
device::Resources reshapeArea(const Regrouping& change, const device::Device& device);
/// A lower bound of its sum of fractions of the device, at little cost.
double leastReshapeFraction(const Regrouping& change, const device::Device& device);

/// Area of a product with a constant: a sum of shifted operands.
device::Resources constantProductArea(std::int64_t constant, int bits);

/// Area of one copy of a table of constants.
device::Resources tableArea(const ir::StreamTable& table);

/// Area of a store of `depth` words that are read in the order they came.
device::Resources storeArea(std::int64_t width, std::int64_t depth, const device::Device& device);

/// Largest fraction of the device's resources that is used.
double largestFraction(const device::Resources& used, const device::Device& device);
/// Sum of the fractions: the measure by which the areas of streams compare. Unlike the largest
/// fraction it is never blind to a waste of what is not the scarcest.
double sumOfFractions(const device::Resources& used, const device::Device& device);

} // namespace marquetry::spacetime
