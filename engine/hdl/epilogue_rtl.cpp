#include "engine/hdl/modules.h"

#include "engine/support/assert.h"
#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

using design::ActivationStage;
using design::RequantStage;

/// Bits of a signed number that can hold both 0 … max and −magnitude.
int signedBits(ir::Scalar scalar) {
    return ir::info(scalar).bits + (ir::info(scalar).isSigned ? 0 : 1);
}

bool anyRequant(const std::vector<RequantStage>& modes) {
    return std::any_of(modes.begin(), modes.end(), [](const auto& m) { return m.enabled; });
}

bool anyActivation(const std::vector<ActivationStage>& modes) {
    return std::any_of(modes.begin(), modes.end(),
                       [](const auto& m) { return m.kind != ActivationStage::Kind::None; });
}

/// Width of x >> shift with its rounding bit added.
int shiftedBits(const RequantStage& mode, int width) {
    if (!mode.enabled || mode.shift == 0)
        return width;
    return mode.shift >= width ? 1 : width - static_cast<int>(mode.shift) + 1;
}

int valueBits(const RequantStage& mode, int width) {
    return mode.enabled ? signedBits(mode.to) : width;
}

template <class Width>
int widest(const std::vector<RequantStage>& modes, Width width) {
    int result = 1;
    for (const RequantStage& mode : modes)
        result = std::max(result, width(mode));
    return result;
}

/// Writes one lane, stage after stage; `value_` and `bits_` are the current signal.
class LaneWriter {
public:
    LaneWriter(const UnitPlan& unit, const EpiloguePlan& plan)
        : unit_(unit), plan_(plan), bits_(plan.inputBits) {}

    std::string write() {
        body_.line("wire unused_x = &{1'b0, x};");
        requantAndActivation("before", unit_.requantsBefore, unit_.activationsBefore);
        if (unit_.adds)
            add();
        if (plan_.pools)
            pool();
        requantAndActivation("after", unit_.requantsAfter, unit_.activationsAfter);
        finish();
        return body_.text();
    }

private:
    void assignModes(const std::string& name, const std::string& port, int bits,
                     const std::vector<std::string>& values) {
        if (values.size() == 1) {
            body_.line("wire signed ", range(bits), name, " = ", values.front(), ";");
            return;
        }
        const int selector = bitsFor(static_cast<std::int64_t>(values.size()));
        body_.line("reg signed ", range(bits), name, ";");
        body_.line("always @* begin");
        body_.line("    case (", port, ")");
        for (std::size_t i = 0; i < values.size(); ++i)
            body_.line("    ",
                       i + 1 == values.size() ? std::string("default")
                                              : literal(selector, static_cast<std::int64_t>(i)),
                       ": ", name, " = ", values[i], ";");
        body_.line("    endcase");
        body_.line("end");
    }

    void registerAs(const std::string& name, const std::string& value, int bits) {
        body_.line("reg signed ", range(bits), name, ";");
        body_.line("always @(posedge aclk)");
        body_.line("    ", name, " <= ", value, ";");
        value_ = name;
        bits_ = bits;
    }

    void requantAndActivation(const std::string& where, const std::vector<RequantStage>& requants,
                              const std::vector<ActivationStage>& activations) {
        const bool requant = anyRequant(requants);
        bitsBeforeShift_ = bits_;
        if (requant) {
            shift(where, requants);
            saturate(where, requants);
        }
        if (anyActivation(activations))
            activate(where, activations);
        if (requant || anyActivation(activations))
            registerAs(where + "_q", value_, bits_);
    }

