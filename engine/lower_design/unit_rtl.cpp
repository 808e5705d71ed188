#include "engine/lower_design/design_modules.h"

#include "engine/cost/call_timing.h"
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
                SharedText weights)
        : library_(library),
          plan_(plan),
          unit_(unit),
          weights_(std::move(weights)),
          epilogue_(planEpilogue(unit)),
          lanes_(static_cast<int>(plan.lanes)),
          parallel_(static_cast<int>(unit.parallel)),
          entry_(static_cast<int>(cost::reductionLatency(plan.lanes, unit.pass))),
          m_(unit.module) {}

    rtl::ModulePtr build() && {
        comment();
        ports();
        operandRegister();
        control();
        if (!unit_.pass)
            rows();
        if (unit_.adds)
            addend();
        epilogues();
        return finished(std::move(m_));
    }

private:
    void comment() {
        m_.comment(unit_.pass
                       ? cat("Unit ", unit_.name, ": tensor-wise pass, ", lanes_, " lanes.")
                       : cat("Unit ", unit_.name, ": Par[", parallel_, "](Dot[", lanes_, "]), ",
                             unit_.operandSigned ? "i" : "u", unit_.operandBits, " x ",
                             unit_.weightSigned ? "i" : "u", unit_.weightBits, " -> i32."));
        m_.comment(cat("Calls: ", joined(unit_.layers), "."));
        m_.comment(cat("Cycles: ", unit_.cycles, " in all calls; result ",
                       entry_ + epilogue_.stages, " clocks after its last operand's address."));
        m_.comment(unit_.pass
                       ? std::string("Resources: no multiplier, no RAM.")
                       : cat("Resources: ", lanes_ * parallel_, " multipliers, block RAM for ",
                             unit_.weightWords, " words of weights."));
    }

    Expr in(const std::string& name, int width = 1) {
        return in_[name] = m_.input(name, bits(width));
    }

    void ports() {
        clocking_ = {m_.input("aclk"), m_.input("aresetn")};
        in("issue");
        if (!unit_.pass) {
            in("first");
            in("last");
            if (plan_.pads)
                in("outside");
            in("weight_address", unit_.weightAddressBits);
        }
        if (epilogue_.pools) {
            in("pool_first");
            in("pool_last");
        }
        in("operand", lanes_ * unit_.operandBits);
        if (unit_.adds) {
            in("addend_address", addendAddressBits(plan_, unit_));
            in("addend_word", lanes_ * epilogue_.addendBits);
        }
        for (const ModePort& port : modePorts(unit_))
            in(port.name, port.width);
        if (unit_.adds)
            addendRead_ = m_.output("addend_read_address",
                                    bits(addendAddressBits(plan_, unit_) - unit_.groupBits));
        resultValid_ = m_.output("result_valid");
        result_ = m_.output("result", bits(parallel_ * unit_.resultBits));
    }

    void operandRegister() {
        const Expr& operand = in_.at("operand");
        operand_ = m_.reg("operand_q", operand.type());
        Expr next = operand;
        if (!unit_.pass && plan_.pads) {
            m_.note("Zero padding: words outside the input count as zero.");
            const Expr outside = m_.reg("outside_q");
            m_.clocked(clocking_.clock, [&](rtl::Block& b) { b.set(outside, in_.at("outside")); });
            next = choose(outside, rtl::zeros(operand.size()), operand);
        }
        m_.clocked(clocking_.clock, [&](rtl::Block& b) { b.set(operand_, next); });
    }

    Expr later(const std::string& name, const Expr& word, int clocks) {
        return library_.later(m_, clocking_, name, word, clocks);
    }

    void control() {
        if (!unit_.pass) {
            const Expr steps =
                later("accumulation", rtl::join({in_.at("first"), in_.at("issue")}), entry_ - 1);
            accumulate_ = steps.bit(0);
            first_ = steps.bit(1);
        }
        const Expr reduced =
            unit_.pass ? in_.at("issue") : m_.wire("reduced", in_.at("issue") & in_.at("last"));
        Expr done = reduced;
        if (epilogue_.pools) {
            const Expr pool = later("pooling", rtl::join({in_.at("pool_first"), reduced}),
                                    entry_ + epilogue_.stagesBeforePool);
            poolValid_ = pool.bit(0);
            poolFirst_ = pool.bit(1);
            done = m_.wire("window_done", reduced & in_.at("pool_last"));
        }
        m_.assign(resultValid_,
                  library_.validLater(m_, clocking_, "written", done, entry_ + epilogue_.stages));
    }

    void rows() {
        const int wordBits = lanes_ * unit_.weightBits;
        const Expr weights = m_.wire("weights", bits(parallel_ * wordBits));
        sums_ = m_.wire("sums", bits(parallel_ * 32));
        m_.instance(
            weightsModule(plan_, unit_, weights_), "weight_memory",
            {{"aclk", clocking_.clock}, {"address", in_.at("weight_address")}, {"q", weights}});
        m_.repeat("row", parallel_, [&](const Size& i) {
            m_.instance(library_.row(unit_), "dot",
                        {{"aclk", clocking_.clock},
                         {"accumulate", accumulate_},
                         {"first", first_},
                         {"operand", operand_},
                         {"weight", weights.slice(i * wordBits, wordBits)},
                         {"sum", sums_.slice(i * 32, 32)}});
        });
    }

    /// The addend's word is read two clocks before its value is added.
    void addend() {
        const int width = addendAddressBits(plan_, unit_);
        const int wordBits = parallel_ * epilogue_.addendBits;
        const int delay =
            entry_ + epilogue_.stagesBeforeAdd - static_cast<int>(cost::kOperandLatency);
        const Expr address = later("addend_at", in_.at("addend_address"), delay);
        m_.assign(addendRead_, address.slice(unit_.groupBits, width - unit_.groupBits));
        addend_ = m_.reg("addend_q", bits(wordBits));
        const Expr& word = in_.at("addend_word");
        if (unit_.groupBits == 0) {
            m_.clocked(clocking_.clock, [&](rtl::Block& b) { b.set(addend_, word); });
            return;
        }
        const Expr group = m_.reg("addend_group", bits(unit_.groupBits));
        m_.clocked(clocking_.clock, [&](rtl::Block& b) {
            b.set(group, address.slice(0, unit_.groupBits));
            b.set(addend_, word.part(group, wordBits));
        });
    }

    Expr epilogueInput(const Size& lane) const {
        if (!unit_.pass)
            return sums_.slice(lane * 32, 32);
        const Expr value = operand_.slice(lane * unit_.operandBits, unit_.operandBits);
        return unit_.operandSigned ? value : rtl::join({rtl::constant(0, 1), value});
    }

    void epilogues() {
        const rtl::ModulePtr module = epilogueModule(unit_);
        const int out = unit_.resultBits;
        m_.repeat("lane", parallel_, [&](const Size& i) {
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
    EpiloguePlan epilogue_;
    int lanes_;
    int parallel_;
    int entry_; ///< clocks from an address to the epilogue
    rtl::Module m_;
    Clocking clocking_;
    std::map<std::string, Expr> in_;
    Expr addendRead_, resultValid_, result_;
    Expr operand_, accumulate_, first_, poolValid_, poolFirst_, sums_, addend_;
};

} // namespace

int addendAddressBits(const RtlPlan& plan, const UnitPlan& unit) {
    int bits = 1;
    for (const AddendSource& source : unit.addends)
        bits = std::max(bits, plan.slots[source.slot].addressBits + unit.groupBits);
    return bits;
}

rtl::ModulePtr unitModule(DesignLibrary& library, const RtlPlan& plan, const UnitPlan& unit,
                          const SharedText& weights) {
    return UnitBuilder(library, plan, unit, weights).build();
}

} // namespace marquetry::hdl
