// The clock of an export: what is asked for, and what its hardware may reach by estimate.
//
// Units: MHz, ps. Thread rule: pure.
#pragma once

#include "engine/cost/clock_estimate.h"
#include "engine/support/diagnostic.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace marquetry::hdl {

struct ExportClock {
    double requestedMhz = 0; ///< 0: none
    cost::ClockEstimate estimate{};
    /// What to do where it is missed.
    std::string help = "ask for a slower one with --clock, or let place and route decide";

    /// There is an estimate, and it is below what is asked for.
    bool missed() const;
};

/// "clock: requested 150 MHz, estimated 217 MHz (longest path 4.6 ns: the sequencer's weight
/// address; cells: …)".
std::string clockLine(const ExportClock& clock);

/// Of what is missed (clock-not-met).
std::optional<Diagnostic> clockWarning(const ExportClock& clock);

/// `clock_mhz`, `clock_estimate_mhz`, `path_ps`, `path_cells_ps` (without wires), `path`,
/// `path_basis`; without an estimate null, but for the first and the last.
void addClock(nlohmann::ordered_json& json, const ExportClock& clock);

/// Rows of a report's figures: figure, value, basis.
std::vector<std::vector<std::string>> clockRows(const ExportClock& clock);

} // namespace marquetry::hdl
