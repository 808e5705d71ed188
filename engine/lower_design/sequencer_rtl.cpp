#include "engine/lower_design/design_modules.h"

#include "engine/lower_design/sequencer_control.h"
#include "engine/lower_design/sequencer_tables.h"
#include "engine/rtl/long_counter.h"

#include <algorithm>

namespace marquetry::hdl {

using rtl::bits;
using rtl::constant;

namespace {

class SequencerBuilder {
public:
    SequencerBuilder(const RtlPlan& plan, std::optional<std::size_t> follower)
        : plan_(plan),
          follower_(follower),
          tables_(plan, follower),
          c_(tables_.constants),
          m_(plan.name + (follower ? "_" + followerName(*follower) : "_sequencer")) {}

    rtl::ModulePtr build() && {
        comment();
        in_.clocking = {m_.input("aclk"), m_.input("aresetn")};
        if (follower_)
            followerPorts();
        else
            leaderPorts();
        if (tables_.computes())
            computePorts();
        if (!follower_ && plan_.memory)
            stallPorts();
        StepTable table(m_, in_.step);
        tables_.declare(table);
        table.write(in_.clocking.clock);
        if (follower_ && table.empty())
            leaveUnused(m_, in_.step);
        nestLast_ = constant(0, 1);
        order();
        if (tables_.computes()) {
            if (tables_.waits())
                waiting();
            halts();
            nest();
            registers();
            outputs();
            writeBack();
        }
        control();
        if (!follower_ && plan_.memory)
            countStalls();
        return finished(std::move(m_));
    }

private:
    void comment() {
        if (follower_) {
            m_.comment(
                "Follower: the sequencer of the steps that run beside others. `follow` starts");
            m_.comment(!plan_.joins  ? "step `step`."
                       : keepsStep() ? "step `step`, or the one that is joined to it."
                                     : "the one that is joined to step `step`.");
            if (isHeld())
                m_.comment("While it is `held` it stands still: a load waits for its stream.");
            m_.comment("Resources: counters, adders and constants; no DSP, no RAM.");
            return;
        }
        m_.comment("Sequencer: runs the steps of the schedule one after another.");
        m_.comment("A compute step is a nest of counters, outermost first: pooled pixel (y, x),");
        m_.comment("row block, pool window (y, x), kernel (y, x), word. Addresses are registers");
        m_.comment("to which the constant of the advancing level is added.");
        if (plan_.frames > 1)
            m_.comment(cat("Outside of these are ", plan_.frames, " frames of a run."));
        if (plan_.memory) {
            m_.comment(
                "Of steps with external weights the blocks are the outermost loop. They wait");
            m_.comment(
                "until their weights are there; `stalls` counts the clocks in which one does.");
            if (plan_.memory->writes)
                m_.comment("It counts those in which rows are loaded or stored late, too, and "
                           "`stalls_loads`, `stalls_stores` these alone.");
        }
        m_.comment(cat("Cycles: ", plan_.cycles, " from start to done, ", plan_.stepNames.size(),
                       " steps."));
        m_.comment("Resources: counters, adders and constants; no DSP, no RAM.");
        if (plan_.joins)
            m_.comment(
                "A step that is joined to the one before it is started by it, at a fixed clock.");
        describeSteps(m_, plan_);
    }

    void leaderPorts() {
        in_.start = m_.input("start");
        in_.streamAdvance = m_.input("stream_advance");
        in_.streamFinished = m_.input("stream_finished");
        const bool moves = plan_.memory && plan_.memory->writes;
        waitsLoading_ = moves ? m_.input("load_waits") : constant(0, 1);
        waitsStoring_ = moves ? m_.input("store_waits") : constant(0, 1);
        in_.memoryWaits = waitsLoading_ | waitsStoring_;
        in_.step = m_.outputRegister("step", bits(plan_.stepBits));
        if (plan_.ordered())
            orderPorts();
        busy_ = m_.output("busy");
        in_.done = m_.outputRegister("done");
        in_.cycles = m_.outputRegister("cycles", bits(64));
        state_.setup = m_.outputRegister("setup");
        state_.run = m_.outputRegister("run");
        for (std::size_t k = 0; k < plan_.followers(); ++k)
            in_.follows.push_back(m_.output(pulseName(k)));
        if (plan_.joinsLoads)
            in_.held = m_.output("held");
        if (plan_.joins)
            in_.followFinished = m_.input("follow_finished");
        state_.drain = m_.reg("drain");
        m_.assign(busy_, state_.busy());
    }

