#include "engine/extract/pool_extraction.h"

#include "engine/design/verify.h"
#include "engine/extract/bounds.h"
#include "engine/extract/build_design.h"
#include "engine/extract/candidates.h"
#include "engine/extract/explain.h"
#include "engine/extract/infeasible.h"
#include "engine/extract/milp.h"
#include "engine/extract/overlap.h"
#include "engine/extract/pool_front.h"
#include "engine/extract/ranking.h"
#include "engine/extract/unit_balance.h"
#include "engine/extract/why_text.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <deque>
#include <map>
#include <set>

namespace marquetry::extract {

namespace {

using design::Design;
using design::DesignPoint;

class Extraction {
public:
    Extraction(const rules::Lowered& lowered, const ExtractParams& params,
               std::shared_ptr<const StreamedCalls> streams, std::stop_token stop)
        : lowered_(lowered),
          params_(params),
          streams_(std::move(streams)),
          stop_(std::move(stop)) {}

    Result<PoolExtraction> run() {
        begin_ = Clock::now();
        const ProblemParams problemParams = this->problemParams();
        if (const Status made = search(usual_, problemParams); !made)
            return made.error();
        if (!usual_.problem->exactPrices) {
            ProblemParams least = problemParams;
            least.price = Price::Least;
            const Status made = search(cheap_, least);
            ENGINE_ASSERT(made.has_value(), "the pins are known");
        }
        if (params_.method == SearchMethod::Milp)
            if (const Status asked = askMilp(problemParams); !asked)
                return asked.error();
        buildAll(usual_);
        if (cheap_.problem)
            buildAll(cheap_);
        markFront(result_.points);
        finish();
        result_.milliseconds = 1000 * seconds();
        for (const Searched* searched : {&usual_, &cheap_})
            if (searched->problem)
                result_.bufferMilliseconds += 1000 * searched->problem->buffers->seconds();
        const bool waysComplete =
            usual_.pools.waysComplete && (!cheap_.problem || cheap_.pools.waysComplete);
        return PoolExtraction{std::move(result_), std::move(bestOfWays_),
                              chosen_ ? waysByCall(*chosenOf_, *chosen_) : WayChoice(),
                              waysComplete, unitsComplete()};
    }

private:
    using Clock = std::chrono::steady_clock;

    /// A problem of some prices, and its pools.
    struct Searched {
        std::unique_ptr<ExtractionProblem> problem;
        PoolResult pools;
        std::deque<PoolSolution> others; ///< for overlaps, and for units side by side
    };

    Status search(Searched& searched, const ProblemParams& problemParams) {
        auto made = makeProblem(lowered_, problemParams, stop_);
        if (!made)
            return made.error();
        searched.problem = *std::move(made);
        searched.problem->buffers = std::make_unique<BufferPlans>(params_.device, params_.limits);
        PoolProblem& pool = searched.problem->pool;
        if (&searched == &usual_)
            deadline_ = deadlineFrom(Clock::now());
        pool.deadline = deadline_;
        pool.progress = [this](std::size_t nodes, double best, double bound) {
            report(nodes, best, bound);
        };
        const std::vector<Ways> ways = mayPipeline() ? withoutStreams(pool) : std::vector<Ways>();
        searched.pools = searchPools(pool, stop_);
        for (std::size_t d = 0; d < ways.size(); ++d)
            pool.demands[d].ways = ways[d];
        pool.progress = nullptr;
        result_.poolsTried += searched.pools.nodes;
        result_.outOfTime = result_.outOfTime || searched.pools.outOfTime;
        return ok();
    }

    /// The search adds times of calls up. Of frames in flight a circuit works beside other units,
    /// with which it is balanced (unit_balance.h): the search looks at those that pins ask for.
    /// Returns what it leaves out.
    static std::vector<Ways> withoutStreams(PoolProblem& pool) {
        std::vector<Ways> ways;
        for (CallDemand& demand : pool.demands) {
            ways.push_back(demand.ways);
            if ((demand.ways & kOnMultipliers) != 0)
                demand.ways = kOnMultipliers;
        }
        return ways;
    }

    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

    Clock::time_point deadlineFrom(Clock::time_point now) const {
        // A year is no limit, and does not overflow the clock.
        const double seconds = std::min(params_.seconds, 3.2e7);
        return now +
               std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    }

    ProblemParams problemParams() const {
        return {params_.model,   params_.device,      params_.limits.dsp,
                params_.sharing, params_.pins,        streams_,
                params_.limits,  params_.absentIsOut, params_.frames.value_or(1)};
    }

    /// A bound for the hardware: what a search proved is one for its prices.
    double lowerBound() const {
        const Searched& searched = belowHardware();
        const double bound = cyclesLowerBound(*searched.problem, searched.pools, params_);
        return queues() ? std::min(bound, queuesLowerBound(*searched.problem, params_)) : bound;
    }

