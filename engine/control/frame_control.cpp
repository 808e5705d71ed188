#include "engine/control/frame_control.h"

#include "engine/control/register_map.h"
#include "engine/rtl/long_counter.h"

namespace marquetry::hdl {

using rtl::bits;
using rtl::Block;
using rtl::constant;
using rtl::Expr;

namespace {

/// Frames that may be under way at once, in bits.
constexpr int kUnderWayBits = 16;
/// Clocks of the core's reset.
constexpr int kResetClocks = 4;
constexpr int kCodeBits = 8;

Expr yes() {
    return constant(1, 1);
}

Expr no() {
    return constant(0, 1);
}

Expr allOrNone(const Expr& word) {
    return word.size() == rtl::Size(0) ? yes() : allOf(word);
}

Expr anyOrNone(const Expr& word) {
    return word.size() == rtl::Size(0) ? no() : anyOf(word);
}

class FrameControl {
public:
    explicit FrameControl(const FrameControlParams& params) : params_(params), m_(params.name) {}

    rtl::ModulePtr build() && {
        comment();
        inputs();
        outputs();
        registers();
        whoMayBegin();
        what();
        states();
        requests();
        counters();
        return finished(std::move(m_));
    }

private:
    void comment() {
        m_.comment("Begins, counts and ends frames. A frame begins with its first beat at a");
        m_.comment("source, or with start; ahead: sources that have begun one more than others.");
        m_.comment("ending: the core is reset, sources and sinks end their packets.");
        m_.comment("Cycles: 1 from start to a frame. Resources: counters of 128 bits.");
    }

    /// The core makes frames by itself as long as it is let.
    bool free() const { return params_.sources == 0 && !params_.starts; }

    Expr ofSources(const char* name) {
        return params_.sources == 0 ? Expr() : m_.input(name, bits(params_.sources));
    }

    void inputs() {
        clock_ = m_.input("aclk");
        reset_ = m_.input("aresetn");
        start_ = m_.input("start");
        abort_ = m_.input("abort");
        again_ = m_.input("auto_restart");
        coreError_ = m_.input("core_error");
        if (params_.memory)
            memoryError_ = m_.input("memory_error");
        expired_ = m_.input("expired");
        wrong_ = ofSources("wrong");
        begins_ = ofSources("begins");
        open_ = ofSources("open");
        empty_ = ofSources("empty");
        if (params_.sinks > 0)
            clean_ = m_.input("clean", bits(params_.sinks));
        ended_ = m_.input(params_.starts ? "core_done" : "ended");
        if (free())
            filled_ = m_.input("filled");
    }

    void outputs() {
        pending_ = m_.outputRegister("pending");
        aborting_ = m_.outputRegister("aborting");
        idle_ = m_.output("idle");
        running_ = m_.outputRegister("running");
        ending_ = m_.outputRegister("ending");
        forget_ = m_.output("forget");
        watches_ = m_.output("watches");
        if (params_.sources > 0)
            mayBegin_ = m_.output("may_begin", bits(params_.sources));
        if (params_.starts)
            coreStart_ = m_.output("core_start");
        lets_ = m_.output("lets");
        clears_ = m_.output("clears");
        done_ = m_.output("frame_done");
        failed_ = m_.output("frame_failed");
        code_ = m_.outputRegister("code", bits(kCodeBits));
        frames_ = m_.outputRegister("frames", bits(32));
        cycles_ = m_.outputRegister("cycles", bits(64));
    }

    void registers() {
        if (params_.memory)
            badBefore_ = m_.reg("bad_before");
        if (params_.sources > 0)
            admitted_ = m_.reg("admitted");
        if (params_.sources > 1)
            ahead_ = m_.reg("ahead", bits(params_.sources));
        if (params_.starts)
            active_ = m_.reg("active");
        if (free())
            letting_ = m_.reg("letting");
        underWay_ = m_.reg("under_way", bits(kUnderWayBits));
        givenUp_ = m_.reg("given_up");
        left_ = m_.reg("reset_left", bits(2));
    }

