#include "engine/extract/toy_front.h"

#include "engine/support/checked_math.h"

#include <algorithm>
#include <map>

namespace marquetry::extract {

namespace {

using rules::Skeleton;
using rules::SkeletonRole;

constexpr double kUnitOverhead = 4;
constexpr double kLoopArea = 1;
constexpr double kLoopLatency = 1;

/// Kinds of hardware of one class that are told apart.
constexpr std::size_t kMaxPerClass = 1024;

/// (control, latency) pairs of the chains that have one hardware.
using Schedules = std::vector<MetricPoint>;
using Options = std::map<UnitUse, Schedules>;

void addLoop(ToyChain& chain, double count) {
    if (count <= 1)
        return;
    chain.control += kLoopArea;
    chain.latency = count * chain.latency + kLoopLatency;
}

ToyChain toyLeaf(const UnitUse& use, const UnitNode& leaf) {
    ToyChain chain{use, 0, 1};
    if (leaf.skeleton == Skeleton::ParallelDot)
        addLoop(chain, static_cast<double>(ceilDiv(leaf.params[1], leaf.params[0])));
    return chain;
}

/// False when there would be more instances than kMaxCopies.
bool wrap(ToyChain& chain, const UnitNode& node) {
    const SkeletonRole role = rules::info(node.skeleton).role;
    const std::int64_t count = rules::callsOfChild(node.skeleton, node.params);
    if (!rules::isParallel(role)) {
        addLoop(chain, static_cast<double>(count));
        return true;
    }
    if (chain.use.copies > kMaxCopies / count)
        return false;
    chain.use.copies *= count;
    chain.control *= static_cast<double>(count);
    return true;
}

void addUndominated(Schedules& list, const MetricPoint& point) {
    for (const MetricPoint& other : list)
        if (other.area <= point.area && other.latency <= point.latency)
            return;
    std::erase_if(list, [&](const MetricPoint& other) {
        return point.area <= other.area && point.latency <= other.latency;
    });
    list.push_back(point);
}

class ToyFrontSearch {
public:
    ToyFrontSearch(const UnitGraph& graph, const ChainGraph& chains, std::size_t limit,
                   std::stop_token stop)
        : graph_(graph), chains_(chains), limit_(limit), stop_(std::move(stop)) {}

    ToyFront run() {
        std::vector<Options> options(chains_.vertices.size());
        // Children come first, so one pass does; round cycles one per term of a chain.
        for (int pass = 0; pass < (chains_.cyclic ? chains_.maxHeight : 1); ++pass)
            for (std::size_t v = 0; v < options.size() && !stop_.stop_requested(); ++v) {
                extend(options, v);
                if (options[v].size() > std::min(limit_, kMaxPerClass))
                    keepBest(options[v]);
            }
        if (stop_.stop_requested())
            return {{}, false};
        return combine(options);
    }

private:
    const UnitNode& node(const ChainVertex& vertex, const ChainEdge& edge) const {
        return graph_.node({vertex.eclass, edge.node});
    }

    /// A loop or pad has another shape than its body, so no vertex is its own child.
    void extend(std::vector<Options>& options, std::size_t v) {
        const ChainVertex& vertex = chains_.vertices[v];
        for (const ChainEdge& edge : vertex.edges) {
            if (edge.to < 0) {
                const UnitUse use{vertex.eclass, edge.node, 1};
                insert(options[v], toyLeaf(use, node(vertex, edge)));
                continue;
            }
            const Options& below = options[static_cast<std::size_t>(edge.to)];
            for (const auto& [use, schedules] : below)
                for (const MetricPoint& schedule : schedules) {
                    ToyChain chain{use, schedule.area, schedule.latency};
                    if (wrap(chain, node(vertex, edge)))
                        insert(options[v], chain);
                }
        }
    }

    void insert(Options& options, const ToyChain& chain) {
        addUndominated(options[chain.use], {chain.control, chain.latency});
    }

    /// The calls one by one; designs are told apart by their hardware.
    ToyFront combine(const std::vector<Options>& options) {
        std::map<UnitSet, Schedules> designs = {{UnitSet{}, {MetricPoint{0, 0}}}};
        for (int root : chains_.roots) {
            const Options& here = options[static_cast<std::size_t>(root)];
            if (designs.size() * here.size() > limit_)
                keepBest(designs);
            std::map<UnitSet, Schedules> larger;
            for (const auto& [set, schedules] : designs)
                for (const auto& [use, more] : here) {
                    Schedules& both = larger[withUse(set, use)];
                    for (const MetricPoint& a : schedules)
                        for (const MetricPoint& b : more)
                            addUndominated(both, {a.area + b.area, a.latency + b.latency});
                    if (stop_.stop_requested())
                        return {{}, false};
                }
            designs = std::move(larger);
        }
        front_.points = undominated(points(designs));
        return std::move(front_);
    }

    double areaOf(const UnitUse& use) const { return toyArea(graph_, UnitSet{use}); }
    double areaOf(const UnitSet& set) const { return toyArea(graph_, set); }

    template <class Hardware>
    std::vector<MetricPoint> points(const std::map<Hardware, Schedules>& designs) const {
        std::vector<MetricPoint> all;
        for (const auto& [hardware, schedules] : designs)
            for (const MetricPoint& schedule : schedules)
                all.push_back({areaOf(hardware) + schedule.area, schedule.latency});
        return all;
    }

    /// Only those that are on the front so far. What leaves might have served another call too.
    template <class Hardware>
    void keepBest(std::map<Hardware, Schedules>& designs) {
        front_.exact = false;
        const std::vector<MetricPoint> best = undominated(points(designs));
        std::map<Hardware, Schedules> kept;
        for (const auto& [hardware, schedules] : designs)
            for (const MetricPoint& schedule : schedules) {
                const MetricPoint point{areaOf(hardware) + schedule.area, schedule.latency};
                if (std::ranges::binary_search(best, point))
                    kept[hardware].push_back(schedule);
            }
        designs = std::move(kept);
    }

    const UnitGraph& graph_;
    const ChainGraph& chains_;
    std::size_t limit_;
    std::stop_token stop_;
    ToyFront front_;
};

} // namespace

double toyArea(const UnitNode& leaf, const ir::UnitShape& shape) {
    const std::int64_t width = leaf.skeleton == Skeleton::ParallelDot
                                   ? leaf.params[0] * leaf.params[2]
                                   : shape.height * shape.width * shape.rows;
    return static_cast<double>(width) + kUnitOverhead;
}

ToyChain toyChain(const UnitGraph& graph, const std::vector<ParentEdge>& chain) {
    const ParentEdge leaf = chain.back();
    ToyChain result = toyLeaf({leaf.eclass, leaf.node, 1}, graph.node(leaf));
    for (std::size_t k = chain.size() - 1; k-- > 0;)
        wrap(result, graph.node(chain[k]));
    return result;
}

double toyArea(const UnitGraph& graph, const UnitSet& set) {
    double area = 0;
    for (const UnitUse& use : set)
        area += static_cast<double>(use.copies) *
                toyArea(graph.node({use.eclass, use.node}),
                        graph.classes[static_cast<std::size_t>(use.eclass)].shape);
    return area;
}

ToyFront toyFront(const UnitGraph& graph, const ChainGraph& chains, std::size_t limit,
                  std::stop_token stop) {
    return ToyFrontSearch(graph, chains, limit, std::move(stop)).run();
}

} // namespace marquetry::extract
