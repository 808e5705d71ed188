#include "engine/hdl/modules.h"

#include "engine/hdl/sequencer_control.h"
#include "engine/hdl/step_table.h"
#include "engine/support/assert.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>

namespace marquetry::hdl {

namespace {

constexpr const char* kLevelNames[kLevels] = {"block", "py", "px", "wy", "wx", "ky", "kx", "word"};

struct Register {
    std::string name;
    int width = 1;
    Affine StepPlan::*form = nullptr;
};

/// A comment for every step, or (follower) for the step that comes after it.
std::vector<std::string> stepComments(const RtlPlan& plan, bool follower) {
    std::vector<std::string> comments;
    for (std::size_t i = 0; i < plan.stepNames.size(); ++i) {
        const std::size_t at = std::min(i + (follower ? 1 : 0), plan.stepNames.size() - 1);
        comments.push_back(cat(plan.stepNames[at], ", ", plan.stepCycles[at], " cycles"));
    }
    return comments;
}

/// The sequencer of all steps but those that are joined to another, or (follower) of those.
class SequencerWriter {
public:
    SequencerWriter(const RtlPlan& plan, bool follower)
        : plan_(plan), follower_(follower), table_(plan.stepBits, stepComments(plan, follower)) {
        std::ranges::copy_if(plan.computes, std::back_inserter(computes_),
                             [&](const StepPlan& p) { return p.follows == follower; });
        for (const UnitPlan& unit : plan.units)
            if (follower ? unit.follows : unit.leads)
                units_.push_back(&unit);
    }

    Module write() {
        m_.name = plan_.name + (follower_ ? "_follower" : "_sequencer");
        comment();
        collectLevels();
        ports();
        tables();
        if (!computes_.empty()) {
            nest();
            registers();
            outputs();
        }
        const ControlWidths widths{drainBits_, followBits_};
        if (follower_)
            followerControl(body_, widths);
        else
            leaderControl(body_, plan_, widths, !computes_.empty());
        m_.body = body_.text();
        return m_;
    }

private:
    using Value = std::function<std::optional<std::int64_t>(const StepPlan&)>;

    void comment() {
        if (follower_) {
            m_.comment = {"Follower: the sequencer of the steps that are joined to the step before",
                          "them. `follow` starts the one that is joined to step `step`.",
                          "Resources: counters, adders and constants; no DSP, no RAM."};
            return;
        }
        m_.comment = {
            "Sequencer: runs the steps of the schedule one after another.",
            "A compute step is a nest of counters, outermost first: row block, pooled",
            "pixel (y, x), pool window (y, x), kernel (y, x), word. Addresses are registers",
            "to which the constant of the advancing level is added.",
            cat("Cycles: ", plan_.cycles, " from start to done, ", plan_.stepNames.size(),
                " steps."),
            "Resources: counters, adders and constants; no DSP, no RAM."};
        if (plan_.joins)
            m_.comment.push_back(
                "A step that is joined to the one before it is started by it, at a fixed clock.");
    }

    void port(Direction direction, int width, const std::string& name) {
        m_.ports.push_back({direction, width, name});
    }

    void ports() {
        port(Direction::Input, 1, "aclk");
        port(Direction::Input, 1, "aresetn");
        if (follower_)
            followerPorts();
        else
            leaderPorts();
        if (computes_.empty())
            return;
        port(Direction::Input, 1, "result_valid");
        port(Direction::Output, 1, "issue");
        port(Direction::Output, plan_.unitBits, "unit");
        if (plan_.choosesInput)
            port(Direction::Output, plan_.slotBits, "in_slot");
        port(Direction::Output, plan_.slotBits, "out_slot");
        port(Direction::OutputReg, plan_.inputBits, "in_address");
        port(Direction::OutputReg, plan_.outBits, "out_address");
        if (plan_.multiplies)
            port(Direction::OutputReg, plan_.weightBits, "weight_address");
        if (plan_.multiplies || plan_.streams)
            port(Direction::Output, 1, "first");
        if (plan_.multiplies)
            port(Direction::Output, 1, "last");
        if (plan_.pads)
            port(Direction::Output, 1, "outside");
        if (plan_.pools) {
            port(Direction::Output, 1, "pool_first");
            port(Direction::Output, 1, "pool_last");
        }
        if (plan_.adds)
            port(Direction::OutputReg, plan_.addendBits, "addend_address");
        if (plan_.choosesAddend) {
            port(Direction::Output, plan_.slotBits, "add_slot");
            port(Direction::Output, 1, "adding");
        }
        for (const UnitPlan* unit : units_)
            for (const ModePort& mode : modePorts(*unit))
                port(Direction::Output, mode.width, unit->name + "_" + mode.name);
        for (const UnitPlan* unit : units_)
            if (unit->addends.size() > 1)
                port(Direction::Output, addendSourceBits(*unit), unit->name + "_addend_source");
    }

