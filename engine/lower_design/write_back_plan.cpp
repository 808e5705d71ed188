#include "engine/lower_design/write_back_plan.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

/// What changes nothing.
design::RequantStage unchanged() {
    design::RequantStage stage;
    stage.enabled = true;
    stage.to = ir::Scalar::I32;
    stage.round = ir::Rounding::Down;
    return stage;
}

/// What a mode says of a stage whose numbers the memory has.
design::RequantStage withoutNumbers(const design::RequantStage& stage) {
    design::RequantStage mode = unchanged();
    if (!stage.enabled)
        return mode;
    mode.zero = stage.zero;
    mode.to = stage.to;
    mode.round = stage.round;
    mode.tie = stage.tie;
    return mode;
}

/// Which weight a table is does not matter any more.
design::ActivationStage withoutWeight(design::ActivationStage stage) {
    if (stage.table)
        stage.table = design::LookUp{ir::ValueId(0), true};
    return stage;
}

AddMode addModeOf(const design::Epilogue& e) {
    if (e.weightedAdd.enabled)
        return {AddMode::Kind::Weighted, e.weightedAdd, e.addendMul};
    return {e.addend ? AddMode::Kind::Sum : AddMode::Kind::None, unchanged(), e.addend ? 1 : 0};
}

template <class T>
std::size_t placeEqual(std::vector<T>& list, const T& item) {
    const auto found = std::ranges::find(list, item);
    const auto at = static_cast<std::size_t>(found - list.begin());
    if (found == list.end())
        list.push_back(item);
    return at;
}

/// The binary digits of fields, the first of them in the lowest bits, as hex digits.
class HexWord {
public:
    void append(std::int64_t value, int bits) {
        for (int k = 0; k < bits; ++k)
            bits_.push_back((static_cast<std::uint64_t>(value) >> std::min(k, 63) & 1) != 0);
    }

    std::string text() const {
        std::string digits;
        for (std::size_t low = 0; low < bits_.size(); low += 4) {
            unsigned digit = 0;
            for (std::size_t k = 0; k < 4 && low + k < bits_.size(); ++k)
                digit |= bits_[low + k] ? 1U << k : 0U;
            digits += "0123456789abcdef"[digit];
        }
        return {digits.rbegin(), digits.rend()};
    }

private:
    std::vector<bool> bits_;
};

} // namespace

WriteBackPlan planWriteBack(const design::ScheduleUnit& unit) {
    WriteBackPlan plan;
    plan.form = unit.writeBack->form;
    plan.words = unit.writeBack->words;
    plan.addressBits = bitsFor(plan.words);
    plan.tables = std::ssize(unit.writeBack->tables);
    return plan;
}

void planScaledModes(const design::Epilogue& e, UnitPlan& unit, StepPlan& p) {
    p.requantBefore = placeEqual(unit.requantsBefore, withoutNumbers(e.requantBefore));
    p.activationBefore = placeEqual(unit.activationsBefore, withoutWeight(e.activationBefore));
    p.addition = placeEqual(unit.writeBack->additions, addModeOf(e));
    p.requantAfter =
        placeEqual(unit.requantsAfter, e.requantAfter.enabled ? e.requantAfter : unchanged());
    p.activationAfter = placeEqual(unit.activationsAfter, withoutWeight(e.activationAfter));
}

void planScales(const design::ComputeStep& step, const UnitPlan& unit, StepPlan& plan) {
    if (!unit.writeBack)
        return;
    PerLevel strides{};
    strides[blockLevel(step)] = unit.groups;
    plan.scale = affine(step.scaleBase * unit.groups, strides, plan.bounds);
}

std::string scaleText(const UnitPlan& unit, const std::vector<design::ScaleFields>& packed) {
    const cost::WriteBackForm& form = unit.writeBack->form;
    std::string text;
    for (std::size_t first = 0; first < packed.size();
         first += static_cast<std::size_t>(unit.writeLanes)) {
        HexWord word;
        for (std::int64_t lane = 0; lane < unit.writeLanes; ++lane) {
            const design::ScaleFields& fields = packed[first + static_cast<std::size_t>(lane)];
            word.append(fields.bias, form.biasBits);
            word.append(fields.mul, form.mulBits);
            word.append(fields.add, form.addBits);
            word.append(fields.shift - form.leastShift, form.shiftBits);
        }
        text += word.text() + "\n";
    }
    return text;
}

std::string tableText(const UnitPlan& unit, const std::vector<std::int64_t>& packed) {
    std::string text;
    for (const std::int64_t entry : packed) {
        HexWord word;
        word.append(entry, unit.writeBack->form.tableBits);
        text += word.text() + "\n";
    }
    return text;
}

} // namespace marquetry::hdl