    void shift(const std::string& where, const std::vector<RequantStage>& modes) {
        const int bits =
            widest(modes, [&](const RequantStage& m) { return shiftedBits(m, bits_); });
        std::vector<std::string> values;
        for (std::size_t i = 0; i < modes.size(); ++i) {
            const RequantStage& mode = modes[i];
            if (!mode.enabled || mode.shift == 0) {
                values.push_back(signExtend(value_, bits_, bits));
                continue;
            }
            if (mode.shift >= bits_) {
                values.push_back(literal(bits, 0));
                continue;
            }
            const std::string name = cat("rounded_", where, "_", i);
            const int from = shiftedBits(mode, bits_);
            const auto s = static_cast<int>(mode.shift);
            body_.note("(x + 2^", s - 1, ") >> ", s, " = (x >> ", s, ") + bit ", s - 1, " of x");
            body_.line("wire signed ", range(from), name, " = {", value_, "[", bits_ - 1, "], ",
                       slice(value_, bits_, bits_ - 1, s), "} + {", literal(from - 1, 0), ", ",
                       value_, "[", s - 1, "]};");
            values.push_back(signExtend(name, from, bits));
        }
        if (value_ != "x")
            body_.line("wire unused_", where, " = &{1'b0, ", value_, "};");
        assignModes("shifted_" + where, "requant_" + where, bits, values);
        registerAs("shifted_" + where + "_q", "shifted_" + where, bits);
    }

    /// zero + shifted, clamped to `to`; the name of a wire of `to` bits.
    std::string clamped(const std::string& name, const RequantStage& mode) {
        const ir::ScalarInfo& to = ir::info(mode.to);
        const int out = signedBits(mode.to);
        const int zeroBits = bitsFor(std::max(mode.zero, -mode.zero - 1) + 1) + 1;
        const int bits = mode.zero == 0 ? bits_ : std::max(bits_, zeroBits) + 1;
        body_.line("wire signed ", range(bits), name, "_sum = ", signExtend(value_, bits_, bits),
                   mode.zero == 0 ? "" : cat(" + ", literal(bits, mode.zero)), ";");
        const std::int64_t most = (std::int64_t{1} << (bits - 1)) - 1;
        std::string text = bits <= out ? signExtend(name + "_sum", bits, out)
                                       : slice(name + "_sum", bits, out - 1, 0);
        if (to.min > -most - 1)
            text = cat("(", name, "_sum < ", signedLiteral(bits, to.min), ") ? ",
                       literal(out, to.min), " : ", text);
        if (to.max < most)
            text = cat("(", name, "_sum > ", signedLiteral(bits, to.max), ") ? ",
                       literal(out, to.max), " : ", text);
        body_.line("wire signed ", range(out), name, " = ", text, ";");
        return name;
    }

    void saturate(const std::string& where, const std::vector<RequantStage>& modes) {
        // A disabled mode's value went through the shift register unchanged.
        const int bits =
            widest(modes, [&](const RequantStage& m) { return valueBits(m, bitsBeforeShift_); });
        std::vector<std::string> values;
        for (std::size_t i = 0; i < modes.size(); ++i) {
            if (!modes[i].enabled) {
                values.push_back(bits >= bits_ ? signExtend(value_, bits_, bits)
                                               : slice(value_, bits_, bits - 1, 0));
                continue;
            }
            const std::string name = clamped(cat("clamped_", where, "_", i), modes[i]);
            values.push_back(signExtend(name, signedBits(modes[i].to), bits));
        }
        assignModes("requantised_" + where, "requant_" + where, bits, values);
        value_ = "requantised_" + where;
        bits_ = bits;
    }

    /// x·num >> shift by shifts and adds: multipliers belong to the rows alone.
    std::string leaky(const std::string& name, const ActivationStage& mode) {
        const auto shift = static_cast<int>(mode.shift);
        const int bits = bits_ + shift;
        std::string sum = literal(bits, 0);
        for (int k = 0; k < shift; ++k) {
            if ((mode.num >> k & 1) == 0)
                continue;
            const std::string term = k == 0 ? value_ : cat("{", value_, ", ", literal(k, 0), "}");
            const std::string wire = cat(name, "_", k);
            body_.line("wire signed ", range(bits_ + k), wire, " = ", term, ";");
            sum += " + " + signExtend(wire, bits_ + k, bits);
        }
        body_.line("wire signed ", range(bits), name, " = ", sum, ";");
        if (shift > 0)
            body_.line("wire unused_", name, " = &{1'b0, ", name, "};");
        return slice(name, bits, bits - 1, shift);
    }

