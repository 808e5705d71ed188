// Which sequencer's signals a unit listens to.
//
// Without joined steps there is one sequencer. Else a follower runs the joined steps beside it, its
// signals named "f_…". A unit that runs only steps of one of them listens to that one; a unit that
// runs steps of both listens to the follower while that names it.
// Thread rule: pure but for the body it writes to.
#pragma once

#include "engine/hdl/modules.h"

#include <string>

namespace marquetry::hdl {

class UnitControl {
public:
    explicit UnitControl(const RtlPlan& plan) : plan_(plan) {}

    /// The wires a unit needs before any of the others is used.
    void declare(Body& body, std::size_t unit) const;
    /// A signal of the sequencers as the unit sees it.
    std::string of(std::size_t unit, const std::string& signal) const;
    /// "a step of this unit issues".
    std::string issue(std::size_t unit) const;
    /// "this unit is writing to slot s, if it writes at all".
    std::string writes(std::size_t unit, std::size_t slot) const;
    /// The write-back of some unit of the leading (following) steps.
    std::string resultValid(bool follower) const;

    std::string isUnit(std::size_t unit, bool follower) const;
    std::string isSlot(const std::string& selector, std::size_t slot) const;

private:
    bool both(std::size_t unit) const;
    std::string follows(std::size_t unit) const;

    const RtlPlan& plan_;
};

} // namespace marquetry::hdl