    void leaderPorts() {
        port(Direction::Input, 1, "start");
        port(Direction::Input, 1, "stream_advance");
        port(Direction::Input, 1, "stream_finished");
        port(Direction::OutputReg, plan_.stepBits, "step");
        port(Direction::Output, 1, "busy");
        port(Direction::OutputReg, 1, "done");
        port(Direction::OutputReg, 64, "cycles");
        port(Direction::Output, 1, "setup");
        port(Direction::Output, 1, "run");
        if (!plan_.joins)
            return;
        port(Direction::Output, 1, "follow");
        port(Direction::Input, 1, "follow_finished");
    }

    void followerPorts() {
        port(Direction::Input, 1, "follow");
        port(Direction::Input, plan_.stepBits, "step");
        port(Direction::Output, 1, "active");
        port(Direction::Output, 1, "finished");
    }

    void collectLevels() {
        for (std::size_t level = 0; level < kLevels; ++level)
            for (const StepPlan& p : computes_)
                if (p.bounds[level] > 1 && (levels_.empty() || levels_.back() != level))
                    levels_.push_back(level);
        if (levels_.empty())
            levels_.push_back(Word);
        for (const std::size_t level : levels_) {
            std::int64_t most = 1;
            for (const StepPlan& p : computes_)
                most = std::max(most, p.bounds[level]);
            counterBits_[level] = bitsFor(most);
        }
        registers_ = {{"in_address", plan_.inputBits, &StepPlan::input}};
        if (plan_.pads) {
            registers_.push_back({"row", plan_.rowBits, &StepPlan::row});
            registers_.push_back({"column", plan_.columnBits, &StepPlan::column});
        }
        if (plan_.multiplies)
            registers_.push_back({"weight_address", plan_.weightBits, &StepPlan::weight});
        if (plan_.adds)
            registers_.push_back({"addend_address", plan_.addendBits, &StepPlan::addend});
    }

    void perCompute(const std::string& name, int width, const Value& value) {
        std::vector<std::optional<std::int64_t>> values(plan_.stepNames.size());
        for (const StepPlan& p : computes_)
            values[rowOf(p)] = value(p);
        table_.add(name, width, values);
    }

    /// A follower looks up its step by the one that it follows.
    std::size_t rowOf(const StepPlan& p) const { return p.step - (follower_ ? 1 : 0); }

    /// A constant that only the steps of some kind of register read.
    bool reads(const Register& r, const StepPlan& p) const {
        if (r.form == &StepPlan::weight)
            return plan_.units[p.unit].multiplies();
        return r.form != &StepPlan::addend || p.addSlot.has_value();
    }

    void tables() {
        std::vector<std::optional<std::int64_t>> drains(plan_.stepNames.size());
        for (const StepPlan& p : computes_) {
            drains[rowOf(p)] = p.drain - 1;
            drainBits_ = std::max(drainBits_, bitsFor(p.drain));
        }
        if (!follower_)
            leaderTables(drains);
        table_.add("drain", drainBits_, drains);
        if (!computes_.empty())
            computeTables();
        table_.write(body_);
    }

    void leaderTables(std::vector<std::optional<std::int64_t>>& drains) {
        std::vector<std::optional<std::int64_t>> computes(plan_.stepNames.size(), 0);
        std::vector<std::optional<std::int64_t>> stores(plan_.stepNames.size(), 0);
        std::vector<std::optional<std::int64_t>> follows(plan_.stepNames.size(), 0);
        for (const StreamPlan& load : plan_.loads)
            drains[load.step] = 0;
        for (const StreamPlan& store : plan_.stores)
            stores[store.step] = 1;
        for (const StepPlan& p : computes_) {
            computes[p.step] = 1;
            follows[p.step] = p.followedAfter.value_or(0);
            followBits_ = std::max(followBits_, bitsFor(p.followedAfter.value_or(0) + 1));
        }
        table_.add("is_compute", 1, computes);
        table_.add("is_store", 1, stores);
        if (plan_.joins)
            table_.add("followed_after", followBits_, follows);
    }