    /// No design is below its prices.
    const Searched& belowHardware() const { return cheap_.problem ? cheap_ : usual_; }
    bool unitsComplete() const {
        return usual_.problem->complete && (!cheap_.problem || cheap_.problem->complete);
    }

    Status askMilp(const ProblemParams& problemParams) {
        MilpParams milp;
        milp.seconds = std::min(params_.seconds, milp.seconds);
        if (!usual_.pools.front.empty())
            milp.known = usual_.pools.front.front().time;
        auto solved = solveMilp(*usual_.problem, problemParams, milp, stop_);
        if (!solved)
            return solved.error();
        result_.milp = *std::move(solved);
        return ok();
    }

    void report(std::size_t nodes, double best, double bound) {
        constexpr double kReportSeconds = 0.03;
        const double now = seconds();
        if (!params_.progress || now - reported_ < kReportSeconds)
            return;
        reported_ = now;
        ExtractProgress progress{now, nodes, std::nullopt, bound};
        if (std::isfinite(best))
            progress.cycles = best;
        params_.progress(progress);
    }

    void buildAll(Searched& searched) {
        for (const PoolSolution& solution : searched.pools.front) {
            if (stop_.stop_requested())
                break;
            const bool isNew = hardware_.insert(hardwareOf(searched, solution)).second;
            if (&searched == &cheap_ && !isNew)
                continue; // built at the usual prices
            build(searched, solution);
            if (!mayJoin() || stop_.stop_requested())
                continue;
            if (auto split = splitForOverlap(*searched.problem, solution))
                build(searched, searched.others.emplace_back(*std::move(split)));
        }
        if (mayPipeline() && !stop_.stop_requested())
            for (PoolSolution& balanced : balancedSolutions(*searched.problem, stop_))
                build(searched, searched.others.emplace_back(std::move(balanced)));
    }

    /// `solution` stays where it is while the extraction lasts.
    void build(const Searched& searched, const PoolSolution& solution) {
        ENGINE_ASSERT(verify(searched.problem->pool, solution), "a pool solution adds up");
        BuiltDesign built = buildDesign(*searched.problem, solution, params_);
        if (!built.feasible && built.design.schedule &&
            built.design.schedule->frames != built.design.frames)
            return void(result_.blocked.push_back({*built.blockedBy, built.needs}));
        const DesignPoint point{built.design.cycles,
                                built.design.resources,
                                false,
                                built.feasible,
                                labelOf(built.design),
                                built.design.lanes,
                                built.design.groupedChannels,
                                built.design.frames};
        result_.points.push_back(point);
        if (!built.feasible) {
            result_.blocked.push_back({*built.blockedBy, built.needs});
            return;
        }
        bands_ = bands_ || !built.design.bands.empty();
        const Status sound = design::verifyDesign(built.design, params_.device);
        ENGINE_ASSERT(sound.has_value(), "a design's figures can be recomputed");
        if (streams_)
            remember(waysByCall(searched, solution), built.design);
        if (!best_ || better(built.design, best_->design, params_)) {
            best_ = std::move(built);
            chosen_ = &solution;
            chosenOf_ = &searched;
        }
    }

    /// By call: its time, the first call on the same unit, and what the unit is.
    using Hardware = std::vector<std::array<std::int64_t, 8>>;

    static Hardware hardwareOf(const Searched& searched, const PoolSolution& solution) {
        const PoolProblem& pool = searched.problem->pool;
        std::map<int, std::int64_t> firsts;
        Hardware hardware;
        for (std::size_t c = 0; c < solution.calls.size(); ++c) {
            const CallChoice& choice = solution.calls[c];
            const auto call = static_cast<std::int64_t>(c);
            const bool shares = choice.entry >= 0;
            const PathCost& body =
                shares ? pool.entry(choice.entry).bodyCost
                       : pool.demand(c).options[static_cast<std::size_t>(choice.option)].body;
            hardware.push_back(
                {std::llround(choice.time),
                 shares ? firsts.try_emplace(choice.entry, call).first->second : call,
                 shares ? pool.entry(choice.entry).eclass : -1,
                 searched.problem->streamOf(solution, c), body.parallel, body.pixelParallel,
                 body.span, body.writeLanes});
        }
        return hardware;
    }

    static WayChoice waysByCall(const Searched& searched, const PoolSolution& solution) {
        const WayChoice ways = waysOf(searched.problem->pool, solution);
        WayChoice byCall;
        for (const int demand : searched.problem->pool.demandOf)
            byCall.push_back(ways[static_cast<std::size_t>(demand)]);
        return byCall;
    }

    void remember(const WayChoice& ways, const Design& design) {
        std::shared_ptr<const Design>& best = bestOfWays_[ways];
        if (!best || better(design, *best, params_))
            best = std::make_shared<const Design>(design);
    }

    /// Steps of some design may run beside others in queues.
    bool queues() const { return bands_ || mayPipeline(); }
    /// Groups of frames may be in flight.
    bool mayPipeline() const {
        return usual_.problem->frames > 1 && mayJoin() && wantsSpeed(params_.objective);
    }

