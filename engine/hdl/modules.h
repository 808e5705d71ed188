// The writers of the modules of a design, one function per kind of module.
//
// Timing, from the clock an iteration's addresses stand in the sequencer's registers (t):
//   t+1 slot and weight words read; t+2 operand and weight registers; t+3 products;
//   t+3+L adder tree of L = log2 lanes levels; t+4+L accumulators = the epilogue's input.
//   A pass enters the epilogue at t+2. A stream unit's kernel takes a pixel at t+2, in the first of
//   `interval` clocks; after latency · interval more its rows are registered, and go through the
//   epilogue from t+3 + latency · interval on. The epilogue takes epilogueStages(unit) ≤ 6 clocks;
//   its registers are written to the output's slot in the clock after.
// Thread rule: pure.
#pragma once

#include "engine/cost/stream_unit.h"
#include "engine/hdl/netlist.h"
#include "engine/hdl/plan.h"

namespace marquetry::hdl {

/// Ports and body of a simple dual-port memory, registered read of the old value, of the parameters
/// WIDTH, DEPTH and ADDRESS.
std::string dualPortMemory(bool lutRam);
/// One of a design, in block RAM or LUT RAM.
Module memoryModule(const RtlPlan& plan, bool lutRam);
/// The read-only weight banks of a unit, each filled from a memory file.
Module weightsModule(const UnitPlan& unit);
Module slotModule(const RtlPlan& plan, const design::Schedule& schedule, std::size_t slot);

/// `lanes` multipliers, their adder tree and one accumulator.
Module rowModule(const RtlPlan& plan, const UnitPlan& unit);
/// Requantisation, activation, addition and pooling of one lane.
Module epilogueModule(const RtlPlan& plan, const UnitPlan& unit);
Module unitModule(const RtlPlan& plan, const UnitPlan& unit);

/// The timed circuit of a stream unit as a module (stream_kernel.h).
Module streamUnitKernel(const UnitPlan& unit, const cost::StreamCircuit& circuit);
/// Name and ports of the module around it.
Module streamUnitInterface(const RtlPlan& plan, const UnitPlan& unit);
/// Around it: pixels in from the slot's words, whole windows out to the write-back.
Module streamUnitModule(const RtlPlan& plan, const UnitPlan& unit,
                        const cost::StreamCircuit& circuit);

Module loadModule(const RtlPlan& plan, const StreamPlan& load);
Module storeModule(const RtlPlan& plan, const StreamPlan& store);

Module sequencerModule(const RtlPlan& plan);
/// Of the steps that are joined to the one before them; only where there are some.
Module followerModule(const RtlPlan& plan);
Module topModule(const RtlPlan& plan, const design::Schedule& schedule);

/// The stages of a unit's epilogue, those no step uses left out. Widths are of signed values.
struct EpiloguePlan {
    bool requantBefore = false, activationBefore = false;
    bool requantAfter = false, activationAfter = false;
    bool pools = false;
    int inputBits = 32;
    int addendBits = 0;
    int stagesBeforeAdd = 0; ///< clocks from the epilogue's input to the adder
    int stagesBeforePool = 0;
    int stages = 0;
};
EpiloguePlan planEpilogue(const UnitPlan& unit);

int addendBits(ir::Scalar scalar);

/// Ports of a unit's mode selectors and their widths: those with more than one mode.
struct ModePort {
    std::string name;
    int width = 1;
    std::size_t StepPlan::*value = nullptr; ///< null: pool_sum
};
std::vector<ModePort> modePorts(const UnitPlan& unit);

/// Bits of the group address a unit delays for its addend.
int addendAddressBits(const RtlPlan& plan, const UnitPlan& unit);

/// Width of the selector among a unit's addends; it has one when there are two or more.
int addendSourceBits(const UnitPlan& unit);

/// Name of the memory file of one weight bank.
std::string weightFileName(const UnitPlan& unit, std::int64_t row, std::int64_t bank);

} // namespace marquetry::hdl