    void computeTables() {
        const auto of = [](auto member) {
            return [member](const StepPlan& p) -> std::optional<std::int64_t> {
                return static_cast<std::int64_t>(p.*member);
            };
        };
        perCompute("of_unit", plan_.unitBits, of(&StepPlan::unit));
        if (plan_.choosesInput)
            perCompute("of_in_slot", plan_.slotBits, of(&StepPlan::inSlot));
        perCompute("of_out_slot", plan_.slotBits, of(&StepPlan::outSlot));
        for (const std::size_t level : levels_)
            perCompute(cat(kLevelNames[level], "_end"), counterBits_[level],
                       [level](const StepPlan& p) { return p.bounds[level] - 1; });
        for (const Register& r : registers_)
            registerTables(r);
        if (plan_.pads) {
            perCompute("in_height", plan_.rowBits, of(&StepPlan::inHeight));
            perCompute("in_width", plan_.columnBits, of(&StepPlan::inWidth));
        }
        for (const StepPlan& p : computes_)
            outPixelBits_ = std::max(outPixelBits_, bitsFor(p.outLast + 1));
        perCompute("out_start", plan_.outBits, of(&StepPlan::outStart));
        perCompute("out_pixel_step", plan_.outBits, of(&StepPlan::outPixel));
        perCompute("out_block_step", plan_.outBits, of(&StepPlan::outBlock));
        perCompute("out_pixel_end", outPixelBits_, of(&StepPlan::outLast));
        if (plan_.choosesAddend)
            addendTables();
        for (const UnitPlan* unit : units_)
            for (const ModePort& mode : modePorts(*unit))
                modeTable(*unit, mode);
        for (const UnitPlan* unit : units_)
            addendSourceTable(*unit);
    }

    bool runsOn(const StepPlan& p, const UnitPlan& unit) const {
        return &plan_.units[p.unit] == &unit;
    }

    void addendSourceTable(const UnitPlan& u) {
        if (u.addends.size() < 2)
            return;
        perCompute("of_" + u.name + "_addend_source", addendSourceBits(u), [&](const StepPlan& p) {
            return runsOn(p, u) && p.addSlot
                       ? std::optional(static_cast<std::int64_t>(p.addendMode))
                       : std::nullopt;
        });
    }

    void registerTables(const Register& r) {
        perCompute(r.name + "_start", r.width, [&](const StepPlan& p) {
            return reads(r, p) ? std::optional((p.*r.form).start) : std::nullopt;
        });
        for (const std::size_t level : levels_)
            perCompute(cat(r.name, "_", kLevelNames[level]), r.width, [&](const StepPlan& p) {
                // A level of bound 1 never advances: its constant does not matter.
                const bool matters = reads(r, p) && p.bounds[level] > 1;
                return matters ? std::optional((p.*r.form).delta[level]) : std::nullopt;
            });
    }

    void addendTables() {
        std::vector<std::optional<std::int64_t>> slots(plan_.stepNames.size());
        std::vector<std::optional<std::int64_t>> adding(plan_.stepNames.size(), 0);
        for (const StepPlan& p : computes_)
            if (p.addSlot) {
                slots[rowOf(p)] = static_cast<std::int64_t>(*p.addSlot);
                adding[rowOf(p)] = 1;
            }
        table_.add("of_add_slot", plan_.slotBits, slots);
        table_.add("of_adding", 1, adding);
    }

    void modeTable(const UnitPlan& unit, const ModePort& mode) {
        perCompute("of_" + unit.name + "_" + mode.name, mode.width,
                   [&](const StepPlan& p) -> std::optional<std::int64_t> {
                       if (!runsOn(p, unit))
                           return std::nullopt;
                       if (mode.value)
                           return static_cast<std::int64_t>(p.*mode.value);
                       return mode.name == "adds" ? p.addSlot.has_value() : p.poolSum;
                   });
    }

    void nest() {
        body_.blank();
        for (const std::size_t level : levels_) {
            const char* name = kLevelNames[level];
            body_.line("reg ", range(counterBits_[level]), name, ";");
            body_.line("wire ", name, "_last = ", name, " == ", name, "_end;");
        }
        // inner_last of a level: every loop inside it is at its end.
        body_.blank();
        std::string inner = "1'b1";
        for (std::size_t i = levels_.size(); i-- > 0;) {
            const char* name = kLevelNames[levels_[i]];
            body_.line("wire ", name, "_step = ", inner, ";");
            inner = cat(name, "_step & ", name, "_last");
        }
        body_.line("wire nest_last = ", inner, ";");
        body_.blank();
        body_.line("always @(posedge aclk) begin");
        for (const std::size_t level : levels_) {
            const char* name = kLevelNames[level];
            const int bits = counterBits_[level];
            body_.line("    if (setup)");
            body_.line("        ", name, " <= ", literal(bits, 0), ";");
            body_.line("    else if (issue & ", name, "_step)");
            body_.line("        ", name, " <= ", name, "_last ? ", literal(bits, 0), " : ", name,
                       " + ", literal(bits, 1), ";");
        }
        body_.line("end");
    }