    /// Of the other queues: `…_busy` while one runs a step, `late` while the transfer is behind
    /// what it would have moved if nothing had made it wait.
    void orderPorts() {
        in_.begun = m_.outputRegister("begun", bits(plan_.begunBits));
        computes_ = m_.output("computes");
        busyQueues_.resize(indexOf(design::Queue::Second));
        for (std::size_t k = 0; k < plan_.queuesBeside; ++k)
            busyQueues_.push_back(m_.input(signalOf(design::queueBeside(k)) + "_busy"));
        if (!plan_.transfers)
            return;
        transfersBusy() = m_.input("transfers_busy");
        late_ = m_.input("transfers_late");
        lateLoads_ = m_.input("transfers_loads");
        lateStores_ = m_.input("transfers_stores");
        in_.post = m_.output("post");
        awaitsTransfer_ = m_.output("awaits_transfer");
    }

    void followerPorts() {
        in_.follow = m_.input("follow");
        if (isHeld())
            in_.held = m_.input("held");
        in_.step = m_.input("step", bits(plan_.stepBits));
        in_.active = m_.output("active");
        if (runsJoined())
            in_.finished = m_.output("finished");
        if (tables_.moves())
            in_.streamFinished = m_.input("mover_finished");
        const auto state = [&](const char* name) {
            return tables_.moves() ? m_.outputRegister(name) : m_.reg(name);
        };
        state_ = {state("setup"), state("run"), m_.reg("drain")};
        if (keepsStep())
            keepStep();
    }

    /// A follower that runs calls which are joined to others.
    bool runsJoined() const { return follower_ == std::size_t{0} && plan_.joins; }
    /// One that stands still while a load waits for its stream.
    bool isHeld() const { return runsJoined() && plan_.joinsLoads; }
    bool keepsStep() const { return *follower_ < plan_.queuesBeside; }
    Expr& transfersBusy() { return busyQueues_[indexOf(design::Queue::Transfers)]; }

    /// The leader goes on while the step runs.
    void keepStep() {
        const Expr given = in_.step;
        const bool shows = tables_.moves();
        const auto type = bits(plan_.stepBits);
        in_.step = shows ? m_.outputRegister("own_step", type) : m_.reg("own_step", type);
        m_.assign(m_.output("taken"), state_.busy());
        m_.clocked(in_.clocking.clock, [&](rtl::Block& b) {
            b.when(in_.follow, [&](rtl::Block& then) { then.set(in_.step, given); });
        });
    }

    void computePorts() {
        resultValid_ = m_.input("result_valid");
        issue_ = m_.output("issue");
        const auto later = [&](const std::string& name, int width) {
            ports_[name] = m_.output(name, bits(width));
        };
        later("unit", plan_.unitBits);
        if (plan_.choosesInput)
            later("in_slot", plan_.slotBits);
        later("out_slot", plan_.slotBits);
        for (AffineRegister& r : tables_.registers)
            r.word = r.name == "row" || r.name == "column"
                         ? Expr()
                         : m_.outputRegister(r.name, bits(r.bits));
        outAddress_ = m_.outputRegister("out_address", bits(plan_.outBits));
        outBeyond_ = plan_.trims ? m_.outputRegister("out_beyond") : Expr();
        if (plan_.reduces || plan_.streams)
            later("first", 1);
        if (plan_.reduces)
            later("last", 1);
        if (tables_.fetches())
            weightPorts();
        if (plan_.pads)
            later("outside", static_cast<int>(plan_.span));
        if (plan_.pools) {
            later("pool_first", 1);
            later("pool_last", 1);
        }
        if (plan_.choosesAddend) {
            later("add_slot", plan_.slotBits);
            later("adding", 1);
        }
        for (const UnitPlan* unit : tables_.units())
            for (const ModePort& mode : controlModes(*unit))
                modes_.push_back(m_.output(cat(unit->name, "_", mode.name), bits(mode.width)));
        for (const UnitPlan* unit : tables_.units())
            if (unit->addends.size() > 1)
                modes_.push_back(
                    m_.output(unit->name + "_addend_source", bits(addendSourceBits(*unit))));
    }

