#include "engine/banking/search.h"

#include "engine/banking/copies_search.h"
#include "engine/banking/derive.h"
#include "engine/banking/lattice.h"
#include "engine/banking/map_table.h"
#include "engine/banking/parity_search.h"
#include "engine/support/assert.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <numeric>
#include <utility>

namespace marquetry::banking {

namespace {

using Clock = std::chrono::steady_clock;
using MapList = std::vector<ir::FlatMap>;

/// In the place of the number of banks with which one copy does, where that is not known.
constexpr std::int64_t kUnknownBanks = 33;

class Searcher {
public:
    Searcher(const AccessPattern& pattern, const SearchParams& params, std::stop_token stop)
        : pattern_(pattern), params_(params), stop_(std::move(stop)), started_(Clock::now()) {
        order_.resize(pattern.collisions.size());
        std::iota(order_.begin(), order_.end(), std::size_t{0});
    }

    SearchResult run() {
        result_.bound = laneBound(pattern_);
        findMinimum();
        if (result_.minBanks > 0)
            collectLarger();
        collectCopies(result_.minBanks > 0 ? result_.minBanks : kUnknownBanks);
        std::ranges::move(withCopies_, std::back_inserter(result_.schemes));
        result_.outcome = pattern_.late && outcome_ == SearchOutcome::Complete
                              ? SearchOutcome::TimeLimit
                              : outcome_;
        return std::move(result_);
    }

private:
    // --- limits

    /// False: a limit was reached.
    bool spend(std::int64_t tests) {
        if (halted_ || result_.tests + tests > allowed_) {
            halted_ = true;
            return false;
        }
        result_.tests += tests;
        if ((result_.tests >> 10) != checked_) {
            checked_ = result_.tests >> 10;
            const std::chrono::duration<double> passed = Clock::now() - started_;
            if (stop_.stop_requested())
                halt(SearchOutcome::Cancelled);
            else if (params_.seconds > 0 && passed.count() > params_.seconds)
                halt(SearchOutcome::TimeLimit);
        }
        return !halted_;
    }

    void halt(SearchOutcome outcome) {
        outcome_ = outcome;
        halted_ = true;
        final_ = true;
    }

    /// Lets the next part of the search take `tests`, at most what is left.
    void allow(std::int64_t tests) {
        halted_ = final_;
        allowed_ = std::min(params_.steps, result_.tests + tests);
    }

    // --- tests

    bool separates(Maps maps, const Collision& collision) const {
        return !collides(maps, collision);
    }

    /// Collisions that rejected a scheme lately are tried first.
    bool conflictFree(Maps maps) {
        for (std::size_t k = 0; k < order_.size(); ++k) {
            if (separates(maps, pattern_.collisions[order_[k]]))
                continue;
            std::rotate(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(k),
                        order_.begin() + static_cast<std::ptrdiff_t>(k) + 1);
            return false;
        }
        return true;
    }

    bool latticeConflictFree(const HermiteForm& lattice) {
        for (std::size_t k = 0; k < order_.size(); ++k) {
            const Collision& collision = pattern_.collisions[order_[k]];
            const bool together = std::ranges::all_of(
                collision.deltas, [&](const Address& delta) { return contains(lattice, delta); });
            if (!together)
                continue;
            std::rotate(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(k),
                        order_.begin() + static_cast<std::ptrdiff_t>(k) + 1);
            return false;
        }
        return true;
    }

    /// Keeps a conflict-free scheme; false: enough of them.
    void accept(const MapList& maps) {
        Scheme scheme = derive(maps, pattern_.dims);
        const bool known = std::ranges::any_of(
            result_.schemes, [&](const Scheme& s) { return s.maps == scheme.maps; });
        if (known || verify(scheme))
            return;
        ++accepted_;
        if (!result_.minimal || scheme.banks() < result_.minimal->banks())
            result_.minimal = scheme;
        result_.schemes.push_back(std::move(scheme));
    }

    // --- the forms; each yields whether it was searched to the end

    bool lattices(std::int64_t banks, int want) {
        accepted_ = 0;
        bool complete = true;
        forEachSublattice(pattern_.dims.size(), banks, [&](const HermiteForm& lattice) {
            if (!spend(1)) {
                complete = false;
                return false;
            }
            if (!latticeConflictFree(lattice))
                return true;
            if (isDiagonal(lattice) && pattern_.dims.size() > 1)
                accept(hierarchicalMaps(lattice));
            accept(mapsOf(lattice));
            return accepted_ < want;
        });
        return complete;
    }

