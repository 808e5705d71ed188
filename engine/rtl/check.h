// What is wrong with a module that its types cannot tell: things used before they are declared or
// outside the loop they are declared in, wires without a driver or with two, registers set by two
// blocks, products that Verilog would cut.
// Complexity: linear in the text. Thread rule: pure.
#pragma once

#include "engine/rtl/module.h"

#include <string>
#include <vector>

namespace marquetry::rtl {

/// One sentence each, naming things as they want to be named; empty when the module is sound.
std::vector<std::string> faults(const Module& module);

} // namespace marquetry::rtl