    /// No source begins a packet before all have begun the one before.
    void whoMayBegin() {
        if (params_.sources == 0)
            return;
        first_ = m_.wire("first", anyOrNone(begins_) & ~anyOrNone(ahead_));
        const Expr fresh = m_.wire("fresh", running_ & ((admitted_ & ~first_) | again_) &
                                                ~underWay_.bit(kUnderWayBits - 1));
        if (params_.sources == 1)
            return m_.assign(mayBegin_, fresh);
        const Expr marks = m_.wire("marks", ahead_ | begins_);
        const Expr even = m_.wire("even", allOf(marks));
        aheadNext_ = m_.wire("ahead_next", choose(even, constantLike(ahead_, 0), marks));
        m_.assign(mayBegin_, ~aheadNext_ & (anyOf(aheadNext_) | fresh).repeated(params_.sources));
    }

    void what() {
        const Expr clean = m_.wire("all_clean", allOrNone(clean_));
        m_.assign(lets_, free() ? running_ & letting_ : running_);
        m_.assign(idle_, ~running_ & ~ending_ & ~pending_);
        m_.assign(clears_, ~running_ & ~ending_ & pending_ & ~abort_ & clean);
        m_.assign(done_, running_ & ended_ & (params_.starts ? active_ & clean : yes()));
        fault_ = m_.wire("fault", coreError_ | anyOrNone(wrong_));
        memoryFault_ = params_.memory ? m_.wire("memory_fault", memoryError_ | badBefore_) : no();
        const Expr frame = running_ & (underWay_ != 0);
        // What has moved or failed in this clock comes first.
        expires_ = m_.wire("expires", frame & expired_ & ~done_ & ~fault_ & ~memoryFault_);
        stops_ =
            m_.wire("stops", running_ & (fault_ | memoryFault_ | abort_ | aborting_ | expires_));
        m_.assign(watches_, frame | ending_);
        const Expr drained = ~anyOrNone(open_) & ~anyOrNone(ahead_) & clean;
        m_.assign(forget_, ending_ & (left_ == 0) & (drained | givenUp_));
        m_.assign(failed_, forget_);
        quiet_ = m_.wire("quiet", ~again_ & (underWay_ == 0) & ~anyOrNone(begins_) &
                                      ~anyOrNone(open_) & ~anyOrNone(ahead_) & allOrNone(empty_) &
                                      clean & (params_.starts ? ~active_ : yes()));
        if (params_.starts)
            m_.assign(coreStart_, running_ & ~active_ & (underWay_ != 0));
    }

    void states() {
        m_.blank();
        m_.clocked(clock_, [&](Block& b) {
            b.when(~reset_, [&](Block& then) {
                then.set(running_, no());
                then.set(ending_, no());
                then.set(code_, constant(0, kCodeBits));
            });
            b.orWhen(clears_, [&](Block& then) {
                then.set(running_, yes());
                then.set(code_, constant(0, kCodeBits));
            });
            b.orWhen(stops_, [&](Block& then) {
                then.set(running_, no());
                then.set(ending_, yes());
                then.set(code_, why());
            });
            b.orWhen(forget_, [&](Block& then) { then.set(ending_, no()); });
            b.orWhen(running_ & quiet_, [&](Block& then) { then.set(running_, no()); });
            b.when(~ending_, [&](Block& then) { then.set(left_, constant(kResetClocks - 1, 2)); });
            b.orWhen(left_ != 0, [&](Block& then) { then.set(left_, left_ - 1); });
        });
    }

    /// Of a frame that is stopped.
    Expr why() const {
        const Expr ofFrame =
            choose(fault_, code(ControlError::InputLength),
                   choose(expires_, code(ControlError::Watchdog), code(ControlError::Aborted)));
        return params_.memory ? choose(memoryFault_, code(ControlError::MemoryResponse), ofFrame)
                              : ofFrame;
    }