    void weightPorts() {
        for (const char* name : {"external", "first_pass", "last_pass"})
            ports_[name] = m_.output(name);
        weightsReady_ = m_.input("weights_ready");
        if (follower_)
            ports_["missing"] = m_.output("missing");
    }

    void stallPorts() {
        stalls_ = m_.outputRegister("stalls", bits(64));
        if (plan_.memory->writes) {
            stallsLoads_ = m_.outputRegister("stalls_loads", bits(64));
            stallsStores_ = m_.outputRegister("stalls_stores", bits(64));
        }
        missing_ = constant(0, 1);
        if (plan_.fetchesBeside())
            othersMissing_ = m_.input("others_missing");
    }

    /// Clocks in which the machine, or another one, waits for weights or for external rows.
    void countStalls() {
        m_.blank();
        Expr weights = missing_;
        if (plan_.fetchesBeside())
            weights = weights | (othersMissing_ & isCycle(state_, in_));
        const Expr loads = waitsLoading_ | lateLoads_;
        const Expr stores = waitsStoring_ | lateStores_;
        count("stalls", stalls_, weights | loads | stores);
        if (!plan_.memory->writes)
            return;
        count("stalls_loads", stallsLoads_, loads & ~weights);
        count("stalls_stores", stallsStores_, stores & ~weights);
    }

    void count(const std::string& name, const Expr& counted, const Expr& when) {
        const rtl::LongCounter counter(m_, name, counted);
        m_.clocked(in_.clocking.clock, [&](rtl::Block& b) {
            b.when(~in_.clocking.reset | (in_.start & ~state_.busy()),
                   [&](rtl::Block& then) { counter.clear(then); });
            b.orWhen(when, [&](rtl::Block& then) { counter.increment(then); });
        });
    }

    /// A clock in which the machine does not stand still.
    Expr counts() const { return isHeld() ? ~in_.held : constant(1, 1); }

    /// Behind a reduction whose results take longer than the next one has words.
    void waiting() {
        m_.blank();
        waits_ = m_.reg("waits");
        const Expr left = m_.reg("wait_left", c_.waitClocks.type());
        reduced_ = m_.wire("reduced", bits(1));
        m_.clocked(in_.clocking.clock, [&](rtl::Block& b) {
            b.when(state_.setup, [&](rtl::Block& then) { then.set(waits_, constant(0, 1)); });
            b.orWhen(reduced_, [&](rtl::Block& then) { then.set(waits_, c_.waits); });
            b.orWhen((left == 0) & counts(),
                     [&](rtl::Block& then) { then.set(waits_, constant(0, 1)); });
            b.when(reduced_, [&](rtl::Block& then) { then.set(left, c_.waitClocks); });
            b.otherwise(
                [&](rtl::Block& then) { then.set(left, choose(counts(), left - 1, left)); });
        });
    }

    bool fetches() const { return weightsReady_.size() != rtl::Size(0); }

    /// Clocks of the nest in which nothing is issued.
    void halts() {
        halts_ = tables_.waits() ? waits_ : constant(0, 1);
        if (!fetches())
            return;
        m_.blank();
        const Expr firstPass = m_.wire("first_pass_now", bits(1));
        firstPass_ = firstPass;
        const Expr missing = m_.wire("weights_missing", c_.external & firstPass & ~weightsReady_);
        halts_ = m_.wire("halts", halts_ | missing);
        const Expr counted = runsCall() & missing & (tables_.waits() ? ~waits_ : constant(1, 1));
        if (follower_)
            m_.assign(ports_.at("missing"), counted);
        else
            missing_ = missing_ | counted;
    }

    /// It runs a call, and not what a mover does.
    Expr runsCall() const {
        const bool always = follower_ && !tables_.moves();
        return always ? state_.run : state_.run & c_.isCompute;
    }

