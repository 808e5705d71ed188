// From accesses to a decision about banks (background/banking.md, "Search", "Directives").
//
// A plan has the schemes that are worth their cost, the cheapest of them first, and the proof why
// fewer banks cannot do. It also has schemes near the chosen one that fail, each with the moment at
// which it does.
//
// Errors: bad-parameter; too-many-banks (of a directive); no-scheme (none within the limits on
// banks and copies); bank-conflict (the directive's scheme, with the moment at which it fails);
// too-many-words (of a directive); undecided (neither is known: accesses are unresolved).
// Thread rule: pure.
#pragma once

#include "engine/banking/cost.h"
#include "engine/banking/plan_result.h"
#include "engine/banking/search.h"

namespace marquetry::banking {

struct PlanParams {
    SearchParams search;
    int neighbours = 4; ///< rejected schemes to explain
};

/// What is wrong with the parameters or with the shape of the pattern.
Status check(const AccessPattern& pattern, const PlanParams& params);

/// Says why `what` is not known of a pattern with unresolved accesses.
Diagnostic undecided(const AccessPattern& pattern, const std::string& what);

/// `directive` is the item's, empty when everything is free.
Result<Plan> plan(const AccessPattern& pattern, const ir::BankDirective& directive,
                  const device::Device& device, const PlanParams& params = {},
                  std::stop_token stop = {});

/// Schemes near `scheme` that fail, each with its witness: one bank less, other blocks, one
/// dimension only.
std::vector<Rejected> rejectedNeighbours(const AccessPattern& pattern, const Scheme& scheme,
                                         int most);

} // namespace marquetry::banking
