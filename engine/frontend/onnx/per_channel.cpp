#include "engine/frontend/onnx/per_channel.h"

#include <algorithm>

namespace marquetry::frontend::onnx {
namespace {

constexpr std::int64_t kMostNumbersOfATensor = 1 << 16;

} // namespace

PerChannel simplified(PerChannel numbers) {
    const bool equal = std::all_of(numbers.values.begin(), numbers.values.end(),
                                   [&](const Rational& v) { return v == numbers.values.front(); });
    return equal ? PerChannel::all(std::move(numbers.values.front())) : numbers;
}

std::optional<PerChannel>
combined(const PerChannel& a, const PerChannel& b, std::int64_t elements,
         const std::function<Rational(const Rational&, const Rational&)>& f) {
    PerChannel result;
    if (a.isUniform() || b.isUniform() || a.factor() == b.factor()) {
        const PerChannel& wide = a.isUniform() ? b : a;
        result.extent = wide.extent;
        result.stride = wide.stride;
    } else if (elements <= kMostNumbersOfATensor) {
        result.extent = elements;
        result.stride = 1;
    } else {
        return std::nullopt;
    }
    result.values.clear();
    for (std::int64_t k = 0; k < result.extent; ++k)
        result.values.push_back(f(a.at(k * result.stride), b.at(k * result.stride)));
    return result;
}

std::optional<PerChannel> transposed(const PerChannel& numbers, const Dims& shape,
                                     const std::vector<std::size_t>& order) {
    if (numbers.isUniform())
        return numbers;
    const auto moved = transposed(FlatLayout{numbers.factor()}, shape, order);
    if (!moved || moved->size() != 1)
        return std::nullopt;
    PerChannel result = numbers;
    result.stride = moved->front().stride;
    return result;
}

} // namespace marquetry::frontend::onnx
