// Pins on the banks of one array: what a user fixes without writing a directive into the file
// (background/banking.md, "Directives").
//
// Every field is free until it is set; the whole scheme or any part of it may be set. A plan under
// pins has the bound and the proof of the free search. Its front has the schemes of the free search
// that meet the pins, and those of a second search in which the pinned parts stay fixed. The second
// search takes the least N that works unless N is pinned. It tries flat maps over B and α,
// hierarchical maps over the factors of N, blocks and α, and sublattices of index N.
//
// Errors: those of plan(); pin-conflict (the pins contradict the item's directive or each other);
// pins-unmet (no scheme meets them within the limits; with the addresses that need more banks when
// N is below the bound). Limits as in SearchParams: steps count for the free search and again for
// the search under pins. Thread rule: pure.
#pragma once

#include "engine/banking/plan.h"

namespace marquetry::banking {

struct SchemePins {
    std::vector<ir::FlatMap> maps; ///< the whole scheme; empty: free
    std::optional<Kind> kind;
    std::int64_t banks = 0;  ///< N of one copy; 0: free
    std::int64_t block = 0;  ///< B of every map; 0: free
    Address alpha;           ///< of a flat map, one per dimension; empty: free
    std::int64_t copies = 0; ///< 0: free
    bool operator==(const SchemePins&) const = default;

    bool free() const { return *this == SchemePins(); }
};

bool meets(const Scheme& scheme, const SchemePins& pins);

/// "flat, N = 9, alpha = (3, 2)"; empty when everything is free.
std::string text(const SchemePins& pins);

Result<Plan> plan(const Pattern& pattern, const ir::BankDirective& directive,
                  const SchemePins& pins, const device::Device& device,
                  const PlanParams& params = {}, std::stop_token stop = {});

} // namespace marquetry::banking
