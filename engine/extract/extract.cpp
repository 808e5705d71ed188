#include "engine/extract/extract.h"

#include "engine/design/verify.h"
#include "engine/extract/build_design.h"
#include "engine/extract/candidates.h"
#include "engine/extract/infeasible.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace marquetry::extract {

namespace {

using design::Design;
using design::DesignPoint;

double utilisation(const device::Resources& used, const device::Resources& limit) {
    const auto share = [](double a, double b) { return b > 0 ? a / b : 0.0; };
    return std::max({share(used.dsp, limit.dsp), share(used.bram, limit.bram),
                     share(used.lut, limit.lut), share(used.ff, limit.ff)});
}

/// a is the better answer to the objective; ties keep the earlier one.
bool better(const Design& a, const Design& b, const ExtractParams& params) {
    if (params.objective == Objective::Area) {
        const double areaA = utilisation(a.resources, params.limits);
        const double areaB = utilisation(b.resources, params.limits);
        if (areaA != areaB)
            return areaA < areaB;
        return a.cycles < b.cycles;
    }
    if (a.cycles != b.cycles)
        return a.cycles < b.cycles;
    return a.resources.dsp < b.resources.dsp;
}

void markFront(std::vector<DesignPoint>& points) {
    for (DesignPoint& point : points) {
        point.onFront = point.feasible;
        for (const DesignPoint& other : points) {
            if (!other.feasible || &other == &point)
                continue;
            const bool covers =
                other.cycles <= point.cycles && other.resources.fits(point.resources);
            const bool strictly =
                other.cycles < point.cycles || !(other.resources == point.resources);
            if (covers && strictly)
                point.onFront = false;
        }
    }
}

std::string labelOf(const Design& design) {
    std::string label;
    for (const design::DesignUnit& unit : design.units)
        if (unit.multipliers > 0)
            label += (label.empty() ? "" : " + ") + unit.name +
                     " P=" + std::to_string(unit.parallelism) + " ×" +
                     std::to_string(unit.callSites.size());
    return label;
}

class Extraction {
public:
    Extraction(const rules::Lowered& lowered, const ExtractParams& params, std::stop_token stop)
        : lowered_(lowered), params_(params), stop_(std::move(stop)) {}

    Result<ExtractResult> run() {
        const auto begin = std::chrono::steady_clock::now();
        ProblemParams problemParams{params_.model, params_.device, params_.limits.dsp,
                                    params_.sharing, params_.pins};
        auto made = makeProblem(lowered_, problemParams, stop_);
        if (!made)
            return made.error();
        problem_ = *std::move(made);
        pools_ = searchPools(problem_->pool, stop_);
        result_.poolsTried = pools_.poolsTried;
        buildAll();
        finish();
        result_.milliseconds =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
                .count();
        return std::move(result_);
    }

private:
    void buildAll() {
        for (const PoolSolution& solution : pools_.front) {
            if (stop_.stop_requested())
                break;
            ENGINE_ASSERT(verify(problem_->pool, solution), "a pool solution adds up");
            BuiltDesign built = buildDesign(*problem_, solution, params_);
            result_.points.push_back({built.design.cycles, built.design.resources, false,
                                      built.feasible, labelOf(built.design)});
            if (!built.feasible) {
                blocked_.push_back({built.blockedBy, built.needs});
                continue;
            }
            const Status sound = design::verifyDesign(built.design, params_.device);
            ENGINE_ASSERT(sound.has_value(), "a design's figures can be recomputed");
            if (!best_ || better(built.design, best_->design, params_)) {
                best_ = std::move(built);
                bestSolution_ = &solution;
            }
        }
        markFront(result_.points);
    }

    void finish() {
        const bool stopped = stop_.stop_requested();
        if (!best_) {
            result_.status = stopped ? ExtractStatus::Cancelled : ExtractStatus::Infeasible;
            if (!stopped)
                result_.infeasible = explainInfeasible(lowered_, params_, blocked_, stop_);
            if (!stopped && !problem_->complete)
                result_.infeasible.front().notes.push_back(
                    "the program has too many different shapes to try every shared unit: a design "
                    "may have been missed");
            return;
        }
        Design& design = best_->design;
        const double cycles = static_cast<double>(design.cycles);
        result_.lowerBound =
            std::min(cycles, std::ceil(cyclesLowerBound(*problem_, pools_, params_) - 1e-6));
        result_.gap = cycles > 0 ? (cycles - result_.lowerBound) / cycles : 0;
        const bool met = params_.objective == Objective::Latency && result_.gap <= 1e-12;
        result_.status = met || provenBySearch() ? ExtractStatus::Optimal : ExtractStatus::Feasible;
        if (result_.status == ExtractStatus::Optimal && params_.objective == Objective::Latency) {
            result_.lowerBound = cycles;
            result_.gap = 0;
        }
        design.candidates = sharingCandidates(*problem_, pools_, *bestSolution_, design, params_);
        result_.alternatives = alternativesOf(*problem_, pools_, design, params_);
        result_.design = std::make_shared<const Design>(std::move(design));
    }

    /// Every pool was tried, every solution was built, and no memory was short: the front is the
    /// whole truth.
    bool provenBySearch() const {
        const int half = static_cast<int>(problem_->calls.size()) / 2;
        const bool allPools =
            pools_.complete && problem_->complete && half <= problem_->pool.maxPool;
        const bool nothingBlocked = blocked_.empty();
        const bool noExternal =
            std::ranges::none_of(best_->design.buffers, [](const design::DesignBuffer& buffer) {
                return buffer.kind == design::BufferKind::External;
            });
        return params_.objective == Objective::Latency && allPools && nothingBlocked && noExternal;
    }

    const rules::Lowered& lowered_;
    const ExtractParams& params_;
    std::stop_token stop_;
    std::unique_ptr<ExtractionProblem> problem_;
    PoolResult pools_;
    ExtractResult result_;
    std::optional<BuiltDesign> best_;
    const PoolSolution* bestSolution_ = nullptr;
    std::vector<Blocked> blocked_;
};

} // namespace

const char* toString(ExtractStatus status) {
    switch (status) {
    case ExtractStatus::Optimal:
        return "optimal";
    case ExtractStatus::Feasible:
        return "feasible";
    case ExtractStatus::Infeasible:
        return "infeasible";
    case ExtractStatus::Cancelled:
        return "cancelled";
    }
    return "infeasible";
}

Result<ExtractResult> extract(const rules::Lowered& lowered, const ExtractParams& params,
                              std::stop_token stop) {
    return Extraction(lowered, params, std::move(stop)).run();
}

Result<std::shared_ptr<const Design>> extractPoint(const rules::Lowered& lowered,
                                                   const ExtractParams& params,
                                                   const DesignPoint& point, std::stop_token stop) {
    ExtractParams narrowed = params;
    narrowed.limits.dsp = point.resources.dsp;
    auto result = extract(lowered, narrowed, std::move(stop));
    if (!result)
        return result.error();
    if (!result->design)
        return result->infeasible;
    return result->design;
}

} // namespace marquetry::extract
