// Schedule → modules: one top, one module per unit, per slot and per stream, one sequencer.
//
// check() says what the hardware cannot do, before anything is generated; lowerDesign() never
// fails on a schedule that passed. Same schedule and weights, same modules, byte for byte.
// Errors (code hdl-unsupported, naming the layer, port or unit): numbers that the unit's write-back
// has not (epilogue_check.h), an offset past 31 bits or requant to a type without hardware; leaky
// with a slope of 1 or more; operand types without hardware; lanes or parallel not a power of two;
// a call that reads and writes one slot; a stream used twice. Complexity: linear in steps +
// multipliers + weights. Thread rule: pure.
#pragma once

#include "engine/cost/stream_unit.h"
#include "engine/design/schedule.h"
#include "engine/design/write_back.h"
#include "engine/lower_design/design_ports.h"
#include "engine/rtl/netlist.h"
#include "engine/rtl/ram_style.h"
#include "engine/support/result.h"

#include <map>
#include <stop_token>

namespace marquetry::hdl {

/// Everything in the schedule that has no hardware; empty when it can be generated.
Status check(const design::Schedule& schedule);

using UnitCircuits = std::map<design::UnitId, cost::StreamCircuit>;

/// Circuits by the layer that streams: those by which a design was priced.
using LayerCircuits = std::map<std::string, cost::StreamCircuit>;

/// The circuits of a schedule's stream units: those of `priced`, the others from the program's
/// weights, about a second each. Errors: those of the weights' sources and of cost::streamCircuit,
/// hdl-unsupported (the weights are not those the schedule was made for).
Result<UnitCircuits> streamCircuits(const design::Schedule& schedule, const ir::Program& program,
                                    const LayerCircuits& priced = {}, std::stop_token stop = {});

/// What the netlist calls the parts of a unit. Units without a call have none.
struct UnitNames {
    std::string module;
    std::vector<std::string> modules; ///< that and those that it has for itself
    std::string weights;              ///< the file of its memory; empty without multipliers
};

/// A design before its parts are named: the top may become a part of another one.
struct DesignModules {
    /// Of a unit; empty without a call.
    struct Unit {
        rtl::ModulePtr module;
        std::vector<rtl::ModulePtr> own;            ///< that and those that it has for itself
        std::shared_ptr<const std::string> weights; ///< of its memory; null without multipliers
    };
    rtl::ModulePtr top;
    DesignPorts ports;
    std::vector<Unit> units; ///< index: UnitId
};

/// Of a write-back that scales: design::packScales and design::packTables.
struct WriteBackContents {
    std::vector<design::ScaleFields> scales;
    std::vector<std::int64_t> tables;
};

/// `packed`: design::packWeights of every unit. Index: UnitId. The memory files of a unit whose
/// entry is empty have no text. `circuits`: of every stream unit.
/// `contents`: of every unit, or none, when the files of write-backs have no text.
DesignModules designModules(const design::Schedule& schedule,
                            const std::vector<std::vector<std::int64_t>>& packed,
                            const UnitCircuits& circuits = {},
                            const std::vector<WriteBackContents>& contents = {});

/// Index: UnitId.
std::vector<UnitNames> unitNames(const rtl::Names& names, const DesignModules& design);

struct DesignHardware {
    Netlist netlist;
    DesignNames names;
    std::vector<UnitNames> units; ///< index: UnitId
};

/// The modules, named. `vendor`: whose attributes memories get.
DesignHardware lowerDesign(const design::Schedule& schedule,
                           const std::vector<std::vector<std::int64_t>>& packed,
                           const UnitCircuits& circuits = {},
                           rtl::Vendor vendor = rtl::Vendor::Xilinx);

} // namespace marquetry::hdl
