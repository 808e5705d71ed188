// What a design was searched with: the settings and the pins, as DESIGN.json keeps them.
//
// In JSON every setting is there, under its option's name where it has one; limits that the device
// has are left out. Times are in seconds, the clock in MHz, the bandwidth in bytes per cycle.
// Errors of choicesFrom: design-form, naming the member. Thread rule: value types; pure.
#pragma once

#include "engine/session/snapshot.h"
#include "engine/support/json.h"
#include "engine/support/result.h"

#include <array>
#include <vector>

namespace marquetry::session {

/// Rule groups that are members of the settings of their own, too, true where they are on: once
/// they were no groups.
inline constexpr std::array kGroupMembers = {"overlap", "streams"};

struct DesignChoices {
    Settings settings;
    std::vector<design::Pin> pins; ///< those in force; without ids
};

/// {"settings": {…}, "pins": […]}
nlohmann::ordered_json toJson(const DesignChoices& choices);

/// Of an object with these members among others. What is not there is as usual.
Result<DesignChoices> choicesFrom(const nlohmann::ordered_json& json);

} // namespace marquetry::session
