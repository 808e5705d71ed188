#include "engine/lower_design/design_library.h"
#include "engine/lower_design/weight_modules.h"
#include "engine/rtl/netlist.h"

namespace marquetry::hdl {

using rtl::constant;

namespace {

class ControlBuilder {
public:
    explicit ControlBuilder(const RtlPlan& plan)
        : stays_(plan.memory->residentBursts > 0), m_(plan.name + "_weight_control") {}

    rtl::ModulePtr build() && {
        comment();
        ports();
        there_ = stays_ ? m_.reg("there") : constant(1, 1);
        ready_ = m_.wire("ready", waits_ & idle_ & loaded_);
        m_.assign(resident_, ~there_);
        m_.assign(begin_, ready_);
        m_.assign(go_, ready_ & there_);
        registers();
        return finished(std::move(m_));
    }

private:
    void comment() {
        m_.comment("Starts runs: a run waits until the weights that stay on the chip are there,");
        m_.comment("which are read when the first run is started, or the first one behind");
        m_.comment(
            "`reload_weights`. A read that was answered with an error makes them read again.");
        m_.comment(
            "Cycles: 1 from start to the run where they are there. Resources: two registers.");
    }

    void ports() {
        clock_ = m_.input("aclk");
        reset_ = m_.input("aresetn");
        start_ = m_.input("start");
        runs_ = m_.input("runs");
        reload_ = m_.input("reload_weights");
        idle_ = m_.input("idle");
        loaded_ = m_.input("loaded");
        bad_ = m_.input("bad");
        begin_ = m_.output("begin_read");
        resident_ = m_.output("resident");
        go_ = m_.output("go");
        waits_ = m_.outputRegister("waits");
        if (!stays_)
            for (const Expr& unused : {reload_, bad_})
                leaveUnused(m_, unused);
    }

    void registers() {
        const Expr yes = constant(1, 1);
        const Expr no = constant(0, 1);
        m_.clocked(clock_, [&](rtl::Block& b) {
            b.when(~reset_, [&](rtl::Block& t) {
                t.set(waits_, no);
                if (stays_)
                    t.set(there_, no);
            });
            b.otherwise([&](rtl::Block& t) {
                t.when(start_ & ~runs_, [&](rtl::Block& then) {
                     then.set(waits_, yes);
                 }).orWhen(go_, [&](rtl::Block& then) { then.set(waits_, no); });
                if (!stays_)
                    return;
                t.when(reload_ | bad_, [&](rtl::Block& then) {
                     then.set(there_, no);
                 }).orWhen(ready_ & ~there_, [&](rtl::Block& then) { then.set(there_, yes); });
            });
        });
    }

    bool stays_; ///< some weights do
    rtl::Module m_;
    Expr clock_, reset_, start_, runs_, reload_, idle_, loaded_, bad_;
    Expr begin_, resident_, go_, waits_, there_, ready_;
};

} // namespace

rtl::ModulePtr weightControlModule(const RtlPlan& plan) {
    return ControlBuilder(plan).build();
}

} // namespace marquetry::hdl
