#include "engine/lower_design/saturate.h"

namespace marquetry::hdl {

using rtl::Expr;
using rtl::signedConstant;

Expr saturated(rtl::Module& m, const std::string& name, const Expr& sum, int out, bool isSigned) {
    const int bits = sum.width();
    const Expr sign = sum.bit(bits - 1);
    if (bits <= out)
        return isSigned ? sum.extended(out)
                        : choose(sign, signedConstant(0, out), sum.extended(out));
    const Expr above = sum.slice(out - 1, bits - out + 1);
    const Expr fits =
        m.wire(name + "_fits", isSigned ? allOf(above) | ~anyOf(above) : ~anyOf(above));
    const Expr edge = rtl::join({isSigned ? sign : rtl::constant(0, 1), (~sign).repeated(out - 1)});
    return choose(fits, sum.slice(0, out), edge).asSigned();
}

} // namespace marquetry::hdl
