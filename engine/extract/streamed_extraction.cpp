#include "engine/extract/streamed_extraction.h"

#include "engine/extract/bounds.h"
#include "engine/extract/explain.h"
#include "engine/extract/infeasible.h"
#include "engine/extract/pool_extraction.h"
#include "engine/extract/pool_front.h"
#include "engine/extract/ranking.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace marquetry::extract {

namespace {

using design::Design;
using design::DesignUnit;
using design::Pin;
using design::PinKind;

Diagnostics pinsUnmet(const std::vector<Pin>& pins) {
    Diagnostics unmet;
    for (const Pin& pin : pins)
        unmet.push_back(makeError(
            "pin-conflict", "no design within the limits meets the pin \"" + toString(pin) + "\"",
            pin.kind == PinKind::Share ? "a stream unit serves one call"
                                       : "raise the limits, or forget the pin"));
    return unmet;
}

Diagnostic notAllTried() {
    return makeError("limit-plans",
                     "none of the " + std::to_string(kMaxWayChoices) +
                         " fastest choices of streamed calls that were tried has a design "
                         "within the limits; there are more",
                     "forbid or force stream units, or raise the limits");
}

class StreamedExtraction {
public:
    StreamedExtraction(const rules::Lowered& lowered, const ExtractParams& params,
                       std::stop_token stop)
        : lowered_(lowered), params_(params), stop_(std::move(stop)) {}

    Result<ExtractResult> run() {
        if (params_.method == SearchMethod::Milp)
            return makeError("option-value", "--method milp does not know stream units",
                             "leave out --method milp, or the rule group streams");
        if (!params_.circuits)
            params_.circuits = std::make_shared<StreamCircuits>();
        StreamPins pins = applyStreamPins(
            lowered_, streamOptions(lowered_, params_.device, *params_.circuits, stop_),
            params_.pins);
        params_.pins = std::move(pins.others);
        forced_ = std::move(pins.forced);
        streams_ = std::make_shared<const StreamedCalls>(std::move(pins.calls));
        if (streams_->options.empty() || stop_.stop_requested())
            return withoutStreams();
        if (pins.unmet)
            return unmetPins();
        const bool inFlight = params_.frames.value_or(1) > 1;
        auto found =
            extractFromPools(lowered_, inFlight ? params_ : unexplained(), streams_, stop_);
        if (!found)
            return found.error();
        found_ = *std::move(found);
        ExtractResult& result = found_.result;
        std::ranges::stable_sort(result.points, {}, &design::DesignPoint::cycles);
        if (!result.design)
            return noDesign();
        if (stop_.stop_requested())
            result.lowerBound =
                std::min(result.lowerBound, static_cast<double>(transferCycles(lowered_, 1)));
        if (params_.explain && inFlight)
            explainStreams(result);
        else if (params_.explain)
            if (const Status explained = explain(); !explained)
                return explained.error();
        return std::move(result);
    }

private:
    ExtractParams unexplained() const {
        ExtractParams params = params_;
        params.explain = false;
        return params;
    }

    Result<ExtractResult> unmetPins() const {
        ExtractResult result;
        result.openBound = std::numeric_limits<double>::infinity();
        result.infeasible = pinsUnmet(forced_);
        return result;
    }

    Result<ExtractResult> withoutStreams() const {
        auto found = extractFromPools(lowered_, params_, nullptr, stop_);
        if (!found)
            return found.error();
        return std::move(found->result);
    }

    Result<ExtractResult> noDesign() {
        ExtractResult& result = found_.result;
        if (stop_.stop_requested() || result.outOfTime)
            return std::move(result);
        const bool partly =
            !found_.unitsComplete && result.blocked.empty() && std::isfinite(result.openBound);
        if (!found_.waysComplete)
            result.infeasible = {notAllTried()};
        else if (!forced_.empty())
            result.infeasible = pinsUnmet(forced_);
        else if (params_.explain && result.infeasible.empty())
            result.infeasible =
                explainInfeasible(lowered_, params_, streams_, result.blocked, stop_);
        if (partly && !result.infeasible.empty())
            result.infeasible.front().notes.push_back(
                "the program has too many different shapes to try every shared unit: a design may "
                "have been missed");
        return std::move(result);
    }

