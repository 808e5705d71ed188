#include "engine/lower_design/sequencer_control.h"

#include "engine/rtl/long_counter.h"

namespace marquetry::hdl {

using rtl::constant;

namespace {

/// Sets the state; null: none of them.
void go(rtl::Block& b, const SequencerState& state, const Expr* to) {
    for (const Expr* one : {&state.setup, &state.run, &state.drain})
        b.set(*one, constant(one == to ? 1 : 0, 1));
}

/// The clock counts for the follower.
Expr counts(const SequencerInputs& in) {
    return in.held.size() == rtl::Size(0) ? constant(1, 1) : ~in.held;
}

/// 1 in the last clock in which a step drains. `next`: a clock that counts.
Expr drained(rtl::Module& m, const SequencerState& state, const SequencerInputs& in,
             const Expr& next) {
    m.blank();
    const Expr left = m.reg("drain_left", in.drainCycles.type());
    const Expr last = m.wire("drained", state.drain & (left == 0));
    m.clocked(in.clocking.clock, [&](rtl::Block& b) {
        b.when(state.drain,
               [&](rtl::Block& then) { then.set(left, choose(next, left - 1, left)); });
        b.otherwise([&](rtl::Block& then) { then.set(left, in.drainCycles); });
    });
    return last;
}

/// Pulses in the clock before the follower's set-up.
void followPulse(rtl::Module& m, const SequencerState& state, const SequencerInputs& in) {
    m.blank();
    const Expr left = m.reg("follow_left", in.followedAfter.type());
    m.assign(in.follow, (left == 2) & counts(in));
    m.clocked(in.clocking.clock, [&](rtl::Block& b) {
        b.when(~in.clocking.reset, [&](rtl::Block& t) { t.set(left, constantLike(left, 0)); });
        b.orWhen(state.setup, [&](rtl::Block& t) { t.set(left, in.followedAfter); });
        b.orWhen((left != 0) & counts(in), [&](rtl::Block& t) { t.set(left, left - 1); });
    });
}

} // namespace

void followerControl(rtl::Module& m, const SequencerState& state, const SequencerInputs& in) {
    const Expr end = drained(m, state, in, counts(in));
    m.note("Not while it is set up: what it runs with is there a clock later.");
    m.assign(in.active, state.run | state.drain);
    m.assign(in.finished, end);
    m.blank();
    m.clocked(in.clocking.clock, [&](rtl::Block& b) {
        b.when(~in.clocking.reset | end, [&](rtl::Block& t) { go(t, state, nullptr); });
        b.orWhen(in.follow, [&](rtl::Block& t) { go(t, state, &state.setup); });
        b.orWhen(state.setup & counts(in), [&](rtl::Block& t) { go(t, state, &state.run); });
        b.orWhen(state.run & in.nestLast, [&](rtl::Block& t) { go(t, state, &state.drain); });
    });
}

void leaderControl(rtl::Module& m, const SequencerState& state, const SequencerInputs& in,
                   std::int64_t lastStep) {
    const Expr end = drained(m, state, in, constant(1, 1));
    const Expr runLast =
        m.wire("run_last", state.run & choose(in.isCompute, in.nestLast, in.streamFinished));
    Expr computed = end;
    Expr advance = constantLike(in.step, 1);
    if (in.held.size() != rtl::Size(0))
        m.assign(in.held, state.run & ~in.isCompute & ~in.streamAdvance);
    if (in.follow.size() != rtl::Size(0)) {
        followPulse(m, state, in);
        const Expr followed = m.wire("followed", in.followedAfter != 0);
        computed = choose(followed, in.followFinished, end);
        advance = choose(followed, constantLike(in.step, 2), advance);
    }
    const Expr stepLast = m.wire("step_last", choose(in.isStore, runLast, computed));
    const Expr final = m.wire("final_step", in.step == lastStep);
    const Expr zero = constantLike(in.step, 0);
    const rtl::LongCounter cycles(m, "cycles", in.cycles);
    const auto begin = [&](rtl::Block& b, bool runs) {
        go(b, state, runs ? &state.setup : nullptr);
        b.set(in.step, zero);
        b.set(in.done, constant(0, 1));
        cycles.clear(b);
    };
    m.blank();
    m.clocked(in.clocking.clock, [&](rtl::Block& b) {
        b.when(~in.clocking.reset, [&](rtl::Block& t) { begin(t, false); });
        b.orWhen(~state.busy(), [&](rtl::Block& t) {
            t.when(in.start, [&](rtl::Block& starts) { begin(starts, true); });
        });
        b.otherwise([&](rtl::Block& t) {
            t.when(~state.run | in.isCompute | in.streamAdvance | in.memoryWaits,
                   [&](rtl::Block& counts) { cycles.increment(counts); });
            t.when(stepLast,
                   [&](rtl::Block& next) {
                       next.set(state.setup, ~final);
                       next.set(state.run, constant(0, 1));
                       next.set(state.drain, constant(0, 1));
                       next.set(in.done, final);
                       next.set(in.step, in.step + advance);
                   })
                .orWhen(state.setup, [&](rtl::Block& next) { go(next, state, &state.run); })
                .orWhen(runLast, [&](rtl::Block& next) { go(next, state, &state.drain); });
        });
    });
}

} // namespace marquetry::hdl