    bool flats(std::int64_t banks, int want) {
        accepted_ = 0;
        const std::int64_t widest = *std::ranges::max_element(pattern_.dims);
        for (std::int64_t block = 2; block <= widest; ++block) {
            ir::FlatMap map{std::vector<std::int64_t>(pattern_.dims.size()), block, banks};
            const std::int64_t modulus = banks * block;
            while (true) {
                std::int64_t g = block;
                for (const std::int64_t a : map.alpha)
                    g = std::gcd(g, a);
                if (g == 1) {
                    if (!spend(1))
                        return false;
                    if (conflictFree({&map, 1})) {
                        accept({map});
                        if (accepted_ >= want)
                            return true;
                    }
                }
                std::size_t d = map.alpha.size();
                while (d > 0 && ++map.alpha[d - 1] == modulus)
                    map.alpha[--d] = 0;
                if (d == 0)
                    break;
            }
        }
        return true;
    }

    /// XOR-linear maps, where `banks` is a power of two.
    bool parities(std::int64_t banks, int want) {
        if ((banks & (banks - 1)) != 0 || banks > kMaxBanks)
            return true;
        if (!paritySearch_)
            paritySearch_.emplace(pattern_, [this](std::int64_t cost) { return spend(cost); });
        for (const MapList& maps : paritySearch_->find(bitsFor(banks), want))
            accept(maps);
        return paritySearch_->complete();
    }

    MapTable& table() {
        if (!table_) {
            constexpr std::size_t kMostIncidents = std::size_t{1} << 14;
            table_.emplace(
                pattern_, incidentsOf(pattern_, kMostIncidents),
                [this](std::int64_t cost) { return spend(cost); }, params_.memoryBytes);
        }
        return *table_;
    }

    bool vectors(std::int64_t banks) {
        if (pattern_.dims.size() == 1)
            return true; // every form is flat
        if (auto maps = table().hierarchical(banks))
            accept(*maps);
        if (auto maps = table().vector(banks))
            accept(*maps);
        if (table().outOfMemory() && outcome_ == SearchOutcome::Complete)
            outcome_ = SearchOutcome::MemoryLimit;
        return table().complete();
    }

    // --- the minimum

    /// First something that works, so that a limit leaves an answer; then everything below it.
    void findMinimum() {
        if (!pattern_.unresolved.empty())
            return partitionCompletely();
        const std::int64_t most = std::min(params_.maxBanks, pattern_.words());
        std::int64_t reached = result_.bound.banks;
        bool exhausted = true;
        constexpr std::int64_t kPatience = 8;
        for (; reached <= most && !result_.minimal && !final_; ++reached) {
            if (reached == result_.bound.banks + kPatience)
                collectCopies(kUnknownBanks);
            exhausted = quickly(reached) && exhausted;
        }
        if (!result_.minimal && pattern_.words() <= params_.maxBanks)
            partitionCompletely();
        if (result_.minimal && result_.minimal->banks() == result_.bound.banks)
            return conclude(true);
        collectCopies(result_.minimal ? result_.minimal->banks() : kUnknownBanks);
        result_.bound = graphBound(pattern_, result_.bound);
        const std::int64_t below = result_.minimal ? result_.minimal->banks() : most + 1;
        for (std::int64_t banks = result_.bound.banks; banks < below && !final_; ++banks) {
            const bool all = thoroughly(banks);
            if (hasSchemeOf(banks))
                return conclude(exhausted);
            exhausted = exhausted && all;
        }
        if (result_.minimal)
            conclude(exhausted && !final_);
    }

    bool hasSchemeOf(std::int64_t banks) const {
        return result_.minimal && result_.minimal->banks() <= banks;
    }

    /// B = 1 and small flat blocks: where the minimum usually is. Whether B = 1 was searched to the
    /// end, or a scheme found.
    bool quickly(std::int64_t banks) {
        allow(params_.steps);
        const bool complete = lattices(banks, 2 * params_.schemesPerForm);
        constexpr std::int64_t kShare = 4000;
        allow(kShare);
        flats(banks, params_.schemesPerForm);
        return complete || result_.minimal;
    }

    /// XOR-linear maps are tried first: there are few of them. Then modular ones, with half of what
    /// is left, so that a larger number of banks can still be tried; few where a scheme is known.
    bool thoroughly(std::int64_t banks) {
        allow((params_.steps - result_.tests) / 8);
        const bool all = parities(banks, params_.schemesPerForm);
        if (!hasSchemeOf(banks))
            result_.parityExhausted = result_.parityExhausted && all;
        constexpr std::int64_t kShare = 20'000;
        allow(hasSchemeOf(banks) ? kShare : (params_.steps - result_.tests) / 2);
        bool complete = flats(banks, 1);
        if (!hasSchemeOf(banks))
            complete = vectors(banks) && complete;
        if (!complete && !hasSchemeOf(banks) && !final_ && outcome_ == SearchOutcome::Complete)
            outcome_ = SearchOutcome::StepLimit;
        return complete;
    }