    /// The other units of the design, what is streamed being given; then the stream units.
    Status explain() {
        ExtractResult& result = found_.result;
        if (!stop_.stop_requested()) {
            StreamedCalls given = *streams_;
            given.ways = found_.chosen;
            auto explained = extractFromPools(
                lowered_, params_, std::make_shared<const StreamedCalls>(std::move(given)), stop_);
            if (!explained)
                return explained.error();
            const auto& design = explained->result.design;
            if (design && !better(*result.design, *design, params_)) {
                result.design = design;
                result.alternatives = std::move(explained->result.alternatives);
            }
        }
        explainStreams(result);
        return ok();
    }

    /// Why a call is streamed, or why not.
    void explainStreams(ExtractResult& result) const {
        Design design = *result.design;
        for (DesignUnit& unit : design.units)
            if (unit.streams)
                explainUnit(design, unit);
        for (const StreamOption& option : streams_->options) {
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

    /// The best design in which the call goes one of these ways; none was found: null.
    std::shared_ptr<const Design> bestWith(std::size_t call, Ways ways) const {
        std::shared_ptr<const Design> best;
        for (const auto& [chosen, design] : found_.bestOfWays)
            if ((chosen[call] & ways) != 0 && (!best || better(*design, *best, params_)))
                best = design;
        return best;
    }

    void explainUnit(const Design& design, DesignUnit& unit) const {
        const std::size_t call = unit.callSites.front().index();
        const StreamOption& option = streams_->option(call, std::countr_zero(found_.chosen[call]));
        auto& terms = unit.why.terms;
        terms.push_back({"time", static_cast<double>(option.cycles), "cycles",
                         std::to_string(option.interval) + " clocks per pixel, latency " +
                             std::to_string(option.latency) + " pixels"});
        terms.push_back({"DSP", 0, "DSP",
                         std::to_string(option.products) + " products with constants as sums"});
        terms.push_back({"block RAM", option.resources.bram, "blocks", "line buffers"});
        terms.push_back(
            {"LUT", option.resources.lut, "LUT", "sums, shift registers and write-back, estimate"});
        const auto other = bestWith(call, ~found_.chosen[call]);
        if (other == nullptr) {
            unit.why.counterfactual = found_.waysComplete ? "no design without it fits the limits"
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
                                  (found_.waysComplete ? "" : "found ") + "takes " +
                                  std::to_string(other->cycles) + " cycles: " + opposite.what;
    }

    std::string reasonAgainst(const StreamOption& option, const Design& design) const {
        if (!option.resources.fits(params_.limits))
            return "takes " + std::to_string(std::llround(option.resources.lut)) + " LUT and " +
                   std::to_string(std::llround(option.resources.ff)) + " FF, more than the limits";
        const auto best = bestWith(option.call, wayBit(option.way));
        if (best == nullptr)
            return found_.waysComplete ? "no design with it fits the limits and pins"
                                       : "no design with it was found";
        return std::string("the best design ") + (found_.waysComplete ? "" : "found ") +
               "with it takes " + std::to_string(best->cycles) + " cycles (" +
               std::to_string(best->cycles - design.cycles) + " more)";
    }

    const rules::Lowered& lowered_;
    ExtractParams params_; ///< with circuits, and without the pins that name stream units
    std::stop_token stop_;
    std::vector<Pin> forced_; ///< that ask for a stream unit
    std::shared_ptr<const StreamedCalls> streams_;
    PoolExtraction found_;
};

} // namespace

Result<ExtractResult> extractStreamed(const rules::Lowered& lowered, const ExtractParams& params,
                                      std::stop_token stop) {
    return StreamedExtraction(lowered, params, std::move(stop)).run();
}

} // namespace marquetry::extract
