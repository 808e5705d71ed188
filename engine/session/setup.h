// From settings to the parameters of the engine's steps: the command line and the session agree on
// what an option means because both come through here.
//
// Errors: device-unknown, device-file, limit-unknown, limit-value, group-unknown, option-value.
// Thread rule: pure but for reading a device file.
#pragma once

#include "engine/egraph/saturate.h"
#include "engine/extract/extract.h"
#include "engine/extract/metrics.h"
#include "engine/session/command.h"
#include "engine/session/snapshot.h"

namespace marquetry::session {

struct Setup {
    device::Device device; ///< with clock and bandwidth as asked for
    device::Resources limits;
    rules::LoweringParams lowering;
    egraph::SaturationParams saturation;
    extract::ExtractParams extraction;
};

Result<Setup> makeSetup(const Settings& settings, const std::vector<design::Pin>& pins);

/// Where there is no design because the e-graph was cut short, says so.
void noteOutcome(extract::ExtractResult& result, egraph::StopReason outcome);

/// How to measure an e-graph (extract/metrics.h) beside the front that an extraction found.
extract::MeasureParams measureParams(const Setup& setup, const extract::ExtractResult& found,
                                     std::uint64_t seed);

/// "dsp=100,bram=40" to a map. Keys: dsp, bram, lut, ff, cycles.
Result<std::map<std::string, double>> parseLimits(const std::string& text);

/// True when the change needs another e-graph than `lowered`, which was made with `before`, and not
/// only another extraction. The limit on block RAM does when words of its width are no longer
/// offered.
bool changesEgraph(const rules::Lowered& lowered, const Setup& before, const Setup& after);

/// Whether a rule group, or "sharing", is not switched off.
bool isOn(const Settings& settings, std::string_view group);

Settings withRules(Settings settings, const SwitchRules& command);

/// Those that find the fastest design within these resources, of so many frames in a run. Of a
/// point of the front no other design is as fast within its resources.
Settings fastestOf(Settings settings, const device::Resources& within, std::int64_t frames);

} // namespace marquetry::session
