#include "engine/design/held_of.h"

#include "engine/ir/views.h"
#include "engine/ir/word_stencil.h"
#include "engine/support/assert.h"

namespace marquetry::design {

namespace {

std::int64_t channelsOf(const ir::Program& program, ir::ValueId stored) {
    const ir::Shape& dims = program.value(stored).type.dims;
    return dims.empty() ? 1 : dims.back();
}

/// A row for each column of results; all have the kernel (design/stencil.h).
void repeatKernel(const ir::Program& program, const ir::Layer& layer, std::int64_t lanes,
                  HeldMatrix& matrix) {
    const ir::Value& anchor = program.value(layer.anchor);
    matrix.repeated = true;
    matrix.rows = anchor.type.dims[1];
    if (layer.lanewise)
        return;
    matrix.lane = -anchor.params.pad.left;
    if (const auto words = ir::wordStencil(program, layer, lanes)) {
        matrix.rows = lanes;
        matrix.dataChannels = words->words * lanes;
        *matrix.lane += words->before * lanes;
    }
}

} // namespace

std::int64_t batchesOf(const ir::Program& program, const ir::Layer& layer) {
    const ir::Value& anchor = program.value(layer.anchor);
    return anchor.op == ir::OpKind::Bmm ? anchor.type.dims[0] : 1;
}

HeldMatrix heldMatrix(const ir::Program& program, const ir::LayerPlan& plan, const ir::Layer& layer,
                      std::int64_t batch, std::int64_t lanes) {
    const ir::Value& anchor = program.value(layer.anchor);
    const auto roles = ir::operandRoles(anchor.op);
    ENGINE_ASSERT(roles, "a product");
    const ir::ValueId held = anchor.operands[roles->held];
    const ir::Shape& dims = program.value(held).type.dims;
    HeldMatrix matrix;
    matrix.channels = channelsOf(program, plan.storage[held.index()]);
    matrix.dataChannels = channelsOf(program, plan.storage[anchor.operands[roles->data].index()]);
    matrix.columns = program.value(held).type.elements();
    matrix.lanewise = layer.lanewise;
    if (anchor.op == ir::OpKind::Dot)
        return matrix;
    if (anchor.op == ir::OpKind::Conv1dW || anchor.op == ir::OpKind::Conv1dH) {
        repeatKernel(program, layer, lanes, matrix);
        return matrix;
    }
    matrix.rows = dims[anchor.op == ir::OpKind::Bmm ? 1 : 0];
    matrix.columns /= matrix.rows * batchesOf(program, layer);
    matrix.first = batch * matrix.rows * matrix.columns;
    if (!layer.lanewise)
        matrix.groups =
            anchor.op == ir::OpKind::DwConv ? matrix.dataChannels : anchor.params.groups;
    return matrix;
}

} // namespace marquetry::design
