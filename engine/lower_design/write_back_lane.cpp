#include "engine/lower_design/write_back_lane.h"

#include "engine/cost/call_timing.h"
#include "engine/cost/write_back.h"
#include "engine/lower_design/design_modules.h"
#include "engine/lower_design/lane_pipe.h"
#include "engine/lower_design/rounding_pipe.h"

#include <algorithm>

namespace marquetry::hdl {

using design::ActivationStage;
using design::RequantStage;
using rtl::Expr;

namespace {

using Kind = ActivationStage::Kind;

class LaneBuilder {
public:
    LaneBuilder(const UnitPlan& unit, int addendBits, SharedText tables)
        : unit_(unit),
          form_(unit.writeBack->form),
          plan_(*unit.writeBack),
          addendBits_(addendBits),
          tables_(std::move(tables)),
          m_(unit.module + "_lane"),
          clock_(m_.input("aclk")),
          pipe_(m_, clock_) {}

    WriteBackLane build() && {
        m_.comment(
            cat("Write-back of one lane of ", unit_.name, ": bias, multiplication, rounding"));
        m_.comment("and saturation, activation, addition, pool, and again what comes behind them.");
        x_ = {m_.input("x", rtl::signedBits(form_.sumBits)), 0};
        m_.lint("lint_off UNUSEDSIGNAL");
        takeFields();
        before();
        addition();
        pool();
        after();
        ENGINE_ASSERT(x_.clock <= cost::kScaledStages - 2,
                      "a lane is as fast as it was said to be");
        const Expr y = m_.output("y", rtl::bits(unit_.resultBits));
        m_.assign(y, x_.value.resized(unit_.resultBits));
        m_.lint("lint_on UNUSEDSIGNAL");
        lane_.stages = x_.clock;
        m_.comment(cat("Cycles: latency ", lane_.stages, ", one value per clock. Resources: ",
                       "up to ", cost::laneDsp(form_), " multipliers."));
        lane_.module = finished(std::move(m_));
        return std::move(lane_);
    }

private:
    /// From the lowest bits up, as scaleText writes them.
    void takeFields() {
        if (form_.fieldBits() == 0)
            return;
        const Expr fields = m_.input("fields", rtl::bits(form_.fieldBits()));
        int low = 0;
        const auto take = [&](const char* name, int width) {
            const Expr field = width > 0 ? m_.wire(name, fields.slice(low, width)) : Expr();
            low += width;
            return field;
        };
        bias_ = take("bias", form_.biasBits);
        mul_ = take("mul", form_.mulBits);
        add_ = take("addend_of_product", form_.addBits);
        shift_ = {take("shift", form_.shiftBits), 0};
    }

    /// A number by the mode that `mode` counts.
    Expr byMode(const std::string& mode, const std::string& name, int width,
                const std::vector<std::int64_t>& values) {
        if (std::ranges::all_of(values, [&](std::int64_t v) { return v == values.front(); }))
            return rtl::constant(values.front(), width);
        const auto known = std::ranges::find(lane_.numbers, name, &ModeNumber::name);
        if (known != lane_.numbers.end())
            return ports_[static_cast<std::size_t>(known - lane_.numbers.begin())];
        lane_.numbers.push_back({name, width, mode, values});
        ports_.push_back(m_.input(name, rtl::bits(width)));
        return ports_.back();
    }

    template <class Modes, class Of>
    static std::vector<std::int64_t> each(const Modes& modes, const Of& of) {
        std::vector<std::int64_t> values;
        for (const auto& mode : modes)
            values.push_back(static_cast<std::int64_t>(of(mode)));
        return values;
    }

    /// The shifts of modes with a number for all channels, as a field.
    void roundAfter(const std::string& port, const std::vector<RequantStage>& stages,
                    const std::vector<bool>& wraps) {
        const auto shifts = each(stages, [](const auto& s) { return s.shift; });
        const auto [least, most] = std::ranges::minmax(shifts);
        const int bits = least == most ? 0 : bitsFor(most - least + 1);
        const auto fields = each(stages, [&, low = least](const auto& s) { return s.shift - low; });
        const Expr shift = bits > 0 ? byMode(port, port + "_shift", bits, fields) : Expr();
        round(port, stages, wraps, {static_cast<int>(least), static_cast<int>(most)},
              {shift, 0, true});
    }

