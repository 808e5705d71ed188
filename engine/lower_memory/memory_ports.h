// The ports of a banked memory, and what its netlist calls them.
//
// Thread rule: one builder.
#pragma once

#include "engine/lower_memory/banked_memory.h"
#include "engine/rtl/scope.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace marquetry::hdl {

/// The ports of a lane.
struct LanePorts {
    rtl::Expr enable; ///< of writers and of lanes with an unknown index
    rtl::Expr data;
    std::vector<rtl::Expr> at; ///< coordinates, of lanes with an unknown index
};

struct MemoryPorts {
    rtl::Expr clock, reset;
    std::vector<rtl::Expr> steps;           ///< by nest
    std::map<std::string, LanePorts> lanes; ///< by name
    rtl::Expr loadEnable, loadBank, loadOffset, loadData;
    std::shared_ptr<const rtl::Named> traffic, bench; ///< modules beside the netlist
};

MemoryPorts declarePorts(rtl::Module& top, const BankedMemory& memory);

/// Those that every netlist of the memory gives: its ports alone decide them.
MemoryNames memoryNames(const BankedMemory& memory);

} // namespace marquetry::hdl
