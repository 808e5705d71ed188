// Comparison: two designs of one program side by side, in figures, by layers, by units, and by
// buffers.
//
// A is the design that is looked at, B the other one. Every difference is B − A and every ratio
// B ÷ A: what is below zero, or below one, is less in B. What only one of the two has stands alone
// and has no difference.
//
// Units of measure: cycles of a run, resources as in device/resources.h, words of as many bits as
// they are wide; shares in per cent.
// Thread rule: value types.
#pragma once

#include "engine/design/ledger.h"
#include "engine/device/resources.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::design {

/// A number of either design; none where a design does not say it.
struct ComparedNumber {
    std::optional<double> a = {};
    std::optional<double> b = {};

    std::optional<double> difference() const;
    /// None where A is zero, too.
    std::optional<double> ratio() const;
    bool operator==(const ComparedNumber&) const = default;
};

/// Which of two numbers of a kind one would rather have.
enum class Preferred : std::uint8_t { Less, More, Neither };

struct ComparedFigure {
    std::string key;     ///< in files
    std::string title;   ///< for people
    std::string measure; ///< "cycles", "DSP", "RAMB36", …
    std::string tip;     ///< what it means
    Preferred preferred = Preferred::Neither;
    ComparedNumber value;

    bool operator==(const ComparedFigure&) const = default;
};

/// A layer, or the transfer of a port, in one of the designs.
struct LayerOfDesign {
    std::int64_t cycles = 0;
    std::string bound; ///< "compute", "memory", …; empty: the design does not say it
    std::string unit;  ///< empty: none, of a transfer
    double share = 0;  ///< cycles / all cycles of the run, in per cent
    std::optional<bool> external = {}; ///< where its weights are; none: it has none, or that is
                                       ///< not said

    /// But for the share, in which all other layers have a part.
    bool isLike(const LayerOfDesign& other) const {
        return cycles == other.cycles && bound == other.bound && unit == other.unit &&
               external == other.external;
    }
    bool operator==(const LayerOfDesign&) const = default;
};

struct ComparedLayer {
    std::string name;
    StepKind kind = StepKind::Call;
    std::optional<LayerOfDesign> a = {};
    std::optional<LayerOfDesign> b = {};

    ComparedNumber cycles() const;
    bool operator==(const ComparedLayer&) const = default;
};

/// A unit in one of the designs; what it is has to be equal in both.
struct UnitOfDesign {
    device::Resources resources; ///< with the memory of its weights, which may be another
    std::int64_t calls = 0;
    double busy = 0;                        ///< cycles of its calls / all cycles, in per cent
    std::optional<double> utilisation = {}; ///< in per cent; none without multipliers

    bool operator==(const UnitOfDesign&) const = default;
};

struct ComparedUnit {
    std::string name; ///< "Mv 64×576"
    std::int64_t parallelism = 1;
    std::int64_t lanes = 1;
    std::int64_t writeLanes = 0;
    std::int64_t multipliers = 0;
    std::optional<UnitOfDesign> a = {};
    std::optional<UnitOfDesign> b = {};

    bool operator==(const ComparedUnit&) const = default;
};

/// A memory in one of the designs.
struct BufferOfDesign {
    std::string place; ///< "block RAM", "LUT RAM", "external memory", …
    std::int64_t words = 0;
    std::int64_t width = 0; ///< bits of a word
    std::int64_t banks = 1;
    std::optional<double> bram = {}; ///< blocks; none of weights, which their unit has

    double bits() const { return static_cast<double>(words) * static_cast<double>(width); }
    bool operator==(const BufferOfDesign&) const = default;
};

struct ComparedBuffer {
    std::string name;
    bool weights = false; ///< of a unit; otherwise it holds values between calls
    std::optional<BufferOfDesign> a = {};
    std::optional<BufferOfDesign> b = {};

    ComparedNumber bits() const;
    bool operator==(const ComparedBuffer&) const = default;
};

struct Comparison {
    std::string program;
    std::string nameA; ///< as the design was given
    std::string nameB;
    std::string wordsA; ///< which design it is: cycles, DSP, device, clock, limits
    std::string wordsB;
    std::vector<std::string> notes; ///< what to know before the two are compared; whole sentences
    std::vector<ComparedFigure> figures;
    /// Those of A in the order of their first steps; what only B has follows what it follows in B.
    std::vector<ComparedLayer> layers;
    Preferred ofLayers = Preferred::Less; ///< neither, where their cycles cannot be compared
    std::vector<ComparedUnit> units;      ///< those of both, those of A alone, those of B alone
    std::vector<ComparedBuffer> buffers;  ///< the same

    bool operator==(const Comparison&) const = default;
};

} // namespace marquetry::design
