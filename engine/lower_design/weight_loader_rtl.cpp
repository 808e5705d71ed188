#include "engine/lower_design/step_table.h"
#include "engine/lower_design/weight_modules.h"
#include "engine/rtl/netlist.h"

#include <algorithm>

namespace marquetry::hdl {

using rtl::bits;
using rtl::constant;

namespace {

class LoaderBuilder {
public:
    explicit LoaderBuilder(const RtlPlan& plan)
        : plan_(plan), port_(*plan.memory), m_(plan.name + "_weight_loader") {
        runs_ = port_.resident;
        runs_.insert(runs_.end(), port_.external.begin(), port_.external.end());
        for (std::size_t u = 0; u < plan.units.size(); ++u)
            if (plan.units[u].loaded)
                units_.push_back(u);
    }

    rtl::ModulePtr build() && {
        comment();
        ports();
        declareRuns();
        flow();
        words();
        gather();
        return finished(std::move(m_));
    }

private:
    const LoadedWeights& loaded(std::size_t unit) const { return *plan_.units[unit].loaded; }

    void comment() {
        m_.comment("Loader of weights: beats of the queue become words of the units' memories.");
        m_.comment("Runs of words, in this order:");
        for (std::size_t r = 0; r < runs_.size(); ++r)
            m_.comment(cat("  ", r, " ", runs_[r].words, " words of ",
                           plan_.units[runs_[r].unit].name,
                           r < port_.resident.size() ? ", which stay" : ", in every run"));
        m_.comment("Behind the last word, beats that fill up a burst are dropped.");
        m_.comment("Cycles: 1 per beat. Resources: a register of some beats, counters.");
    }

    void ports() {
        clock_ = m_.input("aclk");
        reset_ = m_.input("aresetn");
        begin_ = m_.input("begin_read");
        resident_ = m_.input("resident");
        if (port_.resident.empty())
            leaveUnused(m_, resident_);
        beat_ = m_.input("beat", bits(port_.beatBits));
        valid_ = m_.input("beat_valid");
        taken_ = m_.output("beat_taken");
        done_ = m_.outputRegister("loaded");
        address_ = m_.outputRegister("address", bits(loadAddressBits(plan_)));
        data_ = m_.output("data", bits(loadDataBits(plan_)));
        for (const std::size_t u : units_) {
            const UnitPlan& unit = plan_.units[u];
            enables_.push_back(m_.outputRegister(loaderPort(unit, "we"),
                                                 bits(static_cast<int>(loaded(u).parts()))));
            if (loaded(u).ringWords == 0) {
                spaces_.emplace_back();
                places_.emplace_back();
                takes_.emplace_back();
                continue;
            }
            spaces_.push_back(m_.input(loaderPort(unit, "space")));
            places_.push_back(m_.input(loaderPort(unit, "place"), bits(unit.weightAddressBits)));
            takes_.push_back(m_.output(loaderPort(unit, "taken")));
        }
    }

    void declareRuns() {
        run_ = m_.reg("run", bits(bitsFor(std::ssize(runs_))));
        const auto of = [&](auto value) {
            StepTable::Values values;
            for (std::size_t r = 0; r < runs_.size(); ++r)
                values.emplace_back(static_cast<std::int64_t>(value(r)));
            return values;
        };
        std::int64_t words = 1, beats = 1, together = 1;
        for (const LoadRun& run : runs_) {
            words = std::max(words, run.words);
            beats = std::max(beats, loaded(run.unit).beats);
            together = std::max(together, loaded(run.unit).together);
        }
        StepTable table(m_, run_);
        const auto constantOf = [&](const char* name, std::int64_t most, auto value) {
            return table.atOnce(name, bitsFor(most), of(value));
        };
        wordsEnd_ =
            constantOf("words_end", words, [&](std::size_t r) { return runs_[r].words - 1; });
        beatsEnd_ = constantOf("beats_end", beats,
                               [&](std::size_t r) { return loaded(runs_[r].unit).beats - 1; });
        togetherEnd_ = constantOf("together_end", together, [&](std::size_t r) {
            return loaded(runs_[r].unit).together - 1;
        });
        stays_ = constantOf("stays", 2, [&](std::size_t r) { return r < port_.resident.size(); });
        partEnds_ = constantOf("part_ends", 2, [&](std::size_t r) {
            return r + 1 == port_.resident.size() || r + 1 == runs_.size();
        });
        for (const std::size_t u : units_)
            selected_.push_back(constantOf(cat("is_", plan_.units[u].name).c_str(), 2,
                                           [&](std::size_t r) { return runs_[r].unit == u; }));
        table.write(clock_);
        if (table.empty())
            leaveUnused(m_, run_);
    }

    /// A beat of a run waits for a place in its ring.
    void flow() {
        Expr space = stays_;
        for (std::size_t k = 0; k < units_.size(); ++k)
            if (loaded(units_[k]).ringWords > 0)
                space = space | (selected_[k] & spaces_[k]);
        goes_ = m_.wire("goes", valid_ & ~done_ & space);
        m_.assign(taken_, goes_ | (valid_ & done_));
        const auto counter = [&](const char* name, const Expr& end) {
            return m_.reg(name, end.type());
        };
        beatAt_ = counter("beat_at", beatsEnd_);
        slot_ = counter("slot", togetherEnd_);
        word_ = counter("word", wordsEnd_);
        wordEnds_ = m_.wire("word_ends", beatAt_ == beatsEnd_);
        partEnd_ = m_.wire("part_end", wordEnds_ | (slot_ == togetherEnd_));
        runEnds_ = m_.wire("run_ends", wordEnds_ & (word_ == wordsEnd_));
        for (std::size_t k = 0; k < units_.size(); ++k)
            if (loaded(units_[k]).ringWords > 0)
                m_.assign(takes_[k], goes_ & wordEnds_ & selected_[k] & ~stays_);
    }

