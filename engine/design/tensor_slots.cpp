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

/// Likewise of each turn's memory.
std::int64_t turnsBits(const Slot& slot) {
    return slot.turns * roundUp(slot.bankDepth(), 512) * slot.storedLanes * slot.elementBits;
}

/// The slot when it holds what the other one does as well.
Slot joined(Slot slot, const Slot& other) {
    slot.turns = std::max(slot.turns, other.turns);
    slot.storedLanes = std::max(slot.storedLanes, other.storedLanes);
    slot.writeLanes = std::min(slot.writeLanes, other.writeLanes);
    slot.ring = slot.ring || other.ring;
    slot.depth = std::max(slot.depth, other.depth);
    if (slot.ring)
        slot.depth = ringDepth(slot.depth, slot.turns);
    return slot;
}

} // namespace

std::int64_t ringDepth(std::int64_t words, std::int64_t turns) {
    words = std::max(words, turns > 1 ? 2 * turns : 1);
    const auto power = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(words)));
    return roundUp(words, std::max(turns, power / kRingParts));
}

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

bool TensorSlots::wasLoaded(ir::ValueId value, SlotId slot) const {
    return std::ranges::find(loaded_, std::pair(value, slot)) != loaded_.end();
}

SlotId TensorSlots::freeSlot(const StoredTensor& tensor, std::size_t time, bool loaded) {
    const Slot fresh = freshSlot(tensor);
    std::optional<SlotId> best;
    std::pair<std::int64_t, std::int64_t> least{memoryBits(holding(fresh, tensor)) + 1, 0};
    for (const Slot& slot : schedule_.slots) {
        const Slot grown = holding(slot, tensor);
        // Of many rings the smallest that has room.
        const std::pair growth{memoryBits(grown) - memoryBits(slot),
                               sharesRings_ ? memoryBits(slot) : 0};
        const bool keeps = (sharesRings_ || !slot.ring || grown == slot) &&
                           !(loaded && wasLoaded(tensor.value, slot.id));
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

TensorId TensorSlots::store(ir::ValueId value, std::size_t time, bool loaded) {
    StoredTensor tensor = tensorOf(value);
    tensor.slot = freeSlot(tensor, time, loaded);
    Slot& slot = schedule_.slots[tensor.slot.index()];
    slot = holding(slot, tensor);
    freeFrom_[tensor.slot.index()] = std::max(lastUse_[value.index()], time) + 1;
    return add(tensor);
}

TensorId TensorSlots::store(ir::ValueId value, std::size_t time) {
    return store(value, time, false);
}

TensorId TensorSlots::storeLoaded(ir::ValueId value, std::size_t time) {
    const TensorId tensor = store(value, time, true);
    loaded_.emplace_back(value, schedule_.tensor(tensor).slot);
    return tensor;
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

TensorId TensorSlots::storeLoadedRing(ir::ValueId value,
                                      const std::optional<cost::WindowRead>& read) {
    const TensorId ring = storeRing(value, read);
    loaded_.emplace_back(value, schedule_.tensor(ring).slot);
    return ring;
}

void TensorSlots::placeRing(TensorId ring, std::int64_t rows, std::size_t time) {
    const StoredTensor& tensor = schedule_.tensor(ring);
    Slot& slot = schedule_.slots[tensor.slot.index()];
    slot.depth = ringDepth(rows * tensor.pitch(), slot.turns);
    if (sharesRings_ && !slot.window)
        joinSlots(ring, time);
}

/// A ring goes into the free slot that grows least by it, if that is less than its own: into the
/// smallest of those that do not grow.
void TensorSlots::joinSlots(TensorId ring, std::size_t time) {
    StoredTensor& tensor = schedule_.tensors[ring.index()];
    const SlotId own = tensor.slot;
    const Slot& alone = schedule_.slot(own);
    const bool loaded = wasLoaded(tensor.value, own);
    SlotId best = own;
    std::pair<std::int64_t, std::int64_t> least{turnsBits(alone), 0};
    for (const Slot& slot : schedule_.slots) {
        const std::pair growth{turnsBits(joined(slot, alone)) - turnsBits(slot), turnsBits(slot)};
        if (slot.id != own && !slot.window && slot.elementBits == alone.elementBits &&
            freeFrom_[slot.id.index()] <= time && growth < least &&
            !(loaded && wasLoaded(tensor.value, slot.id))) {
            best = slot.id;
            least = growth;
        }
    }
    if (best == own)
        return;
    if (loaded)
        loaded_.emplace_back(tensor.value, best);
    schedule_.slots[best.index()] = joined(schedule_.slot(best), alone);
    schedule_.slots[own.index()].depth = 0;
    freeFrom_[best.index()] = std::numeric_limits<std::size_t>::max();
    tensor.slot = best;
}

void TensorSlots::release(TensorId ring, std::size_t time) {
    const Slot& slot = schedule_.slot(schedule_.tensor(ring).slot);
    std::int64_t turns = 1; // the most that a unit takes
    for (const ScheduleUnit& unit : schedule_.units)
        turns =
            std::max<std::int64_t>(turns, 2 * std::bit_ceil(static_cast<std::uint64_t>(unit.span)));
    if (!slot.window && (sharesRings_ || (slot.depth >= turns && slot.depth % (turns / 2) == 0)))
        freeFrom_[slot.id.index()] = time;
}

void TensorSlots::limitWrites(TensorId tensor, std::int64_t lanes) {
    Slot& slot = schedule_.slots[schedule_.tensor(tensor).slot.index()];
    slot.writeLanes = std::min(slot.writeLanes, lanes);
}

void TensorSlots::dropUnused() {
    std::vector<SlotId> renamed;
    std::vector<Slot> kept;
    for (Slot& slot : schedule_.slots) {
        renamed.emplace_back(kept.size());
        if (slot.depth == 0)
            continue;
        slot.id = renamed.back();
        slot.name = "slot" + std::to_string(slot.id.value());
        kept.push_back(std::move(slot));
    }
    schedule_.slots = std::move(kept);
    for (StoredTensor& tensor : schedule_.tensors)
        tensor.slot = renamed[tensor.slot.index()];
}

void TensorSlots::settle() {
    if (sharesRings_)
        dropUnused();
    for (Slot& slot : schedule_.slots) {
        if (slot.ring)
            slot.depth = ringDepth(slot.depth, slot.turns);
        slot.writeLanes = std::min(slot.writeLanes, slot.storedLanes);
    }
    for (StoredTensor& tensor : schedule_.tensors)
        if (tensor.firstRow && schedule_.slot(tensor.slot).ring)
            tensor.base = *tensor.firstRow * tensor.pitch() % schedule_.slot(tensor.slot).depth;
}

} // namespace marquetry::design
