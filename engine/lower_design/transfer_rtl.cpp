#include "engine/design/weight_image.h"
#include "engine/lower_design/design_library.h"
#include "engine/lower_design/step_table.h"
#include "engine/lower_design/weight_modules.h"
#include "engine/rtl/axi_write_ports.h"
#include "engine/rtl/netlist.h"

#include <algorithm>

namespace marquetry::hdl {

using rtl::bits;
using rtl::constant;

namespace {

constexpr int kBurstBits = 4;

class TransferBuilder {
public:
    explicit TransferBuilder(const RtlPlan& plan)
        : plan_(plan),
          port_(*plan.memory),
          beatWords_(port_.beatBits / kMovedBits),
          byteBits_(bitsFor(port_.beatBits / 8)),
          writeBits_(bitsFor(rtl::kMostWriteBursts + 1)),
          m_(plan.name + "_transfer") {}

    rtl::ModulePtr build() && {
        comment();
        ports();
        constants();
        begins();
        requests();
        words();
        queue();
        beats();
        answers();
        counters();
        return finished(std::move(m_));
    }

private:
    void comment() {
        m_.comment("Transfer: rows of values that external memory holds, between the AXI4 master");
        m_.comment("and the loaders and storers, 8 bytes a clock. A step that loads begins when");
        m_.comment("all that was written is answered and `quiet` says that no weights are under");
        m_.comment("way; `pauses` keeps more from being asked for.");
        m_.comment(cat("Bursts end where ", design::kBurstBeats,
                       " beats of memory end; of the first and the last beat"));
        m_.comment("that are written only the bytes of the rows are.");
        m_.comment(cat("Resources: a queue of ", port_.moveBeats,
                       " beats, counters, two beats of registers."));
    }

    void ports() {
        clock_ = m_.input("aclk");
        reset_ = m_.input("aresetn");
        go_ = m_.input("go");
        setup_ = m_.input("setup");
        step_ = m_.input("step", bits(plan_.stepBits));
        base_ = m_.input("weights_base", bits(64));
        quiet_ = m_.input("quiet");
        loaded_ = m_.output("loaded", bits(kMovedBits));
        loadedValid_ = m_.output("loaded_valid");
        loadedTaken_ = m_.input("loaded_taken");
        stored_ = m_.input("stored", bits(kMovedBits));
        storedValid_ = m_.input("stored_valid");
        storedTaken_ = m_.output("stored_taken");
        pauses_ = m_.output("pauses");
        idle_ = m_.output("moved_all");
        loads_ = m_.outputRegister("reading");
        bad_ = m_.output("bad");
        address_ = m_.output("address", bits(rtl::kAxiAddressBits));
        length_ = m_.outputRegister("length", bits(8));
        asksRead_ = m_.output("asks_read");
        readTaken_ = m_.input("read_taken");
        rdata_ = m_.input("rdata", bits(port_.beatBits));
        rvalid_ = m_.input("rvalid");
        asksWrite_ = m_.output("asks_write");
        writeTaken_ = m_.input("write_taken");
        wdata_ = m_.outputRegister("wdata", bits(port_.beatBits));
        wstrb_ = m_.outputRegister("wstrb", bits(port_.beatBits / 8));
        wlast_ = m_.outputRegister("wlast");
        wvalid_ = m_.output("wvalid");
        wready_ = m_.input("wready");
        bvalid_ = m_.input("bvalid");
        bresp_ = m_.input("bresp", bits(2));
        leaveUnused(m_, base_);
        leaveUnused(m_, bresp_);
    }

    /// Where the rows of a step begin, in beats and words of 8 bytes, and how many words they have.
    struct Rows {
        std::int64_t beat = 0, lane = 0, words = 0;
    };

    template <class Value>
    static void fill(StepTable::Values& values, const std::vector<StreamPlan>& streams,
                     std::int64_t beatWords, const Value& value) {
        for (const StreamPlan& stream : streams)
            for (const StreamPart& part : stream.parts) {
                const std::int64_t first = part.bytes.begin / design::kMovedBytes;
                values[part.step] = value(Rows{first / beatWords, first % beatWords,
                                               part.bytes.bytes / design::kMovedBytes});
            }
    }

    /// There at once, of every step.
    Expr flag(StepTable& table, const char* name, const std::vector<StreamPlan>& streams) const {
        StepTable::Values values(plan_.stepNames.size(), 0);
        fill(values, streams, beatWords_, [](const Rows&) { return std::int64_t{1}; });
        return table.atOnce(name, 1, values);
    }

