#include "engine/banking/pins.h"

#include "engine/banking/derive.h"
#include "engine/banking/lattice.h"
#include "engine/banking/parity_search.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <chrono>
#include <numeric>

namespace marquetry::banking {

namespace {

using Clock = std::chrono::steady_clock;
using MapList = std::vector<ir::FlatMap>;

std::string list(const std::vector<std::int64_t>& numbers) {
    std::string joined;
    for (const std::int64_t n : numbers)
        joined += (joined.empty() ? "" : ", ") + std::to_string(n);
    return "(" + joined + ")";
}

/// The search in which what is pinned stays fixed.
class PinnedSearch {
public:
    PinnedSearch(const AccessPattern& pattern, const SchemePins& pins, const SearchParams& params,
                 std::stop_token stop)
        : pattern_(pattern),
          pins_(pins),
          params_(params),
          stop_(std::move(stop)),
          started_(Clock::now()) {}

    /// One copy, unless more are asked for or nothing else works.
    std::vector<Scheme> run(std::int64_t lowerBound) {
        if (pins_.copies <= 1)
            searchCopies(1, lowerBound);
        const std::int64_t most = pins_.copies > 0 ? pins_.copies : params_.maxCopies;
        if (found_.empty() && most > 1 && !over_)
            searchCopies(most, 1);
        return std::move(found_);
    }
    /// What ended it early, if anything did.
    SearchOutcome outcome() const { return outcome_; }

private:
    void searchCopies(std::int64_t copies, std::int64_t fewest) {
        copies_ = copies;
        // Assigning copies takes longer than a test, and rarely needs many maps.
        allowed_ = copies > 1 ? std::min(params_.steps, tests_ + params_.steps / 8) : params_.steps;
        const std::int64_t most = std::min(params_.maxBanks, pattern_.words());
        const std::int64_t first = pins_.banks > 0 ? pins_.banks : fewest;
        const std::int64_t last = pins_.banks > 0 ? pins_.banks : most;
        for (std::int64_t banks = first; banks <= last && found_.empty() && !over_; ++banks)
            searchWith(banks);
    }

    /// Tests of copies look at every set of lanes.
    bool spend() {
        const std::int64_t before = tests_;
        tests_ +=
            copies_ > 1 ? static_cast<std::int64_t>(4 + pattern_.laneCollisions.size() / 64) : 1;
        if (tests_ >> 10 != before >> 10) {
            const std::chrono::duration<double> passed = Clock::now() - started_;
            if (stop_.stop_requested())
                end(SearchOutcome::Cancelled);
            else if (params_.seconds > 0 && passed.count() > params_.seconds)
                end(SearchOutcome::TimeLimit);
        }
        if (tests_ > allowed_)
            end(SearchOutcome::StepLimit);
        return !over_;
    }

    void end(SearchOutcome outcome) {
        over_ = true;
        outcome_ = outcome;
    }

    bool wants(Kind kind) const { return !pins_.kind || *pins_.kind == kind; }

    void searchWith(std::int64_t banks) {
        if (wants(Kind::Flat))
            flats(banks);
        if (wants(Kind::Xor) && pins_.block <= 1 && pins_.alpha.empty())
            parities(banks);
        if (pattern_.dims.size() == 1 || !pins_.alpha.empty())
            return;
        if (wants(Kind::Hierarchical))
            hierarchical({}, banks);
        if (wants(Kind::Lattice) && pins_.block <= 1)
            lattices(banks);
    }

    void flats(std::int64_t banks) {
        accepted_ = 0;
        const std::int64_t widest = *std::ranges::max_element(pattern_.dims);
        const std::int64_t first = pins_.block > 0 ? pins_.block : 1;
        const std::int64_t last = pins_.block > 0 ? pins_.block : widest;
        for (std::int64_t block = first; block <= last && !full(); ++block) {
            ir::FlatMap map{std::vector<std::int64_t>(pattern_.dims.size()), block, banks};
            if (!pins_.alpha.empty()) {
                map.alpha = pins_.alpha;
                judge({map});
                continue;
            }
            do {
                std::int64_t g = block; // a common factor names another block's map again
                for (const std::int64_t a : map.alpha)
                    g = std::gcd(g, a);
                if (g == 1 || pins_.block > 0)
                    judge({map});
            } while (!full() && advance(map));
        }
    }

