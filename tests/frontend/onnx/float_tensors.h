// Tensors of float64 in the file's order and what operators of ONNX do with them, as loops: for
// comparison, with nothing of the importer.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

namespace marquetry::frontend::onnx {

using FloatDims = std::vector<std::int64_t>;

struct FloatTensor {
    FloatDims dims;
    std::vector<double> data;

    double& at(std::int64_t flat) { return data[static_cast<std::size_t>(flat)]; }
    double at(std::int64_t flat) const { return data[static_cast<std::size_t>(flat)]; }
};

inline std::int64_t sizeOf(const FloatDims& dims) {
    return std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
}

inline FloatTensor zeros(FloatDims dims) {
    const auto size = static_cast<std::size_t>(sizeOf(dims));
    return {std::move(dims), std::vector<double>(size)};
}

/// Where the element with this index of a tensor of `dims` is in one that is broadcast to it.
inline std::int64_t broadcastFrom(std::int64_t flat, const FloatDims& dims, const FloatDims& from) {
    std::int64_t place = 0, stride = 1;
    for (std::size_t k = 1; k <= dims.size(); ++k) {
        const std::int64_t extent = dims[dims.size() - k];
        if (k <= from.size() && from[from.size() - k] != 1) {
            place += flat % extent * stride;
            stride *= from[from.size() - k];
        }
        flat /= extent;
    }
    return place;
}

/// f of each pair; the smaller one is broadcast.
template <class F>
FloatTensor elementwise(const FloatTensor& a, const FloatTensor& b, const F& f) {
    FloatTensor result = zeros(a.data.size() >= b.data.size() ? a.dims : b.dims);
    for (std::int64_t k = 0; k < std::ssize(result.data); ++k)
        result.at(k) = f(a.at(broadcastFrom(k, result.dims, a.dims)),
                         b.at(broadcastFrom(k, result.dims, b.dims)));
    return result;
}

inline FloatTensor transposed(const FloatTensor& x, const std::vector<std::int64_t>& order) {
    FloatTensor result = x;
    FloatDims strides(x.dims.size(), 1);
    for (std::size_t k = x.dims.size(); k-- > 1;)
        strides[k - 1] = strides[k] * x.dims[k];
    for (std::size_t k = 0; k < order.size(); ++k)
        result.dims[k] = x.dims[static_cast<std::size_t>(order[k])];
    for (std::int64_t flat = 0; flat < std::ssize(x.data); ++flat) {
        std::int64_t rest = flat, from = 0;
        for (std::size_t k = order.size(); k-- > 0;) {
            from += rest % result.dims[k] * strides[static_cast<std::size_t>(order[k])];
            rest /= result.dims[k];
        }
        result.at(flat) = x.at(from);
    }
    return result;
}

/// Matrices of the last two dimensions; w is one for all, or one for each.
inline FloatTensor matrixProduct(const FloatTensor& x, const FloatTensor& w) {
    const std::int64_t depth = x.dims.back();
    const std::int64_t width = w.dims.back();
    FloatDims dims = x.dims;
    dims.back() = width;
    FloatTensor result = zeros(dims);
    const std::int64_t rows = std::ssize(x.data) / depth;
    const std::int64_t matrices = std::ssize(w.data) / (depth * width);
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t first = row / (rows / matrices) * depth * width;
        for (std::int64_t k = 0; k < depth; ++k) {
            const double factor = x.at(row * depth + k);
            for (std::int64_t n = 0; n < width; ++n)
                result.at(row * width + n) += factor * w.at(first + k * width + n);
        }
    }
    return result;
}

/// Pads before height and width, and behind them.
struct FloatWindow {
    std::int64_t kernelH = 1, kernelW = 1, strideH = 1, strideW = 1;
    std::int64_t top = 0, left = 0, bottom = 0, right = 0;

    std::int64_t rows(const FloatTensor& x) const {
        return (x.dims[2] + top + bottom - kernelH) / strideH + 1;
    }
    std::int64_t columns(const FloatTensor& x) const {
        return (x.dims[3] + left + right - kernelW) / strideW + 1;
    }
    /// Calls f(place in x, place in the kernel) for what the window of a result holds of channel c.
    template <class F>
    void inside(const FloatTensor& x, std::int64_t c, std::int64_t row, std::int64_t column,
                const F& f) const {
        for (std::int64_t dy = 0; dy < kernelH; ++dy) {
            const std::int64_t y = row * strideH + dy - top;
            if (y < 0 || y >= x.dims[2])
                continue;
            for (std::int64_t dx = 0; dx < kernelW; ++dx) {
                const std::int64_t sx = column * strideW + dx - left;
                if (sx >= 0 && sx < x.dims[3])
                    f((c * x.dims[2] + y) * x.dims[3] + sx, dy * kernelW + dx);
            }
        }
    }
};

