// Extraction over all plans of streamed calls (streams.h).
//
// Thread rule: pure.
#pragma once

#include "engine/extract/extract.h"

namespace marquetry::extract {

/// extract() over all plans. Errors: option-value (--method milp), and those of extractPlan.
Result<ExtractResult> extractStreamed(const rules::Lowered& lowered, const ExtractParams& params,
                                      std::stop_token stop);

} // namespace marquetry::extract
