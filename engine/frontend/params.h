// Named parameters of one call, matched with the operator table.
//
// Errors (reported): bad-parameter (unknown, given twice, wrong kind, out of bounds),
// missing-parameter. Thread rule: pure.
#pragma once

#include "engine/frontend/reporter.h"
#include "engine/frontend/syntax.h"
#include "engine/ir/op.h"

#include <map>
#include <optional>

namespace marquetry::frontend {

struct ResolvedParams {
    ir::OpParams values;
    /// Names given where an integer or a weight may stand, by their bits in OpParams::vectors.
    std::map<unsigned, WordSyntax> weights;
};

/// Nothing when a parameter is wrong; it has been reported.
std::optional<ResolvedParams> resolveParams(const ir::OpInfo& op, const ExprSyntax& call,
                                            Reporter& reporter);

} // namespace marquetry::frontend