    static bool advance(ir::FlatMap& map) {
        std::size_t d = map.alpha.size();
        while (d > 0 && ++map.alpha[d - 1] == map.banks * map.block)
            map.alpha[--d] = 0;
        return d > 0;
    }

    /// One map per dimension: the factors of N, then blocks and α of each.
    void hierarchical(MapList maps, std::int64_t banks) {
        if (maps.empty())
            accepted_ = 0;
        const std::size_t d = maps.size();
        const std::size_t rank = pattern_.dims.size();
        if (d == rank)
            return judge(maps);
        const std::int64_t extent = pattern_.dims[d];
        for (std::int64_t n = 1; n <= std::min(banks, extent) && !full(); ++n) {
            if (banks % n != 0 || (d + 1 == rank && n != banks))
                continue;
            const std::int64_t first = pins_.block > 0 ? pins_.block : 1;
            const std::int64_t last = n == 1 ? first : pins_.block > 0 ? pins_.block : extent;
            for (std::int64_t block = first; block <= last && !full(); ++block) {
                for (std::int64_t a = 1; a <= (n == 1 ? 1 : n * block - 1) && !full(); ++a) {
                    if (std::gcd(a, block) != 1 || (block == 1 && a > 1))
                        continue; // the same map again
                    ir::FlatMap map{std::vector<std::int64_t>(rank), block, n};
                    map.alpha[d] = n == 1 ? 0 : a;
                    maps.push_back(std::move(map));
                    hierarchical(maps, banks / n);
                    maps.pop_back();
                }
            }
        }
    }

    void lattices(std::int64_t banks) {
        accepted_ = 0;
        forEachSublattice(pattern_.dims.size(), banks, [&](const HermiteForm& lattice) {
            const MapList maps = mapsOf(lattice);
            if (maps.size() > 1)
                judge(maps);
            return !full();
        });
    }

    /// Maps for one copy; more copies are then as many of the same.
    void parities(std::int64_t banks) {
        accepted_ = 0;
        if (banks < 2 || (banks & (banks - 1)) != 0)
            return;
        if (!paritySearch_)
            paritySearch_.emplace(pattern_, [this](std::int64_t) { return spend(); });
        for (const MapList& maps : paritySearch_->find(bitsFor(banks), params_.schemesPerForm))
            judge(maps);
    }

    bool full() const { return over_ || accepted_ >= params_.schemesPerForm; }

    void judge(const MapList& maps) {
        if (!spend())
            return;
        std::optional<Scheme> scheme;
        if (copies_ > 1) {
            ir::BankDirective directive;
            directive.maps = maps;
            directive.copies = pins_.copies;
            scheme = fixedScheme(pattern_, directive, copies_);
        } else if (pattern_.unresolved.empty() && !firstConflict(maps, pattern_)) {
            scheme = derive(maps, pattern_.dims);
            if (verify(*scheme))
                scheme.reset();
        }
        if (!scheme || !meets(*scheme, pins_))
            return;
        ++accepted_;
        found_.push_back(*std::move(scheme));
    }

