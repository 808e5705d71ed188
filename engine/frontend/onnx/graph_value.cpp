#include "engine/frontend/onnx/graph_value.h"

namespace marquetry::frontend::onnx {

Rational exactly(double finite) {
    const auto value = Rational::fromDouble(finite);
    ENGINE_ASSERT(value.has_value(), "only finite numbers are taken");
    return *value;
}

Rational KnownTensor::at(std::size_t flat) const {
    if (ints)
        return Rational((*ints)[flat]) * scale.at(static_cast<std::int64_t>(flat));
    return isReal(raw->element) ? exactly(raw->reals[flat]) : Rational(raw->ints[flat]);
}

GraphValue GraphValue::of(KnownTensor known) {
    GraphValue value;
    value.kind = Kind::Known;
    value.known = std::move(known);
    return value;
}

GraphValue GraphValue::of(AffineTensor affine) {
    GraphValue value;
    value.kind = Kind::Affine;
    value.affine = std::move(affine);
    return value;
}

KnownTensor knownTensor(ConstantPointer raw) {
    KnownTensor known;
    known.dims = raw->dims;
    known.raw = std::move(raw);
    return known;
}

KnownTensor knownIntegers(std::vector<std::int64_t> values, Dims dims) {
    auto raw = std::make_shared<OnnxConstant>();
    raw->element = Element::Int64;
    raw->dims = std::move(dims);
    raw->ints = std::move(values);
    return knownTensor(std::move(raw));
}

} // namespace marquetry::frontend::onnx
