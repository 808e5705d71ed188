// What the type cells of several operators check. Errors carry no place. Thread rule: pure.
#pragma once

#include "engine/ir/op_functions.h"

#include <optional>
#include <string>

namespace marquetry::ir::cells {

Diagnostic shapeMismatch(std::string message, std::string hint = {});
Diagnostic badParameter(std::string message, std::string hint = {});
std::string text(std::int64_t value);

/// A diagnostic unless the operand has the rank; `form` shows it, e.g. "H×W×C".
std::optional<Diagnostic> needRank(const char* op, const char* operand, const Type& type,
                                   std::pair<std::size_t, const char*> rank);
/// A diagnostic unless the padding has a value that the operand can have.
std::optional<Diagnostic> badFill(const char* op, const Type& x, const OpParams& params);

struct Window {
    const char* op;
    const char* unit; ///< "rows", "columns"
    std::int64_t extent;
    std::int64_t size;
    std::int64_t stride;
    std::int64_t before, after; ///< padding
};
/// ⌊(extent + padding − size) / stride⌋ + 1.
Result<std::int64_t> windows(const Window& w, Diagnostics& warnings);

struct Window2d {
    const char* op;
    PerAxis size, stride;
    Pads pad;
};
/// `result` with the rows and columns that the windows give.
Result<Type> slide(const Type& input, const Window2d& w, Type result, Diagnostics& warnings);

} // namespace marquetry::ir::cells
