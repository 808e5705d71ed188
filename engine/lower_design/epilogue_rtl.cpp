#include "engine/lower_design/design_modules.h"

#include "engine/lower_design/rounding_pipe.h"
#include "engine/lower_design/saturate.h"
#include "engine/rtl/netlist.h"
#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

using design::ActivationStage;
using design::RequantStage;
using rtl::signedBits;
using rtl::signedConstant;

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
    return mode.enabled ? valueBitsOf(mode.to) : width;
}

template <class Width>
int widest(const std::vector<RequantStage>& modes, Width width) {
    int result = 1;
    for (const RequantStage& mode : modes)
        result = std::max(result, width(mode));
    return result;
}

/// Builds one lane, stage after stage; `value_` is the current word.
class LaneBuilder {
public:
    LaneBuilder(const UnitPlan& unit, const EpiloguePlan& plan)
        : unit_(unit), plan_(plan), m_(unit.module + "_epilogue") {}

    rtl::ModulePtr build() && {
        comment();
        ports();
        m_.lint("lint_off UNUSEDSIGNAL");
        requantAndActivation("before", unit_.requantsBefore, unit_.activationsBefore);
        if (unit_.adds)
            add();
        if (plan_.pools)
            pool();
        requantAndActivation("after", unit_.requantsAfter, unit_.activationsAfter);
        m_.lint("lint_on UNUSEDSIGNAL");
        m_.assign(y_, value_.resized(unit_.resultBits));
        return finished(std::move(m_));
    }

private:
    void comment() {
        m_.comment(cat("Epilogue of one lane of ", unit_.name, ":"));
        describe("before", unit_.requantsBefore, unit_.activationsBefore);
        if (unit_.adds)
            m_.comment("  add a stored operand");
        if (plan_.pools)
            m_.comment(cat("  pool:", unit_.poolsMax ? " max" : "", unit_.poolsSum ? " sum" : ""));
        describe("after", unit_.requantsAfter, unit_.activationsAfter);
        m_.comment(cat("Cycles: latency ", plan_.stages,
                       ", one value per clock. Resources: no DSP, no RAM."));
    }

    void describe(const char* where, const std::vector<RequantStage>& requants,
                  const std::vector<ActivationStage>& activations) {
        for (const RequantStage& stage : requants)
            if (stage.enabled)
                m_.comment(cat("  requant ", where, " the pool: shift ", stage.shift, ", zero ",
                               stage.zero, ", to ", ir::info(stage.to).name));
        for (const ActivationStage& activation : activations) {
            if (activation.kind == ActivationStage::Kind::Relu)
                m_.comment(cat("  relu ", where, " the pool"));
            if (activation.kind == ActivationStage::Kind::Leaky)
                m_.comment(cat("  leaky ", where, " the pool: x < 0 ? (x * ", activation.num,
                               ") >> ", activation.shift, " : x"));
        }
    }

    void ports() {
        if (plan_.stages > 0)
            clock_ = m_.input("aclk");
        value_ = m_.input("x", signedBits(plan_.inputBits));
        const Expr x = value_;
        if (unit_.adds)
            addend_ = m_.input("addend", signedBits(plan_.addendBits));
        if (plan_.pools) {
            poolValid_ = m_.input("pool_valid");
            poolFirst_ = m_.input("pool_first");
            if (poolIndexBits() > 0)
                poolIndex_ = m_.input("pool_index", rtl::bits(poolIndexBits()));
        }
        for (const ModePort& port : modePorts(unit_))
            modes_[port.name] = m_.input(port.name, rtl::bits(port.width));
        y_ = m_.output("y", rtl::bits(unit_.resultBits));
        leaveUnused(m_, x);
    }

    /// One of the values, all of one type; the port of that name says which.
    Expr chosen(const std::string& name, const std::string& port, const std::vector<Expr>& values) {
        if (values.size() == 1)
            return m_.wire(name, values.front());
        const Expr result = m_.reg(name, values.front().type());
        const auto sets = [&](const Expr& value) {
            return [=](rtl::Block& b) { b.set(result, value); };
        };
        std::vector<std::pair<std::int64_t, rtl::Block::Body>> cases;
        for (std::size_t i = 0; i + 1 < values.size(); ++i)
            cases.emplace_back(static_cast<std::int64_t>(i), sets(values[i]));
        m_.combinational(
            [&](rtl::Block& b) { b.select(modes_.at(port), cases, sets(values.back())); });
        return result;
    }

