// Sets of steps in a long period as conditions on few counters.
//
// Layers in time are digits of the step's number in a mixed radix. What depends on them is
// therefore a run of steps, a run that repeats inside another run, and so on: one Phase for each
// digit. Where the radices of two types do not divide one another, a short period is counted anew
// in each longer one. A set that follows no such rule is a Table, if it repeats within
// kLongestTable steps. Complexity: linear in the period, times the primes that divide it and the
// depth. Thread rule: pure.
#pragma once

#include "engine/datapath/datapath.h"

#include <stop_token>

namespace marquetry::datapath {

/// 0, 1, or kAnyBit where it does not matter.
using StepBits = std::vector<std::int8_t>;
inline constexpr std::int8_t kAnyBit = -1;

/// A generator that is as `bits` say in each step of the period bits.size(); nothing where they
/// follow no rule, or `stop` has fired.
std::optional<Cell> stepPattern(const StepBits& bits, const std::stop_token& stop = {});

} // namespace marquetry::datapath
