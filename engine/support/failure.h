// What an exception that ended some work says to a user.
//
// Nothing of ours throws: exceptions come from the standard library, memory above all, and from the
// libraries we call. Whoever owns a thread or a process catches them there and goes on, or ends,
// with this as a diagnostic. Thread rule: pure.
#pragma once

#include "engine/support/diagnostic.h"

#include <string_view>

namespace marquetry {

/// Of the exception that is being handled (call it in a catch block). Codes: out-of-memory ("this
/// ran out of memory while <doing>"), internal-error ("internal error while <doing>: <what>").
Diagnostic failureOf(std::string_view doing);

} // namespace marquetry
