#include "engine/lower_design/stream_unit_position.h"

#include "engine/support/checked_math.h"

namespace marquetry::hdl {

namespace {

/// A counter that starts at `first` again where `end` holds, and wraps at `period`.
Expr counter(rtl::Module& m, const Clocking& clocking, const std::string& name, int bits,
             std::int64_t first, const Expr& end, const Expr& advance, std::int64_t period = 0) {
    const Expr at = m.reg(name, rtl::bits(bits));
    const Expr start = rtl::constant(first, bits);
    Expr next = at + 1;
    if (period > 0)
        next = choose(at == period - 1, rtl::constant(0, bits), next);
    m.clocked(clocking.clock, [&](rtl::Block& b) {
        b.when(~clocking.reset, [&](rtl::Block& then) { then.set(at, start); });
        b.orWhen(advance, [&](rtl::Block& then) { then.set(at, choose(end, start, next)); });
    });
    return at;
}

} // namespace

AxisPosition axisPosition(rtl::Module& m, const Clocking& clocking, const StreamUnitPlan& unit,
                          const Axis& axis, const Expr& advance, const Expr& end) {
    const std::string n = axis.name;
    const std::int64_t start = unit.kernel - 1;
    const std::int64_t lastEnd = start + (axis.results - 1) * unit.stride;
    m.blank();
    AxisPosition position;
    position.end = end;
    const Expr at = counter(m, clocking, n, bitsFor(axis.extent), 0, end, advance);
    m.assign(end, at == axis.extent - 1);
    Expr inside = start == 0 ? rtl::constant(1, 1) : at >= start;
    if (lastEnd < axis.extent - 1)
        inside = inside & (at <= constantLike(at, lastEnd));
    const std::int64_t period = unit.stride * unit.pool;
    if (period == 1) {
        position.taken = m.wire(n + "_taken", inside);
        return position;
    }
    const Expr phase = counter(m, clocking, n + "_phase", bitsFor(period),
                               (period - start % period) % period, end, advance, period);
    if (unit.stride > 1) {
        std::vector<Expr> phases;
        for (std::int64_t k = 0; k < unit.pool; ++k)
            phases.push_back(phase == k * unit.stride);
        inside = inside & eitherOf(phases);
    }
    position.taken = m.wire(n + "_taken", inside);
    if (unit.pool == 1)
        return position;
    position.first = m.wire(n + "_first", phase == 0);
    position.last = m.wire(n + "_last", phase == (unit.pool - 1) * unit.stride);
    return position;
}

} // namespace marquetry::hdl
