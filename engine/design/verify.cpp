#include "engine/design/verify.h"

#include "engine/cost/buffer_cost.h"
#include "engine/cost/unit_cost.h"
#include "engine/design/cycle_model.h"

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

Status verifyResources(const Design& design, const device::Device& device) {
    if (design.model != CostModel::Cycles)
        return ok();
    device::Resources sum;
    for (const DesignUnit& unit : design.units) {
        sum += unit.resources;
        if (unit.multipliers == 0)
            continue;
        const cost::UnitHardware hardware{unit.multipliers / unit.lanes, unit.lanes,
                                          ir::info(unit.shape.operand).bits,
                                          ir::info(unit.shape.weight).bits};
        const double dsp = cost::unitDsp(device, hardware);
        if (dsp != unit.resources.dsp)
            return mismatch("design-resources", "DSP of " + unit.name, unit.resources.dsp, dsp);
    }
    for (const DesignBuffer& buffer : design.buffers)
        sum.bram += buffer.bram;
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
    return verifyResources(design, device);
}

} // namespace marquetry::design
