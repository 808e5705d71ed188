// Two tensors are added in one rounding by one multiplier each. Scales and offsets of channels are
// brought to that where they are multiples of one step: the integers are multiplied, channel by
// channel, which rounds nothing.
#include "engine/frontend/onnx/arrange.h"
#include "engine/frontend/onnx/pair_factor.h"
#include "engine/frontend/onnx/requantise_forms.h"
#include "engine/support/checked_math.h"

#include <numeric>

namespace marquetry::frontend::onnx {
namespace {

using quant::Integer;

/// The greatest number that all are multiples of. Nothing where a denominator is no power of two:
/// those of floats are.
std::optional<Rational> commonStep(const std::vector<Rational>& numbers) {
    Integer denominator = 1;
    for (const Rational& number : numbers) {
        if (!isPowerOfTwo(number.denominator()))
            return std::nullopt;
        denominator = std::max(denominator, number.denominator());
    }
    Integer divisor = 0;
    for (const Rational& number : numbers)
        divisor = gcd(divisor, Integer(number.numerator() * (denominator / number.denominator())));
    return divisor == 0 ? std::nullopt : std::optional(Rational(divisor, denominator));
}

/// Multipliers and addends of the channels, in steps.
struct ChannelSteps {
    LayoutFactor channel;
    Rational step;
    std::vector<std::int64_t> muls, adds;
    std::vector<ir::Range> ranges; ///< of the results
};

bool takeChannel(ChannelSteps& steps, const Rational& scale, const Rational& offset,
                 const ir::Range& range) {
    const Rational mul = scale / steps.step;
    const Rational add = offset / steps.step;
    if (!quant::fitsInt32(mul.numerator()) || !quant::fitsInt32(add.numerator()))
        return false;
    steps.muls.push_back(quant::toInt64(mul.numerator()));
    steps.adds.push_back(quant::toInt64(add.numerator()));
    const Integer a = Integer(steps.muls.back()) * range.lo + steps.adds.back();
    const Integer b = Integer(steps.muls.back()) * range.hi + steps.adds.back();
    if (std::min(a, b) < INT16_MIN || std::max(a, b) > INT16_MAX)
        return false;
    steps.ranges.push_back({quant::toInt64(std::min(a, b)), quant::toInt64(std::max(a, b))});
    return true;
}

std::optional<ChannelSteps> stepsOf(const NodeUse& use, const AffineTerm& term,
                                    const PerChannel& offset) {
    ChannelSteps steps;
    steps.channel = term.scale.isUniform() ? offset.factor() : term.scale.factor();
    if (!term.scale.isUniform() && !offset.isUniform() && term.scale.factor() != offset.factor())
        return std::nullopt;
    std::vector<Rational> all = term.scale.values;
    all.insert(all.end(), offset.values.begin(), offset.values.end());
    const auto step = commonStep(all);
    if (!step)
        return std::nullopt;
    steps.step = *step;
    const auto ranges = rangesOf(use, term, steps.channel);
    for (std::size_t c = 0; c < ranges.size(); ++c) {
        const std::int64_t flat = static_cast<std::int64_t>(c) * steps.channel.stride;
        if (!takeChannel(steps, term.scale.at(flat), offset.at(flat), ranges[c]))
            return std::nullopt;
    }
    return steps;
}

std::optional<AffineTerm> alignedTerm(const NodeUse& use, const AffineTerm& term,
                                      const ChannelSteps& steps) {
    auto placed = channelsLast(use, term, steps.channel);
    if (!placed)
        return std::nullopt;
    const std::string name = use.builder().value(term.value).name + "_aligned";
    const ir::Type type{ir::Scalar::I32, {std::ssize(steps.muls)}};
    const auto muls = use.emitWeight(name + "_mul", type, steps.muls);
    const auto adds = muls ? use.emitWeight(name + "_add", type, steps.adds) : std::nullopt;
    ir::OpParams params;
    params.vectors = ir::kVectorMul | ir::kVectorAdd;
    params.to = ir::Scalar::I16;
    const auto value =
        adds ? use.emit(name, ir::OpKind::Requant, {placed->value, *muls, *adds}, params)
             : std::nullopt;
    if (!value)
        return std::nullopt;
    placed->value = *value;
    placed->scale = PerChannel::all(steps.step);
    placed->bounds = {steps.channel, steps.ranges};
    return placed;
}

} // namespace

std::optional<AffineTensor> withOneScale(const NodeUse& use, const AffineTensor& tensor) {
    AffineTensor result = tensor;
    for (AffineTerm& term : result.terms) {
        if (ir::info(use.builder().value(term.value).type.scalar).bits > 16)
            return use.fail("onnx-unsupported", "adds numbers of more than 16 bits",
                            "quantise both tensors to 8 bits before they are added");
        // The offset goes with the first of those that are multiplied anyhow.
        if (term.scale.isUniform() && result.offset.isUniform())
            continue;
        const auto steps = stepsOf(use, term, result.offset);
        if (!steps)
            return use.fail("onnx-unsupported",
                            "adds tensors with scales or offsets for each channel that are no "
                            "small multiples of one step",
                            "quantise both before they are added");
        const auto aligned = alignedTerm(use, term, *steps);
        if (!aligned)
            return std::nullopt;
        term = *aligned;
        result.offset = PerChannel::all(Rational(0));
    }
    return result;
}

} // namespace marquetry::frontend::onnx
