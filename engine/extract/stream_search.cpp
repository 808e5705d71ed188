#include "engine/extract/stream_search.h"

#include "engine/extract/bounds.h"
#include "engine/extract/explain.h"
#include "engine/extract/infeasible.h"
#include "engine/extract/plan_extraction.h"
#include "engine/extract/ranking.h"
#include "engine/extract/stream_plans.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace marquetry::extract {

namespace {

using design::Design;
using design::DesignUnit;
using design::Pin;
using design::PinKind;

bool names(const Pin& pin, const rules::Lowered& lowered, const StreamOption& option) {
    const std::string& layer = lowered.plan.layers[option.call].name;
    return pin.enabled && pin.target == option.term && (pin.layer.empty() || pin.layer == layer);
}

class StreamSearch {
public:
    StreamSearch(const rules::Lowered& lowered, const ExtractParams& params, std::stop_token stop)
        : lowered_(lowered), params_(params), stop_(std::move(stop)) {}

    Result<ExtractResult> run() {
        if (params_.method == SearchMethod::Milp)
            return makeError("option-value", "--method milp does not know stream units",
                             "leave out --streams or --method milp");
        if (!params_.circuits)
            params_.circuits = std::make_shared<StreamCircuits>();
        options_ = streamOptions(lowered_, params_.device, *params_.circuits, stop_);
        allowed_ = applyPins();
        choices_ = choices();
        if (const Status listed = listPlans(); !listed)
            return listed.error();
        for (const StreamPlan& plan : plans_.plans)
            if (!stop_.stop_requested() && meetsPins(plan))
                if (const Status tried = attempt(plan); !tried)
                    return tried.error();
        return finish();
    }

private:
    /// Takes the pins that name options out of the others; what is left may be used.
    std::vector<StreamOption> applyPins() {
        std::vector<StreamOption> allowed = options_;
        const auto ofStream = [&](const Pin& pin) {
            return std::ranges::any_of(
                options_, [&](const StreamOption& option) { return names(pin, lowered_, option); });
        };
        for (const Pin& pin : params_.pins) {
            if (!ofStream(pin))
                continue;
            if (pin.kind == PinKind::ForbidTerm)
                std::erase_if(allowed, [&](const StreamOption& option) {
                    return names(pin, lowered_, option);
                });
            if (pin.kind == PinKind::ForceTerm || pin.kind == PinKind::Share)
                forced_.push_back(pin);
        }
        pins_ = params_.pins;
        std::erase_if(pins_, ofStream);
        return allowed;
    }

    /// A stream unit has one call: a pin that shares it cannot be met.
    bool meetsPins(const StreamPlan& plan) const {
        return std::ranges::all_of(forced_, [&](const Pin& pin) {
            return pin.kind == PinKind::ForceTerm &&
                   std::ranges::any_of(plan, [&](const StreamOption* option) {
                       return option != nullptr && names(pin, lowered_, *option);
                   });
        });
    }

    /// What each call may be, a pin that forces one of its options heeded.
    std::vector<StreamChoices> choices() const {
        std::vector<StreamChoices> choices(lowered_.calls.size());
        for (const StreamOption& option : allowed_)
            choices[option.call].options.push_back(&option);
        for (const Pin& pin : forced_)
            for (StreamChoices& call : choices) {
                const auto named = [&](const StreamOption* option) {
                    return names(pin, lowered_, *option);
                };
                if (std::ranges::count_if(allowed_,
                                          [&](const StreamOption& option) {
                                              return names(pin, lowered_, option);
                                          }) != 1 ||
                    std::ranges::none_of(call.options, named))
                    continue;
                std::erase_if(call.options, std::not_fn(named));
                call.mayNot = false;
            }
        return choices;
    }

    /// A stream unit serves one call, and other pins may forbid it.
    bool cannotBeMet(const Pin& pin) const {
        return pin.kind == PinKind::Share ||
               std::ranges::none_of(allowed_, [&](const StreamOption& option) {
                   return names(pin, lowered_, option);
               });
    }

    Status listPlans() {
        if (std::ranges::any_of(forced_, [&](const Pin& pin) { return cannotBeMet(pin); }))
            return ok();
        if (countStreamPlans(choices_, kMaxStreamPlans + 1) <= kMaxStreamPlans) {
            plans_.plans = allStreamPlans(choices_);
            return ok();
        }
        ProblemParams params{params_.model,   params_.device, params_.limits.dsp,
                             params_.sharing, pins_,          {}};
        const auto problem = makeProblem(lowered_, params, stop_);
        if (!problem)
            return problem.error();
        const std::vector<double> own = leastCallCycles(**problem);
        for (std::size_t c = 0; c < choices_.size(); ++c) {
            choices_[c].own = own[c];
            // A pin asks for another unit.
            if ((*problem)->pool.demand(c).requiredPins != 0)
                choices_[c].options.clear();
        }
        plans_ = fastestStreamPlans(choices_, params_.limits);
        const auto transfer = static_cast<double>(transferCycles(lowered_));
        bound_ = std::max(transfer, transfer + plans_.open - mostOverlap(**problem));
        return ok();
    }

