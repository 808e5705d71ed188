#include "engine/design/verify.h"

#include "engine/cost/buffer_cost.h"
#include "engine/cost/unit_cost.h"
#include "engine/design/cycle_model.h"
#include "engine/design/row_step.h"
#include "engine/design/write_back.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <cmath>

namespace marquetry::design {

namespace {

Diagnostic mismatch(const char* code, const std::string& what, double shown, double recomputed) {
    return makeError(code, what + ": shown " + std::to_string(shown) + ", recomputed " +
                               std::to_string(recomputed));
}

Status verifyCalls(const Design& design) {
    std::vector<int> sites(design.calls.size(), 0);
    for (const DesignUnit& unit : design.units) {
        if (unit.shared != (unit.callSites.size() >= 2))
            return makeError("design-calls", "unit " + unit.name + " is marked wrongly as shared");
        for (CallId call : unit.callSites) {
            if (design.call(call).unit != unit.id)
                return makeError("design-calls", "unit " + unit.name + " lists a foreign call");
            ++sites[call.index()];
        }
    }
    for (int count : sites)
        if (count != 1)
            return makeError("design-calls", "a call must run on exactly one unit");
    return ok();
}

Status verifyCycles(const Design& design) {
    std::int64_t sum = design.transferCycles;
    for (const DesignCall& call : design.calls)
        sum += call.cycles - call.overlap;
    const double slack =
        design.model == CostModel::Cycles ? 0 : static_cast<double>(design.calls.size());
    if (std::abs(static_cast<double>(sum - design.cycles)) > slack)
        return mismatch("design-cycles", "cycles of the calls", static_cast<double>(design.cycles),
                        static_cast<double>(sum));
    if (!design.schedule)
        return ok();
    const std::int64_t predicted = predictCycles(*design.schedule).total;
    if (predicted != design.cycles)
        return mismatch("design-cycles", "cycles of the schedule",
                        static_cast<double>(design.cycles), static_cast<double>(predicted));
    return ok();
}

/// What the hardware is built from says of each slot what the design says.
Status verifySlots(const Design& design) {
    if (!design.schedule)
        return ok();
    for (const Slot& slot : design.schedule->slots) {
        const auto buffer = std::ranges::find(design.buffers, slot.name, &DesignBuffer::name);
        if (buffer == design.buffers.end())
            return makeError("design-banks", "no buffer stands for slot " + slot.name);
        const std::int64_t memories = slot.banks() * ceilDiv(slot.bankBits(), slot.memoryBits);
        const bool lutRam = buffer->kind == BufferKind::LutRam;
        if (buffer->banks != slot.banks() || buffer->memories != memories ||
            buffer->words != slot.depth || lutRam != slot.lutRam)
            return makeError(
                "design-banks",
                "slot " + slot.name + " is priced as " + std::to_string(buffer->memories) +
                    " memories in " + std::to_string(buffer->banks) + " banks of " +
                    toString(buffer->kind) + ", built as " + std::to_string(memories) + " in " +
                    std::to_string(slot.banks()) + " of " + (slot.lutRam ? "lutram" : "bram"));
    }
    return ok();
}

bool sameWriteBack(const Design& design, const DesignUnit& unit) {
    const auto& built = design.schedule->unit(unit.id).writeBack;
    return built && built->lanes == unit.writeBack->lanes && built->form == unit.writeBack->form &&
           built->words == unit.writeBack->words;
}

/// Of a unit that stands for a function of rows; what no schedule says is taken as it is.
double dspOfRows(const Design& design, const DesignUnit& unit) {
    if (!design.schedule)
        return unit.writeBack ? 0 : unit.resources.dsp;
    double dsp = 0;
    const Schedule& schedule = *design.schedule;
    for (const std::vector<std::size_t>& steps : stepsOfRowUnits(schedule))
        if (const auto& rows = std::get<RowStep>(schedule.steps[steps.front()]);
            rows.unit == unit.id)
            dsp += cost::rowResources(rowShape(schedule, rows)).dsp;
    return dsp;
}

Status verifyResources(const Design& design, const device::Device& device) {
    if (design.model != CostModel::Cycles)
        return ok();
    device::Resources sum;
    for (const DesignUnit& unit : design.units) {
        sum += unit.resources;
        const double scaling =
            unit.writeBack
                ? static_cast<double>(unit.writeBack->lanes * cost::laneDsp(unit.writeBack->form))
                : 0;
        if (design.schedule && unit.writeBack && !sameWriteBack(design, unit))
            return makeError("design-resources",
                             "the write-back of " + unit.name + " is not built as it is priced");
        if (unit.multipliers == 0) {
            const double rows = dspOfRows(design, unit);
            if (unit.resources.dsp != scaling + rows)
                return mismatch("design-resources", "DSP of " + unit.name, unit.resources.dsp,
                                scaling + rows);
            continue;
        }
        const cost::UnitHardware hardware{unit.multipliers / unit.lanes, unit.lanes,
                                          ir::storedBits(unit.shape.operand),
                                          ir::storedBits(unit.shape.weight)};
        const double dsp = cost::unitDsp(device, hardware) + scaling;
        if (dsp != unit.resources.dsp)
            return mismatch("design-resources", "DSP of " + unit.name, unit.resources.dsp, dsp);
        const bool pairs = cost::pairsRows(device, hardware);
        if (design.schedule && design.schedule->units[unit.id.index()].pairsRows != pairs)
            return makeError("design-resources", "the rows of " + unit.name + " are priced " +
                                                     (pairs ? "in pairs, built" : "alone, built") +
                                                     (pairs ? " alone" : " in pairs"));
    }
    for (const DesignBuffer& buffer : design.buffers)
        sum += device::Resources{0, buffer.lut, buffer.ff, buffer.bram};
    if (std::abs(sum.dsp - design.resources.dsp) > 1e-6)
        return mismatch("design-resources", "DSP", design.resources.dsp, sum.dsp);
    if (std::abs(sum.bram - design.resources.bram) > 1e-6)
        return mismatch("design-resources", "block RAM", design.resources.bram, sum.bram);
    return ok();
}

} // namespace

Status verifyDesign(const Design& design, const device::Device& device) {
    if (const Status calls = verifyCalls(design); !calls)
        return calls;
    if (const Status cycles = verifyCycles(design); !cycles)
        return cycles;
    if (const Status slots = verifySlots(design); !slots)
        return slots;
    return verifyResources(design, device);
}

} // namespace marquetry::design
