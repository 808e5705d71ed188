#include "engine/lower_design/design_modules.h"
#include "engine/lower_design/step_table.h"
#include "engine/rtl/long_counter.h"

namespace marquetry::hdl {

using rtl::bits;
using rtl::constant;

namespace {

/// Of clocks that a transfer is late: what nobody waits for.
constexpr int kLateBits = 24;

class TransferQueueBuilder {
public:
    explicit TransferQueueBuilder(const RtlPlan& plan)
        : plan_(plan), m_(plan.name + "_transfers") {}

    rtl::ModulePtr build() && {
        m_.comment("Queue of transfers: runs the loads, stores and moves that the sequencer hands "
                   "over by");
        m_.comment(
            "`post`, one at a time. A transfer is late by the clocks in which its stream or");
        m_.comment(
            "memory made it wait; `awaited` says that the sequencer waits for its end, which");
        m_.comment("takes off one of them.");
        m_.comment("Resources: counters and constants; no DSP, no RAM.");
        ports();
        constants();
        states();
        lateness();
        return finished(std::move(m_));
    }

private:
    void ports() {
        clock_ = m_.input("aclk");
        reset_ = m_.input("aresetn");
        post_ = m_.input("post");
        given_ = m_.input("step", bits(plan_.stepBits));
        advance_ = m_.input("advance");
        finished_ = m_.input("finished");
        awaited_ = m_.input("awaited");
        step_ = m_.outputRegister("own_step", bits(plan_.stepBits));
        setup_ = m_.outputRegister("setup");
        run_ = m_.outputRegister("run");
        busy_ = m_.output("moving");
        late_ = m_.output("late");
        loadsExternal_ = m_.output("loads_external");
        storesExternal_ = m_.output("stores_external");
    }

    void constants() {
        StepTable table(m_, step_);
        StepTable::Values loads(plan_.places()), external(loads);
        const auto note = [&](const std::vector<const StreamPlan*>& streams, std::int64_t load) {
            for (const StreamPlan* stream : streams)
                for (const StreamPart& part : stream->parts)
                    if (stream->queue == design::Queue::Transfers) {
                        loads[plan_.placeOf(part.step)] = load;
                        external[plan_.placeOf(part.step)] = stream->external ? 1 : 0;
                    }
        };
        note(plan_.loaders(), 1);
        note(plan_.storers(), 0);
        for (const MovePlan& move : plan_.moves)
            for (const std::size_t step : move.steps())
                if (move.queue == design::Queue::Transfers)
                    loads[plan_.placeOf(step)] = external[plan_.placeOf(step)] = 0;
        loads_ = table.atOnce("is_load", 1, loads);
        const Expr isExternal = table.atOnce("is_external", 1, external);
        m_.assign(loadsExternal_, isExternal & loads_);
        m_.assign(storesExternal_, isExternal & ~loads_);
        table.write(clock_);
    }

    /// What a loader has taken is written when it has drained.
    void states() {
        m_.blank();
        const Expr drain = m_.reg("drain");
        const Expr left = m_.reg("drain_left", bits(bitsFor(cost::kLoadDrain)));
        m_.assign(busy_, setup_ | run_ | drain);
        const Expr ends = m_.wire("ends", run_ & finished_);
        const Expr one = constant(1, 1);
        const Expr zero = constant(0, 1);
        m_.clocked(clock_, [&](rtl::Block& b) {
            b.when(post_, [&](rtl::Block& t) { t.set(step_, given_); });
            b.when(~drain,
                   [&](rtl::Block& t) { t.set(left, constantLike(left, cost::kLoadDrain - 1)); });
            b.otherwise([&](rtl::Block& t) { t.set(left, left - 1); });
            b.when(~reset_, [&](rtl::Block& t) {
                for (const Expr& state : {setup_, run_, drain})
                    t.set(state, zero);
            });
            b.otherwise([&](rtl::Block& t) {
                t.set(setup_, post_);
                t.when(setup_, [&](rtl::Block& s) { s.set(run_, one); });
                t.orWhen(ends, [&](rtl::Block& s) { s.set(run_, zero); });
                t.when(ends & loads_, [&](rtl::Block& s) { s.set(drain, one); });
                t.orWhen(left == 0, [&](rtl::Block& s) { s.set(drain, zero); });
            });
        });
    }

    void lateness() {
        m_.blank();
        const Expr behind = m_.reg("behind", bits(kLateBits));
        const Expr waits = m_.wire("waits", run_ & ~advance_);
        m_.assign(late_, waits | (behind != 0));
        const Expr pays = m_.wire("pays", awaited_ & late_);
        const Expr full = m_.wire("full", rtl::allOf(behind));
        m_.clocked(clock_, [&](rtl::Block& b) {
            b.when(~reset_ | post_, [&](rtl::Block& t) { t.set(behind, constantLike(behind, 0)); });
            b.orWhen(waits & ~pays & ~full, [&](rtl::Block& t) { t.set(behind, behind + 1); });
            b.orWhen(pays & ~waits, [&](rtl::Block& t) { t.set(behind, behind - 1); });
        });
    }

    const RtlPlan& plan_;
    rtl::Module m_;
    Expr clock_, reset_, post_, given_, advance_, finished_, awaited_;
    Expr step_, setup_, run_, busy_, late_, loadsExternal_, storesExternal_, loads_;
};

} // namespace

rtl::ModulePtr transferQueueModule(const RtlPlan& plan) {
    return TransferQueueBuilder(plan).build();
}

} // namespace marquetry::hdl
