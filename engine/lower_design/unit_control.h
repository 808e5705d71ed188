// Which sequencer's signals a unit listens to.
//
// A follower runs the steps that are joined to another, and those of the second queue, beside the
// leader; without such steps there is one sequencer. A
// unit that runs only steps of one of them listens to that one; a unit that runs steps of both
// listens to the follower while that names it.
// Thread rule: one builder.
#pragma once

#include "engine/lower_design/design_modules.h"

#include <map>
#include <string>

namespace marquetry::hdl {

/// Wires at the outputs of a sequencer, by the names of its ports.
using SequencerWires = std::map<std::string, Expr>;

class UnitControl {
public:
    UnitControl(const RtlPlan& plan, SequencerWires leader, SequencerWires follower)
        : plan_(plan),
          leader_(std::move(leader)),
          follower_(std::move(follower)),
          seen_(plan.units.size()),
          follows_(plan.units.size()) {}

    /// The wires a unit needs before any of the others is used.
    void declare(rtl::Module& m, std::size_t unit);
    /// A signal of the sequencers as the unit sees it.
    Expr of(std::size_t unit, const std::string& signal) const;
    /// A step of this unit issues.
    Expr issue(std::size_t unit) const;
    /// This unit is writing to a slot, if it writes at all.
    Expr writes(std::size_t unit, std::size_t slot) const;
    /// The write-back of some unit of the leading (following) steps; `valid` by unit.
    Expr resultValid(const std::vector<Expr>& valid, bool follower) const;

    Expr leader(const std::string& signal) const { return leader_.at(signal); }
    Expr follower(const std::string& signal) const { return follower_.at(signal); }
    Expr isUnit(std::size_t unit, bool follower) const;
    static Expr isSlot(const Expr& selector, std::size_t slot);

private:
    bool both(std::size_t unit) const;

    const RtlPlan& plan_;
    SequencerWires leader_, follower_;
    std::vector<SequencerWires> seen_; ///< of units that listen to both
    std::vector<Expr> follows_;        ///< of those: they listen to the follower now
};

} // namespace marquetry::hdl
