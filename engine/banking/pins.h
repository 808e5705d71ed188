// A plan under pins (background/banking.md, "Directives").
//
// It has the bound and the proof of the free search. Its front has the schemes of the free search
// that meet the pins, and those of a second search in which the pinned parts stay fixed. The second
// search takes the least N that works unless N is pinned. It tries flat maps over B and α,
// hierarchical maps over the factors of N, blocks and α, sublattices of index N and XOR-linear
// maps. Where the copies alone are pinned, the schemes of the free search suffice if there are any.
//
// Errors: those of plan(); pin-conflict (the pins contradict the item's directive or each other);
// pins-unmet (no scheme meets them within the limits; with the addresses that need more banks when
// N is below the bound). Limits as in SearchParams: steps count for the free search and again for
// the search under pins. Thread rule: pure.
#pragma once

#include "engine/banking/plan.h"
#include "engine/banking/scheme_pins.h"

namespace marquetry::banking {

Result<Plan> plan(const AccessPattern& pattern, const ir::BankDirective& directive,
                  const SchemePins& pins, const device::Device& device,
                  const PlanParams& params = {}, std::stop_token stop = {});

} // namespace marquetry::banking
