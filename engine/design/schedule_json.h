// Schedules as JSON and back, exactly: fromJson(toJson(s)) describes the same steps, bit for bit.
//
// The object is the member "schedule" of DESIGN.json. Ids are the positions in their lists.
// Errors: schedule-form (a member is missing, of the wrong kind, or refers to something that is
// not there), naming the member. Complexity: linear. Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"
#include "engine/support/json.h"
#include "engine/support/result.h"

namespace marquetry::design {

nlohmann::ordered_json toJson(const Schedule& schedule);

Result<Schedule> scheduleFromJson(const nlohmann::ordered_json& json);

} // namespace marquetry::design