    void registerAs(const std::string& name, const Expr& value) {
        const Expr next = m_.reg(name, value.type());
        m_.clocked(clock_, [&](rtl::Block& b) { b.set(next, value); });
        value_ = next;
    }

    void requantAndActivation(const std::string& where, const std::vector<RequantStage>& requants,
                              const std::vector<ActivationStage>& activations) {
        const bool requant = anyRequant(requants);
        const int bitsBefore = value_.width();
        if (requant) {
            shift(where, requants);
            saturate(where, requants, bitsBefore);
        }
        if (anyActivation(activations))
            activate(where, activations);
        if (requant || anyActivation(activations))
            registerAs(where + "_q", value_);
    }

    void shift(const std::string& where, const std::vector<RequantStage>& modes) {
        const int width = value_.width();
        const int bits =
            widest(modes, [&](const RequantStage& m) { return shiftedBits(m, width); });
        std::vector<Expr> values;
        for (std::size_t i = 0; i < modes.size(); ++i) {
            const RequantStage& mode = modes[i];
            if (!mode.enabled || mode.shift == 0) {
                values.push_back(value_.extended(bits));
                continue;
            }
            if (mode.shift >= width) {
                values.push_back(signedConstant(0, bits));
                continue;
            }
            const int from = shiftedBits(mode, width);
            const auto s = static_cast<int>(mode.shift);
            m_.note(cat("(x + 2^", s - 1, ") >> ", s, " = (x >> ", s, ") + bit ", s - 1, " of x"));
            const Expr high = value_.slice(s, width - s).asSigned().extended(from);
            const Expr half = value_.bit(s - 1).extended(from).asSigned();
            values.push_back(m_.wire(cat("rounded_", where, "_", i), high + half).extended(bits));
        }
        registerAs("shifted_" + where + "_q",
                   chosen("shifted_" + where, "requant_" + where, values));
    }

    /// zero + value, clamped to `to`.
    Expr clamped(const std::string& name, const RequantStage& mode) {
        const ir::ScalarInfo& to = ir::info(mode.to);
        const int out = valueBitsOf(mode.to);
        const int width = value_.width();
        const int zeroBits = bitsFor(std::max(mode.zero, -mode.zero - 1) + 1) + 1;
        const int bits = mode.zero == 0 ? width : std::max(width, zeroBits) + 1;
        const Expr sum =
            m_.wire(name + "_sum", value_.extended(bits) + signedConstant(mode.zero, bits));
        return m_.wire(name, saturated(m_, name, sum, out, to.isSigned));
    }

    /// A disabled mode's value went through the shift register unchanged.
    void saturate(const std::string& where, const std::vector<RequantStage>& modes,
                  int bitsBefore) {
        const int bits =
            widest(modes, [&](const RequantStage& m) { return valueBits(m, bitsBefore); });
        std::vector<Expr> values;
        for (std::size_t i = 0; i < modes.size(); ++i)
            values.push_back(
                (modes[i].enabled ? clamped(cat("clamped_", where, "_", i), modes[i]) : value_)
                    .resized(bits));
        value_ = chosen("requantised_" + where, "requant_" + where, values);
    }

    /// x·num >> shift by shifts and adds: multipliers belong to the rows alone.
    Expr leaky(const std::string& name, const ActivationStage& mode) {
        const auto shift = static_cast<int>(mode.shift);
        const int width = value_.width();
        Expr sum = signedConstant(0, width + shift);
        for (int k = 0; k < shift; ++k)
            if ((mode.num >> k & 1) != 0)
                sum =
                    sum + rtl::join({value_.extended(width + shift - k), rtl::zeros(k)}).asSigned();
        return m_.wire(name, sum).slice(shift, width).asSigned();
    }

    void activate(const std::string& where, const std::vector<ActivationStage>& modes) {
        const Expr negative = value_.bit(value_.width() - 1);
        std::vector<Expr> values;
        for (std::size_t i = 0; i < modes.size(); ++i) {
            if (modes[i].kind == ActivationStage::Kind::None)
                values.push_back(value_);
            else if (modes[i].kind == ActivationStage::Kind::Relu)
                values.push_back(choose(negative, constantLike(value_, 0), value_));
            else
                values.push_back(
                    choose(negative, leaky(cat("leaky_", where, "_", i), modes[i]), value_));
        }
        value_ = chosen("activated_" + where, "activation_" + where, values);
    }

