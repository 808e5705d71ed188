// Steps fitted to synthesised memories (cost_correction.h): printed by
// `banked_calibration steps tests/data/banking/synthesis.csv` from the rows that are not held out.
#pragma once

#include "engine/banking/cost_correction.h"

namespace marquetry::banking {

inline constexpr double kLutBase = 0.0498;
inline constexpr std::array<CostStep, 24> kLutSteps = {{
    {0, 0.3631396588486141, -0.0061},  // share of banks
    {0, 0.36739433455299092, -0.0075}, // share of banks
    {0, 0.86024844720496896, 0.0227},  // share of banks
    {2, 0.50967851099830797, 0.0322},  // share of read data
    {4, 0.24538937764744218, -0.004},  // share of routing
    {4, 0.32910689028086482, -0.0378}, // share of routing
    {5, 0.086324701195219122, 0.0073}, // share of write data
    {5, 0.1725637881707246, -0.0166},  // share of write data
    {6, 0.022599591419816139, 0.0058}, // share of load port
    {8, 0.43073316283034951, 0.019},   // share of counted addresses
    {10, 0.22115987460815045, 0.0228}, // share of loop counters
    {11, 24, 0.0084},                  // bits
    {13, 1.5, -0.0615},                // banks that are used
    {13, 5.5, -0.0668},                // banks that are used
    {17, 1.5, -0.0131},                // dimensions
    {20, 3.9375, 0.058},               // LUT RAM, words of a bank / 64
    {20, 6.09375, 0.0179},             // LUT RAM, words of a bank / 64
    {21, 57.5, 0.0243},                // counted amount
    {21, 98, 0.0149},                  // counted amount
    {21, 129.5, 0.0054},               // counted amount
    {21, 240.5, 0.0026},               // counted amount
    {24, 13.5, 0.0217},                // banks that lanes see
    {24, 19.5, 0.0184},                // banks that lanes see
    {28, 5.5, 0.0026},                 // lanes by tables per bank
}};

} // namespace marquetry::banking