    void round(const std::string& port, const std::vector<RequantStage>& stages,
               const std::vector<bool>& wraps, std::pair<int, int> shifts, const Timed& shift) {
        RoundingModes modes;
        modes.name = port;
        modes.modes = stages;
        modes.wraps = wraps;
        modes.leastShift = shifts.first;
        modes.mostShift = shifts.second;
        modes.byMode = [this, port](const std::string& name, int width,
                                    const std::vector<std::int64_t>& values) {
            return byMode(port, name, width, values);
        };
        x_ = rounded(pipe_, modes, x_, shift);
    }

    void plus(const std::string& name, const Timed& number) {
        const int bits = std::max(x_.value.width(), number.value.width()) + 1;
        const Expr other = pipe_.at(number, x_.clock);
        x_ = pipe_.registered(name, x_.value.extended(bits) + other.extended(bits), x_.clock);
    }

    void before() {
        if (form_.biasBits > 0) {
            const int bits = form_.sumBits;
            // The bias comes out of a block RAM, which is most of a clock.
            x_ = pipe_.registered("entered", x_.value, 0);
            const Expr bias = pipe_.at({bias_.asSigned(), 0}, x_.clock);
            const Expr same =
                bias.width() > bits ? bias.slice(0, bits).asSigned() : bias.extended(bits);
            x_ = pipe_.registered("biased", x_.value + same, x_.clock);
        }
        if (form_.mulBits > 0)
            x_ = pipe_.product("scaled", x_, {m_.wire("factor", mul_.asSigned()), 0});
        if (form_.addBits > 0)
            plus("scaled_sum", {m_.wire("product_addend", add_.asSigned()), 0});
        const auto& modes = unit_.requantsBefore;
        const RequantStage none = modes.front();
        const bool trivial = modes.size() == 1 && none.to == ir::Scalar::I32 && none.zero == 0 &&
                             form_.mostShift == 0 && form_.mulBits == 0 && form_.addBits == 0;
        if (!trivial)
            round("requant_before", modes, std::vector<bool>(modes.size(), false),
                  {form_.leastShift, form_.mostShift}, shift_);
        activate("before", unit_.activationsBefore);
        if (x_.clock == 0 && unit_.adds)
            x_ = pipe_.registered("entered", x_.value, 0);
    }

    void addition() {
        lane_.beforeAdd = x_.clock;
        if (!unit_.adds)
            return;
        const Timed addend{m_.input("addend", rtl::signedBits(addendBits_)), x_.clock};
        const auto& modes = plan_.additions;
        const bool weighted = std::ranges::any_of(
            modes, [](const AddMode& mode) { return mode.kind == AddMode::Kind::Weighted; });
        if (weighted)
            return weightedAddition(addend);
        const int bits = std::min(32, std::max(x_.value.width(), addendBits_) + 1);
        const Expr adds =
            byMode("addition", "addition_adds", 1,
                   each(modes, [](const AddMode& m) { return m.kind != AddMode::Kind::None; }));
        const Expr other = addend.value.extended(bits);
        const Expr alone = x_.value.extended(bits);
        x_ = pipe_.registered("added", choose(adds, alone + other, alone), x_.clock);
    }

    /// 0 in calls that add nothing: there is nothing at the address, which simulators know.
    Expr addedOnly(const Expr& addend, const Expr& factor, const std::vector<AddMode>& modes) {
        const Expr given = resized(addend, form_.addendBits);
        const bool always =
            std::ranges::all_of(modes, [](const AddMode& mode) { return mode.addendMul != 0; });
        return always ? given
                      : choose(factor == 0, rtl::signedConstant(0, form_.addendBits), given);
    }

    void weightedAddition(const Timed& addend) {
        const auto& modes = plan_.additions;
        const auto factor = [&](const std::string& name, int width, const auto& of) {
            const Expr number = byMode("addition", name, width, each(modes, of));
            return Timed{m_.wire(name, number.asSigned()), 0, true};
        };
        const Timed mul = factor("addition_mul", form_.valueMulBits,
                                 [](const AddMode& mode) { return mode.stage.mul; });
        const Timed other = factor("addition_addend_mul", form_.addendMulBits,
                                   [](const AddMode& mode) { return mode.addendMul; });
        const Timed value{m_.wire("value_to_add", resized(x_.value, form_.valueBits)), x_.clock};
        const Timed stored{m_.wire("stored_to_add", addedOnly(addend.value, other.value, modes)),
                           addend.clock};
        const Timed a = pipe_.product("value_scaled", value, mul);
        const Timed b = pipe_.product("addend_scaled", stored, other);
        const int begin = std::max(a.clock, b.clock);
        const int bits = std::max(a.value.width(), b.value.width()) + 1;
        x_ = pipe_.registered("weighted",
                              pipe_.at(a, begin).extended(bits) + pipe_.at(b, begin).extended(bits),
                              begin);
        std::vector<RequantStage> stages;
        std::vector<bool> wraps;
        for (const AddMode& mode : modes) {
            stages.push_back(mode.stage);
            wraps.push_back(mode.kind == AddMode::Kind::Sum);
        }
        addNumber("addition", stages);
        roundAfter("addition", stages, wraps);
    }