    /// The constant of the level that advances: the innermost one not at its end.
    std::string advance(const std::string& name) const {
        std::string text;
        for (std::size_t i = levels_.size(); i-- > 1;)
            text += cat("~", kLevelNames[levels_[i]], "_last ? ", name, "_",
                        kLevelNames[levels_[i]], " :\n            ");
        return text + cat(name, "_", kLevelNames[levels_.front()]);
    }

    void registers() {
        body_.blank();
        for (const Register& r : registers_)
            if (r.name == "row" || r.name == "column")
                body_.line("reg ", range(r.width), r.name, ";");
        for (const Register& r : registers_)
            body_.line("wire ", range(r.width), r.name, "_advance =\n            ", advance(r.name),
                       ";");
        body_.line("always @(posedge aclk) begin");
        body_.line("    if (setup) begin");
        for (const Register& r : registers_)
            body_.line("        ", r.name, " <= ", r.name, "_start;");
        body_.line("    end else if (issue) begin");
        for (const Register& r : registers_)
            body_.line("        ", r.name, " <= ", r.name, " + ", r.name, "_advance;");
        body_.line("    end");
        body_.line("end");
    }

    /// "every named loop that exists is at its first / last iteration".
    std::string all(std::initializer_list<std::size_t> levels, bool last) const {
        std::string text;
        for (const std::size_t level : levels) {
            if (std::find(levels_.begin(), levels_.end(), level) == levels_.end())
                continue;
            text += text.empty() ? "" : " & ";
            text +=
                last ? cat(kLevelNames[level], "_last")
                     : cat("(", kLevelNames[level], " == ", literal(counterBits_[level], 0), ")");
        }
        return text.empty() ? "1'b1" : text;
    }

    void outputs() {
        body_.blank();
        body_.line("assign issue = run", follower_ ? "" : " & is_compute", ";");
        body_.line("assign unit = of_unit;");
        if (plan_.choosesInput)
            body_.line("assign in_slot = of_in_slot;");
        body_.line("assign out_slot = of_out_slot;");
        if (plan_.multiplies || plan_.streams)
            body_.line("assign first = ", all({Ky, Kx, Word}, false), ";");
        if (plan_.multiplies)
            body_.line("assign last = ", all({Ky, Kx, Word}, true), ";");
        if (plan_.pads)
            body_.line("assign outside = (row >= in_height) | (column >= in_width);");
        if (plan_.pools) {
            body_.line("assign pool_first = ", all({Wy, Wx}, false), ";");
            body_.line("assign pool_last = ", all({Wy, Wx}, true), ";");
        }
        if (plan_.choosesAddend) {
            body_.line("assign add_slot = of_add_slot;");
            body_.line("assign adding = of_adding;");
        }
        for (const UnitPlan* unit : units_)
            for (const ModePort& mode : modePorts(*unit))
                body_.line("assign ", unit->name, "_", mode.name, " = of_", unit->name, "_",
                           mode.name, ";");
        for (const UnitPlan* unit : units_)
            if (unit->addends.size() > 1)
                body_.line("assign ", unit->name, "_addend_source = of_", unit->name,
                           "_addend_source;");
        writeBack();
    }

    void writeBack() {
        body_.blank();
        body_.note("Write-back: results come in the order of the nest.");
        body_.line("reg ", range(outPixelBits_), "out_pixel;");
        body_.line("wire out_pixel_last = out_pixel == out_pixel_end;");
        body_.line("always @(posedge aclk) begin");
        body_.line("    if (setup) begin");
        body_.line("        out_address <= out_start;");
        body_.line("        out_pixel <= ", literal(outPixelBits_, 0), ";");
        body_.line("    end else if (result_valid) begin");
        body_.line("        out_address <= out_address + (out_pixel_last ? out_block_step : "
                   "out_pixel_step);");
        body_.line("        out_pixel <= out_pixel_last ? ", literal(outPixelBits_, 0),
                   " : out_pixel + ", literal(outPixelBits_, 1), ";");
        body_.line("    end");
        body_.line("end");
    }

    const RtlPlan& plan_;
    bool follower_;
    StepTable table_;
    std::vector<StepPlan> computes_;
    std::vector<const UnitPlan*> units_; ///< that run one of its steps
    std::vector<std::size_t> levels_;    ///< with a bound above 1 in some step, outermost first
    std::array<int, kLevels> counterBits_{};
    std::vector<Register> registers_;
    int outPixelBits_ = 1;
    int drainBits_ = 1;
    int followBits_ = 2;
    Module m_;
    Body body_;
};

} // namespace

Module sequencerModule(const RtlPlan& plan) {
    return SequencerWriter(plan, false).write();
}

Module followerModule(const RtlPlan& plan) {
    return SequencerWriter(plan, true).write();
}

} // namespace marquetry::hdl