    void nest() {
        m_.blank();
        for (NestLevel& l : tables_.levels) {
            const std::string name = nameOf(static_cast<Level>(l.level));
            l.counter = m_.reg(name, bits(l.bits));
            l.last = m_.reg(name + "_last");
        }
        Expr inner = constant(1, 1);
        for (std::size_t i = tables_.levels.size(); i-- > 0;) {
            NestLevel& l = tables_.levels[i];
            l.step = inner;
            inner = m_.wire(cat(nameOf(static_cast<Level>(l.level)), "_all_last"), inner & l.last);
        }
        nestLast_ = halts_.constant() ? inner : m_.wire("nest_last", inner & ~halts_);
        m_.clocked(in_.clocking.clock, [&](rtl::Block& b) {
            b.when(state_.setup, [&](rtl::Block& then) {
                for (const NestLevel& l : tables_.levels) {
                    then.set(l.counter, constantLike(l.counter, 0));
                    then.set(l.last, l.once);
                }
            });
            b.orWhen(issue_, [&](rtl::Block& then) {
                for (const NestLevel& l : tables_.levels)
                    step(then, l);
            });
        });
    }

    /// Whether the next iteration is the last one is known before it: adders wait for no
    /// comparison.
    static void step(rtl::Block& b, const NestLevel& l) {
        const auto sets = [&](rtl::Block& then) {
            then.set(l.counter, choose(l.last, constantLike(l.counter, 0), l.counter + 1));
            then.set(l.last, choose(l.last, l.once, l.counter == l.beforeEnd));
        };
        if (l.step.constant())
            return sets(b);
        b.when(l.step, sets);
    }

    /// The constant of the level that advances: the innermost one not at its end.
    Expr advance(const AffineRegister& r) const {
        Expr result = r.deltas.front();
        for (std::size_t i = 1; i < r.deltas.size(); ++i)
            result = choose(~tables_.levels[i].last, r.deltas[i], result);
        return result;
    }

    void registers() {
        m_.blank();
        for (AffineRegister& r : tables_.registers)
            if (r.word.size() == rtl::Size(0))
                r.word = m_.reg(r.name, bits(r.bits));
        m_.clocked(in_.clocking.clock, [&](rtl::Block& b) {
            b.when(state_.setup, [&](rtl::Block& then) {
                for (const AffineRegister& r : tables_.registers)
                    then.set(r.word, r.start);
            });
            b.orWhen(issue_, [&](rtl::Block& then) {
                for (const AffineRegister& r : tables_.registers)
                    then.set(r.word, r.word + advance(r));
            });
        });
    }

    /// Every loop of these that exists is at its first or at its last iteration.
    Expr all(std::initializer_list<std::size_t> levels, bool last) const {
        Expr result = constant(1, 1);
        for (const NestLevel& l : tables_.levels)
            if (std::ranges::find(levels, l.level) != levels.end())
                result = result & (last ? l.last : l.counter == 0);
        return result;
    }

    Expr registerOf(const char* name) const {
        return std::ranges::find(tables_.registers, name, &AffineRegister::name)->word;
    }

    /// A bit for each word that is read at once: it lies in the padding, or behind its run.
    Expr outside() {
        const Expr row = registerOf("row");
        const Expr column = registerOf("column");
        if (plan_.span == 1)
            return (row >= c_.inHeight) | (column >= c_.inWidth);
        const auto at = [&](const char* name, const Expr& first, const Expr& offset,
                            std::int64_t k) {
            return offset.constant() == 0 ? first : m_.wire(cat(name, "_", k), first + offset);
        };
        std::optional<Expr> runEnds;
        if (c_.tail.constant() != 0)
            runEnds = m_.wire("run_ends", all({Word}, true));
        std::vector<Expr> words; // the last one first
        for (std::int64_t k = plan_.span; k-- > 0;) {
            const auto word = static_cast<std::size_t>(k);
            const Expr padding = (at("row", row, c_.rowOffsets[word], k) >= c_.inHeight) |
                                 (at("column", column, c_.columnOffsets[word], k) >= c_.inWidth);
            words.push_back(runEnds ? padding | (*runEnds & c_.tail.bit(k)) : padding);
        }
        return rtl::join(words);
    }

