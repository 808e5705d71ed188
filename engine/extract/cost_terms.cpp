#include "engine/extract/cost_terms.h"

namespace marquetry::extract {

namespace {

using design::Design;
using design::DesignBuffer;
using design::DesignCall;
using design::DesignUnit;

std::string dspFormula(const DesignUnit& unit, const device::Device& device) {
    if (unit.multipliers == 0 || !device.int8ProductsShareFactor)
        return "ceil(" + std::to_string(unit.multipliers) + " multipliers / " +
               std::to_string(device.int8ProductsPerDsp) + " per block)";
    const std::int64_t rows = unit.multipliers / unit.lanes;
    const bool pairs = unit.resources.dsp < static_cast<double>(unit.multipliers);
    return (pairs ? "ceil(" + std::to_string(rows) + " rows / 2 per block)"
                  : std::to_string(rows) + (rows == 1 ? " row" : " rows")) +
           " · " + std::to_string(unit.lanes) + " lanes";
}

/// In a design with bands any steps may run beside it.
std::string overlapFormula(const DesignCall& call, bool bands) {
    return call.overlap == 0 ? ""
                             : " − " + std::to_string(call.overlap) + " while " +
                                   (bands                  ? "other steps run"
                                    : call.id.index() == 0 ? "its input comes"
                                                           : "the call before it still runs");
}

void addBufferTerm(Design& design, const DesignBuffer& buffer) {
    const bool luts = buffer.kind == design::BufferKind::LutRam;
    design.terms.push_back({"buffer " + buffer.name, luts ? buffer.lut : buffer.bram,
                            luts ? "LUT" : "BRAM",
                            buffer.scheme + ": " + std::to_string(buffer.memories) +
                                " memories × " + std::to_string(buffer.words) + " words × " +
                                std::to_string(buffer.memoryBits) + " bits"});
}

} // namespace

void addCostTerms(Design& design, const std::vector<std::string>& formulas,
                  const device::Device& device) {
    for (const DesignCall& call : design.calls)
        design.terms.push_back(
            {"call " + call.layer, static_cast<double>(call.cycles - call.overlap), "cycles",
             formulas[call.id.index()] + overlapFormula(call, !design.bands.empty())});
    design.terms.push_back({"streams", static_cast<double>(design.transferCycles), "cycles",
                            "load inputs + store outputs"});
    for (const DesignUnit& unit : design.units)
        if (unit.streams)
            design.terms.push_back({"unit " + unit.name, unit.resources.lut, "LUT",
                                    "sums, line buffers and write-back, estimate"});
    for (const DesignUnit& unit : design.units)
        if (!unit.streams)
            design.terms.push_back(
                {"unit " + unit.name, unit.resources.dsp, "DSP", dspFormula(unit, device)});
    for (const DesignBuffer& buffer : design.buffers)
        if (!buffer.weights)
            addBufferTerm(design, buffer);
}

} // namespace marquetry::extract
