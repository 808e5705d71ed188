// Why there is no design: the limit, or a minimal set of pins (by deletion filtering).
#pragma once

#include "engine/extract/extract.h"

namespace marquetry::extract {

/// A design that was found but did not fit.
struct Blocked {
    std::string resource;
    double needs = 0;
};

/// "no design fits dsp=N: the smallest needs M"; nullopt when DSP is not what is short.
std::optional<Diagnostic> shortOfDsp(const rules::Lowered& lowered, const ExtractParams& params,
                                     std::stop_token stop);

/// Codes: pin-conflict, limit-convs, limit-dsp, limit-bram, limit-lut, limit-ff, limit-cycles,
/// no-unit.
Diagnostics explainInfeasible(const rules::Lowered& lowered, const ExtractParams& params,
                              const std::vector<Blocked>& blocked, std::stop_token stop);

} // namespace marquetry::extract
