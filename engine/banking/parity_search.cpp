#include "engine/banking/parity_search.h"

#include "engine/banking/parity.h"
#include "engine/banking/starts.h"

#include <algorithm>
#include <bit>
#include <set>

namespace marquetry::banking {

namespace {

constexpr int kMostAddressBits = 31; ///< an array has at most 2^31 elements
constexpr std::size_t kMostDifferences = std::size_t{1} << 16;
constexpr double kMostMoments = 1 << 20;

/// The sum of the columns that the vector has.
std::uint64_t image(const std::vector<std::uint64_t>& columns, std::uint64_t vector) {
    std::uint64_t sum = 0;
    for (; vector != 0; vector &= vector - 1) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(vector));
        sum ^= bit < columns.size() ? columns[bit] : 0;
    }
    return sum;
}

} // namespace

ParitySearch::ParitySearch(const AccessPattern& pattern, Spend spend)
    : pattern_(pattern), spend_(std::move(spend)) {
    findBits();
}

/// Of all dimensions side by side: by place, so that low bits come first.
void ParitySearch::findBits() {
    for (int place = 0; place < kMostAddressBits; ++place) {
        for (std::size_t d = pattern_.dims.size(); d-- > 0;) {
            if (place < indexBits(pattern_.dims[d]))
                bits_.push_back({d, place});
        }
    }
}

std::uint64_t ParitySearch::packed(const Address& x) const {
    std::uint64_t vector = 0;
    for (std::size_t k = 0; k < bits_.size(); ++k)
        vector |= static_cast<std::uint64_t>(x[bits_[k].dim] >> bits_[k].place & 1) << k;
    return vector;
}

void ParitySearch::collect() {
    collected_ = true;
    byHighestBit_.resize(bits_.size());
    double points = 0;
    for (const Collision& collision : pattern_.collisions) {
        for (const Starts& starts : collision.starts) {
            points += pointsOf(starts);
            usable_ = points <= kMostMoments && collectFrom(collision, starts);
            if (!usable_)
                return;
        }
    }
    for (std::vector<Difference>& differences : byHighestBit_) {
        std::ranges::sort(differences);
        differences.erase(std::ranges::unique(differences).begin(), differences.end());
    }
}

/// False: a limit.
bool ParitySearch::collectFrom(const Collision& collision, const Starts& starts) {
    std::set<Difference> seen;
    std::int64_t point = 0;
    const bool halted = anyAddress(starts, [&](const Address& x) {
        if (++point % 64 == 0 && !spend_(1))
            return true;
        const std::uint64_t first = packed(x);
        Difference difference;
        for (const Address& delta : collision.deltas) {
            Address y = x;
            for (std::size_t d = 0; d < y.size(); ++d)
                y[d] += delta[d];
            difference.push_back(packed(y) ^ first);
        }
        std::ranges::sort(difference);
        seen.insert(std::move(difference));
        return false;
    });
    if (halted)
        return false;
    for (const Difference& difference : seen) {
        std::vector<Difference>& of =
            byHighestBit_[static_cast<std::size_t>(std::bit_width(difference.back()) - 1)];
        of.push_back(difference);
        if (of.size() > kMostDifferences)
            return false;
    }
    return true;
}

std::vector<std::vector<ir::FlatMap>> ParitySearch::find(int bits, int want) {
    if (!collected_)
        collect();
    result_.clear();
    columns_.clear();
    banksBits_ = bits;
    halted_ = !usable_;
    if (usable_)
        extend(0, want);
    complete_ = complete_ && !halted_;
    return std::move(result_);
}

/// Images of the next bit that leave some addresses together.
std::vector<bool> ParitySearch::forbidden() const {
    std::vector<bool> values(std::size_t{1} << banksBits_);
    const std::uint64_t own = std::uint64_t{1} << columns_.size();
    for (const Difference& difference : byHighestBit_[columns_.size()]) {
        // Together exactly if all sums are 0: those with this bit by its column, others already.
        const std::uint64_t value = image(columns_, difference.back());
        const bool together = std::ranges::all_of(difference, [&](std::uint64_t vector) {
            return image(columns_, vector) == ((vector & own) != 0 ? value : 0);
        });
        if (together)
            values[static_cast<std::size_t>(value)] = true;
    }
    return values;
}

/// The next unit vector, then sums of few of those before it.
std::vector<std::uint64_t> ParitySearch::choices(int found) const {
    std::vector<std::uint64_t> values;
    for (std::uint64_t value = 0; value < std::uint64_t{1} << found; ++value)
        values.push_back(value);
    std::ranges::stable_sort(values, {}, [](std::uint64_t v) { return std::popcount(v); });
    if (found < banksBits_)
        values.insert(values.begin(), std::uint64_t{1} << found);
    return values;
}

void ParitySearch::extend(int found, int want) {
    if (columns_.size() == bits_.size()) {
        result_.push_back(mapsOf());
        return;
    }
    const auto cost = static_cast<std::int64_t>(1 + byHighestBit_[columns_.size()].size() / 16);
    if (!spend_(cost)) {
        halted_ = true;
        return;
    }
    const std::vector<bool> bad = forbidden();
    for (const std::uint64_t value : choices(found)) {
        if (bad[static_cast<std::size_t>(value)])
            continue;
        columns_.push_back(value);
        extend(found + (value >> found != 0 ? 1 : 0), want);
        columns_.pop_back();
        if (halted_ || static_cast<int>(result_.size()) >= want)
            return;
    }
}

/// Rows of the matrix, the highest bit of the bank first.
std::vector<ir::FlatMap> ParitySearch::mapsOf() const {
    std::vector<ir::FlatMap> maps;
    for (int row = banksBits_; row-- > 0;) {
        Address masks(pattern_.dims.size());
        for (std::size_t k = 0; k < bits_.size(); ++k) {
            if ((columns_[k] >> row & 1) != 0)
                masks[bits_[k].dim] |= std::int64_t{1} << bits_[k].place;
        }
        maps.push_back(ir::parityMap(std::move(masks)));
    }
    return maps;
}

} // namespace marquetry::banking