    bool mayJoin() const {
        const std::vector<bool>& joinable = usual_.problem->joinable;
        return std::ranges::find(joinable, true) != joinable.end();
    }

    void finish() {
        const bool stopped = stop_.stop_requested();
        result_.outOfTime = result_.outOfTime || (outOfBandTime() && !stopped);
        if (!best_) {
            const bool none = noneIn(belowHardware());
            result_.openBound = none ? std::numeric_limits<double>::infinity() : lowerBound();
            result_.status = stopped ? ExtractStatus::Cancelled : ExtractStatus::Infeasible;
            if (result_.outOfTime && !stopped) {
                result_.infeasible = {outOfTime()};
                return;
            }
            if (stopped || !params_.explain)
                return;
            result_.infeasible =
                explainInfeasible(lowered_, params_, streams_, result_.blocked, stop_);
            if (!unitsComplete())
                result_.infeasible.front().notes.emplace_back(
                    "the program has too many different shapes to try every shared unit: a design "
                    "may have been missed");
            return;
        }
        Design& design = best_->design;
        const double cycles = static_cast<double>(design.cycles);
        result_.lowerBound = std::min(cycles, std::ceil(lowerBound() - 1e-6));
        result_.gap = cycles > 0 ? (cycles - result_.lowerBound) / cycles : 0;
        const bool met = wantsSpeed(params_.objective) && result_.gap <= 1e-12;
        result_.status = met || provenBySearch() ? ExtractStatus::Optimal : ExtractStatus::Feasible;
        if (result_.status == ExtractStatus::Optimal && wantsSpeed(params_.objective)) {
            result_.lowerBound = cycles;
            result_.gap = 0;
        }
        if (params_.explain)
            explain(design);
        result_.design = std::make_shared<const Design>(std::move(design));
    }

    static bool noneIn(const Searched& searched) {
        return searched.pools.front.empty() && searched.pools.complete &&
               searched.problem->complete;
    }

    bool outOfBandTime() const {
        return std::ranges::any_of(std::array{&usual_, &cheap_}, [](const Searched* searched) {
            return searched->problem &&
                   std::ranges::any_of(*searched->problem->bandRuns, &BandRuns::cut);
        });
    }

    void explain(Design& design) {
        ExtractionProblem& problem = *chosenOf_->problem;
        if (mayPipeline()) // what is asked is about the other units, what is streamed being given
            for (std::size_t d = 0; const Ways ways : waysOf(problem.pool, *chosen_))
                problem.pool.demands[d++].ways = ways;
        PoolQuestions questions(problem.pool, stop_, problem.exactPrices);
        design.candidates =
            sharingCandidates(problem, chosenOf_->pools, design, params_, questions);
        explainUnits(lowered_, problem, *chosen_, params_, questions, design, stop_);
        for (const design::DesignUnit& unit : design.units)
            for (const design::Alternative& other : unit.why.alternatives)
                result_.alternatives[unit.name].push_back(describe(other, design));
    }

    /// The pool search proved its fastest solution, and that is the design: it needs no external
    /// memory and no bands, which would make it slower, and no joins could make another one faster.
    /// Nor has the search passed over units that have fewer blocks than their price.
    bool provenBySearch() const {
        if (!usual_.problem->exactPrices || !usual_.pools.complete || !usual_.problem->complete)
            return false;
        const bool quickest =
            chosen_->time <= usual_.pools.front.front().time * (1 + kTimeTolerance);
        const bool noExternal =
            std::ranges::none_of(best_->design.buffers, [](const design::DesignBuffer& buffer) {
                return buffer.kind == design::BufferKind::External;
            });
        return wantsSpeed(params_.objective) && quickest && noExternal && !mayJoin() &&
               best_->design.bands.empty() && best_->design.outside.empty();
    }

    const rules::Lowered& lowered_;
    const ExtractParams& params_;
    std::shared_ptr<const StreamedCalls> streams_;
    std::stop_token stop_;
    Searched usual_;
    /// Where these prices may be above the hardware: of prices that may be below.
    Searched cheap_;
    ExtractResult result_;
    std::optional<BuiltDesign> best_;
    bool bands_ = false;                   ///< some design that fits has layers in bands
    const PoolSolution* chosen_ = nullptr; ///< in the pools or the others of:
    const Searched* chosenOf_ = nullptr;
    std::map<WayChoice, std::shared_ptr<const Design>> bestOfWays_;
    std::set<Hardware> hardware_; ///< that was built
    Clock::time_point begin_, deadline_;
    double reported_ = 0;
};

} // namespace

Result<PoolExtraction> extractFromPools(const rules::Lowered& lowered, const ExtractParams& params,
                                        std::shared_ptr<const StreamedCalls> streams,
                                        std::stop_token stop) {
    return Extraction(lowered, params, std::move(streams), std::move(stop)).run();
}

} // namespace marquetry::extract
