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

/// The sum over a window of w·x where x is `fill` in the padding, is that of w·(x − fill) over what
/// lies inside, and fill·Σ w.
struct FilledInput {
    FilledInput(const Tensor& x, const OpParams& params)
        : words(modularWords(x)), dims(x.type.dims), fill(static_cast<std::uint32_t>(params.fill)) {
        for (std::uint32_t& word : words)
            word -= fill;
    }
    /// fill·Σ w of each filter.
    ModularWords base(const ModularWords& weights, std::size_t filter) const {
        ModularWords sums(weights.size() / filter);
        for (std::size_t k = 0; k < weights.size() && fill != 0; ++k)
            sums[k / filter] += fill * weights[k];
        return sums;
    }

    ModularWords words;
    const Shape& dims;
    std::uint32_t fill;
};

struct ConvWindow {
    const FilledInput& x;
    std::int64_t height, width; ///< of the window
    std::int64_t top, left;
    Overlap rows, columns; ///< what of it lies inside
};

ConvWindow windowAt(const FilledInput& x, const Shape& window, const OpParams& params,
                    std::int64_t oy, std::int64_t ox) {
    const std::int64_t top = oy * params.stride.vertical - params.pad.top;
    const std::int64_t left = ox * params.stride.horizontal - params.pad.left;
    return {x,
            window[0],
            window[1],
            top,
            left,
            overlap(top, window[0], x.dims[0]),
            overlap(left, window[1], x.dims[1])};
}

/// The window's products with one filter, which reads `channels` channels from `first` on. Those of
/// a row are contiguous in both operands when it reads all of them.
std::uint32_t windowSum(const ConvWindow& at, const std::uint32_t* filter, std::int64_t first,
                        std::int64_t channels) {
    const std::int64_t all = at.x.dims[2];
    const std::int64_t pixels = at.columns.to - at.columns.from;
    const bool whole = channels == all;
    std::uint32_t sum = 0;
    for (std::int64_t ky = at.rows.from; ky < at.rows.to; ++ky) {
        const std::uint32_t* x = at.x.words.data() + first +
                                 ((at.top + ky) * at.x.dims[1] + at.left + at.columns.from) * all;
        const std::uint32_t* w = filter + (ky * at.width + at.columns.from) * channels;
        if (whole && pixels > 0)
            sum += dotProduct(x, w, pixels * channels);
        for (std::int64_t k = 0; k < pixels && !whole; ++k)
            sum += dotProduct(x + k * all, w + k * channels, channels);
    }
    return sum;
}

} // namespace

void evalConv(Operands operands, const OpParams& params, Tensor& result, Stop stop) {
    const FilledInput x(*operands[0], params);
    const ModularWords w = modularWords(*operands[1]);
    const Shape& wDims = operands[1]->type.dims;
    const Shape window = {wDims[1], wDims[2]};
    const std::int64_t filter = wDims[1] * wDims[2] * wDims[3];
    const ModularWords base = x.base(w, static_cast<std::size_t>(filter));
    const std::int64_t ofGroup = wDims[0] / params.groups;
    std::int64_t* out = result.data.data();
    for (std::int64_t oy = 0; oy < result.type.dims[0]; ++oy) {
        for (std::int64_t ox = 0; ox < result.type.dims[1]; ++ox) {
            const ConvWindow at = windowAt(x, window, params, oy, ox);
            for (std::int64_t o = 0; o < wDims[0]; ++o) {
                if (stop.stop_requested())
                    return;
                *out++ = asSigned(
                    base[static_cast<std::size_t>(o)] +
                    windowSum(at, w.data() + o * filter, o / ofGroup * wDims[3], wDims[3]));
            }
        }
    }
}

void evalDwConv(Operands operands, const OpParams& params, Tensor& result, Stop stop) {
    const FilledInput x(*operands[0], params);
    const ModularWords w = modularWords(*operands[1]);
    const Shape& wDims = operands[1]->type.dims;
    const Shape window = {wDims[1], wDims[2]};
    const std::int64_t filter = wDims[1] * wDims[2];
    const ModularWords base = x.base(w, static_cast<std::size_t>(filter));
    const std::int64_t ofChannel = wDims[0] / x.dims[2];
    std::int64_t* out = result.data.data();
    for (std::int64_t oy = 0; oy < result.type.dims[0]; ++oy) {
        for (std::int64_t ox = 0; ox < result.type.dims[1]; ++ox) {
            const ConvWindow at = windowAt(x, window, params, oy, ox);
            for (std::int64_t c = 0; c < wDims[0]; ++c) {
                if (stop.stop_requested())
                    return;
                *out++ = asSigned(base[static_cast<std::size_t>(c)] +
                                  windowSum(at, w.data() + c * filter, c / ofChannel, 1));
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
            const std::int64_t left = ox - params.pad.left;
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
        const std::int64_t top = oy - params.pad.top;
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
