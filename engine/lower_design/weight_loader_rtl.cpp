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
        addRows(port_.resident, true);
        residentRows_ = rows_.size();
        addRows(port_.external, false);
        for (std::size_t u = 0; u < plan.units.size(); ++u)
            if (plan.units[u].loaded)
                units_.push_back(u);
    }

    rtl::ModulePtr build() && {
        comment();
        ports();
        declareRows();
        flow();
        words();
        gather();
        return finished(std::move(m_));
    }

private:
    /// Words that come one behind the other, or one of beats that are dropped.
    struct Row {
        std::optional<std::size_t> unit;
        std::int64_t words = 1;
        std::int64_t beats = 1; ///< of each
        std::int64_t together = 1;
        bool stays = true; ///< waits for no place in a ring
        bool ends = false; ///< is the last of its part
    };

    const LoadedWeights& loaded(std::size_t unit) const { return *plan_.units[unit].loaded; }

    /// Behind the last one beats are dropped without a row.
    void addRows(const std::vector<LoadRun>& runs, bool stay) {
        for (const LoadRun& run : runs) {
            const LoadedWeights& unit = loaded(run.unit);
            rows_.push_back({run.unit, run.words, unit.beats, unit.together, stay});
            if (run.fill > 0 && &run != &runs.back())
                rows_.push_back({std::nullopt, 1, run.fill});
        }
        if (!runs.empty())
            rows_.back().ends = true;
    }

    void comment() {
        m_.comment("Loader of weights: beats of the queue become words of the units' memories.");
        m_.comment("Runs of words, in this order:");
        for (std::size_t r = 0; r < rows_.size(); ++r)
            m_.comment(cat("  ", r, " ", textOf(rows_[r])));
        m_.comment("Behind the last word, beats that fill up a burst are dropped.");
        m_.comment("Cycles: 1 per beat. Resources: a register of some beats, counters.");
    }

    std::string textOf(const Row& row) const {
        return row.unit ? cat(row.words, " words of ", plan_.units[*row.unit].name,
                              row.stays ? ", which stay" : ", in every run")
                        : cat(row.beats, " beats, which are dropped");
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

    /// Of the row, in registers: they are looked up while the one before comes.
    void declareRows() {
        nextRow_ = m_.reg("next_row", bits(bitsFor(std::ssize(rows_) + 1)));
        fetches_ = m_.reg("fetches");
        StepTable table(m_, nextRow_);
        const auto constantOf = [&](const std::string& name, auto value) {
            StepTable::Values values;
            std::int64_t most = 1;
            for (const Row& row : rows_) {
                values.emplace_back(static_cast<std::int64_t>(value(row)));
                most = std::max(most, *values.back());
            }
            return ofRow(table, name, bitsFor(most + 1), values);
        };
        wordsEnd_ = constantOf("words_end", [](const Row& row) { return row.words - 1; });
        beatsEnd_ = constantOf("beats_end", [](const Row& row) { return row.beats - 1; });
        togetherEnd_ = constantOf("together_end", [](const Row& row) { return row.together - 1; });
        stays_ = constantOf("stays", [](const Row& row) { return row.stays; });
        partEnds_ = constantOf("part_ends", [](const Row& row) { return row.ends; });
        for (const std::size_t u : units_)
            selected_.push_back(constantOf(cat("is_", plan_.units[u].name),
                                           [&](const Row& row) { return row.unit == u; }));
        table.write(clock_);
        if (table.empty())
            leaveUnused(m_, nextRow_);
    }

    /// A constant of the row, or the register that has it while the table says the next one's.
    Expr ofRow(StepTable& table, const std::string& name, int width,
               const StepTable::Values& values) {
        const bool same =
            std::ranges::all_of(values, [&](const auto& value) { return value == values.front(); });
        const Expr next = table.atOnce(same ? name : "next_" + name, width, values);
        if (same)
            return next;
        const Expr current = m_.reg(name, bits(width));
        current_.emplace_back(current, next);
        return current;
    }

    /// A beat of a run waits for a place in its ring.
    void flow() {
        Expr space = stays_;
        for (std::size_t k = 0; k < units_.size(); ++k)
            if (loaded(units_[k]).ringWords > 0)
                space = space | (selected_[k] & spaces_[k]);
        goes_ = m_.wire("goes", valid_ & ~done_ & ~fetches_ & space);
        m_.assign(taken_, goes_ | (valid_ & done_));
        const auto counter = [&](const char* name, const Expr& end) {
            return m_.reg(name, end.type());
        };
        beatAt_ = counter("beat_at", beatsEnd_);
        slot_ = counter("slot", togetherEnd_);
        word_ = counter("word", wordsEnd_);
        wordEnds_ = m_.wire("word_ends", beatAt_ == beatsEnd_);
        partEnd_ = m_.wire("part_end", wordEnds_ | (slot_ == togetherEnd_));
        rowEnds_ = m_.wire("row_ends", wordEnds_ & (word_ == wordsEnd_));
        for (std::size_t k = 0; k < units_.size(); ++k)
            if (loaded(units_[k]).ringWords > 0)
                m_.assign(takes_[k], goes_ & wordEnds_ & selected_[k] & ~stays_);
    }

    void words() {
        const auto zero = [](const Expr& net) { return constantLike(net, 0); };
        m_.clocked(clock_, [&](rtl::Block& b) {
            b.when(~reset_, [&](rtl::Block& t) { t.set(done_, constant(1, 1)); });
            b.orWhen(begin_, [&](rtl::Block& t) {
                // Of a run that reads no weights nothing comes.
                t.set(done_, port_.external.empty() ? ~resident_ : constant(0, 1));
                for (const Expr& count : {beatAt_, slot_, word_})
                    t.set(count, zero(count));
            });
            b.orWhen(goes_, [&](rtl::Block& t) {
                t.set(beatAt_, choose(wordEnds_, zero(beatAt_), beatAt_ + 1));
                t.set(slot_, choose(partEnd_, zero(slot_), slot_ + 1));
                t.when(wordEnds_, [&](rtl::Block& w) {
                    w.set(word_, choose(rowEnds_, zero(word_), word_ + 1));
                });
                t.when(rowEnds_, [&](rtl::Block& r) { r.set(done_, partEnds_); });
            });
        });
        rows();
        address();
    }

    /// The first row of a part is looked up in the clock behind its beginning.
    void rows() {
        const Expr first = constantLike(nextRow_, static_cast<std::int64_t>(residentRows_));
        m_.clocked(clock_, [&](rtl::Block& b) {
            b.set(fetches_, begin_);
            b.when(begin_, [&](rtl::Block& t) {
                t.set(nextRow_, residentRows_ == 0
                                    ? first
                                    : choose(resident_, constantLike(nextRow_, 0), first));
            });
            b.orWhen(fetches_ | (goes_ & rowEnds_), [&](rtl::Block& t) {
                t.set(nextRow_, nextRow_ + 1);
                for (const auto& [current, next] : current_)
                    t.set(current, next);
            });
        });
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
    std::vector<Row> rows_;
    std::size_t residentRows_ = 0;
    std::vector<std::size_t> units_; ///< that are loaded
    Expr clock_, reset_, begin_, resident_, beat_, valid_, taken_, done_, address_, data_;
    std::vector<Expr> enables_, spaces_, places_, takes_, selected_; ///< index: as units_
    Expr nextRow_, fetches_, wordsEnd_, beatsEnd_, togetherEnd_, stays_, partEnds_;
    std::vector<std::pair<Expr, Expr>> current_; ///< registers, and what comes next
    Expr goes_, beatAt_, slot_, word_, wordEnds_, partEnd_, rowEnds_;
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
