// The timetable of a design: when each step of its schedule runs, what it loops over, which
// memories it reads and writes, and what it waits for.
//
// Times are those of predictCycles (design/cycle_model.h). Loops are those of schedule.h, outermost
// first, without those of one iteration: their counts multiply to the clocks in which the step
// takes words, which are its parts but waits, write-back and drain in the ledger.
//
// Units: clocks of a run, words of a memory. Thread rule: value types.
#pragma once

#include "engine/design/ledger.h"
#include "engine/design/schedule.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::design {

struct TimedLoop {
    std::int64_t count = 1;
    std::string over; ///< "rows of conv1", "words of a row of the kernel, 8 channels each"
    bool operator==(const TimedLoop&) const = default;
};

enum class PlaceKind : std::uint8_t { Stream, Slot, Weights, External };

/// What a step reads or writes of a memory, or the stream that it moves.
struct StepPlace {
    PlaceKind kind = PlaceKind::Slot;
    std::string memory; ///< of the slot, the unit or the port
    std::string holds;  ///< the tensor, or "weights"
    std::int64_t firstWord = 0;
    std::int64_t words = 0; ///< 0: not counted in words
    /// Behind the last of so many words the first one comes again; 0: no ring.
    std::int64_t ring = 0;
    std::optional<std::int64_t> firstRow = {}; ///< of a band: of the rows of the whole value
    std::int64_t rows = 1;
    bool operator==(const StepPlace&) const = default;
};

/// The last step of another queue, or of its own, that must have ended before a step begins.
struct StepToken {
    Queue queue = Queue::Calls;
    std::size_t step = 0;
    bool operator==(const StepToken&) const = default;
};

struct TimedStep {
    std::string name; ///< the layer, or the value that a transfer moves
    StepKind kind = StepKind::Call;
    Queue queue = Queue::Calls;
    std::optional<UnitId> unit = {};
    std::string unitName;
    std::int64_t turn = 0; ///< it waits for queues from then until it begins
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t memoryWaits = 0; ///< of its clocks, those in which external memory keeps it
    std::int64_t critical = 0;    ///< of its clocks, those in which the run waits for it
    /// By whose end, hand-over or start it begins when it does.
    std::optional<std::size_t> awaited = {};
    std::vector<StepToken> tokens = {};
    std::optional<std::int64_t> joinedAfter = {}; ///< clocks after the start of the step before it
    std::vector<TimedLoop> loops = {};
    std::vector<StepPlace> reads = {};
    std::vector<StepPlace> writes = {};

    bool isTransfer() const { return kind == StepKind::Load || kind == StepKind::Store; }
    std::int64_t clocks() const { return end - begin; }
    std::int64_t queueWaits() const { return begin - turn; }
    bool operator==(const TimedStep&) const = default;
};

struct Timetable {
    std::string program;
    std::string missing; ///< why there are no steps; empty when there are
    std::int64_t cycles = 0;
    std::int64_t frames = 1; ///< of a run
    std::vector<TimedStep> steps;

    bool operator==(const Timetable&) const = default;
};

} // namespace marquetry::design
