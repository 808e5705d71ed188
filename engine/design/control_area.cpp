#include "engine/design/control_area.h"

#include "engine/cost/call_timing.h"
#include "engine/design/external_tensors.h"
#include "engine/design/move_hardware.h"
#include "engine/design/row_step.h"
#include "engine/design/schedule_loop.h"
#include "engine/design/step_queues.h"
#include "engine/design/windows.h"
#include "engine/device/lut6.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace marquetry::design {

namespace {

std::vector<const ComputeStep*> computesOf(const Schedule& schedule, Queue sequencer) {
    std::vector<const ComputeStep*> computes;
    for (std::size_t s = 0; s < schedule.steps.size(); ++s)
        if (const auto* compute = std::get_if<ComputeStep>(&schedule.steps[s]))
            if (sequencerOf(schedule, s) == sequencer)
                computes.push_back(compute);
    return computes;
}

// What moves beats between external memory and the movers of external values, beside its queue of
// LUTs, three beats of registers and the choice of 8 bytes of a beat; an estimate.
constexpr double kTransferLut = 250;
constexpr double kTransferFf = 300;
constexpr double kLutPerMovedByte = 2;

// Of a bit of an address, for each loop that moves it; of a call's entries in the tables.
constexpr double kFfPerStride = 0.45;
constexpr double kLutPerStride = 0.15;
constexpr double kLutPerCall = 12;

constexpr std::size_t kLoops = 9;

/// Of a call's nest, outermost first.
std::array<std::int64_t, kLoops> boundsOf(const Schedule& schedule, const ComputeStep& step) {
    const ScheduleUnit& unit = schedule.unit(step.unit);
    const std::int64_t pool = step.epilogue.poolSize;
    if (unit.stream)
        return {1, step.height, step.width, 1, 1, 1, 1, 1, unit.stream->interval};
    const bool reduces = unit.reduces();
    const std::int64_t rows = reduces ? step.kernel.vertical : 1;
    const std::int64_t words = reduces ? ceilDiv(reductionWords(schedule, step), rows) : 1;
    return {schedule.framesAtOnce(),
            step.height / pool,
            step.width / pool,
            step.rowBlocks,
            pool,
            pool,
            rows,
            words,
            1};
}

int addressBits(const Schedule& schedule) {
    int bits = 1;
    for (const Slot& slot : schedule.slots)
        bits = std::max(bits, slot.addressBits());
    return bits;
}

/// Rows that tables of the steps on one sequencer have: those of groups of frames in the same
/// places are alike. Few steps, or many that differ, have a row each.
std::size_t tableRows(const Schedule& schedule, const std::vector<const ComputeStep*>& computes,
                      std::size_t places) {
    constexpr std::size_t kFewSteps = 32;
    const std::size_t all = std::min(computes.size(), places);
    if (schedule.groups == 1 || places < kFewSteps)
        return all;
    using Place = std::pair<SlotId, std::int64_t>;
    const auto place = [&](TensorId id) -> Place {
        return {schedule.tensor(id).slot, schedule.tensor(id).base};
    };
    std::set<std::tuple<std::string, Place, Place, std::optional<Place>, int>> rows;
    auto next = computes.begin(); // they are in the order of the steps
    for (std::size_t s = 0; s < schedule.steps.size() && next != computes.end(); ++s) {
        const auto* step = std::get_if<ComputeStep>(&schedule.steps[s]);
        if (step != *next)
            continue;
        ++next;
        const auto addend =
            step->epilogue.addend ? std::optional(place(*step->epilogue.addend)) : std::nullopt;
        rows.emplace(step->layer, place(step->input), place(step->output), addend,
                     schedule.orderOf(s).awaited);
    }
    return 2 * rows.size() > places ? all : rows.size();
}

/// A sequencer's own part: it computes these steps.
device::Resources nestResources(const Schedule& schedule,
                                const std::vector<const ComputeStep*>& computes,
                                std::size_t places) {
    device::Resources area;
    if (computes.empty())
        return area;
    const double tables = computes.size() > 1 ? 1 : 0;
    double loops = 0;
    for (std::size_t loop = 0; loop < kLoops; ++loop) {
        std::int64_t most = 1;
        for (const ComputeStep* step : computes)
            most = std::max(most, boundsOf(schedule, *step)[loop]);
        if (most == 1)
            continue;
        ++loops;
        const double bits = bitsFor(most);
        area.ff += bits * (1 + tables) + 1;
        area.lut += 1.5 * bits;
    }
    double registers = addressBits(schedule); // of what is read
    const double results = addressBits(schedule) + 1;
    std::int64_t weightWords = 0;
    bool pads = false;
    bool adds = false;
    double position = 0;
    for (const ComputeStep* step : computes) {
        weightWords = std::max(weightWords, schedule.unit(step->unit).memoryWords());
        const StoredTensor& input = schedule.tensor(step->input);
        pads |= schedule.unit(step->unit).reduces() && readsOutside(schedule, *step);
        position = std::max<double>(position, bitsFor(input.height) + bitsFor(input.width) + 4);
        adds |= step->epilogue.addend.has_value();
    }
    registers += weightWords > 0 ? bitsFor(weightWords) : 0;
    registers += pads ? position : 0;
    registers += adds ? addressBits(schedule) : 0;
    area.ff += registers * (1 + tables * kFfPerStride * loops) + results * (1 + 2 * tables);
    area.lut += registers * (0.5 + kLutPerStride * loops) + results * 2;
    area.lut += kLutPerCall * static_cast<double>(tableRows(schedule, computes, places) - 1);
    return area;
}

/// One of so many bits.
double lutsToChoose(std::int64_t inputs) {
    return static_cast<double>(device::muxLuts(inputs));
}

/// To bring an address back into a ring: its highest bits are compared and less by a number.
double ringLuts(const Slot& slot) {
    if (!slot.wraps())
        return 0;
    const int low = std::countr_zero(static_cast<std::uint64_t>(slot.depth));
    return 1.5 * (slot.addressBits() - low);
}

/// What a stream moves in a clock, and how its tensor lies in its slot.
struct Moved {
    double chunkBits = 0;     ///< in the slot
    std::int64_t chunks = 1;  ///< of a stored word
    std::int64_t ofPixel = 1; ///< of a pixel
    double beatElements = 1;  ///< of the stream
    double elementBits = 8;   ///< of the stream
    double counterBits = 0;
    bool whole = true; ///< whole beats
};

Moved movedBy(const Schedule& schedule, TensorId id, bool loads) {
    const StoredTensor& tensor = schedule.tensor(id);
    const Slot& slot = schedule.slot(tensor.slot);
    const int bits = 8 * ir::info(tensor.scalar).bytes;
    const std::int64_t elements = loads ? cost::loadElements(tensor.channels, bits)
                                        : cost::storeElements(tensor.channels, bits);
    Moved moved;
    moved.elementBits = bits;
    moved.beatElements = static_cast<double>(64 / bits);
    moved.chunkBits = static_cast<double>(elements * slot.elementBits);
    moved.chunks = std::max<std::int64_t>(1, slot.storedLanes / elements);
    moved.ofPixel = ceilDiv(tensor.channels, elements);
    moved.whole = elements == 64 / bits && tensor.channels % elements == 0;
    const auto counter = [](std::int64_t n) { return n > 1 ? bitsFor(n) : 0; };
    moved.counterBits = counter(moved.chunks) + counter(moved.ofPixel) +
                        counter(schedule.groups * schedule.storedPixels(id)) + slot.addressBits();
    if (schedule.groups > 1) // the group, and its last pixel
        moved.counterBits +=
            counter(schedule.groups) + counter(schedule.groups * schedule.storedPixels(id));
    return moved;
}

device::Resources loadResources(const Schedule& schedule, TensorId id) {
    const Moved moved = movedBy(schedule, id, true);
    const double word =
        moved.chunkBits * static_cast<double>(std::min(moved.chunks, moved.ofPixel));
    const double beats =
        bitsFor(ceilDiv(schedule.groups * schedule.storedPixels(id) * schedule.tensor(id).channels,
                        static_cast<std::int64_t>(moved.beatElements)));
    device::Resources area;
    const Slot& slot = schedule.slot(schedule.tensor(id).slot);
    area.ff = word + moved.counterBits + slot.addressBits() + beats + 3;
    area.lut = moved.counterBits / 2 + beats / 2 + 5 + ringLuts(slot);
    if (!moved.whole) {
        const double stock = (moved.beatElements - 1) * moved.elementBits;
        area.ff += stock + 3;
        area.lut += stock * (moved.chunkBits > moved.elementBits ? 2.4 : 1) + 5;
    }
    return area;
}

device::Resources storeResources(const Schedule& schedule, TensorId id) {
    const Moved moved = movedBy(schedule, id, false);
    const double word = moved.chunkBits * static_cast<double>(moved.chunks);
    constexpr double kBeatBits = 64;
    device::Resources area;
    area.ff = word + kBeatBits + moved.counterBits + 8;
    area.lut = moved.counterBits / 2 + 10 +
               moved.chunkBits * lutsToChoose(std::min(moved.chunks, moved.ofPixel));
    if (!moved.whole) {
        area.ff += kBeatBits + 3;
        area.lut += kBeatBits + 5;
    }
    return area;
}

/// Who reads and writes a slot.
struct SlotUsers {
    std::set<std::size_t> readers; ///< stores and moves by step; all calls of a sequencer are one
    std::set<std::size_t> writers; ///< loads by port, moves by step, units
};

constexpr std::size_t kCalls = std::size_t{1} << 20; ///< beyond all steps

/// By step: the first one whose module it uses. One loads all parts of an input, or of an external
/// value into one slot, and one stores all parts of an output, or of such a value; a mover copies
/// those of a layer.
std::vector<std::size_t> moversOf(const Schedule& schedule) {
    using Mover = std::tuple<bool, bool, std::string, SlotId>;
    std::map<Mover, std::size_t> first;
    std::vector<std::size_t> movers;
    for (const Step& step : schedule.steps) {
        const std::size_t s = movers.size();
        const auto* load = std::get_if<LoadStep>(&step);
        const auto* store = std::get_if<StoreStep>(&step);
        const auto add = [&](const std::string& port, TensorId id, bool external) {
            const Mover mover{load != nullptr, external, port, schedule.tensor(id).slot};
            return first.try_emplace(mover, s).first->second;
        };
        movers.push_back(load != nullptr    ? add(load->port, load->tensor, load->external)
                         : store != nullptr ? add(store->port, store->tensor, store->external)
                                            : s);
    }
    for (const std::vector<std::size_t>& moves : movesOfMovers(schedule))
        for (const std::size_t s : moves)
            movers[s] = moves.front();
    for (const std::vector<std::size_t>& rows : stepsOfRowUnits(schedule))
        for (const std::size_t s : rows)
            movers[s] = rows.front();
    return movers;
}

SlotUsers usersOf(const Schedule& schedule, const std::vector<std::size_t>& movers, SlotId slot) {
    SlotUsers users;
    for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
        const Step& step = schedule.steps[s];
        const auto* compute = std::get_if<ComputeStep>(&step);
        for (const TensorId source : sourcesOf(step))
            if (schedule.tensor(source).slot == slot)
                users.readers.insert(compute ? kCalls + indexOf(sequencerOf(schedule, s))
                                             : movers[s]);
        if (const auto target = targetOf(step); target && schedule.tensor(*target).slot == slot)
            users.writers.insert(compute ? kCalls + compute->unit.index() : movers[s]);
    }
    return users;
}

