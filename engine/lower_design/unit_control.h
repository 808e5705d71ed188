// Which sequencer's signals a unit listens to.
//
// Followers run the steps that are joined to another, and those of queues beside calls, beside the
// leader; without such steps there is one sequencer. A unit that runs only steps of one of them
// listens to that one; a unit that runs steps of the leader and of a follower listens to the
// follower while that names it.
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
    UnitControl(const RtlPlan& plan, SequencerWires leader, std::vector<SequencerWires> followers)
        : plan_(plan),
          leader_(std::move(leader)),
          followers_(std::move(followers)),
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
    /// The number of a follower; none: the leader.
    using Sequencer = std::optional<std::size_t>;
    /// The write-back of some unit of its steps; `valid` by unit.
    Expr resultValid(const std::vector<Expr>& valid, Sequencer sequencer) const;

    Expr leader(const std::string& signal) const { return leader_.at(signal); }
    Expr follower(std::size_t k, const std::string& signal) const {
        return followers_[k].at(signal);
    }
    /// Of what runs all calls with external weights of a unit that has such.
    Sequencer fetcherOf(std::size_t unit) const {
        return plan_.units[unit].leads ? Sequencer() : plan_.units[unit].follower;
    }
    Expr signalOf(Sequencer sequencer, const std::string& signal) const {
        return sequencer ? follower(*sequencer, signal) : leader(signal);
    }
    Expr isUnit(std::size_t unit, Sequencer sequencer) const;
    static Expr isSlot(const Expr& selector, std::size_t slot);

private:
    bool both(std::size_t unit) const;

    const RtlPlan& plan_;
    SequencerWires leader_;
    std::vector<SequencerWires> followers_;
    std::vector<SequencerWires> seen_; ///< of units that listen to both
    std::vector<Expr> follows_;        ///< of those: they listen to their follower now
};

} // namespace marquetry::hdl