    static Expr resized(const Expr& value, int bits) {
        return value.width() > bits ? value.slice(0, bits).asSigned() : value.extended(bits);
    }

    void addNumber(const std::string& port, const std::vector<RequantStage>& stages) {
        const auto adds = each(stages, [](const auto& s) { return s.add; });
        if (std::ranges::any_of(adds, [](std::int64_t add) { return add != 0; }))
            plus(port + "_sum", {byMode(port, port + "_add", 32, adds).asSigned(), 0, true});
    }

    void pool() {
        lane_.beforePool = x_.clock;
        if (!unit_.poolsMax && !unit_.poolsSum)
            return;
        const Expr valid = m_.input("pool_valid");
        const Expr first = m_.input("pool_first");
        const int width = x_.value.width();
        const int grown = width + bitsFor(unit_.largestPool * unit_.largestPool);
        const int bits = unit_.poolsSum ? std::min(32, grown) : width;
        const Expr in = m_.wire("pool_in", x_.value.extended(bits));
        const Expr pooled = m_.reg("pooled_q", rtl::signedBits(bits));
        std::optional<rtl::Memory> groups;
        Expr index;
        if (unit_.serial()) {
            index = m_.input("pool_index", rtl::bits(unit_.serialBits()));
            groups = m_.memory("pooled", in.type(), std::int64_t{1} << unit_.serialBits());
        }
        const Expr so = m_.wire("pooled_before", groups ? (*groups)[index] : pooled);
        const Expr max = choose(in > so, in, so);
        const Expr sum = so + in;
        const Expr more = !unit_.poolsSum ? max
                          : unit_.poolsMax
                              ? choose(byMode("pool_sum", "pool_sums", 1, {0, 1}), sum, max)
                              : sum;
        const Expr next = m_.wire("pooled_next", choose(first, in, more));
        m_.clocked(clock_, [&](rtl::Block& b) {
            b.when(valid, [&](rtl::Block& then) {
                then.set(pooled, next);
                if (groups)
                    then.set((*groups)[index], next);
            });
        });
        x_ = {pooled, x_.clock + 1};
    }

    void after() {
        const auto& modes = unit_.requantsAfter;
        const bool none = modes.size() == 1 && modes.front().to == ir::Scalar::I32 &&
                          modes.front().mul == 1 && modes.front().shift == 0 &&
                          modes.front().add == 0 && modes.front().zero == 0;
        const auto muls = each(modes, [](const auto& s) { return s.mul; });
        if (std::ranges::any_of(muls, [](std::int64_t mul) { return mul != 1; })) {
            const Expr number = byMode("requant_after", "after_mul", form_.afterMulBits, muls);
            const Timed factor{m_.wire("after_factor", number.asSigned()), 0, true};
            const Timed value{m_.wire("value_behind", resized(x_.value, form_.afterBits)),
                              x_.clock};
            x_ = pipe_.product("after", value, factor);
        }
        if (!none) {
            addNumber("requant_after", modes);
            roundAfter("requant_after", modes, std::vector<bool>(modes.size(), false));
        }
        activate("after", unit_.activationsAfter);
    }

