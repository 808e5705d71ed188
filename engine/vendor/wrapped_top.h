// A project's top as modules around it see it: its ports, and nothing inside.
//
// Thread rule: pure.
#pragma once

#include "engine/rtl/scope.h"
#include "engine/vendor/interfaces.h"

#include <string>
#include <vector>

namespace marquetry::vendor {

/// A module with the top's name and ports; to be instantiated, never to be written.
rtl::ModulePtr wrappedTop(const Project& project);

rtl::SignalType typeOf(const PlainPort& port);

/// A name for a module around the top that no module of the project has.
std::string wrapperName(const Project& project, const std::string& ending);

/// The names of a netlist around the top, in which this has kept its own; also a wrapper's.
rtl::Names namesAround(const Project& project, const rtl::ModulePtr& wrapper,
                       const rtl::ModulePtr& top);

} // namespace marquetry::vendor