    void activate(const std::string& where, const std::vector<ActivationStage>& modes) {
        const std::string negative = bits_ == 1 ? value_ : cat(value_, "[", bits_ - 1, "]");
        std::vector<std::string> values;
        for (std::size_t i = 0; i < modes.size(); ++i) {
            if (modes[i].kind == ActivationStage::Kind::None)
                values.push_back(value_);
            else if (modes[i].kind == ActivationStage::Kind::Relu)
                values.push_back(cat(negative, " ? ", literal(bits_, 0), " : ", value_));
            else
                values.push_back(cat(negative, " ? ", leaky(cat("leaky_", where, "_", i), modes[i]),
                                     " : ", value_));
        }
        assignModes("activated_" + where, "activation_" + where, bits_, values);
        value_ = "activated_" + where;
    }

    void add() {
        const int bits = std::min(32, std::max(bits_, plan_.addendBits) + 1);
        const std::string sum =
            signExtend(value_, bits_, bits) + " + " + signExtend("addend", plan_.addendBits, bits);
        registerAs("added_q",
                   unit_.addsAlways ? sum
                                    : cat("adds ? ", sum, " : ", signExtend(value_, bits_, bits)),
                   bits);
    }

    void pool() {
        const int grown = bits_ + bitsFor(unit_.largestPool * unit_.largestPool);
        const int bits = unit_.poolsSum ? std::min(32, grown) : bits_;
        const std::string in = signExtend(value_, bits_, bits);
        body_.line("wire signed ", range(bits), "pool_in = ", in, ";");
        body_.line("reg signed ", range(bits), "pooled_q;");
        const std::string before = unit_.stream ? "pooled_before" : "pooled_q";
        const std::string max = cat("(pool_in > ", before, " ? pool_in : ", before, ")");
        const std::string sum = cat("(", before, " + pool_in)");
        if (unit_.stream) {
            poolColumns(bits, unit_.poolsSum ? sum : max);
            value_ = "pooled_q";
            bits_ = bits;
            return;
        }
        body_.line("always @(posedge aclk)");
        body_.line("    if (pool_valid)");
        body_.line("        pooled_q <= pool_first ? pool_in : ",
                   unit_.poolsMax && unit_.poolsSum ? "pool_sum ? " + sum + " : " + max
                   : unit_.poolsSum                 ? sum
                                                    : max,
                   ";");
        value_ = "pooled_q";
        bits_ = bits;
    }

    /// A stream comes row by row: each column of pool windows keeps what it has.
    void poolColumns(int bits, const std::string& pooled) {
        const std::int64_t depth = std::int64_t{1} << unit_.stream->poolIndexBits();
        body_.line("reg signed ", range(bits), "columns [0:", depth - 1, "];");
        body_.line("wire signed ", range(bits), "pooled_before = columns[pool_index];");
        body_.line("wire signed ", range(bits), "pooled_next = pool_first ? pool_in : ", pooled,
                   ";");
        body_.line("always @(posedge aclk)");
        body_.line("    if (pool_valid) begin");
        body_.line("        columns[pool_index] <= pooled_next;");
        body_.line("        pooled_q <= pooled_next;");
        body_.line("    end");
    }

    void finish() {
        const int out = unit_.resultBits;
        if (bits_ > out && value_ != "x")
            body_.line("wire unused_y = &{1'b0, ", value_, "};");
        body_.line("assign y = ",
                   bits_ >= out ? slice(value_, bits_, out - 1, 0) : signExtend(value_, bits_, out),
                   ";");
    }

    const UnitPlan& unit_;
    const EpiloguePlan& plan_;
    Body body_;
    std::string value_ = "x";
    int bits_;
    int bitsBeforeShift_ = 0;
};

void describe(Module& m, const char* where, const RequantStage& stage,
              const ActivationStage& activation) {
    if (stage.enabled)
        m.comment.push_back(cat("  requant ", where, " the pool: shift ", stage.shift, ", zero ",
                                stage.zero, ", to ", ir::info(stage.to).name));
    if (activation.kind == ActivationStage::Kind::Relu)
        m.comment.push_back(cat("  relu ", where, " the pool"));
    if (activation.kind == ActivationStage::Kind::Leaky)
        m.comment.push_back(cat("  leaky ", where, " the pool: x < 0 ? (x * ", activation.num,
                                ") >> ", activation.shift, " : x"));
}

} // namespace

