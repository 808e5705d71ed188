#include "engine/frontend/onnx/arrange.h"
#include "engine/frontend/onnx/linear.h"

#include <numeric>

namespace marquetry::frontend::onnx {
namespace {

/// Rows × depth and depth × columns, one pair or one for each of the leading dimensions.
struct ProductShape {
    std::int64_t batch = 1, height = 1, depth = 1, width = 1;

    Dims left() const { return batch == 1 ? Dims{height, depth} : Dims{batch, height, depth}; }
    /// As the operator reads it: turned.
    Dims right() const { return batch == 1 ? Dims{width, depth} : Dims{batch, width, depth}; }
};

std::optional<ProductShape> productShape(const NodeUse& use, const Dims& a, const Dims& b) {
    const std::size_t rank = a.size();
    const bool fits = rank >= 2 && b.size() == rank && a[rank - 1] == b[rank - 2] &&
                      std::equal(a.begin(), a.end() - 2, b.begin());
    if (!fits)
        return use.fail("onnx-shape", "multiplies matrices that do not fit",
                        "both need the same leading dimensions");
    ProductShape shape{1, a[rank - 2], a[rank - 1], b[rank - 1]};
    shape.batch = elementsOf(a) / (shape.height * shape.depth);
    return shape;
}

} // namespace

std::optional<AffineTensor> activationProduct(const NodeUse& use, const AffineTensor& a,
                                              const AffineTensor& b) {
    const auto x = onGrid(use, a);
    const auto y = x ? onGrid(use, b) : std::nullopt;
    const auto shape = y ? productShape(use, a.shape, b.shape) : std::nullopt;
    if (!shape)
        return std::nullopt;
    std::vector<std::size_t> order(b.shape.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::swap(order[order.size() - 1], order[order.size() - 2]);
    const auto first = arranged(use, x->term, naturalLayout(a.shape), shape->left());
    const auto second =
        first ? arranged(use, y->term, layoutOf(b.shape, order), shape->right()) : std::nullopt;
    const auto left = second ? withoutZero(use, *x, *first) : std::nullopt;
    const auto right = left ? withoutZero(use, *y, *second) : std::nullopt;
    const auto kind = shape->batch == 1 ? ir::OpKind::Mm : ir::OpKind::Bmm;
    const auto value = right ? use.emit(use.tensorName(), kind, {*left, *right}) : std::nullopt;
    if (!value)
        return std::nullopt;
    AffineTensor result;
    result.shape = a.shape;
    result.shape.back() = shape->width;
    result.terms = {{*value, naturalLayout(result.shape), PerChannel::all(x->scale * y->scale)}};
    return result;
}

} // namespace marquetry::frontend::onnx
