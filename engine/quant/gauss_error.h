// The error function in fixed point, by its power series.
//
// Library functions of so many digits take tens of milliseconds a value, and a table has hundreds.
// Thread rule: pure.
#pragma once

#include "engine/quant/rational.h"

namespace marquetry::quant {

/// Bits for which 1 − erf √square has 400 bits too: its terms rise to e^square, and its value falls
/// to about e^−square.
unsigned errorFunctionBits(const Rational& square);

/// erf(√square)·2^bits to within 2^12; square of 0 … 1024, and bits as above or more.
Integer errorFunction(const Rational& square, unsigned bits);

} // namespace marquetry::quant
