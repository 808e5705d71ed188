// Moves as JSON and back, exactly.
//
// Errors of readMove: an exception that says which member is wrong (json_forms.h). Thread rule:
// pure.
#pragma once

#include "engine/design/move.h"
#include "engine/support/json.h"

namespace marquetry::design {

nlohmann::ordered_json moveJson(const Move& move);
Move readMove(const nlohmann::ordered_json& json);

} // namespace marquetry::design
