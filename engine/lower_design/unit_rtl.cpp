#include "engine/lower_design/design_modules.h"

#include "engine/cost/call_timing.h"
#include "engine/lower_design/operand_register.h"
#include "engine/lower_design/result_groups.h"
#include "engine/lower_design/weight_modules.h"
#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::hdl {

using rtl::bits;
using rtl::Size;

namespace {

std::string joined(const std::vector<std::string>& items) {
    std::string text;
    for (const std::string& item : items)
        text += (text.empty() ? "" : ", ") + item;
    return text;
}

class UnitBuilder {
public:
    UnitBuilder(DesignLibrary& library, const RtlPlan& plan, const UnitPlan& unit,
                SharedText weights, WriteBackTexts texts)
        : library_(library),
          plan_(plan),
          unit_(unit),
          weights_(std::move(weights)),
          texts_(std::move(texts)),
          epilogue_(planEpilogue(unit)),
          lanes_(static_cast<int>(plan.lanes * unit.span)),
          parallel_(static_cast<int>(unit.parallel)),
          entry_(static_cast<int>(cost::reductionLatency(lanes_, unit.pass, unit.lanewise()))),
          m_(unit.module) {}

    rtl::ModulePtr build() && {
        comment();
        ports();
        const auto port = [&](const char* name) {
            return in_.contains(name) ? in_.at(name) : Expr();
        };
        operand_ = operandRegister(m_, clocking_, unit_,
                                   {in_.at("operand"), port("outside"), port("pad_value")});
        accumulation();
        if (unit_.writeBack)
            m_.lint("lint_off UNUSEDSIGNAL"); // high bits of sums that no sum has
        if (unit_.lanewise())
            lanes();
        else if (!unit_.pass)
            rows();
        if (unit_.writeBack) {
            writeBack();
            m_.lint("lint_on UNUSEDSIGNAL");
        } else {
            if (unit_.serial())
                serialControl();
            else
                control();
            if (unit_.adds)
                addend();
            epilogues();
        }
        return finished(std::move(m_));
    }

private:
    std::string function() const {
        const std::string operand = cat(unit_.operandSigned ? "i" : "u", unit_.operandBits);
        const std::string products =
            cat(operand, " x ", unit_.weightSigned ? "i" : "u", unit_.weightBits, " -> i32.");
        switch (unit_.laneFunction) {
        case design::LaneFunction::Products:
            return cat(lanes_, " lanes, each the products of its own window, ", products);
        case design::LaneFunction::Max:
            return cat(lanes_, " lanes, each the maximum of its own window, ", operand, ".");
        case design::LaneFunction::Sum:
            return cat(lanes_, " lanes, each the sum of its own window, ", operand, " -> i32.");
        case design::LaneFunction::None:
            break;
        }
        return unit_.pass ? cat("tensor-wise pass, ", lanes_, " lanes.")
                          : cat("Par[", parallel_, "](Dot[", lanes_, "]), ", products);
    }

    void comment() {
        m_.comment(cat("Unit ", unit_.name, ": ", function()));
        m_.comment(cat("Calls: ", joined(unit_.layers), "."));
        m_.comment(unit_.writeBack ? cat("Cycles: ", unit_.cycles, " in all calls; sums ", entry_,
                                         " clocks after their last operand's address.")
                                   : cat("Cycles: ", unit_.cycles, " in all calls; result ",
                                         entry_ + epilogue_.stages + (unit_.serial() ? 1 : 0),
                                         " clocks after its last operand's address."));
        if (unit_.serial() && !unit_.writeBack)
            m_.comment(
                cat("Rows leave ", unit_.writeLanes, " at a time, in ", unit_.groups, " clocks."));
        m_.comment(unit_.pass ? std::string("Resources: no multiplier, no RAM.")
                              : cat("Resources: ", unit_.multipliers(plan_.lanes), " multipliers",
                                    unit_.pairsRows ? ", those of two rows in one" : "",
                                    ", block RAM for ", unit_.weightWords, " words of weights."));
    }

    Expr in(const std::string& name, int width = 1) {
        return in_[name] = m_.input(name, bits(width));
    }

