// Questions beside the current design: another point of the plot, "what if?", and proofs.
#include "engine/session/controller.h"
#include "engine/session/layer_proof.h"

#include <algorithm>

namespace marquetry::session {

namespace {

using design::DesignPoint;
using design::Pin;

bool sameDesign(const DesignPoint& a, const DesignPoint& b) {
    return a.cycles == b.cycles && a.resources == b.resources && a.label == b.label;
}

} // namespace

/// There is a design, and it stays as it is for now.
Status Controller::designAtRest() const {
    if (mode_ == Mode::Saturating)
        return makeError("running", "the e-graph is growing: its designs come and go",
                         "pause or stop first");
    return designAtHand();
}

Status Controller::apply(const ChoosePoint& command) {
    if (const Status rest = designAtRest(); !rest)
        return rest;
    const auto& points = explorer_.found().points;
    const auto found = std::ranges::find_if(
        points, [&](const DesignPoint& point) { return sameDesign(point, command.point); });
    if (found == points.end())
        return makeError("point-unknown", "this design is not among those found",
                         "choose one that the plot shows now");
    if (!found->feasible)
        return makeError("point-over-limit", "this design does not meet the limits",
                         "raise the limits, or choose one on the front");
    chosen_ = *found;
    return ok();
}

Status Controller::apply(const AskWhatIf& command) {
    if (!command.pin) {
        whatIf_.reset();
        return ok();
    }
    if (const Status rest = designAtRest(); !rest)
        return rest;
    whatIf_ = WhatIf{*command.pin, true, nullptr, {}};
    return ok();
}

Status Controller::apply(const AskProof& command) {
    if (const Status rest = designAtRest(); !rest)
        return rest;
    const auto& calls = explorer_.lowered()->plan.layers;
    const auto known =
        std::ranges::any_of(calls, [&](const auto& layer) { return layer.name == command.layer; });
    if (!known)
        return makeError("layer-unknown", "there is no layer \"" + command.layer + "\"");
    proofOf_ = command.layer;
    return ok();
}

bool Controller::questionOpen() const {
    return chosen_ || (whatIf_ && whatIf_->running) || proofOf_;
}

bool Controller::onlyProofOpen() const {
    return proofOf_ && !chosen_ && !(whatIf_ && whatIf_->running);
}

/// The job behind a question that was interrupted would keep the interrupting command waiting.
void Controller::workQuestion(std::stop_token stop) {
    if (chosen_)
        workChosenPoint(stop);
    else if (whatIf_ && whatIf_->running)
        workWhatIf(stop);
    else
        workProof(stop);
    if (stop.stop_requested() && job_)
        refuseJob(makeError("interrupted", "another command came before the answer was found"));
}

void Controller::workChosenPoint(std::stop_token stop) {
    extract::ExtractParams params = extraction();
    params.objective = extract::Objective::Latency;
    const auto design = extract::extractPoint(*explorer_.lowered(), params, *chosen_, stop);
    if (stop.stop_requested())
        return;
    chosen_.reset();
    if (!design) {
        log("no design: " + design.error().front().message);
        return;
    }
    extract::ExtractResult result = explorer_.found();
    result.design = *design;
    const double cycles = static_cast<double>(result.design->cycles);
    result.gap = cycles > 0 ? std::max(0.0, (cycles - result.lowerBound) / cycles) : 0;
    result.status =
        result.gap > 0 ? extract::ExtractStatus::Feasible : extract::ExtractStatus::Optimal;
    result.alternatives.clear();
    explorer_.adopt(std::move(result));
    logDesign();
}

/// Pins that speak of the same thing make way for the question.
void Controller::workWhatIf(std::stop_token stop) {
    extract::ExtractParams params = extraction();
    std::erase_if(params.pins, [&](const Pin& pin) { return pin.target == whatIf_->pin.target; });
    params.pins.push_back(whatIf_->pin);
    extract::ExtractResult result = explorer_.search(params, stop);
    if (stop.stop_requested())
        return;
    whatIf_->running = false;
    whatIf_->design = std::move(result.design);
    whatIf_->infeasible = std::move(result.infeasible);
}

// ---- proofs ----

void Controller::workProof(std::stop_token stop) {
    const auto& design = explorer_.found().design;
    if (provedDesign_ != design)
        proofs_.clear();
    provedDesign_ = design;
    if (design && !proofs_.contains(*proofOf_)) {
        auto proof = proveLayer(*explorer_.lowered(), *design, *proofOf_, stop);
        if (stop.stop_requested())
            return;
        proofs_[*proofOf_] = std::make_shared<const LayerProof>(std::move(proof));
    }
    proofOf_.reset();
}

} // namespace marquetry::session
