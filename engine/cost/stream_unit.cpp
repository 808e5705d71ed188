#include "engine/cost/stream_unit.h"

#include "engine/algebra/join_outputs.h"
#include "engine/device/device_file.h"
#include "engine/device/lut6.h"
#include "engine/spacetime/schedule.h"
#include "engine/support/checked_math.h"

#include <map>

namespace marquetry::cost {

namespace {

// Fitted on synthesised units (cost-model.md, "Streamed calls"): counters of row and column, in and
// out, with their comparisons, and the write-back of a row, which has no accumulators.
constexpr double kLutPerPosition = 130;
constexpr double kFfPerPosition = 45;
constexpr double kLutPerStreamedRow = 12;
constexpr double kFfPerStreamedRow = 10;

/// Pools keep a value per column in LUT memory.
double poolLuts(double bits, std::int64_t columns) {
    const auto group = static_cast<double>(device::kRamGroupLuts) /
                       static_cast<double>(device::ramGroupBits(device::kLutRamDepth));
    return group * bits * static_cast<double>(ceilDiv(columns, device::kLutRamDepth));
}

} // namespace

KernelParts kernelParts(const StreamCircuit& circuit) {
    const datapath::TimedDatapath& timed = *circuit.timed;
    std::map<std::int64_t, int> lines; // words → bits of all that have so many
    for (std::size_t k = 0; k < timed.datapath.cells.size(); ++k)
        for (const datapath::DelayLine::Part& part : timed.lines[k].memories)
            lines[part.to - part.from - 1] += timed.datapath.cells[k].bits();
    KernelParts parts;
    for (const auto& [words, bits] : lines)
        parts.memories.push_back({words, bits, kernelBankBits(words), false});
    return parts;
}

Result<StreamCircuit> streamCircuit(const ir::ConvStream& conv, const ir::Tensor& weight,
                                    std::stop_token stop) {
    const auto program = algebra::withJoinedOutputs(ir::convStreamProgram(conv, weight));
    if (!program)
        return program.error();
    const auto device = device::findDevice(kStreamDevice);
    if (!device)
        return device.error();
    const auto scheduled = spacetime::schedule(*program, conv.frame(), *device, {}, stop);
    if (!scheduled)
        return scheduled.error();
    datapath::DatapathParams params;
    params.narrowed = {conv.operandBits(), ir::convSumBits(conv, weight)};
    auto timed = datapath::makeDatapath(scheduled->front.front().circuit, params, stop);
    if (!timed)
        return timed.error();
    return StreamCircuit{conv, *std::move(timed)};
}

device::Resources streamUnitResources(const device::Device& device, const StreamCircuit& circuit,
                                      const StreamUnitShape& shape) {
    device::Resources area = kernelArea(*circuit.timed, kernelParts(circuit), device);
    const auto rows = static_cast<double>(circuit.conv.rows);
    const auto lanes = static_cast<double>(std::min(shape.parallel, circuit.conv.rows));
    const double word = circuit.sumBits();
    area.ff += rows * word;
    if (shape.interval > 1)
        area.lut += rows * word / 2;
    area.lut += kLutPerPosition;
    area.ff += kFfPerPosition;
    area.lut += lanes * kLutPerStreamedRow + poolLuts(lanes * word, shape.pooledColumns);
    area.ff += lanes * kFfPerStreamedRow;
    return area;
}

} // namespace marquetry::cost
