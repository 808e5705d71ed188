#include "engine/design/compare_figures.h"

#include <algorithm>
#include <span>

namespace marquetry::design {

namespace {

using Side = ComparedDesign;
using Number = std::optional<double>;

/// Where one is not of the same kind as the other, neither is better.
enum class Alike { Always, OfRuns, OfClocks, OfDevices };

struct FigureKind {
    const char* key;
    const char* title;
    const char* measure; ///< empty: the kind of the block RAM
    const char* tip;
    Preferred preferred;
    Alike alike;
    Number (*of)(const Side& side);
};

double asNumber(std::int64_t value) {
    return static_cast<double>(value);
}

Number partClocks(const Side& side, ClockPart part) {
    return side.ledger.missing.empty() ? Number(side.ledger.total.of(part)) : std::nullopt;
}

/// A sum over the buffers between calls, or over the weights.
double sumOf(const Design& design, bool weights, double (*of)(const DesignBuffer& buffer)) {
    double sum = 0;
    for (const DesignBuffer& buffer : design.buffers)
        sum += buffer.weights == weights ? of(buffer) : 0;
    return sum;
}

double isExternal(const DesignBuffer& buffer) {
    return buffer.kind == BufferKind::External ? 1 : 0;
}

double bitsOf(const DesignBuffer& buffer) {
    return isExternal(buffer) > 0 ? 0 : asNumber(buffer.words) * asNumber(buffer.width);
}

Number framesEachSecond(const Side& side) {
    const double cycles = side.design.cyclesPerFrame();
    return side.design.clockMhz > 0 && cycles > 0 ? Number(1e6 * side.design.clockMhz / cycles)
                                                  : std::nullopt;
}

Number gapOf(const Side& side) {
    const double cycles = asNumber(side.design.cycles);
    return side.bound && cycles > 0 ? Number(100 * std::max(0.0, cycles - *side.bound) / cycles)
                                    : std::nullopt;
}

Number multipliersOfUnits(const Side& side) {
    std::int64_t multipliers = 0;
    for (const DesignUnit& unit : side.design.units)
        multipliers += unit.multipliers;
    return asNumber(multipliers);
}

Number percentUsed(const Side& side) {
    const auto& used = side.design.utilisation;
    return used ? Number(100 * *used) : std::nullopt;
}

constexpr FigureKind kSpeed[] = {
    {"cycles", "Cycles", "cycles", "Clocks of a run, from the first input to the last output",
     Preferred::Less, Alike::OfRuns,
     [](const Side& side) -> Number { return asNumber(side.design.cycles); }},
    {"frames", "Frames of a run", "frames", "Inputs that one run takes", Preferred::Neither,
     Alike::Always, [](const Side& side) -> Number { return asNumber(side.design.frames); }},
    {"cycles_per_frame", "Cycles of a frame", "cycles", "Cycles of a run ÷ its frames",
     Preferred::Less, Alike::OfClocks,
     [](const Side& side) -> Number { return side.design.cyclesPerFrame(); }},
    {"clock_mhz", "Clock", "MHz", "The clock that the design was searched with", Preferred::Neither,
     Alike::Always,
     [](const Side& side) -> Number {
         return side.design.clockMhz > 0 ? Number(side.design.clockMhz) : std::nullopt;
     }},
    {"frames_per_second", "Frames a second", "frames/s", "Clock ÷ cycles of a frame",
     Preferred::More, Alike::Always, framesEachSecond},
    {"gops", "GOPS", "GOPS", "2 · multiplications of the program ÷ time, at the clock",
     Preferred::More, Alike::Always, [](const Side& side) -> Number { return side.design.gops; }},
    {"bound", "Bound", "cycles",
     "No design within the rules, widths and limits of the search takes fewer clocks a run",
     Preferred::Neither, Alike::Always, [](const Side& side) -> Number { return side.bound; }},
    {"gap_percent", "Gap", "%",
     "(Cycles − bound) ÷ cycles: a design within the same limits saves no greater part of them",
     Preferred::Neither, Alike::Always, gapOf},
    {"utilisation_percent", "Multipliers used", "%",
     "Multiplications on units ÷ (multipliers × cycles)", Preferred::More, Alike::Always,
     percentUsed},
};

constexpr FigureKind kArea[] = {
    {"dsp", "DSP", "DSP", "DSP blocks of the device", Preferred::Less, Alike::OfDevices,
     [](const Side& side) -> Number { return side.design.resources.dsp; }},
    {"bram", "Block RAM", "", "Blocks of the device's block RAM, of units and buffers",
     Preferred::Less, Alike::OfDevices,
     [](const Side& side) -> Number { return side.design.resources.bram; }},
    {"lut", "LUT", "LUT", "LUTs of the device, an estimate", Preferred::Less, Alike::OfDevices,
     [](const Side& side) -> Number { return side.design.resources.lut; }},
    {"ff", "FF", "FF", "Flip-flops of the device, an estimate", Preferred::Less, Alike::OfDevices,
     [](const Side& side) -> Number { return side.design.resources.ff; }},
    {"units", "Units", "units", "Hardware blocks that are built", Preferred::Neither, Alike::Always,
     [](const Side& side) -> Number { return static_cast<double>(side.design.units.size()); }},
    {"multipliers", "Multipliers", "multipliers", "Of all units", Preferred::Neither, Alike::Always,
     multipliersOfUnits},
};

constexpr FigureKind kMemory[] = {
    {"waiting", "Waiting for memory", "cycles",
     "Clocks in which no word is taken, since external weights are not there yet", Preferred::Less,
     Alike::OfRuns, [](const Side& side) { return partClocks(side, ClockPart::Waiting); }},
    {"transfer", "Load and store", "cycles",
     "Clocks in which elements move between a stream and the chip", Preferred::Less, Alike::OfRuns,
     [](const Side& side) { return partClocks(side, ClockPart::Transfer); }},
    {"moves", "Moves", "cycles", "Clocks in which elements are copied between memories",
     Preferred::Less, Alike::OfRuns,
     [](const Side& side) { return partClocks(side, ClockPart::Move); }},
    {"external_weights", "External weights", "tensors",
     "Tensors of weights that come from external memory in every run", Preferred::Less,
     Alike::Always,
     [](const Side& side) -> Number { return sumOf(side.design, true, isExternal); }},
    {"buffers", "Buffers", "buffers", "Memories that hold tensors between calls",
     Preferred::Neither, Alike::Always,
     [](const Side& side) -> Number {
         return sumOf(side.design, false, [](const DesignBuffer&) { return 1.0; });
     }},
    {"buffer_bits", "Bits of buffers", "bits", "Words × width of the buffers on the chip",
     Preferred::Less, Alike::Always,
     [](const Side& side) -> Number { return sumOf(side.design, false, bitsOf); }},
    {"buffer_bram", "Buffer block RAM", "", "Of all block RAM, what the buffers take",
     Preferred::Less, Alike::OfDevices,
     [](const Side& side) -> Number {
         return sumOf(side.design, false, [](const DesignBuffer& buffer) { return buffer.bram; });
     }},
};

Preferred preferredOf(const FigureKind& kind, const Design& a, const Design& b) {
    const bool sameClock = a.clockMhz == b.clockMhz;
    const bool alike = kind.alike == Alike::OfRuns      ? a.frames == b.frames && sameClock
                       : kind.alike == Alike::OfClocks  ? sameClock
                       : kind.alike == Alike::OfDevices ? a.device == b.device
                                                        : true;
    const bool same = a.model == b.model && a.macs == b.macs;
    return alike && same ? kind.preferred : Preferred::Neither;
}

std::string measureOf(const FigureKind& kind, const Side& a, const Side& b) {
    if (*kind.measure != '\0')
        return kind.measure;
    const std::string one = ramKindOf(a.ledger);
    const std::string other = ramKindOf(b.ledger);
    return one == other ? one : one + " / " + other;
}

} // namespace

std::string ramKindOf(const Ledger& ledger) {
    constexpr std::size_t kBlockRam = 1; // after DSP
    return ledger.resources.size() > kBlockRam ? ledger.resources[kBlockRam].name : "block RAM";
}

std::vector<ComparedFigure> comparedFigures(const ComparedDesign& a, const ComparedDesign& b) {
    std::vector<ComparedFigure> figures;
    for (const std::span<const FigureKind> kinds :
         {std::span<const FigureKind>(kSpeed), std::span<const FigureKind>(kArea),
          std::span<const FigureKind>(kMemory)})
        for (const FigureKind& kind : kinds) {
            const ComparedNumber value{kind.of(a), kind.of(b)};
            if (value.a || value.b)
                figures.push_back({kind.key, kind.title, measureOf(kind, a, b), kind.tip,
                                   preferredOf(kind, a.design, b.design), value});
        }
    return figures;
}

} // namespace marquetry::design
