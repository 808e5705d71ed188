#include "engine/lower_design/design_library.h"
#include "engine/lower_design/weight_modules.h"
#include "engine/rtl/netlist.h"

namespace marquetry::hdl {

using rtl::bits;
using rtl::constant;

namespace {

/// A register that counts up and down, with a register that says whether it is above zero.
class Count {
public:
    Count(rtl::Module& m, const std::string& name, Expr some, int width, const Expr& up,
          const Expr& down)
        : count_(m.reg(name, bits(width))), some_(std::move(some)) {
        next_ = m.wire(name + "_next", count_ + up.extended(width) - down.extended(width));
    }
    void advance(rtl::Block& b) const {
        b.set(count_, next_);
        b.set(some_, next_ != 0);
    }
    void set(rtl::Block& b, std::int64_t value) const {
        b.set(count_, constantLike(count_, value));
        b.set(some_, constant(value != 0 ? 1 : 0, 1));
    }

private:
    Expr count_, some_, next_;
};

class RingBuilder {
public:
    explicit RingBuilder(const UnitPlan& unit)
        : unit_(unit),
          loaded_(*unit.loaded),
          width_(unit.weightAddressBits),
          first_(constant(loaded_.resident, width_)),
          m_(unit.module + "_ring") {}

    rtl::ModulePtr build() && {
        comment();
        ports();
        advance();
        return finished(std::move(m_));
    }

private:
    void comment() {
        m_.comment(cat("External weights of ", unit_.name, ": ", loaded_.ringWords,
                       " words of its memory,"));
        m_.comment("used in the order in which they come. The words of a block are read for every");
        m_.comment("pixel: the first pass over them waits for each (`ready`), the last one frees");
        m_.comment("each (`space`).");
        m_.comment("Cycles: 1. Resources: counters.");
    }

    void ports() {
        clock_ = m_.input("aclk");
        reset_ = m_.input("aresetn");
        clear_ = m_.input("clear");
        issue_ = m_.input("issue");
        last_ = m_.input("last");
        firstPass_ = m_.input("first_pass");
        lastPass_ = m_.input("last_pass");
        taken_ = m_.input("taken");
        ready_ = m_.outputRegister("ready");
        space_ = m_.outputRegister("space");
        readAt_ = m_.outputRegister("read_address", bits(width_));
        writeAt_ = m_.outputRegister("write_address", bits(width_));
    }

    Expr behind(const char* name, const Expr& at) {
        const std::int64_t end = loaded_.resident + loaded_.ringWords - 1;
        return m_.wire(name, choose(at == end, first_, at + 1));
    }

    void advance() {
        const int countBits = bitsFor(loaded_.ringWords + 1);
        const Expr block = m_.reg("block", bits(width_));
        const Count fresh(m_, "fresh", ready_, countBits, taken_, issue_ & firstPass_);
        const Count free(m_, "free", space_, countBits, issue_ & lastPass_, taken_);
        const Expr nextRead = behind("next_read", readAt_);
        const Expr nextWrite = behind("next_write", writeAt_);
        m_.clocked(clock_, [&](rtl::Block& b) {
            b.when(~reset_ | clear_, [&](rtl::Block& t) {
                fresh.set(t, 0);
                free.set(t, loaded_.ringWords);
                for (const Expr& at : {readAt_, writeAt_, block})
                    t.set(at, first_);
            });
            b.otherwise([&](rtl::Block& t) {
                fresh.advance(t);
                free.advance(t);
                t.when(taken_, [&](rtl::Block& then) { then.set(writeAt_, nextWrite); });
                t.when(issue_, [&](rtl::Block& then) {
                    then.set(readAt_, choose(last_ & ~lastPass_, block, nextRead));
                    then.when(last_ & lastPass_,
                              [&](rtl::Block& ends) { ends.set(block, nextRead); });
                });
            });
        });
    }

    const UnitPlan& unit_;
    const LoadedWeights& loaded_;
    int width_;
    Expr first_;
    rtl::Module m_;
    Expr clock_, reset_, clear_, issue_, last_, firstPass_, lastPass_, taken_;
    Expr ready_, space_, readAt_, writeAt_;
};

} // namespace

rtl::ModulePtr weightRingModule(const UnitPlan& unit) {
    return RingBuilder(unit).build();
}

} // namespace marquetry::hdl
