// Extraction over all plans of streamed calls (streams.h), and extraction for one plan.
//
// Thread rule: pure.
#pragma once

#include "engine/extract/extract.h"

namespace marquetry::extract {

/// extract() with the streamed calls given by params.streamed (empty: none).
Result<ExtractResult> extractPlan(const rules::Lowered& lowered, const ExtractParams& params,
                                  std::stop_token stop);

/// extract() over all plans. Errors: option-value (--method milp), and those of extractPlan.
Result<ExtractResult> extractStreamed(const rules::Lowered& lowered, const ExtractParams& params,
                                      std::stop_token stop);

/// a is the better answer to the objective; ties keep the earlier one.
bool better(const design::Design& a, const design::Design& b, const ExtractParams& params);

void markFront(std::vector<design::DesignPoint>& points);

} // namespace marquetry::extract
