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

    /// The weights that the step of a sequencer needs next are there.
    Expr ready(UnitControl::Sequencer sequencer);
    /// `transfers`: of what runs steps that move external tensors.
    void instances(const UnitControl& control, const SequencerWires& transfers);
    /// What a unit that is loaded needs.
    void connect(std::size_t unit, const UnitControl& control, SequencerWires& wires);
    /// A read was answered with an error.
    const Expr& bad() const { return bad_; }
    /// What moves external tensors: "loaded", "loaded_valid", "loaded_taken", "stored",
    /// "stored_valid", "stored_taken", "write_bad". None where no step does.
    const SequencerWires& transfer() const { return transfer_; }

private:
    SequencerWires ofAxi() const;
    SequencerWires ofReader();
    void instanceTransfer(const SequencerWires& machine, const SequencerWires& reader);

    rtl::Module& m_;
    const RtlPlan& plan_;
    const DesignParts& parts_;
    const DesignPorts& ports_;
    SequencerWires wires_; ///< by the names of the modules' ports
    SequencerWires transfer_;
    std::map<UnitControl::Sequencer, Expr> ready_; ///< of those that ask
    Expr bad_;
};

} // namespace marquetry::hdl