    /// Of steps that move rows, a clock later.
    template <class Value>
    Expr ofRows(StepTable& table, const char* name, const Value& value) const {
        StepTable::Values values(plan_.stepNames.size());
        for (const auto* streams : {&plan_.externalLoads, &plan_.externalStores})
            fill(values, *streams, beatWords_, value);
        std::int64_t most = 1;
        for (const auto& one : values)
            most = std::max(most, one.value_or(0));
        return table.registered(name, bitsFor(most + 1), values);
    }

    void constants() {
        StepTable table(m_, step_);
        isLoad_ = flag(table, "is_load", plan_.externalLoads);
        isStore_ = flag(table, "is_store", plan_.externalStores);
        firstBeat_ = ofRows(table, "first_beat", [](const Rows& r) { return r.beat; });
        firstLane_ = ofRows(table, "first_lane", [](const Rows& r) { return r.lane; });
        rowWords_ = ofRows(table, "row_words", [](const Rows& r) { return r.words; });
        rowBeats_ = ofRows(table, "row_beats", [this](const Rows& r) {
            return (r.lane + r.words - 1) / beatWords_ + 1;
        });
        table.write(clock_);
    }

    /// A step that waits to begin, and one whose rows move. The rows of a step that stores may
    /// still be written while the next one runs.
    void begins() {
        m_.blank();
        const Expr pending = m_.reg("pending");
        stores_ = m_.reg("stores");
        unanswered_ = m_.reg("unanswered", bits(writeBits_));
        runs_ = m_.wire("runs", loads_ | stores_);
        begin_ = m_.wire("begin", pending & ~runs_ & (isStore_ | ((unanswered_ == 0) & quiet_)));
        movedLast_ = m_.wire("loaded_last", bits(1));
        writtenLast_ = m_.wire("written_last", bits(1));
        m_.assign(pauses_, pending | runs_);
        m_.clocked(clock_, [&](rtl::Block& b) {
            b.when(~reset_, [&](rtl::Block& t) {
                for (const Expr& bit : {pending, loads_, stores_})
                    t.set(bit, constant(0, 1));
            });
            b.otherwise([&](rtl::Block& t) {
                t.when(setup_, [&](rtl::Block& s) { s.set(pending, isLoad_ | isStore_); });
                t.orWhen(begin_, [&](rtl::Block& s) { s.set(pending, constant(0, 1)); });
                t.set(loads_, choose(begin_, isLoad_, loads_ & ~movedLast_));
                t.set(stores_, choose(begin_, isStore_, stores_ & ~writtenLast_));
            });
        });
    }

    /// Bursts of both directions, of which one is asked for at a time.
    void requests() {
        m_.blank();
        const int beatBits = rtl::kAxiAddressBits - byteBits_;
        asks_ = m_.reg("asks");
        const Expr beat = m_.reg("beat", bits(beatBits));
        const Expr left = m_.reg("beats_left", rowBeats_.type());
        room_ = m_.reg("room", bits(bitsFor(port_.moveBeats + 1)));
        mayAsk_ = m_.wire("may_ask", runs_ & ~asks_ & (left != 0) &
                                         choose(stores_, unanswered_ < rtl::kMostWriteBursts,
                                                room_ >= design::kBurstBeats));
        m_.assign(asksRead_, asks_ & loads_);
        m_.assign(asksWrite_, asks_ & stores_);
        m_.assign(address_, rtl::join({beat, rtl::zeros(byteBits_)}));
        granted_ = m_.wire("write_granted", asksWrite_ & writeTaken_);
        readGranted_ = m_.wire("read_granted", asksRead_ & readTaken_);
        const Expr asked = m_.wire("asked", granted_ | readGranted_);
        const Expr base = m_.reg("base", bits(beatBits)); // of the run
        const Expr length = lengthOf(beat, left);
        m_.clocked(clock_, [&](rtl::Block& b) {
            b.when(go_, [&](rtl::Block& t) { t.set(base, base_.slice(byteBits_, beatBits)); });
            b.when(begin_, [&](rtl::Block& t) {
                t.set(beat, base + firstBeat_.resized(beatBits));
                t.set(left, rowBeats_);
            });
            b.orWhen(asked, [&](rtl::Block& t) {
                t.set(beat, beat + length_.resized(beatBits) + 1);
                t.set(left, left - length_.resized(left.width()) - 1);
            });
            b.when(~asks_, [&](rtl::Block& t) { t.set(length_, length); });
            b.when(~reset_ | asked, [&](rtl::Block& t) { t.set(asks_, constant(0, 1)); });
            b.orWhen(mayAsk_, [&](rtl::Block& t) { t.set(asks_, constant(1, 1)); });
        });
    }

