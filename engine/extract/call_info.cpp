#include "engine/extract/call_info.h"

#include "engine/design/moves_of.h"
#include "engine/design/row_step.h"
#include "engine/design/windows.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <optional>

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

/// Words a pass reads per word it writes: the terms of a product.
std::int64_t passWords(const ir::Value& anchor) {
    return std::max<std::int64_t>(1, anchor.macs / anchor.type.elements());
}

/// What a result is made of.
cost::WindowWords windowOf(const rules::Lowered& lowered, const ir::Layer& layer,
                           const ir::UnitShape& shape) {
    const ir::Value& anchor = lowered.program->value(layer.anchor);
    if (layer.lanewise)
        return {layer.pass ? anchor.params.size.area() : shape.cols, 1, 1};
    if (layer.pass)
        return {layer.epilogue.empty() ? passWords(anchor) : 1, 1, 1};
    const std::int64_t words = ceilDiv(shape.cols, lowered.menu.lanes);
    if (design::convolves(*lowered.program, layer))
        return design::windowWords(*lowered.program, lowered.plan, layer, lowered.menu.lanes);
    if (shape.function != UnitFunction::Conv)
        return {1, 1, words};
    return {shape.kernel.vertical, shape.kernel.horizontal, words / shape.kernel.area()};
}

/// Of moves and functions of rows, which have no unit to choose.
void addFixed(const rules::Lowered& lowered, const ir::Layer& layer, std::int64_t frames,
              CallInfo& call) {
    const std::int64_t lanes = lowered.menu.lanes;
    if (layer.moves)
        call.fixedCycles = design::moveCycles(
            design::movesOf(*lowered.program, lowered.plan, layer, lanes), frames);
    for (const ir::ValueId weight : ir::constantsOf(*lowered.program, layer))
        (layer.moves || layer.rows ? call.fixedCycles : call.besidesCycles) +=
            design::constantCycles(lowered.program->value(weight), lanes, frames);
    if (!layer.rows && !layer.averages)
        return;
    cost::RowShape rows = design::rowShape(*lowered.program, lowered.plan, layer, lanes);
    rows.rows *= frames;
    (layer.rows ? call.fixedCycles : call.besidesCycles) += cost::rowCycles(rows);
    call.fixedDsp = cost::rowResources(rows).dsp;
}

/// Batches, and the activation that is copied to where a unit holds weights.
void addHeld(const rules::Lowered& lowered, const ir::Layer& layer, CallInfo& call) {
    if (layer.pass || !layer.unbuildable.empty())
        return;
    call.parts = design::batchesOf(*lowered.program, layer);
    if (layer.weight)
        return;
    call.held = design::heldMatrix(*lowered.program, lowered.plan, layer, 0, lowered.menu.lanes);
    call.copyCycles = design::heldCycles(*call.held, 1, lowered.menu.lanes);
}

} // namespace

std::vector<CallInfo> callInfos(const rules::Lowered& lowered, std::int64_t frames) {
    std::vector<CallInfo> calls;
    for (const rules::CallSite& site : lowered.calls) {
        const ir::Layer& layer = lowered.plan.layers[site.layer];
        CallInfo call;
        call.layer = site.layer;
        call.pass = layer.pass;
        call.laneFunction = design::laneFunctionOf(*lowered.program, layer);
        call.ownPass = layer.pass && !layer.lanewise && layer.epilogue.empty();
        call.rows = site.shape.rows;
        call.pixels = frames * visitedPixels(lowered, layer, site.shape);
        call.window = windowOf(lowered, layer, site.shape);
        call.spans = !layer.pass && layer.weight && layer.unbuildable.empty();
        if (layer.weight && !layer.pass)
            call.weightElements = lowered.program->value(*layer.weight).type.elements();
        addFixed(lowered, layer, frames, call);
        addHeld(lowered, layer, call);
        call.operandBits = ir::storedBits(site.shape.operand);
        call.weightBits = ir::storedBits(site.shape.weight);
        calls.push_back(call);
    }
    return calls;
}

} // namespace marquetry::extract
