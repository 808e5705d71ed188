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

bool isThere(const Expr& wire) {
    return wire.size() != rtl::Size(0);
}

/// The clock counts for the follower.
Expr counts(const SequencerInputs& in) {
    return isThere(in.held) ? ~in.held : constant(1, 1);
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

/// A step is set up, and all that it awaits has ended.
Expr begun(const SequencerState& state, const SequencerInputs& in) {
    return isThere(in.ready) ? state.setup & in.ready : state.setup;
}

/// The step is handed over in this clock, if it is of that queue.
Expr handed(const SequencerState& state, const SequencerInputs& in, const Expr& ofQueue) {
    return isThere(in.ready) && isThere(ofQueue) ? begun(state, in) & ofQueue : constant(0, 1);
}

/// Pulses in the clock before the follower's set-up.
void followPulse(rtl::Module& m, const SequencerState& state, const SequencerInputs& in) {
    m.blank();
    const Expr left = m.reg("follow_left", in.followedAfter.type());
    m.assign(in.follow, ((left == 2) & counts(in)) | handed(state, in, in.isSecond));
    m.clocked(in.clocking.clock, [&](rtl::Block& b) {
        b.when(~in.clocking.reset, [&](rtl::Block& t) { t.set(left, constantLike(left, 0)); });
        b.orWhen(begun(state, in), [&](rtl::Block& t) { t.set(left, in.followedAfter); });
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

namespace {

/// What becomes of the leader's step in a clock.
struct LeaderMoves {
    Expr runLast;  ///< the last clock in which it runs
    Expr stepLast; ///< in which it ends
    Expr advance;  ///< from it to the next one that the leader runs
    Expr begins;   ///< it is set up, and all that it awaits has ended
    Expr given;    ///< it is handed to another queue
};

LeaderMoves leaderMoves(rtl::Module& m, const SequencerState& state, const SequencerInputs& in) {
    LeaderMoves moves;
    const Expr end = drained(m, state, in, constant(1, 1));
    moves.runLast =
        m.wire("run_last", state.run & choose(in.isCompute, in.nestLast, in.streamFinished));
    Expr computed = end;
    moves.advance = constantLike(in.step, 1);
    if (isThere(in.held))
        m.assign(in.held, state.run & ~in.isCompute & ~in.streamAdvance);
    if (isThere(in.follow)) {
        followPulse(m, state, in);
        const Expr followed = m.wire("followed", in.followedAfter != 0);
        // While it waits to begin, what ends is another step.
        const Expr finished =
            isThere(in.ready) ? in.followFinished & ~state.setup : in.followFinished;
        computed = choose(followed, finished, end);
        moves.advance = choose(followed, constantLike(in.step, 2), moves.advance);
    }
    moves.stepLast = m.wire("step_last", choose(in.isStore, moves.runLast, computed));
    moves.begins = state.setup;
    moves.given = constant(0, 1);
    if (!isThere(in.ready))
        return moves;
    if (isThere(in.post))
        m.assign(in.post, handed(state, in, in.isTransfer));
    moves.given =
        m.wire("given", handed(state, in, in.isSecond) | handed(state, in, in.isTransfer));
    moves.begins = m.wire("begins", begun(state, in));
    return moves;
}

/// Where another queue runs the last step, the leader waits behind it until that queue is empty.
class Ending {
public:
    Ending(rtl::Module& m, const SequencerState& state, const SequencerInputs& in, bool handed)
        : step_(in.step), inputs_(in) {
        if (!handed)
            return;
        m.blank();
        ending_ = m.reg("ending");
        ended_ = m.wire("ended", state.setup & ending_ & in.ready);
        inputs_.ready = m.wire("next_ready", in.ready & ~ending_);
    }

    /// Nothing begins any more.
    const SequencerInputs& inputs() const { return inputs_; }
    Expr orEnded(const Expr& stepLast) const {
        return isThere(ended_) ? stepLast | ended_ : stepLast;
    }
    void clear(rtl::Block& b) const {
        if (isThere(ending_))
            b.set(ending_, constant(0, 1));
    }
    /// A step is handed over, which may be the final one.
    void give(rtl::Block& b, const Expr& given, const Expr& final) const {
        const bool handed = isThere(ending_);
        b.when(handed ? given & ~final : given, [&](rtl::Block& to) { to.set(step_, step_ + 1); });
        if (handed)
            b.when(given & final, [&](rtl::Block& to) { to.set(ending_, constant(1, 1)); });
    }

private:
    Expr step_, ending_, ended_;
    SequencerInputs inputs_;
};

/// The clock is one of the run's cycles.
Expr isCycle(const SequencerState& state, const SequencerInputs& in) {
    const Expr works = ~state.run | in.isCompute | in.streamAdvance | in.memoryWaits;
    return isThere(in.lateStream) ? works & ~in.lateStream : works;
}

} // namespace

void leaderControl(rtl::Module& m, const SequencerState& state, const SequencerInputs& in,
                   LastStep last) {
    const Expr final = m.wire("final_step", in.step == last.step);
    const Ending ending(m, state, in, last.handed);
    LeaderMoves moves = leaderMoves(m, state, ending.inputs());
    moves.stepLast = ending.orEnded(moves.stepLast);
    const rtl::LongCounter cycles(m, "cycles", in.cycles);
    const auto begin = [&](rtl::Block& b, bool runs) {
        go(b, state, runs ? &state.setup : nullptr);
        for (const Expr& word : {in.step, in.begun, in.done})
            if (isThere(word))
                b.set(word, constantLike(word, 0));
        ending.clear(b);
        cycles.clear(b);
    };
    const auto next = [&](rtl::Block& b) {
        go(b, state, nullptr);
        b.set(state.setup, ~final);
        b.set(in.done, final);
        b.set(in.step, in.step + moves.advance);
    };
    m.blank();
    m.clocked(in.clocking.clock, [&](rtl::Block& b) {
        b.when(~in.clocking.reset, [&](rtl::Block& t) { begin(t, false); });
        b.orWhen(~state.busy(), [&](rtl::Block& t) {
            t.when(in.start, [&](rtl::Block& starts) { begin(starts, true); });
        });
        b.otherwise([&](rtl::Block& t) {
            t.when(isCycle(state, in), [&](rtl::Block& counts) { cycles.increment(counts); });
            if (isThere(in.begun))
                t.when(moves.begins, [&](rtl::Block& now) { now.set(in.begun, in.step); });
            if (!moves.given.constant())
                ending.give(t, moves.given, final);
            t.when(moves.stepLast, next)
                .orWhen(moves.begins & ~moves.given,
                        [&](rtl::Block& to) { go(to, state, &state.run); })
                .orWhen(moves.runLast, [&](rtl::Block& to) { go(to, state, &state.drain); });
        });
    });
}

} // namespace marquetry::hdl
