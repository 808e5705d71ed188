#include "engine/hdl/modules.h"

#include "engine/cost/buffer_cost.h"

#include "engine/cost/call_timing.h"
#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

std::string joined(const std::vector<std::string>& items) {
    std::string text;
    for (const std::string& item : items)
        text += (text.empty() ? "" : ", ") + item;
    return text;
}

/// One always block per pair of the tree; each level is one bit wider, 32 bits at most.
std::string adderTree(Body& body, std::int64_t lanes, int width) {
    std::string prefix = "product_";
    int level = 1;
    for (std::int64_t count = lanes; count > 1; count /= 2, ++level) {
        const int wider = std::min(32, width + 1);
        const std::string next = cat("sum", level, "_");
        for (std::int64_t i = 0; i < count / 2; ++i)
            body.line("reg signed ", range(wider), next, i, ";");
        body.line("always @(posedge aclk) begin");
        for (std::int64_t i = 0; i < count / 2; ++i)
            body.line("    ", next, i, " <= ", signExtend(cat(prefix, 2 * i), width, wider), " + ",
                      signExtend(cat(prefix, 2 * i + 1), width, wider), ";");
        body.line("end");
        prefix = next;
        width = wider;
    }
    return signExtend(prefix + "0", width, 32);
}

/// A tap of a signal `delay` clocks later: a shift register of that length, reset to zero.
class Delays {
public:
    Delays(Body& body, bool reset) : body_(body), reset_(reset) {}

    std::string tap(const std::string& name, const std::string& source, int width, int delay) {
        if (delay == 0)
            return source;
        for (int i = 1; i <= delay; ++i)
            body_.line("reg ", range(width), name, "_", i, ";");
        body_.line("always @(posedge aclk) begin");
        for (int i = 1; i <= delay; ++i) {
            const std::string from = i == 1 ? source : cat(name, "_", i - 1);
            body_.line("    ", name, "_", i,
                       " <= ", reset_ ? cat("aresetn ? ", from, " : ", literal(width, 0)) : from,
                       ";");
        }
        body_.line("end");
        return cat(name, "_", delay);
    }

private:
    Body& body_;
    bool reset_;
};

class UnitWriter {
public:
    UnitWriter(const RtlPlan& plan, const UnitPlan& unit)
        : plan_(plan),
          unit_(unit),
          epilogue_(planEpilogue(unit)),
          lanes_(static_cast<int>(plan.lanes)),
          parallel_(static_cast<int>(unit.parallel)),
          entry_(static_cast<int>(cost::reductionLatency(plan.lanes, unit.pass))) {}

    Module write() {
        m_.name = unit_.module;
        comment();
        ports();
        operandRegister();
        control();
        if (!unit_.pass)
            rows();
        if (unit_.adds)
            addend();
        for (int lane = 0; lane < parallel_; ++lane)
            epilogue(lane);
        m_.body = body_.text();
        return m_;
    }

private:
    void comment() {
        m_.comment = {unit_.pass
                          ? cat("Unit ", unit_.name, ": tensor-wise pass, ", lanes_, " lanes.")
                          : cat("Unit ", unit_.name, ": Par[", parallel_, "](Dot[", lanes_, "]), ",
                                unit_.operandSigned ? "i" : "u", unit_.operandBits, " x ",
                                unit_.weightSigned ? "i" : "u", unit_.weightBits, " -> i32."),
                      cat("Calls: ", joined(unit_.layers), "."),
                      cat("Cycles: ", unit_.cycles, " in all calls; result ",
                          entry_ + epilogue_.stages, " clocks after its last operand's address."),
                      unit_.pass ? std::string("Resources: no multiplier, no RAM.")
                                 : cat("Resources: ", lanes_ * parallel_, " multipliers, ",
                                       parallel_ * unit_.banksPerRow, " block RAMs of ",
                                       unit_.weightWords, " x ", cost::kWeightBankBits, " bits.")};
    }

    void ports() {
        const auto in = [&](int width, const std::string& name) {
            m_.ports.push_back({Direction::Input, width, name});
        };
        in(1, "aclk");
        in(1, "aresetn");
        in(1, "issue");
        if (!unit_.pass) {
            in(1, "first");
            in(1, "last");
            if (plan_.pads)
                in(1, "outside");
            in(unit_.weightAddressBits, "weight_address");
        }
        if (epilogue_.pools) {
            in(1, "pool_first");
            in(1, "pool_last");
        }
        in(lanes_ * unit_.operandBits, "operand");
        if (unit_.adds) {
            in(addendAddressBits(plan_, unit_), "addend_address");
            in(lanes_ * epilogue_.addendBits, "addend_word");
        }
        for (const ModePort& port : modePorts(unit_))
            in(port.width, port.name);
        if (unit_.adds)
            m_.ports.push_back({Direction::Output,
                                addendAddressBits(plan_, unit_) - unit_.groupBits,
                                "addend_read_address"});
        m_.ports.push_back({Direction::Output, 1, "result_valid"});
        m_.ports.push_back({Direction::Output, parallel_ * unit_.resultBits, "result"});
    }

