#include "widgets/graph_layout/layered_layout.h"

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace marquetry::widgets {

namespace {

using Csr = boost::compressed_sparse_row_graph<boost::directedS>;

/// Neighbours by block, both ways, in one array each.
struct Adjacency {
    std::vector<std::uint32_t> begin;
    std::vector<std::uint32_t> to;

    Adjacency(std::size_t blocks, std::span<const BlockEdge> edges, bool reversed)
        : begin(blocks + 1, 0), to(edges.size()) {
        const auto source = [&](const BlockEdge& e) { return reversed ? e.second : e.first; };
        for (const BlockEdge& edge : edges)
            ++begin[source(edge) + 1];
        std::partial_sum(begin.begin(), begin.end(), begin.begin());
        std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
        for (const BlockEdge& edge : edges)
            to[next[source(edge)]++] = reversed ? edge.first : edge.second;
    }
    std::span<const std::uint32_t> of(std::uint32_t block) const {
        return {to.data() + begin[block], to.data() + begin[block + 1]};
    }
};

class Layering {
public:
    Layering(const LayeredGraph& graph, const LayeredParams& params)
        : graph_(graph), params_(params), size_(graph.sizes.size()) {}

    LayeredResult run() {
        if (size_ == 0)
            return {};
        assignLayers();
        orderLayers();
        place();
        return std::move(result_);
    }

private:
    /// Boost numbers components in reverse topological order: an edge leads to a smaller number.
    void assignLayers() {
        const Csr csr(boost::edges_are_unsorted_multi_pass, graph_.edges.begin(),
                      graph_.edges.end(), size_);
        std::vector<std::uint32_t> component(size_);
        const auto count = static_cast<std::size_t>(boost::strong_components(
            csr,
            boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, csr))));
        std::vector<std::uint32_t> bySource(graph_.edges.size());
        std::iota(bySource.begin(), bySource.end(), 0U);
        std::ranges::stable_sort(bySource, std::greater{},
                                 [&](std::uint32_t e) { return component[graph_.edges[e].first]; });
        std::vector<std::uint32_t> depth(count, 0);
        for (const std::uint32_t e : bySource) {
            const std::uint32_t from = component[graph_.edges[e].first];
            const std::uint32_t to = component[graph_.edges[e].second];
            if (from != to)
                depth[to] = std::max(depth[to], depth[from] + 1);
        }
        result_.layer.resize(size_);
        for (std::size_t k = 0; k < size_; ++k)
            result_.layer[k] = depth[component[k]];
        result_.layers = 1 + *std::ranges::max_element(depth);
        layers_.resize(result_.layers);
        for (std::uint32_t k = 0; k < size_; ++k)
            layers_[result_.layer[k]].push_back(k);
    }

    void orderLayers() {
        const Adjacency down(size_, graph_.edges, false);
        const Adjacency up(size_, graph_.edges, true);
        position_.assign(size_, 0);
        for (auto& layer : layers_) {
            if (graph_.previousX.size() == size_)
                std::ranges::stable_sort(layer, {}, [&](std::uint32_t k) {
                    const double x = graph_.previousX[k];
                    return std::isnan(x) ? std::numeric_limits<double>::infinity() : x;
                });
            number(layer);
        }
        for (int sweep = 0; sweep < params_.sweeps; ++sweep) {
            if (sweep % 2 == 0)
                for (std::size_t l = 1; l < layers_.size(); ++l)
                    sortByNeighbours(layers_[l], up);
            else
                for (std::size_t l = layers_.size(); l-- > 1;)
                    sortByNeighbours(layers_[l - 1], down);
        }
    }

    void number(const std::vector<std::uint32_t>& layer) {
        const double step = 1.0 / static_cast<double>(layer.size());
        for (std::size_t k = 0; k < layer.size(); ++k)
            position_[layer[k]] = (static_cast<double>(k) + 0.5) * step;
    }

    void sortByNeighbours(std::vector<std::uint32_t>& layer, const Adjacency& neighbours) {
        keyed_.clear();
        for (const std::uint32_t block : layer) {
            double sum = 0;
            const auto others = neighbours.of(block);
            for (const std::uint32_t other : others)
                sum += position_[other];
            keyed_.emplace_back(others.empty() ? position_[block]
                                               : sum / static_cast<double>(others.size()),
                                block);
        }
        std::ranges::stable_sort(keyed_, {}, &std::pair<double, std::uint32_t>::first);
        for (std::size_t k = 0; k < layer.size(); ++k)
            layer[k] = keyed_[k].second;
        number(layer);
    }

    double layerWidth(const std::vector<std::uint32_t>& layer) const {
        double width = -params_.columnGap;
        for (const std::uint32_t block : layer)
            width += graph_.sizes[block].width() + params_.columnGap;
        return width;
    }

    /// The narrowest width, among halvings of the widest layer, that reaches the wanted aspect.
    double rowWidth() const {
        double tallest = 1;
        for (const QSizeF& size : graph_.sizes)
            tallest = std::max(tallest, size.height());
        std::vector<double> widths;
        for (const auto& layer : layers_)
            widths.push_back(std::max(1.0, layerWidth(layer)));
        const double widest = *std::ranges::max_element(widths);
        for (double width = widest;; width /= 1.3) {
            double height = 0;
            for (const double w : widths)
                height += std::ceil(w / width) * (tallest + params_.wrapGap) + params_.rowGap;
            if (width <= params_.aspect * height || width < 4 * params_.columnGap)
                return std::min(widest, width * 1.15);
        }
    }

    void place() {
        result_.centres.resize(size_);
        const double width = rowWidth();
        double top = 0;
        for (const auto& layer : layers_) {
            const double rows = std::ceil(layerWidth(layer) / width);
            const double wanted = layerWidth(layer) / std::max(1.0, rows);
            std::size_t from = 0;
            while (from < layer.size())
                from = placeRow(layer, from, std::min(width, wanted * 1.05), top);
            top += params_.rowGap - params_.wrapGap;
        }
        for (std::size_t k = 0; k < size_; ++k) {
            const QSizeF half = graph_.sizes[k] / 2;
            result_.bounds |=
                QRectF(result_.centres[k] - QPointF(half.width(), half.height()), graph_.sizes[k]);
        }
    }

    /// One row of a layer, centred on x = 0; returns the first block of the next row.
    std::size_t placeRow(const std::vector<std::uint32_t>& layer, std::size_t from, double width,
                         double& top) {
        std::size_t to = from;
        double used = -params_.columnGap;
        double height = 0;
        do {
            used += graph_.sizes[layer[to]].width() + params_.columnGap;
            height = std::max(height, graph_.sizes[layer[to]].height());
            ++to;
        } while (to < layer.size() &&
                 used + params_.columnGap + graph_.sizes[layer[to]].width() <= width);
        double left = -used / 2;
        for (std::size_t k = from; k < to; ++k) {
            const double w = graph_.sizes[layer[k]].width();
            result_.centres[layer[k]] = {left + w / 2, top + height / 2};
            left += w + params_.columnGap;
        }
        top += height + params_.wrapGap;
        return to;
    }

    const LayeredGraph& graph_;
    const LayeredParams& params_;
    std::size_t size_;
    LayeredResult result_;
    std::vector<std::vector<std::uint32_t>> layers_;
    std::vector<double> position_; ///< 0 … 1 within the layer
    std::vector<std::pair<double, std::uint32_t>> keyed_;
};

} // namespace

LayeredResult layeredLayout(const LayeredGraph& graph, const LayeredParams& params) {
    return Layering(graph, params).run();
}

} // namespace marquetry::widgets