/// `bias` may be empty.
inline FloatTensor convolution(const FloatTensor& x, const FloatTensor& w, const FloatTensor& bias,
                               const FloatWindow& window, std::int64_t groups) {
    FloatTensor result = zeros({1, w.dims[0], window.rows(x), window.columns(x)});
    const std::int64_t taps = w.dims[2] * w.dims[3];
    std::int64_t next = 0;
    for (std::int64_t o = 0; o < w.dims[0]; ++o) {
        const std::int64_t group = o / (w.dims[0] / groups);
        for (std::int64_t row = 0; row < result.dims[2]; ++row) {
            for (std::int64_t column = 0; column < result.dims[3]; ++column) {
                double sum = bias.data.empty() ? 0 : bias.at(o);
                for (std::int64_t i = 0; i < w.dims[1]; ++i) {
                    const std::int64_t first = (o * w.dims[1] + i) * taps;
                    window.inside(x, group * w.dims[1] + i, row, column,
                                  [&](std::int64_t from, std::int64_t k) {
                                      sum += x.at(from) * w.at(first + k);
                                  });
                }
                result.at(next++) = sum;
            }
        }
    }
    return result;
}

/// What a pool makes of its windows: the greatest, or the mean of what is inside.
inline FloatTensor pooled(const FloatTensor& x, const FloatWindow& window, bool greatest) {
    FloatTensor result = zeros({1, x.dims[1], window.rows(x), window.columns(x)});
    std::int64_t next = 0;
    for (std::int64_t c = 0; c < x.dims[1]; ++c) {
        for (std::int64_t row = 0; row < result.dims[2]; ++row) {
            for (std::int64_t column = 0; column < result.dims[3]; ++column) {
                double most = -1e300, sum = 0, count = 0;
                window.inside(x, c, row, column, [&](std::int64_t from, std::int64_t) {
                    most = std::max(most, x.at(from));
                    sum += x.at(from);
                    count += 1;
                });
                result.at(next++) = greatest ? most : sum / count;
            }
        }
    }
    return result;
}

/// Behind each other along one dimension.
inline FloatTensor joined(const std::vector<FloatTensor>& parts, std::size_t axis) {
    FloatTensor result{parts.front().dims, {}};
    result.dims[axis] = 0;
    for (const FloatTensor& part : parts)
        result.dims[axis] += part.dims[axis];
    std::int64_t outer = 1;
    for (std::size_t k = 0; k < axis; ++k)
        outer *= result.dims[k];
    for (std::int64_t at = 0; at < outer; ++at) {
        for (const FloatTensor& part : parts) {
            const std::int64_t run = std::ssize(part.data) / outer;
            result.data.insert(result.data.end(), part.data.begin() + at * run,
                               part.data.begin() + (at + 1) * run);
        }
    }
    return result;
}

/// Every pixel fy times fx times.
inline FloatTensor repeated(const FloatTensor& x, std::int64_t fy, std::int64_t fx) {
    FloatTensor result = zeros({1, x.dims[1], x.dims[2] * fy, x.dims[3] * fx});
    std::int64_t next = 0;
    for (std::int64_t c = 0; c < x.dims[1]; ++c)
        for (std::int64_t y = 0; y < result.dims[2]; ++y)
            for (std::int64_t column = 0; column < result.dims[3]; ++column)
                result.at(next++) = x.at((c * x.dims[2] + y / fy) * x.dims[3] + column / fx);
    return result;
}

/// f of each row of the last dimension, in place.
inline FloatTensor byRows(FloatTensor x, const std::function<void(double*, std::int64_t)>& f) {
    const std::int64_t length = x.dims.back();
    for (std::int64_t at = 0; at < std::ssize(x.data); at += length)
        f(x.data.data() + at, length);
    return x;
}

inline void softmaxRow(double* row, std::int64_t length) {
    const double peak = *std::max_element(row, row + length);
    double sum = 0;
    for (std::int64_t k = 0; k < length; ++k)
        sum += row[k] = std::exp(row[k] - peak);
    for (std::int64_t k = 0; k < length; ++k)
        row[k] /= sum;
}

inline void normaliseRow(double* row, std::int64_t length, double epsilon) {
    const auto count = static_cast<double>(length);
    const double mean = std::accumulate(row, row + length, 0.0) / count;
    double variance = 0;
    for (std::int64_t k = 0; k < length; ++k)
        variance += (row[k] - mean) * (row[k] - mean) / count;
    for (std::int64_t k = 0; k < length; ++k)
        row[k] = (row[k] - mean) / std::sqrt(variance + epsilon);
}

} // namespace marquetry::frontend::onnx
