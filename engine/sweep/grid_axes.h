// The options that a grid takes: their keys, the items that they are of, and their values.
//
// Thread rule: pure but for reading files of devices.
#pragma once

#include "engine/support/json.h"
#include "engine/sweep/grid.h"

#include <span>

namespace marquetry::sweep {

enum class AxisOf : std::uint8_t { Both, Designs, Streams };

struct GridAxis {
    const char* key;
    AxisOf of;
    /// Puts what the option takes into a point. Yields what was expected instead, or nothing.
    std::string (*put)(const nlohmann::ordered_json& value, GridPoint& point);

    bool isOf(frontend::ItemKind kind) const {
        return of == AxisOf::Both ||
               (of == AxisOf::Streams) == (kind == frontend::ItemKind::Stream);
    }
};

/// In the order of the points.
std::span<const GridAxis> axes();

/// The point of a grid without keys.
GridPoint usualPoint(frontend::ItemKind kind);

/// What the engine says of a point, before anything is computed.
Status checkPoint(const GridPoint& point);

} // namespace marquetry::sweep
