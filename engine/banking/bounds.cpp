#include "engine/banking/bounds.h"

#include "engine/banking/starts.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace marquetry::banking {

namespace {

/// Distinct addresses of one cycle of a group.
std::vector<Address> cycleAt(const AccessPattern& pattern, std::size_t group,
                             const std::vector<std::int64_t>& point) {
    std::vector<Address> addresses;
    for (std::size_t k = 0; k < pattern.groups[group].lanes.size(); ++k) {
        const ir::MemoryLane& lane = pattern.lane(group, k);
        Address x = addressAt(lane, point);
        if (isRunning(lane, point) && ir::isInside(x, pattern.dims))
            addresses.push_back(std::move(x));
    }
    std::ranges::sort(addresses);
    addresses.erase(std::ranges::unique(addresses).begin(), addresses.end());
    return addresses;
}

/// Values of a counter worth trying when all of them are too many: the ends and the middle.
std::vector<std::int64_t> samples(std::int64_t lo, std::int64_t hi, bool all) {
    std::vector<std::int64_t> values;
    if (all) {
        for (std::int64_t v = lo; v <= hi; ++v)
            values.push_back(v);
        return values;
    }
    for (const std::int64_t v : {lo + (hi - lo) / 2, lo, hi, lo + 1, hi - 1}) {
        if (v >= lo && v <= hi && std::ranges::find(values, v) == values.end())
            values.push_back(v);
    }
    return values;
}

/// The largest cycle of a group that the samples meet.
void widestCycle(const AccessPattern& pattern, std::size_t group, std::vector<Address>& best) {
    constexpr std::int64_t kMostSteps = std::int64_t{1} << 26;
    const ir::UnrolledNest& nest = pattern.nests[pattern.groups[group].nest];
    const std::size_t steps =
        pattern.groups[group].lanes.size() * pattern.dims.size() * (nest.generators.size() + 1);
    const std::int64_t mostPoints =
        std::clamp<std::int64_t>(kMostSteps / static_cast<std::int64_t>(steps), 16, 4096);
    const auto ranges = ir::generatorRanges(nest, pattern.groups[group].lanes, pattern.dims);
    if (!ranges)
        return;
    std::int64_t points = 1;
    for (const auto& [lo, hi] : *ranges)
        points = checkedMul(points, hi - lo + 1).value_or(INT64_MAX);
    std::vector<std::vector<std::int64_t>> values;
    for (const auto& [lo, hi] : *ranges)
        values.push_back(samples(lo, hi, points <= mostPoints));
    std::vector<std::size_t> digit(values.size());
    for (std::int64_t tried = 0; tried < mostPoints; ++tried) {
        std::vector<std::int64_t> point;
        for (std::size_t g = 0; g < values.size(); ++g)
            point.push_back(values[g][digit[g]]);
        auto addresses = cycleAt(pattern, group, point);
        if (addresses.size() > best.size())
            best = std::move(addresses);
        if (best.size() == pattern.groups[group].lanes.size())
            return;
        std::size_t g = values.size();
        while (g > 0 && ++digit[g - 1] == values[g - 1].size())
            digit[--g] = 0;
        if (g == 0)
            return;
    }
}

/// Addresses that meet in some cycle, as a graph; a part of it when the array is large.
class ConflictGraph {
public:
    explicit ConflictGraph(const AccessPattern& pattern) {
        for (const Collision& collision : pattern.collisions) {
            for (const Starts& starts : collision.starts)
                addEdges(starts, collision.deltas[0]);
        }
        for (auto& list : neighbours_) {
            std::ranges::sort(list);
            list.erase(std::ranges::unique(list).begin(), list.end());
        }
    }

    std::size_t size() const { return addresses_.size(); }
    const std::vector<std::size_t>& neighbours(std::size_t v) const { return neighbours_[v]; }
    const Address& address(std::size_t v) const { return addresses_[v]; }
    bool adjacent(std::size_t a, std::size_t b) const {
        return std::ranges::binary_search(neighbours_[a], b);
    }

private:
    static constexpr std::size_t kMostEdges = std::size_t{1} << 15;
    static constexpr std::int64_t kWindow = 6; ///< of each counter, when there are too many

