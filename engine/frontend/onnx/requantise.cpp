#include "engine/frontend/onnx/requantise.h"

#include "engine/frontend/onnx/arrange.h"
#include "engine/frontend/onnx/pads.h"
#include "engine/frontend/onnx/requantise_forms.h"

namespace marquetry::frontend::onnx {
namespace {

using quant::Integer;
using quant::RoundingMode;

std::int64_t saturated(const Integer& value, std::int64_t least, std::int64_t greatest) {
    if (value <= least)
        return least;
    return value >= greatest ? greatest : quant::toInt64(value);
}

/// Of a monotone rounding the clamp may be done afterwards.
QuantTarget clamped(const AffineTensor& tensor, const QuantTarget& target) {
    QuantTarget tight = target;
    const auto bound = [&](const Rational& real) {
        const Integer steps = quant::rounded(real / target.scale.value(), target.mode);
        return saturated(steps + target.zero, target.least, target.greatest);
    };
    if (tensor.low)
        tight.least = bound(*tensor.low);
    if (tensor.high)
        tight.greatest = bound(*tensor.high);
    return tight;
}

AffineTensor integersOf(const AffineTensor& like, AffineTerm term, Element element) {
    AffineTensor result;
    result.shape = like.shape;
    term.scale = PerChannel::all(Rational(1));
    term.bounds = {};
    result.terms = {std::move(term)};
    result.offset = PerChannel::all(Rational(0));
    result.element = element;
    return result;
}

void noteTensor(const NodeUse& use, const AffineTensor& tensor, const QuantTarget& target,
                std::optional<ExactMeaning> meaning) {
    if (!target.isTensor)
        return;
    const AffineTerm& term = tensor.term();
    ImportNote note{term.value,    target.name,  use.node().name,
                    use.node().op, tensor.shape, term.layout,
                    target.scale,  target.scale, {}};
    for (Rational& offset : note.offset.values)
        offset = Rational(-target.zero - target.inside) * offset;
    note.requantised = std::move(meaning);
    use.importer().note(std::move(note));
}

/// The pieces quantised alike, then joined.
std::optional<AffineTensor> quantisedParts(const NodeUse& use, const AffineTensor& tensor,
                                           const QuantTarget& target) {
    const auto order = heldOrder(tensor.parts.front(), tensor.axis);
    const auto axis = std::find(order.begin(), order.end(), tensor.axis) - order.begin();
    std::optional<ir::ValueId> joined;
    for (std::size_t k = 0; k < tensor.parts.size(); ++k) {
        QuantTarget piece = target;
        piece.name = target.name + "_part" + std::to_string(k);
        piece.isTensor = false;
        const auto part = quantised(use, tensor.parts[k], piece);
        if (!part)
            return std::nullopt;
        const auto value =
            arranged(use, part->term(), layoutOf(part->shape, order), ordered(part->shape, order));
        if (!value)
            return std::nullopt;
        const bool isLast = k + 1 == tensor.parts.size();
        joined = joined ? use.emit(target.name + (isLast ? "" : "_joined"), ir::OpKind::Concat,
                                   {*joined, *value}, {.axis = axis})
                        : value;
        if (!joined)
            return std::nullopt;
    }
    auto result = integersOf(tensor, {*joined, layoutOf(tensor.shape, order)}, target.element);
    noteTensor(use, result, target, std::nullopt);
    return result;
}

bool isSameGrid(const AffineTensor& tensor, const QuantTarget& tight) {
    AffineTensor plain = tensor;
    plain.low.reset();
    plain.high.reset();
    if (!plain.isPlain() || !tight.scale.isUniform() || !tensor.term().scale.isUniform())
        return false;
    const Rational& scale = tight.scale.value();
    return tensor.term().scale.value() == scale && tensor.offset.isUniform() &&
           tensor.offset.value() == Rational(-tight.zero) * scale;
}

/// Sums are made narrow even where their values are already.
bool isAsNarrow(const NodeUse& use, const AffineTensor& tensor, ir::Scalar to) {
    const ir::Scalar scalar = use.builder().value(tensor.term().value).type.scalar;
    return ir::info(scalar).bits <= ir::info(to).bits;
}

/// The integers of the tensor are the result already, but for its bounds.
std::optional<AffineTerm> bounded(const NodeUse& use, const AffineTensor& tensor,
                                  const QuantTarget& tight) {
    AffineTerm term = tensor.term();
    const ir::Range range = rangeOf(use, term);
    if (range.lo >= tight.least && range.hi <= tight.greatest)
        return term;
    const auto clip = use.emit(tight.name, ir::OpKind::Clip, {term.value},
                               {.lo = tight.least, .hi = tight.greatest});
    if (!clip)
        return std::nullopt;
    term.value = *clip;
    return term;
}

std::optional<FormResult> byForm(const NodeUse& use, const AffineTensor& tensor,
                                 const FormTarget& form) {
    if (tensor.function)
        return byTable(use, tensor, form);
    if (tensor.terms.size() == 1)
        return byFactor(use, tensor, form);
    if (tensor.terms.size() == 2)
        return byPair(use, tensor, form);
    return use.fail("onnx-unsupported", "reads a sum of more than two tensors",
                    "quantise after each addition");
}

std::optional<AffineTensor> quantisedTerms(const NodeUse& use, const AffineTensor& tensor,
                                           const QuantTarget& target) {
    const QuantTarget tight = clamped(tensor, target);
    if (tight.least >= tight.greatest)
        return use.fail("onnx-unsupported", "gives the same number whatever it reads",
                        "remove what follows, or quantise it anew");
    const auto to = ir::narrowestScalar(target.least, target.greatest);
    if (!to)
        return use.fail("onnx-accumulator", "gives integers of more than 32 bits");
    if (isSameGrid(tensor, tight) && isAsNarrow(use, tensor, *to)) {
        const auto term = bounded(use, tensor, tight);
        if (!term)
            return std::nullopt;
        auto same = integersOf(tensor, *term, target.element);
        noteTensor(use, same, target, std::nullopt);
        return same;
    }
    const bool clips =
        !tensor.function && (ir::info(*to).min < tight.least || ir::info(*to).max > tight.greatest);
    auto result =
        byForm(use, tensor,
               {target, tight.least, tight.greatest, *to, target.name + (clips ? "_requant" : "")});
    if (!result)
        return std::nullopt;
    if (clips) {
        const auto clip = use.emit(target.name, ir::OpKind::Clip, {result->term.value},
                                   {.lo = tight.least, .hi = tight.greatest});
        if (!clip)
            return std::nullopt;
        result->term.value = *clip;
    }
    auto integers = integersOf(tensor, result->term, target.element);
    noteTensor(use, integers, target, std::move(result->meaning));
    return integers;
}

/// What is around is quantised as what is inside: by one scale.
std::optional<AffineTensor> quantisedPadded(const NodeUse& use, const AffineTensor& tensor,
                                            const QuantTarget& target) {
    QuantTarget inner = target;
    inner.name = target.name + "_inside";
    inner.isTensor = false;
    auto result = target.scale.isUniform()
                      ? quantised(use, unpadded(tensor), inner)
                      : use.fail("onnx-unsupported", "quantises with a scale for each channel here",
                                 "quantise activations with one scale");
    if (!result)
        return std::nullopt;
    const Integer steps =
        quant::rounded(tensor.pad->value / target.scale.value(), target.mode) + target.zero;
    result->pad = tensor.pad;
    result->pad->value = Rational(saturated(steps, target.least, target.greatest));
    result->shape = tensor.shape;
    return result;
}

RoundingMode modeOf(RoundStep step) {
    return step == RoundStep::Nearest ? RoundingMode::Even : RoundingMode::Down;
}

/// Exact bounds of one term's real value.
std::pair<Rational, Rational> realBounds(const NodeUse& use, const AffineTensor& tensor) {
    const AffineTerm& term = tensor.term();
    const LayoutFactor channel =
        term.scale.isUniform() ? tensor.offset.factor() : term.scale.factor();
    const std::vector<ir::Range> ranges = rangesOf(use, term, channel);
    std::optional<std::pair<Rational, Rational>> all;
    for (std::size_t k = 0; k < ranges.size(); ++k) {
        const auto flat = static_cast<std::int64_t>(k) * channel.stride;
        const Rational a = term.scale.at(flat) * Rational(ranges[k].lo) + tensor.offset.at(flat);
        const Rational b = term.scale.at(flat) * Rational(ranges[k].hi) + tensor.offset.at(flat);
        if (!all)
            all = {std::min(a, b), std::max(a, b)};
        all = {std::min({all->first, a, b}), std::max({all->second, a, b})};
    }
    return *all;
}

/// A rounding step done: integers of scale 1.
std::optional<AffineTensor> stepped(const NodeUse& use, const AffineTensor& tensor, bool isResult) {
    if (tensor.terms.size() != 1)
        return use.fail("onnx-unsupported", "needs a sum of tensors rounded to integers first",
                        "quantise the sum");
    if ((tensor.low && !tensor.low->isInteger()) || (tensor.high && !tensor.high->isInteger()))
        return use.fail("onnx-unsupported", "clips integers at numbers that are none",
                        "clip at integers");
    auto [low, high] = realBounds(use, tensor);
    if (tensor.low)
        low = std::max(low, *tensor.low);
    if (tensor.high)
        high = std::min(high, *tensor.high);
    const bool towardZero = *tensor.step == RoundStep::Truncate;
    if (*tensor.step == RoundStep::Ceil || (towardZero && low < Rational(0)))
        return use.fail("onnx-unsupported", "needs numbers below zero rounded upward",
                        "use Floor, or clip below at zero behind the division");
    QuantTarget target;
    target.mode = modeOf(*tensor.step);
    const Integer least = quant::rounded(low, target.mode);
    const Integer greatest = quant::rounded(high, target.mode);
    if (!quant::fitsInt32(least) || !quant::fitsInt32(greatest))
        return use.fail("onnx-accumulator", "rounds to integers of more than 32 bits",
                        "clip them to 8 bits");
    target.least = quant::toInt64(least);
    target.greatest = quant::toInt64(greatest);
    target.name = use.tensorName() + (isResult ? "" : "_step");
    target.isTensor = isResult;
    AffineTensor open = tensor;
    open.step.reset();
    return quantised(use, open, target);
}

/// A clamp of integers on a grid: a clip.
std::optional<AffineTensor> clipped(const NodeUse& use, const AffineTensor& tensor) {
    AffineTensor plain = tensor;
    plain.low.reset();
    plain.high.reset();
    const auto grid = onGrid(use, plain);
    if (!grid)
        return std::nullopt;
    const ir::Range range = rangeOf(use, grid->term);
    ir::OpParams params{.lo = range.lo, .hi = range.hi};
    const auto place = [&](const Rational& real, RoundingMode mode) {
        const Rational steps = real / grid->scale + Rational(grid->zero);
        return std::pair(saturated(quant::rounded(steps, mode), range.lo, range.hi),
                         steps.isInteger() || steps < Rational(range.lo) ||
                             steps > Rational(range.hi));
    };
    bool exact = grid->scale.sign() > 0;
    if (tensor.low && exact) {
        const auto [lo, isExact] = place(*tensor.low, RoundingMode::Down);
        params.lo = lo;
        exact = isExact;
    }
    if (tensor.high && exact) {
        const auto [hi, isExact] = place(*tensor.high, RoundingMode::Down);
        params.hi = hi;
        exact = exact && isExact;
    }
    if (!exact)
        return use.fail("onnx-unsupported", "reads a clipped tensor that is not quantised again",
                        "quantise behind the activation");
    const auto clip =
        use.emit(use.tensorName() + "_clip", ir::OpKind::Clip, {grid->term.value}, params);
    if (!clip)
        return std::nullopt;
    plain.terms.front().value = *clip;
    plain.terms.front().bounds = {};
    return plain;
}

} // namespace

std::optional<AffineTensor> quantised(const NodeUse& use, const AffineTensor& tensor,
                                      const QuantTarget& target) {
    if (tensor.pad)
        return quantisedPadded(use, tensor, target);
    if (!tensor.parts.empty())
        return quantisedParts(use, tensor, target);
    if (tensor.step) {
        const auto integers = settled(use, tensor);
        return integers ? quantised(use, *integers, target) : std::nullopt;
    }
    if ((tensor.low || tensor.high || tensor.terms.size() > 1) && !target.scale.isUniform())
        return use.fail("onnx-unsupported", "quantises with a scale for each channel here",
                        "quantise activations with one scale");
    auto result = quantisedTerms(use, tensor, target);
    return result;
}

std::optional<AffineTensor> settled(const NodeUse& use, const AffineTensor& tensor) {
    if (tensor.pad) {
        const auto whole = padded(use, tensor);
        return whole ? settled(use, *whole) : std::nullopt;
    }
    if (tensor.step)
        return stepped(use, tensor, false);
    if (!tensor.parts.empty() || tensor.terms.size() != 1 || tensor.function)
        return use.fail("onnx-unsupported", "reads a float tensor that is not quantised again",
                        "put a QuantizeLinear and a DequantizeLinear before it");
    if (tensor.low || tensor.high)
        return clipped(use, tensor);
    return tensor;
}

std::optional<AffineTensor> settledResult(const NodeUse& use, const AffineTensor& tensor) {
    return tensor.step ? stepped(use, tensor, true) : settled(use, tensor);
}

std::optional<GridTensor> onGrid(const NodeUse& use, const AffineTensor& tensor) {
    const auto plain = settled(use, tensor);
    if (!plain)
        return std::nullopt;
    const AffineTerm& term = plain->term();
    const auto refuse = [&] {
        return use.fail("onnx-unsupported",
                        "reads a tensor that is not integers of one scale and one zero point",
                        "quantise it before (QuantizeLinear, DequantizeLinear)");
    };
    if (!term.scale.isUniform() || !plain->offset.isUniform() || term.scale.value().isZero())
        return refuse();
    const Rational zero = -plain->offset.value() / term.scale.value();
    if (!zero.isInteger() || !quant::fitsInt32(zero.numerator()))
        return refuse();
    return GridTensor{term, plain->shape, term.scale.value(), quant::toInt64(zero.numerator())};
}

ir::Rounding roundingOf(RoundingMode mode) {
    switch (mode) {
    case RoundingMode::Up:
        return ir::Rounding::Up;
    case RoundingMode::Down:
        return ir::Rounding::Down;
    case RoundingMode::Away:
        return ir::Rounding::Away;
    default:
        return ir::Rounding::Even;
    }
}

} // namespace marquetry::frontend::onnx
