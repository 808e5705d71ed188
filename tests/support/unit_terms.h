// Unit terms for tests: every chain of an e-class, and random operands for it.
#pragma once

#include "engine/egraph/rewrite.h"
#include "engine/rules/lowering.h"
#include "engine/support/rng.h"
#include "tests/oracles/denotation.h"

#include <memory>
#include <string>
#include <vector>

namespace marquetry::test {

/// The operators of unit terms; they do not depend on a program.
const rules::TermLanguage& unitTerms();

/// An empty e-graph of unit terms, and the rules of a menu.
struct UnitSpace {
    explicit UnitSpace(const rules::Menu& menu);

    /// One iteration of one rule. True when it changed something.
    bool step(const std::string& rule);

    std::shared_ptr<rules::Facts> facts;
    egraph::EGraph egraph;
    std::vector<egraph::Rewrite> rewrites;
};

/// Every chain from the class to a leaf that passes no class twice, in order of e-node ids; at
/// most `limit` of them.
std::vector<rules::UnitTerm> termsOf(const egraph::EGraph& egraph, const rules::TermLanguage& terms,
                                     egraph::EClassId eclass, std::size_t limit);

/// A random chain from the class to a leaf that passes no class twice.
rules::UnitTerm randomTerm(const egraph::EGraph& egraph, const rules::TermLanguage& terms,
                           egraph::EClassId eclass, SplitMix64& rng);

rules::UnitOperands randomOperands(const ir::UnitShape& shape, SplitMix64& rng);

/// The operator a shape stands for, by the operator table; a Map copies.
ir::Tensor plainResult(const ir::UnitShape& shape, const rules::UnitOperands& operands);

/// Every term on the same random operands against the operator.
void expectAllEqual(const std::vector<rules::UnitTerm>& terms, const ir::UnitShape& shape,
                    SplitMix64& rng);

} // namespace marquetry::test
