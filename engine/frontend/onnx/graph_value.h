// What a tensor of the file means: known numbers, or integers of the program with exact scales.
//
// An activation is a *affine tensor*: for every element, the sum over its terms of scale × integer,
// plus an offset, all exact rationals; then, in this order, a rounding step to integers, a clamp
// and a padding that are still to be done. Every style of quantised file becomes this form:
// QuantizeLinear does what is pending by one requantisation, DequantizeLinear only changes scale
// and offset, a convolution of integers multiplies scales. Nothing is rounded unless the file
// rounds.
//
// Thread rule: value types.
#pragma once

#include "engine/frontend/onnx/model.h"
#include "engine/frontend/onnx/per_channel.h"
#include "engine/ir/program.h"

#include <boost/multiprecision/cpp_bin_float.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::frontend::onnx {

/// For functions that are not rational; 168 bits, so that sums and products of scales are exact.
using WideReal = boost::multiprecision::cpp_bin_float_50;

/// Numbers of the file. Of quantised ones the real value is ints × scale, else it is in `raw`.
struct KnownTensor {
    Dims dims;
    ConstantPointer raw;
    std::shared_ptr<const std::vector<std::int64_t>> ints; ///< zero points already subtracted
    PerChannel scale;
    std::int64_t least = 0, greatest = 0; ///< what the integers may be, as the file declares

    bool isQuantised() const { return ints != nullptr; }
    std::size_t size() const { return ints ? ints->size() : raw->size(); }
    Rational at(std::size_t flat) const;
};

/// Bounds of the integers of a term, for all or for each channel.
struct TermBounds {
    LayoutFactor channel{};
    std::vector<ir::Range> ranges{}; ///< empty: those of the program's value

    const ir::Range* at(std::int64_t flat) const {
        return ranges.empty()
                   ? nullptr
                   : &ranges[static_cast<std::size_t>(flat / channel.stride % channel.extent)];
    }
};

struct AffineTerm {
    ir::ValueId value;
    FlatLayout layout;
    PerChannel scale = PerChannel::all(Rational(1));
    TermBounds bounds{};
};

enum class RoundStep : std::uint8_t { Floor, Ceil, Nearest, Truncate };

/// Elements around a tensor, all of one real value, that are not there yet: a convolution takes
/// them as its own padding.
struct PendingPad {
    Dims inner;         ///< the shape without them, which the terms' layouts are of
    Dims before, after; ///< for each dimension
    Rational value;
    bool operator==(const PendingPad&) const = default;
};

struct AffineTensor {
    Dims shape; ///< the file's
    std::vector<AffineTerm> terms;
    PerChannel offset;
    std::optional<RoundStep> step;
    std::optional<Rational> low, high;
    /// Instead of scale and offset: of the integer of the one term, which has at most 8 bits.
    std::function<WideReal(std::int64_t)> function;
    /// Instead of terms: pieces of different scales, side by side along `axis`.
    std::vector<AffineTensor> parts;
    std::size_t axis = 0;
    /// Around everything else; only operators that say so (handlers.h) see such a tensor.
    std::optional<PendingPad> pad;
    Element element = Element::Float;

    bool isPending() const { return step || low || high || function || !parts.empty() || pad; }
    /// Scale × integer + offset of one term, nothing pending.
    bool isPlain() const { return !isPending() && terms.size() == 1; }
    const AffineTerm& term() const { return terms.front(); }
};

/// What stands behind the last integer tensor and is left out of the program.
struct CutTail {
    AffineTensor from;
    std::vector<std::string> nodes;
};

struct GraphValue {
    enum class Kind : std::uint8_t { None, Known, Affine, Cut, Failed };
    Kind kind = Kind::None;
    KnownTensor known;
    AffineTensor affine;
    std::shared_ptr<const CutTail> cut;

    static GraphValue of(KnownTensor known);
    static GraphValue of(AffineTensor affine);
    const Dims& shape() const { return kind == Kind::Known ? known.dims : affine.shape; }
};

KnownTensor knownTensor(ConstantPointer raw);
/// A list of integers as a tensor of one dimension.
KnownTensor knownIntegers(std::vector<std::int64_t> values, Dims dims);

Rational exactly(double finite);

} // namespace marquetry::frontend::onnx
