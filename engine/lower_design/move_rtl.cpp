// A move as hardware: two nests of counters, a word that is read, and a word that is being filled.
#include "engine/lower_design/design_modules.h"
#include "engine/lower_design/run_writer.h"
#include "engine/lower_design/step_table.h"
#include "engine/support/checked_math.h"

namespace marquetry::hdl {

using rtl::bits;
using rtl::constant;

namespace {

class MoveBuilder {
public:
    MoveBuilder(const RtlPlan& plan, const MovePlan& move)
        : plan_(plan),
          move_(move),
          m_(move.module),
          from_("from", move.from.walk, move.from.addressBits()) {}

    rtl::ModulePtr build() && {
        comment();
        const Clocking clocking{m_.input("aclk"), m_.input("aresetn")};
        setup_ = m_.input("setup");
        const Expr active = m_.input("active");
        q_ = m_.input("q", bits(move_.sourceLanes * move_.to.elementBits));
        RunWriter writer(move_.to, clocking, setup_);
        writer.ports(m_);
        if (move_.beginsApart || move_.countsRows)
            vary(clocking, writer);
        issue(clocking, active);
        writer.write(m_, valid_, run());
        return finished(std::move(m_));
    }

private:
    void comment() {
        m_.comment(cat("Mover of layer \"", move_.layer, "\": \"", move_.source, "\" to \"",
                       move_.target, "\", ", move_.run, " lanes per clock."));
        m_.comment(
            "A run of the word that was read becomes part of the word that is being filled,");
        m_.comment("which is written when it is full, or a run of its tensor ends.");
        if (move_.parts.size() > 1)
            m_.comment(cat("It runs ", move_.parts.size(),
                           " steps, which differ in where they begin or how many rows they copy."));
        m_.comment(cat("Cycles: ", move_.cycles,
                       ". Resources: counters, one word of registers; no DSP, no RAM."));
    }

    /// Constants of the steps, which are looked up by that of the machine that runs them.
    void vary(const Clocking& clocking, RunWriter& writer) {
        StepTable table(m_, m_.input("step", bits(plan_.stepBits)));
        WalkPart from, to;
        from.start = table.atOnce("from_start", move_.from.addressBits(),
                                  perPart([](const auto& p) { return p.from; }));
        to.start = table.atOnce("to_start", move_.to.side.addressBits(),
                                perPart([](const auto& p) { return p.to; }));
        if (move_.countsRows) {
            const int rowBits = bitsFor(move_.from.walk.loops.front().count);
            from.once = to.once = table.atOnce(
                "one_row", 1, perPart([](const auto& p) { return p.rows == 1 ? 1 : 0; }));
            from.beforeLast = to.beforeLast = table.registered(
                "row_before_last", rowBits,
                perPart([](const auto& p) { return std::max<std::int64_t>(p.rows - 2, 0); }));
        }
        table.write(clocking.clock);
        from_.vary(std::move(from));
        writer.vary(std::move(to));
    }

    template <class Value>
    StepTable::Values perPart(const Value& value) const {
        return valuesOf(plan_, move_.parts, value);
    }

    /// The address in one clock, the word in the next.
    void issue(const Clocking& clocking, const Expr& active) {
        const Expr ended = m_.outputRegister("finished");
        const Expr raddr = m_.output("raddr", bits(move_.from.wordBits));
        m_.lint("lint_off UNUSEDSIGNAL"); // places that narrow slots do not have
        from_.declare(m_, true);
        m_.lint("lint_on UNUSEDSIGNAL");
        const Expr issued = m_.reg("issued");
        const Expr issues = m_.wire("issues", active & ~issued);
        valid_ = m_.reg("valid");
        const Expr ending = m_.reg("ending");
        const bool chooses = move_.from.runs > 1;
        if (chooses)
            place_ = m_.reg("from_place", bits(bitsFor(move_.from.runs)));
        m_.assign(raddr, from_.address().slice(move_.from.placeBits, move_.from.wordBits));
        m_.clocked(clocking.clock, [&](rtl::Block& b) {
            b.when(setup_, [&](rtl::Block& then) {
                from_.start(then);
                then.set(issued, constant(0, 1));
            });
            b.orWhen(issues, [&](rtl::Block& then) {
                from_.advance(then);
                then.set(issued, from_.last());
            });
            b.set(valid_, clocking.reset & issues);
            b.set(ending, clocking.reset & issues & from_.last());
            b.set(ended, clocking.reset & ending);
            if (chooses)
                b.set(place_, from_.address().slice(0, place_.size()));
        });
    }

    /// What was read, as many lanes as a run of the target has.
    Expr run() {
        const std::int64_t width = move_.from.runLanes * move_.to.elementBits;
        const std::int64_t wanted = move_.to.runBits();
        if (move_.from.runs == 1 && width < q_.width())
            leaveUnused(m_, q_);
        const Expr run =
            m_.wire("run", move_.from.runs > 1 ? q_.part(place_, width) : q_.slice(0, width));
        if (wanted < width)
            leaveUnused(m_, run);
        if (wanted <= width)
            return run.slice(0, wanted);
        return rtl::join({rtl::zeros(wanted - width), run});
    }

    const RtlPlan& plan_;
    const MovePlan& move_;
    rtl::Module m_;
    WalkCounter from_;
    Expr setup_, q_, valid_, place_;
};

} // namespace

rtl::ModulePtr moveModule(const RtlPlan& plan, const MovePlan& move) {
    return MoveBuilder(plan, move).build();
}

} // namespace marquetry::hdl
