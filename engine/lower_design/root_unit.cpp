#include "engine/lower_design/root_unit.h"

#include "engine/rtl/netlist.h"
#include "engine/support/checked_math.h"

namespace marquetry::hdl {

using rtl::bits;
using rtl::constant;

namespace {

class RootBuilder {
public:
    RootBuilder(rtl::Module& m, const Clocking& clocking, const RootUnit& unit)
        : m_(m), clocking_(clocking), unit_(unit) {}

    Expr build(const Expr& starts, const Expr& value) {
        if ((unit_.divisor & (unit_.divisor - 1)) == 0)
            return root(starts, shifted(value));
        const Expr done = divide(starts, value);
        return root(done, quotient_);
    }

private:
    /// By a power of two.
    Expr shifted(const Expr& value) {
        const int shift = bitsFor(unit_.divisor + 1) - 1;
        const Expr named = m_.wire("radicand", value);
        return shift == 0
                   ? named
                   : rtl::join({rtl::zeros(shift), named.slice(shift, unit_.valueBits - shift)});
    }

    /// A counter of so many clocks; 1 in the last of them.
    Expr countdown(const std::string& name, const Expr& starts, int clocks) {
        const Expr left = m_.reg(name + "_left", bits(bitsFor(clocks + 1)));
        busy_ = m_.wire(name + "_busy", left != 0);
        m_.clocked(clocking_.clock, [&](rtl::Block& b) {
            b.when(~clocking_.reset,
                   [&](rtl::Block& then) { then.set(left, constantLike(left, 0)); });
            b.orWhen(starts, [&](rtl::Block& then) { then.set(left, constantLike(left, clocks)); });
            b.orWhen(busy_, [&](rtl::Block& then) { then.set(left, left - 1); });
        });
        return m_.wire(name + "_ends", left == 1);
    }

    /// The highest bit first: the remainder takes it in, and gives up the divisor if it can.
    Expr divide(const Expr& starts, const Expr& value) {
        const int width = bitsFor(unit_.divisor + 1) + 1;
        const Expr ends = countdown("division", starts, unit_.valueBits);
        const Expr rest = m_.reg("division_rest", bits(width));
        quotient_ = m_.reg("division_bits", bits(unit_.valueBits));
        const Expr next =
            m_.wire("division_next",
                    rtl::join({rest.slice(0, width - 1), quotient_.bit(unit_.valueBits - 1)}));
        const Expr fits = m_.wire("division_fits", next >= constantLike(next, unit_.divisor));
        m_.clocked(clocking_.clock, [&](rtl::Block& b) {
            b.when(starts, [&](rtl::Block& then) {
                then.set(rest, rtl::zeros(width));
                then.set(quotient_, value);
            });
            b.orWhen(busy_, [&](rtl::Block& then) {
                then.set(rest, choose(fits, next - unit_.divisor, next));
                then.set(quotient_, rtl::join({quotient_.slice(0, unit_.valueBits - 1), fits}));
            });
        });
        const Expr done = m_.reg("division_done");
        m_.clocked(clocking_.clock, [&](rtl::Block& b) { b.set(done, ends); });
        return done;
    }

    /// Two bits of the radicand at a time: the remainder gives up four times the root and one if it
    /// can, and the root gets another bit.
    Expr root(const Expr& starts, const Expr& value) {
        const int even = 2 * unit_.rootBits;
        const int width = unit_.rootBits + 2;
        countdown("root", starts, unit_.rootBits);
        const Expr left = m_.reg("root_radicand", bits(even));
        const Expr rest = m_.reg("root_rest", bits(width));
        const Expr found = m_.reg("root_bits", bits(unit_.rootBits));
        const Expr next =
            m_.wire("root_next", rtl::join({rest.slice(0, width - 2), left.slice(even - 2, 2)}));
        const Expr trial = m_.wire("root_trial", rtl::join({found, constant(1, 2)}));
        const Expr fits = m_.wire("root_fits", next >= trial);
        m_.clocked(clocking_.clock, [&](rtl::Block& b) {
            b.when(starts, [&](rtl::Block& then) {
                then.set(left, rtl::join({rtl::zeros(even - unit_.valueBits), value}));
                then.set(rest, rtl::zeros(width));
                then.set(found, rtl::zeros(unit_.rootBits));
            });
            b.orWhen(busy_, [&](rtl::Block& then) {
                then.set(left, rtl::join({left.slice(0, even - 2), constant(0, 2)}));
                then.set(rest, choose(fits, next - trial, next));
                then.set(found, unit_.rootBits > 1
                                    ? rtl::join({found.slice(0, unit_.rootBits - 1), fits})
                                    : fits);
            });
        });
        return found;
    }

    rtl::Module& m_;
    const Clocking& clocking_;
    const RootUnit& unit_;
    Expr busy_, quotient_;
};

} // namespace

Expr rootOf(rtl::Module& m, const Clocking& clocking, const RootUnit& unit, const Expr& starts,
            const Expr& value) {
    return RootBuilder(m, clocking, unit).build(starts, value);
}

} // namespace marquetry::hdl
