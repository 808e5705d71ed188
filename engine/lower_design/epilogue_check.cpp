#include "engine/lower_design/epilogue_check.h"

#include "engine/rtl/netlist.h"

namespace marquetry::hdl {

namespace {

using design::ActivationStage;
using design::RequantStage;
using Kind = ActivationStage::Kind;

constexpr std::int64_t kMaxShift = 62;

bool fits32(std::int64_t number) {
    return number >= -(std::int64_t{1} << 31) && number < std::int64_t{1} << 31;
}

bool fits(std::int64_t number, int bits) {
    const std::int64_t most = std::int64_t{1} << (bits - 1);
    return number >= -most && number < most;
}

class EpilogueChecker {
public:
    explicit EpilogueChecker(const std::string& layer) : layer_(layer) {}

    Diagnostics shifting(const design::Epilogue& e) && {
        if (e.bias || e.weightedAdd.enabled)
            refuse(": its unit adds no bias and no multiples");
        for (const RequantStage* stage : {&e.requantBefore, &e.requantAfter})
            requant(*stage);
        for (const ActivationStage* stage : {&e.activationBefore, &e.activationAfter})
            activation(*stage, false);
        return std::move(errors_);
    }

    Diagnostics scaled(const design::ComputeStep& step, const design::ScheduleUnit& unit) && {
        const design::Epilogue& e = step.epilogue;
        const cost::WriteBackForm& form = unit.writeBack->form;
        for (const RequantStage* stage : {&e.requantBefore, &e.weightedAdd, &e.requantAfter})
            numbers(*stage);
        if (e.requantAfter.muls || e.requantAfter.adds || e.requantAfter.shifts ||
            e.weightedAdd.muls || e.weightedAdd.adds || e.weightedAdd.shifts)
            refuse(": only its first requantisation has numbers for each channel");
        const bool wide =
            (e.weightedAdd.enabled && (!fits(e.weightedAdd.mul, std::max(1, form.valueMulBits)) ||
                                       !fits(e.addendMul, std::max(1, form.addendMulBits)))) ||
            (e.requantAfter.mul != 1 && !fits(e.requantAfter.mul, std::max(1, form.afterMulBits)));
        if (wide || (e.weightedAdd.enabled && !e.addend))
            refuse(": its multipliers are wider than those of its unit");
        for (const ActivationStage* stage : {&e.activationBefore, &e.activationAfter}) {
            activation(*stage, true);
            if (stage->kind == Kind::Table &&
                stage->tableIndex >= std::ssize(unit.writeBack->tables))
                refuse(": its table is none of its unit's");
        }
        return std::move(errors_);
    }

private:
    void refuse(const std::string& what, std::string hint = {}) {
        errors_.push_back(makeError("hdl-unsupported", "layer " + layer_ + what, std::move(hint)));
    }

    void numbers(const RequantStage& stage) {
        if (!stage.enabled)
            return;
        if (!storable(stage.to))
            refuse(cat(": requant to ", ir::info(stage.to).name));
        if (!fits32(stage.zero) || !fits32(stage.mul) || !fits32(stage.add))
            refuse(": requant multiplies or adds more than 32 bits");
        const bool tie = stage.tie >= 0 && stage.tie <= std::int64_t{1} << (kMaxShift - 1);
        if (stage.shift < 0 || stage.shift > kMaxShift || !tie)
            refuse(cat(": requant shifts by ", stage.shift), "the hardware shifts by 0 to 62");
    }

    void requant(const RequantStage& stage) {
        if (!stage.enabled)
            return;
        const bool simple = stage.mul == 1 && !stage.muls && !stage.adds && !stage.shifts;
        if (!simple)
            refuse(cat(": requant multiplies by ", stage.mul, ", the hardware only shifts"),
                   "use mul: 1 and fold the factor into the weights");
        if (stage.add != 0 || stage.round != ir::Rounding::Up)
            refuse(": its unit rounds half up and adds nothing");
        if (!storable(stage.to))
            refuse(cat(": requant to ", ir::info(stage.to).name));
        if (!fits32(stage.zero))
            refuse(cat(": requant adds ", stage.zero, ", the hardware takes 32 bits"));
    }

    void activation(const ActivationStage& stage, bool scales) {
        if (!scales && (stage.kind == Kind::Clip || stage.kind == Kind::Table))
            refuse(": its unit has no clip and no table");
        if (stage.kind == Kind::Clip && stage.lo > stage.hi)
            refuse(cat(": clip from ", stage.lo, " to ", stage.hi));
        if (stage.kind != Kind::Leaky)
            return;
        const bool small = stage.shift >= 0 && stage.shift <= 24 && stage.num >= 0 &&
                           stage.num < std::int64_t{1} << stage.shift;
        if (!small)
            refuse(cat(": leaky multiplies by ", stage.num, " / 2^", stage.shift),
                   "the hardware takes slopes from 0 to below 1 and shifts up to 24");
    }

    const std::string& layer_;
    Diagnostics errors_;
};

} // namespace

bool storable(ir::Scalar scalar) {
    return scalar != ir::Scalar::U32 && scalar != ir::Scalar::Bit;
}

Diagnostics whyNoEpilogue(const std::string& layer, const design::Epilogue& epilogue) {
    return EpilogueChecker(layer).shifting(epilogue);
}

Diagnostics whyNoScaledEpilogue(const design::ComputeStep& step, const design::ScheduleUnit& unit) {
    return EpilogueChecker(step.layer).scaled(step, unit);
}

} // namespace marquetry::hdl
