// What extraction is asked for and how: an objective, a method and limits, with their names as the
// command line, the settings and reports spell them.
//
// Thread rule: value types.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace marquetry::design {

/// Latency: of a run. Throughput: of a frame, of runs of several frames.
enum class Objective : std::uint8_t { Latency, Throughput, Area, Front };
/// Milp: the pool search's answer is put to CBC as well (extract/milp.h); it certifies small
/// programs only.
enum class SearchMethod : std::uint8_t { Pool, Milp };
/// What a design may take no more of than it is allowed.
enum class LimitKind : std::uint8_t { Dsp, Bram, Lut, Ff, Cycles };

inline constexpr std::array kObjectives = {Objective::Latency, Objective::Throughput,
                                           Objective::Area, Objective::Front};

/// "latency", "throughput", "area", "front"
const char* toString(Objective objective);
std::optional<Objective> objectiveNamed(std::string_view name);

/// "pool", "milp"
const char* toString(SearchMethod method);
std::optional<SearchMethod> searchMethodNamed(std::string_view name);

/// "dsp", "bram", "lut", "ff", "cycles"
const char* toString(LimitKind limit);

} // namespace marquetry::design