    void addEdges(const Starts& starts, const Address& delta) {
        const double points = pointsOf(starts);
        std::vector<std::int64_t> trips;
        for (const Span& span : starts.spans)
            trips.push_back(points > 1024 ? std::min(span.trips, kWindow) : span.trips);
        std::vector<std::int64_t> t(trips.size());
        Address x = starts.base;
        while (edges_ < kMostEdges) {
            addEdge(x, delta);
            std::size_t s = trips.size();
            for (; s > 0; --s) {
                const Address& step = starts.spans[s - 1].step;
                const bool more = ++t[s - 1] < trips[s - 1];
                const std::int64_t by = more ? 1 : 1 - t[s - 1];
                for (std::size_t d = 0; d < x.size(); ++d)
                    x[d] += by * step[d];
                if (more)
                    break;
                t[s - 1] = 0;
            }
            if (s == 0)
                return;
        }
    }

    void addEdge(const Address& x, const Address& delta) {
        Address y = x;
        for (std::size_t d = 0; d < y.size(); ++d)
            y[d] += delta[d];
        const std::size_t a = vertex(x);
        const std::size_t b = vertex(y);
        neighbours_[a].push_back(b);
        neighbours_[b].push_back(a);
        ++edges_;
    }

    std::size_t vertex(const Address& x) {
        const auto [entry, fresh] = index_.emplace(x, addresses_.size());
        if (fresh) {
            addresses_.push_back(x);
            neighbours_.emplace_back();
        }
        return entry->second;
    }

    std::map<Address, std::size_t> index_;
    std::vector<Address> addresses_;
    std::vector<std::vector<std::size_t>> neighbours_;
    std::size_t edges_ = 0;
};

/// The largest clique that a limited branch and bound finds.
class CliqueSearch {
public:
    explicit CliqueSearch(const ConflictGraph& graph) : graph_(graph) {}

    std::vector<std::size_t> find() {
        std::vector<std::size_t> order(graph_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, std::greater<>(),
                                 [&](std::size_t v) { return graph_.neighbours(v).size(); });
        constexpr std::size_t kMostRoots = 64;
        for (std::size_t k = 0; k < std::min(kMostRoots, order.size()); ++k) {
            steps_ = 0;
            current_ = {order[k]};
            extend(graph_.neighbours(order[k]));
        }
        return best_;
    }

private:
    void extend(const std::vector<std::size_t>& candidates) {
        if (current_.size() > best_.size())
            best_ = current_;
        for (std::size_t k = 0; k < candidates.size(); ++k) {
            if (current_.size() + candidates.size() - k <= best_.size() || ++steps_ > kMostSteps)
                return;
            std::vector<std::size_t> next;
            for (std::size_t j = k + 1; j < candidates.size(); ++j) {
                if (graph_.adjacent(candidates[k], candidates[j]))
                    next.push_back(candidates[j]);
            }
            current_.push_back(candidates[k]);
            extend(next);
            current_.pop_back();
        }
    }

    static constexpr int kMostSteps = 400;
    const ConflictGraph& graph_;
    std::vector<std::size_t> current_;
    std::vector<std::size_t> best_;
    int steps_ = 0;
};

/// Decides k-colourability of a part of the graph, most constrained address first.
class Colouring {
public:
    Colouring(const ConflictGraph& graph, std::vector<std::size_t> part)
        : graph_(graph), part_(std::move(part)), colour_(part_.size(), -1) {}

