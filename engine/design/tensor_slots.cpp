#include "engine/design/tensor_slots.h"

#include "engine/support/checked_math.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace marquetry::design {

namespace {

/// Of a power of two, whose multiples the depths of rings are.
constexpr std::int64_t kRingParts = 8;

/// H, W, C of a value as stored: the last dimension is the channels.
struct Extent {
    std::int64_t height = 1;
    std::int64_t width = 1;
    std::int64_t channels = 1;
};

Extent extentOf(const ir::Type& type) {
    Extent extent;
    const std::size_t rank = type.dims.size();
    if (rank >= 1)
        extent.channels = type.dims[rank - 1];
    if (rank >= 2)
        extent.width = type.dims[rank - 2];
    for (std::size_t k = 0; k + 2 < rank; ++k)
        extent.height *= type.dims[k];
    return extent;
}

/// No block memory is shallower than 512 words at the width of a bank.
std::int64_t memoryBits(const Slot& slot) {
    return roundUp(slot.depth, 512) * slot.storedLanes * slot.elementBits;
}

} // namespace

TensorSlots::TensorSlots(Schedule& schedule, const ir::Program& program)
    : schedule_(schedule),
      program_(program),
      tensorOf_(program.values.size()),
      lastUse_(program.values.size(), 0) {}

void TensorSlots::extend(ir::ValueId value, std::size_t time) {
    lastUse_[value.index()] = std::max(lastUse_[value.index()], time);
}

StoredTensor TensorSlots::tensorOf(ir::ValueId value) const {
    const ir::Value& source = program_.value(value);
    const Extent extent = extentOf(source.type);
    StoredTensor tensor;
    tensor.id = TensorId{schedule_.tensors.size()};
    tensor.value = value;
    tensor.name = source.name;
    tensor.scalar = source.type.scalar;
    tensor.height = extent.height;
    tensor.width = extent.width;
    tensor.pixels = extent.height * extent.width;
    tensor.channels = extent.channels;
    tensor.wordsPerPixel = ceilDiv(extent.channels, schedule_.lanes);
    return tensor;
}

Slot TensorSlots::freshSlot(const StoredTensor& tensor) const {
    Slot fresh;
    fresh.id = SlotId{schedule_.slots.size()};
    fresh.name = "slot" + std::to_string(fresh.id.value());
    fresh.elementBits = ir::info(tensor.scalar).bytes * 8;
    fresh.storedLanes = 1;
    fresh.writeLanes = schedule_.lanes;
    return fresh;
}

/// The slot when it holds the tensor as well.
Slot TensorSlots::holding(Slot slot, const StoredTensor& tensor) const {
    slot.depth = std::max(slot.depth, schedule_.frames * tensor.words());
    slot.storedLanes = std::max(slot.storedLanes, storedLanesFor(tensor.channels, schedule_.lanes));
    return slot;
}

SlotId TensorSlots::freeSlot(const StoredTensor& tensor, std::size_t time) {
    const Slot fresh = freshSlot(tensor);
    std::optional<SlotId> best;
    std::int64_t least = memoryBits(holding(fresh, tensor)) + 1;
    for (const Slot& slot : schedule_.slots) {
        const Slot grown = holding(slot, tensor);
        const std::int64_t growth = memoryBits(grown) - memoryBits(slot);
        const bool keeps = !slot.ring || grown == slot;
        if (slot.elementBits == fresh.elementBits && growth < least && keeps &&
            freeFrom_[slot.id.index()] <= time) {
            best = slot.id;
            least = growth;
        }
    }
    if (best)
        return *best;
    schedule_.slots.push_back(fresh);
    freeFrom_.push_back(0);
    return fresh.id;
}

TensorId TensorSlots::add(const StoredTensor& tensor) {
    tensorOf_[tensor.value.index()] = tensor.id;
    schedule_.tensors.push_back(tensor);
    return tensor.id;
}

TensorId TensorSlots::store(ir::ValueId value, std::size_t time) {
    StoredTensor tensor = tensorOf(value);
    tensor.slot = freeSlot(tensor, time);
    Slot& slot = schedule_.slots[tensor.slot.index()];
    slot = holding(slot, tensor);
    freeFrom_[tensor.slot.index()] = std::max(lastUse_[value.index()], time) + 1;
    return add(tensor);
}

TensorId TensorSlots::addAlone(Slot slot, StoredTensor tensor) {
    tensor.slot = slot.id;
    schedule_.slots.push_back(std::move(slot));
    freeFrom_.push_back(std::numeric_limits<std::size_t>::max());
    return add(tensor);
}

Slot TensorSlots::windowSlot(StoredTensor& tensor, const cost::WindowRead& read) const {
    tensor.rowWords = roundUp(tensor.pitch() - read.run, read.turns) + read.run;
    Slot slot = freshSlot(tensor);
    slot.turns = read.turns;
    slot.window = SlotWindow{read.rows, read.run};
    return slot;
}

TensorId TensorSlots::storeWindows(ir::ValueId value, const cost::WindowRead& read) {
    StoredTensor tensor = tensorOf(value);
    const Slot slot = windowSlot(tensor, read);
    return addAlone(holding(slot, tensor), tensor);
}

TensorId TensorSlots::storeRing(ir::ValueId value, const std::optional<cost::WindowRead>& read) {
    StoredTensor tensor = tensorOf(value);
    Slot slot = read ? windowSlot(tensor, *read) : freshSlot(tensor);
    slot.storedLanes = storedLanesFor(tensor.channels, schedule_.lanes);
    slot.ring = true;
    return addAlone(slot, tensor);
}

void TensorSlots::holdRows(TensorId ring, std::int64_t rows) {
    const StoredTensor& tensor = schedule_.tensor(ring);
    Slot& slot = schedule_.slots[tensor.slot.index()];
    const std::int64_t least = slot.turns > 1 ? 2 * slot.turns : 1;
    const std::int64_t words = std::max(rows * tensor.pitch(), least);
    // Only the highest bits of an address are compared with a depth of few of them.
    const auto power = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(words)));
    slot.depth = roundUp(words, std::max(slot.turns, power / kRingParts));
}

void TensorSlots::release(TensorId ring, std::size_t time) {
    const Slot& slot = schedule_.slot(schedule_.tensor(ring).slot);
    std::int64_t turns = 1; // the most that a unit takes
    for (const ScheduleUnit& unit : schedule_.units)
        turns =
            std::max<std::int64_t>(turns, 2 * std::bit_ceil(static_cast<std::uint64_t>(unit.span)));
    if (!slot.window && slot.depth >= turns && slot.depth % (turns / 2) == 0)
        freeFrom_[slot.id.index()] = time;
}

void TensorSlots::limitWrites(TensorId tensor, std::int64_t lanes) {
    Slot& slot = schedule_.slots[schedule_.tensor(tensor).slot.index()];
    slot.writeLanes = std::min(slot.writeLanes, lanes);
}

void TensorSlots::trimWrites() {
    for (Slot& slot : schedule_.slots)
        slot.writeLanes = std::min(slot.writeLanes, slot.storedLanes);
}

} // namespace marquetry::design
