// Unit terms for tests: every chain of an e-class, and random operands for it.
#pragma once

#include "engine/rules/denotation.h"
#include "engine/support/rng.h"

namespace marquetry::testing {

/// Every chain from the class to a leaf that passes no class twice, in order of e-node ids; at
/// most `limit` of them.
std::vector<rules::UnitTerm> termsOf(const egraph::EGraph& egraph, const rules::Terms& terms,
                                     egraph::EClassId eclass, std::size_t limit);

/// A random chain from the class to a leaf that passes no class twice.
rules::UnitTerm randomTerm(const egraph::EGraph& egraph, const rules::Terms& terms,
                           egraph::EClassId eclass, SplitMix64& rng);

rules::UnitOperands randomOperands(const ir::UnitShape& shape, SplitMix64& rng);

/// The operator a shape stands for, by the operator table; a Map copies.
ir::Tensor plainResult(const ir::UnitShape& shape, const rules::UnitOperands& operands);

} // namespace marquetry::testing
