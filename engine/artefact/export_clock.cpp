#include "engine/artefact/export_clock.h"

#include "engine/rtl/netlist.h"
#include "engine/support/json.h"
#include "engine/support/numbers.h"

#include <cmath>

namespace marquetry::hdl {

namespace {

constexpr double kPicosecondsPerNanosecond = 1000;

std::string wholeMhz(double mhz) {
    return numberText(std::floor(mhz));
}

} // namespace

bool ExportClock::missed() const {
    return estimate.mhz > 0 && !estimate.meets(requestedMhz);
}

std::string clockLine(const ExportClock& clock) {
    const std::string asked = cat("clock: requested ", numberText(clock.requestedMhz), " MHz, ");
    const cost::ClockEstimate& estimate = clock.estimate;
    if (estimate.mhz <= 0)
        return asked + estimate.basis;
    return cat(asked, "estimated ", wholeMhz(estimate.mhz), " MHz (longest path ",
               roundedText(estimate.pathPs / kPicosecondsPerNanosecond), " ns: ", estimate.path,
               "; ", estimate.basis, ")");
}

std::optional<Diagnostic> clockWarning(const ExportClock& clock) {
    if (!clock.missed())
        return std::nullopt;
    return makeWarning("clock-not-met",
                       cat("the clock of ", numberText(clock.requestedMhz),
                           " MHz is not met by estimate: ", wholeMhz(clock.estimate.mhz),
                           " MHz, limited by ", clock.estimate.path),
                       clock.help);
}

void addClock(nlohmann::ordered_json& json, const ExportClock& clock) {
    const cost::ClockEstimate& estimate = clock.estimate;
    json["clock_mhz"] = clock.requestedMhz;
    json["clock_estimate_mhz"] = nullptr;
    json["path_ps"] = nullptr;
    json["path_cells_ps"] = nullptr;
    json["path"] = nullptr;
    if (estimate.mhz > 0) {
        json["clock_estimate_mhz"] = std::floor(estimate.mhz);
        json["path_ps"] = std::llround(estimate.pathPs);
        json["path_cells_ps"] = std::llround(estimate.cellsPs);
        json["path"] = estimate.path;
    }
    json["path_basis"] = estimate.basis;
}

std::vector<std::vector<std::string>> clockRows(const ExportClock& clock) {
    const cost::ClockEstimate& estimate = clock.estimate;
    if (estimate.mhz <= 0)
        return {{"clock by estimate", "none", estimate.basis}};
    return {{"longest path, ps", std::to_string(std::llround(estimate.pathPs)),
             cat("estimated: ", estimate.path, "; ", estimate.basis)},
            {"longest path without wires, ps", std::to_string(std::llround(estimate.cellsPs)),
             "estimated; may be another path"},
            {"clock by that, MHz", wholeMhz(estimate.mhz),
             clock.missed() ? "estimated: below what is asked for" : "estimated"}};
}

} // namespace marquetry::hdl
