// Named parameters of one call, matched with the operator table.
//
// Errors (reported): bad-parameter (unknown, given twice, wrong kind, out of bounds),
// missing-parameter. Thread rule: pure.
#pragma once

#include "engine/frontend/reporter.h"
#include "engine/frontend/syntax.h"
#include "engine/ir/op.h"

#include <optional>

namespace marquetry::frontend {

struct ResolvedParams {
    ir::OpParams values;
    /// The name given where an integer or a weight may stand.
    std::optional<WordSyntax> weight;
};

/// Nothing when a parameter is wrong; it has been reported.
std::optional<ResolvedParams> resolveParams(const ir::OpInfo& op, const ExprSyntax& call,
                                            Reporter& reporter);

} // namespace marquetry::frontend