    void ports() {
        clocking_ = {m_.input("aclk"), m_.input("aresetn")};
        in("issue");
        if (unit_.reduces()) {
            in("first");
            in("last");
            if (plan_.pads)
                in("outside", lanes_ / static_cast<int>(unit_.maskLanes));
        }
        if (unit_.multiplies() && !(unit_.loaded && unit_.loaded->resident == 0))
            in("weight_address", unit_.weightAddressBits);
        if (unit_.loaded)
            loaderPorts();
        if (unit_.holds) {
            in("held_we", static_cast<int>(unit_.weightRows()));
            in("held_address", unit_.weightAddressBits);
            in("held_word", lanes_ * unit_.weightBits);
        }
        if (epilogue_.pools) {
            in("pool_first");
            in("pool_last");
        }
        in("operand", lanes_ * unit_.operandBits);
        if (unit_.adds) {
            in("addend_address", addendAddressBits(plan_, unit_));
            in("addend_word", static_cast<int>(plan_.lanes) * epilogue_.addendBits);
        }
        if (unit_.writeBack && unit_.writeBack->words > 0)
            in("scale_address", unit_.writeBack->addressBits);
        for (const ModePort& port : controlModes(unit_))
            in(port.name, port.width);
        if (unit_.adds)
            addendRead_ = m_.output("addend_read_address",
                                    bits(addendAddressBits(plan_, unit_) - unit_.groupBits));
        resultValid_ = m_.output("result_valid");
        result_ = m_.output("result", bits(static_cast<int>(unit_.writeLanes) * unit_.resultBits));
    }

    void loaderPorts() {
        const LoadedWeights& loaded = *unit_.loaded;
        const std::int64_t wordBits = unit_.multipliers(plan_.lanes) * unit_.weightBits;
        in("load_we", static_cast<int>(loaded.parts()));
        in("load_address", unit_.weightAddressBits);
        in("load_data", static_cast<int>(std::min(wordBits, loaded.together * loaded.beatBits)));
        if (loaded.ringWords == 0)
            return;
        for (const char* name : {"ring_clear", "external", "first_pass", "last_pass", "ring_taken"})
            in(name);
        for (const char* name : {"ring_ready", "ring_space"})
            ring_[name] = m_.output(name);
        ring_["ring_place"] = m_.output("ring_place", bits(unit_.weightAddressBits));
    }

    /// Where external weights are: the words of a step that has some come in its order.
    Expr weightAddress() {
        if (!unit_.loaded || unit_.loaded->ringWords == 0)
            return in_.at("weight_address");
        const Expr at = m_.wire("ring_address", bits(unit_.weightAddressBits));
        m_.instance(weightRingModule(unit_), "ring",
                    {{"aclk", clocking_.clock},
                     {"aresetn", clocking_.reset},
                     {"clear", in_.at("ring_clear")},
                     {"issue", in_.at("issue") & in_.at("external")},
                     {"last", in_.at("last")},
                     {"first_pass", in_.at("first_pass")},
                     {"last_pass", in_.at("last_pass")},
                     {"taken", in_.at("ring_taken")},
                     {"ready", ring_.at("ring_ready")},
                     {"space", ring_.at("ring_space")},
                     {"read_address", at},
                     {"write_address", ring_.at("ring_place")}});
        return in_.contains("weight_address")
                   ? choose(in_.at("external"), at, in_.at("weight_address"))
                   : at;
    }

    Expr later(const std::string& name, const Expr& word, int clocks) {
        return library_.later(m_, clocking_, name, word, clocks);
    }

    void accumulation() {
        if (!unit_.reduces())
            return;
        const Expr steps =
            later("accumulation", rtl::join({in_.at("first"), in_.at("issue")}), entry_ - 1);
        accumulate_ = steps.bit(0);
        first_ = steps.bit(1);
    }

    void control() {
        const Expr reduced = unit_.reduces() ? m_.wire("reduced", in_.at("issue") & in_.at("last"))
                                             : in_.at("issue");
        Expr done = reduced;
        if (epilogue_.pools) {
            pooling(rtl::join({in_.at("pool_first"), reduced}), entry_);
            done = m_.wire("window_done", reduced & in_.at("pool_last"));
        }
        written(done, entry_);
    }

    /// A group of the sums leaves in each clock, the first one a clock after they are there.
    void serialControl() {
        const Expr reduced = m_.wire("reduced_now", in_.at("issue") & in_.at("last"));
        groups_.emplace(m_, clocking_, unit_.groups,
                        library_.validLater(m_, clocking_, "reduced", reduced, entry_), sums_);
        group_ = groups_->group();
        Expr done = groups_->valid();
        if (epilogue_.pools) {
            const auto held = [&](const char* name) {
                return groups_->with(name, later(cat(name, "_later"), in_.at(name), entry_));
            };
            pooling(rtl::join({groups_->number(), held("pool_first"), groups_->valid()}), 0);
            done = m_.wire("window_done", done & held("pool_last"));
        }
        written(done, 0);
    }

    /// From the flags, so many clocks before the epilogue's input: valid, first, and which group.
    void pooling(const Expr& flags, int clocks) {
        const int delay = clocks + epilogue_.stagesBeforePool;
        const Expr pool = library_.laterFromRegister(m_, clocking_, "pooling", flags, delay);
        poolValid_ = pool.bit(0);
        poolFirst_ = pool.bit(1);
        if (unit_.serial())
            poolIndex_ = pool.slice(2, unit_.serialBits());
    }