    void activate(const std::string& where, const std::vector<ActivationStage>& modes) {
        if (std::ranges::all_of(modes, [](const auto& m) { return m.kind == Kind::None; }))
            return;
        const std::string port = "activation_" + where;
        const auto isKind = [&](const char* what, Kind kind) {
            return byMode(port, cat(port, "_", what), 1,
                          each(modes, [kind](const auto& m) { return m.kind == kind; }));
        };
        const auto has = [&](Kind kind) {
            return std::ranges::any_of(modes, [kind](const auto& m) { return m.kind == kind; });
        };
        const Timed in = x_;
        Expr result = in.value;
        if (has(Kind::Clip))
            result = choose(isKind("clips", Kind::Clip), clipped(where, modes), result);
        if (has(Kind::Relu))
            result = choose(isKind("is_relu", Kind::Relu) & in.value.bit(in.value.width() - 1),
                            constantLike(in.value, 0), result);
        for (std::size_t k = 0; k < modes.size(); ++k)
            if (modes[k].kind == Kind::Leaky)
                result = choose(isMode(port, k, modes.size()) & in.value.bit(in.value.width() - 1),
                                leaky(cat("leaky_", where, "_", k), modes[k]), result);
        x_ = pipe_.registered("activated_" + where, result, in.clock);
        if (has(Kind::Table))
            lookUp(where, modes, in, isKind("looks_up", Kind::Table));
    }

    Expr isMode(const std::string& port, std::size_t mode, std::size_t count) {
        std::vector<std::int64_t> is(count, 0);
        is[mode] = 1;
        return byMode(port, cat(port, "_is_", mode), 1, is);
    }

    Expr clipped(const std::string& where, const std::vector<ActivationStage>& modes) {
        const int bits = x_.value.width();
        const std::string port = "activation_" + where;
        const std::int64_t most = (std::int64_t{1} << (std::min(bits, 33) - 1)) - 1;
        const auto bound = [&](const char* name, const auto& of) {
            const auto values = each(modes, [&](const auto& m) {
                return m.kind == Kind::Clip ? std::clamp(of(m), -most - 1, most) : 0;
            });
            return m_.wire(cat(port, "_", name, "_now"),
                           byMode(port, cat(port, "_", name), bits, values).asSigned());
        };
        const Expr lo = bound("lo", [](const auto& m) { return m.lo; });
        const Expr hi = bound("hi", [](const auto& m) { return m.hi; });
        return choose(x_.value < lo, lo, choose(x_.value > hi, hi, x_.value));
    }

    /// x·num >> shift by shifts and adds.
    Expr leaky(const std::string& name, const ActivationStage& mode) {
        const auto shift = static_cast<int>(mode.shift);
        const int width = x_.value.width();
        Expr sum = rtl::signedConstant(0, width + shift);
        for (int k = 0; k < shift; ++k)
            if ((mode.num >> k & 1) != 0)
                sum = sum +
                      rtl::join({x_.value.extended(width + shift - k), rtl::zeros(k)}).asSigned();
        return m_.wire(name, sum).slice(shift, width).asSigned();
    }

    /// A memory of all tables of the unit; what is not looked up passes beside it.
    void lookUp(const std::string& where, const std::vector<ActivationStage>& modes,
                const Timed& in, const Expr& looksUp) {
        const bool several = plan_.tables > 1;
        const Expr table =
            several ? byMode("activation_" + where, "table_" + where, bitsFor(plan_.tables),
                             each(modes, [](const auto& m) { return m.tableIndex; }))
                    : Expr();
        const Expr low = m_.wire("looked_up_" + where, in.value.resized(8).asUnsigned());
        const rtl::Memory entries = m_.memory("table_of_" + where, rtl::bits(form_.tableBits),
                                              256 * plan_.tables, rtl::RamStyle::BlockRom);
        m_.fill(entries, tables_);
        const Expr found = m_.reg("found_" + where, rtl::bits(form_.tableBits));
        m_.clocked(clock_, [&](rtl::Block& b) { b.set(found, entries[rtl::join({table, low})]); });
        const int bits = std::max(x_.value.width(), form_.tableBits);
        const Expr entry = found.asSigned().extended(bits);
        x_ = pipe_.registered("with_table_" + where,
                              choose(looksUp, entry, x_.value.extended(bits)), x_.clock);
    }

    const UnitPlan& unit_;
    const cost::WriteBackForm& form_;
    const WriteBackPlan& plan_;
    int addendBits_;
    SharedText tables_;
    rtl::Module m_;
    Expr clock_;
    LanePipe pipe_;
    WriteBackLane lane_;
    std::vector<Expr> ports_; ///< of the lane's numbers
    Timed x_;
    Expr bias_, mul_, add_;
    Timed shift_;
};

} // namespace

WriteBackLane writeBackLane(const UnitPlan& unit, int addendBits, SharedText tables) {
    return LaneBuilder(unit, addendBits, std::move(tables)).build();
}

} // namespace marquetry::hdl
