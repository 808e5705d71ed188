// Why there is no design: the limit, or a minimal set of pins (by deletion filtering).
#pragma once

#include "engine/extract/extract.h"

namespace marquetry::extract {

/// "no design fits dsp=N: the smallest needs M"; nullopt when DSP is not what is short. No call is
/// streamed.
std::optional<Diagnostic> shortOfDsp(const rules::Lowered& lowered, const ExtractParams& params,
                                     std::stop_token stop);

/// `streams`: the ways of every call; null: none is streamed. Codes: pin-conflict, limit-convs,
/// limit-dsp, limit-bram, limit-lut, limit-ff, limit-cycles, no-unit.
Diagnostics explainInfeasible(const rules::Lowered& lowered, const ExtractParams& params,
                              std::shared_ptr<const StreamedCalls> streams,
                              const std::vector<Blocked>& blocked, std::stop_token stop);

/// limit-time
Diagnostic outOfTime();

} // namespace marquetry::extract