    void outputs() {
        m_.blank();
        m_.assign(issue_, runsCall() & counts() & ~halts_);
        if (tables_.waits())
            m_.assign(reduced_, issue_ & all({Ky, Kx, Word}, true));
        const auto drive = [&](const char* name, const auto& value) {
            if (ports_.contains(name))
                m_.assign(ports_.at(name), value());
        };
        drive("unit", [&] { return c_.unit; });
        drive("in_slot", [&] { return c_.inSlot; });
        drive("out_slot", [&] { return c_.outSlot; });
        drive("first", [&] { return all({Ky, Kx, Word}, false); });
        drive("last", [&] { return all({Ky, Kx, Word}, true); });
        drive("external", [&] { return c_.external; });
        if (fetches())
            m_.assign(firstPass_, all({Frame, Py, Px, Wy, Wx}, false));
        drive("first_pass", [&] { return firstPass_; });
        drive("last_pass", [&] { return all({Frame, Py, Px, Wy, Wx}, true); });
        drive("outside", [&] { return outside(); });
        drive("pool_first", [&] { return all({Wy, Wx}, false); });
        drive("pool_last", [&] { return all({Wy, Wx}, true); });
        drive("add_slot", [&] { return c_.addSlot; });
        drive("adding", [&] { return c_.adding; });
        for (std::size_t k = 0; k < modes_.size(); ++k)
            m_.assign(modes_[k], c_.ofModes[k]);
    }

    void writeBack() {
        m_.blank();
        m_.note("Write-back: results come in the order of the nest.");
        const Expr group = m_.reg("out_group", c_.outGroupEnd.type());
        const Expr last = m_.wire("out_group_last", group == c_.outGroupEnd);
        const Expr next = rtl::constant(1, plan_.outBits);
        const Expr ofPixel = resultValid_ & last;
        Expr pixelStep = c_.outPixelStep;
        if (plan_.spreads)
            pixelStep = choose(atLast("out_column", "out_row_last", ofPixel, c_.outRowEnd),
                               c_.outRowStep, pixelStep);
        if (outerBlocks()) {
            const Expr pixelLast = atLast("out_pixel", "out_block_last", ofPixel, c_.outPixelEnd);
            pixelStep = choose(pixelLast, c_.outBlockStep, pixelStep);
            lastBlock_ =
                atLast("out_block", "out_blocks_last", ofPixel & pixelLast, c_.outBlockEnd);
        }
        m_.clocked(in_.clocking.clock, [&](rtl::Block& b) {
            b.when(state_.setup, [&](rtl::Block& then) {
                then.set(outAddress_, c_.outStart);
                then.set(group, constantLike(group, 0));
            });
            b.orWhen(resultValid_, [&](rtl::Block& then) {
                then.set(outAddress_, outAddress_ + choose(last, pixelStep, next));
                then.set(group, choose(last, constantLike(group, 0), group + 1));
            });
        });
        if (plan_.trims)
            trim(group, last);
    }

    bool outerBlocks() const { return tables_.blocksOutside(); }

    /// Whether what is written is the last one of so many that `each` ends: a register, and right
    /// in time, as the first result comes clocks after the set-up.
    Expr atLast(const std::string& counter, const std::string& name, const Expr& each,
                const Expr& end) {
        const Expr count = m_.reg(counter, end.type());
        const Expr last = m_.reg(name);
        const Expr first = constantLike(count, 0);
        const Expr next =
            m_.wire(counter + "_next", choose(each, choose(last, first, count + 1), count));
        m_.clocked(in_.clocking.clock, [&](rtl::Block& b) {
            b.set(last, next == end);
            b.when(state_.setup, [&](rtl::Block& then) { then.set(count, first); });
            b.otherwise([&](rtl::Block& then) { then.set(count, next); });
        });
        return last;
    }

    /// Behind the last words of a pixel there may be rows of its last block.
    void trim(const Expr& group, const Expr& last) {
        const Expr zero = constant(0, 1);
        Expr behind = group == c_.outKeptEnd;
        if (outerBlocks())
            behind = behind & lastBlock_;
        m_.clocked(in_.clocking.clock, [&](rtl::Block& b) {
            b.when(state_.setup, [&](rtl::Block& then) { then.set(outBeyond_, zero); });
            b.orWhen(resultValid_, [&](rtl::Block& then) {
                then.set(outBeyond_, choose(last, zero, outBeyond_ | behind));
            });
        });
    }

