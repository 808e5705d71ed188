#include "engine/frontend/onnx/arrange.h"
#include "engine/frontend/onnx/graph_ports.h"
#include "engine/frontend/onnx/linear.h"
#include "engine/support/quote.h"

namespace marquetry::frontend::onnx {
namespace {

using quant::Integer;

/// The value plus one of the biases for each of its last dimension.
std::optional<ir::ValueId> plusBias(const NodeUse& use, ir::ValueId value,
                                    const std::vector<std::int64_t>& biases) {
    const std::int64_t last = use.builder().value(value).type.dims.back();
    std::vector<std::int64_t> all(static_cast<std::size_t>(last));
    for (std::size_t k = 0; k < all.size(); ++k)
        all[k] = biases[k % biases.size()];
    const auto weight =
        use.emitWeight(use.tensorName() + "_bias", {ir::Scalar::I32, {last}}, std::move(all));
    return weight ? use.emit(use.tensorName() + "_biased", ir::OpKind::Add, {value, *weight})
                  : std::nullopt;
}

/// Biases that are left in the offset of sums of 32 bits are added, as far as they are integers.
std::optional<AffineTensor> withBias(const NodeUse& use, const AffineTensor& tensor) {
    const AffineTerm& term = tensor.term();
    const bool isSum = use.builder().value(term.value).type.scalar == ir::Scalar::I32;
    const auto offset = combined(tensor.offset, term.scale, elementsOf(tensor.shape),
                                 [](const Rational& a, const Rational&) { return a; });
    if (!isSum || !offset || simplified(*offset) == PerChannel::all(Rational(0)))
        return tensor;
    auto placed = channelsLast(use, term, offset->factor());
    if (!placed)
        return std::nullopt;
    std::vector<std::int64_t> biases;
    AffineTensor result = tensor;
    result.offset = *offset;
    for (std::int64_t k = 0; k < offset->extent; ++k) {
        const Rational& scale = term.scale.at(k * offset->stride);
        Integer bias = 0;
        if (!scale.isZero())
            bias = quant::rounded(offset->values[static_cast<std::size_t>(k)] / scale,
                                  quant::RoundingMode::Even);
        if (!quant::fitsInt32(bias))
            return tensor;
        biases.push_back(quant::toInt64(bias));
        Rational& rest = result.offset.values[static_cast<std::size_t>(k)];
        rest = rest - scale * Rational(bias);
    }
    const auto sum = plusBias(use, placed->value, biases);
    if (!sum)
        return std::nullopt;
    placed->value = *sum;
    placed->bounds = {};
    placed->scale = term.scale;
    result.offset = simplified(std::move(result.offset));
    result.terms = {*placed};
    return result;
}

std::optional<ImportNote> takeOutput(Importer& importer, const GraphPort& port,
                                     std::vector<std::string>& cut) {
    const std::string& name = importer.tensorName(port.tensor);
    const GraphValue& value = importer.value(port.tensor);
    if (value.kind == GraphValue::Kind::Known || value.kind == GraphValue::Kind::None) {
        importer.warn("the output " + inQuotes(name) + " is a constant and is left out");
        return std::nullopt;
    }
    if (value.kind == GraphValue::Kind::Failed)
        return std::nullopt;
    AffineTensor from = value.affine;
    if (value.kind == GraphValue::Kind::Cut) {
        from = value.cut->from;
        cut.insert(cut.end(), value.cut->nodes.begin(), value.cut->nodes.end());
    }
    OnnxNode end;
    end.name = name;
    end.op = "Output";
    end.outputs = {port.tensor};
    const NodeUse use(importer, end);
    const auto plain = settled(use, from);
    const auto tensor = plain ? withBias(use, *plain) : std::nullopt;
    if (!tensor)
        return std::nullopt;
    const AffineTerm& term = tensor->term();
    importer.builder().output(name, term.value);
    return ImportNote{term.value, name,           "", "Output", tensor->shape, term.layout,
                      term.scale, tensor->offset, {}};
}

} // namespace

std::vector<ImportNote> takeOutputs(Importer& importer, std::vector<std::string>& cut) {
    std::vector<ImportNote> notes;
    for (const GraphPort& port : importer.model().outputs) {
        if (port.tensor < 0)
            continue;
        if (auto note = takeOutput(importer, port, cut))
            notes.push_back(std::move(*note));
    }
    return notes;
}

} // namespace marquetry::frontend::onnx
