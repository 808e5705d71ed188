#include "engine/lower_design/run_writer.h"

#include "engine/support/checked_math.h"

namespace marquetry::hdl {

using rtl::bits;
using rtl::constant;

void RunWriter::ports(rtl::Module& m) {
    we_ = m.output("we", bits(target_.banks));
    waddr_ = m.outputRegister("waddr", bits(target_.side.wordBits));
    wdata_ = m.output("wdata", bits(target_.lanes * target_.elementBits));
}

void RunWriter::write(rtl::Module& m, const Expr& valid, const Expr& run) {
    m.lint("lint_off UNUSEDSIGNAL"); // places that narrow slots do not have
    to_.declare(m, false);
    m.lint("lint_on UNUSEDSIGNAL");
    fill(m, valid, run);
    const Expr writes = m.reg("writes");
    m.clocked(clocking_.clock, [&](rtl::Block& b) {
        b.when(setup_, [&](rtl::Block& then) { to_.start(then); });
        b.orWhen(valid, [&](rtl::Block& then) { to_.advance(then); });
        b.set(writes, clocking_.reset & valid & fills());
        b.set(waddr_, to_.address().slice(target_.side.placeBits, target_.side.wordBits));
    });
    enables(m, valid, writes);
}

/// Of the run in its word; of no bits where that has one.
Expr RunWriter::place() const {
    return target_.side.runs > 1 ? to_.address().slice(0, bitsFor(target_.side.runs)) : Expr();
}

/// With this run the word is full, or the next one lies elsewhere.
Expr RunWriter::fills() const {
    if (target_.side.placeBits == 0)
        return constant(1, 1);
    return to_.runEnds() | rtl::allOf(to_.address().slice(0, target_.side.placeBits));
}

/// The first run of a word of weights: what no run of that word reaches is zero.
Expr RunWriter::beginning(rtl::Module& m, const Expr& valid) const {
    if (!target_.weights() || target_.side.runs == 1)
        return {};
    const Expr fresh = m.reg("fresh");
    m.clocked(clocking_.clock, [&](rtl::Block& b) {
        b.when(setup_, [&](rtl::Block& then) { then.set(fresh, constant(1, 1)); });
        b.orWhen(valid, [&](rtl::Block& then) { then.set(fresh, fills()); });
    });
    return m.wire("begins", valid & fresh);
}

void RunWriter::fill(rtl::Module& m, const Expr& valid, const Expr& run) {
    const int width = target_.runBits();
    const Expr word = m.reg("word", bits(target_.side.runs * width));
    const Expr at = place();
    const Expr begins = beginning(m, valid);
    m.assign(wdata_, rtl::join({rtl::zeros(wdata_.width() - word.width()), word}));
    m.note("Lanes that no run reaches stay zero.");
    m.repeat("lanes", target_.side.runs, [&](const rtl::Size& i) {
        const Expr part = word.slice(i * width, width);
        const Expr mine =
            target_.side.runs == 1 ? constant(1, 1) : at.extended(32) == rtl::number(i);
        m.clocked(clocking_.clock, [&](rtl::Block& b) {
            b.when(setup_, [&](rtl::Block& then) { then.set(part, rtl::zeros(width)); });
            b.orWhen(valid & mine, [&](rtl::Block& then) { then.set(part, run); });
            if (target_.weights() && target_.side.runs > 1)
                b.orWhen(begins, [&](rtl::Block& then) { then.set(part, rtl::zeros(width)); });
        });
    });
}

/// Of the banks that hold what was collected since the last write.
void RunWriter::enables(rtl::Module& m, const Expr& valid, const Expr& writes) {
    const std::int64_t runs = target_.side.runs;
    if (target_.weights())
        return enableRows(m, writes);
    if (target_.banks == 1 || runs == 1)
        return m.assign(we_, writes.repeated(target_.banks));
    const Expr held = m.reg("held", bits(runs));
    const Expr now = m.wire("now", bits(runs));
    const Expr kept = m.wire("kept", bits(runs));
    const Expr at = place();
    m.repeat("places", runs, [&](const rtl::Size& i) {
        m.assign(now.slice(i, 1), at.extended(32) == rtl::number(i));
        m.assign(kept.slice(i, 1), held.slice(i, 1) & ~writes);
    });
    m.clocked(clocking_.clock, [&](rtl::Block& b) {
        b.when(setup_, [&](rtl::Block& then) { then.set(held, rtl::zeros(runs)); });
        b.orWhen(valid, [&](rtl::Block& then) { then.set(held, now | kept); });
    });
    std::vector<Expr> banks; // highest first
    for (std::int64_t b = target_.banks; b-- > 0;) {
        const std::int64_t lanesOfRun = target_.side.runLanes;
        std::vector<Expr> any;
        for (std::int64_t r = b * target_.bankLanes / lanesOfRun;
             r <= ((b + 1) * target_.bankLanes - 1) / lanesOfRun; ++r)
            any.push_back(held.bit(r));
        banks.push_back(writes & eitherOf(any));
    }
    m.assign(we_, rtl::join(banks));
}

/// Each row of weights is a memory of its own, which the highest bits of an address name.
void RunWriter::enableRows(rtl::Module& m, const Expr& writes) {
    if (target_.banks == 1)
        return m.assign(we_, writes);
    const Expr row = m.reg("row", bits(target_.side.rowBits));
    m.clocked(clocking_.clock, [&](rtl::Block& b) {
        b.set(row, to_.address().slice(target_.side.placeBits + target_.side.wordBits,
                                       target_.side.rowBits));
    });
    m.repeat("rows", target_.banks, [&](const rtl::Size& i) {
        m.assign(we_.slice(i, 1), writes & (row.extended(32) == rtl::number(i)));
    });
}

} // namespace marquetry::hdl
