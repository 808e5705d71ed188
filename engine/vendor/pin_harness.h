// A module around a project's top that has four pins, so that hardware with more ports than a chip
// has pins can be placed and routed by itself.
//
// Pins: the clock, the reset, one bit in and one bit out. Every input of the top is a bit of a
// shift register; its outputs are folded into another one. So each path of the top begins and ends
// at a register beside it, and nothing of it is optimised away. It is for figures; its bits mean
// nothing. Complexity: linear in the bits of the ports. Thread rule: pure.
#pragma once

#include "engine/vendor/project.h"

#include <string>

namespace marquetry::vendor {

struct PinHarness {
    std::string module;
    std::string clock; ///< its port
    std::string verilog;
};

PinHarness pinHarness(const Project& project);

} // namespace marquetry::vendor
