#include "engine/datapath/word_uses.h"

#include "engine/datapath/rematerialise.h"
#include "engine/device/lut6.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <limits>
#include <map>

namespace marquetry::datapath {

namespace {

/// Shorter gaps are registers, or shift registers in LUTs.
constexpr std::int64_t kShortestBlock = kFarSteps;
/// LUTs of a shift register that a memory is worth.
constexpr std::int64_t kBlockLuts = 150;

class Clustering {
public:
    explicit Clustering(const Datapath& datapath)
        : datapath_(datapath), cells_(datapath.cells), uses_(cells_.size()) {
        findStarts();
        delayFetched();
        for (std::size_t v = 0; v <= cells_.size(); ++v)
            forOperands(v, [&](const Tap& tap) {
                const std::size_t u = tap.cell.index();
                uses_[u].push_back({v, tap.distance, starts_[v] + tap.distance - starts_[u]});
            });
        for (auto& uses : uses_)
            std::ranges::stable_sort(uses, {}, &WordUse::wait);
        for (std::size_t u = 0; u < cells_.size(); ++u)
            countGaps(u);
    }

    std::int64_t longestWait() const {
        std::int64_t longest = std::ranges::max(starts_);
        for (const auto& uses : uses_) {
            for (const WordUse& use : uses)
                longest = std::max(longest, use.wait);
        }
        return longest;
    }

    std::vector<std::vector<UseCluster>> run() const {
        std::vector<std::vector<UseCluster>> clusters;
        for (std::size_t u = 0; u < cells_.size(); ++u)
            clusters.push_back(split(u));
        return clusters;
    }

private:
    /// Words that a cell, or the output, waits for.
    template <class Look>
    void forOperands(std::size_t v, const Look& look) const {
        if (v < cells_.size() && isView(cells_[v].kind))
            return;
        for (const Tap& viewed : v < cells_.size() ? cells_[v].operands : datapath_.outputs) {
            const Tap tap = datapath_.source(viewed);
            if (!isGenerator(cells_[tap.cell.index()].kind))
                look(tap);
        }
    }

    /// The earliest steps. A loop has time in it, so that nothing is later each time around; of one
    /// without, timing finds that it is impossible.
    void findStarts() {
        starts_.assign(cells_.size() + 1, 0);
        bool changed = true;
        for (std::size_t round = 0; changed && round <= cells_.size(); ++round) {
            changed = false;
            for (std::size_t v = 0; v <= cells_.size(); ++v)
                forOperands(v, [&](const Tap& tap) {
                    const std::int64_t least = starts_[tap.cell.index()] - tap.distance;
                    changed = changed || least > starts_[v];
                    starts_[v] = std::max(starts_[v], least);
                });
        }
    }

    /// Cells of fetched words and generators alone.
    std::vector<bool> fetchedAlone() const {
        std::vector<bool> alone(cells_.size() + 1, false);
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t v = 0; v < cells_.size(); ++v) {
                bool all = !cells_[v].operands.empty() && !cells_[v].periodic;
                forOperands(v, [&](const Tap& tap) { all = all && alone[tap.cell.index()]; });
                const bool found = cells_[v].kind == CellKind::Fetch || all;
                changed = changed || found != alone[v];
                alone[v] = found;
            }
        }
        return alone;
    }

    /// What is fetched need not wait: it is fetched later.
    void delayFetched() {
        const std::vector<bool> alone = fetchedAlone();
        bool changed = std::ranges::find(alone, true) != alone.end();
        for (std::size_t round = 0; changed && round <= cells_.size(); ++round) {
            std::vector<std::int64_t> latest(starts_.size(),
                                             std::numeric_limits<std::int64_t>::max());
            for (std::size_t v = 0; v <= cells_.size(); ++v)
                forOperands(v, [&](const Tap& tap) {
                    std::int64_t& least = latest[tap.cell.index()];
                    least = std::min(least, starts_[v] + tap.distance);
                });
            changed = false;
            for (std::size_t u = 0; u < cells_.size(); ++u) {
                if (!alone[u] || isView(cells_[u].kind) || latest[u] <= starts_[u] ||
                    latest[u] == std::numeric_limits<std::int64_t>::max())
                    continue;
                changed = true;
                starts_[u] = latest[u];
            }
        }
    }

    std::int64_t gapBefore(std::size_t u, std::size_t k) const {
        const auto& uses = uses_[u];
        return (uses[k].wait - (k == 0 ? 0 : uses[k - 1].wait)) / cells_[u].used.stride;
    }

    void countGaps(std::size_t u) {
        for (std::size_t k = 0; k < uses_[u].size(); ++k)
            bitsOfGap_[gapBefore(u, k)] += cells_[u].bits();
    }

    /// Long enough for a memory, which words with equal gaps share.
    bool isFar(std::int64_t gap) const {
        return gap >= kShortestBlock &&
               bitsOfGap_.at(gap) * device::shiftRegisterLuts(gap) >= kBlockLuts;
    }

    std::vector<UseCluster> split(std::size_t u) const {
        std::vector<UseCluster> clusters;
        for (std::size_t k = 0; k < uses_[u].size(); ++k) {
            const bool far = isFar(gapBefore(u, k));
            if (clusters.empty())
                clusters.push_back({0, {}});
            if (far)
                clusters.push_back({uses_[u][k].wait, {}});
            clusters.back().uses.push_back(uses_[u][k]);
        }
        return clusters;
    }

    const Datapath& datapath_;
    const std::vector<Cell>& cells_;
    std::vector<std::int64_t> starts_; ///< of each cell, then of the output
    std::vector<std::vector<WordUse>> uses_;
    std::map<std::int64_t, std::int64_t> bitsOfGap_;
};

} // namespace

Tap Datapath::source(Tap tap) const {
    while (isView(cells[tap.cell.index()].kind)) {
        const Tap& inner = cells[tap.cell.index()].operands[0];
        tap = {inner.cell, inner.distance + tap.distance};
    }
    return tap;
}

std::vector<std::vector<UseCluster>> usesOf(const Datapath& datapath) {
    return Clustering(datapath).run();
}

std::int64_t longestWait(const Datapath& datapath) {
    return Clustering(datapath).longestWait();
}

} // namespace marquetry::datapath