    /// When the step may begin, and what it waits for until then.
    void order() {
        const Expr none = constant(0, 1);
        if (follower_ || !plan_.ordered())
            return;
        const auto awaits = [&](std::size_t queue) {
            const Expr& busy = busyQueues_[queue];
            return busy.size() == rtl::Size(0) ? none : busy & c_.awaits[queue];
        };
        const Expr transfer = awaits(indexOf(design::Queue::Transfers));
        m_.blank();
        Expr waits = transfer;
        for (std::size_t k = 0; k < plan_.queuesBeside; ++k) {
            const std::size_t queue = indexOf(design::queueBeside(k));
            waits = awaits(queue) | waits;
            in_.isBeside.push_back(c_.isOf[queue]);
        }
        in_.ready = m_.wire("ready", ~waits);
        in_.isTransfer = c_.isOf[indexOf(design::Queue::Transfers)];
        m_.assign(computes_, (state_.run | state_.drain) & c_.isCompute);
        if (!plan_.transfers)
            return;
        m_.assign(awaitsTransfer_, state_.setup & transfer);
        const Expr late = m_.wire("late", state_.setup & transfer & late_);
        in_.lateStream = late & ~lateLoads_ & ~lateStores_;
        lateLoads_ = late & lateLoads_;
        lateStores_ = late & lateStores_;
    }

    void control() {
        in_.isCompute = c_.isCompute;
        in_.isStore = c_.isStore;
        in_.followedAfter = c_.followedAfter;
        in_.drainCycles = c_.drain;
        in_.nestLast = nestLast_;
        if (follower_)
            followerControl(m_, state_, in_);
        else
            leaderControl(m_, state_, in_,
                          {static_cast<std::int64_t>(plan_.places()) - 1,
                           plan_.ordered() && plan_.order.back().queue != design::Queue::Calls,
                           plan_.loop, roundEnd()});
    }

    /// What is joined begins by itself.
    std::int64_t roundEnd() const {
        if (!plan_.loop)
            return 0;
        const std::size_t end = plan_.loop->first + plan_.loop->length - 1;
        const bool joined = std::ranges::any_of(plan_.computes, [&](const StepPlan& p) {
            return p.step == end && p.follower && !p.beside;
        });
        return static_cast<std::int64_t>(end) - (joined ? 1 : 0);
    }

    const RtlPlan& plan_;
    std::optional<std::size_t> follower_; ///< none: the leader
    SequencerTables tables_;
    const StepConstants& c_;
    rtl::Module m_;
    SequencerInputs in_;
    SequencerState state_;
    Expr computes_, late_, awaitsTransfer_;
    std::vector<Expr> busyQueues_; ///< of no bits where nothing runs there
    /// Rows of an external tensor wait for memory: of the step, and of the transfer it awaits.
    Expr waitsLoading_, waitsStoring_;
    Expr lateLoads_ = constant(0, 1), lateStores_ = constant(0, 1);
    Expr stallsLoads_, stallsStores_;
    Expr stalls_, missing_, othersMissing_, halts_, firstPass_; ///< missing: weights
    Expr busy_, resultValid_, issue_, outAddress_, outBeyond_, nestLast_, lastBlock_;
    Expr weightsReady_; ///< of the unit that computes; of no bits where none has external weights
    Expr waits_, reduced_;
    std::map<std::string, Expr> ports_;
    std::vector<Expr> modes_; ///< as the constants'
};

} // namespace

void describeSteps(rtl::Module& m, const RtlPlan& plan) {
    for (std::size_t i = 0; i < plan.stepNames.size(); ++i) {
        if (plan.loop && i == plan.loop->first + plan.loop->length) {
            m.comment(cat("  ", i, " to ", plan.loop->end() - 1, ": ", plan.loop->times - 1,
                          " times as the ", plan.loop->length, " before"));
            i += plan.loop->repeated();
        }
        m.comment(cat("  ", i, " ", plan.stepNames[i], ": ", plan.stepCycles[i], " cycles"));
    }
}

std::string followerName(std::size_t follower) {
    return follower == 0 ? "follower" : cat("follower", follower + 1);
}

std::string pulseName(std::size_t follower) {
    return follower == 0 ? "follow" : cat("follow", follower + 1);
}

rtl::ModulePtr sequencerModule(const RtlPlan& plan) {
    return SequencerBuilder(plan, {}).build();
}

rtl::ModulePtr followerModule(const RtlPlan& plan, std::size_t follower) {
    return SequencerBuilder(plan, follower).build();
}

} // namespace marquetry::hdl
