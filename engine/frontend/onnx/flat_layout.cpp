#include "engine/frontend/onnx/flat_layout.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace marquetry::frontend::onnx {

std::int64_t elementsOf(const Dims& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

Dims stridesOf(const Dims& shape) {
    Dims strides(shape.size(), 1);
    for (std::size_t k = shape.size(); k-- > 1;)
        strides[k - 1] = strides[k] * shape[k];
    return strides;
}

FlatLayout normalised(FlatLayout layout) {
    FlatLayout merged;
    for (const LayoutFactor& factor : layout) {
        if (factor.extent == 1)
            continue;
        if (!merged.empty() && merged.back().stride == factor.extent * factor.stride)
            merged.back() = {merged.back().extent * factor.extent, factor.stride};
        else
            merged.push_back(factor);
    }
    return merged;
}

FlatLayout naturalLayout(const Dims& shape) {
    return normalised({{elementsOf(shape), 1}});
}

FlatLayout layoutOf(const Dims& shape, const std::vector<std::size_t>& order) {
    const Dims strides = stridesOf(shape);
    FlatLayout layout;
    for (const std::size_t k : order)
        layout.push_back({shape[k], strides[k]});
    return normalised(std::move(layout));
}

FlatLayout activationLayout(const Dims& shape) {
    if (shape.size() < 3)
        return naturalLayout(shape);
    std::vector<std::size_t> order = {0};
    for (std::size_t k = 2; k < shape.size(); ++k)
        order.push_back(k);
    order.push_back(1);
    return layoutOf(shape, order);
}

std::optional<FlatLayout> cutAt(const FlatLayout& layout, const FlatLayout& cuts) {
    std::set<std::int64_t> places;
    for (const LayoutFactor& factor : cuts) {
        places.insert(factor.stride);
        places.insert(factor.stride * factor.extent);
    }
    FlatLayout pieces;
    for (const LayoutFactor& factor : layout) {
        std::int64_t end = factor.stride * factor.extent;
        for (auto at = places.rbegin(); at != places.rend(); ++at) {
            if (*at <= factor.stride || *at >= end)
                continue;
            if (end % *at != 0 || *at % factor.stride != 0)
                return std::nullopt;
            pieces.push_back({end / *at, *at});
            end = *at;
        }
        pieces.push_back({end / factor.stride, factor.stride});
    }
    return pieces;
}

std::optional<FlatLayout> transposed(const FlatLayout& layout, const Dims& shape,
                                     const std::vector<std::size_t>& order) {
    const Dims strides = stridesOf(shape);
    FlatLayout axes;
    for (std::size_t k = 0; k < shape.size(); ++k)
        axes.push_back({shape[k], strides[k]});
    auto pieces = cutAt(layout, axes);
    if (!pieces)
        return std::nullopt;
    Dims shapeAfter;
    for (const std::size_t k : order)
        shapeAfter.push_back(shape[k]);
    const Dims stridesAfter = stridesOf(shapeAfter);
    for (LayoutFactor& piece : *pieces) {
        for (std::size_t k = 0; k < order.size(); ++k) {
            const std::int64_t before = strides[order[k]];
            if (piece.stride < before || piece.stride >= before * shapeAfter[k])
                continue;
            piece.stride = piece.stride / before * stridesAfter[k];
            break;
        }
    }
    return normalised(std::move(*pieces));
}

std::vector<std::int64_t> flatIndices(const FlatLayout& layout) {
    std::vector<std::int64_t> indices = {0};
    for (const LayoutFactor& factor : layout) {
        std::vector<std::int64_t> more;
        more.reserve(indices.size() * static_cast<std::size_t>(factor.extent));
        for (const std::int64_t index : indices) {
            for (std::int64_t k = 0; k < factor.extent; ++k)
                more.push_back(index + k * factor.stride);
        }
        indices = std::move(more);
    }
    return indices;
}

} // namespace marquetry::frontend::onnx
