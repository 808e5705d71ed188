#include "engine/design/timetable_table.h"
#include "engine/design/timetable_text.h"
#include "engine/support/json.h"

#include <array>

namespace marquetry::design {

namespace {

using StepJson = nlohmann::ordered_json;

StepJson placeJson(const StepPlace& place) {
    constexpr std::array<const char*, 4> kKinds{"stream", "slot", "weights", "external"};
    StepJson json = {{"kind", kKinds[static_cast<std::size_t>(place.kind)]},
                     {"memory", place.memory},
                     {"holds", place.holds}};
    if (place.words > 0) {
        json["first_word"] = place.firstWord;
        json["words"] = place.words;
    }
    if (place.ring > 0)
        json["ring"] = place.ring;
    if (place.firstRow) {
        json["first_row"] = *place.firstRow;
        json["rows"] = place.rows;
    }
    return json;
}

StepJson placesJson(const std::vector<StepPlace>& places) {
    StepJson json = StepJson::array();
    for (const StepPlace& place : places)
        json.push_back(placeJson(place));
    return json;
}

StepJson timedStepJson(const TimedStep& step) {
    StepJson json = {{"name", step.name},
                     {"what", toString(step.kind)},
                     {"queue", queueName(step.queue)},
                     {"unit", step.unit ? StepJson(step.unitName) : StepJson()},
                     {"turn", step.turn},
                     {"begin", step.begin},
                     {"end", step.end},
                     {"critical", step.critical},
                     {"memory_waits", step.memoryWaits},
                     {"awaited", step.awaited ? StepJson(*step.awaited) : StepJson()},
                     {"joined_after", step.joinedAfter ? StepJson(*step.joinedAfter) : StepJson()},
                     {"tokens", StepJson::array()},
                     {"loops", StepJson::array()}};
    for (const StepToken& token : step.tokens)
        json["tokens"].push_back({{"queue", queueName(token.queue)}, {"step", token.step}});
    for (const TimedLoop& loop : step.loops)
        json["loops"].push_back({{"count", loop.count}, {"over", loop.over}});
    json["reads"] = placesJson(step.reads);
    json["writes"] = placesJson(step.writes);
    return json;
}

} // namespace

std::string timetableJson(const Timetable& timetable) {
    StepJson json = {{"program", timetable.program},
                     {"cycles", timetable.cycles},
                     {"frames", timetable.frames},
                     {"missing", timetable.missing},
                     {"steps", StepJson::array()}};
    for (const TimedStep& step : timetable.steps)
        json["steps"].push_back(timedStepJson(step));
    return json.dump(2, ' ', false, StepJson::error_handler_t::replace);
}

} // namespace marquetry::design
