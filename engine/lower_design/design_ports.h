// The ports of a design's top, and what its netlist calls them.
//
// Thread rule: one builder; names are values.
#pragma once

#include "engine/lower_design/plan.h"
#include "engine/rtl/axis_ports.h"

#include <memory>
#include <string>
#include <vector>

namespace marquetry::hdl {

struct DesignPorts {
    rtl::Expr clock, reset, start, done, busy, cycles, error;
    std::vector<rtl::AxisPorts> loads, stores; ///< index: as the plan's
    std::shared_ptr<const rtl::Named> bench;   ///< a module beside the netlist
};

DesignPorts declarePorts(rtl::Module& top, const RtlPlan& plan);

/// What benches drive, watch and are called.
struct DesignNames {
    std::string top, bench;
    std::string clock, reset, start, done, busy, cycles, error;
    std::vector<rtl::AxisNames> loads, stores; ///< index: as the plan's
};

DesignNames namesOf(const rtl::Names& names, const DesignPorts& ports);

/// Those that every netlist of the plan gives: its ports alone decide them.
DesignNames designNames(const RtlPlan& plan);

} // namespace marquetry::hdl
