#include "tests/oracles/tensor_parts.h"

#include <algorithm>

namespace marquetry::rules {

using ir::Scalar;
using ir::Shape;
using ir::Tensor;

std::size_t indexOf(std::int64_t index) {
    return static_cast<std::size_t>(index);
}

Tensor zeros(Scalar scalar, Shape dims) {
    Tensor tensor{{scalar, std::move(dims)}, {}};
    tensor.data.assign(indexOf(tensor.type.elements()), 0);
    return tensor;
}

void copyBox(const Tensor& from, Tensor& to, const Box& box) {
    const std::size_t rank = from.type.dims.size();
    std::vector<std::int64_t> index(rank, 0);
    for (bool more = true; more;) {
        std::int64_t source = 0;
        std::int64_t target = 0;
        bool inside = true;
        for (std::size_t k = 0; k < rank; ++k) {
            const std::int64_t s = box.fromStart[k] + index[k];
            const std::int64_t t = box.toStart[k] + index[k];
            inside = inside && s < from.type.dims[k] && t < to.type.dims[k];
            source = source * from.type.dims[k] + s;
            target = target * to.type.dims[k] + t;
        }
        if (inside)
            to.data[indexOf(target)] = from.data[indexOf(source)];
        more = false;
        for (std::size_t k = rank; k-- > 0;) {
            if (++index[k] < box.extent[k]) {
                more = true;
                break;
            }
            index[k] = 0;
        }
    }
}

Tensor slice(const Tensor& from, std::vector<std::int64_t> start, const Shape& dims) {
    Tensor part = zeros(from.type.scalar, dims);
    copyBox(from, part, {std::move(start), std::vector<std::int64_t>(dims.size(), 0), dims});
    return part;
}

void accumulate(Tensor& sum, const Tensor& part) {
    for (std::size_t k = 0; k < sum.data.size(); ++k)
        sum.data[k] = ir::wrap(Scalar::I32, sum.data[k] + part.data[k]);
}

Tensor plane(const Tensor& from, std::int64_t index) {
    Tensor part{{from.type.scalar, {from.type.dims.begin() + 1, from.type.dims.end()}}, {}};
    const std::int64_t size = part.type.elements();
    part.data.assign(from.data.begin() + index * size, from.data.begin() + (index + 1) * size);
    return part;
}

void setPlane(Tensor& to, std::int64_t index, const Tensor& part) {
    const auto size = static_cast<std::int64_t>(part.data.size());
    std::ranges::copy(part.data, to.data.begin() + index * size);
}

Tensor transposed(const Tensor& from) {
    const std::int64_t rows = from.type.dims[0];
    const std::int64_t cols = from.type.dims[1];
    Tensor to = zeros(from.type.scalar, {cols, rows});
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < cols; ++c)
            to.data[indexOf(c * rows + r)] = from.data[indexOf(r * cols + c)];
    return to;
}

Tensor reshaped(Tensor tensor, Shape dims) {
    tensor.type.dims = std::move(dims);
    return tensor;
}

} // namespace marquetry::rules