    void operandRegister() {
        const int width = lanes_ * unit_.operandBits;
        body_.line("reg ", range(width), "operand_q;");
        if (!unit_.pass && plan_.pads) {
            body_.note("Zero padding: words outside the input count as zero.");
            body_.line("reg outside_q;");
            body_.line("always @(posedge aclk) begin");
            body_.line("    outside_q <= outside;");
            body_.line("    operand_q <= outside_q ? {", width, "{1'b0}} : operand;");
            body_.line("end");
        } else {
            body_.line("always @(posedge aclk)");
            body_.line("    operand_q <= operand;");
        }
    }

    void control() {
        Delays delays(body_, true);
        if (!unit_.pass) {
            accumulate_ = delays.tap("issue", "issue", 1, entry_ - 1);
            first_ = delays.tap("first", "first", 1, entry_ - 1);
        }
        body_.line("wire reduced = issue", unit_.pass ? "" : " & last", ";");
        if (!epilogue_.pools) {
            written_ = delays.tap("written", "reduced", 1, entry_ + epilogue_.stages);
            body_.line("assign result_valid = ", written_, ";");
            return;
        }
        poolValid_ = delays.tap("reduced", "reduced", 1, entry_ + epilogue_.stagesBeforePool);
        poolFirst_ = delays.tap("pool_first", "pool_first", 1, entry_ + epilogue_.stagesBeforePool);
        body_.line("wire window_done = reduced & pool_last;");
        written_ = delays.tap("written", "window_done", 1, entry_ + epilogue_.stages);
        body_.line("assign result_valid = ", written_, ";");
    }

    void rows() {
        std::string banks;
        for (int row = 0; row < parallel_; ++row)
            for (int b = 0; b < unit_.banksPerRow; ++b) {
                body_.line("wire ", range(cost::kWeightBankBits), "weight_", row, "_", b, ";");
                banks += cat(",\n        .q_", row, "_", b, "(weight_", row, "_", b, ")");
            }
        body_.line(unit_.module, "_weights weights (.aclk(aclk), .address(weight_address)", banks,
                   ");");
        for (int row = 0; row < parallel_; ++row) {
            std::string word;
            for (auto b = static_cast<int>(unit_.banksPerRow); b-- > 0;)
                word += cat(word.empty() ? "" : ", ", "weight_", row, "_", b);
            body_.line("wire [31:0] sum_", row, ";");
            body_.line(unit_.module, "_row row_", row, " (.aclk(aclk), .accumulate(", accumulate_,
                       "), .first(", first_, "), .operand(operand_q), .weight({", word,
                       "}), .sum(sum_", row, "));");
        }
    }

    /// The addend's word is read two clocks before its value is added.
    void addend() {
        const int width = addendAddressBits(plan_, unit_);
        const int bits = epilogue_.addendBits;
        const int delay =
            entry_ + epilogue_.stagesBeforeAdd - static_cast<int>(cost::kOperandLatency);
        Delays delays(body_, false);
        const std::string address = delays.tap("addend_address", "addend_address", width, delay);
        body_.line("assign addend_read_address = ",
                   slice(address, width, width - 1, unit_.groupBits), ";");
        body_.line("reg ", range(parallel_ * bits), "addend_q;");
        if (unit_.groupBits == 0) {
            body_.line("always @(posedge aclk)");
            body_.line("    addend_q <= addend_word;");
            return;
        }
        body_.line("reg ", range(unit_.groupBits), "addend_group;");
        body_.line("always @(posedge aclk) begin");
        body_.line("    addend_group <= ", slice(address, width, unit_.groupBits - 1, 0), ";");
        body_.line("    case (addend_group)");
        const int groups = 1 << unit_.groupBits;
        for (int g = 0; g < groups; ++g)
            body_.line("    ",
                       g + 1 == groups ? std::string("default") : literal(unit_.groupBits, g),
                       ": addend_q <= ",
                       slice("addend_word", lanes_ * bits, (g + 1) * parallel_ * bits - 1,
                             g * parallel_ * bits),
                       ";");
        body_.line("    endcase");
        body_.line("end");
    }

    std::string epilogueInput(int lane) const {
        if (!unit_.pass)
            return cat("sum_", lane);
        const int bits = unit_.operandBits;
        const std::string value =
            slice("operand_q", lanes_ * bits, (lane + 1) * bits - 1, lane * bits);
        return unit_.operandSigned ? value : cat("{1'b0, ", value, "}");
    }

