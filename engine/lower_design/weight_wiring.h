// The parts of the top that bring external weights to the units (weight_modules.h).
//
// A run is started by the control, which stands between the top's start, done and busy and those of
// the sequencer. Thread rule: one builder.
#pragma once

#include "engine/lower_design/part_wires.h"

namespace marquetry::hdl {

class WeightWiring {
public:
    /// Takes the places of start, done and busy in `common`, the wires of the sequencer.
    WeightWiring(rtl::Module& m, const RtlPlan& plan, const DesignParts& parts,
                 const DesignPorts& ports, SequencerWires& common);

    /// The weights that the step needs next are there.
    const Expr& ready() const { return ready_; }
    /// `unit`: that the sequencer's step runs on.
    void instances(const Expr& unit);
    /// What a unit that is loaded needs.
    void connect(std::size_t unit, const UnitControl& control, SequencerWires& wires);
    /// A read was answered with an error.
    const Expr& bad() const { return bad_; }

private:
    SequencerWires ofAxi() const;

    rtl::Module& m_;
    const RtlPlan& plan_;
    const DesignParts& parts_;
    const DesignPorts& ports_;
    SequencerWires wires_; ///< by the names of the modules' ports
    Expr ready_, bad_;
};

} // namespace marquetry::hdl
