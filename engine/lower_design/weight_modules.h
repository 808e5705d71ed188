// The modules that bring weights from external memory (design/weight_image.h, weight_traffic.h),
// and rows of activations there and back (design/external_tensors.h).
//
//   reader   the AXI4 master: reads whole bursts one after another, or in ranges, into a queue of
//            beats;
//   loader   takes beats from the queue and writes them to the weight memories of the units, but
//            for those that fill up a burst;
//   ring     of a unit: which words of external weights are there, and where;
//   control  reads the weights that stay before the first run, and starts every run;
//   transfer between the AXI4 master and the loaders and storers of external tensors.
// Thread rule: pure.
#pragma once

#include "engine/lower_design/plan.h"
#include "engine/rtl/module.h"

namespace marquetry::hdl {

/// That the transfer gives and takes in a clock.
inline constexpr int kMovedBits = 8 * static_cast<int>(design::kMovedBytes);

rtl::ModulePtr weightReaderModule(const RtlPlan& plan);
rtl::ModulePtr weightLoaderModule(const RtlPlan& plan);
rtl::ModulePtr weightControlModule(const RtlPlan& plan);
/// Of a plan that writes external memory.
rtl::ModulePtr transferModule(const RtlPlan& plan);
/// Of a unit whose loaded weights have a ring.
rtl::ModulePtr weightRingModule(const UnitPlan& unit);

/// Ports of the loader for a unit: "<unit>_we" and so on.
std::string loaderPort(const UnitPlan& unit, const char* what);
/// Bits of the address that the loader writes to, of all units.
int loadAddressBits(const RtlPlan& plan);
/// Bits that it writes at once, at most.
int loadDataBits(const RtlPlan& plan);

} // namespace marquetry::hdl
