// Extraction when it is known which calls are streamed, and how fast.
//
// Thread rule: pure.
#pragma once

#include "engine/extract/extract.h"

namespace marquetry::extract {

/// extract() with the streamed calls given by params.streamed (empty: none).
Result<ExtractResult> extractPlan(const rules::Lowered& lowered, const ExtractParams& params,
                                  std::stop_token stop);

} // namespace marquetry::extract
