// Design: one extracted solution with everything resolved.
//
// Units are hardware blocks; calls are the program's uses of them in execution order; buffers hold
// tensors between calls. A shared unit is built once and called from two or more places; an
// unshared one is built for its only call (background/skeleshare.md, "Sharing and extraction").
//
// Units of measure: cycles (of the cost model the design was made for), multipliers, words, bits;
// resources as in device/resources.h. Under the published cost models `resources.dsp` is the
// paper's D and cycles its T. Thread rule: immutable once made.
#pragma once

#include "engine/design/goal.h"
#include "engine/design/schedule.h"
#include "engine/device/resources.h"
#include "engine/egraph/enode.h"
#include "engine/ir/unit.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace marquetry::design {

using CallId = StrongId<struct CallTag>;
using BufferId = StrongId<struct BufferTag>;

enum class CostModel : std::uint8_t { Cycles, Published, PublishedOpen };
std::string toString(CostModel model);
std::optional<CostModel> costModelNamed(std::string_view name);

/// One loop of a call's schedule, outermost first, with the name of the paper's term.
struct Loop {
    std::string term; ///< "TiledConvOCH[64]", "PaddedMv[576]", "Conv", …
    std::int64_t count = 1;
    bool parallel = false;
};

/// One line of "why": a name and a number the user can recompute.
struct CostTerm {
    std::string name;
    double value = 0;
    std::string unit;    ///< "cycles", "DSP", …
    std::string formula; ///< with the numbers filled in
};

/// Another design that was found, against the chosen one.
struct Alternative {
    std::string what; ///< its units: "Mv 64×576 P=8 ×13 + Mv 10×512 P=2 ×1"
    std::int64_t cycles = 0;
    double dsp = 0;
    std::int64_t cyclesMore = 0; ///< than the chosen design; may be negative when it does not fit
    double dspMore = 0;
    std::optional<LimitKind> broken; ///< the limit it breaks; none when it fits
    double needs = 0;                ///< of that limit's resource
    bool exact = true;               ///< proven best of its kind; otherwise the best found
};

/// Why a unit is what it is.
struct Explanation {
    std::vector<CostTerm> terms;           ///< its time and resources
    std::vector<Alternative> alternatives; ///< next best designs that differ in it, best first
    std::optional<Alternative> opposite;   ///< the best design with the choice turned round
    std::string counterfactual;            ///< the opposite choice in one sentence
};

struct DesignUnit {
    UnitId id;
    std::string name; ///< unique, "Mv 64×576"
    std::string term; ///< the whole chosen term, printed
    ir::UnitShape shape;
    std::int64_t parallelism = 1; ///< P of the ParallelDot inside
    std::int64_t lanes = 1;       ///< products per row and clock
    std::int64_t writeLanes = 0;  ///< E, results that leave in a clock; 0: not modelled
    std::int64_t multipliers = 0;
    device::Resources resources;
    bool shared = false;
    bool streams = false;                 ///< a stream unit (rules/streaming.h): has no multipliers
    std::optional<WriteBack> writeBack{}; ///< of a program that scales its results
    std::vector<CallId> callSites;
    double busy = 0; ///< cycles of its calls / all cycles
    /// Multiplications of the program that it does / (its multipliers × all cycles).
    double utilisation = 0;
    egraph::EClassId eclass;             ///< the outlined class, or the call's own unit class
    std::vector<egraph::ENodeId> chosen; ///< the term's e-nodes, outermost first
    Explanation why;
};

struct DesignCall {
    CallId id;
    std::string layer;
    ir::ValueId result;
    UnitId unit;
    std::vector<Loop> loops;
    std::int64_t cycles = 0;
    /// Of its cycles, those during which the call before it still runs (`Seq`; design/join.h); of
    /// the first call, those during which its input still comes.
    std::int64_t overlap = 0;
    /// From the first one's start: calls run one after another but for overlaps.
    std::int64_t start = 0;
    std::int64_t macs = 0; ///< of the program, not of the padded hardware; of a frame
    bool memoryBound = false;
    egraph::EClassId eclass;             ///< unit class of the call
    std::vector<egraph::ENodeId> chosen; ///< from the call's unit class down to the unit's class
};

enum class BufferKind : std::uint8_t { Register, LutRam, BlockRam, Stream, External };
std::string toString(BufferKind kind);

struct DesignBuffer {
    BufferId id;
    std::string name;
    bool weights = false;
    BufferKind kind = BufferKind::BlockRam;
    std::int64_t words = 0;
    std::int64_t width = 0; ///< bits
    std::int64_t banks = 1;
    std::string scheme;          ///< "flat N=2 B=1 alpha=(0, 1), words of 4 elements"
    std::int64_t memories = 1;   ///< of all banks
    std::int64_t memoryBits = 0; ///< the width of most of them
    double bram = 0;
    double lut = 0;
    double ff = 0;
};

/// A sharing candidate and what became of it.
struct SharingCandidate {
    egraph::EClassId eclass;
    std::string name;
    std::vector<std::string> callSites; ///< layers that can reach it
    bool shared = false;
    bool forbidden = false; ///< by a pin
    double savedDsp = 0;    ///< against one private copy per call site
    std::int64_t extraCycles = 0;
    double utilisation = 0; ///< of the unit that is built
    std::string reason;     ///< why it is shared, or why not
};

struct Design {
    std::string program;
    std::string device;
    CostModel model = CostModel::Cycles;
    std::int64_t lanes = 1;
    std::int64_t groupedChannels = 0; ///< ir::LayerParams
    std::int64_t frames = 1;          ///< of a run, which all cycles are of
    std::vector<DesignUnit> units;
    std::vector<DesignCall> calls;
    std::vector<DesignBuffer> buffers;
    std::vector<LayerBands> bands;    ///< of calls that are computed in bands of rows, by number
    std::vector<std::string> outside; ///< values that external memory holds
    device::Resources resources;
    std::int64_t cycles = 0;
    std::int64_t transferCycles = 0; ///< loads and stores, part of cycles
    std::int64_t macs = 0;           ///< of a frame
    /// Multiplications on units / (the multipliers of all units × cycles); none without
    /// multipliers.
    std::optional<double> utilisation;
    double clockMhz = 0;
    double gops = 0; ///< 2 · macs · frames / time, at clockMhz
    std::vector<CostTerm> terms;
    std::vector<SharingCandidate> candidates;
    /// Present under the `cycles` model when every buffer is on chip: what the RTL is made from.
    std::optional<Schedule> schedule;
    std::string notExportable; ///< why there is no schedule; empty when there is one

    double cyclesPerFrame() const {
        return static_cast<double>(cycles) / static_cast<double>(frames);
    }
    const DesignUnit& unit(UnitId id) const { return units[id.index()]; }
    const DesignCall& call(CallId id) const { return calls[id.index()]; }
};

/// A point of the front, or any design seen on the way.
struct DesignPoint {
    std::int64_t cycles = 0;
    device::Resources resources;
    bool onFront = false;
    bool feasible = true;
    std::string label;
    std::int64_t lanes = 0;           ///< elements per stored word
    std::int64_t groupedChannels = 0; ///< ir::LayerParams
    std::int64_t frames = 1;          ///< of a run

    double cyclesPerFrame() const {
        return static_cast<double>(cycles) / static_cast<double>(frames);
    }
};

} // namespace marquetry::design
