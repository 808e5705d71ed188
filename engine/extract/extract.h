// Extraction: the best verified design of an e-graph under limits and pins (background/engineir.md,
// "Pool-first search").
//
// The search is exact over the pools that it tries, and may be ended at any time. The result
// carries a lower bound that holds for every design of the e-graph. Its status is Optimal only when
// the bound is met or the search was complete.
//
// Where the e-graph lets calls be joined (Lowered::joinable), that is decided for each design after
// its units are chosen, so an answer is proven best only where its bound is met. Where calls may be
// streamed (Lowered::streams), a streamed circuit is a private option of its call (streams.h). Pins
// that name a stream unit narrow the options. --method milp does not know stream units.
//
// With several frames in a run calls are streamed where frames are in flight: a circuit then works
// on one frame while other units work on others (unit_balance.h). What is said of a result's bound
// holds of runs of as many frames.
//
// An infeasible answer says which limit or which minimal set of pins is to blame, or that not all
// choices of streamed calls were tried (limit-plans).
//
// Errors: pin-unknown, limit-*, option-value (frames), batch-one (design/batch.h), batch-long; a
// design that does not verify is our own mistake (ENGINE_ASSERT). Cancel: within 50 ms of work.
// Thread rule: reads the e-graph, which must be clean.
#pragma once

#include "engine/design/design.h"
#include "engine/design/goal.h"
#include "engine/design/pin.h"
#include "engine/device/device.h"
#include "engine/extract/milp_result.h"
#include "engine/extract/streams.h"
#include "engine/rules/lowering.h"

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>

namespace marquetry::extract {

using design::Objective;
using design::SearchMethod;

/// How far a search has come.
struct ExtractProgress {
    double seconds = 0;
    std::size_t poolsTried = 0;
    std::optional<double> cycles; ///< of the best solution so far, before transfers
    double lowerBound = 0;        ///< cycles no solution can beat, before transfers
};

struct ExtractParams {
    design::CostModel model = design::CostModel::Cycles;
    device::Device device;
    device::Resources limits; ///< in force; under the published models only dsp counts (MAX_DSPS)
    std::optional<double> cyclesLimit;
    Objective objective = Objective::Latency;
    /// Of a run. None: under Throughput as many as serve it best (throughput.h), else one.
    std::optional<std::int64_t> frames;
    SearchMethod method = SearchMethod::Pool;
    /// Fill in candidates, alternatives, counterfactuals, and why there is no design.
    bool explain = true;
    double seconds = std::numeric_limits<double>::infinity(); ///< wall clock, of each method
    bool sharing = true;
    std::vector<std::string> without; ///< groups switched off, for messages only
    std::vector<design::Pin> pins;
    /// A design at this point, where one is found, before all that are better.
    std::optional<design::DesignPoint> wanted = {};
    /// Pins that keep something out are met where nothing has its name.
    bool absentIsOut = false;
    /// Kept from one extraction to the next of the same program; null: made anew.
    std::shared_ptr<StreamCircuits> circuits = nullptr;
    /// Called on the calling thread, at most about 30 times per second.
    std::function<void(const ExtractProgress&)> progress;
};

enum class ExtractStatus : std::uint8_t { Optimal, Feasible, Infeasible, Cancelled };
const char* toString(ExtractStatus status);

/// A design that was found but did not fit.
struct Blocked {
    design::LimitKind limit = design::LimitKind::Dsp; ///< that it breaks
    double needs = 0;
};

struct ExtractResult {
    ExtractStatus status = ExtractStatus::Infeasible;
    std::shared_ptr<const design::Design> design; ///< null unless Optimal or Feasible
    std::vector<design::DesignPoint> points;      ///< front and dominated designs, fastest first
    double lowerBound = 0;                        ///< cycles of a run
    double gap = 0;                               ///< (cycles − lowerBound) / cycles
    /// Without a design: no design is faster, of those that were found and fit no limit or were not
    /// looked at. Infinity: there is none at all.
    double openBound = 0;
    double milliseconds = 0;
    double bufferMilliseconds = 0; ///< of them, on bank schemes of buffers
    std::size_t poolsTried = 0;
    bool outOfTime = false;         ///< the wall clock ended the search
    std::optional<MilpResult> milp; ///< under Method::Milp
    std::vector<Blocked> blocked;
    Diagnostics infeasible;
    /// Next best designs without the unit, by unit name, best first.
    std::map<std::string, std::vector<std::string>> alternatives;
};

Result<ExtractResult> extract(const rules::Lowered& lowered, const ExtractParams& params,
                              std::stop_token stop = {});

/// The design at one of `points`, for a user who picks another one. Errors: those of extract(),
/// what makes it infeasible, extraction-stopped.
Result<std::shared_ptr<const design::Design>> extractPoint(const rules::Lowered& lowered,
                                                           const ExtractParams& params,
                                                           const design::DesignPoint& point,
                                                           std::stop_token stop = {});

} // namespace marquetry::extract
