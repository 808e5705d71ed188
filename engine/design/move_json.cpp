#include "engine/design/move_json.h"

#include "engine/design/json_forms.h"

namespace marquetry::design {

namespace {

using Json = nlohmann::ordered_json;

/// A loop is [count, stride].
Json walkJson(const Walk& walk) {
    Json loops = Json::array();
    for (const WalkLoop& loop : walk.loops)
        loops.push_back(Json::array({loop.count, loop.stride}));
    return {{"start", walk.start}, {"loops", std::move(loops)}};
}

Walk readWalk(const Json& json) {
    Walk walk;
    walk.start = forms::countOf(json, "start", 0);
    for (const Json& loop : json.at("loops")) {
        if (!loop.is_array() || loop.size() != 2)
            throw forms::FormError("a loop is " + loop.dump());
        walk.loops.push_back({forms::countOf({{"count", loop[0]}}, "count", 1),
                              forms::countOf({{"stride", loop[1]}}, "stride", 0)});
    }
    return walk;
}

} // namespace

Json moveJson(const Move& move) {
    return {{"run", move.run},
            {"together", move.together},
            {"from", walkJson(move.source)},
            {"to", walkJson(move.target)}};
}

Move readMove(const Json& json) {
    Move move;
    move.run = forms::countOf(json, "run", 1);
    move.together = forms::countOf(json, "together", 1);
    move.source = readWalk(json.at("from"));
    move.target = readWalk(json.at("to"));
    return move;
}

} // namespace marquetry::design
