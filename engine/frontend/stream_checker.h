// Syntax trees of `stream` items to typed programs.
//
// Types of all expressions are inferred from the inputs. A function is typed at each use, with the
// types of what it is applied to; a function that a `let` has named may be applied anywhere after
// it, also inside other functions. A statement that is wrong keeps its name, so later uses are
// silent.
//
// Errors (reported): unknown-name, unknown-operator, duplicate-name, reserved-name, operand-count,
// type-mismatch, bad-parameter, bad-dimension, number-too-large (a literal does not fit its type, a
// number not 64 bits), number-cycle, not-associative, not-closed, too-deep, too-large, no-output.
// Complexity: linear in the program with its functions written out at each use, of which at most
// kMaxStreamNodes (stream_elaborator.h) nodes are made. Thread rule: pure.
#pragma once

#include "engine/frontend/reporter.h"
#include "engine/frontend/stream_syntax.h"
#include "engine/ir/stream_program.h"

#include <optional>

namespace marquetry::frontend {

/// Nothing when the stream has a mistake; it has been reported.
std::optional<ir::StreamProgram> checkStream(const StreamSyntax& stream, Reporter& reporter);

} // namespace marquetry::frontend