    void conclude(bool exhausted) {
        result_.minBanks = result_.minimal->banks();
        if (result_.minBanks == result_.bound.banks) {
            result_.proof = result_.bound.by;
        } else if (exhausted && !pattern_.relaxed) {
            result_.proof = BoundProof::Exhausted;
        }
    }

    /// Every address a bank of its own: always right, and all there is when lanes are unresolved.
    void partitionCompletely() {
        if (pattern_.words() > params_.maxBanks)
            return;
        MapList maps;
        for (std::size_t d = 0; d < pattern_.dims.size(); ++d) {
            ir::FlatMap map{std::vector<std::int64_t>(pattern_.dims.size()), 1, pattern_.dims[d]};
            map.alpha[d] = 1;
            maps.push_back(std::move(map));
        }
        accept(maps);
        result_.minBanks = pattern_.words();
        result_.proof =
            result_.bound.banks == result_.minBanks ? result_.bound.by : BoundProof::None;
    }

    // --- schemes besides the minimum

    void collectLarger() {
        std::int64_t power = 1;
        while (power < result_.minBanks)
            power *= 2;
        constexpr std::int64_t kShare = 400;
        const std::int64_t most = std::min(params_.maxBanks, pattern_.words());
        for (std::int64_t banks = result_.minBanks + 1;
             banks <= std::min(most, std::max(power, result_.minBanks + 2)) && !final_; ++banks) {
            allow(kShare);
            lattices(banks, 2);
        }
        // Products of one number per dimension: direct wires where the loops move by them.
        allow(4 * kShare);
        if (pattern_.dims.size() > 1 && pattern_.unresolved.empty())
            growHierarchical(0, HermiteForm(), 1, std::min(most, 2 * result_.minBanks));
    }

    void growHierarchical(std::size_t dim, HermiteForm diagonal, std::int64_t banks,
                          std::int64_t most) {
        const std::size_t rank = pattern_.dims.size();
        if (diagonal.empty())
            diagonal.assign(rank, std::vector<std::int64_t>(rank));
        if (dim == rank) {
            if (banks > result_.minBanks && spend(1) && latticeConflictFree(diagonal))
                accept(hierarchicalMaps(diagonal));
            return;
        }
        for (std::int64_t n = 1; n <= pattern_.dims[dim] && banks * n <= most && !halted_; ++n) {
            diagonal[dim][dim] = n;
            growHierarchical(dim + 1, diagonal, banks * n, most);
        }
    }

    /// Fewer banks per copy, more copies. Before the long part of the search, so that a limit
    /// leaves them; they are offered last.
    void collectCopies(std::int64_t below) {
        if (std::exchange(copiesCollected_, true) || params_.maxCopies < 2 || final_ ||
            std::ranges::all_of(pattern_.groups, &Group::write))
            return;
        CopiesProblem problem;
        problem.mostCopies = params_.maxCopies;
        problem.belowBanks = below;
        problem.lanes = std::ssize(result_.bound.addresses);
        problem.allow = [this](std::int64_t tests) {
            allow(std::min(tests, (params_.steps - result_.tests) / 8));
        };
        problem.spend = [this](std::int64_t tests) { return spend(tests); };
        withCopies_ = schemesWithCopies(pattern_, problem);
    }

private:
    const AccessPattern& pattern_;
    const SearchParams& params_;
    std::stop_token stop_;
    Clock::time_point started_;
    SearchResult result_;
    std::vector<std::size_t> order_;
    std::vector<Scheme> withCopies_;
    bool copiesCollected_ = false;
    std::optional<MapTable> table_;
    std::optional<ParitySearch> paritySearch_;
    std::int64_t allowed_ = 0;
    std::int64_t checked_ = -1;
    int accepted_ = 0;
    bool halted_ = false; ///< this part of the search is over
    bool final_ = false;  ///< the whole search is over
    SearchOutcome outcome_ = SearchOutcome::Complete;
};

} // namespace

SearchResult search(const AccessPattern& pattern, const SearchParams& params,
                    std::stop_token stop) {
    return Searcher(pattern, params, std::move(stop)).run();
}

std::optional<Scheme> fixedScheme(const AccessPattern& pattern, const ir::BankDirective& directive,
                                  std::int64_t maxCopies) {
    ENGINE_ASSERT(!directive.maps.empty(), "a directive without maps fixes no scheme");
    const std::int64_t most = directive.copies > 0 ? directive.copies : maxCopies;
    auto copyOf = assignCopies(directive.maps, pattern, most);
    if (!copyOf)
        return std::nullopt;
    Scheme scheme = withAssignment(derive(directive.maps, pattern.dims), std::move(*copyOf));
    if (directive.copies > scheme.copies)
        scheme = withCopies(std::move(scheme), directive.copies);
    if (verify(scheme))
        return std::nullopt;
    return scheme;
}

} // namespace marquetry::banking
