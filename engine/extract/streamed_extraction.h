// Extraction where calls may be streamed (streams.h): the options and their pins go to the pool
// search, and what it found is explained.
//
// Errors: option-value (--method milp), and those of extract(). Thread rule: pure.
#pragma once

#include "engine/extract/extract.h"

namespace marquetry::extract {

Result<ExtractResult> extractStreamed(const rules::Lowered& lowered, const ExtractParams& params,
                                      std::stop_token stop);

} // namespace marquetry::extract