    void written(const Expr& done, int clocks) {
        m_.assign(resultValid_,
                  library_.validLater(m_, clocking_, "written", done, clocks + epilogue_.stages));
    }

    void rows() {
        const int wordBits = lanes_ * unit_.weightBits;
        sums_ = m_.wire("sums", bits(parallel_ * 32));
        const Expr weights = weightMemory(parallel_ * wordBits);
        const int paired = unit_.pairsRows ? parallel_ / 2 : 0;
        if (paired > 0)
            m_.repeat("row_pair", paired, [&](const Size& i) {
                dots(library_.pairedRows(unit_), weights.slice(2 * i * wordBits, 2 * wordBits),
                     {{"sum_0", sums_.slice(i * 64, 32)}, {"sum_1", sums_.slice(i * 64 + 32, 32)}});
            });
        if (parallel_ > 2 * paired)
            m_.repeat("row", parallel_ - 2 * paired, [&](const Size& i) {
                const Size row = i + 2 * paired;
                dots(library_.row(unit_), weights.slice(row * wordBits, wordBits),
                     {{"sum", sums_.slice(row * 32, 32)}});
            });
    }

    Expr weightMemory(int width) {
        const Expr weights = m_.wire("weights", bits(width));
        // Operands are in a register of words in the clock in which weights are read.
        const Expr address = later("weight_at", weightAddress(), 1);
        rtl::Module::Connections memory = {
            {"aclk", clocking_.clock}, {"address", address}, {"q", weights}};
        if (unit_.holds)
            for (const char* port : {"held_we", "held_address", "held_word"})
                memory.emplace_back(port, in_.at(port));
        if (unit_.loaded)
            for (const char* port : {"load_we", "load_address", "load_data"})
                memory.emplace_back(port, in_.at(port));
        m_.instance(weightsModule(plan_, unit_, weights_), "weight_memory", memory);
        return weights;
    }

    void dots(const rtl::ModulePtr& module, const Expr& weight, rtl::Module::Connections sums) {
        sums.insert(sums.begin(), {{"aclk", clocking_.clock},
                                   {"accumulate", accumulate_},
                                   {"first", first_},
                                   {"operand", operand_},
                                   {"weight", weight}});
        m_.instance(module, "dot", sums);
    }

    /// Each lane has an accumulator of its own, and of products a weight.
    void lanes() {
        const int width = laneSumBits();
        sums_ = m_.wire("sums", bits(lanes_ * width));
        const Expr weights = unit_.multiplies() ? weightMemory(lanes_ * unit_.weightBits) : Expr();
        const rtl::ModulePtr module = library_.lane(unit_);
        m_.repeat("window", lanes_, [&](const Size& i) {
            rtl::Module::Connections wiring = {
                {"aclk", clocking_.clock},
                {"accumulate", accumulate_},
                {"first", first_},
                {"operand", operand_.slice(i * unit_.operandBits, unit_.operandBits)},
                {"sum", sums_.slice(i * width, width)}};
            if (unit_.multiplies())
                wiring.emplace_back("weight",
                                    weights.slice(i * unit_.weightBits, unit_.weightBits));
            m_.instance(module, "reduction", wiring);
        });
    }

    /// A maximum is as wide as its operands.
    int laneSumBits() const {
        return unit_.laneFunction == design::LaneFunction::Max ? unit_.operandBits : 32;
    }

    /// The addend's word is read two clocks before its value is added.
    void addend() {
        const int width = addendAddressBits(plan_, unit_);
        const int wordBits = static_cast<int>(unit_.writeLanes) * epilogue_.addendBits;
        const Expr address = addendAt();
        m_.assign(addendRead_, address.slice(unit_.groupBits, width - unit_.groupBits));
        addend_ =
            addendOfGroup(m_, clocking_, in_.at("addend_word"), address, unit_.groupBits, wordBits);
    }

    Expr addendAt() {
        const int before = entry_ - static_cast<int>(cost::kAddendLatency);
        const Expr& address = in_.at("addend_address");
        if (!unit_.serial())
            return later("addend_at", address, before + epilogue_.stagesBeforeAdd);
        // The groups' addresses begin two clocks before their sums do.
        const Expr reduced = in_.at("issue") & in_.at("last");
        const Expr first =
            groups_->address("addend_first", later("addend_before", address, before),
                             library_.validLater(m_, clocking_, "addend_begins",
                                                 m_.wire("addend_reduced", reduced), before));
        return later("addend_at", first, epilogue_.stagesBeforeAdd);
    }

