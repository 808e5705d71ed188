#include "engine/design/unit_area.h"

#include "engine/device/lut6.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace marquetry::design {

namespace {

constexpr int kSumBits = 32;
// LUTs of a bit, as counted on synthesised lanes.
constexpr double kRoundLuts = 0.9;
constexpr double kFitLuts = 0.3;

/// As a signed number.
int valueBits(ir::Scalar scalar) {
    return ir::info(scalar).bits + (ir::info(scalar).isSigned ? 0 : 1);
}

/// The calls of a unit, as its lanes see them.
class LaneStages {
public:
    LaneStages(const Schedule& schedule, const ScheduleUnit& unit)
        : schedule_(schedule), unit_(unit) {
        for (const Step& step : schedule.steps)
            if (const auto* compute = std::get_if<ComputeStep>(&step))
                if (compute->unit == unit.id)
                    calls_.push_back(compute);
        const bool sums = unit.reduces() && unit.laneFunction != LaneFunction::Max;
        width_ = unit.pass && !sums ? valueBits(unit.operand) : kSumBits;
    }

    device::Resources area() {
        requant(&Epilogue::requantBefore, &Epilogue::activationBefore);
        add();
        pool();
        requant(&Epilogue::requantAfter, &Epilogue::activationAfter);
        return area_;
    }

private:
    void stage(int bits, double lutsOfABit) {
        area_.ff += bits;
        area_.lut += bits * lutsOfABit;
    }

    static int shifted(const RequantStage& stage, int width) {
        if (!stage.enabled || stage.shift == 0)
            return width;
        return stage.shift >= width ? 1 : width - static_cast<int>(stage.shift) + 1;
    }

    void requant(RequantStage Epilogue::*requant, ActivationStage Epilogue::*activation) {
        std::set<std::tuple<std::int64_t, std::int64_t, ir::Scalar>> forms;
        bool requants = false, activates = false, leaky = false;
        int wide = 1, narrow = 1;
        for (const ComputeStep* call : calls_) {
            const RequantStage& r = call->epilogue.*requant;
            const ActivationStage& a = call->epilogue.*activation;
            requants |= r.enabled;
            activates |= a.kind != ActivationStage::Kind::None;
            leaky |= a.kind == ActivationStage::Kind::Leaky;
            wide = std::max(wide, shifted(r, width_));
            narrow = std::max(narrow, r.enabled ? valueBits(r.to) : width_);
            forms.insert(r.enabled
                             ? std::tuple(r.shift, r.zero, r.to)
                             : std::tuple(std::int64_t{-1}, std::int64_t{0}, ir::Scalar::I32));
        }
        if (requants) {
            // Rounding, and whether the value fits.
            stage(wide, std::ssize(forms) > 1
                            ? static_cast<double>(device::muxLuts(std::ssize(forms)))
                            : kRoundLuts);
            area_.lut += kFitLuts * wide;
            width_ = narrow;
            stage(narrow, 1);
        } else if (activates) {
            stage(width_, 0.1);
        }
        if (leaky)
            area_.lut += 3 * width_;
    }

    void add() {
        int addend = 0;
        for (const ComputeStep* call : calls_)
            if (call->epilogue.addend)
                addend =
                    std::max(addend, valueBits(schedule_.tensor(*call->epilogue.addend).scalar));
        if (addend == 0)
            return;
        area_.ff += addend; // what was read
        width_ = std::min(kSumBits, std::max(width_, addend) + 1);
        stage(width_, 1);
    }

    void pool() {
        bool sum = false, max = false;
        std::int64_t largest = 1;
        for (const ComputeStep* call : calls_) {
            sum |= call->epilogue.pool == PoolKind::Sum;
            max |= call->epilogue.pool == PoolKind::Max;
            largest = std::max(largest, call->epilogue.poolSize);
        }
        if (!sum && !max)
            return;
        if (sum)
            width_ = std::min(kSumBits, width_ + bitsFor(largest * largest));
        stage(width_, (sum ? 1 : 0) + (max ? 1.5 : 0));
        if (unit_.groups(schedule_.lanes) > 1)
            area_.lut += 4.0 / 6 * width_; // windows that are open at a time
    }

    const Schedule& schedule_;
    const ScheduleUnit& unit_;
    std::vector<const ComputeStep*> calls_;
    int width_;
    device::Resources area_;
};

} // namespace

device::Resources surroundingResources(const Schedule& schedule, UnitId id) {
    const ScheduleUnit& unit = schedule.unit(id);
    device::Resources area;
    std::set<SlotId> inputs;
    for (const Step& step : schedule.steps)
        if (const auto* compute = std::get_if<ComputeStep>(&step); compute && compute->unit == id)
            inputs.insert(schedule.tensor(compute->input).slot);
    if (inputs.empty()) // it stands for moves or for a function of rows
        return area;
    const auto operands =
        static_cast<double>(unit.span * schedule.lanes * ir::storedBits(unit.operand));
    // Multipliers have it inside, and what padding clears is cleared there.
    area.ff += unit.pass ? operands : 0;
    area.lut += operands * static_cast<double>(device::muxLuts(std::ssize(inputs)));
    constexpr double kControl = 20;
    area += device::Resources{0, kControl, kControl, 0};
    if (unit.writeBack)
        return area;
    const double held = static_cast<double>(unit.rows(schedule.lanes) * kSumBits);
    if (unit.groups(schedule.lanes) > 1)
        area += device::Resources{0, held, held, 0};
    const auto lanes =
        static_cast<double>(unit.reduces() ? unit.writeLanes(schedule.lanes) : schedule.lanes);
    area += lanes * LaneStages(schedule, unit).area();
    return area;
}

} // namespace marquetry::design
