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

/// Pulse in the clock before a follower's set-up; the first one also runs what is joined.
void followPulses(rtl::Module& m, const SequencerState& state, const SequencerInputs& in) {
    const auto given = [&](std::size_t k) {
        return k < in.isBeside.size() ? handed(state, in, in.isBeside[k]) : constant(0, 1);
    };
    for (std::size_t k = isThere(in.followedAfter) ? 1 : 0; k < in.follows.size(); ++k)
        m.assign(in.follows[k], given(k));
    if (!isThere(in.followedAfter))
        return;
    m.blank();
    const Expr left = m.reg("follow_left", in.followedAfter.type());
    m.assign(in.follows.front(), ((left == 2) & counts(in)) | given(0));
    m.clocked(in.clocking.clock, [&](rtl::Block& b) {
        b.when(~in.clocking.reset, [&](rtl::Block& t) { t.set(left, constantLike(left, 0)); });
        b.orWhen(begun(state, in), [&](rtl::Block& t) { t.set(left, in.followedAfter); });
        b.orWhen((left != 0) & counts(in), [&](rtl::Block& t) { t.set(left, left - 1); });
    });
}

} // namespace

void followerControl(rtl::Module& m, const SequencerState& state, const SequencerInputs& in) {
    const Expr end = drained(m, state, in, counts(in));
    const bool moves = isThere(in.streamFinished);
    const Expr calls = moves ? in.isCompute : constant(1, 1);
    m.note("Not while it is set up: what it runs with is there a clock later.");
    m.assign(in.active, (state.run | state.drain) & calls);
    if (isThere(in.finished))
        m.assign(in.finished, end);
    const Expr moved = moves ? state.run & ~calls & in.streamFinished : constant(0, 1);
    m.blank();
    m.clocked(in.clocking.clock, [&](rtl::Block& b) {
        b.when(~in.clocking.reset | end | moved, [&](rtl::Block& t) { go(t, state, nullptr); });
        b.orWhen(in.follow, [&](rtl::Block& t) { go(t, state, &state.setup); });
        b.orWhen(state.setup & counts(in), [&](rtl::Block& t) { go(t, state, &state.run); });
        b.orWhen(state.run & calls & in.nestLast,
                 [&](rtl::Block& t) { go(t, state, &state.drain); });
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
    followPulses(m, state, in);
    if (isThere(in.followedAfter)) {
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
    Expr given = handed(state, in, in.isTransfer);
    for (const Expr& beside : in.isBeside)
        given = handed(state, in, beside) | given;
    moves.given = m.wire("given", given);
    moves.begins = m.wire("begins", begun(state, in));
    return moves;
}

/// Which step comes next, in the tables and of all.
class StepCount {
public:
    StepCount(rtl::Module& m, const SequencerInputs& in, const LastStep& last)
        : step_(in.step), begun_(in.begun), loop_(last.loop) {
        if (!loop_)
            return;
        const auto times = static_cast<std::int64_t>(loop_->times);
        m.blank();
        m.note("Rounds of steps that are alike are in the tables once.");
        number_ = m.reg("step_number", begun_.type());
        left_ = m.reg("rounds_left", rtl::bits(bitsFor(times)));
        again_ = m.wire("again", (step_ == last.roundEnd) & (left_ != 0));
    }

    void clear(rtl::Block& b) const {
        b.set(step_, constantLike(step_, 0));
        if (isThere(begun_))
            b.set(begun_, constantLike(begun_, 0));
        if (!loop_)
            return;
        b.set(number_, constantLike(number_, 0));
        b.set(left_, constantLike(left_, static_cast<std::int64_t>(loop_->times) - 1));
    }

    void note(rtl::Block& b) const { b.set(begun_, loop_ ? number_ : step_); }

    void go(rtl::Block& b, const Expr& advance) const {
        if (!loop_)
            return b.set(step_, step_ + advance);
        const auto first = static_cast<std::int64_t>(loop_->first);
        b.set(number_, number_ + advance.resized(number_.width()));
        b.set(step_, choose(again_, constantLike(step_, first), step_ + advance));
        b.when(again_, [&](rtl::Block& round) { round.set(left_, left_ - 1); });
    }

private:
    Expr step_, begun_;
    std::optional<design::ScheduleLoop> loop_;
    Expr number_, left_, again_;
};

/// Where another queue runs the last step, the leader waits behind it until that queue is empty.
class Ending {
public:
    Ending(rtl::Module& m, const SequencerState& state, const SequencerInputs& in,
           const StepCount& count, bool handed)
        : count_(count), step_(in.step), inputs_(in) {
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
        b.when(handed ? given & ~final : given,
               [&](rtl::Block& to) { count_.go(to, constantLike(step_, 1)); });
        if (handed)
            b.when(given & final, [&](rtl::Block& to) { to.set(ending_, constant(1, 1)); });
    }

private:
    const StepCount& count_;
    Expr step_, ending_, ended_;
    SequencerInputs inputs_;
};

} // namespace

Expr isCycle(const SequencerState& state, const SequencerInputs& in) {
    const Expr works = ~state.run | in.isCompute | in.streamAdvance | in.memoryWaits;
    return isThere(in.lateStream) ? works & ~in.lateStream : works;
}

void leaderControl(rtl::Module& m, const SequencerState& state, const SequencerInputs& in,
                   LastStep last) {
    const Expr final = m.wire("final_step", in.step == last.step);
    const StepCount count(m, in, last);
    const Ending ending(m, state, in, count, last.handed);
    LeaderMoves moves = leaderMoves(m, state, ending.inputs());
    moves.stepLast = ending.orEnded(moves.stepLast);
    const rtl::LongCounter cycles(m, "cycles", in.cycles);
    const auto begin = [&](rtl::Block& b, bool runs) {
        go(b, state, runs ? &state.setup : nullptr);
        count.clear(b);
        b.set(in.done, constant(0, 1));
        ending.clear(b);
        cycles.clear(b);
    };
    const auto next = [&](rtl::Block& b) {
        go(b, state, nullptr);
        b.set(state.setup, ~final);
        b.set(in.done, final);
        count.go(b, moves.advance);
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
                t.when(moves.begins, [&](rtl::Block& now) { count.note(now); });
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
