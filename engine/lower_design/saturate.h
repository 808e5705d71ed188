// The nearest number of fewer bits.
//
// Thread rule: one builder.
#pragma once

#include "engine/rtl/module.h"

#include <string>

namespace marquetry::hdl {

/// The nearest number of `out` bits; without sign, those that are not negative. The bits above tell
/// without a comparison whether the number itself is one.
rtl::Expr saturated(rtl::Module& m, const std::string& name, const rtl::Expr& sum, int out,
                    bool isSigned);

} // namespace marquetry::hdl
