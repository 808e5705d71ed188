// Extraction by one pool search: its solutions, made into designs, and the best of them.
//
// Errors: those of extract(). Thread rule: pure.
#pragma once

#include "engine/extract/extract.h"

#include <map>
#include <memory>

namespace marquetry::extract {

struct PoolExtraction {
    ExtractResult result;
    /// Where calls may be streamed: the best design of each choice of ways, by the calls' ways.
    std::map<WayChoice, std::shared_ptr<const design::Design>> bestOfWays;
    WayChoice chosen;          ///< by call: of the design
    bool waysComplete = true;  ///< every choice of ways that has a solution was tried
    bool unitsComplete = true; ///< every shared unit was tried
};

/// `streams`: the ways of every call; null: none is streamed.
Result<PoolExtraction> extractFromPools(const rules::Lowered& lowered, const ExtractParams& params,
                                        std::shared_ptr<const StreamedCalls> streams,
                                        std::stop_token stop);

} // namespace marquetry::extract
