// Operators made of multiply–accumulates. Sums are kept in unsigned 32 bits: results are defined
// modulo 2^32, so wrapping early is exact and the inner loops stay narrow.
#include "engine/ir/op_functions.h"

#include <algorithm>

namespace marquetry::ir::cells {

namespace {

using ModularWords = std::vector<std::uint32_t>;

ModularWords modularWords(const Tensor& tensor) {
    ModularWords copy(tensor.data.size());
    std::transform(tensor.data.begin(), tensor.data.end(), copy.begin(),
                   [](std::int64_t value) { return static_cast<std::uint32_t>(value); });
    return copy;
}

std::int64_t asSigned(std::uint32_t value) {
    return static_cast<std::int32_t>(value);
}

std::uint32_t dotProduct(const std::uint32_t* a, const std::uint32_t* b, std::int64_t count) {
    std::uint32_t sum = 0;
    for (std::int64_t k = 0; k < count; ++k)
        sum += a[k] * b[k];
    return sum;
}

/// Part of a window of `size` starting at `start` that lies inside 0 … extent: [from, to), relative
/// to the window. The rest is zero padding and adds nothing.
struct Overlap {
    std::int64_t from;
    std::int64_t to;
};

Overlap overlap(std::int64_t start, std::int64_t size, std::int64_t extent) {
    const std::int64_t from = std::clamp<std::int64_t>(-start, 0, size);
    return {from, std::max(from, std::min(size, extent - start))};
}

/// Rows · rows: result[r][c] = a row r · b row c.
void multiplyRows(const std::uint32_t* a, const std::uint32_t* b, const Shape& hwk,
                  std::int64_t* result, Stop stop) {
    for (std::int64_t r = 0; r < hwk[0]; ++r) {
        for (std::int64_t c = 0; c < hwk[1]; ++c) {
            if (stop.stop_requested())
                return;
            *result++ = asSigned(dotProduct(a + r * hwk[2], b + c * hwk[2], hwk[2]));
        }
    }
}

struct ConvWindow {
    const ModularWords& x;
    const Shape& xDims;
    const Shape& wDims; ///< OCH × K × K × ICH
    std::int64_t top;
    std::int64_t left;
};

/// One output element: rows of the window are contiguous in both operands.
std::uint32_t windowSum(const ConvWindow& at, const std::uint32_t* weights) {
    const std::int64_t size = at.wDims[1];
    const std::int64_t channels = at.wDims[3];
    const Overlap rows = overlap(at.top, size, at.xDims[0]);
    const Overlap columns = overlap(at.left, size, at.xDims[1]);
    const std::int64_t run = (columns.to - columns.from) * channels;
    std::uint32_t sum = 0;
    for (std::int64_t ky = rows.from; ky < rows.to; ++ky) {
        const std::int64_t x = ((at.top + ky) * at.xDims[1] + at.left + columns.from) * channels;
        const std::int64_t w = (ky * size + columns.from) * channels;
        if (run > 0)
            sum += dotProduct(at.x.data() + x, weights + w, run);
    }
    return sum;
}

} // namespace

void evalConv(Operands operands, const OpParams& params, Tensor& result, Stop stop) {
    const ModularWords x = modularWords(*operands[0]);
    const ModularWords w = modularWords(*operands[1]);
    const Shape& xDims = operands[0]->type.dims;
    const Shape& wDims = operands[1]->type.dims;
    const std::int64_t filter = wDims[1] * wDims[2] * wDims[3];
    std::int64_t* out = result.data.data();
    for (std::int64_t oy = 0; oy < result.type.dims[0]; ++oy) {
        for (std::int64_t ox = 0; ox < result.type.dims[1]; ++ox) {
            const ConvWindow at{x, xDims, wDims, oy * params.stride - params.pad,
                                ox * params.stride - params.pad};
            for (std::int64_t o = 0; o < wDims[0]; ++o) {
                if (stop.stop_requested())
                    return;
                *out++ = asSigned(windowSum(at, w.data() + o * filter));
            }
        }
    }
}

namespace {

/// One output element of a depth-wise convolution: channel c's K × K window.
std::uint32_t channelSum(const ConvWindow& at, const std::uint32_t* weights, std::int64_t c) {
    const std::int64_t size = at.wDims[1];
    const Overlap rows = overlap(at.top, size, at.xDims[0]);
    const Overlap columns = overlap(at.left, size, at.xDims[1]);
    std::uint32_t sum = 0;
    for (std::int64_t ky = rows.from; ky < rows.to; ++ky) {
        for (std::int64_t kx = columns.from; kx < columns.to; ++kx) {
            const std::int64_t pixel = (at.top + ky) * at.xDims[1] + at.left + kx;
            sum += at.x[static_cast<std::size_t>(pixel * at.xDims[2] + c)] *
                   weights[(c * size + ky) * size + kx];
        }
    }
    return sum;
}

} // namespace

void evalDwConv(Operands operands, const OpParams& params, Tensor& result, Stop stop) {
    const ModularWords x = modularWords(*operands[0]);
    const ModularWords w = modularWords(*operands[1]);
    std::int64_t* out = result.data.data();
    for (std::int64_t oy = 0; oy < result.type.dims[0]; ++oy) {
        for (std::int64_t ox = 0; ox < result.type.dims[1]; ++ox) {
            const ConvWindow at{x, operands[0]->type.dims, operands[1]->type.dims,
                                oy * params.stride - params.pad, ox * params.stride - params.pad};
            for (std::int64_t c = 0; c < result.type.dims[2]; ++c) {
                if (stop.stop_requested())
                    return;
                *out++ = asSigned(channelSum(at, w.data(), c));
            }
        }
    }
}

void evalConv1dW(Operands operands, const OpParams& params, Tensor& result, Stop stop) {
    const ModularWords image = modularWords(*operands[0]);
    const ModularWords kernel = modularWords(*operands[1]);
    const std::int64_t width = operands[0]->type.dims[1];
    const std::int64_t size = operands[1]->type.dims[0];
    std::int64_t* out = result.data.data();
    for (std::int64_t y = 0; y < result.type.dims[0]; ++y) {
        for (std::int64_t ox = 0; ox < result.type.dims[1]; ++ox) {
            if (stop.stop_requested())
                return;
            const std::int64_t left = ox - params.pad;
            const Overlap part = overlap(left, size, width);
            *out++ = part.from == part.to
                         ? 0
                         : asSigned(dotProduct(image.data() + y * width + left + part.from,
                                               kernel.data() + part.from, part.to - part.from));
        }
    }
}

void evalConv1dH(Operands operands, const OpParams& params, Tensor& result, Stop stop) {
    const ModularWords image = modularWords(*operands[0]);
    const ModularWords kernel = modularWords(*operands[1]);
    const std::int64_t width = operands[0]->type.dims[1];
    const std::int64_t size = operands[1]->type.dims[0];
    std::int64_t* out = result.data.data();
    for (std::int64_t oy = 0; oy < result.type.dims[0]; ++oy) {
        const std::int64_t top = oy - params.pad;
        const Overlap part = overlap(top, size, operands[0]->type.dims[0]);
        for (std::int64_t x = 0; x < width; ++x) {
            if (stop.stop_requested())
                return;
            std::uint32_t sum = 0;
            for (std::int64_t k = part.from; k < part.to; ++k)
                sum += image[static_cast<std::size_t>((top + k) * width + x)] *
                       kernel[static_cast<std::size_t>(k)];
            *out++ = asSigned(sum);
        }
    }
}

void evalMm(Operands operands, const OpParams&, Tensor& result, Stop stop) {
    const Shape& a = operands[0]->type.dims;
    multiplyRows(modularWords(*operands[0]).data(), modularWords(*operands[1]).data(),
                 {a[0], operands[1]->type.dims[0], a[1]}, result.data.data(), stop);
}

void evalBmm(Operands operands, const OpParams&, Tensor& result, Stop stop) {
    const ModularWords a = modularWords(*operands[0]);
    const ModularWords b = modularWords(*operands[1]);
    const Shape& dims = operands[0]->type.dims;
    const Shape hwk = {dims[1], operands[1]->type.dims[1], dims[2]};
    for (std::int64_t batch = 0; batch < dims[0]; ++batch)
        multiplyRows(a.data() + batch * hwk[0] * hwk[2], b.data() + batch * hwk[1] * hwk[2], hwk,
                     result.data.data() + batch * hwk[0] * hwk[1], stop);
}

void evalMv(Operands operands, const OpParams&, Tensor& result, Stop stop) {
    const Shape& m = operands[0]->type.dims;
    multiplyRows(modularWords(*operands[0]).data(), modularWords(*operands[1]).data(),
                 {m[0], 1, m[1]}, result.data.data(), stop);
}

void evalDot(Operands operands, const OpParams&, Tensor& result, Stop stop) {
    multiplyRows(modularWords(*operands[0]).data(), modularWords(*operands[1]).data(),
                 {1, 1, operands[0]->type.dims[0]}, result.data.data(), stop);
}

} // namespace marquetry::ir::cells
