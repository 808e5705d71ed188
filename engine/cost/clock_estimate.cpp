#include "engine/cost/clock_estimate.h"

#include "engine/cost/clock_cells.h"

#include <algorithm>

namespace marquetry::cost {

namespace {

constexpr double kPicosecondsTimesMhz = 1e6;
/// A kernel's cells from one connection to the next: an operand through a sum of 16 bits.
constexpr double kKernelStage = 1226;

/// LUTs in a row of a function of so many inputs.
int lutLevels(int inputs, int lutInputs) {
    int levels = 0;
    for (std::int64_t held = 1; held < inputs; held *= lutInputs)
        ++levels;
    return levels;
}

int logicLevels(const ClockPath& path, const ClockCells& cells) {
    int levels = 0;
    for (const int inputs : path.logic)
        levels += lutLevels(inputs, cells.lutInputs);
    return levels;
}

/// The lowest bit's operand enters the first block, the highest bit leaves the last one.
double sumDelay(int bits, const ClockCells& cells) {
    const int blocks = (bits + cells.carryBits - 1) / cells.carryBits;
    return cells.intoSum + cells.carryBlock * std::max(0, blocks - 2) + cells.outOfSum;
}

double startDelay(PathStart start, const ClockCells& cells) {
    switch (start) {
    case PathStart::BlockRam:
        return cells.ramOut;
    case PathStart::Product:
        return cells.productOut;
    case PathStart::LutRam:
        return cells.lutRamOut;
    case PathStart::Register:
        break;
    }
    return cells.registerOut;
}

double endDelay(PathEnd end, const ClockCells& cells) {
    switch (end) {
    case PathEnd::Control:
        return cells.control;
    case PathEnd::RamAddress:
        return cells.ramAddress;
    case PathEnd::RamData:
        return cells.ramData;
    case PathEnd::LutRamRead:
        return cells.lutRamRead;
    case PathEnd::LutRamWrite:
        return cells.lutRamWrite;
    case PathEnd::Multiplier:
        return cells.multiplierIn;
    case PathEnd::Register:
        break;
    }
    return cells.setup;
}

double kernelScale(const ClockCells& cells) {
    return cells.lut / clockCells("xc7")->lut;
}

double cellDelays(const ClockPath& path, const ClockCells& cells) {
    if (path.kernel > 0)
        return path.kernel * kernelScale(cells);
    if (path.multiplies)
        return cells.multiplier;
    double delay = startDelay(path.start, cells) + endDelay(path.end, cells) +
                   cells.lut * logicLevels(path, cells);
    for (const int bits : path.sums)
        delay += sumDelay(bits, cells);
    return delay;
}

/// A register takes its LUT's output where it stands; all else is reached by a wire.
double wiresOf(const ClockPath& path, const ClockCells& cells) {
    if (path.kernel > 0)
        return cells.wire * std::max(1.0, path.kernel / kKernelStage);
    if (path.multiplies)
        return 0;
    const int inside = logicLevels(path, cells) + static_cast<int>(path.sums.size());
    const bool leaves = path.end != PathEnd::Register || inside == 0;
    return cells.wire * (inside + (leaves ? 1 : 0));
}

} // namespace

double delayOf(const ClockPath& path, const std::string& family) {
    const ClockCells* const cells = clockCells(family);
    return cells ? cellDelays(path, *cells) + wiresOf(path, *cells) : 0;
}

double cellsOf(const ClockPath& path, const std::string& family) {
    const ClockCells* const cells = clockCells(family);
    return cells ? cellDelays(path, *cells) : 0;
}

double kernelWithin(const std::string& family, double mhz) {
    const ClockCells* const cells = clockCells(family);
    if (!cells)
        return 0;
    const double period = kPicosecondsTimesMhz / mhz;
    const double staged = period / (kernelScale(*cells) + cells->wire / kKernelStage);
    const double single = (period - cells->wire) / kernelScale(*cells);
    return std::max(0.0, staged < kKernelStage ? single : staged);
}

ClockEstimate notEstimated(const std::string& why) {
    ClockEstimate estimate;
    estimate.basis = "not estimated: " + why;
    return estimate;
}

ClockEstimate estimateClock(const std::string& family, const std::vector<ClockPath>& paths) {
    const ClockCells* const cells = clockCells(family);
    if (!cells)
        return notEstimated("no delays of cells are known for the family " + family);
    if (paths.empty())
        return notEstimated("no path is known");
    ClockEstimate longest;
    for (const ClockPath& path : paths) {
        const double own = cellDelays(path, *cells);
        const double whole = own + wiresOf(path, *cells);
        longest.cellsPs = std::max(longest.cellsPs, own);
        if (whole <= longest.pathPs)
            continue;
        longest.pathPs = whole;
        longest.path = path.what;
    }
    longest.mhz = kPicosecondsTimesMhz / longest.pathPs;
    longest.basis = std::string(cells->basis);
    return longest;
}

} // namespace marquetry::cost