    const AccessPattern& pattern_;
    const SchemePins& pins_;
    const SearchParams& params_;
    std::stop_token stop_;
    Clock::time_point started_;
    std::vector<Scheme> found_;
    std::optional<ParitySearch> paritySearch_;
    std::int64_t copies_ = 1; ///< at most, in this part of the search
    std::int64_t tests_ = 0;
    std::int64_t allowed_ = 0;
    int accepted_ = 0;
    bool over_ = false;
    SearchOutcome outcome_ = SearchOutcome::Complete;
};

Diagnostic contradiction(const std::string& fixed, const SchemePins& pins,
                         const SourceRange& place) {
    Diagnostic error = makeError(
        "pin-conflict", "the pins ask for " + text(pins) + ", but " + fixed + " is fixed as well",
        "drop the pins, or the directive in the file");
    error.range = place;
    return error;
}

/// Why no scheme has so few banks: addresses that need one each.
void addClique(Diagnostic& error, const Bound& bound) {
    std::string places;
    for (const Address& x : bound.addresses)
        places += (places.empty() ? "" : ", ") + list(x);
    error.notes.push_back("at least " + std::to_string(bound.banks) + " banks are needed (" +
                          toString(bound.by) + "): " + places);
}

Diagnostic unmet(const AccessPattern& pattern, const SchemePins& pins, const SearchResult& found,
                 const PinnedSearch& search) {
    if (!pattern.unresolved.empty())
        return undecided(pattern, "no scheme is known with " + text(pins));
    Diagnostic error =
        makeAnswer("pins-unmet", "no scheme found with " + text(pins),
                   search.outcome() == SearchOutcome::Complete
                       ? "drop one of the pins"
                       : "the search was ended by its limit: " + toString(search.outcome()));
    if (pins.banks > 0 && pins.copies == 1 && pins.banks < found.bound.banks)
        addClique(error, found.bound);
    return error;
}

/// Of the free search's schemes those that meet the pins, with the copies that are asked for.
std::vector<Scheme> meeting(const std::vector<Scheme>& schemes, const SchemePins& pins) {
    std::vector<Scheme> kept;
    for (const Scheme& scheme : schemes) {
        if (pins.copies > 0 && scheme.copies > pins.copies)
            continue;
        Scheme wanted = withCopies(scheme, std::max(scheme.copies, pins.copies));
        if (meets(wanted, pins))
            kept.push_back(std::move(wanted));
    }
    return kept;
}

bool fixesCopiesOnly(const SchemePins& pins) {
    SchemePins copies;
    copies.copies = pins.copies;
    return pins == copies;
}

void addNew(std::vector<Scheme>& schemes, std::vector<Scheme> more) {
    for (Scheme& scheme : more) {
        const auto same = [&](const Scheme& other) {
            return other.maps == scheme.maps && other.copies == scheme.copies;
        };
        if (std::ranges::none_of(schemes, same))
            schemes.push_back(std::move(scheme));
    }
}

Result<Plan> planOfFixed(const AccessPattern& pattern, const ir::BankDirective& directive,
                         const SchemePins& pins, const device::Device& device,
                         const PlanParams& params, std::stop_token stop) {
    ir::BankDirective asked = directive;
    if (asked.copies == 0)
        asked.copies = pins.copies;
    auto fixed = plan(pattern, asked, device, params, std::move(stop));
    if (fixed && !meets(fixed->chosen().scheme, pins))
        return contradiction(fixed->chosen().scheme.text(), pins, directive.place);
    return fixed;
}

} // namespace

Result<Plan> plan(const AccessPattern& pattern, const ir::BankDirective& directive,
                  const SchemePins& pins, const device::Device& device, const PlanParams& params,
                  std::stop_token stop) {
    if (pins.free())
        return plan(pattern, directive, device, params, std::move(stop));
    if (!directive.maps.empty())
        return planOfFixed(pattern, directive, pins, device, params, std::move(stop));
    if (directive.copies > 0 && pins.copies > 0 && directive.copies != pins.copies)
        return contradiction(std::to_string(directive.copies) + " copies", pins, directive.place);
    ir::BankDirective asked = directive;
    asked.maps = pins.maps;
    SchemePins wanted = pins;
    if (directive.copies > 0 && wanted.copies == 0)
        wanted.copies = directive.copies;
    asked.copies = wanted.copies;
    if (!asked.maps.empty())
        return planOfFixed(pattern, asked, wanted, device, params, std::move(stop));
    PlanParams freely = params;
    freely.search.maxCopies = std::max(params.search.maxCopies, wanted.copies);
    if (const Status right = check(pattern, freely); !right)
        return right.error();
    Plan result;
    result.found = search(pattern, freely.search, stop);
    std::vector<Scheme> schemes = meeting(result.found.schemes, wanted);
    PinnedSearch pinned(pattern, wanted, params.search, std::move(stop));
    if (!fixesCopiesOnly(wanted) || schemes.empty())
        addNew(schemes, pinned.run(result.found.bound.banks));
    if (schemes.empty())
        return unmet(pattern, wanted, result.found, pinned);
    result.front = paretoFront(pattern, schemes, device);
    result.rejected = rejectedNeighbours(pattern, result.chosen().scheme, params.neighbours);
    return result;
}

} // namespace marquetry::banking