    /// True when there is certainly no colouring with k colours.
    bool impossible(int k) {
        colours_ = k;
        steps_ = 0;
        std::ranges::fill(colour_, -1);
        return !colourFrom(0) && steps_ <= kMostSteps;
    }

private:
    /// Also true when the limit stops it: "perhaps".
    bool colourFrom(int used) {
        if (++steps_ > kMostSteps)
            return true;
        std::size_t next = part_.size();
        int most = -1;
        std::uint64_t taken = 0;
        for (std::size_t v = 0; v < part_.size(); ++v) {
            if (colour_[v] >= 0)
                continue;
            const std::uint64_t around = takenAround(v);
            const int count = __builtin_popcountll(around);
            if (count > most) {
                most = count;
                next = v;
                taken = around;
            }
        }
        if (next == part_.size())
            return true;
        for (int c = 0; c < std::min(used + 1, colours_); ++c) {
            if ((taken >> c & 1) != 0)
                continue;
            colour_[next] = c;
            if (colourFrom(std::max(used, c + 1)))
                return true;
            colour_[next] = -1;
        }
        return false;
    }

    std::uint64_t takenAround(std::size_t v) const {
        std::uint64_t taken = 0;
        for (std::size_t w = 0; w < part_.size(); ++w) {
            if (colour_[w] >= 0 && graph_.adjacent(part_[v], part_[w]))
                taken |= std::uint64_t{1} << colour_[w];
        }
        return taken;
    }

    static constexpr int kMostSteps = 4000;
    const ConflictGraph& graph_;
    std::vector<std::size_t> part_;
    std::vector<int> colour_;
    int colours_ = 0;
    int steps_ = 0;
};

/// The clique and the addresses that have most neighbours among those taken already.
std::vector<std::size_t> growPart(const ConflictGraph& graph, std::vector<std::size_t> part) {
    constexpr std::size_t kMostVertices = 36;
    std::vector<int> links(graph.size());
    std::vector<bool> taken(graph.size());
    const auto take = [&](std::size_t v) {
        taken[v] = true;
        for (const std::size_t w : graph.neighbours(v))
            ++links[w];
    };
    for (const std::size_t v : part)
        take(v);
    while (part.size() < std::min(kMostVertices, graph.size())) {
        std::size_t best = graph.size();
        for (std::size_t v = 0; v < graph.size(); ++v) {
            if (!taken[v] && (best == graph.size() || links[v] > links[best]))
                best = v;
        }
        take(best);
        part.push_back(best);
    }
    return part;
}

} // namespace

Bound laneBound(const AccessPattern& pattern) {
    std::vector<Address> widest;
    for (std::size_t g = 0; g < pattern.groups.size(); ++g)
        widestCycle(pattern, g, widest);
    const auto ports = static_cast<std::int64_t>(pattern.ports);
    const auto lanes = static_cast<std::int64_t>(widest.size());
    return {std::max<std::int64_t>(1, ceilDiv(lanes, ports)), BoundProof::Lanes, std::move(widest)};
}

Bound graphBound(const AccessPattern& pattern, const Bound& known) {
    Bound bound = known;
    // Two addresses may share a bank, or some may never meet: cliques and colours say nothing.
    if (pattern.ports != 1 || pattern.relaxed)
        return bound;
    const ConflictGraph graph(pattern);
    const std::vector<std::size_t> clique = CliqueSearch(graph).find();
    const auto addressesOf = [&](const std::vector<std::size_t>& vertices) {
        std::vector<Address> addresses;
        for (const std::size_t v : vertices)
            addresses.push_back(graph.address(v));
        return addresses;
    };
    if (static_cast<std::int64_t>(clique.size()) > bound.banks)
        bound = {static_cast<std::int64_t>(clique.size()), BoundProof::Clique, addressesOf(clique)};
    constexpr std::int64_t kMostColours = 60;
    if (graph.size() == 0 || bound.banks > kMostColours)
        return bound;
    Colouring colouring(graph, growPart(graph, clique));
    while (bound.banks < kMostColours && colouring.impossible(static_cast<int>(bound.banks)))
        bound = {bound.banks + 1, BoundProof::Colouring, addressesOf(growPart(graph, clique))};
    return bound;
}

} // namespace marquetry::banking