    ExtractParams paramsOf(const StreamPlan& plan, bool explain) const {
        ExtractParams params = params_;
        params.pins = pins_;
        params.streamed = plan;
        params.explain = explain;
        return params;
    }

    Status attempt(const StreamPlan& plan) {
        if (!streamResources(plan).fits(params_.limits))
            return ok();
        auto result = extractPlan(lowered_, paramsOf(plan, false), stop_);
        if (!result)
            return result.error();
        found_.points.insert(found_.points.end(), result->points.begin(), result->points.end());
        found_.blocked.insert(found_.blocked.end(), result->blocked.begin(), result->blocked.end());
        found_.poolsTried += result->poolsTried;
        found_.outOfTime |= result->outOfTime;
        bound_ = std::min(bound_, result->design ? result->lowerBound : result->openBound);
        partly_ |= !result->design && result->blocked.empty() && std::isfinite(result->openBound);
        if (result->design && (!best_ || better(*result->design, *best_->design, params_)))
            best_ = *result, bestPlan_ = plan;
        if (result->design)
            designs_.emplace_back(plan, result->design);
        return ok();
    }

    Result<ExtractResult> finish() {
        if (stop_.stop_requested())
            bound_ = std::min(bound_, static_cast<double>(transferCycles(lowered_)));
        if (!best_)
            return noDesign();
        ExtractResult result = *best_;
        if (params_.explain && !stop_.stop_requested()) {
            auto explained = extractPlan(lowered_, paramsOf(bestPlan_, true), stop_);
            if (!explained)
                return explained.error();
            if (explained->design)
                result = *std::move(explained);
        }
        result.points = std::move(found_.points);
        std::ranges::stable_sort(result.points, {}, &design::DesignPoint::cycles);
        markFront(result.points);
        result.poolsTried = found_.poolsTried;
        result.outOfTime = found_.outOfTime;
        if (params_.explain)
            explainStreams(result);
        const auto cycles = static_cast<double>(result.design->cycles);
        result.lowerBound = std::min(cycles, bound_);
        result.gap = cycles > 0 ? (cycles - result.lowerBound) / cycles : 0;
        const bool proven =
            result.status == ExtractStatus::Optimal && !stop_.stop_requested() && bound_ >= cycles;
        if (!proven)
            result.status = ExtractStatus::Feasible;
        return result;
    }

    Result<ExtractResult> noDesign() {
        if (stop_.stop_requested() || options_.empty())
            return extractPlan(lowered_, paramsOf({}, params_.explain), stop_);
        ExtractResult result = std::move(found_);
        std::ranges::stable_sort(result.points, {}, &design::DesignPoint::cycles);
        markFront(result.points);
        result.status = ExtractStatus::Infeasible;
        result.openBound = bound_;
        if (result.outOfTime)
            result.infeasible = {outOfTime()};
        else if (!plans_.complete())
            result.infeasible = {notAllTried()};
        else if (!forced_.empty())
            result.infeasible = pinsUnmet();
        else if (params_.explain)
            result.infeasible = explainInfeasible(lowered_, paramsOf({}, true), streamedWays(),
                                                  result.blocked, stop_);
        if (partly_ && !result.infeasible.empty())
            result.infeasible.front().notes.push_back(
                "the program has too many different shapes to try every shared unit: a design may "
                "have been missed");
        return result;
    }

    static Diagnostic notAllTried() {
        return makeError("limit-plans",
                         "none of the " + std::to_string(kMaxStreamPlans) +
                             " fastest choices of streamed calls that were tried has a design "
                             "within the limits; there are more",
                         "forbid or force stream units, or raise the limits");
    }

    /// That stream as many calls as the limits have room for.
    StreamedWays streamedWays() const {
        StreamPlans largest = largestStreamPlans(choices_, params_.limits);
        StreamedWays ways{std::move(largest.plans), largest.complete()};
        // Fewer calls may then be too few to share.
        const auto shares = [](const Pin& pin) {
            return pin.enabled && pin.kind == PinKind::Share;
        };
        if (std::ranges::any_of(pins_, shares)) {
            ways.plans.emplace_back(choices_.size(), nullptr);
            ways.all = false;
        }
        return ways;
    }

    Diagnostics pinsUnmet() const {
        Diagnostics unmet;
        for (const Pin& pin : forced_)
            unmet.push_back(
                makeError("pin-conflict",
                          "no design within the limits meets the pin \"" + toString(pin) + "\"",
                          pin.kind == PinKind::Share ? "a stream unit serves one call"
                                                     : "raise the limits, or forget the pin"));
        return unmet;
    }

