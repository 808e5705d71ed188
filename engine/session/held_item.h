// What the DESIGN.json of an exported stream or memory stands for: an item of the program beside
// it, and what was chosen of it. Anybody may have edited the file: whatever it says is checked
// against the program before it is taken.
//
// Errors: design-form (naming the file, the field and what was expected), file-missing (the
// program). Errors in the text of the program are left to whoever opens it. Complexity: that of
// parsing the program. Thread rule: pure but for reading.
#pragma once

#include "engine/banking/scheme_pins.h"
#include "engine/support/result.h"

#include <optional>
#include <string>

namespace marquetry::session {

struct HeldItem {
    std::string programFile;
    std::string item;
    std::string device;         ///< id of one that is shipped; empty: none is named or asked for
    std::int64_t clocks = 0;    ///< of a stream's frame; 0: of a memory
    std::string outputType;     ///< that a stream's output was pinned to; empty: any
    banking::SchemePins pins{}; ///< of a memory: the scheme itself
};

/// What is taken from somewhere else, so that the file need not say it.
struct HeldParts {
    bool device = true;
    bool clocks = true; ///< and the type of the output, which takes them
    bool scheme = true;
};

/// Nothing: no DESIGN.json of an exported stream or memory, whatever else it may be.
Result<std::optional<HeldItem>> readHeldItem(const std::string& path, HeldParts parts = {});

} // namespace marquetry::session
