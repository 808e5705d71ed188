// The modules of a design, one function per kind of module.
//
// Timing, from the clock an iteration's addresses stand in the sequencer's registers (t):
//   t+1 slot and weight words read; t+2 operand and weight registers; t+3 products;
//   t+3+L adder tree of L = log2 lanes levels; t+4+L accumulators = the epilogue's input. A lane
//   unit has no tree: L = 0; the accumulators of a pool's are at t+3.
//   A pass enters the epilogue at t+2. A stream unit's kernel takes a pixel at t+2, in the first of
//   `interval` clocks; after latency · interval more its rows are registered, and go through the
//   epilogue from t+3 + latency · interval on. The epilogue takes epilogueStages(unit) ≤ 6 clocks;
//   its registers are written to the output's slot in the clock after. A write-back that scales
//   takes ≤ 40 clocks for the first of its results, and one more for each group of them behind it.
// Thread rule: pure but for the library, which has one builder.
#pragma once

#include "engine/cost/stream_unit.h"
#include "engine/lower_design/design_library.h"
#include "engine/lower_design/design_ports.h"
#include "engine/rtl/netlist.h"

namespace marquetry::hdl {

using SharedText = std::shared_ptr<const std::string>;

/// The weights of a unit, all rows of a word side by side: read only, filled from a memory file of
/// this text, or loaded.
rtl::ModulePtr weightsModule(const RtlPlan& plan, const UnitPlan& unit, const SharedText& weights);

/// Requantisation, activation, addition and pooling of one lane.
rtl::ModulePtr epilogueModule(const UnitPlan& unit);
/// Texts of the memories of a write-back that scales.
struct WriteBackTexts {
    SharedText scales;
    SharedText tables;
};
/// The write-back of a unit that scales its results, all lanes of it. From the clock of the sums.
rtl::ModulePtr writeBackModule(DesignLibrary& library, const RtlPlan& plan, const UnitPlan& unit,
                               const WriteBackTexts& texts);
/// `weights`: the text of their file, where the unit has multipliers.
rtl::ModulePtr unitModule(DesignLibrary& library, const RtlPlan& plan, const UnitPlan& unit,
                          const SharedText& weights, const WriteBackTexts& texts);

/// The timed circuit of a stream unit as a module (stream_kernel.h).
rtl::ModulePtr streamUnitKernel(DesignLibrary& library, const UnitPlan& unit,
                                const cost::StreamCircuit& circuit);
/// Around it: pixels in from the slot's words, whole windows out to the write-back.
rtl::ModulePtr streamUnitModule(DesignLibrary& library, const RtlPlan& plan, const UnitPlan& unit,
                                const cost::StreamCircuit& circuit);

rtl::ModulePtr loadModule(const RtlPlan& plan, const StreamPlan& load);
rtl::ModulePtr storeModule(const RtlPlan& plan, const StreamPlan& store);

rtl::ModulePtr moveModule(const RtlPlan& plan, const MovePlan& move);
rtl::ModulePtr softmaxModule(DesignLibrary& library, const RtlPlan& plan, const RowPlan& rows);
rtl::ModulePtr layerNormModule(const RtlPlan& plan, const RowPlan& rows);
/// Of a function of elements; `constants`: the text of their file, where it has some.
rtl::ModulePtr elementsModule(const RtlPlan& plan, const RowPlan& rows,
                              const SharedText& constants);

rtl::ModulePtr sequencerModule(const RtlPlan& plan);
/// Of the steps that run beside others; only where there are some.
rtl::ModulePtr followerModule(const RtlPlan& plan, std::size_t follower);
/// A comment for each step, of rounds that are alike for one.
void describeSteps(rtl::Module& m, const RtlPlan& plan);
/// Of a follower, as an instance and at the end of its module's name.
std::string followerName(std::size_t follower);
/// Of the leader's output that starts it.
std::string pulseName(std::size_t follower);
/// Runs the loads and stores of the queue of transfers; only where there are some.
rtl::ModulePtr transferQueueModule(const RtlPlan& plan);

/// What the top is made of. Units without a call are null.
struct DesignParts {
    std::vector<rtl::ModulePtr> units;  ///< index: UnitId
    std::vector<rtl::ModulePtr> loads;  ///< index: as the plan's loaders()
    std::vector<rtl::ModulePtr> stores; ///< index: as its storers()
    std::vector<rtl::ModulePtr> moves;
    std::vector<rtl::ModulePtr> rows;
    rtl::ModulePtr sequencer;
    std::vector<rtl::ModulePtr> followers; ///< of calls beside others
    rtl::ModulePtr transferQueue;          ///< null where no transfer does
    /// Null without external memory (weight_modules.h).
    rtl::ModulePtr weightReader, weightLoader, weightControl;
    rtl::ModulePtr transfer; ///< null where no step moves external tensors
};
struct TopModule {
    rtl::ModulePtr module;
    DesignPorts ports;
};
TopModule topModule(DesignLibrary& library, const RtlPlan& plan, const design::Schedule& schedule,
                    const DesignParts& parts);

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
std::vector<ModePort> modePorts(const UnitPlan& unit); ///< of its epilogue
/// Of its epilogue and its operand register, as a sequencer drives them.
std::vector<ModePort> controlModes(const UnitPlan& unit);

/// Bits of the group address a unit delays for its addend.
int addendAddressBits(const RtlPlan& plan, const UnitPlan& unit);

/// Width of the selector among a unit's addends; it has one when there are two or more.
int addendSourceBits(const UnitPlan& unit);

} // namespace marquetry::hdl
