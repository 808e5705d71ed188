#include "engine/lower_design/result_groups.h"

#include "engine/support/checked_math.h"

namespace marquetry::hdl {

using rtl::bits;
using rtl::constant;

ResultGroups::ResultGroups(rtl::Module& m, const Clocking& clocking, std::int64_t count,
                           const Expr& reduced, const Expr& results)
    : m_(m), clocking_(clocking), count_(count), reduced_(reduced) {
    m_.note("The sums wait in a register; each clock a group of them leaves it.");
    busy_ = m_.reg("busy");
    number_ = m_.reg("group", bits(bitsFor(count)));
    held_ = m_.reg("held", bits(results.width()));
    const Expr last = m_.wire("group_last", number_ == count - 1);
    const int run = static_cast<int>(results.width() / count);
    m_.clocked(clocking_.clock, [&](rtl::Block& b) {
        b.when(~clocking_.reset, [&](rtl::Block& t) { t.set(busy_, constant(0, 1)); });
        b.orWhen(reduced_, [&](rtl::Block& t) { t.set(busy_, constant(1, 1)); });
        b.orWhen(last, [&](rtl::Block& t) { t.set(busy_, constant(0, 1)); });
        b.when(reduced_, [&](rtl::Block& t) {
             t.set(number_, constantLike(number_, 0));
             t.set(held_, results);
         }).otherwise([&](rtl::Block& t) {
            t.set(number_, number_ + 1);
            t.set(held_, rtl::join({rtl::zeros(run), held_.slice(run, held_.width() - run)}));
        });
    });
}

Expr ResultGroups::group() const {
    return held_.slice(0, held_.width() / count_);
}

Expr ResultGroups::with(const std::string& name, const Expr& word) {
    const Expr q = m_.reg(name + "_q", word.type());
    m_.clocked(clocking_.clock,
               [&](rtl::Block& b) { b.when(reduced_, [&](rtl::Block& t) { t.set(q, word); }); });
    return q;
}

Expr ResultGroups::address(const std::string& name, const Expr& first, const Expr& begins) {
    const Expr q = m_.reg(name + "_q", first.type());
    m_.clocked(clocking_.clock, [&](rtl::Block& b) {
        b.when(begins, [&](rtl::Block& t) { t.set(q, first); }).otherwise([&](rtl::Block& t) {
            t.set(q, q + 1);
        });
    });
    return q;
}

Expr addendOfGroup(rtl::Module& m, const Clocking& clocking, const Expr& word, const Expr& address,
                   int numberBits, int groupBits) {
    const Expr q = m.reg("addend_q", word.type());
    if (numberBits == 0) {
        m.clocked(clocking.clock, [&](rtl::Block& b) { b.set(q, word); });
        return q;
    }
    const Expr number = m.reg("addend_group", bits(numberBits));
    const Expr numberNow = m.reg("addend_group_q", bits(numberBits));
    m.clocked(clocking.clock, [&](rtl::Block& b) {
        b.set(number, address.slice(0, numberBits));
        b.set(numberNow, number);
        b.set(q, word);
    });
    return m.wire("addend", q.part(numberNow, groupBits));
}

} // namespace marquetry::hdl