    void add() {
        const int bits = std::min(32, std::max(value_.width(), plan_.addendBits) + 1);
        const Expr alone = value_.extended(bits);
        const Expr sum = alone + addend_.extended(bits);
        registerAs("added_q", unit_.addsAlways ? sum : choose(modes_.at("adds"), sum, alone));
    }

    void pool() {
        const int width = value_.width();
        const int grown = width + bitsFor(unit_.largestPool * unit_.largestPool);
        const int bits = unit_.poolsSum ? std::min(32, grown) : width;
        const Expr in = m_.wire("pool_in", value_.extended(bits));
        const Expr pooled = m_.reg("pooled_q", signedBits(bits));
        value_ = pooled;
        if (poolIndexBits() > 0)
            return poolInParts(in);
        m_.clocked(clock_, [&](rtl::Block& b) {
            b.when(poolValid_, [&](rtl::Block& then) {
                then.set(pooled, choose(poolFirst_, in, both(in, pooled)));
            });
        });
    }

    /// What two elements of a window give.
    Expr both(const Expr& in, const Expr& before) {
        const Expr max = choose(in > before, in, before);
        const Expr sum = before + in;
        return unit_.poolsMax && unit_.poolsSum ? choose(modes_.at("pool_sum"), sum, max)
               : unit_.poolsSum                 ? sum
                                                : max;
    }

    /// Several windows are open at a time: a stream comes row by row, so each column of windows
    /// keeps what it has, and groups of rows come one after the other.
    void poolInParts(const Expr& in) {
        const Expr pooled = value_;
        const rtl::Memory windows =
            m_.memory("windows", in.type(), std::int64_t{1} << poolIndexBits());
        const Expr before = m_.wire("pooled_before", windows[poolIndex_]);
        const Expr next = m_.wire("pooled_next", choose(poolFirst_, in, both(in, before)));
        m_.clocked(clock_, [&](rtl::Block& b) {
            b.when(poolValid_, [&](rtl::Block& then) {
                then.set(windows[poolIndex_], next);
                then.set(pooled, next);
            });
        });
    }

    int poolIndexBits() const {
        return unit_.stream ? unit_.stream->poolIndexBits() : unit_.serialBits();
    }

    const UnitPlan& unit_;
    const EpiloguePlan& plan_;
    rtl::Module m_;
    Expr clock_, addend_, poolValid_, poolFirst_, poolIndex_, y_;
    std::map<std::string, Expr> modes_;
    Expr value_;
};

} // namespace

int addendBits(ir::Scalar scalar) {
    return valueBitsOf(scalar);
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
    const bool sums = unit.reduces() && unit.laneFunction != design::LaneFunction::Max;
    p.inputBits = unit.pass && !sums ? unit.operandBits + (unit.operandSigned ? 0 : 1) : 32;
    for (const AddendSource& source : unit.addends)
        p.addendBits = std::max(p.addendBits, valueBitsOf(source.scalar));
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
    if (unit.writeBack)
        add("addition", unit.writeBack->additions.size(), &StepPlan::addition);
    else if (unit.adds && !unit.addsAlways)
        ports.push_back({"adds", 1, nullptr});
    if (unit.poolsMax && unit.poolsSum)
        ports.push_back({"pool_sum", 1, nullptr});
    add("requant_after", unit.requantsAfter.size(), &StepPlan::requantAfter);
    add("activation_after", unit.activationsAfter.size(), &StepPlan::activationAfter);
    return ports;
}

std::vector<ModePort> controlModes(const UnitPlan& unit) {
    std::vector<ModePort> modes = modePorts(unit);
    const auto values = static_cast<std::int64_t>(unit.padValues.size());
    if (values > 1)
        modes.push_back({"pad_value", bitsFor(values), &StepPlan::padMode});
    return modes;
}

rtl::ModulePtr epilogueModule(const UnitPlan& unit) {
    const EpiloguePlan plan = planEpilogue(unit);
    return LaneBuilder(unit, plan).build();
}

} // namespace marquetry::hdl
