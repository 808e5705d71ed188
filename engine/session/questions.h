// Questions: what the user asks beside the design at hand — another point of the plot as the
// current design, what a pin would change, another design to compare with, and why a layer may run
// as it does.
//
// Answered one at a time, in this order. They are asked of a design that rests, and forgotten with
// the constraints under which they were asked.
// Errors: point-unknown, point-over-limit, layer-unknown. Cancel: an interrupted question stays
// open. Thread rule: belongs to one thread.
#pragma once

#include "engine/session/explorer.h"

namespace marquetry::session {

class Questions {
public:
    Status choose(const design::DesignPoint& point, const extract::ExtractResult& found);
    /// Nothing: drops the question.
    void ask(const std::optional<design::Pin>& pin);
    /// Without a point: drops the question.
    Status compare(const std::optional<design::DesignPoint>& point,
                   const extract::ExtractResult& found);
    Status prove(const std::string& layer, const rules::Lowered& lowered);

    bool open() const { return chosen_ || asking() || comparing() || proofOf_; }
    /// Another point of the plot is wanted.
    bool choosing() const { return chosen_.has_value(); }
    /// Nothing but a proof is asked for, which changes nothing anyone waits for.
    bool onlyProof() const { return proofOf_ && !chosen_ && !asking() && !comparing(); }
    void forget() noexcept;
    /// Drops what is open; answers stay.
    void drop() noexcept;

    /// Answers the first one. What is returned is to be adopted as the current design, or why the
    /// point that was chosen cannot be.
    std::optional<Result<extract::ExtractResult>>
    work(Explorer& explorer, extract::ExtractParams params, std::stop_token stop);
    /// work() has thrown.
    void fail(const Diagnostic& reason);

    void show(Snapshot& snapshot) const;

private:
    bool asking() const { return whatIf_ && whatIf_->running; }
    bool comparing() const { return beside_ && beside_->running; }
    Result<extract::ExtractResult> chosenPoint(const Explorer& explorer,
                                               extract::ExtractParams params,
                                               std::stop_token stop) const;
    void workWhatIf(Explorer& explorer, extract::ExtractParams params, std::stop_token stop);
    void workBeside(const Explorer& explorer, extract::ExtractParams params,
                    const std::stop_token& stop);
    void workProof(const Explorer& explorer, std::stop_token stop);

    using Proofs = std::map<std::string, std::shared_ptr<const LayerProof>>;

    std::optional<design::DesignPoint> chosen_; ///< wanted as the current design
    std::optional<WhatIf> whatIf_;
    std::optional<BesideDesign> beside_;
    std::optional<design::DesignPoint> besidePoint_; ///< of beside_
    std::optional<std::string> proofOf_;             ///< the layer a proof is wanted of
    Shared<Proofs> proofs_;
    std::shared_ptr<const design::Design> provedDesign_; ///< that proofs_ speak of
};

} // namespace marquetry::session
