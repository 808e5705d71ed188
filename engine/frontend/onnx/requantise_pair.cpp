#include "engine/frontend/onnx/arrange.h"
#include "engine/frontend/onnx/pair_factor.h"
#include "engine/frontend/onnx/requantise_forms.h"

namespace marquetry::frontend::onnx {
namespace {

ExactMeaning pairMeaning(const AffineTensor& tensor, const PairRequest& request,
                         const PairFactor& answer) {
    ExactMeaning meaning;
    for (std::size_t k = 0; k < 2; ++k)
        meaning.terms.push_back(
            {tensor.terms[k].value, tensor.terms[k].layout, PerChannel::all(request.factors[k])});
    meaning.addend = PerChannel::all(request.addend);
    meaning.zero = request.zero;
    meaning.proof = answer.proof;
    meaning.muls.assign(answer.muls.begin(), answer.muls.end());
    meaning.adds = {answer.add};
    meaning.shifts = {answer.shift};
    meaning.tie = answer.tie;
    return meaning;
}

PairRequest pairRequestOf(const NodeUse& use, const AffineTensor& sum, const FormTarget& form) {
    const AffineTerm& a = sum.terms[0];
    const AffineTerm& b = sum.terms[1];
    const Rational& scale = form.target.scale.value();
    PairRequest request{{a.scale.value() / scale, b.scale.value() / scale},
                        sum.offset.value() / scale,
                        {rangeOf(use, a), rangeOf(use, b)}};
    request.zero = form.target.zero;
    request.least = form.least;
    request.greatest = form.greatest;
    return request;
}

ir::OpParams pairParams(const PairFactor& answer, ir::Scalar to) {
    ir::OpParams params;
    params.muls = answer.muls;
    params.add = answer.add;
    params.shift = answer.shift;
    params.zero = answer.zero;
    params.to = to;
    params.round = answer.halfUpWill ? ir::Rounding::Up : ir::Rounding::Even;
    params.tie = answer.tie;
    return params;
}

std::int64_t rounded(const WideReal& value, quant::RoundingMode mode) {
    const WideReal down = floor(value);
    const WideReal rest = value - down;
    const auto whole = static_cast<std::int64_t>(down);
    if (mode == quant::RoundingMode::Down || rest < 0.5)
        return whole;
    return rest > 0.5 || whole % 2 != 0 ? whole + 1 : whole;
}

WideReal wide(const Rational& value) {
    return WideReal(value.numerator().str()) / WideReal(value.denominator().str());
}

} // namespace

std::optional<FormResult> byPair(const NodeUse& use, const AffineTensor& sum,
                                 const FormTarget& form) {
    if (form.target.mode != quant::RoundingMode::Even)
        return use.fail("onnx-unsupported",
                        "rounds a sum of two tensors otherwise than half to even",
                        "quantise both before they are added");
    const auto aligned = withOneScale(use, sum);
    if (!aligned)
        return std::nullopt;
    const AffineTensor& tensor = *aligned;
    const AffineTerm& a = tensor.terms[0];
    const AffineTerm& b = tensor.terms[1];
    const PairRequest request = pairRequestOf(use, tensor, form);
    // Every pair is looked at: a thousand are as much work as a factor.
    if (!use.importer().spend(0, 0, 1 + std::min(pairsOf(request), kMostPairs) / 1024))
        return std::nullopt;
    const auto answer = pairFactor(request);
    if (!answer) {
        const Diagnostic& why = answer.error().front();
        return use.fail(why.code, "cannot be added exactly: " + why.message, why.hint);
    }
    const auto second = arranged(use, b, a.layout, use.builder().value(a.value).type.dims);
    if (!second)
        return std::nullopt;
    const auto result =
        use.emit(form.name, ir::OpKind::QAdd, {a.value, *second}, pairParams(*answer, form.to));
    if (!result)
        return std::nullopt;
    return FormResult{{*result, a.layout}, pairMeaning(tensor, request, *answer)};
}

std::optional<FormResult> byTable(const NodeUse& use, const AffineTensor& tensor,
                                  const FormTarget& form) {
    const AffineTerm& term = tensor.term();
    const ir::ScalarInfo& scalar = ir::info(use.builder().value(term.value).type.scalar);
    if (scalar.bits > 8 || !form.target.scale.isUniform())
        return use.fail("onnx-unsupported", "is a function of numbers of more than 8 bits",
                        "quantise to 8 bits before the activation");
    const WideReal scale = wide(form.target.scale.value());
    std::vector<std::int64_t> entries;
    for (std::int64_t x = scalar.min; x <= scalar.max; ++x) {
        const WideReal steps = tensor.function(x) / scale;
        if (isnan(steps))
            return use.fail("onnx-unsupported",
                            "is a function that has no value for " + std::to_string(x),
                            "check its attributes: one of them is no number");
        const WideReal bound = 1 << 20;
        const WideReal held = steps > bound ? bound : (steps < -bound ? WideReal(-bound) : steps);
        const std::int64_t y = rounded(held, form.target.mode) + form.target.zero;
        entries.push_back(std::clamp(y, form.least, form.greatest));
    }
    const ir::Type type{form.to, {std::ssize(entries)}};
    const auto table = use.emitWeight(form.name + "_table", type, std::move(entries));
    const auto result =
        table ? use.emit(form.name, ir::OpKind::Table, {term.value, *table}) : std::nullopt;
    if (!result)
        return std::nullopt;
    ExactMeaning meaning;
    meaning.proof = "a table: exact for each of its entries";
    return FormResult{{*result, term.layout}, meaning};
}

std::optional<std::function<WideReal(std::int64_t)>>
tabulated(const NodeUse& use, const AffineTerm& term,
          const std::function<WideReal(std::int64_t)>& function) {
    // 256 values of a real function: as much work as so many factors.
    constexpr std::int64_t kTableInFactors = 128;
    if (!use.importer().spend(0, 0, kTableInFactors))
        return std::nullopt;
    const ir::ScalarInfo& scalar = ir::info(use.builder().value(term.value).type.scalar);
    auto values = std::make_shared<std::vector<WideReal>>();
    for (std::int64_t x = scalar.min; x <= scalar.max; ++x)
        values->push_back(function(x));
    return [values, least = scalar.min](std::int64_t x) {
        return (*values)[static_cast<std::size_t>(x - least)];
    };
}

} // namespace marquetry::frontend::onnx
