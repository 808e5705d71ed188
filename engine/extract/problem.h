// The problem that the pool search solves, made from a saturated e-graph, a device and pins.
//
// Pins become sets of classes and bits of terms. Equal calls become one demand. entries.h lists the
// units that may be outlined.
// Thread rule: a value type; the e-graph must stay clean and unchanged while it is in use.
#pragma once

#include "engine/design/pin.h"
#include "engine/extract/band_choices.h"
#include "engine/extract/buffer_plans.h"
#include "engine/extract/pool.h"
#include "engine/extract/streams.h"
#include "engine/extract/term_cost.h"
#include "engine/extract/write_backs.h"

#include <array>
#include <map>
#include <memory>
#include <set>
#include <stop_token>

namespace marquetry::extract {

/// Lanes of a write-back are usually priced as those of the widest numbers of the program, which
/// may be above the hardware; Least ones as the narrowest that a unit may have, which may be below.
enum class Price : std::uint8_t { Usual, Least };

struct ProblemParams {
    design::CostModel model = design::CostModel::Cycles;
    device::Device device;
    double dspLimit = 0;
    bool sharing = true;
    std::vector<design::Pin> pins;
    std::shared_ptr<const StreamedCalls> streams = nullptr; ///< null: no call is streamed
    device::Resources logicLimit = {};                      ///< for all stream units
    bool absentIsOut = false;          ///< a pin that keeps something out may name nothing
    std::int64_t frames = 1;           ///< of a run
    std::int64_t mostSpan = kMostSpan; ///< stored words that a unit may take at once
    Price price = Price::Usual;
};

/// A candidate that another one makes superfluous: it serves every call at no more cost.
struct CoveredCandidate {
    int eclass = 0;
    int by = 0; ///< unit class of the entry that stays
    double dsp = 0;
    std::vector<std::size_t> calls; ///< that can reach it
};

struct ExtractionProblem {
    const rules::Lowered* lowered = nullptr;
    std::int64_t frames = 1;     ///< of a run
    std::int64_t mostAtOnce = 1; ///< of them, that a step may take (design/batch.h): all, or one
    UnitGraph graph;
    std::vector<CallInfo> calls;
    WriteBacks writeBacks;
    Spans spans;
    std::shared_ptr<const StreamedCalls> streams; ///< null: no call is streamed
    std::vector<bool>
        joinable;        ///< by call: to the one before it or the input, where none is streamed
    double fixedDsp = 0; ///< there whatever is chosen; `pool` has what it leaves of the limit
    std::unique_ptr<TermCost> cost;
    PinBits pinBits;
    std::set<int> neverShare;     ///< classes that a pin keeps from being outlined
    std::unique_ptr<Paths> paths; ///< private paths
    std::map<int, std::unique_ptr<Reaches>> reaches; ///< by the class they start from
    PoolProblem pool;
    std::vector<CoveredCandidate> covered; ///< one per class, in order of preference
    std::unique_ptr<BufferPlans> buffers;  ///< of the designs built; given by who builds them
    /// Of the same, the first time and where LUTs were short.
    std::unique_ptr<std::array<BandRuns, 2>> bandRuns = std::make_unique<std::array<BandRuns, 2>>();
    std::stop_token stopToken; ///< of who asked
    bool exactPrices = true;   ///< no unit takes fewer DSP blocks than its price
    bool complete = true;      ///< false when stopped early, or too large to list every entry

    const UnitClass& eclass(int index) const {
        return graph.classes[static_cast<std::size_t>(index)];
    }
    /// Whether a unit whose body calls another outlined unit can pay: where convolutions count
    /// (SkeleShare's conv_count ≤ 1), and where a pin asks for the unit to be shared.
    bool mayNest(int index) const;
    /// Made when first asked for.
    const Reaches& reachesFrom(int eclass, std::stop_token stop);
    /// Time is up, or nobody waits.
    bool isOver() const;
    const StreamOption& stream(int index) const {
        return streams->options[static_cast<std::size_t>(index)];
    }
    /// The call's stream unit in a solution; −1: it has none.
    int streamOf(const PoolSolution& solution, std::size_t call) const;
    /// By call: may be joined to the one before it in this solution.
    std::vector<bool> joinableIn(const PoolSolution& solution) const;
    const PoolEntry& entry(int index) const {
        return pool.entries[static_cast<std::size_t>(index)];
    }
};

/// The pins name no stream units (applyStreamPins).
/// Errors: pin-unknown (a pin names a unit, term or layer that does not exist).
Result<std::unique_ptr<ExtractionProblem>>
makeProblem(const rules::Lowered& lowered, const ProblemParams& params, std::stop_token stop);

/// Printed name of a unit term's node: "TiledConvOCH[64, 128]".
std::string termName(const UnitNode& node);

} // namespace marquetry::extract
