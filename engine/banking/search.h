// The search for bank schemes (background/banking.md, "Search").
//
// The minimum: the fewest banks of any scheme with one copy. For N = lower bound, lower bound + 1,
// … the forms are searched completely: maps with B = 1 as sublattices of index N; flat maps
// with 2 ≤ B ≤ the largest extent and every α in [0, N·B)^n (common factors of α and B are removed:
// they name the same map); hierarchical maps with B_i up to the extent; vectors of at most n flat
// maps with B ≤ 8; XOR-linear maps where N is a power of two. `proof` says why no scheme has fewer
// banks: "lanes", "clique", "colouring" when a lower bound meets the minimum, "exhausted" when
// every smaller N was searched without finding any (`parityExhausted`: XOR-linear maps too), empty
// when a limit stopped that.
//
// Copies are looked for before the long part of that search, in a share of its steps. Besides,
// other schemes worth their cost are collected: more banks, other forms, copies. Every scheme
// returned passed `verify`.
//
// Outcome: Complete, or what stopped the search (the best scheme so far and the bound stay valid).
// Errors: none; `check` finds what is wrong with an input. Deterministic for a step limit.
// Thread rule: pure.
#pragma once

#include "engine/banking/bounds.h"
#include "engine/banking/conflict.h"
#include "engine/banking/scheme.h"
#include "engine/support/limits.h"

#include <stop_token>

namespace marquetry::banking {

struct SearchParams {
    std::int64_t steps = 2'000'000;                 ///< conflict tests; a deterministic limit
    double seconds = 0;                             ///< wall clock; 0: no limit
    std::size_t memoryBytes = std::size_t{1} << 28; ///< for the tables of maps
    std::int64_t maxBanks = kMaxBanks;
    std::int64_t maxCopies = 4;
    int schemesPerForm = 4; ///< kept at each number of banks
};

SearchResult search(const AccessPattern& pattern, const SearchParams& params = {},
                    std::stop_token stop = {});

/// The scheme that a directive fixes, if it is conflict-free with at most `maxCopies` copies (or
/// exactly those of the directive); nothing else.
std::optional<Scheme> fixedScheme(const AccessPattern& pattern, const ir::BankDirective& directive,
                                  std::int64_t maxCopies);

} // namespace marquetry::banking