device::Resources transferResources(const ExternalMemory& memory) {
    constexpr std::int64_t kGroupWords = 32; // 6 bits of so many words take 4 LUTs
    constexpr std::int64_t kGroupBits = 6;
    const std::int64_t bits = 8 * memory.beatBytes;
    const std::int64_t groups =
        ceilDiv(bits, kGroupBits) * ceilDiv(movedBeats(memory), kGroupWords);
    return {0,
            kTransferLut + 4.0 * static_cast<double>(groups) +
                kLutPerMovedByte * static_cast<double>(memory.beatBytes),
            kTransferFf + 3.0 * static_cast<double>(bits), 0};
}

} // namespace

namespace {

/// What queues take beside the sequencers: the step of each, its state, tables of what steps await,
/// and the clocks that a transfer is late.
device::Resources queueResources(const Schedule& schedule, std::size_t places) {
    constexpr double kLateBits = 24;
    constexpr double kStates = 12;
    constexpr double kTables = 4;
    const auto steps = static_cast<double>(places);
    const double stepBits = bitsFor(static_cast<std::int64_t>(places));
    const double counted = places < schedule.steps.size() ? 2 * bitsFor(schedule.groups) + 4 : 0;
    // Which row each step has, in a table of 6-input LUTs.
    const double rows = schedule.groups > 1 ? steps * stepBits / 64 : 0;
    return {0, 1.5 * kLateBits + kStates + kTables * steps / 16 + 2 * rows + counted,
            kLateBits + kStates + 3 * stepBits + counted, 0};
}

} // namespace