    /// Why a call is streamed, or why not.
    void explainStreams(ExtractResult& result) const {
        Design design = *result.design;
        for (DesignUnit& unit : design.units)
            if (unit.streams)
                explainUnit(design, unit);
        for (const StreamOption& option : options_) {
            const bool used = std::ranges::any_of(
                design.units, [&](const DesignUnit& unit) { return unit.name == option.term; });
            design::SharingCandidate candidate;
            candidate.eclass = option.eclass;
            candidate.name = option.term;
            candidate.callSites = {lowered_.plan.layers[option.call].name};
            candidate.reason = used ? "its weights are part of its logic: no other call can use it"
                                    : reasonAgainst(option, design);
            for (const DesignUnit& unit : design.units)
                if (unit.name == option.term)
                    candidate.utilisation = unit.utilisation;
            design.candidates.push_back(std::move(candidate));
        }
        result.design = std::make_shared<const Design>(std::move(design));
    }

    /// The best design in which the call is not streamed as it is in the chosen one.
    const Design* without(std::size_t call) const {
        const Design* best = nullptr;
        for (const auto& [plan, design] : designs_)
            if (plan[call] != bestPlan_[call] && (!best || better(*design, *best, params_)))
                best = design.get();
        return best;
    }

    void explainUnit(const Design& design, DesignUnit& unit) const {
        const StreamOption& option = *bestPlan_[unit.callSites.front().index()];
        auto& terms = unit.why.terms;
        terms.push_back({"time", static_cast<double>(option.cycles), "cycles",
                         std::to_string(option.interval) + " clocks per pixel, latency " +
                             std::to_string(option.latency) + " pixels"});
        terms.push_back({"DSP", 0, "DSP",
                         std::to_string(option.products) + " products with constants as sums"});
        terms.push_back({"block RAM", option.resources.bram, "blocks", "line buffers"});
        terms.push_back(
            {"LUT", option.resources.lut, "LUT", "sums, shift registers and write-back, estimate"});
        const Design* other = without(option.call);
        if (other == nullptr) {
            unit.why.counterfactual = plans_.complete() ? "no design without it fits the limits"
                                                        : "no design without it was found";
            return;
        }
        design::Alternative& opposite = unit.why.opposite.emplace();
        opposite.what = labelOf(*other);
        opposite.cycles = other->cycles;
        opposite.dsp = other->resources.dsp;
        opposite.cyclesMore = other->cycles - design.cycles;
        opposite.dspMore = other->resources.dsp - design.resources.dsp;
        unit.why.alternatives.push_back(opposite);
        unit.why.counterfactual = std::string("without it the best design ") +
                                  (plans_.complete() ? "" : "found ") + "takes " +
                                  std::to_string(other->cycles) + " cycles: " + opposite.what;
    }

    std::string reasonAgainst(const StreamOption& option, const Design& design) const {
        if (!option.resources.fits(params_.limits))
            return "takes " + std::to_string(std::llround(option.resources.lut)) + " LUT and " +
                   std::to_string(std::llround(option.resources.ff)) + " FF, more than the limits";
        const Design* best = nullptr;
        for (const auto& [plan, made] : designs_) {
            const StreamOption* taken = plan[option.call];
            if (taken && taken->term == option.term && (!best || better(*made, *best, params_)))
                best = made.get();
        }
        if (best == nullptr)
            return plans_.complete() ? "no design with it fits the limits and pins"
                                     : "no design with it was found";
        return std::string("the best design ") + (plans_.complete() ? "" : "found ") +
               "with it takes " + std::to_string(best->cycles) + " cycles (" +
               std::to_string(best->cycles - design.cycles) + " more)";
    }

    const rules::Lowered& lowered_;
    ExtractParams params_; ///< with circuits
    std::stop_token stop_;
    std::vector<StreamOption> options_;
    std::vector<StreamOption> allowed_; ///< by pins; plans point at them
    std::vector<Pin> pins_;             ///< that name no option
    std::vector<Pin> forced_;           ///< that ask for one
    std::vector<StreamChoices> choices_;
    StreamPlans plans_;
    ExtractResult found_;
    bool partly_ = false; ///< of some plan not every shared unit was tried
    /// No design is faster.
    double bound_ = std::numeric_limits<double>::infinity();
    std::optional<ExtractResult> best_;
    StreamPlan bestPlan_;
    std::vector<std::pair<StreamPlan, std::shared_ptr<const Design>>> designs_;
};

} // namespace

Result<ExtractResult> extractStreamed(const rules::Lowered& lowered, const ExtractParams& params,
                                      std::stop_token stop) {
    return StreamSearch(lowered, params, std::move(stop)).run();
}

} // namespace marquetry::extract
