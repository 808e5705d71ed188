// What the search for bank schemes found, as data (search.h says what it means). Thread rule: value
// types.
#pragma once

#include "engine/banking/pattern.h"
#include "engine/banking/scheme.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::banking {

/// Why no fewer banks do.
enum class BoundProof : std::uint8_t {
    None,
    Lanes,     ///< so many addresses in one cycle
    Clique,    ///< so many addresses each two of which meet in some cycle
    Colouring, ///< a set of addresses that so many banks cannot colour
    Exhausted  ///< every smaller number was searched, in the forms that proofName names
};
/// "lanes", "clique", "colouring", "exhausted", "".
std::string toString(BoundProof proof);

struct Bound {
    std::int64_t banks = 1;
    BoundProof by = BoundProof::Lanes; ///< one of addresses
    std::vector<Address> addresses;    ///< that need them
};

enum class SearchOutcome { Complete, StepLimit, TimeLimit, MemoryLimit, Cancelled };
std::string toString(SearchOutcome outcome);

struct SearchResult {
    std::optional<Scheme> minimal; ///< with one copy; nothing when none was found
    std::int64_t minBanks = 0;     ///< of it; 0: none
    Bound bound;
    BoundProof proof = BoundProof::None; ///< that minBanks is the least number
    bool parityExhausted = true;         ///< every smaller power of two was searched for parities
    std::vector<Scheme> schemes; ///< conflict-free, the minimal one among them, no two equal
    SearchOutcome outcome = SearchOutcome::Complete;
    std::int64_t tests = 0;

    bool proved() const { return proof != BoundProof::None; }
};

/// The proof with the forms that were searched: "lanes", "exhausted:flat,hierarchical,lattice,xor".
std::string proofName(const SearchResult& found);
/// Among which schemes minBanks is the least number: "any scheme", "flat, hierarchical, lattice and
/// xor schemes"; empty when it is not proven.
std::string provedAmong(const SearchResult& found);

} // namespace marquetry::banking
