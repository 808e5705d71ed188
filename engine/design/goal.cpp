#include "engine/design/goal.h"

#include <array>

namespace marquetry::design {

namespace {

constexpr std::array kObjectiveNames = {"latency", "throughput", "area", "front"};
constexpr std::array kMethods = {"pool", "milp"};
constexpr std::array kLimits = {"dsp", "bram", "lut", "ff", "cycles"};

/// The value whose name it is; values count from 0.
template <class Value, std::size_t count>
std::optional<Value> named(const std::array<const char*, count>& names, std::string_view name) {
    for (std::size_t k = 0; k < count; ++k)
        if (name == names[k])
            return static_cast<Value>(k);
    return std::nullopt;
}

} // namespace

const char* toString(Objective objective) {
    return kObjectiveNames[static_cast<std::size_t>(objective)];
}

std::optional<Objective> objectiveNamed(std::string_view name) {
    return named<Objective>(kObjectiveNames, name);
}

const char* toString(SearchMethod method) {
    return kMethods[static_cast<std::size_t>(method)];
}

std::optional<SearchMethod> searchMethodNamed(std::string_view name) {
    return named<SearchMethod>(kMethods, name);
}

const char* toString(LimitKind limit) {
    return kLimits[static_cast<std::size_t>(limit)];
}

} // namespace marquetry::design
