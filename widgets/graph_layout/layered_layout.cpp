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

constexpr float kUnit = 2147483648.0F; ///< positions 0 … 1 as integers

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
        : graph_(graph),
          params_(params),
          size_(graph.sizes.size()),
          down_(size_, graph.edges, false),
          up_(size_, graph.edges, true) {}

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
        std::vector<std::uint32_t> begin(count + 1, 0);
        for (const std::uint32_t c : component)
            ++begin[c + 1];
        std::partial_sum(begin.begin(), begin.end(), begin.begin());
        std::vector<std::uint32_t> members(size_);
        std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
        for (std::uint32_t k = 0; k < size_; ++k)
            members[next[component[k]]++] = k;
        std::vector<std::uint32_t> depth(count, 0);
        for (std::size_t c = count; c-- > 0;)
            for (std::uint32_t m = begin[c]; m < begin[c + 1]; ++m)
                for (const std::uint32_t to : down_.of(members[m]))
                    if (component[to] != c)
                        depth[component[to]] = std::max(depth[component[to]], depth[c] + 1);
        result_.layer.resize(size_);
        for (std::size_t k = 0; k < size_; ++k)
            result_.layer[k] = depth[component[k]];
        result_.layers = 1 + *std::ranges::max_element(depth);
        layers_.resize(result_.layers);
        for (std::uint32_t k = 0; k < size_; ++k)
            layers_[result_.layer[k]].push_back(k);
    }

    void orderLayers() {
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
                    sortByNeighbours(layers_[l], up_);
            else
                for (std::size_t l = layers_.size(); l-- > 1;)
                    sortByNeighbours(layers_[l - 1], down_);
        }
    }

    void number(const std::vector<std::uint32_t>& layer) {
        const float step = 1.0F / static_cast<float>(layer.size());
        for (std::size_t k = 0; k < layer.size(); ++k)
            position_[layer[k]] = (static_cast<float>(k) + 0.5F) * step;
    }

    /// Keys hold the barycentre above and the present place below, so that the order is stable.
    void sortByNeighbours(std::vector<std::uint32_t>& layer, const Adjacency& neighbours) {
        keys_.resize(layer.size());
        for (std::size_t k = 0; k < layer.size(); ++k) {
            const auto others = neighbours.of(layer[k]);
            float sum = 0;
            for (const std::uint32_t other : others)
                sum += position_[other];
            const float mean =
                others.empty() ? position_[layer[k]] : sum / static_cast<float>(others.size());
            keys_[k] = static_cast<std::uint64_t>(mean * kUnit) << 32 | k;
        }
        if (std::ranges::is_sorted(keys_))
            return;
        std::ranges::sort(keys_);
        sorted_.resize(layer.size());
        for (std::size_t k = 0; k < layer.size(); ++k)
            sorted_[k] = layer[static_cast<std::uint32_t>(keys_[k])];
        layer.swap(sorted_);
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
                return width;
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
    Adjacency down_;
    Adjacency up_;
    LayeredResult result_;
    std::vector<std::vector<std::uint32_t>> layers_;
    std::vector<float> position_; ///< 0 … 1 within the layer
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> sorted_;
};

} // namespace

LayeredResult layeredLayout(const LayeredGraph& graph, const LayeredParams& params) {
    return Layering(graph, params).run();
}

} // namespace marquetry::widgets
