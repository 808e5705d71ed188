#include "engine/frontend/onnx/arrange.h"
#include "engine/frontend/onnx/requantise_forms.h"
#include "engine/quant/exact_factor.h"

namespace marquetry::frontend::onnx {
namespace {

using quant::ExactFactor;
using quant::FactorRequest;
using quant::Integer;

/// One requantisation for each channel, or one for all.
struct ChannelWork {
    LayoutFactor channel;
    std::vector<Rational> factors, addends;
    std::vector<ir::Range> ranges;
    std::vector<std::int64_t> biases; ///< added to the integers first
};

std::optional<PerChannel> inSteps(const PerChannel& numbers, const PerChannel& scale,
                                  std::int64_t elements) {
    return combined(numbers, scale, elements,
                    [](const Rational& a, const Rational& b) { return a / b; });
}

std::optional<ChannelWork> workOf(const NodeUse& use, const AffineTensor& tensor,
                                  const QuantTarget& target) {
    const std::int64_t elements = elementsOf(tensor.shape);
    const AffineTerm& term = tensor.term();
    const auto factors = inSteps(term.scale, target.scale, elements);
    const auto addends = inSteps(tensor.offset, target.scale, elements);
    if (!factors || !addends)
        return use.fail("onnx-unsupported", "has scales and offsets of different channels");
    const auto both = combined(*factors, *addends, elements,
                               [](const Rational& a, const Rational&) { return a; });
    if (!both)
        return use.fail("onnx-unsupported", "has scales and offsets of different channels");
    ChannelWork work;
    work.channel = both->factor();
    for (std::int64_t k = 0; k < both->extent; ++k) {
        work.factors.push_back(factors->at(k * both->stride));
        work.addends.push_back(addends->at(k * both->stride));
    }
    work.ranges = rangesOf(use, term, work.channel);
    work.biases.assign(work.factors.size(), 0);
    return work;
}

/// What can be added to the integers before they are multiplied is, so that the addend behind the
/// multiplication stays small.
bool takeBiases(ChannelWork& work) {
    for (std::size_t k = 0; k < work.factors.size(); ++k) {
        if (work.factors[k].isZero())
            continue;
        const Integer bias =
            quant::rounded(work.addends[k] / work.factors[k], quant::RoundingMode::Even);
        const Integer lo = bias + work.ranges[k].lo;
        const Integer hi = bias + work.ranges[k].hi;
        if (!quant::fitsInt32(bias) || !quant::fitsInt32(lo) || !quant::fitsInt32(hi))
            return false;
        work.addends[k] = work.addends[k] - work.factors[k] * Rational(bias);
        work.biases[k] = quant::toInt64(bias);
        work.ranges[k] = {quant::toInt64(lo), quant::toInt64(hi)};
    }
    return true;
}

bool allEqual(const std::vector<Rational>& values) {
    return std::all_of(values.begin(), values.end(),
                       [&](const Rational& v) { return v == values.front(); });
}

/// Requests alike but for their ranges are one.
std::vector<FactorRequest> requestsOf(const ChannelWork& work, const FormTarget& form) {
    std::vector<FactorRequest> requests;
    for (std::size_t k = 0; k < work.factors.size(); ++k) {
        FactorRequest request{work.factors[k], work.addends[k], work.ranges[k].lo,
                              work.ranges[k].hi};
        request.mode = form.target.mode;
        request.zero = form.target.zero;
        request.least = form.least;
        request.greatest = form.greatest;
        requests.push_back(request);
    }
    if (!allEqual(work.factors) || !allEqual(work.addends))
        return requests;
    for (const FactorRequest& request : requests) {
        requests.front().lo = std::min(requests.front().lo, request.lo);
        requests.front().hi = std::max(requests.front().hi, request.hi);
    }
    requests.resize(1);
    return requests;
}

/// The window of the operator is one for all channels.
bool shareTie(const std::vector<FactorRequest>& requests, std::vector<ExactFactor>& answers) {
    std::int64_t tie = 0;
    for (const ExactFactor& answer : answers)
        tie = std::max(tie, answer.tie);
    bool good = true;
    for (std::size_t k = 0; k < answers.size(); ++k) {
        if (answers[k].tie == tie)
            continue;
        answers[k].tie = tie;
        good = good && (answers[k].shift == 0 ? tie == 0 : tie < 1LL << (answers[k].shift - 1)) &&
               quant::verify(requests[k], answers[k]);
    }
    return good;
}

/// The same requests with half up, which needs no window, where that gives the same results.
std::vector<FactorRequest> asHalfUp(const std::vector<FactorRequest>& requests) {
    std::vector<FactorRequest> half;
    for (const FactorRequest& request : requests) {
        const auto same = quant::asHalfUp(request);
        if (!same)
            return requests;
        half.push_back(*same);
    }
    return half;
}

struct Answers {
    std::vector<ExactFactor> factors;
    quant::RoundingMode mode = quant::RoundingMode::Even;
};

std::optional<Answers> answersOf(const NodeUse& use, const std::vector<FactorRequest>& asked) {
    if (!use.importer().spend(0, 0, std::ssize(asked)))
        return std::nullopt;
    const std::vector<FactorRequest> requests = asHalfUp(asked);
    Answers answers;
    answers.mode = requests.front().mode;
    for (const FactorRequest& request : requests) {
        auto answer = quant::exactFactor(request);
        if (!answer) {
            const Diagnostic& why = answer.error().front();
            return use.fail(why.code, "cannot be requantised exactly: " + why.message, why.hint);
        }
        answers.factors.push_back(std::move(*answer));
    }
    if (!shareTie(requests, answers.factors))
        return use.fail("requant-multiplier",
                        "has channels whose exact ties need different windows",
                        "use scales that are powers of two, or one scale for all channels");
    return answers;
}

/// One bias for all can be part of what is added to the product, (x + b) · m + a = x · m + (b · m +
/// a), and then needs no sum of its own. What is added so; 0 where it does not fit.
std::int64_t foldBias(ChannelWork& work, const std::vector<ExactFactor>& answers) {
    const std::int64_t bias = work.biases.front();
    std::int64_t product = 0;
    std::int64_t sum = 0;
    if (answers.size() != 1 || __builtin_mul_overflow(bias, answers.front().mul, &product) ||
        __builtin_add_overflow(product, answers.front().add, &sum) ||
        sum != static_cast<std::int32_t>(sum))
        return 0;
    for (std::size_t k = 0; k < work.addends.size(); ++k)
        work.addends[k] = work.addends[k] + Rational(bias) * work.factors[k];
    std::ranges::fill(work.biases, 0);
    return product;
}

/// The value with the biases added.
std::optional<ir::ValueId> biased(const NodeUse& use, ir::ValueId value, const ChannelWork& work,
                                  const std::string& name) {
    const bool none =
        std::all_of(work.biases.begin(), work.biases.end(), [](std::int64_t b) { return b == 0; });
    if (none)
        return value;
    const std::int64_t last = use.builder().value(value).type.dims.back();
    std::vector<std::int64_t> biases(static_cast<std::size_t>(last));
    for (std::size_t k = 0; k < biases.size(); ++k)
        biases[k] = work.biases[k % work.biases.size()];
    const auto bias = use.emitWeight(name + "_bias", {ir::Scalar::I32, {last}}, std::move(biases));
    return bias ? use.emit(name + "_biased", ir::OpKind::Add, {value, *bias}) : std::nullopt;
}

/// One number for all as a parameter, else a weight behind the operand.
bool putNumbers(const NodeUse& use, const std::vector<std::int64_t>& numbers, ir::Scalar scalar,
                const std::string& name, std::int64_t& parameter,
                std::vector<ir::ValueId>& operands) {
    const bool same = std::all_of(numbers.begin(), numbers.end(),
                                  [&](std::int64_t n) { return n == numbers.front(); });
    parameter = same ? numbers.front() : 0;
    if (same)
        return false;
    const auto weight =
        use.emitWeight(name, {scalar, {static_cast<std::int64_t>(numbers.size())}}, numbers);
    if (weight)
        operands.push_back(*weight);
    return weight.has_value();
}

ExactMeaning meaningOf(const AffineTerm& term, const ChannelWork& work, const FormTarget& form,
                       const std::vector<ExactFactor>& answers) {
    ExactMeaning meaning;
    const PerChannel factor{work.channel.extent, work.channel.stride, work.factors};
    meaning.terms = {{term.value, term.layout, factor}};
    meaning.addend = {work.channel.extent, work.channel.stride, work.addends};
    meaning.mode = form.target.mode;
    meaning.zero = form.target.zero;
    const ExactFactor* widest = &answers.front();
    for (const ExactFactor& answer : answers) {
        meaning.muls.push_back(answer.mul);
        meaning.adds.push_back(answer.add);
        meaning.shifts.push_back(answer.shift);
        if (answer.proof.mulBits > widest->proof.mulBits)
            widest = &answer;
    }
    meaning.tie = answers.front().tie;
    meaning.proof = quant::text(widest->proof);
    return meaning;
}

std::optional<ir::ValueId> emitRequant(const NodeUse& use, ir::ValueId value,
                                       const FormTarget& form, const ExactMeaning& meaning,
                                       quant::RoundingMode mode) {
    ir::OpParams params;
    params.zero = form.target.zero;
    params.to = form.to;
    params.round = roundingOf(mode);
    params.tie = meaning.tie;
    std::vector<ir::ValueId> operands = {value};
    const std::string& name = form.name;
    if (putNumbers(use, meaning.muls, ir::Scalar::I32, name + "_mul", params.mul, operands))
        params.vectors |= ir::kVectorMul;
    if (putNumbers(use, meaning.adds, ir::Scalar::I32, name + "_add", params.add, operands))
        params.vectors |= ir::kVectorAdd;
    if (putNumbers(use, meaning.shifts, ir::Scalar::U8, name + "_shift", params.shift, operands))
        params.vectors |= ir::kVectorShift;
    return use.emit(name, ir::OpKind::Requant, operands, params);
}

} // namespace

std::optional<FormResult> byFactor(const NodeUse& use, const AffineTensor& tensor,
                                   const FormTarget& form) {
    auto work = workOf(use, tensor, form.target);
    if (!work)
        return std::nullopt;
    if (!takeBiases(*work))
        return use.fail("onnx-accumulator", "needs sums with its bias of more than 32 bits",
                        "use smaller weights, or a smaller bias");
    // Channels that only their biases tell apart need the last dimension too.
    const bool apart = !std::all_of(work->biases.begin(), work->biases.end(),
                                    [&](auto b) { return b == work->biases.front(); });
    const auto requests = requestsOf(*work, form);
    auto term = apart || requests.size() > 1 ? channelsLast(use, tensor.term(), work->channel)
                                             : std::optional(tensor.term());
    const auto answers = term ? answersOf(use, requests) : std::nullopt;
    if (!answers)
        return std::nullopt;
    const std::int64_t folded = apart ? 0 : foldBias(*work, answers->factors);
    const auto value = biased(use, term->value, *work, form.name);
    if (!value)
        return std::nullopt;
    term->value = *value;
    ExactMeaning meaning = meaningOf(*term, *work, form, answers->factors);
    meaning.adds.front() += folded;
    const auto result = emitRequant(use, *value, form, meaning, answers->mode);
    if (!result)
        return std::nullopt;
    return FormResult{{*result, term->layout}, meaning};
}

} // namespace marquetry::frontend::onnx