device::Resources sequencerResources(const Schedule& schedule) {
    constexpr double kCycleBits = 32;
    constexpr double kStateBits = 20;
    const auto loop = scheduleLoop(schedule);
    const std::size_t places = schedule.steps.size() - (loop ? loop->repeated() : 0);
    device::Resources area;
    // Most places of rounds are like others.
    constexpr std::size_t kFewSteps = 32;
    const auto decoded = static_cast<double>(loop ? std::min(places, kFewSteps) : places);
    area.ff = kCycleBits + kStateBits + bitsFor(std::ssize(schedule.steps)) + decoded;
    area.lut = kCycleBits + kStateBits + 2 * decoded + static_cast<double>(places);
    area += nestResources(schedule, computesOf(schedule, Queue::Calls), places);
    for (std::size_t k = indexOf(Queue::Second); k < kMostQueues; ++k) {
        const auto following = computesOf(schedule, static_cast<Queue>(k));
        area += nestResources(schedule, following, places);
        if (!following.empty())
            area += device::Resources{0, kStateBits, kStateBits, 0};
    }
    if (!schedule.order.empty())
        area += queueResources(schedule, places);
    return area;
}

device::Resources streamResources(const Schedule& schedule) {
    device::Resources area;
    const std::vector<std::size_t> movers = moversOf(schedule);
    for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
        const Step& step = schedule.steps[s];
        if (movers[s] != s)
            continue;
        if (const auto* load = std::get_if<LoadStep>(&step); load)
            area += loadResources(schedule, load->tensor);
        if (const auto* store = std::get_if<StoreStep>(&step); store)
            area += storeResources(schedule, store->tensor);
    }
    if (!schedule.externals.empty())
        area += transferResources(*schedule.memory);
    return area;
}

device::Resources slotChoiceResources(const Schedule& schedule) {
    device::Resources area;
    const std::vector<std::size_t> movers = moversOf(schedule);
    for (const Slot& slot : schedule.slots) {
        const SlotUsers users = usersOf(schedule, movers, slot.id);
        area.lut += static_cast<double>(slot.turns + 1) * ringLuts(slot);
        area.lut += slot.addressBits() * (lutsToChoose(std::ssize(users.readers)) +
                                          lutsToChoose(std::ssize(users.writers)));
        area.lut += static_cast<double>(slot.storedLanes * slot.elementBits) *
                    lutsToChoose(std::ssize(users.writers));
    }
    return area;
}

} // namespace marquetry::design
