#include "engine/cost/stream_unit.h"

#include "engine/algebra/join_outputs.h"
#include "engine/cost/unit_cost.h"
#include "engine/device/device_file.h"
#include "engine/device/lut6.h"
#include "engine/spacetime/schedule.h"
#include "engine/support/checked_math.h"

#include <map>

namespace marquetry::cost {

namespace {

using datapath::Cell;
using datapath::CellKind;
using datapath::DelayLine;

// Estimates: counters of row and column, in and out, with their comparisons.
constexpr double kLutPerPosition = 60;
constexpr double kFfPerPosition = 45;

device::Resources kernelResources(const device::Device& device,
                                  const datapath::TimedDatapath& timed) {
    device::Resources area;
    std::map<std::int64_t, std::int64_t> memories; // depth → bits
    for (std::size_t k = 0; k < timed.datapath.cells.size(); ++k) {
        const Cell& cell = timed.datapath.cells[k];
        const auto bits = static_cast<double>(cell.bits());
        if (cell.kind == CellKind::Add || cell.kind == CellKind::Sub)
            area.lut += bits;
        for (const DelayLine::Part& part : timed.lines[k].registers) {
            const std::int64_t length = part.to - part.from;
            if (length < device::kLeastShift)
                area.ff += bits * static_cast<double>(length);
            else
                area.lut += bits * static_cast<double>(device::shiftRegisterLuts(length));
        }
        for (const DelayLine::Part& part : timed.lines[k].memories)
            memories[part.to - part.from - 1] += cell.bits();
    }
    for (const auto& [depth, bits] : memories)
        area.bram += device.ramBlocks(depth, bits);
    return area;
}

} // namespace

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
    device::Resources area = kernelResources(device, *circuit.timed);
    const auto rows = static_cast<double>(circuit.conv.rows);
    const auto lanes = static_cast<double>(std::min(shape.parallel, circuit.conv.rows));
    const double word = circuit.sumBits();
    area.ff += rows * word;
    if (shape.interval > 1)
        area.lut += rows * word / 2;
    area.lut += kLutPerPosition;
    area.ff += kFfPerPosition;
    const UnitHardware writeBack{1, 1, circuit.conv.operandBits(), circuit.conv.operandBits()};
    const device::Resources row = unitResources(device, writeBack);
    area.lut += lanes * row.lut;
    area.ff += lanes * row.ff;
    if (shape.pooledColumns > 0)
        area.lut +=
            lanes * word * static_cast<double>(ceilDiv(shape.pooledColumns, device::kLutRamDepth));
    return area;
}

} // namespace marquetry::cost
