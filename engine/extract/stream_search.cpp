#include "engine/extract/stream_search.h"

#include "engine/extract/explain.h"

#include <algorithm>
#include <cmath>

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
        if (params_.method == Method::Milp)
            return makeError("option-value", "--method milp does not know stream units",
                             "leave out --streams or --method milp");
        if (!params_.circuits)
            params_.circuits = std::make_shared<StreamCircuits>();
        options_ = streamOptions(lowered_, params_.device, *params_.circuits, stop_);
        allowed_ = applyPins();
        const StreamPlans plans = streamPlans(lowered_.calls.size(), allowed_);
        complete_ = plans.complete;
        for (const StreamPlan& plan : plans.plans)
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

    /// The stream units alone are within the limits.
    bool fits(const StreamPlan& plan) const {
        device::Resources sum;
        for (const StreamOption* option : plan)
            if (option != nullptr)
                sum += option->resources;
        return sum.fits(params_.limits);
    }

    ExtractParams paramsOf(const StreamPlan& plan, bool explain) const {
        ExtractParams params = params_;
        params.pins = pins_;
        params.streamed = plan;
        params.explain = explain;
        return params;
    }

    Status attempt(const StreamPlan& plan) {
        if (!fits(plan))
            return ok();
        auto result = extractPlan(lowered_, paramsOf(plan, false), stop_);
        if (!result)
            return result.error();
        found_.points.insert(found_.points.end(), result->points.begin(), result->points.end());
        found_.poolsTried += result->poolsTried;
        found_.outOfTime |= result->outOfTime;
        bound_ = std::min(bound_, result->design ? result->lowerBound : result->openBound);
        if (result->design && (!best_ || better(*result->design, *best_->design, params_)))
            best_ = *result, bestPlan_ = plan;
        if (result->design)
            designs_.emplace_back(plan, result->design);
        return ok();
    }

    Result<ExtractResult> finish() {
        if (!best_ && !forced_.empty() && !stop_.stop_requested())
            return pinsUnmet();
        if (!best_)
            return extractPlan(lowered_, paramsOf({}, params_.explain), stop_);
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
        const bool proven = result.status == ExtractStatus::Optimal && complete_ &&
                            !stop_.stop_requested() && bound_ >= cycles;
        if (!proven)
            result.status = ExtractStatus::Feasible;
        return result;
    }

    ExtractResult pinsUnmet() const {
        ExtractResult result;
        result.status = ExtractStatus::Infeasible;
        for (const Pin& pin : forced_)
            result.infeasible.push_back(
                makeError("pin-conflict",
                          "no design within the limits meets the pin \"" + toString(pin) + "\"",
                          pin.kind == PinKind::Share ? "a stream unit serves one call"
                                                     : "raise the limits, or forget the pin"));
        return result;
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
            unit.why.counterfactual = "no design without it fits the limits";
            return;
        }
        design::Alternative& opposite = unit.why.opposite.emplace();
        opposite.what = labelOf(*other);
        opposite.cycles = other->cycles;
        opposite.dsp = other->resources.dsp;
        opposite.cyclesMore = other->cycles - design.cycles;
        opposite.dspMore = other->resources.dsp - design.resources.dsp;
        unit.why.alternatives.push_back(opposite);
        unit.why.counterfactual = "without it the best design takes " +
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
            return "no design with it fits the limits and pins";
        return "the best design with it takes " + std::to_string(best->cycles) + " cycles (" +
               std::to_string(best->cycles - design.cycles) + " more)";
    }

    const rules::Lowered& lowered_;
    ExtractParams params_; ///< with circuits
    std::stop_token stop_;
    std::vector<StreamOption> options_;
    std::vector<StreamOption> allowed_; ///< by pins; plans point at them
    std::vector<Pin> pins_;             ///< that name no option
    std::vector<Pin> forced_;           ///< that ask for one
    bool complete_ = true;
    ExtractResult found_;
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
