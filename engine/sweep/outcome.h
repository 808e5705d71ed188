// What was found at a point of a sweep, and how it is found: a design by an exploration, a circuit
// of a stream by a schedule.
//
// That there is none within the limits, or none at a throughput, is an outcome. Errors are about
// the point itself: those of session/explore.h and of reading files of devices, and sweep-form (a
// design where the item is a stream, or the reverse).
// Cancel: through the stop_token. Thread rule: value types; pure but for reading files of devices.
#pragma once

#include "engine/session/explore.h"
#include "engine/support/json.h"
#include "engine/sweep/grid.h"
#include "engine/sweep/item.h"

#include <optional>
#include <string>

namespace marquetry::sweep {

/// Where there is no design or circuit, the figures are none.
struct Outcome {
    std::string status;             ///< optimal, feasible, infeasible
    std::string message;            ///< why there is no design, or why it cannot be exported
    std::optional<bool> exportable; ///< nothing: not known
    std::int64_t cycles = 0;        ///< of a run, or of a frame of a stream
    std::optional<std::int64_t> lowerBound; ///< of the cycles of a design
    device::Resources resources; ///< of a stream: of its hardware, as far as that is estimated
    double clockMhz = 0;
    std::optional<double> gops; ///< of a design
    std::optional<double> utilisation;
    std::int64_t frames = 1;               ///< of a run
    std::optional<std::int64_t> latency{}; ///< of a stream's hardware, in clocks
    std::optional<std::int64_t> pathPs{};  ///< of a stream's hardware: the longest path, cells only

    bool hasDesign() const { return cycles > 0; }
    double cyclesPerFrame() const {
        return static_cast<double>(cycles) / static_cast<double>(frames);
    }
    bool operator==(const Outcome&) const = default;
};

Outcome outcomeOf(const session::Exploration& exploration);

/// Explores or schedules the item.
Result<Outcome> computed(const SweptItem& item, const GridPoint& point, std::stop_token stop = {});

nlohmann::ordered_json toJson(const Outcome& outcome);
/// What is not there, or of another kind, is none.
Outcome outcomeFrom(const nlohmann::ordered_json& json);

} // namespace marquetry::sweep
