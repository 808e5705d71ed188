#include "engine/design/external_tensors.h"

#include "engine/cost/call_timing.h"
#include "engine/design/weight_image.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace marquetry::design {

namespace {

/// From the first clock of a load to the first bytes, but for the memory's latency.
constexpr std::int64_t kRequestClocks = 4;
/// From a request to the next one.
constexpr std::int64_t kBetweenRequests = 3;

} // namespace

bool mayBeExternal(const ir::Type& type) {
    return type.dims.size() == 3 &&
           saturatingMul(type.dims[2], ir::info(type.scalar).bytes) % kMovedBytes == 0;
}

ExternalTensor externalTensor(const ir::Program& program, ir::ValueId value) {
    const ir::Type& type = program.value(value).type;
    return {value, 0, type.dims[1] * type.dims[2] * ir::info(type.scalar).bytes, type.dims[0]};
}

const ExternalTensor* findExternal(const Schedule& schedule, ir::ValueId value) {
    const auto found = std::ranges::find(schedule.externals, value, &ExternalTensor::value);
    return found == schedule.externals.end() ? nullptr : &*found;
}

std::int64_t externalBegin(const Schedule& schedule) {
    const std::int64_t bursts = burstsOf(schedule, residentRuns(schedule)) +
                                burstsOf(schedule, externalReads(schedule).stored);
    return roundUp(bursts * kBurstBeats * schedule.memory->beatBytes, kExternalAlignment);
}

std::int64_t imageBytes(const Schedule& schedule) {
    if (schedule.externals.empty()) {
        const std::int64_t bursts = burstsOf(schedule, residentRuns(schedule)) +
                                    burstsOf(schedule, externalReads(schedule).stored);
        return bursts * kBurstBeats * schedule.memory->beatBytes;
    }
    std::int64_t end = 0;
    for (const ExternalTensor& tensor : schedule.externals)
        end = std::max(end, tensor.base + tensor.bytes());
    return externalBegin(schedule) + roundUp(end, kExternalAlignment);
}

ByteRange externalRows(const Schedule& schedule, TensorId id, std::int64_t begin) {
    const StoredTensor& tensor = schedule.tensor(id);
    const ExternalTensor& external = *findExternal(schedule, tensor.value);
    return {begin + external.base + tensor.firstRow.value_or(0) * external.rowBytes,
            tensor.height * external.rowBytes};
}

std::int64_t movedBeats(const ExternalMemory& memory) {
    constexpr std::int64_t kBesideLatency = 24;
    const std::int64_t underWay =
        ceilDiv((memory.latencyCycles + kBesideLatency) * kMovedBytes, memory.beatBytes);
    return static_cast<std::int64_t>(
        std::bit_ceil(static_cast<std::uint64_t>(underWay + kBurstBeats)));
}

bool movesExternal(const Step& step) {
    const auto* load = std::get_if<LoadStep>(&step);
    const auto* store = std::get_if<StoreStep>(&step);
    return load != nullptr ? load->external : store != nullptr && store->external;
}

/// The second burst is not there when the last word of a short first one has been moved.
std::int64_t TransferReplay::firstGap(TensorId id) const {
    const ByteRange rows = externalRows(schedule_, id, 0);
    const std::int64_t burst = kBurstBeats * schedule_.memory->beatBytes;
    const std::int64_t ofFirst = burst - rows.begin % burst;
    if (rows.bytes <= ofFirst)
        return 0;
    return std::max<std::int64_t>(kBetweenRequests - ofFirst / kMovedBytes, 0);
}

std::int64_t TransferReplay::waits(const Step& step, std::int64_t begin) {
    if (!movesExternal(step))
        return 0;
    const auto* load = std::get_if<LoadStep>(&step);
    const TensorId id = load != nullptr ? load->tensor : std::get<StoreStep>(step).tensor;
    const StoredTensor& tensor = schedule_.tensor(id);
    const ExternalMemory& memory = *schedule_.memory;
    const auto bytes = static_cast<double>(tensor.elements() * ir::info(tensor.scalar).bytes);
    const auto slower = static_cast<std::int64_t>(std::llround(
        std::max(0.0, bytes / memory.bytesPerCycle - bytes / static_cast<double>(kMovedBytes))));
    if (load != nullptr)
        return std::max<std::int64_t>(answered_ - begin, 0) + memory.latencyCycles +
               kRequestClocks + firstGap(id) + slower;
    const std::int64_t end =
        begin +
        cost::storeCycles(tensor.pixels, tensor.channels, 8 * ir::info(tensor.scalar).bytes) +
        slower;
    answered_ = end + memory.latencyCycles;
    return slower;
}

} // namespace marquetry::design