int addendBits(ir::Scalar scalar) {
    return signedBits(scalar);
}

int addendSourceBits(const UnitPlan& unit) {
    return bitsFor(static_cast<std::int64_t>(unit.addends.size()));
}

EpiloguePlan planEpilogue(const UnitPlan& unit) {
    EpiloguePlan p;
    p.requantBefore = anyRequant(unit.requantsBefore);
    p.activationBefore = anyActivation(unit.activationsBefore);
    p.requantAfter = anyRequant(unit.requantsAfter);
    p.activationAfter = anyActivation(unit.activationsAfter);
    p.pools = unit.poolsMax || unit.poolsSum;
    p.inputBits = unit.pass ? unit.operandBits + (unit.operandSigned ? 0 : 1) : 32;
    for (const AddendSource& source : unit.addends)
        p.addendBits = std::max(p.addendBits, signedBits(source.scalar));
    p.stagesBeforeAdd = p.requantBefore ? 2 : p.activationBefore ? 1 : 0;
    p.stagesBeforePool = p.stagesBeforeAdd + (unit.adds ? 1 : 0);
    p.stages = p.stagesBeforePool + (p.pools ? 1 : 0) +
               (p.requantAfter      ? 2
                : p.activationAfter ? 1
                                    : 0);
    return p;
}

std::vector<ModePort> modePorts(const UnitPlan& unit) {
    std::vector<ModePort> ports;
    const auto add = [&](const char* name, std::size_t modes, std::size_t StepPlan::*value) {
        if (modes > 1)
            ports.push_back({name, bitsFor(static_cast<std::int64_t>(modes)), value});
    };
    add("requant_before", unit.requantsBefore.size(), &StepPlan::requantBefore);
    add("activation_before", unit.activationsBefore.size(), &StepPlan::activationBefore);
    if (unit.adds && !unit.addsAlways)
        ports.push_back({"adds", 1, nullptr});
    if (unit.poolsMax && unit.poolsSum)
        ports.push_back({"pool_sum", 1, nullptr});
    add("requant_after", unit.requantsAfter.size(), &StepPlan::requantAfter);
    add("activation_after", unit.activationsAfter.size(), &StepPlan::activationAfter);
    return ports;
}

Module epilogueModule(const RtlPlan&, const UnitPlan& unit) {
    const EpiloguePlan plan = planEpilogue(unit);
    Module m;
    m.name = unit.module + "_epilogue";
    m.comment = {cat("Epilogue of one lane of ", unit.name, ":")};
    for (std::size_t i = 0; i < unit.requantsBefore.size(); ++i)
        describe(m, "before", unit.requantsBefore[i], {});
    for (const ActivationStage& stage : unit.activationsBefore)
        describe(m, "before", {}, stage);
    if (unit.adds)
        m.comment.push_back("  add a stored operand");
    if (plan.pools)
        m.comment.push_back(
            cat("  pool:", unit.poolsMax ? " max" : "", unit.poolsSum ? " sum" : ""));
    for (const RequantStage& stage : unit.requantsAfter)
        describe(m, "after", stage, {});
    for (const ActivationStage& stage : unit.activationsAfter)
        describe(m, "after", {}, stage);
    m.comment.push_back(
        cat("Cycles: latency ", plan.stages, ", one value per clock. Resources: no DSP, no RAM."));
    if (plan.stages > 0)
        m.ports.push_back({Direction::Input, 1, "aclk"});
    m.ports.push_back({Direction::Input, plan.inputBits, "x"});
    if (unit.adds)
        m.ports.push_back({Direction::Input, plan.addendBits, "addend"});
    if (plan.pools) {
        m.ports.push_back({Direction::Input, 1, "pool_valid"});
        m.ports.push_back({Direction::Input, 1, "pool_first"});
        if (unit.stream)
            m.ports.push_back({Direction::Input, unit.stream->poolIndexBits(), "pool_index"});
    }
    for (const ModePort& port : modePorts(unit))
        m.ports.push_back({Direction::Input, port.width, port.name});
    m.ports.push_back({Direction::Output, unit.resultBits, "y"});
    m.body = LaneWriter(unit, plan).write();
    return m;
}

} // namespace marquetry::hdl
