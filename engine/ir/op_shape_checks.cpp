#include "engine/ir/op_shape_checks.h"

#include <algorithm>

namespace marquetry::ir::cells {

Diagnostic shapeMismatch(std::string message, std::string hint) {
    return makeError("shape-mismatch", std::move(message), std::move(hint));
}

Diagnostic badParameter(std::string message, std::string hint) {
    return makeError("bad-parameter", std::move(message), std::move(hint));
}

std::string text(std::int64_t value) {
    return std::to_string(value);
}

std::optional<Diagnostic> needRank(const char* op, const char* operand, const Type& type,
                                   std::pair<std::size_t, const char*> rank) {
    if (type.dims.size() == rank.first)
        return std::nullopt;
    return shapeMismatch(std::string(op) + " expects " + operand + " of shape " + rank.second +
                         ", but got " + toString(type));
}

namespace {

/// Rows (columns) that no window reaches: those after the last window, and the gaps between
/// windows when the stride is larger than the window.
std::int64_t uncovered(const Window& w, std::int64_t count) {
    const std::int64_t room = w.extent + w.before + w.after - w.size;
    const std::int64_t after = std::max<std::int64_t>(room % w.stride - w.after, 0);
    const std::int64_t gap = std::max<std::int64_t>(w.stride - w.size, 0);
    return std::min(after + (count - 1) * gap, w.extent);
}

} // namespace

Result<std::int64_t> windows(const Window& w, Diagnostics& warnings) {
    const std::int64_t padded = w.extent + w.before + w.after;
    const std::int64_t room = padded - w.size;
    if (room < 0)
        return shapeMismatch(std::string(w.op) + ": the window of " + text(w.size) + " " + w.unit +
                                 " is larger than its input of " + text(padded) + " " + w.unit,
                             "use a smaller window or more padding");
    const std::int64_t count = room / w.stride + 1;
    const std::int64_t dropped = uncovered(w, count);
    if (dropped > 0)
        warnings.push_back(makeWarning("dropped-elements",
                                       std::string(w.op) + " drops " + text(dropped) + " of " +
                                           text(w.extent) + " " + w.unit +
                                           ": no window reaches them",
                                       "the division in the shape rounds down"));
    return count;
}

Result<Type> slide(const Type& input, const Window2d& w, Type result, Diagnostics& warnings) {
    const auto rows = windows(
        {w.op, "rows", input.dims[0], w.size.vertical, w.stride.vertical, w.pad.top, w.pad.bottom},
        warnings);
    if (!rows)
        return rows.error();
    const auto columns = windows({w.op, "columns", input.dims[1], w.size.horizontal,
                                  w.stride.horizontal, w.pad.left, w.pad.right},
                                 warnings);
    if (!columns)
        return columns.error();
    result.dims[0] = *rows;
    result.dims[1] = *columns;
    return result;
}

std::optional<Diagnostic> badFill(const char* op, const Type& x, const OpParams& params) {
    const ScalarInfo& scalar = info(x.scalar);
    if (params.fill >= scalar.min && params.fill <= scalar.max)
        return std::nullopt;
    return badParameter(std::string(op) + ": the padding of " + text(params.fill) + " is no " +
                            std::string(scalar.name),
                        "fill must be a value that the input can have");
}

} // namespace marquetry::ir::cells
