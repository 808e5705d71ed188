// Netlists to Verilog-2001 text: ASCII, a module after the other, in the order of declaration. Same
// netlist, same bytes. Lines have up to 100 characters where the text can be broken.
//
// A faulty module (check.h) is our own mistake. Complexity: linear. Thread rule: pure.
#pragma once

#include "engine/rtl/scope.h"

#include <string>

namespace marquetry::rtl {

struct WriteParams {
    Vendor vendor = Vendor::Xilinx; ///< whose attributes memories get
};

/// One module of the netlist that was named.
std::string writeVerilog(const Module& module, const Names& names, const WriteParams& params = {});

/// Spaces for control characters, "x" for a multiplication sign, "?" for what else is not ASCII.
std::string commentText(std::string_view text);

} // namespace marquetry::rtl
