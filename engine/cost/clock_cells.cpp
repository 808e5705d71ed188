#include "engine/cost/clock_cells.h"

#include <algorithm>
#include <array>

namespace marquetry::cost {

namespace {

constexpr ClockCells kXc7 = {
    .family = "xc7",
    .lutInputs = 6,
    .lut = 450,
    .registerOut = 303,
    .control = 404,
    .setup = 0,
    .intoSum = 746,
    .carryBits = 4,
    .carryBlock = 114,
    .outOfSum = 334,
    .ramOut = 2454,
    .ramAddress = 566,
    .ramData = 737,
    .lutRamOut = 1188,
    .lutRamRead = 642,
    .lutRamWrite = 654,
    .multiplierIn = 324,
    .multiplier = 2739,
    .productOut = 1671,
    .wire = 450,
    .basis = "cells: Yosys' library of the 7 series, Artix slow corner; wires: assumed, 450 ps a "
             "connection (published paths of Artix-7 give 300 to 540)",
};

/// An assumption, between the delays of two published UltraScale+ paths and of two Artix-7 ones;
/// the library has none of its own.
constexpr double kUltraScale = 0.42;

constexpr ClockCells scaled(ClockCells cells, double by) {
    for (double ClockCells::*const delay :
         {&ClockCells::lut, &ClockCells::registerOut, &ClockCells::control, &ClockCells::setup,
          &ClockCells::intoSum, &ClockCells::carryBlock, &ClockCells::outOfSum, &ClockCells::ramOut,
          &ClockCells::ramAddress, &ClockCells::ramData, &ClockCells::lutRamOut,
          &ClockCells::lutRamRead, &ClockCells::lutRamWrite, &ClockCells::multiplierIn,
          &ClockCells::multiplier, &ClockCells::productOut})
        cells.*delay *= by;
    return cells;
}

constexpr ClockCells ultraScale() {
    ClockCells cells = scaled(kXc7, kUltraScale);
    cells.family = "xcup";
    cells.wire = 250;
    cells.basis = "cells: assumed, 0.42 times those of the 7 series; wires: assumed, 250 ps a "
                  "connection (published paths of UltraScale+ give 120 to 310)";
    return cells;
}

constexpr std::array<ClockCells, 5> kFamilies = {{
    kXc7,
    ultraScale(),
    {
        .family = "ecp5",
        .lutInputs = 4,
        .lut = 430,
        .registerOut = 525,
        .control = 200,
        .setup = 0,
        .intoSum = 516,
        .carryBits = 2,
        .carryBlock = 43,
        .outOfSum = 273,
        .ramOut = 5700,
        .ramAddress = 200,
        .ramData = 200,
        .lutRamOut = 1100,
        .lutRamRead = 430,
        .lutRamWrite = 200,
        .multiplierIn = 0,
        .multiplier = 4500,
        .productOut = 525,
        .wire = 700,
        .basis = "LUTs and carry: Yosys' library of ECP5; registers, block and LUT RAM, "
                 "multipliers and wires (700 ps a connection): assumed",
    },
    {
        .family = "ice40",
        .lutInputs = 4,
        .lut = 1230,
        .registerOut = 1391,
        .control = 530,
        .setup = 0,
        .intoSum = 675,
        .carryBits = 8,
        .carryBlock = 2784,
        .outOfSum = 1500,
        .ramOut = 1179,
        .ramAddress = 384,
        .ramData = 305,
        .lutRamOut = 2600,
        .lutRamRead = 2460,
        .lutRamWrite = 530,
        .multiplierIn = 0,
        .multiplier = 8000,
        .productOut = 1391,
        .wire = 1800,
        .basis =
            "cells: IceStorm's delays of UP5K in Yosys' library, slow corner; multipliers "
            "and LUT RAM: assumed; wires: 1800 ps a connection, as nextpnr routed a small design",
    },
    {
        .family = "arria10",
        .lutInputs = 6,
        .lut = 240,
        .registerOut = 219,
        .control = 268,
        .setup = 268,
        .intoSum = 525,
        .carryBits = 2,
        .carryBlock = 32,
        .outOfSum = 276,
        .ramOut = 1000,
        .ramAddress = 125,
        .ramData = 125,
        .lutRamOut = 700,
        .lutRamRead = 480,
        .lutRamWrite = 268,
        .multiplierIn = 268,
        .multiplier = 1900,
        .productOut = 219,
        .wire = 500,
        .basis = "LUTs, carry and registers: Yosys' library of Cyclone 10 GX, of the same process; "
                 "block and LUT RAM, multipliers and wires (500 ps a connection): assumed",
    },
}};

} // namespace

const ClockCells* clockCells(std::string_view family) {
    const auto found = std::ranges::find(kFamilies, family, &ClockCells::family);
    return found == kFamilies.end() ? nullptr : &*found;
}

} // namespace marquetry::cost
