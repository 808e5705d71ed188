// The ledger of a design: where its clocks go, and what uses the device.
//
// Every clock of a step is of one part:
//   multiplying  the clocks that the program's multiplications would take if each multiplier of the
//                unit had one in every clock: multiplications ÷ multipliers
//   padding      the other clocks in which such a unit takes words: some of its multipliers meet
//                rows, lanes or channels that the layer does not have
//   elements     what has no multipliers takes words: pools, passes, functions of rows, streams
//   transfer     elements move between a stream and a slot
//   move         runs are copied from a slot to another, or to the weights of a unit
//   write-back   no word is taken, since the results of the reduction before still leave
//   waiting      no word is taken, since external weights are not there yet
//   drain        set-up of the step, and its pipeline after the last word
// Where several steps run in a clock, it counts for the one that the run waits for
// (design/cycle_model.h, criticalClocks); of the others it is `overlap`: cycles = Σ parts −
// overlap. So the cycles of all rows are those that the cycle model predicts, to the clock, and
// what takes the most of them is what is to be made faster: a step without cycles may take longer
// without the run taking longer.
//
// Units: clocks of a run, multiplications of all its frames, resources as in device/resources.h.
// Thread rule: value types.
#pragma once

#include "engine/design/schedule.h"
#include "engine/device/resources.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::design {

enum class ClockPart : std::uint8_t {
    Multiplying,
    Padding,
    Elements,
    Transfer,
    Move,
    WriteBack,
    Waiting,
    Drain,
};
inline constexpr std::size_t kClockParts = 8;

struct LedgerClocks {
    std::int64_t taking = 0; ///< units with multipliers take words: multiplying and padding
    double multiplying = 0;
    std::int64_t elements = 0;
    std::int64_t transfer = 0;
    std::int64_t move = 0;
    std::int64_t writeBack = 0;
    std::int64_t waiting = 0;
    std::int64_t drain = 0;
    std::int64_t overlap = 0;
    std::int64_t multiplications = 0; ///< that the results need, on multipliers

    double padding() const { return static_cast<double>(taking) - multiplying; }
    /// With those in which the run waits for another step.
    std::int64_t alone() const {
        return taking + elements + transfer + move + writeBack + waiting + drain;
    }
    /// In which the run waits for it.
    std::int64_t cycles() const { return alone() - overlap; }
    double of(ClockPart part) const;
    LedgerClocks& operator+=(const LedgerClocks& other);
    bool operator==(const LedgerClocks&) const = default;
};

/// Where the weights of a layer are, and why.
struct LedgerWeights {
    bool external = false;
    std::int64_t words = 0; ///< of `bits` bits each
    std::int64_t bits = 0;
    std::string why;
    bool operator==(const LedgerWeights&) const = default;
};

enum class StepKind : std::uint8_t { Load, Call, Move, Rows, Store, Sum };

/// A step of the schedule, all steps of a layer, or the sum of all.
struct LedgerRow {
    std::string name; ///< the layer, or the port of a transfer
    StepKind kind = StepKind::Call;
    std::optional<UnitId> unit = {}; ///< none of a transfer
    std::string unitName;
    std::int64_t begin = 0; ///< of its first step, from the start of the run
    LedgerClocks clocks;
    ClockPart bound = ClockPart::Multiplying; ///< what it is bound by
    std::optional<LedgerWeights> weights = {};

    bool isTransfer() const { return kind == StepKind::Load || kind == StepKind::Store; }
    bool operator==(const LedgerRow&) const = default;
};

/// All steps of a unit.
struct LedgerUnit {
    UnitId unit;
    std::string name;
    std::int64_t multipliers = 0;
    LedgerClocks clocks;
    bool operator==(const LedgerUnit&) const = default;
};

/// What a unit or a memory takes of a resource.
struct ResourceUser {
    std::string name;
    double amount = 0;
    bool operator==(const ResourceUser&) const = default;
};

struct LedgerResource {
    std::string name; ///< "DSP", "M20K", "LUT", "FF"
    double used = 0;
    double limit = 0;                ///< in force
    double device = 0;               ///< that the device has
    std::vector<ResourceUser> users; ///< the greatest first; together `used`

    double share() const { return limit > 0 ? used / limit : 0; }
    bool operator==(const LedgerResource&) const = default;
};

/// What holds the design back.
struct LedgerBinding {
    ClockPart part = ClockPart::Multiplying; ///< that takes the most cycles
    std::string row;                         ///< that has the most of them
    std::string text;                        ///< whole sentences
    bool operator==(const LedgerBinding&) const = default;
};

/// The rows that are looked at.
enum class LedgerRows : std::uint8_t { Layers, Steps };

struct Ledger {
    std::string program;
    std::string missing; ///< why there are no rows; empty when there are
    std::int64_t cycles = 0;
    std::int64_t frames = 1;       ///< of a run
    std::vector<LedgerRow> layers; ///< loads, layers in the order of their first steps, stores
    std::vector<LedgerRow> steps;  ///< of the schedule, in its order
    LedgerClocks total;
    std::vector<LedgerUnit> units;         ///< of the design, in its order
    std::vector<LedgerResource> resources; ///< DSP, block RAM, LUT, FF
    LedgerBinding binding;

    const std::vector<LedgerRow>& rows(LedgerRows which) const {
        return which == LedgerRows::Layers ? layers : steps;
    }
    double share(const LedgerRow& row) const;
    bool operator==(const Ledger&) const = default;
};

/// "multiplying", "padding", …: what the clocks are spent on.
std::string toString(ClockPart part);
/// "compute", "padding", "memory", …: what a row is then bound by.
std::string boundName(ClockPart part);
/// "load", "call", "move", "rows", "store"; nothing of a sum.
std::string toString(StepKind kind);

} // namespace marquetry::design
