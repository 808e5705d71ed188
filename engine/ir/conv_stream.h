// A convolution with constant weights as a stream program: pixels come row by row, line buffers
// keep the rows of the window, and the sums are computed on the window (background/aetherling.md,
// "The running example", here for several channels in and out).
//
// The program has one input per channel and one output per row of the weights, each `Seq N u32`. An
// input has the pixels of the image with its zero padding, row by row, and further ones up to a
// prime N of at least kLeastStreamFrame. Because N is prime, one pixel after another is the only
// way to lay them out in time. Half its range is added to an operand with a sign (channelWord), so
// that every word fits in `operandBits` bits and is not negative. Element j of an output is the sum
// over the window whose last pixel is j, modulo 2^32. Windows that hang over an edge are computed
// too, and whoever uses the stream leaves them out.
//
// Side condition of a stream unit (convStreamOf): a convolution of 8-bit operands by a weight of
// the program, at most kMaxStreamProducts products per pixel and kMaxStreamWindow elements in a
// window, nothing added at its write-back.
// Axis order of weights: rows × kernel × kernel × channels. Complexity: O(products).
// Thread rule: pure.
#pragma once

#include "engine/ir/interpreter.h"
#include "engine/ir/layer.h"
#include "engine/ir/stream_program.h"

#include <optional>

namespace marquetry::ir {

/// Every product is shifts and sums of its own; scheduling and timing so many takes about a second.
inline constexpr std::int64_t kMaxStreamProducts = 192;
/// Elements of a window, all channels: more of them make the search for common sums slow.
inline constexpr std::int64_t kMaxStreamWindow = 32;

inline constexpr std::int64_t kLeastStreamFrame = 1000;

struct ConvStream {
    std::int64_t height = 1; ///< of the input, without padding
    std::int64_t width = 1;
    std::int64_t pad = 0;
    std::int64_t kernel = 1;
    std::int64_t stride = 1;
    std::int64_t channels = 1;
    std::int64_t rows = 1; ///< output channels
    Scalar operand = Scalar::I8;

    std::int64_t paddedHeight() const { return height + 2 * pad; }
    std::int64_t paddedWidth() const { return width + 2 * pad; }
    std::int64_t window() const { return kernel * kernel * channels; } ///< elements
    std::int64_t products() const { return rows * window(); }
    std::int64_t frame() const; ///< N
    int operandBits() const { return info(operand).bits; }
    /// What a channel's word is above the element: half the range of an operand with a sign.
    std::int64_t offset() const {
        return info(operand).isSigned ? std::int64_t{1} << (operandBits() - 1) : 0;
    }
};

/// nullopt where the side condition does not hold.
std::optional<ConvStream> convStreamOf(const Program& program, const Layer& layer);

StreamProgram convStreamProgram(const ConvStream& conv, const Tensor& weight);

/// Bits of a number in two's complement that holds every sum; at most 32, as sums wrap there.
int convSumBits(const ConvStream& conv, const Tensor& weight);

} // namespace marquetry::ir