    void epilogue(int lane) {
        std::string connections = cat(".x(", epilogueInput(lane), ")");
        if (epilogue_.stages > 0)
            connections = ".aclk(aclk), " + connections;
        const int bits = epilogue_.addendBits;
        if (unit_.adds)
            connections +=
                cat(", .addend(",
                    slice("addend_q", parallel_ * bits, (lane + 1) * bits - 1, lane * bits), ")");
        if (epilogue_.pools)
            connections += cat(", .pool_valid(", poolValid_, "), .pool_first(", poolFirst_, ")");
        for (const ModePort& port : modePorts(unit_))
            connections += cat(", .", port.name, "(", port.name, ")");
        const int out = unit_.resultBits;
        body_.line(unit_.module, "_epilogue epilogue_", lane, " (", connections, ", .y(",
                   slice("result", parallel_ * out, (lane + 1) * out - 1, lane * out), "));");
    }

    const RtlPlan& plan_;
    const UnitPlan& unit_;
    EpiloguePlan epilogue_;
    int lanes_;
    int parallel_;
    int entry_;
    Module m_;
    Body body_;
    std::string accumulate_, first_, poolValid_, poolFirst_, written_;
};

} // namespace

std::string weightFileName(const UnitPlan& unit, std::int64_t row, std::int64_t bank) {
    return cat(unit.module, "_row", row, "_bank", bank, ".mem");
}

int addendAddressBits(const RtlPlan& plan, const UnitPlan& unit) {
    int bits = 1;
    for (const AddendSource& source : unit.addends)
        bits = std::max(bits, plan.slots[source.slot].addressBits + unit.groupBits);
    return bits;
}

Module rowModule(const RtlPlan& plan, const UnitPlan& unit) {
    const auto lanes = static_cast<int>(plan.lanes);
    const int a = unit.operandBits + (unit.operandSigned ? 0 : 1);
    const int b = unit.weightBits + (unit.weightSigned ? 0 : 1);
    const int full = a + b;
    const int width = std::min(32, full);
    Module m;
    m.name = unit.module + "_row";
    m.comment = {cat("Row of ", unit.name, ": Dot[", lanes, "] and its accumulator, modulo 2^32."),
                 cat("Cycles: one word per clock, latency ",
                     cost::reductionLatency(lanes, false) - 1, " from the word's arrival."),
                 cat("Resources: ", lanes, " multipliers of ", a, " x ", b, " bits, no RAM."),
                 "KEEP_PRODUCT_REGISTERS is for targets whose DSP inference mistakes the tree's",
                 "registers for the multipliers' own (Yosys synth_ice40 -dsp)."};
    m.ports = {{Direction::Input, 1, "aclk"},
               {Direction::Input, 1, "accumulate"},
               {Direction::Input, 1, "first"},
               {Direction::Input, lanes * unit.operandBits, "operand"},
               {Direction::Input, lanes * unit.weightBits, "weight"},
               {Direction::OutputReg, 32, "sum"}};
    Body body;
    const auto operand = [](const char* bus, int lane, int lanesOf, int bits, bool isSigned) {
        const std::string text = slice(bus, lanesOf * bits, (lane + 1) * bits - 1, lane * bits);
        return isSigned ? text : cat("{1'b0, ", text, "}");
    };
    for (int i = 0; i < lanes; ++i) {
        body.line("wire signed ", range(a), "a_", i, " = ",
                  operand("operand", i, lanes, unit.operandBits, unit.operandSigned), ";");
        body.line("reg signed ", range(b), "b_", i, ";");
        body.line("wire signed ", range(full), "full_", i, " = a_", i, " * b_", i, ";");
        if (full > width)
            body.line("wire unused_", i, " = &{1'b0, full_", i, "};");
    }
    body.line("`ifdef KEEP_PRODUCT_REGISTERS");
    body.line("(* keep *)");
    body.line("`endif");
    std::vector<std::string> products;
    for (int i = 0; i < lanes; ++i)
        products.push_back(cat("product_", i));
    body.line("reg signed ", range(width), joined(products), ";");
    body.line("always @(posedge aclk) begin");
    for (int i = 0; i < lanes; ++i) {
        body.line("    b_", i,
                  " <= ", operand("weight", i, lanes, unit.weightBits, unit.weightSigned), ";");
        body.line("    product_", i, " <= ", slice(cat("full_", i), full, width - 1, 0), ";");
    }
    body.line("end");
    const std::string total = adderTree(body, lanes, width);
    body.line("wire [31:0] total = ", total, ";");
    body.line("always @(posedge aclk)");
    body.line("    if (accumulate)");
    body.line("        sum <= first ? total : sum + total;");
    m.body = body.text();
    return m;
}

Module unitModule(const RtlPlan& plan, const UnitPlan& unit) {
    return UnitWriter(plan, unit).write();
}

} // namespace marquetry::hdl