    void words() {
        const auto zero = [](const Expr& net) { return constantLike(net, 0); };
        const auto firstRun = constantLike(run_, std::ssize(port_.resident) % std::ssize(runs_));
        m_.clocked(clock_, [&](rtl::Block& b) {
            b.when(~reset_, [&](rtl::Block& t) { t.set(done_, constant(1, 1)); });
            b.orWhen(begin_, [&](rtl::Block& t) {
                t.set(done_, constant(0, 1));
                t.set(run_,
                      port_.resident.empty() ? firstRun : choose(resident_, zero(run_), firstRun));
                for (const Expr& count : {beatAt_, slot_, word_})
                    t.set(count, zero(count));
            });
            b.orWhen(goes_, [&](rtl::Block& t) {
                t.set(beatAt_, choose(wordEnds_, zero(beatAt_), beatAt_ + 1));
                t.set(slot_, choose(partEnd_, zero(slot_), slot_ + 1));
                t.when(wordEnds_, [&](rtl::Block& w) {
                    w.set(word_, choose(runEnds_, zero(word_), word_ + 1));
                });
                t.when(runEnds_, [&](rtl::Block& r) {
                    r.set(done_, partEnds_);
                    r.set(run_, choose(partEnds_, run_, run_ + 1));
                });
            });
        });
        address();
    }

    /// In the clock in which the word is written.
    void address() {
        const int width = loadAddressBits(plan_);
        Expr place = word_.resized(width);
        for (std::size_t k = 0; k < units_.size(); ++k)
            if (loaded(units_[k]).ringWords > 0)
                place = choose(selected_[k] & ~stays_, places_[k].extended(width), place);
        m_.clocked(clock_, [&](rtl::Block& b) { b.set(address_, place); });
    }

    /// Beats that are written together, and to which part of a word.
    void gather() {
        const int beats = loadDataBits(plan_) / port_.beatBits;
        m_.blank();
        std::vector<Expr> slots; // the last one first
        for (int k = beats; k-- > 0;)
            slots.push_back(m_.reg(cat("beat_", k), bits(port_.beatBits)));
        m_.assign(data_, rtl::join(slots));
        m_.clocked(clock_, [&](rtl::Block& b) {
            for (int k = 0; k < beats; ++k)
                b.when(goes_ & (beats == 1 ? constant(1, 1) : slot_ == k), [&](rtl::Block& t) {
                    t.set(slots[static_cast<std::size_t>(beats - 1 - k)], beat_);
                });
        });
        std::int64_t parts = 1;
        for (const std::size_t u : units_)
            parts = std::max(parts, loaded(u).parts());
        const Expr part = m_.reg("part", bits(bitsFor(parts)));
        m_.clocked(clock_, [&](rtl::Block& b) {
            b.when(begin_, [&](rtl::Block& t) { t.set(part, constantLike(part, 0)); });
            b.orWhen(goes_ & partEnd_, [&](rtl::Block& t) {
                t.set(part, choose(wordEnds_, constantLike(part, 0), part + 1));
            });
            for (std::size_t k = 0; k < units_.size(); ++k)
                for (std::int64_t p = 0; p < loaded(units_[k]).parts(); ++p)
                    b.set(enables_[k].bit(p), goes_ & partEnd_ & selected_[k] & (part == p));
        });
    }

    const RtlPlan& plan_;
    const MemoryPort& port_;
    rtl::Module m_;
    std::vector<LoadRun> runs_;
    std::vector<std::size_t> units_; ///< that are loaded
    Expr clock_, reset_, begin_, resident_, beat_, valid_, taken_, done_, address_, data_;
    std::vector<Expr> enables_, spaces_, places_, takes_, selected_; ///< index: as units_
    Expr run_, wordsEnd_, beatsEnd_, togetherEnd_, stays_, partEnds_;
    Expr goes_, beatAt_, slot_, word_, wordEnds_, partEnd_, runEnds_;
};

} // namespace

std::string loaderPort(const UnitPlan& unit, const char* what) {
    return unit.name + "_" + what;
}

int loadAddressBits(const RtlPlan& plan) {
    int bits = 1;
    for (const UnitPlan& unit : plan.units)
        if (unit.loaded)
            bits = std::max(bits, unit.weightAddressBits);
    return bits;
}

int loadDataBits(const RtlPlan& plan) {
    std::int64_t beats = 1;
    for (const UnitPlan& unit : plan.units)
        if (unit.loaded)
            beats = std::max(beats, unit.loaded->together);
    return static_cast<int>(beats) * plan.memory->beatBits;
}

rtl::ModulePtr weightLoaderModule(const RtlPlan& plan) {
    return LoaderBuilder(plan).build();
}

} // namespace marquetry::hdl
