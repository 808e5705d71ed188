#include "engine/extract/call_info.h"

#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::extract {

namespace {

using ir::UnitFunction;

/// Pixels a call visits: a pool drops what no window covers.
std::int64_t visitedPixels(const rules::Lowered& lowered, const ir::Layer& layer,
                           const ir::UnitShape& shape) {
    const bool image = shape.function == UnitFunction::Conv ||
                       shape.function == UnitFunction::DwConv ||
                       shape.function == UnitFunction::Map;
    std::int64_t height = shape.height;
    std::int64_t width = shape.width;
    for (const ir::EpilogueOp& op : layer.epilogue)
        if (op.kind == ir::EpilogueKind::MaxPool || op.kind == ir::EpilogueKind::SumPool) {
            const std::int64_t size = lowered.program->value(op.value).params.size.vertical;
            height -= height % size;
            width -= width % size;
        }
    return image ? height * width : rules::vectorsOf(shape);
}

/// Words a pass reads per word it writes: three rounds over a row for softmax (maximum, sum,
/// quotient), the terms of a product.
std::int64_t passWords(const ir::Value& anchor) {
    if (anchor.op == ir::OpKind::Softmax)
        return 3;
    return std::max<std::int64_t>(1, anchor.macs / anchor.type.elements());
}

} // namespace

std::vector<CallInfo> callInfos(const rules::Lowered& lowered) {
    std::vector<CallInfo> calls;
    const std::int64_t lanes = lowered.menu.lanes;
    for (const rules::CallSite& site : lowered.calls) {
        const ir::Layer& layer = lowered.plan.layers[site.layer];
        CallInfo call;
        call.layer = site.layer;
        call.pass = layer.pass;
        call.laneFunction = design::laneFunctionOf(*lowered.program, layer);
        call.ownPass = layer.pass && !layer.lanewise && layer.epilogue.empty();
        call.rows = site.shape.rows;
        call.pixels = visitedPixels(lowered, layer, site.shape);
        call.reductionWords = layer.pass ? 1 : ceilDiv(site.shape.cols, lanes);
        const ir::Value& anchor = lowered.program->value(layer.anchor);
        if (call.ownPass)
            call.reductionWords = passWords(anchor);
        if (layer.lanewise)
            call.reductionWords = layer.pass ? anchor.params.size.area() : site.shape.cols;
        if (layer.weight && !layer.pass)
            call.weightElements = lowered.program->value(*layer.weight).type.elements();
        if (!layer.weight && !layer.pass)
            call.copyCycles =
                ceilDiv(lowered.program->value(layer.others.front()).type.elements(), lanes);
        call.operandBits = ir::storedBits(site.shape.operand);
        call.weightBits = ir::storedBits(site.shape.weight);
        calls.push_back(call);
    }
    return calls;
}

} // namespace marquetry::extract
