// The design of a file: that which a DESIGN.json holds, or the one at hand of a session file. Of
// the folder of an export it is that of the DESIGN.json within.
//
// What a search finds is in no session file: it is found again, which takes as long as that. A
// design that was chosen from the plot is the fastest within its resources. Sessions that were not
// searched have no design.
//
// Errors: those of readDesignFile, readSession, of the program's file, makeSetup and explore;
// program-changed (a session file holds another text than the program's file), no-design (nothing
// was searched, or there is none; the latter is an answer), design-form (no such file).
// Thread rule: pure but for reading.
#pragma once

#include "engine/design/design.h"
#include "engine/design/ledger.h"
#include "engine/support/result.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace marquetry::session {

struct FileDesign {
    std::shared_ptr<const design::Design> design;
    std::shared_ptr<const design::Ledger> ledger; ///< of the design; it may have no rows
    std::shared_ptr<const ir::Program> program;   ///< as its file is now
    /// Cycles of a run that the search has found no design to go below; none of a DESIGN.json, and
    /// of a design that was chosen.
    std::optional<double> bound;
    Diagnostics warnings;
};

Result<FileDesign> readFileDesign(const std::string& path, std::stop_token stop = {});

} // namespace marquetry::session