    /// Beats of the next burst, less one: up to the end of the rows, or of so many beats.
    Expr lengthOf(const Expr& beat, const Expr& left) {
        const Expr more = m_.wire("more", left - 1);
        const Expr inBurst = m_.wire("to_end", ~beat.slice(0, kBurstBits));
        const int width = std::max(more.width(), kBurstBits);
        const Expr all = more.resized(width);
        const Expr most = inBurst.resized(width);
        return m_.wire("next_length", choose(all < most, all, most)).resized(8);
    }

    /// Words of 8 bytes that a step still moves, and which of its beat comes next.
    void words() {
        m_.blank();
        words_ = m_.reg("words_left", rowWords_.type());
        lane_ = m_.reg("lane", bits(bitsFor(beatWords_)));
        const Expr beatFull = beatWords_ > 1 ? lane_ == beatWords_ - 1 : constant(1, 1);
        beatEnds_ = m_.wire("beat_ends", (words_ == 1) | beatFull);
    }

    /// Beats come into a queue that has room for all that is asked for, and leave it in words.
    void queue() {
        const int placeBits = bitsFor(port_.moveBeats);
        const rtl::Memory beats =
            m_.memory("beats", bits(port_.beatBits), port_.moveBeats, rtl::RamStyle::Distributed);
        const Expr to = m_.reg("to", bits(placeBits));
        const Expr from = m_.reg("from", bits(placeBits));
        const Expr held = m_.reg("held", bits(placeBits + 1));
        const Expr out = m_.reg("out", bits(port_.beatBits));
        const Expr valid = m_.reg("out_valid");
        const Expr comes = m_.wire("comes", rvalid_ & loads_);
        m_.assign(loadedValid_, valid);
        m_.assign(loaded_, beatWords_ > 1 ? out.part(lane_, kMovedBits) : out);
        taken_ = m_.wire("word_taken", loadedTaken_ & valid);
        const Expr next = m_.wire("next_beat", ~valid | (taken_ & beatEnds_));
        const Expr moves = m_.wire("moves", (held != 0) & next);
        m_.assign(movedLast_, taken_ & (words_ == 1));
        m_.clocked(clock_, [&](rtl::Block& b) {
            b.when(comes, [&](rtl::Block& t) { t.set(beats[to], rdata_); });
            b.when(moves, [&](rtl::Block& t) { t.set(out, beats[from]); });
        });
        m_.clocked(clock_, [&](rtl::Block& b) {
            b.when(~reset_, [&](rtl::Block& t) {
                for (const Expr& count : {to, from, held, valid})
                    t.set(count, constantLike(count, 0));
                t.set(room_, constantLike(room_, port_.moveBeats));
            });
            b.otherwise([&](rtl::Block& t) {
                t.set(to, to + comes.extended(placeBits));
                t.set(from, from + moves.extended(placeBits));
                t.set(held, held + comes.extended(placeBits + 1) - moves.extended(placeBits + 1));
                t.when(next, [&](rtl::Block& n) { n.set(valid, held != 0); });
                t.set(room_, roomBehind(moves));
            });
        });
    }

    /// A request takes room for a whole burst until its length is known to the queue.
    Expr roomBehind(const Expr& moves) const {
        const int width = room_.width();
        const Expr burst = constant(design::kBurstBeats, width);
        const Expr unused = burst - length_.resized(width) - 1;
        const Expr zero = constantLike(room_, 0);
        return room_ - choose(mayAsk_ & loads_, burst, zero) + choose(readGranted_, unused, zero) +
               moves.extended(width);
    }

