#include "engine/extract/count.h"

#include <algorithm>
#include <map>

namespace marquetry::extract {

namespace {

/// 0: no loop directly above; else which kind of loop on which axis.
int stateAfter(const UnitNode& node, Forms forms) {
    const rules::SkeletonInfo& entry = rules::info(node.skeleton);
    const bool sequential = rules::isSequential(entry.role);
    if (forms == Forms::All || (!sequential && !rules::isParallel(entry.role)))
        return 0;
    return 1 + 2 * static_cast<int>(entry.axis) + (sequential ? 0 : 1);
}

class GrammarBuilder {
public:
    GrammarBuilder(const UnitGraph& graph, Forms forms) : graph_(graph), forms_(forms) {}

    ChainGraph run() {
        for (int root : graph_.roots)
            chains_.roots.push_back(vertexOf(root, 0));
        for (std::size_t next = 0; next < chains_.vertices.size(); ++next)
            expand(next);
        orderChildrenFirst();
        chains_.maxHeight = chains_.cyclic ? 2 * heightAsWritten() : longestChain();
        return std::move(chains_);
    }

private:
    int vertexOf(int eclass, int state) {
        const auto next = static_cast<int>(chains_.vertices.size());
        const auto [known, added] = index_.try_emplace({eclass, state}, next);
        if (added) {
            chains_.vertices.push_back({eclass, {}});
            states_.push_back(state);
        }
        return known->second;
    }

    void expand(std::size_t vertex) {
        const auto& nodes =
            graph_.classes[static_cast<std::size_t>(chains_.vertices[vertex].eclass)].nodes;
        std::vector<ChainEdge> edges;
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            const int state = stateAfter(nodes[n], forms_);
            if (state != 0 && state == states_[vertex])
                continue;
            const int to = nodes[n].child < 0 ? -1 : vertexOf(nodes[n].child, state);
            edges.push_back({static_cast<int>(n), to});
        }
        chains_.vertices[vertex].edges = std::move(edges);
    }

    /// Kahn's algorithm from the leaves; the order stays as it is when there is a cycle.
    void orderChildrenFirst() {
        const std::size_t size = chains_.vertices.size();
        std::vector<std::vector<int>> parents(size);
        std::vector<std::size_t> open(size, 0);
        std::vector<int> order;
        for (std::size_t v = 0; v < size; ++v)
            for (const ChainEdge& edge : chains_.vertices[v].edges)
                if (edge.to >= 0) {
                    parents[static_cast<std::size_t>(edge.to)].push_back(static_cast<int>(v));
                    ++open[v];
                }
        for (std::size_t v = 0; v < size; ++v)
            if (open[v] == 0)
                order.push_back(static_cast<int>(v));
        for (std::size_t next = 0; next < order.size(); ++next)
            for (int parent : parents[static_cast<std::size_t>(order[next])])
                if (--open[static_cast<std::size_t>(parent)] == 0)
                    order.push_back(parent);
        chains_.cyclic = order.size() < size;
        if (!chains_.cyclic)
            renumber(order);
    }

    void renumber(const std::vector<int>& order) {
        std::vector<int> place(order.size());
        for (std::size_t k = 0; k < order.size(); ++k)
            place[static_cast<std::size_t>(order[k])] = static_cast<int>(k);
        std::vector<ChainVertex> vertices;
        for (int vertex : order)
            vertices.push_back(std::move(chains_.vertices[static_cast<std::size_t>(vertex)]));
        chains_.vertices = std::move(vertices);
        for (ChainVertex& vertex : chains_.vertices)
            for (ChainEdge& edge : vertex.edges)
                if (edge.to >= 0)
                    edge.to = place[static_cast<std::size_t>(edge.to)];
        for (int& root : chains_.roots)
            root = place[static_cast<std::size_t>(root)];
    }

    /// The most terms the shortest chain of a call has.
    int heightAsWritten() const {
        constexpr int kUnknown = std::numeric_limits<int>::max() / 2;
        std::vector<int> least(chains_.vertices.size(), kUnknown);
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t v = 0; v < least.size(); ++v)
                for (const ChainEdge& edge : chains_.vertices[v].edges) {
                    const int below = edge.to < 0 ? 0 : least[static_cast<std::size_t>(edge.to)];
                    if (below + 1 < least[v]) {
                        least[v] = below + 1;
                        changed = true;
                    }
                }
        }
        int height = 0;
        for (int root : chains_.roots)
            height = std::max(height, least[static_cast<std::size_t>(root)]);
        return height;
    }

    int longestChain() const {
        std::vector<int> most(chains_.vertices.size(), 0);
        for (std::size_t v = 0; v < most.size(); ++v)
            for (const ChainEdge& edge : chains_.vertices[v].edges)
                most[v] = std::max(most[v],
                                   1 + (edge.to < 0 ? 0 : most[static_cast<std::size_t>(edge.to)]));
        return most.empty() ? 0 : *std::ranges::max_element(most);
    }

    const UnitGraph& graph_;
    Forms forms_;
    ChainGraph chains_;
    std::vector<int> states_;
    std::map<std::pair<int, int>, int> index_;
};

/// Uniform in [0, bound), by rejection.
BigInt drawBelow(const BigInt& bound, SplitMix64& rng) {
    const std::size_t bits = msb(bound) + 1;
    for (;;) {
        BigInt value = 0;
        for (std::size_t got = 0; got < bits; got += 64)
            value = (value << 64) | rng.next();
        value &= (BigInt(1) << bits) - 1;
        if (value < bound)
            return value;
    }
}

} // namespace

ChainGraph buildChains(const UnitGraph& graph, Forms forms) {
    return GrammarBuilder(graph, forms).run();
}

ChainCounts::ChainCounts(const ChainGraph& chains, std::stop_token stop) : chains_(chains) {
    const std::size_t size = chains.vertices.size();
    byHeight_.emplace_back(size, 0);
    for (int height = 1; height <= chains.maxHeight; ++height) {
        complete_ = complete_ && !stop.stop_requested();
        if (!complete_)
            return;
        const std::vector<BigInt>& below = byHeight_.back();
        std::vector<BigInt> counts(size, 0);
        for (std::size_t v = 0; v < size; ++v)
            for (const ChainEdge& edge : chains.vertices[v].edges)
                counts[v] += edge.to < 0 ? BigInt(1) : below[static_cast<std::size_t>(edge.to)];
        byHeight_.push_back(std::move(counts));
    }
}

const BigInt& ChainCounts::count(int vertex) const {
    return byHeight_.back()[static_cast<std::size_t>(vertex)];
}

BigInt ChainCounts::program() const {
    BigInt product = 1;
    for (int root : chains_.roots)
        product *= count(root);
    return product;
}

std::vector<ParentEdge> ChainCounts::sample(int vertex, SplitMix64& rng) const {
    std::vector<ParentEdge> chain;
    for (std::size_t height = byHeight_.size() - 1; vertex >= 0; --height) {
        const ChainVertex& here = chains_.vertices[static_cast<std::size_t>(vertex)];
        BigInt rank = drawBelow(byHeight_[height][static_cast<std::size_t>(vertex)], rng);
        for (const ChainEdge& edge : here.edges) {
            const BigInt below =
                edge.to < 0 ? BigInt(1) : byHeight_[height - 1][static_cast<std::size_t>(edge.to)];
            if (rank < below) {
                chain.push_back({here.eclass, edge.node});
                vertex = edge.to;
                break;
            }
            rank -= below;
        }
    }
    return chain;
}

} // namespace marquetry::extract