    static Expr code(ControlError error) {
        return constant(static_cast<std::int64_t>(error), kCodeBits);
    }

    /// What is asked for and not there yet.
    void requests() {
        const auto set = [](const Expr& to, const Expr& value) {
            return [=](Block& then) { then.set(to, value); };
        };
        m_.clocked(clock_, [&](Block& b) {
            b.when(~reset_, set(pending_, no()))
                .orWhen(start_, set(pending_, yes()))
                .orWhen(abort_ | clears_, set(pending_, no()));
            b.when(~reset_ | forget_, set(aborting_, no()))
                .orWhen(abort_ & (running_ | ending_), set(aborting_, yes()));
            b.when(~reset_ | forget_, set(givenUp_, no()))
                .orWhen(abort_ & aborting_ & ending_, set(givenUp_, yes()))
                .orWhen(expires_ | (ending_ & expired_), set(givenUp_, yes()));
            if (params_.memory)
                b.when(~reset_ | forget_, set(badBefore_, no()))
                    .orWhen(memoryError_ & ~running_, set(badBefore_, yes()));
            if (params_.starts)
                b.when(~reset_ | ending_ | done_, set(active_, no()))
                    .orWhen(coreStart_, set(active_, yes()));
            if (free())
                b.when(clears_, set(letting_, yes()))
                    .orWhen(~reset_ | ending_ | (filled_ & ~again_), set(letting_, no()));
            if (params_.sources > 0)
                b.when(clears_, set(admitted_, yes()))
                    .orWhen(~reset_ | first_ | ending_, set(admitted_, no()));
            if (params_.sources > 1)
                b.when(~reset_ | forget_, set(ahead_, constantLike(ahead_, 0)))
                    .otherwise(set(ahead_, aheadNext_));
        });
    }

    void counters() {
        const Expr more =
            m_.wire("more", params_.sources == 0 ? again_ & done_ : running_ & first_ & ~admitted_);
        const Expr counts = m_.wire("counts", running_ & ((underWay_ != 0) | again_));
        const rtl::LongCounter cycles(m_, "cycles", cycles_);
        m_.clocked(clock_, [&](Block& b) {
            b.when(~reset_ | ending_,
                   [&](Block& then) { then.set(underWay_, constantLike(underWay_, 0)); });
            b.orWhen(clears_,
                     [&](Block& then) { then.set(underWay_, constantLike(underWay_, 1)); });
            b.otherwise([&](Block& then) {
                then.set(underWay_,
                         underWay_ + more.extended(kUnderWayBits) - done_.extended(kUnderWayBits));
            });
            b.when(~reset_, [&](Block& then) { then.set(frames_, constant(0, 32)); });
            b.orWhen(done_, [&](Block& then) { then.set(frames_, frames_ + 1); });
            b.when(~reset_ | clears_, [&](Block& then) { cycles.clear(then); });
            b.orWhen(counts, [&](Block& then) { cycles.increment(then); });
        });
    }

    const FrameControlParams& params_;
    rtl::Module m_;
    Expr clock_, reset_, start_, abort_, again_, coreError_, ended_;
    Expr memoryError_;                           ///< of no bits: there is no memory
    Expr wrong_, begins_, open_, empty_, clean_; ///< of no bits: there is no such stream
    Expr pending_, aborting_, idle_, running_, ending_, forget_, mayBegin_, coreStart_, clears_;
    Expr done_, failed_, code_, frames_, cycles_;
    Expr lets_, letting_, filled_; ///< of cores that make frames by themselves
    Expr admitted_, ahead_, aheadNext_, active_, underWay_, givenUp_, left_;
    Expr expired_, expires_, watches_;
    Expr memoryFault_;
    Expr badBefore_; ///< an answer that came when no frame was under way
    Expr first_, fault_, stops_, quiet_;
};

} // namespace

rtl::ModulePtr frameControl(const FrameControlParams& params) {
    return FrameControl(params).build();
}

} // namespace marquetry::hdl
