// An instance whose outputs that nobody asks for have wires of their own: lints take an open port
// for a forgotten one.
// Thread rule: one builder.
#pragma once

#include "engine/rtl/module.h"

#include <string>

namespace marquetry::hdl {

void wholeInstance(rtl::Module& m, const rtl::ModulePtr& module, const std::string& name,
                   rtl::Module::Connections ports, const rtl::Module::Arguments& parameters = {});

} // namespace marquetry::hdl
