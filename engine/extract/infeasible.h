// Why there is no design: the limit, or a minimal set of pins (by deletion filtering).
#pragma once

#include "engine/extract/extract.h"

namespace marquetry::extract {

/// "no design fits dsp=N: the smallest needs M"; nullopt when DSP is not what is short.
std::optional<Diagnostic> shortOfDsp(const rules::Lowered& lowered, const ExtractParams& params,
                                     std::stop_token stop);

/// Where calls may be streamed: `plans` of which every other one streams a part, and whether they
/// are all. params.streamed is not looked at.
struct StreamedWays {
    std::vector<StreamPlan> plans;
    bool all = true; ///< false: "the smallest found needs M"
};

/// Codes: pin-conflict, limit-convs, limit-dsp, limit-bram, limit-lut, limit-ff, limit-cycles,
/// no-unit.
Diagnostics explainInfeasible(const rules::Lowered& lowered, const ExtractParams& params,
                              const StreamedWays& ways, const std::vector<Blocked>& blocked,
                              std::stop_token stop);

/// limit-time
Diagnostic outOfTime();

} // namespace marquetry::extract