    Expr epilogueInput(const Size& lane) const {
        const bool maximum = unit_.laneFunction == design::LaneFunction::Max;
        const Expr& sums = unit_.serial() && !unit_.writeBack ? group_ : sums_;
        if (unit_.reduces() && !maximum)
            return sums.slice(lane * 32, 32);
        const Expr value =
            (maximum ? sums : operand_).slice(lane * unit_.operandBits, unit_.operandBits);
        return unit_.operandSigned ? value : rtl::join({rtl::constant(0, 1), value});
    }

    /// What the write-back needs of the nest, at the clock of the sums.
    void writeBack() {
        const rtl::ModulePtr module = writeBackModule(library_, plan_, unit_, texts_);
        rtl::Module::Connections wiring = {
            {"aclk", clocking_.clock}, {"aresetn", clocking_.reset}, {"sums", writeBackSums()}};
        const Expr reduced = unit_.reduces()
                                 ? m_.wire("reduced_now", in_.at("issue") & in_.at("last"))
                                 : in_.at("issue");
        wiring.emplace_back("reduced",
                            library_.validLater(m_, clocking_, "reduced", reduced, entry_));
        for (const char* name : {"pool_first", "pool_last", "scale_address", "addend_address"})
            if (in_.contains(name))
                wiring.emplace_back(name,
                                    later(std::string(name) + "_later", in_.at(name), entry_));
        if (unit_.adds)
            wiring.emplace_back("addend_word", in_.at("addend_word"));
        for (const ModePort& port : modePorts(unit_))
            wiring.emplace_back(port.name, in_.at(port.name));
        for (const char* name : {"result_valid", "result", "addend_read_address"})
            if (const auto port = m_.port(name))
                wiring.emplace_back(name, rtl::wordOf(port));
        m_.instance(module, "write_back", wiring);
    }

    /// Only as many bits of each sum as it can have.
    Expr writeBackSums() {
        const int to = unit_.writeBack->form.sumBits;
        const Expr wide = m_.wire("sums_to_write", bits(parallel_ * to));
        m_.repeat("sum", parallel_, [&](const Size& i) {
            const int from = epilogue_.inputBits;
            const Expr value =
                unit_.pass ? m_.wire("operand_value", epilogueInput(i)) : epilogueInput(i);
            m_.assign(wide.slice(i * to, to),
                      from >= to ? value.slice(0, to) : value.asSigned().extended(to).asUnsigned());
        });
        return wide;
    }

    void epilogues() {
        const rtl::ModulePtr module = epilogueModule(unit_);
        const int out = unit_.resultBits;
        m_.repeat("lane", static_cast<int>(unit_.writeLanes), [&](const Size& i) {
            rtl::Module::Connections wiring = {{"x", epilogueInput(i)},
                                               {"y", result_.slice(i * out, out)}};
            if (epilogue_.stages > 0)
                wiring.emplace_back("aclk", clocking_.clock);
            if (unit_.adds)
                wiring.emplace_back("addend",
                                    addend_.slice(i * epilogue_.addendBits, epilogue_.addendBits));
            if (epilogue_.pools) {
                wiring.emplace_back("pool_valid", poolValid_);
                wiring.emplace_back("pool_first", poolFirst_);
                if (unit_.serial())
                    wiring.emplace_back("pool_index", poolIndex_);
            }
            for (const ModePort& port : modePorts(unit_))
                wiring.emplace_back(port.name, in_.at(port.name));
            m_.instance(module, "epilogue", wiring);
        });
    }

    DesignLibrary& library_;
    const RtlPlan& plan_;
    const UnitPlan& unit_;
    SharedText weights_;
    WriteBackTexts texts_;
    EpiloguePlan epilogue_;
    int lanes_;
    int parallel_;
    int entry_; ///< clocks from an address to the epilogue
    rtl::Module m_;
    Clocking clocking_;
    std::map<std::string, Expr> in_;
    std::map<std::string, Expr> ring_; ///< outputs
    Expr addendRead_, resultValid_, result_;
    Expr operand_, accumulate_, first_, poolValid_, poolFirst_, poolIndex_, sums_, addend_;
    std::optional<ResultGroups> groups_; ///< where a lane per row would not fit a word
    Expr group_;                         ///< of the sums, that leaves
};

} // namespace

int addendAddressBits(const RtlPlan& plan, const UnitPlan& unit) {
    int bits = 1;
    for (const AddendSource& source : unit.addends)
        bits = std::max(bits, plan.slots[source.slot].addressBits + unit.groupBits);
    return bits;
}

rtl::ModulePtr unitModule(DesignLibrary& library, const RtlPlan& plan, const UnitPlan& unit,
                          const SharedText& weights, const WriteBackTexts& texts) {
    return UnitBuilder(library, plan, unit, weights, texts).build();
}

} // namespace marquetry::hdl
