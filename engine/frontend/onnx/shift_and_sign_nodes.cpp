// BipolarQuant of QONNX and RequantShift of the domain PACTOps.
#include "engine/frontend/onnx/handlers.h"
#include "engine/frontend/onnx/linear.h"
#include "engine/frontend/onnx/node_numbers.h"
#include "engine/frontend/onnx/quantise.h"

namespace marquetry::frontend::onnx {
namespace {

using quant::RoundingMode;

/// Of an activation: ⌊x ÷ scale⌋ is below 0 where x is; −1 and 0 become −1 and 1.
void bipolarActivation(const NodeUse& use) {
    const AffineTensor* x = use.affine(0, "an input");
    const auto scale = x ? broadcastScales(use, 1, x->shape) : std::nullopt;
    if (!scale)
        return;
    QuantTarget target;
    target.scale = *scale;
    target.least = -1;
    target.greatest = 0;
    target.mode = RoundingMode::Down;
    target.name = use.tensorName() + "_sign";
    target.isTensor = false;
    auto signs = quantised(use, *x, target);
    if (!signs)
        return;
    ir::OpParams spread;
    spread.mul = 2;
    spread.zero = 1;
    spread.to = ir::Scalar::I2;
    const auto value =
        use.emit(use.tensorName(), ir::OpKind::Requant, {signs->term().value}, spread);
    if (!value)
        return;
    signs->terms.front().value = *value;
    signs->terms.front().bounds = {{}, {ir::Range{-1, 1}}};
    auto result = affineMap(use, *signs, *scale, PerChannel::all(Rational(0)));
    if (result)
        use.give(std::move(*result));
}

/// −scale or scale: two integers of two bits; 0 counts as positive.
void bipolarQuant(const NodeUse& use) {
    if (!use.isKnown(0))
        return bipolarActivation(use);
    const KnownTensor& x = use.input(0).known;
    const auto scale = broadcastScales(use, 1, x.dims);
    if (!scale || !allFinite(use, x, "weights"))
        return;
    auto ints = std::make_shared<std::vector<std::int64_t>>();
    for (std::size_t k = 0; k < x.size(); ++k)
        ints->push_back(x.at(k).sign() < 0 ? -1 : 1);
    KnownTensor result;
    result.dims = x.dims;
    result.ints = std::move(ints);
    result.scale = *scale;
    result.least = -1;
    result.greatest = 1;
    use.give(std::move(result));
}

std::optional<PerChannel> shiftNumbers(const NodeUse& use, std::size_t k, const Dims& shape) {
    const KnownTensor* known = use.known(k, "multipliers and addends");
    return known ? broadcastNumbers(use, *known, shape) : std::nullopt;
}

/// A number, whatever kind of attribute it is; the fallback for 0 and for none.
double numberAttribute(const OnnxNode& node, const std::string& key, double fallback) {
    const auto found = node.attributes.find(key);
    double value = node.real(key, static_cast<double>(node.integer(key, 0)));
    if (found != node.attributes.end() && found->second.tensor && found->second.tensor->size() == 1)
        value = knownTensor(found->second.tensor).at(0).toDouble();
    return value != 0 ? value : fallback;
}

/// clip(⌊(x·mul + add) / div⌋) of the domain PACTOps.
void requantShift(const NodeUse& use) {
    const AffineTensor* x = use.affine(0, "an input");
    if (!x)
        return;
    const auto mul = shiftNumbers(use, 1, x->shape);
    auto add = mul ? shiftNumbers(use, 2, x->shape) : std::nullopt;
    const auto attribute = [&](const std::string& key, double fallback) {
        return numberAttribute(use.node(), key, fallback);
    };
    const double div = attribute("div", 0);
    const double levels = attribute("n_levels_out", attribute("n_levels", 256));
    if (!add || !(div >= 1 && div < 1e15 && levels >= 2 && levels <= 65536)) {
        use.fail("onnx-unsupported", "has a divisor or a number of levels out of range");
        return;
    }
    const bool isSigned = attribute("signed", 0) != 0;
    const auto half = static_cast<std::int64_t>(levels) / 2;
    const Rational factor = Rational(1) / exactly(div);
    const auto scaled = [&](PerChannel numbers, const Rational& more) {
        for (Rational& value : numbers.values)
            value = (value + more) * factor;
        return numbers;
    };
    const Rational rounding = attribute("rounding", 0) != 0
                                  ? Rational((exactly(div) / Rational(2)).floor())
                                  : Rational(0);
    const auto moved = affineMap(use, *x, scaled(*mul, Rational(0)), scaled(*add, rounding));
    QuantTarget target;
    target.mode = RoundingMode::Down;
    target.least = isSigned ? -half : 0;
    target.greatest = (isSigned ? half : static_cast<std::int64_t>(levels)) - 1;
    target.name = use.tensorName();
    auto result = moved ? quantised(use, *moved, target) : std::nullopt;
    if (result)
        use.give(std::move(*result));
}

} // namespace

void addShiftAndSignNodes(HandlerTable& table) {
    table["qonnx.BipolarQuant"] = bipolarQuant;
    table["BipolarQuant"] = bipolarQuant; // some exporters leave the domain out
    table["PACTOps.RequantShift"] = requantShift;
    table["RequantShift"] = requantShift;
}

} // namespace marquetry::frontend::onnx
