// The register of a unit's operands, with what padding has in place of words outside the input.
//
// Thread rule: one builder.
#pragma once

#include "engine/lower_design/design_library.h"

namespace marquetry::hdl {

struct OperandPorts {
    Expr operand;
    Expr outside;  ///< a bit for each `maskLanes`, a clock before it; of no bits where nothing is
                   ///< padded
    Expr padValue; ///< which of the unit's, where it has several
};

Expr operandRegister(rtl::Module& m, const Clocking& clocking, const UnitPlan& unit,
                     const OperandPorts& ports);

} // namespace marquetry::hdl
