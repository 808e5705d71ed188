#include "engine/lower_design/walk_counter.h"

#include "engine/rtl/netlist.h"
#include "engine/support/checked_math.h"

namespace marquetry::hdl {

using rtl::bits;
using rtl::constant;

void WalkCounter::declare(rtl::Module& m, bool ends) {
    m.blank();
    address_ = m.reg(name_ + "_address", bits(bits_));
    for (std::size_t k = 0; k < walk_.loops.size(); ++k)
        levels_.push_back({m.reg(cat(name_, "_", k), bits(bitsFor(walk_.loops[k].count))),
                           m.reg(cat(name_, "_", k, "_last")),
                           {}});
    Expr inner = constant(1, 1);
    for (std::size_t k = levels_.size(); k-- > 0;) {
        levels_[k].step = inner;
        if (k > 0 || ends)
            inner = m.wire(cat(name_, "_", k, "_all_last"), inner & levels_[k].last);
    }
    last_ = inner;
}

void WalkCounter::start(rtl::Block& b) const {
    b.set(address_, part_ ? part_->start : constantLike(address_, walk_.start));
    for (std::size_t k = 0; k < levels_.size(); ++k) {
        b.set(levels_[k].counter, constantLike(levels_[k].counter, 0));
        b.set(levels_[k].last, k == 0 && countsRows() ? part_->once : constant(0, 1));
    }
}

bool WalkCounter::countsRows() const {
    return part_ && part_->once.size() != rtl::Size(0);
}

/// Whether the next iteration is the last one is known before it.
void WalkCounter::advance(rtl::Block& b) const {
    Expr step = constantLike(address_, 0);
    for (std::size_t k = 0; k < levels_.size(); ++k) {
        const Expr constant = constantLike(address_, delta(k));
        step = k == 0 ? constant : choose(~levels_[k].last, constant, step);
    }
    b.set(address_, address_ + step);
    for (std::size_t k = 0; k < levels_.size(); ++k) {
        const Level& level = levels_[k];
        const auto sets = [&](rtl::Block& then) {
            then.set(level.counter,
                     choose(level.last, constantLike(level.counter, 0), level.counter + 1));
            const Expr ends = k == 0 && countsRows() ? level.counter == part_->beforeLast
                                                     : level.counter == walk_.loops[k].count - 2;
            then.set(level.last, ~level.last & ends);
        };
        if (level.step.constant())
            sets(b);
        else
            b.when(level.step, sets);
    }
}

Expr WalkCounter::runEnds() const {
    if (levels_.empty() || walk_.loops.back().stride != 1)
        return constant(1, 1);
    return levels_.back().last;
}

/// From the last iteration of the loops inside to the next one of this loop.
std::int64_t WalkCounter::delta(std::size_t level) const {
    std::int64_t step = walk_.loops[level].stride;
    for (std::size_t k = level + 1; k < walk_.loops.size(); ++k)
        step -= (walk_.loops[k].count - 1) * walk_.loops[k].stride;
    return step;
}

} // namespace marquetry::hdl
