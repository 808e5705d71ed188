// Where the tensors of a schedule lie: slots by the times at which they live.
//
// A tensor lives from the step that writes it to the last that reads it; two that live at once
// never share a slot. Greedy in the order of the calls: a tensor takes the slot that grows least by
// it, or a new one if that is smaller. A slot with windows and a ring of rows hold what they are
// made for; a ring may hold others later, which have room in it. Where values are in external
// memory there may be many runs of bands, whose rings share slots as other tensors do. Times count
// layers: 0 is before the first one. Units: words, bits. Complexity: O(slots) for each tensor.
// Thread rule: one object per thread.
#pragma once

#include "engine/cost/call_words.h"
#include "engine/design/schedule.h"

#include <utility>
#include <vector>

namespace marquetry::design {

/// Words of a ring that holds so many, of a slot of so many turns: whole turns, and few bits of an
/// address are compared with them.
std::int64_t ringDepth(std::int64_t words, std::int64_t turns);

class TensorSlots {
public:
    TensorSlots(Schedule& schedule, const ir::Program& program);

    /// The value is read at that time, the latest until now or earlier.
    void extend(ir::ValueId value, std::size_t time);

    TensorId at(ir::ValueId value) const { return *tensorOf_[value.index()]; }
    bool has(ir::ValueId value) const { return tensorOf_[value.index()].has_value(); }

    /// Written from that time on.
    TensorId store(ir::ValueId value, std::size_t time);
    /// In a slot of its own, which gives windows.
    TensorId storeWindows(ir::ValueId value, const cost::WindowRead& read);
    /// Loaded from external memory: into a slot into which it was not loaded before.
    TensorId storeLoaded(ir::ValueId value, std::size_t time);
    /// In a ring of its own, which holds no rows yet. `read`: it gives windows. What it returns
    /// stands for the whole value until the bands are known (row_bands.h).
    TensorId storeRing(ir::ValueId value, const std::optional<cost::WindowRead>& read);
    /// Likewise, of what is loaded from external memory.
    TensorId storeLoadedRing(ir::ValueId value, const std::optional<cost::WindowRead>& read);
    /// The ring holds so many rows of its value, which are written from that time on.
    void placeRing(TensorId ring, std::int64_t rows, std::size_t time);
    /// The ring's memory may hold other tensors from that time on, where it is deep enough for the
    /// turns of any unit, and a whole number of them.
    void release(TensorId ring, std::size_t time);
    /// From now on rings take the places of other tensors, and others theirs, however deep these
    /// are: there are many of them, one after the other.
    void shareRings() { sharesRings_ = true; }

    /// What is written there are so many lanes at once.
    void limitWrites(TensorId tensor, std::int64_t lanes);
    /// When all tensors are there: slots that hold none are left out, bands get their words in
    /// rings, and a unit that writes more rows than a slot has lanes fills whole words.
    void settle();

private:
    StoredTensor tensorOf(ir::ValueId value) const;
    Slot freshSlot(const StoredTensor& tensor) const;
    Slot holding(Slot slot, const StoredTensor& tensor) const;
    SlotId freeSlot(const StoredTensor& tensor, std::size_t time, bool loaded);
    TensorId store(ir::ValueId value, std::size_t time, bool loaded);
    bool wasLoaded(ir::ValueId value, SlotId slot) const;
    void joinSlots(TensorId ring, std::size_t time);
    void dropUnused();
    Slot windowSlot(StoredTensor& tensor, const cost::WindowRead& read) const;
    TensorId add(const StoredTensor& tensor);
    TensorId addAlone(Slot slot, StoredTensor tensor);

    Schedule& schedule_;
    const ir::Program& program_;
    std::vector<std::optional<TensorId>> tensorOf_;      ///< index: ValueId
    std::vector<std::size_t> lastUse_;                   ///< time; index: ValueId
    std::vector<std::size_t> freeFrom_;                  ///< first time a slot may be written again
    std::vector<std::pair<ir::ValueId, SlotId>> loaded_; ///< from external memory
    bool sharesRings_ = false;
};

} // namespace marquetry::design
