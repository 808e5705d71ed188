#include "engine/ir/views.h"

#include <algorithm>

namespace marquetry::ir {

namespace {

/// No dimension lies across the end of a pixel: some last dimensions hold what a pixel has. One
/// that is visited as a `whole` may be those of several pixels.
bool keepsPixels(const Shape& view, const Shape& stored, bool whole) {
    const std::int64_t channels = stored.empty() ? 1 : stored.back();
    std::int64_t inner = 1;
    for (std::size_t k = view.size(); k-- > 0 && inner < channels; inner *= view[k])
        if (whole && channels % inner == 0 && view[k] % (channels / inner) == 0)
            return true;
    return inner == channels;
}

bool sameChannels(const Shape& view, const Shape& stored) {
    return !view.empty() && !stored.empty() && view.back() == stored.back();
}

} // namespace

std::optional<OperandRoles> operandRoles(OpKind op) {
    switch (op) {
    case OpKind::Mv:
        return OperandRoles{1, 0};
    case OpKind::Conv:
    case OpKind::DwConv:
    case OpKind::Conv1dW:
    case OpKind::Conv1dH:
    case OpKind::Mm:
    case OpKind::Bmm:
    case OpKind::Dot:
        return OperandRoles{0, 1};
    default:
        return std::nullopt;
    }
}

bool changesLayout(OpKind op) {
    switch (op) {
    case OpKind::Slice:
    case OpKind::Concat:
    case OpKind::Transpose:
    case OpKind::Permute:
    case OpKind::Upsample:
    case OpKind::DepthToSpace:
        return true;
    default:
        return false;
    }
}

bool isOnePixel(const Shape& dims) {
    return dims.empty() || std::all_of(dims.begin(), dims.end() - 1, [](auto n) { return n == 1; });
}

bool sameStored(const Shape& view, const Shape& stored) {
    return view == stored || (isOnePixel(view) && isOnePixel(stored));
}

bool readsView(const Value& user, const Value& view, const Shape& stored) {
    const Shape& dims = view.type.dims;
    switch (user.op) {
    case OpKind::Flatten:
    case OpKind::Reshape:
        return true;
    case OpKind::Mv:
    case OpKind::Dot:
        // The weights are packed in the order in which the whole tensor lies.
        return dims.size() == 1 || sameChannels(dims, stored);
    case OpKind::Mm:
    case OpKind::Bmm:
    case OpKind::Conv1dW:
    case OpKind::Softmax:
    case OpKind::LayerNorm:
        return sameChannels(dims, stored);
    case OpKind::Transpose:
    case OpKind::Permute:
        return keepsPixels(dims, stored, true);
    default:
        return changesLayout(user.op) ? keepsPixels(dims, stored, false) : sameStored(dims, stored);
    }
}

} // namespace marquetry::ir
