// The ports of a design's top, and what its netlist calls them.
//
// Thread rule: one builder; names are values.
#pragma once

#include "engine/lower_design/plan.h"
#include "engine/rtl/axi_write_ports.h"
#include "engine/rtl/axis_ports.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::hdl {

/// Of a design with external weights or tensors.
template <class Wire>
struct WeightPorts {
    rtl::AxiRead<Wire> axi;
    Wire base;   ///< address of the image, a multiple of 4096
    Wire reload; ///< the next run reads the weights that stay again
    Wire stalls; ///< of `cycles`, those in which steps waited for external memory
    std::optional<rtl::AxiWrite<Wire>> write{}; ///< of one with external tensors
    /// Of `stalls`, those in which rows of external tensors were waited for, and no weights: to be
    /// loaded, or to be taken. Of one with external tensors.
    Wire stallsLoads{}, stallsStores{};
};

struct DesignPorts : rtl::TopPorts {
    rtl::Expr start, done, busy, cycles;
    std::vector<rtl::AxisPorts> loads, stores; ///< index: as the plan's
    std::optional<WeightPorts<rtl::Expr>> memory{};
};

DesignPorts declarePorts(rtl::Module& top, const RtlPlan& plan);

/// What benches drive, watch and are called.
struct DesignNames : rtl::TopNames {
    std::string start, done, busy, cycles;
    std::vector<rtl::AxisNames> loads, stores; ///< index: as the plan's
    std::optional<WeightPorts<std::string>> memory{};
};

DesignNames namesOf(const rtl::Names& names, const DesignPorts& ports);

/// Those that every netlist of the plan gives: its ports alone decide them.
DesignNames designNames(const RtlPlan& plan);

} // namespace marquetry::hdl
