// Wires between the parts of a design, by the names of the parts' ports.
//
// Thread rule: one builder.
#pragma once

#include "engine/lower_design/unit_control.h"

#include <initializer_list>
#include <string>

namespace marquetry::hdl {

/// Wires for the outputs of a module that are not among others yet.
SequencerWires outputsOf(rtl::Module& m, const rtl::Module& module, const std::string& prefix,
                         const SequencerWires& others);

/// Connections of every port that is among those.
rtl::Module::Connections wired(const rtl::Module& module,
                               std::initializer_list<const SequencerWires*> sources);

} // namespace marquetry::hdl