    /// Words of 8 bytes are gathered to beats, which leave when their burst is asked for.
    void beats() {
        m_.blank();
        full_ = m_.reg("full");
        const Expr begun = m_.reg("begun");
        const Expr final = m_.reg("final_beat");
        offers_ = m_.reg("offers", bits(writeBits_));
        m_.assign(wvalid_, full_ & (offers_ != 0));
        sent_ = m_.wire("sent", wvalid_ & wready_);
        m_.assign(storedTaken_, stores_ & (words_ != 0) & (~full_ | sent_));
        storedNow_ = m_.wire("stored_now", storedTaken_ & storedValid_);
        const Expr written = m_.reg("written"); // to the last beat
        m_.assign(writtenLast_, written & ~asks_);
        const Expr kept = m_.wire("kept", wstrb_ & (begun & ~full_).repeated(wstrb_.width()));
        m_.clocked(clock_, [&](rtl::Block& b) {
            for (std::int64_t k = 0; k < beatWords_; ++k)
                b.when(storedNow_ & isLane(k), [&](rtl::Block& t) {
                    t.set(wdata_.slice(k * kMovedBits, kMovedBits), stored_);
                });
            b.when(storedNow_, [&](rtl::Block& t) {
                std::vector<Expr> strobes; // the last word's first
                for (std::int64_t k = beatWords_; k-- > 0;)
                    strobes.push_back(isLane(k).repeated(8));
                t.set(wstrb_, kept | rtl::join(strobes));
                t.set(final, words_ == 1);
            });
            b.when(~reset_ | begin_, [&](rtl::Block& t) {
                t.set(full_, constant(0, 1));
                t.set(begun, constant(0, 1));
            });
            b.orWhen(storedNow_, [&](rtl::Block& t) {
                t.set(full_, beatEnds_);
                t.set(begun, ~beatEnds_);
            });
            b.orWhen(sent_, [&](rtl::Block& t) { t.set(full_, constant(0, 1)); });
            b.when(~reset_ | begin_, [&](rtl::Block& t) { t.set(written, constant(0, 1)); });
            b.orWhen(sent_ & final, [&](rtl::Block& t) { t.set(written, constant(1, 1)); });
        });
    }

    Expr isLane(std::int64_t k) const { return beatWords_ > 1 ? lane_ == k : constant(1, 1); }

    /// Which beat ends its burst, and which bursts are granted and answered.
    /// A beat may be offered as soon as its burst is: who takes them may wait for both.
    void answers() {
        m_.blank();
        const Expr inBurst = m_.reg("in_burst", bits(kBurstBits));
        m_.assign(bad_, bvalid_ & bresp_.bit(1));
        const Expr offered = m_.wire("write_offered", mayAsk_ & stores_);
        m_.assign(idle_, ~pauses_ & (unanswered_ == 0));
        const auto moved = [&](const Expr& count, const Expr& more, const Expr& less) {
            return choose(reset_, count + more.extended(writeBits_) - less.extended(writeBits_),
                          constantLike(count, 0));
        };
        m_.clocked(clock_, [&](rtl::Block& b) {
            b.when(storedNow_, [&](rtl::Block& t) {
                t.set(wlast_, (words_ == 1) | (inBurst == design::kBurstBeats - 1));
            });
            b.when(begin_, [&](rtl::Block& t) { t.set(inBurst, firstBeat_.resized(kBurstBits)); });
            b.orWhen(storedNow_ & beatEnds_, [&](rtl::Block& t) { t.set(inBurst, inBurst + 1); });
            b.set(offers_, moved(offers_, offered, sent_ & wlast_));
            b.set(unanswered_, moved(unanswered_, granted_, bvalid_));
        });
    }

    void counters() {
        m_.blank();
        const Expr moved = m_.wire("moved", choose(stores_, storedNow_, taken_));
        m_.clocked(clock_, [&](rtl::Block& b) {
            b.when(begin_, [&](rtl::Block& t) {
                t.set(words_, rowWords_);
                t.set(lane_, firstLane_.resized(lane_.width()));
            });
            b.orWhen(moved, [&](rtl::Block& t) {
                t.set(words_, words_ - 1);
                t.set(lane_, choose(beatEnds_, constantLike(lane_, 0), lane_ + 1));
            });
        });
    }

    const RtlPlan& plan_;
    const MemoryPort& port_;
    std::int64_t beatWords_; ///< of 8 bytes
    int byteBits_;
    int writeBits_; ///< of counters of bursts that are written
    rtl::Module m_;
    Expr clock_, reset_, setup_, step_, base_, quiet_, pauses_, idle_, bad_, go_;
    Expr loaded_, loadedValid_, loadedTaken_, stored_, storedValid_, storedTaken_;
    Expr address_, length_, asksRead_, readTaken_, asksWrite_, writeTaken_;
    Expr rdata_, rvalid_, wdata_, wstrb_, wlast_, wvalid_, wready_, bvalid_, bresp_;
    Expr isLoad_, isStore_, firstBeat_, firstLane_, rowWords_, rowBeats_;
    Expr loads_, stores_, runs_, begin_, movedLast_, writtenLast_;
    Expr asks_, mayAsk_, room_, granted_, readGranted_, unanswered_;
    Expr words_, lane_, beatEnds_, taken_, storedNow_;
    Expr full_, offers_, sent_;
};

} // namespace

rtl::ModulePtr transferModule(const RtlPlan& plan) {
    return TransferBuilder(plan).build();
}

} // namespace marquetry::hdl
