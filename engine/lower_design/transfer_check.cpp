#include "engine/lower_design/transfer_check.h"

#include "engine/design/external_tensors.h"
#include "engine/design/weight_image.h"
#include "engine/rtl/netlist.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace marquetry::hdl {

namespace {

using design::LoadStep;
using design::Schedule;
using design::StoredTensor;
using design::StoreStep;

/// Bytes of the image: what a driver could allocate, and far below an address.
constexpr std::int64_t kMostImage = std::int64_t{1} << 31;

class TransferChecker {
public:
    explicit TransferChecker(const Schedule& schedule) : schedule_(schedule) {}

    Diagnostics run() {
        checkExternals();
        for (const design::Step& step : schedule_.steps) {
            if (!errors_.empty())
                break;
            if (const auto* load = std::get_if<LoadStep>(&step))
                checkLoad(*load);
            else if (const auto* store = std::get_if<StoreStep>(&step))
                checkStore(*store);
        }
        if (schedule_.groups > 1 && errors_.empty())
            for (const Moved* moved : {&loads_, &stores_})
                checkFrames(*moved);
        return std::move(errors_);
    }

private:
    void refuse(std::string message, std::string hint = {}) {
        errors_.push_back(makeError("hdl-unsupported", std::move(message), std::move(hint)));
    }

    void checkExternals() {
        if (schedule_.externals.empty())
            return;
        if (!schedule_.memory)
            return refuse("the schedule has external tensors and no memory");
        const bool loads = std::ranges::any_of(schedule_.units, [&](const auto& unit) {
            return design::isLoaded(schedule_, unit.id);
        });
        if (!loads || schedule_.frames != 1 || schedule_.memory->beatBytes < design::kMovedBytes)
            return refuse("activations have no place in external memory",
                          cat("they need a memory of at least ", design::kMovedBytes,
                              " bytes a beat, units whose weights come from there, and runs of one "
                              "frame"));
        for (std::size_t k = 0; k < schedule_.externals.size() && errors_.empty(); ++k)
            checkPlace(k);
    }

    void checkPlace(std::size_t index) {
        const design::ExternalTensor& tensor = schedule_.externals[index];
        const bool whole = tensor.rowBytes % design::kMovedBytes == 0 && tensor.rowBytes > 0 &&
                           tensor.rows > 0 && tensor.base % design::kExternalAlignment == 0 &&
                           tensor.rows <= kMostImage / tensor.rowBytes &&
                           tensor.base <= kMostImage - tensor.bytes();
        if (!whole)
            return refuse(cat("external tensor ", index, " has no place: ", tensor.rows,
                              " rows of ", tensor.rowBytes, " bytes at ", tensor.base));
        for (std::size_t k = 0; k < index; ++k) {
            const design::ExternalTensor& other = schedule_.externals[k];
            if (other.value == tensor.value || (other.base < tensor.base + tensor.bytes() &&
                                                tensor.base < other.base + other.bytes()))
                refuse(cat("external tensors ", k, " and ", index, " lie in one place"));
        }
    }

    /// Rows of a tensor that are moved behind those before, by one mover.
    bool follows(const StoredTensor& before, const StoredTensor& tensor) const {
        return before.firstRow && tensor.firstRow && before.value == tensor.value &&
               before.slot == tensor.slot && before.width == tensor.width &&
               before.channels == tensor.channels && before.scalar == tensor.scalar &&
               *tensor.firstRow == *before.firstRow + schedule_.framesAtOnce() * before.height &&
               (singlePixel(before) == singlePixel(tensor)) &&
               tensor.base == schedule_.addressOf(before, schedule_.storedWords(before.id));
    }

    bool singlePixel(const StoredTensor& tensor) const {
        return schedule_.storedPixels(tensor.id) == 1;
    }

    using Moved = std::map<std::pair<std::string, design::SlotId>, const StoredTensor*>;

    /// Whether the rows come behind those that were moved before, or are the first.
    bool isNext(Moved& moved, const std::string& port, const StoredTensor& tensor) const {
        const auto [known, fresh] = moved.try_emplace({port, tensor.slot}, &tensor);
        const StoredTensor& before = *std::exchange(known->second, &tensor);
        return fresh ? tensor.firstRow.value_or(0) == 0 : follows(before, tensor);
    }

    void checkLoad(const LoadStep& step) {
        const StoredTensor& tensor = schedule_.tensor(step.tensor);
        if (step.external)
            return checkRows(externalLoads_, step.port, tensor);
        const auto [slot, fresh] = inputs_.try_emplace(step.port, tensor.slot);
        if (slot->second != tensor.slot)
            return refuse(cat("input ", step.port, " is transferred twice"),
                          "an input is loaded into one slot");
        if (!isNext(loads_, step.port, tensor))
            refuse(cat("input ", step.port, " is transferred twice"),
                   "bands of an input come from its first row on, one behind the other");
    }

    /// Of each stream all groups move.
    void checkFrames(const Moved& moved) {
        for (const auto& [port, tensor] : moved)
            if (tensor->firstRow.value_or(0) + schedule_.framesAtOnce() * tensor->height !=
                schedule_.frames * tensor->height)
                refuse(
                    cat("stream ", port.first, " does not move all ", schedule_.frames, " frames"));
    }

    void checkStore(const StoreStep& step) {
        const StoredTensor& tensor = schedule_.tensor(step.tensor);
        if (step.type.scalar != tensor.scalar)
            return refuse(cat("output ", step.port, " is declared ", ir::toString(step.type),
                              " but stored as ", ir::info(tensor.scalar).name));
        if (step.external)
            return checkRows(externalStores_, step.port, tensor);
        const auto [slot, fresh] = outputs_.try_emplace(step.port, tensor.slot);
        if (slot->second != tensor.slot || (!fresh && schedule_.groups == 1) ||
            !isNext(stores_, step.port, tensor))
            refuse(cat("output ", step.port, " is transferred twice"),
                   "groups of frames of an output leave one slot, one behind the other");
    }

    void checkRows(Moved& moved, const std::string& port, const StoredTensor& tensor) {
        const design::ExternalTensor* external = design::findExternal(schedule_, tensor.value);
        const auto [value, fresh] = values_.try_emplace(port, tensor.value);
        const std::int64_t first = tensor.firstRow.value_or(0);
        const std::int64_t pixelBytes = tensor.channels * ir::info(tensor.scalar).bytes;
        if (external == nullptr || value->second != tensor.value ||
            pixelBytes % design::kMovedBytes != 0 ||
            tensor.width * pixelBytes != external->rowBytes || tensor.height > external->rows ||
            first > external->rows - tensor.height)
            return refuse(
                cat("rows of ", port, " from ", first, " on have no place in external ", "memory"));
        if (!isNext(moved, port, tensor))
            refuse(cat("rows of ", port, " from ", first, " on are out of order"),
                   "rows move between external memory and a slot once, from the first one on");
    }

    const Schedule& schedule_;
    Moved loads_, stores_, externalLoads_, externalStores_; ///< the last tensor of each mover
    std::map<std::string, design::SlotId> inputs_, outputs_;
    std::map<std::string, ir::ValueId> values_; ///< external ones, by port
    Diagnostics errors_;
};

} // namespace

Diagnostics whyNoTransfers(const Schedule& schedule) {
    return TransferChecker(schedule).run();
}

} // namespace marquetry::hdl
