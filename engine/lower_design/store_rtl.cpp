#include "engine/lower_design/design_modules.h"
#include "engine/lower_design/stream_walk.h"
#include "engine/support/checked_math.h"

namespace marquetry::hdl {

using rtl::bits;
using rtl::constant;

namespace {

class StoreBuilder {
public:
    StoreBuilder(const RtlPlan& plan, const StreamPlan& store)
        : store_(store),
          walk_(walkOf(plan, store)),
          single_(store.perCycle == 1 && store.perBeat > 1),
          m_(store.module),
          ports_(declareMover(m_, false)) {
        describeStream(m_, plan, store, "Storer");
        m_.comment(
            cat("A full beat register stops the whole pipeline, so back-pressure loses nothing."));
    }

    rtl::ModulePtr build() && {
        ports();
        walk_.declare(m_);
        issued_ = m_.reg("issued");
        read_ = {m_.reg("valid_1"), m_.reg("last_1"), {}, {}};
        taken_ = {m_.reg("valid_2"), m_.reg("last_2"), {}, {}};
        go_ = m_.wire("go", ports_.active & ~(ports_.axis.tvalid & ~ports_.axis.tready));
        m_.assign(ports_.advance, go_);
        if (inParts()) {
            m_.note("The last beat of a part may come with the first element of the next one.");
            read_.ends = m_.reg("ends_1");
            taken_.ends = m_.reg("ends_2");
            ended_ = m_.reg("ended");
            m_.assign(ports_.finished, go_ & ended_);
        } else {
            m_.assign(ports_.finished, go_ & ports_.axis.tvalid & ports_.axis.tlast);
        }
        m_.assign(raddr_, walk_.address);
        const Expr chosen = chosenElements();
        beat_ = chosen;
        full_ = constant(1, 1);
        if (single_)
            collectSingles(chosen);
        m_.blank();
        move();
        return finished(std::move(m_));
    }

private:
    struct Stage {
        Expr valid, last, chunk;
        Expr ends; ///< the part, where that is not the stream's end
    };

    /// Of a port of the top: parts of external tensors are whole beats.
    bool inParts() const { return store_.parts.size() > 1 && !store_.external; }

    void ports() {
        begin_ = store_.parts.size() > 1 ? m_.input("begin") : ports_.setup;
        raddr_ = m_.output("raddr", bits(walk_.addressBits));
        q_ = m_.input("q", bits(walk_.wordBits));
        if (walk_.slotBits != store_.elementBits ||
            walk_.chunksPerWord * store_.perCycle * walk_.slotBits < walk_.wordBits)
            leaveUnused(m_, q_);
    }

    /// What the stream gets next of the word that was read.
    Expr chosenElements() {
        const int width = static_cast<int>(store_.perCycle) * walk_.slotBits;
        const auto chunks = static_cast<int>(walk_.chunksPerWord);
        word_ = m_.reg("word", bits(chunks * width));
        if (chunks > 1) {
            read_.chunk = m_.reg("chunk_1", walk_.chunk.type());
            taken_.chunk = m_.reg("chunk_2", walk_.chunk.type());
        }
        const Expr run = m_.wire("run", chunks > 1 ? word_.part(taken_.chunk, width) : word_);
        std::vector<Expr> highFirst;
        for (std::int64_t e = store_.perCycle; e-- > 0;)
            highFirst.push_back(run.slice(e * walk_.slotBits, store_.elementBits));
        return m_.wire("chosen", rtl::join(highFirst));
    }

    /// Elements that come one at a time, until a beat of them is full.
    void collectSingles(const Expr& chosen) {
        const int width = store_.elementBits;
        const Expr inBeat = m_.reg("in_beat", bits(bitsFor(store_.perBeat)));
        const Expr partial = m_.reg("partial", bits(64));
        full_ = m_.wire("full", taken_.last | (inBeat == store_.perBeat - 1));
        beat_ = m_.wire("merged", bits(64));
        m_.repeat("place", store_.perBeat, [&](const rtl::Size& i) {
            m_.assign(beat_.slice(i * width, width),
                      choose(inBeat.extended(32) == rtl::number(i), chosen,
                             partial.slice(i * width, width)));
        });
        m_.clocked(ports_.clock, [&](rtl::Block& b) {
            b.when(inParts() ? begin_ : ports_.setup, [&](rtl::Block& then) {
                then.set(inBeat, constantLike(inBeat, 0));
                then.set(partial, rtl::zeros(64));
            });
            b.orWhen(go_ & taken_.valid, [&](rtl::Block& then) {
                then.set(inBeat, choose(full_, constantLike(inBeat, 0), inBeat + 1));
                then.set(partial, choose(full_, rtl::zeros(64), beat_));
            });
        });
    }

    std::vector<Expr> states() const {
        std::vector<Expr> all = {read_.valid, taken_.valid, ports_.axis.tvalid,
                                 read_.last,  taken_.last,  ports_.axis.tlast};
        if (inParts())
            all.insert(all.end(), {read_.ends, taken_.ends, ended_});
        return all;
    }

    void move() {
        m_.clocked(ports_.clock, [&](rtl::Block& b) {
            walk_.lookUp(b);
            b.when(begin_, [&](rtl::Block& then) { walk_.start(then); });
            b.orWhen(go_ & ~issued_, [&](rtl::Block& then) { walk_.advance(then); });
            b.when(ports_.setup, [&](rtl::Block& then) { then.set(issued_, constant(0, 1)); });
            b.orWhen(go_ & walk_.last,
                     [&](rtl::Block& then) { then.set(issued_, constant(1, 1)); });
            // Those that a reset clears are registers: what ends a step is on a long path, and a
            // shift register of LUTs takes a nanosecond longer.
            b.when(~ports_.reset | ports_.setup, [&](rtl::Block& then) {
                for (const Expr& bit : states())
                    then.set(bit, constant(0, 1));
            });
            b.orWhen(go_, [&](rtl::Block& then) {
                then.set(read_.valid, ~issued_);
                then.set(taken_.valid, read_.valid);
                then.set(ports_.axis.tvalid, taken_.valid & full_);
                then.set(read_.last, (inParts() ? walk_.streamLast : walk_.last) & ~issued_);
                then.set(taken_.last, read_.last);
                then.set(ports_.axis.tlast, taken_.last);
                if (!inParts())
                    return;
                then.set(read_.ends, walk_.last & ~issued_);
                then.set(taken_.ends, read_.ends);
                then.set(ended_, taken_.ends);
            });
            b.when(go_, [&](rtl::Block& then) {
                if (walk_.chunksPerWord > 1) {
                    then.set(read_.chunk, walk_.chunk);
                    then.set(taken_.chunk, read_.chunk);
                }
                then.set(word_, q_.slice(0, word_.width()));
                then.set(ports_.axis.tdata, beat_);
            });
        });
    }

    const StreamPlan& store_;
    StreamWalk walk_;
    bool single_; ///< one element per clock, several in a beat
    rtl::Module m_;
    MoverPorts ports_;
    Expr raddr_, q_;
    Expr begin_; ///< of the first part; the others go on where the one before has ended
    Expr issued_, go_, word_, beat_, full_;
    Expr ended_;  ///< all elements of a part are taken
    Stage read_;  ///< the word is at the slot's output
    Stage taken_; ///< it is in a register: a block RAM and what turns its words take a clock
};

} // namespace

rtl::ModulePtr storeModule(const RtlPlan& plan, const StreamPlan& store) {
    return StoreBuilder(plan, store).build();
}

} // namespace marquetry::hdl
