#include "engine/banking/copies_search.h"

#include "engine/banking/conflict.h"
#include "engine/banking/derive.h"
#include "engine/banking/lattice.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <set>

namespace marquetry::banking {

namespace {

class CopiesSearch {
public:
    CopiesSearch(const AccessPattern& pattern, const CopiesProblem& problem)
        : pattern_(pattern),
          problem_(problem),
          cost_(static_cast<std::int64_t>(4 + pattern.laneCollisions.size() / 64)) {}

    std::vector<Scheme> run() {
        constexpr std::int64_t kShare = 200;
        constexpr std::int64_t kMostBanks = 32;
        for (std::int64_t banks = 1; banks < std::min(problem_.belowBanks, kMostBanks + 1);
             ++banks) {
            best_.clear();
            problem_.allow(kShare);
            forEachSublattice(pattern_.dims.size(), banks,
                              [&](const HermiteForm& lattice) { return judge(mapsOf(lattice)); });
            if (blocksMayHelp(banks)) {
                problem_.allow(kShare);
                blocks(banks);
            }
            for (Scheme& scheme : best_) {
                if (scheme.copies > 1 && !verify(scheme))
                    found_.push_back(std::move(scheme));
            }
        }
        return std::move(found_);
    }

private:
    /// The fewest copies so far are kept; false: no more of them.
    bool judge(std::vector<ir::FlatMap> maps) {
        constexpr std::ptrdiff_t kTies = 3;
        if (!problem_.spend(cost_))
            return false;
        const std::int64_t most = best_.empty() ? problem_.mostCopies : best_[0].copies;
        if (auto copyOf = assignCopies(maps, pattern_, most)) {
            Scheme scheme =
                withAssignment(derive(std::move(maps), pattern_.dims), std::move(*copyOf));
            if (!best_.empty() && scheme.copies < best_[0].copies)
                best_.clear();
            if (std::ssize(best_) < kTies)
                best_.push_back(std::move(scheme));
        }
        return best_.empty() || best_[0].copies > 1;
    }

    bool blocksMayHelp(std::int64_t banks) const {
        const std::int64_t fewest = ceilDiv(problem_.lanes, banks * pattern_.ports);
        const std::int64_t reached = best_.empty() ? problem_.mostCopies + 1 : best_[0].copies;
        return banks > 1 && std::max<std::int64_t>(fewest, 2) < reached;
    }

    /// Blocks of powers of two, and those that divide a dimension into as many parts as banks.
    void blocks(std::int64_t banks) {
        std::set<std::int64_t> sizes;
        for (const std::int64_t extent : pattern_.dims) {
            for (std::int64_t size = 2; size < extent; size *= 2)
                sizes.insert(size);
            sizes.insert(ceilDiv(extent, banks));
        }
        sizes.erase(1);
        for (const std::int64_t size : sizes) {
            for (std::size_t d = pattern_.dims.size(); d-- > 0;) {
                if ((banks - 1) * size >= pattern_.dims[d])
                    continue; // some banks would hold nothing
                ir::FlatMap map{std::vector<std::int64_t>(pattern_.dims.size()), size, banks};
                map.alpha[d] = 1;
                if (!judge({map}))
                    return;
            }
        }
    }

    const AccessPattern& pattern_;
    const CopiesProblem& problem_;
    std::int64_t cost_;
    std::vector<Scheme> best_; ///< of the number of banks at hand, with equally many copies
    std::vector<Scheme> found_;
};

} // namespace

std::vector<Scheme> schemesWithCopies(const AccessPattern& pattern, const CopiesProblem& problem) {
    return CopiesSearch(pattern, problem).run();
}

Scheme withAssignment(Scheme scheme, std::vector<std::vector<std::int64_t>> copyOf) {
    for (const auto& lanes : copyOf) {
        for (const std::int64_t copy : lanes)
            scheme.copies = std::max(scheme.copies, copy + 1);
    }
    scheme.words *= scheme.copies;
    scheme.copyOf = std::move(copyOf);
    return scheme;
}

} // namespace marquetry::banking
