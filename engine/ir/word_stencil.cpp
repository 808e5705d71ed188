#include "engine/ir/word_stencil.h"

#include "engine/support/checked_math.h"

namespace marquetry::ir {

std::optional<WordStencil> wordStencil(const Program& program, const Layer& layer,
                                       std::int64_t lanes) {
    const Value& anchor = program.value(layer.anchor);
    if (anchor.op != OpKind::Conv1dW)
        return std::nullopt;
    const std::int64_t columns = program.value(anchor.operands[0]).type.dims[1];
    const std::int64_t results = anchor.type.dims[1];
    const std::int64_t taps = program.value(anchor.operands[1]).type.elements();
    const std::int64_t pad = anchor.params.pad.left;
    if (columns < lanes || results < lanes || (pad > 0 && columns % lanes != 0))
        return std::nullopt;
    WordStencil stencil{anchor.type.dims[0], ceilDiv(results, lanes), ceilDiv(pad, lanes), 1};
    // The last lane's last tap, from the first lane of the first word on.
    const std::int64_t reach = stencil.before * lanes - pad + lanes - 1 + taps - 1;
    stencil.words = reach / lanes + 1;
    const bool less = stencil.words * lanes * stencil.width < results * ceilDiv(columns, lanes);
    return less ? std::optional(stencil) : std::nullopt;
}

} // namespace marquetry::ir
