#include "engine/session/questions.h"

#include "engine/design/make_ledger.h"
#include "engine/session/layer_proof.h"

#include <algorithm>
#include <cmath>

namespace marquetry::session {

namespace {

using design::DesignPoint;
using design::Pin;

bool sameDesign(const DesignPoint& a, const DesignPoint& b) {
    return a.cycles == b.cycles && a.resources == b.resources && a.label == b.label &&
           a.frames == b.frames && a.lanes == b.lanes && a.groupedChannels == b.groupedChannels;
}

/// As it was found.
Result<DesignPoint> pointOf(const DesignPoint& wanted, const extract::ExtractResult& found) {
    const auto point = std::ranges::find_if(
        found.points, [&](const DesignPoint& each) { return sameDesign(each, wanted); });
    if (point == found.points.end())
        return makeError("point-unknown", "this design is not among those found",
                         "choose one that the plot shows now");
    if (!point->feasible)
        return makeError("point-over-limit", "this design does not meet the limits",
                         "raise the limits, or choose one on the front");
    return *point;
}

} // namespace

Status Questions::choose(const DesignPoint& wanted, const extract::ExtractResult& found) {
    auto point = pointOf(wanted, found);
    if (!point)
        return point.error();
    chosen_ = *std::move(point);
    return ok();
}

Status Questions::compare(const std::optional<DesignPoint>& wanted,
                          const extract::ExtractResult& found) {
    if (!wanted) {
        beside_.reset();
        return ok();
    }
    auto point = pointOf(*wanted, found);
    if (!point)
        return point.error();
    beside_ = BesideDesign{{point->cycles, point->frames, point->resources, point->label,
                            point->lanes, point->groupedChannels}};
    besidePoint_ = *std::move(point);
    return ok();
}

void Questions::ask(const std::optional<Pin>& pin) {
    if (pin)
        whatIf_ = WhatIf{*pin, true, nullptr, {}};
    else
        whatIf_.reset();
}

Status Questions::prove(const std::string& layer, const rules::Lowered& lowered) {
    const auto known = std::ranges::any_of(lowered.plan.layers,
                                           [&](const auto& each) { return each.name == layer; });
    if (!known)
        return makeError("layer-unknown", "there is no layer \"" + layer + "\"");
    proofOf_ = layer;
    return ok();
}

void Questions::forget() noexcept {
    chosen_.reset();
    whatIf_.reset();
    beside_.reset();
    proofOf_.reset();
}

void Questions::drop() noexcept {
    chosen_.reset();
    proofOf_.reset();
    if (asking())
        whatIf_.reset();
    if (comparing())
        beside_.reset();
}

std::optional<Result<extract::ExtractResult>>
Questions::work(Explorer& explorer, extract::ExtractParams params, std::stop_token stop) {
    if (chosen_) {
        auto point = chosenPoint(explorer, std::move(params), stop);
        if (stop.stop_requested())
            return std::nullopt;
        chosen_.reset();
        return point;
    }
    if (asking())
        workWhatIf(explorer, std::move(params), std::move(stop));
    else if (comparing())
        workBeside(explorer, std::move(params), stop);
    else
        workProof(explorer, std::move(stop));
    return std::nullopt;
}

Result<extract::ExtractResult> Questions::chosenPoint(const Explorer& explorer,
                                                      extract::ExtractParams params,
                                                      std::stop_token stop) const {
    // Not every number of frames was tried (extract/throughput.h).
    const bool open = params.objective == design::Objective::Throughput && !params.frames;
    params.objective = design::Objective::Latency;
    const auto design = explorer.searchPoint(params, *chosen_, std::move(stop));
    if (!design)
        return design.error();
    extract::ExtractResult result = explorer.found();
    if (result.design) // the bound is one of runs of as many frames as that design's
        result.lowerBound *=
            static_cast<double>((*design)->frames) / static_cast<double>(result.design->frames);
    result.design = *design;
    const double cycles = static_cast<double>(result.design->cycles);
    result.gap = cycles > 0 ? std::max(0.0, (cycles - result.lowerBound) / cycles) : 0;
    result.status =
        result.gap > 0 || open ? extract::ExtractStatus::Feasible : extract::ExtractStatus::Optimal;
    result.alternatives.clear();
    return result;
}

/// Pins that speak of the same thing make way for the question.
void Questions::workWhatIf(Explorer& explorer, extract::ExtractParams params,
                           std::stop_token stop) {
    std::erase_if(params.pins, [&](const Pin& pin) { return pin.target == whatIf_->pin.target; });
    params.pins.push_back(whatIf_->pin);
    auto result = explorer.search(params, stop);
    if (stop.stop_requested())
        return;
    whatIf_->running = false;
    whatIf_->infeasible = result ? std::move(result->infeasible) : result.error();
    if (result)
        whatIf_->design = std::move(result->design);
}

void Questions::workBeside(const Explorer& explorer, extract::ExtractParams params,
                           const std::stop_token& stop) {
    params.objective = design::Objective::Latency;
    auto design = explorer.searchPoint(params, *besidePoint_, stop);
    if (stop.stop_requested())
        return;
    beside_->running = false;
    if (!design) {
        beside_->problem = design.error();
        return;
    }
    beside_->design = *std::move(design);
    beside_->ledger = std::make_shared<const design::Ledger>(
        design::makeLedger(*beside_->design, params.device, params.limits));
    const extract::ExtractResult& found = explorer.found();
    const double runs = found.design ? static_cast<double>(beside_->design->frames) /
                                           static_cast<double>(found.design->frames)
                                     : 0;
    beside_->lowerBound = std::llround(found.lowerBound * runs);
}

void Questions::workProof(const Explorer& explorer, std::stop_token stop) {
    const auto& design = explorer.found().design;
    if (provedDesign_ != design)
        proofs_ = {};
    provedDesign_ = design;
    if (design && !proofs_.contains(*proofOf_)) {
        auto proof = proveLayer(*explorer.lowered(), *design, *proofOf_, stop);
        if (stop.stop_requested())
            return;
        proofs_.edit()[*proofOf_] = std::make_shared<const LayerProof>(std::move(proof));
    }
    proofOf_.reset();
}

void Questions::fail(const Diagnostic& reason) {
    if (chosen_) {
        chosen_.reset();
    } else if (asking()) {
        whatIf_->running = false;
        whatIf_->infeasible = {reason};
    } else if (comparing()) {
        beside_->running = false;
        beside_->problem = {reason};
    } else if (proofOf_) {
        LayerProof proof;
        proof.failure = {reason};
        proofs_.edit()[*std::exchange(proofOf_, std::nullopt)] =
            std::make_shared<const LayerProof>(std::move(proof));
    }
}

void Questions::show(Snapshot& snapshot) const {
    snapshot.whatIf = whatIf_;
    snapshot.beside = beside_;
    if (provedDesign_ == snapshot.design)
        snapshot.proofs = proofs_;
}

} // namespace marquetry::session
